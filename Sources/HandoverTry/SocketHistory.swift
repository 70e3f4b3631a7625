public import HandoverCore

/// The instants at which a program released its TCP connections, according to the socket table.
///
/// Packets alone are misleading: a connection that TCP_USER_TIMEOUT ends sends no packet, and a FIN
/// behind lost data may never be sent.
public struct SocketHistory: Hashable, Sendable {
  /// The release of a local port.
  private struct Release: Hashable {
    var port: UInt16
    var at: Instant
  }

  private var held: [UInt16] = []
  private var releases: [Release] = []

  /// Creates an empty history.
  public init() {}

  /// Records the socket table at an instant, given as the local ports that a process holds open.
  public mutating func note(heldPorts ports: [UInt16], at now: Instant) {
    for port in held where !ports.contains(port) { releases.append(Release(port: port, at: now)) }
    held = ports
  }

  /// Returns when a port was first released after an instant, or `nil` if it never was.
  public func release(of port: UInt16, after opened: Instant) -> Instant? {
    releases.first { $0.port == port && $0.at > opened }?.at
  }
}
