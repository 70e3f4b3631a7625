import HandoverCore
import HandoverScenario
import HandoverTrace

/// What must never be seen of interceptors and chains.
///
/// Only chains that have changed are looked at, and what is seen of one is looked up.
struct ChainWatch {
  /// What expectations look at together.
  private struct Scope: Hashable {
    /// The call; nil is all of them together.
    var call: Int?
    /// The link by its place in the script; nil is the chain as a whole.
    var link: Int?
  }

  /// One thing that is seen.
  ///
  /// Of a list it is the length and the end: they change with each element, and the whole of it is
  /// compared only where they are right.
  private enum Part: Hashable {
    case made(Bool)
    case sees(Int, last: ChainStep?)
    case breaks(Int, last: InterceptorBreach?)
    /// The events and the broken rules of all calls.
    case seesOfAll(Int)
    case breaksOfAll(Int)
    case attempts(Int)
    case links(Int, last: Int?)
    case host(String)
    case path(String)
    case header(String)
    case sent(Int, last: String?)
    case heard(Int, last: String?)
    case trailer(String)
  }

  private var groups = WatchGroups<Scope, Part>()
  /// The groups that look at one call, and those that look at one link of all calls.
  private var groupsOfCall: [Int: [Int]] = [:]  // lookup only
  private var groupOfLink: [Int: Int] = [:]  // lookup only
  private var subjects: [Int: Expectation.Subject] = [:]  // lookup only
  /// How many changes have been looked at; nil before the first look, which is at everything.
  private var looked: Int?

  var isEmpty: Bool { groups.isEmpty }

  mutating func removeAll() {
    if !isEmpty { self = ChainWatch() }
  }

  /// The expectations that never held so far, by their places.
  var remaining: [Int] { groups.remaining }

  // MARK: What is watched

  /// Adds the expectation at a place.
  mutating func add(_ position: Int, _ subject: Expectation.Subject, _ script: Script) {
    switch subject {
    case .interceptor(let link, let wanted):
      add(position, Scope(call: wanted.call, link: link), subject, Self.parts(of: wanted))
    case .chain(let call, let wanted):
      add(position, Scope(call: call, link: nil), subject, Self.parts(of: wanted, script))
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      preconditionFailure("only chains and their links are watched here")
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
    let isOfOne = wanted.call != nil
    var parts: [Part] = []
    if let made = wanted.made { parts.append(.made(made)) }
    if let sees = wanted.sees {
      parts.append(isOfOne ? .sees(sees.count, last: sees.last) : .seesOfAll(sees.count))
    }
    if let breaks = wanted.breaks {
      parts.append(isOfOne ? .breaks(breaks.count, last: breaks.last) : .breaksOfAll(breaks.count))
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
    add(wanted.heard.map { .heard($0.count, last: $0.last) })
    add(wanted.breaks.map { .breaks($0.count, last: $0.last) })
    for header in wanted.metadata ?? [] { add(.header(ChainWording.text(header))) }
    for trailer in wanted.trailers ?? [] { add(.trailer(ChainWording.text(trailer))) }
    return parts
  }

  // MARK: What is seen

  /// Takes out the expectations that hold now.
  ///
  /// - Returns: their places, the last first.
  mutating func takeThoseThatHold(_ state: RunProjection) -> [Int] {
    groups.beginLook()
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
    return groups.takeThoseThatHold(of: group, seeing: { Self.seen($0, state) }) { position, _ in
      switch subjects[position] {
      case .interceptor(let link, let wanted): wording.holds(link, wanted)
      case .chain(let call, let wanted): wording.holds(call, wanted)
      case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests,
        nil:
        false
      }
    }
  }

  /// What is seen of a scope; nil where there is no chain at all.
  private static func seen(_ scope: Scope, _ state: RunProjection) -> [Part]? {
    guard let call = scope.call else {
      let sum = state.links[scope.link ?? 0]
      return [
        .made(sum.isMade), .seesOfAll(sum.steps.count), .breaksOfAll(sum.breaches.count),
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
    let target = chain.target.split(separator: " ")
    var seen: [Part] = [.attempts(chain.attempts)]
    seen.append(.links(chain.links.count, last: chain.links.last.map { Int($0.position) }))
    seen.append(.host(target.first.map(String.init) ?? ""))
    seen.append(.path(target.last.map(String.init) ?? ""))
    seen.append(.sent(chain.sent.count, last: chain.sent.last))
    seen.append(.heard(chain.heard.count, last: chain.heard.last))
    seen.append(.breaks(chain.userBreaks.count, last: chain.userBreaks.last))
    for header in chain.headers { seen.append(.header(header)) }
    for trailer in chain.trailers { seen.append(.trailer(trailer)) }
    return seen
  }
}

extension ChainFact {
  /// The link that the fact is about; nil where it is about none of the script's.
  fileprivate var link: UInt16? {
    switch self {
    case .linkMade(_, let link), .took(_, let link, _), .broke(_, let link, _): link
    case .linkSkipped, .linkLeft, .noted, .attempted, .sentHeader, .sentMessage, .heard, .closed,
      .trailer:
      nil
    }
  }
}
