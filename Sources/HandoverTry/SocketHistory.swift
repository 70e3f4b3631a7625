public import HandoverCore

/// The instants at which a program released its TCP connections, according to the socket table.
///
/// Packets alone are misleading: a connection that TCP_USER_TIMEOUT ends sends no packet, and a FIN
/// behind lost data may never be sent.
public struct SocketHistory: Hashable, Sendable {
  private var held: [FlowEnds] = []
  /// The instants at which each connection was released, in order.
  private var releases: [FlowEnds: [Instant]] = [:]  // lookup only

  /// Creates an empty history.
  public init() {}

  /// Records the socket table at an instant, given as the connections that a process holds open.
  public mutating func note(held connections: [FlowEnds], at now: Instant) {
    let remaining = Set(connections)  // lookup only
    for connection in held where !remaining.contains(connection) {
      releases[connection, default: []].append(now)
    }
    held = connections
  }

  /// Returns when a connection was first released after an instant, or `nil` if it never was.
  public func release(of connection: FlowEnds, after opened: Instant) -> Instant? {
    releases[connection]?.first { $0 > opened }
  }
}
