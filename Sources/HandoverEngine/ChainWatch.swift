import HandoverCore
import HandoverScenario

/// Checks expectations about interceptors and chains that must never hold.
///
/// Only changed chains are checked. Expectations are found by looking up what was observed of a
/// chain.
struct ChainWatch {
  /// The subject that a group of expectations shares.
  private struct Scope: Hashable {
    /// The call, or `nil` for all calls together.
    var call: Int?
    /// The position of the interceptor in the script, or `nil` for the chain as a whole.
    var link: Int?
  }

  /// One observed value.
  ///
  /// For a list, the value is its length and its last element, which change with every new element.
  /// The whole list is compared only if both match.
  private enum Part: Hashable {
    case made(Bool)
    case sees(Int, last: ChainStep?)
    case breaks(Int, last: InterceptorViolation?)
    /// The events and the violations of all calls.
    case eventsOfAll(Int)
    case violationsOfAll(Int)
    case attempts(Int)
    case links(Int, last: Int?)
    case host(String)
    case path(String)
    case header(String)
    case sent(Int, last: String?)
    case received(Int, last: String?)
    case trailer(String)
  }

  private var groups = WatchGroups<Scope, Part>()
  /// The groups for one call, and the groups for one interceptor of all calls.
  private var groupsOfCall: [Int: [Int]] = [:]  // lookup only
  private var groupOfLink: [Int: Int] = [:]  // lookup only
  private var subjects: [Int: Expectation.Subject] = [:]  // lookup only
  /// The number of changes checked so far, or `nil` before the first check, which covers
  /// everything.
  private var looked: Int?

  var isEmpty: Bool { groups.isEmpty }

  mutating func removeAll() {
    if !isEmpty { self = ChainWatch() }
  }

  /// The indices of the expectations that have never held so far.
  var remaining: [Int] { groups.remaining }

  // MARK: Watched expectations

  /// Adds the expectation at an index.
  mutating func add(_ position: Int, _ subject: Expectation.Subject, _ script: Script) {
    switch subject {
    case .interceptor(let link, let wanted):
      add(position, Scope(call: wanted.call, link: link), subject, Self.parts(of: wanted))
    case .chain(let call, let wanted):
      add(position, Scope(call: call, link: nil), subject, Self.parts(of: wanted, script))
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      preconditionFailure("only expectations about chains and interceptors can be watched here")
    }
  }

  private mutating func add(
    _ position: Int, _ scope: Scope, _ subject: Expectation.Subject, _ parts: [Part]
  ) {
    subjects[position] = subject
    guard let group = groups.add(position, scope, parts) else { return }
    if let call = scope.call {
      groupsOfCall[call, default: []].append(group)
    } else if let link = scope.link {
      groupOfLink[link] = group
    }
  }

  private static func parts(of wanted: InterceptorExpectation) -> [Part] {
    let concernsOneCall = wanted.call != nil
    var parts: [Part] = []
    if let made = wanted.made { parts.append(.made(made)) }
    if let sees = wanted.sees {
      parts.append(concernsOneCall ? .sees(sees.count, last: sees.last) : .eventsOfAll(sees.count))
    }
    if let breaks = wanted.breaks {
      parts.append(
        concernsOneCall ? .breaks(breaks.count, last: breaks.last) : .violationsOfAll(breaks.count))
    }
    return parts
  }

  private static func parts(of wanted: ChainExpectation, _ script: Script) -> [Part] {
    var parts: [Part] = []
    func add(_ part: Part?) {
      if let part { parts.append(part) }
    }
    add(wanted.attempts.map(Part.attempts))
    add(wanted.links.map { .links($0.count, last: $0.last) })
    add(wanted.host.map { .host(script.hosts[$0].written) })
    add(wanted.path.map(Part.path))
    add(wanted.sent.map { .sent($0.count, last: $0.last) })
    add(wanted.heard.map { .received($0.count, last: $0.last) })
    add(wanted.breaks.map { .breaks($0.count, last: $0.last) })
    for header in wanted.metadata ?? [] { add(.header(ChainWording.text(header))) }
    for trailer in wanted.trailers ?? [] { add(.trailer(ChainWording.text(trailer))) }
    return parts
  }

  // MARK: Observed values

  /// Removes the expectations that hold now.
  ///
  /// - Returns: their indices in descending order.
  mutating func takeSatisfied(_ state: RunProjection) -> [Int] {
    groups.beginCheck()
    var held: [Int] = []
    if let looked {
      for fact in state.chainChanges[looked...] {
        for group in groupsOfCall[Int(fact.call)] ?? [] { held += take(group, state) }
        if let link = fact.link, let group = groupOfLink[Int(link)] { held += take(group, state) }
      }
    } else {
      for group in groups.indices { held += take(group, state) }
    }
    looked = state.chainChanges.count
    return held.sorted(by: >)
  }

  private mutating func take(_ group: Int, _ state: RunProjection) -> [Int] {
    let (wording, subjects) = (ChainWording(state), subjects)
    return groups.takeSatisfied(of: group, seeing: { Self.seen($0, state) }) { position, _ in
      switch subjects[position] {
      case .interceptor(let link, let wanted): wording.holds(link, wanted)
      case .chain(let call, let wanted): wording.holds(call, wanted)
      case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests,
        nil:
        false
      }
    }
  }

  /// Returns the observed values of a scope, or `nil` if there is no chain.
  private static func seen(_ scope: Scope, _ state: RunProjection) -> [Part]? {
    guard let call = scope.call else {
      let sum = state.links[scope.link ?? 0]
      return [
        .made(sum.isMade), .eventsOfAll(sum.steps.count), .violationsOfAll(sum.violations.count),
      ]
    }
    let chain = call < state.chains.count ? state.chains[call] : nil
    guard let link = scope.link else { return chain.map(seen) }
    let seen = chain?.link(link)
    return [
      .made(seen != nil), .sees(seen?.sees.count ?? 0, last: seen?.sees.last),
      .breaks(seen?.breaks.count ?? 0, last: seen?.breaks.last),
    ]
  }

  private static func seen(_ chain: ChainState) -> [Part] {
    var seen: [Part] = [.attempts(chain.attempts)]
    seen.append(.links(chain.links.count, last: chain.links.last.map { Int($0.position) }))
    seen.append(.host(chain.host))
    seen.append(.path(chain.path))
    seen.append(.sent(chain.sent.count, last: chain.sent.last))
    seen.append(.received(chain.received.count, last: chain.received.last))
    seen.append(.breaks(chain.userBreaks.count, last: chain.userBreaks.last))
    for header in chain.headers { seen.append(.header(header)) }
    for trailer in chain.trailers { seen.append(.trailer(trailer)) }
    return seen
  }
}

extension ChainFact {
  /// The interceptor that the fact is about, or `nil` if it is about no interceptor of the script.
  fileprivate var link: UInt16? {
    switch self {
    case .linkMade(_, let link), .took(_, let link, _), .broke(_, let link, _): link
    case .linkSkipped, .linkLeft, .noted, .attempted, .sentHeader, .sentMessage, .received, .closed,
      .trailer:
      nil
    }
  }
}
