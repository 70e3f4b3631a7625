import HandoverCore
import HandoverScenario
import HandoverTrace

/// What must never be seen of interceptors and chains.
///
/// Only what has changed is looked at, and what is seen of it is looked up: an instant costs as
/// much as there are facts of chains in it, however many expectations there are.
struct ChainWatch {
  /// What expectations look at together.
  private struct Scope: Hashable {
    /// The call; nil is all of them together.
    var call: Int?
    /// The link by its place in the script; nil is the chain as a whole.
    var link: Int?
    /// Which parts have a value.
    var parts: Parts
  }

  private struct Parts: OptionSet, Hashable {
    let rawValue: UInt16
  }

  /// The values of the parts; of those that are not looked at, nil.
  private struct Values: Hashable {
    var made: Bool?
    var sees: [ChainStep]?
    var breaks: [InterceptorBreach]?
    var attempts: Int?
    var links: [Int]?
    var host: String?
    var path: String?
    var sent: [String]?
    var heard: [String]?

    /// How many elements all lists have together.
    var length: Int {
      (sees?.count ?? 0) + (breaks?.count ?? 0) + (links?.count ?? 0) + (sent?.count ?? 0)
        + (heard?.count ?? 0)
    }

    var parts: Parts {
      let isSet = [
        made != nil, sees != nil, breaks != nil, attempts != nil, links != nil, host != nil,
        path != nil, sent != nil, heard != nil,
      ]
      let bits = isSet.enumerated().reduce(UInt16(0)) { $0 | ($1.element ? 1 << $1.offset : 0) }
      return Parts(rawValue: bits)
    }
  }

  /// The expectations of one scope.
  private struct Group {
    var scope: Scope
    /// The parts that are looked at, with any values.
    var shape: Values
    /// How long the longest lists are that are expected; what is longer is none of them.
    var longest = 0
    /// The places of the expectations, by what they expect to see.
    var places: [Values: [Int]] = [:]  // lookup only
  }

  private var groups: [Group] = []
  private var groupOfScope: [Scope: Int] = [:]  // lookup only
  /// The groups that look at one call, and those that look at one link of all calls.
  private var groupsOfCall: [Int: [Int]] = [:]  // lookup only
  private var groupsOfLink: [Int: [Int]] = [:]  // lookup only
  /// Headers and trailers that must be among those seen, by the places of the expectations.
  private var headers: [Int: ChainExpectation] = [:]  // lookup only
  private var watched: [Int] = []
  private var taken: Set<Int> = []  // lookup only
  /// How many changes have been looked at; nil before the first look, which is at everything.
  private var looked: Int?

  var isEmpty: Bool { groups.isEmpty }

  mutating func removeAll() {
    if !isEmpty { self = ChainWatch() }
  }

  /// The expectations that never held so far, by their places.
  var remaining: [Int] { watched.filter { !taken.contains($0) } }

  // MARK: What is watched

  /// Adds the expectation at a place.
  mutating func add(_ place: Int, _ subject: Expectation.Subject, _ script: Script) {
    switch subject {
    case .interceptor(let link, let wanted):
      let values = Values(made: wanted.made, sees: wanted.sees, breaks: wanted.breaks)
      add(place, Scope(call: wanted.call, link: link, parts: values.parts), values)
    case .chain(let call, let wanted):
      let values = Values(
        breaks: wanted.breaks, attempts: wanted.attempts, links: wanted.links,
        host: wanted.host.map { script.hosts[$0].written }, path: wanted.path, sent: wanted.sent,
        heard: wanted.heard)
      if wanted.metadata != nil || wanted.trailers != nil { headers[place] = wanted }
      add(place, Scope(call: call, link: nil, parts: values.parts), values)
    case .call, .channels, .connections, .server, .monitor, .request, .ask, .requests:
      preconditionFailure("only chains and their links are watched here")
    }
  }

  private mutating func add(_ place: Int, _ scope: Scope, _ values: Values) {
    watched.append(place)
    let group = groupOfScope[scope] ?? groups.count
    if group == groups.count {
      groupOfScope[scope] = group
      groups.append(Group(scope: scope, shape: values))
      if let call = scope.call {
        groupsOfCall[call, default: []].append(group)
      } else if let link = scope.link {
        groupsOfLink[link, default: []].append(group)
      }
    }
    groups[group].longest = max(groups[group].longest, values.length)
    groups[group].places[values, default: []].append(place)
  }

  // MARK: What is seen

  /// Takes out the expectations that hold now.
  ///
  /// - Returns: their places, the last first.
  mutating func takeThoseThatHold(_ state: RunState) -> [Int] {
    var held: [Int] = []
    for group in concerned(state) { held += take(group, state) }
    taken.formUnion(held)
    return held.sorted(by: >)
  }

  /// The groups whose things have changed since the last look.
  private mutating func concerned(_ state: RunState) -> [Int] {
    guard let first = looked else {
      looked = state.chainChanges.count
      return Array(groups.indices)
    }
    looked = state.chainChanges.count
    var isFound: Set<Int> = []  // lookup only
    var found: [Int] = []
    func find(_ groups: [Int]?) {
      for group in groups ?? [] where isFound.insert(group).inserted { found.append(group) }
    }
    for fact in state.chainChanges[first...] {
      find(groupsOfCall[Int(fact.call)])
      switch fact {
      case .linkMade(_, let link), .broke(_, let link, _):
        find(groupsOfLink[Int(link)])
      case .linkSkipped, .linkLeft, .took, .noted, .attempted, .sentHeader, .sentMessage, .heard,
        .trailer, .closed:
        break
      }
    }
    return found
  }

  private mutating func take(_ group: Int, _ state: RunState) -> [Int] {
    guard !groups[group].places.isEmpty,
      let seen = Self.seen(groups[group].scope, groups[group].shape, state),
      seen.length <= groups[group].longest, let found = groups[group].places[seen]
    else { return [] }
    let held = found.filter { place in
      headers[place].map { ChainWording(state).holds(groups[group].scope.call ?? 0, $0) } ?? true
    }
    if held.count == found.count {
      groups[group].places[seen] = nil
    } else if !held.isEmpty {
      let isHeld = Set(held)  // lookup only
      groups[group].places[seen] = found.filter { !isHeld.contains($0) }
    }
    return held
  }

  /// What is seen of the parts that a shape looks at; nil where there is no chain at all.
  private static func seen(_ scope: Scope, _ shape: Values, _ state: RunState) -> Values? {
    guard let link = scope.link else {
      guard let call = scope.call, call < state.chains.count else { return nil }
      return seen(state.chains[call], shape)
    }
    var chains = state.chains[...]
    if let call = scope.call {
      chains = call < state.chains.count ? state.chains[call...call] : []
    }
    var seen = Values(
      made: shape.made.map { _ in false }, sees: shape.sees.map { _ in [] },
      breaks: shape.breaks.map { _ in [] })
    for chain in chains {
      guard let found = chain.link(link) else { continue }
      if shape.made != nil { seen.made = true }
      // What one call took is handed on; only what all did is put together.
      if scope.call != nil {
        if shape.sees != nil { seen.sees = found.sees }
        if shape.breaks != nil { seen.breaks = found.breaks }
      } else {
        seen.sees?.append(contentsOf: found.sees)
        seen.breaks?.append(contentsOf: found.breaks)
      }
    }
    return seen
  }

  private static func seen(_ chain: ChainState, _ shape: Values) -> Values {
    let target = chain.target.split(separator: " ")
    return Values(
      breaks: shape.breaks.map { _ in chain.userBreaks },
      attempts: shape.attempts.map { _ in chain.attempts },
      links: shape.links.map { _ in chain.links.map { Int($0.place) } },
      host: shape.host.map { _ in target.first.map(String.init) ?? "" },
      path: shape.path.map { _ in target.last.map(String.init) ?? "" },
      sent: shape.sent.map { _ in chain.sent }, heard: shape.heard.map { _ in chain.heard })
  }
}
