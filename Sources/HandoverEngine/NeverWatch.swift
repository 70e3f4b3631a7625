import HandoverCore
import HandoverScenario

/// What must never be seen of channels, connections, servers, the monitor and requests.
///
/// Only hosts of which something changed are looked at. What is seen of one is put together once
/// for all expectations about it, and looked up.
struct NeverWatch {
  /// What expectations look at together.
  private struct Scope: Hashable {
    enum Kind {
      case channels
      case connections
      case server
      case monitor
      case requests
    }

    var kind: Kind
    var host: HostSelector
    /// Of which address, of which path and from when on a server's numbers count.
    var server = ServerExpectation()
  }

  /// One thing that is seen; the number of a kind of things, and how many or which there are.
  private struct Part: Hashable {
    var kind: Int
    var value: Int
  }

  private var groups = WatchGroups<Scope, Part>()
  /// The groups that look at one host, and those that look at all or at none.
  private var groupsOfHost: [Int: [Int]] = [:]  // lookup only
  private var otherGroups: [Int] = []
  /// What each expectation expects to see.
  private var wanted: [Int: [Part]] = [:]  // lookup only
  /// How many changes of hosts have been looked at; nil before the first look, at everything.
  private var looked: Int?

  var isEmpty: Bool { groups.isEmpty }

  mutating func removeAll() {
    if !isEmpty { self = NeverWatch() }
  }

  /// The expectations that never held so far, by their places.
  var remaining: [Int] { groups.remaining }

  /// Whether it can watch for a subject: for one whose parts all have a value at any time.
  static func watches(_ subject: Expectation.Subject) -> Bool { scope(of: subject) != nil }

  private static func scope(of subject: Expectation.Subject) -> Scope? {
    switch subject {
    case .channels(let host, _, _, _): Scope(kind: .channels, host: host)
    case .connections(let host, _, _, _): Scope(kind: .connections, host: host)
    case .server(let host, let wanted): Scope(kind: .server, host: host, server: wanted.scope)
    case .monitor: Scope(kind: .monitor, host: .all)
    case .requests(let host, _): Scope(kind: .requests, host: host)
    case .call, .kernel, .interceptor, .chain, .request, .ask: nil
    }
  }

  /// Adds the expectation at a place.
  mutating func add(_ index: Int, _ subject: Expectation.Subject) {
    guard let scope = Self.scope(of: subject) else {
      preconditionFailure("calls, chains and single requests are not watched here")
    }
    let parts = Self.parts(of: subject)
    wanted[index] = parts
    guard let group = groups.add(index, scope, parts) else { return }
    if case .one(let host) = scope.host {
      groupsOfHost[host, default: []].append(group)
    } else {
      otherGroups.append(group)
    }
  }

  // MARK: What is seen

  /// Takes out the expectations that hold now.
  ///
  /// - Returns: their places, the last first.
  mutating func takeThoseThatHold(_ state: RunProjection) -> [Int] {
    groups.beginLook()
    var held: [Int] = []
    if let looked {
      for host in state.hostChanges[looked...] {
        for group in groupsOfHost[Int(host)] ?? [] { held += take(group, state) }
      }
      for group in otherGroups { held += take(group, state) }
    } else {
      for group in groups.indices { held += take(group, state) }
    }
    looked = state.hostChanges.count
    return held.sorted(by: >)
  }

  private mutating func take(_ group: Int, _ state: RunProjection) -> [Int] {
    groups.takeThoseThatHold(of: group, seeing: { Self.seen($0, state) }) { [wanted] index, seen in
      wanted[index]?.allSatisfy(seen.contains) ?? false
    }
  }

  /// What an expectation expects to see.
  private static func parts(of subject: Expectation.Subject) -> [Part] {
    switch subject {
    case .channels(_, let alive, let destroyed, let state):
      parts([alive, destroyed, state.map { Int($0.rawValue) }])
    case .connections(_, let attempts, let open, let path):
      parts([attempts, open, path.map { Int($0.index) }])
    case .server(_, let wanted): parts([wanted.received, wanted.accepted, wanted.twice])
    case .monitor(let notifications): parts([notifications])
    case .requests(_, let wanted): parts(RequestWording.counts(wanted))
    case .call, .kernel, .interceptor, .chain, .request, .ask: []
    }
  }

  /// What is seen of a scope; of what has no value there is no part.
  private static func seen(_ scope: Scope, _ state: RunProjection) -> [Part] {
    let host = scope.host
    return switch scope.kind {
    case .channels:
      parts([
        state.sum(host, \.alive), state.sum(host, \.destroyed),
        state.commonState(of: host).map { Int($0.rawValue) },
      ])
    case .connections:
      parts([
        state.sum(host, \.attempts), state.sum(host, \.open),
        state.commonPath(of: host).map { Int($0.index) },
      ])
    case .server:
      parts(of: state.counts(of: host, scope.server))
    case .monitor: parts([state.notifications])
    case .requests: parts(RequestWording.counts(state.requests.numbers(of: host)))
    }
  }

  private static func parts(of seen: ServerSights.Counts) -> [Part] {
    parts([seen.received, seen.accepted, seen.twice])
  }

  private static func parts(_ values: [Int?]) -> [Part] {
    values.enumerated().compactMap { kind, value in value.map { Part(kind: kind, value: $0) } }
  }
}

extension ServerExpectation {
  /// The same without its numbers: what is to be looked at.
  fileprivate var scope: ServerExpectation {
    ServerExpectation(address: address, path: path, since: since)
  }
}
