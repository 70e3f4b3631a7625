/// Expectations that must never hold, grouped by scope so that one observation serves a whole
/// group.
///
/// Each group is checked at most once per check, and only if its observed values have changed.
struct WatchGroups<Scope: Hashable, Part: Hashable> {
  private struct Group {
    var scope: Scope
    /// The expectations of the group; the part `nil` represents an expectation without parts.
    var expectations = RarestParts<Part?>()
    /// The last observed values; the same values cannot make another expectation hold.
    var last: [Part]?
    /// The sequence number of the last check that included the group.
    var look = 0
  }

  private var groups: [Group] = []
  private var groupOfScope: [Scope: Int] = [:]  // lookup only
  /// The indices of all expectations, and of those that held.
  private var watched: [Int] = []
  private var taken: Set<Int> = []  // lookup only
  private var looks = 0

  var isEmpty: Bool { groups.isEmpty }
  var indices: Range<Int> { groups.indices }

  /// The indices of the expectations that have never held so far.
  var remaining: [Int] { watched.filter { !taken.contains($0) } }

  /// Adds the expectation at an index.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - scope: the subject of the expectation.
  ///   - parts: the values of the subject that must be observed.
  /// - Returns: the number of the group if it is new, or `nil`.
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

  /// Begins a check, in which each group is checked at most once.
  mutating func beginCheck() {
    looks += 1
  }

  /// Removes the expectations of a group that hold now.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - see: returns the observed values of a scope, or `nil` if the scope does not exist yet.
  ///   - holds: returns whether the expectation at an index holds for the observed values.
  /// - Returns: the indices of the expectations that hold.
  mutating func takeSatisfied(
    of group: Int, seeing see: (Scope) -> [Part]?, _ holds: (Int, [Part]) -> Bool
  ) -> [Int] {
    guard groups[group].look != looks else { return [] }
    groups[group].look = looks
    guard let seen = see(groups[group].scope), groups[group].last != seen else { return [] }
    groups[group].last = seen
    let held = groups[group].expectations.takeSatisfied(seeing: seen + [nil]) {
      holds($0, seen)
    }
    taken.formUnion(held)
    return held
  }
}
