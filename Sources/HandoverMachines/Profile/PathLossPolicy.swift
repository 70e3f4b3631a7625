/// What becomes of a connection when the device leaves its path.
public enum PathLossOutcome: Hashable, Sendable {
  /// No error, no data; writes are still accepted (D8).
  case stalls
  /// The transport reports the loss at that instant. An application in the background hears of it
  /// when it returns.
  case breaks
}

/// The one rule for what a transport tells of a path that was left.
///
/// | transport | foreground, Cellular to WiFi | foreground, any other | background | linger |
/// |---|---|---|---|---|
/// | TCP sockets | stalls (D8a) | breaks (D3a, D3b) | stalls (D8b) | goes on |
/// | CFStream | breaks (D3c, D10) | breaks (D10) | breaks, told on return (D10) | breaks (D3c) |
/// | TCP sockets on Linux | stalls | stalls | stalls | goes on |
/// | URL loading | breaks | breaks | breaks, told on return | breaks |
/// | QUIC | stalls | stalls | stalls | goes on |
///
/// Each row is a constant of ``TransportModel``. *Linger* is an interface that stays alive although
/// the device has left it for a better one: TCP does not notice that there is something better.
///
/// An application that runs in the background hears at once what others hear on return.
///
/// It is about connections. What is still looked up has no connection and no path; it goes on, and
/// connects from where the device is when the name is known. URL loading has its own look-up in its
/// connection, and loses both. What QUIC does about a path that it has lost, says
/// ``MigrationPolicy``.
public struct PathLossPolicy: Hashable, Sendable {
  /// The outcome where WiFi replaces a cellular network, with the application in the foreground.
  public let cellularToWiFi: PathLossOutcome
  /// The outcome of every other loss in the foreground.
  public let otherwise: PathLossOutcome
  /// The outcome with the application in the background.
  public let inBackground: PathLossOutcome
  /// Whether a connection goes on undisturbed while the interface that was left stays alive.
  public let outlivesItsPath: Bool

  /// Makes a policy.
  public init(
    cellularToWiFi: PathLossOutcome, otherwise: PathLossOutcome, inBackground: PathLossOutcome,
    outlivesItsPath: Bool
  ) {
    self.cellularToWiFi = cellularToWiFi
    self.otherwise = otherwise
    self.inBackground = inBackground
    self.outlivesItsPath = outlivesItsPath
  }

  /// What becomes of a connection when the device leaves its path.
  public func outcome(
    _ app: AppState, from old: NetworkCategory, to new: NetworkCategory
  ) -> PathLossOutcome {
    if app.isInBackground { return inBackground }
    return old == .cellular && new == .wifi ? cellularToWiFi : otherwise
  }
}
