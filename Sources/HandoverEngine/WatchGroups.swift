/// What must never be seen, kept together by what it is about, so that a look at that serves all.
///
/// Each group is looked at once in a look, and only where what is seen of it is not what was seen
/// last.
struct WatchGroups<Scope: Hashable, Part: Hashable> {
  private struct Group {
    var scope: Scope
    /// What expectations have in common; nil is what can be seen at any time.
    var expectations = RarestParts<Part?>()
    /// What was seen last; nothing new comes of the same.
    var last: [Part]?
    /// The look that it was looked at in.
    var look = 0
  }

  private var groups: [Group] = []
  private var groupOfScope: [Scope: Int] = [:]  // lookup only
  /// The places of all expectations, and of those that held.
  private var watched: [Int] = []
  private var taken: Set<Int> = []  // lookup only
  private var looks = 0

  var isEmpty: Bool { groups.isEmpty }
  var indices: Range<Int> { groups.indices }

  /// The expectations that never held so far, by their places.
  var remaining: [Int] { watched.filter { !taken.contains($0) } }

  /// Adds the expectation at a place.
  ///
  /// - Parameters:
  ///   - index: the place.
  ///   - scope: what it is about.
  ///   - parts: what must be seen of that.
  /// - Returns: the number of the group where it is a new one; else nil.
  mutating func add(_ index: Int, _ scope: Scope, _ parts: [Part]) -> Int? {
    watched.append(index)
    let group = groupOfScope[scope] ?? groups.count
    let isNew = group == groups.count
    if isNew {
      groupOfScope[scope] = group
      groups.append(Group(scope: scope))
    }
    groups[group].expectations.add(index, parts.isEmpty ? [nil] : parts)
    return isNew ? group : nil
  }

  /// Begins a look, in which each group is looked at once at most.
  mutating func beginLook() {
    looks += 1
  }

  /// Takes out the expectations of a group that hold now.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - see: what is seen of a scope now; nil where there is no such thing yet.
  ///   - holds: whether the expectation at a place holds where some parts are seen.
  /// - Returns: their places.
  mutating func takeThoseThatHold(
    of group: Int, seeing see: (Scope) -> [Part]?, _ holds: (Int, [Part]) -> Bool
  ) -> [Int] {
    guard groups[group].look != looks else { return [] }
    groups[group].look = looks
    guard let seen = see(groups[group].scope), groups[group].last != seen else { return [] }
    groups[group].last = seen
    let held = groups[group].expectations.takeThoseThatHold(seeing: seen + [nil]) {
      holds($0, seen)
    }
    taken.formUnion(held)
    return held
  }
}
