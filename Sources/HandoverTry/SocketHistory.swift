public import HandoverMachines

/// When a program let go of its connections of TCP, as the table of sockets showed it.
///
/// Packets alone mislead: a connection that TCP_USER_TIMEOUT ends leaves none, and a FIN behind
/// lost data may never be sent.
public struct SocketHistory: Hashable, Sendable {
  /// A local port that somebody held, and let go.
  private struct Release: Hashable {
    var port: UInt16
    var at: Instant
  }

  private var held: [UInt16] = []
  private var releases: [Release] = []

  /// Nothing was seen yet.
  public init() {}

  /// Takes the table as it was at an instant: the local ports that a process holds open.
  public mutating func note(heldPorts ports: [UInt16], at now: Instant) {
    for port in held where !ports.contains(port) { releases.append(Release(port: port, at: now)) }
    held = ports
  }

  /// When a port was first let go after an instant; nil where it never was.
  public func release(of port: UInt16, after opened: Instant) -> Instant? {
    releases.first { $0.port == port && $0.at > opened }?.at
  }
}
