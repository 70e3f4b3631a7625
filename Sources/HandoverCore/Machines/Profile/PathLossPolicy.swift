/// The fate of a connection when the device leaves its network.
public enum PathLossOutcome: Hashable, Sendable {
  /// The connection reports no error and carries no data; it still accepts writes (D8).
  case stalls
  /// The transport reports the loss immediately; a suspended app is notified when it returns.
  case breaks
}

/// Which losses of a network a transport reports to its connections.
///
/// | transport | foreground, Cellular to WiFi | foreground, any other | background | linger |
/// |---|---|---|---|---|
/// | TCP sockets | stalls (D8a) | breaks (D3a, D3b) | stalls (D8b) | continues |
/// | CFStream | breaks (D3c, D10) | breaks (D10) | breaks, reported later (D10) | breaks (D3c) |
/// | TCP sockets on Linux | stalls | stalls | stalls | continues |
/// | URL loading | breaks | breaks | breaks, reported later | breaks |
/// | QUIC | stalls | stalls | stalls | continues |
///
/// Each row is a constant of ``TransportModel``. *Reported later* means that a suspended app is
/// notified when it returns; an app that runs in the background is notified immediately. *Linger*
/// means that an interface stays up although the device has left it for a better one. TCP does not
/// notice that there is a better one.
///
/// The policy is about connections. A pending name lookup has no connection and no network. The
/// lookup continues, and then connects over the network that the device has at that time. URL
/// loading performs the lookup as part of its connection, and loses both. ``MigrationPolicy``
/// defines how QUIC handles the loss of a path.
public struct PathLossPolicy: Hashable, Sendable {
  /// The outcome when WiFi replaces a cellular network while the app is in the foreground.
  public let cellularToWiFi: PathLossOutcome
  /// The outcome of every other loss in the foreground.
  public let otherChanges: PathLossOutcome
  /// The outcome while the app is in the background.
  public let inBackground: PathLossOutcome
  /// Whether a connection continues as long as the interface that the device left stays up.
  public let outlivesItsPath: Bool

  /// Creates a policy.
  public init(
    cellularToWiFi: PathLossOutcome, otherChanges: PathLossOutcome, inBackground: PathLossOutcome,
    outlivesItsPath: Bool
  ) {
    self.cellularToWiFi = cellularToWiFi
    self.otherChanges = otherChanges
    self.inBackground = inBackground
    self.outlivesItsPath = outlivesItsPath
  }

  /// Returns what happens to a connection when the device leaves its network.
  public func outcome(
    _ app: AppState, from old: NetworkCategory, to new: NetworkCategory
  ) -> PathLossOutcome {
    if app.isInBackground { return inBackground }
    return old == .cellular && new == .wifi ? cellularToWiFi : otherChanges
  }
}
