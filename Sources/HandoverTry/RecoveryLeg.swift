public import HandoverCore

/// A part of the time from a network change to the first application data after it.
///
/// The legs of a recovery follow each other without gaps.
public struct RecoveryLeg: Hashable, Sendable {
  /// The event that ends a leg.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The program first ended or opened a connection, or sent a query.
    case notice
    /// The attempt that succeeded was under way, and a new connection would work.
    case route
    /// The name server answered.
    case lookup
    /// The server accepted the connection.
    case connect
    /// The program ended the TLS handshake.
    case tls
    /// Application data arrived.
    case data
  }

  /// The event that ends the leg.
  public var kind: Kind
  /// The time from the end of the previous leg, or from the change, to the event.
  public var length: Interval

  /// Creates a leg.
  public init(_ kind: Kind, _ length: Interval) {
    self.kind = kind
    self.length = length
  }
}

extension TryVerdict {
  /// The leg that took the most time, or `nil` if there are no legs.
  public var longestLeg: RecoveryLeg? {
    legs.reduce(nil) { longest, leg in
      guard let longest, longest.length >= leg.length else { return leg }
      return longest
    }
  }

  /// The time from the change to the program's first sign, or `nil` if there was no sign or the
  /// recovery did not need one.
  public var noticeLeg: Interval? { legs.first { $0.kind == .notice }?.length }
}

extension MoveFacts {
  /// The shortest time that is a pause of the program.
  ///
  /// On a busy machine, a program without a pause waits for the processor for tens of milliseconds.
  private static let leastPause = Interval.milliseconds(100)

  /// Returns the legs of a recovery.
  ///
  /// - Parameters:
  ///   - facts: The endpoint that recovered.
  ///   - data: The instant at which application data arrived, or `nil` if it did not come back.
  /// - Returns: The legs, in order. If no data came back, only `notice` is left.
  func legs(of facts: EndpointFacts, until data: Instant?) -> [RecoveryLeg] {
    var legs = LegSequence(from: moved)
    guard let data, let carrier = facts.carrier(at: data) else {
      if let firstSign { legs.add(.notice, until: firstSign) }
      return legs.legs
    }
    guard !precedesChange(carrier.connection) else {
      if restored > moved, data >= restored { legs.add(.route, until: restored) }
      legs.add(.data, until: data)
      return legs.legs
    }
    let attempt = attempt(for: carrier.connection)
    legs.add(.notice, until: min(firstSign ?? attempt.began, attempt.began))
    let established = carrier.connection.flows.compactMap(\.flow.established).min() ?? data
    // A connection that was established during the outage used a network that worked.
    let usable = established < restored ? attempt.began : max(attempt.began, restored)
    if usable.since(min(legs.end, usable)) >= Self.leastPause { legs.add(.route, until: usable) }
    if let answered = attempt.answered, answered >= legs.end { legs.add(.lookup, until: answered) }
    if carrier.connection.isTCP { legs.add(.connect, until: min(established, data)) }
    if let secured = carrier.flow.secured { legs.add(.tls, until: min(secured, data)) }
    legs.add(.data, until: data)
    return legs.legs
  }

  /// Returns when the attempt that led to a connection began, and when the name server answered.
  ///
  /// The attempt begins with its first query for the host, or with the connection if there is no
  /// query since the previous attempt.
  private func attempt(
    for connection: SeenConnection
  ) -> (began: Instant, answered: Instant?) {
    let host = connection.endpoint.host.lowercased()
    // An address that several names share belongs to any of them.
    let isShared = host.hasSuffix(ServerEndpoint.othersSuffix)
    let queries = observation.lookups.filter {
      $0.at >= moved && $0.at <= connection.opened && (isShared || $0.name == host)
    }
    let answered = queries.filter { $0.answered.map { $0 <= connection.opened } ?? false }
    guard let last = answered.map(\.at).max() else { return (connection.opened, nil) }
    let previous = connections.filter {
      $0.endpoint == connection.endpoint && $0.opened >= moved && $0.opened < last
    }.map(\.opened).max()
    let first = queries.map(\.at).filter { at in previous.map { at > $0 } ?? true }.min()
    return (first ?? last, answered.compactMap(\.answered).max())
  }
}

/// Legs that follow each other without gaps.
private struct LegSequence {
  private(set) var legs: [RecoveryLeg] = []
  private(set) var end: Instant

  init(from start: Instant) { end = start }

  mutating func add(_ kind: RecoveryLeg.Kind, until instant: Instant) {
    let next = max(end, instant)
    legs.append(RecoveryLeg(kind, next.since(end)))
    end = next
  }
}
