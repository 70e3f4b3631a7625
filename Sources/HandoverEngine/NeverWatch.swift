import HandoverCore
import HandoverScenario

/// Checks expectations about channels, connections, servers, the monitor and requests that must
/// never hold.
///
/// Only changed hosts and, for server values beyond the totals, changed places are checked. The
/// observed values of a scope are collected once for all expectations about it. Expectations are
/// then found by lookup.
struct NeverWatch {
  /// The subject that a group of expectations shares.
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
    /// The address and the network that the server values are limited to.
    var server = ServerExpectation()
  }

  /// One observed value: the index of its kind, and a count or an identifier.
  private struct Part: Hashable {
    var kind: Int
    var value: Int
  }

  private var groups = WatchGroups<Scope, Part>()
  /// The groups for one host, the groups for one place of the server values, and all other groups.
  private var groupsOfHost: [Int: [Int]] = [:]  // lookup only
  private var groupsOfPlace: [ServerSights.Place: [Int]] = [:]  // lookup only
  private var otherGroups: [Int] = []
  /// The expectations with a start time in the future, latest first.
  ///
  /// When the start time arrives, the expected counts are increased by the counts so far, and the
  /// sum is compared with the totals.
  private var later: [Later] = []

  private struct Later {
    var index: Int
    var since: Instant
    var scope: Scope
  }

  /// The values that each expectation requires.
  private var wanted: [Int: [Part]] = [:]  // lookup only
  /// The number of host changes checked so far, or `nil` before the first check, which covers
  /// everything.
  private var looked: Int?
  /// The number of changed server places checked so far.
  private var checkedPlaceCount = 0

  var isEmpty: Bool { groups.isEmpty && later.isEmpty }

  mutating func removeAll() {
    if !isEmpty { self = NeverWatch() }
  }

  /// The indices of the expectations that have never held so far.
  var remaining: [Int] { groups.remaining + later.map(\.index) }

  /// Returns whether the watch supports a subject: all of its values must be defined at any time.
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

  /// Adds the expectation at an index.
  mutating func add(_ index: Int, _ subject: Expectation.Subject) {
    guard let scope = Self.scope(of: subject) else {
      preconditionFailure(
        "expectations about calls, chains and single requests cannot be watched here")
    }
    let parts = Self.parts(of: subject)
    if case .server(_, let server) = subject, let since = server.since {
      wanted[index] = parts
      later.append(Later(index: index, since: since, scope: scope))
    } else {
      add(index, scope, parts, isPlace: Self.concernsServers(subject))
    }
  }

  private static func concernsServers(_ subject: Expectation.Subject) -> Bool {
    if case .server(_, let server) = subject {
      ServerSights.needsMoreThanTotals(server)
    } else {
      false
    }
  }

  private mutating func add(_ index: Int, _ scope: Scope, _ parts: [Part], isPlace: Bool) {
    wanted[index] = parts
    guard let group = groups.add(index, scope, parts) else { return }
    if isPlace {
      for position in ServerSights.positions(scope.host, scope.server) {
        groupsOfPlace[position, default: []].append(group)
      }
    } else if case .one(let host) = scope.host {
      groupsOfHost[host, default: []].append(group)
    } else {
      otherGroups.append(group)
    }
  }

  // MARK: Observed values

  /// Removes the expectations that hold now.
  ///
  /// - Returns: their indices in descending order.
  mutating func takeSatisfied(_ state: RunProjection) -> [Int] {
    groups.beginCheck()
    var held = looked == nil ? takeSatisfiedDelayed(state) : []
    addDueExpectations(state)
    if let looked {
      for host in state.hostChanges[looked...] {
        for group in groupsOfHost[Int(host)] ?? [] { held += take(group, state) }
      }
      for position in state.servers.changes[checkedPlaceCount...] {
        for group in groupsOfPlace[position] ?? [] { held += take(group, state) }
      }
      for group in otherGroups { held += take(group, state) }
    } else {
      for group in groups.indices { held += take(group, state) }
    }
    checkedPlaceCount = state.servers.changes.count
    looked = state.hostChanges.count
    return held.sorted(by: >)
  }

  /// Removes the expectations with a start time that hold at the first check.
  ///
  /// Later, only values counted since the start time can make an expectation hold.
  private mutating func takeSatisfiedDelayed(_ state: RunProjection) -> [Int] {
    later.sort { $0.since > $1.since }
    var held: [Int] = []
    later.removeAll { one in
      var server = one.scope.server
      server.since = one.since
      let seen = Self.parts(of: state.counts(of: one.scope.host, server))
      guard wanted[one.index]?.allSatisfy(seen.contains) == true else { return false }
      held.append(one.index)
      return true
    }
    return held
  }

  private mutating func addDueExpectations(_ state: RunProjection) {
    while let one = later.last,
      let former = state.servers.countsBefore(one.since, one.scope.host, one.scope.server)
    {
      later.removeLast()
      let former = Self.parts(of: former)
      let parts = (wanted[one.index] ?? []).map {
        Part(kind: $0.kind, value: $0.value + former[$0.kind].value)
      }
      add(one.index, one.scope, parts, isPlace: true)
    }
  }

  private mutating func take(_ group: Int, _ state: RunProjection) -> [Int] {
    groups.takeSatisfied(of: group, seeing: { Self.seen($0, state) }) { [wanted] index, seen in
      wanted[index]?.allSatisfy(seen.contains) ?? false
    }
  }

  /// Returns the values that an expectation requires.
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

  /// Returns the observed values of a scope; undefined values are omitted.
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
  /// The expectation without its counts and its start time.
  fileprivate var scope: ServerExpectation {
    ServerExpectation(address: address, path: path)
  }
}
