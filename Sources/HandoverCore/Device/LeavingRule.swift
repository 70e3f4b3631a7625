/// What becomes of a connection when the device leaves its path.
public enum LeavingOutcome: Hashable, Sendable {
  /// No error, no data; writes are still accepted (D8).
  case stalls
  /// The transport reports the loss at that instant. An application in the background hears of it
  /// when it returns.
  case breaks
}

/// The one rule for what a transport tells of a path that was left.
///
/// | transport | foreground, Cellular to WiFi | foreground, any other | background |
/// |---|---|---|---|
/// | TCP sockets | stalls (D8a) | breaks (D3a, D3b) | stalls (D8b) |
/// | CFStream | breaks (D3c, D10) | breaks (D10) | breaks, told on return (D10) |
/// | TCP sockets on Linux | stalls | stalls | stalls |
/// | URL loading | breaks | breaks | breaks, told on return |
///
/// An application that runs in the background hears at once what others hear on return.
///
/// It is about connections. What is still looked up has no connection and no path; it goes on, and
/// connects from where the device is when the name is known. URL loading has its own look-up in its
/// connection, and loses both.
public enum LeavingRule {
  /// What becomes of a connection when the device leaves its path.
  public static func outcome(
    _ transport: TransportKind, _ app: AppState, from old: NetworkCategory,
    to new: NetworkCategory
  ) -> LeavingOutcome {
    switch transport {
    case .cfStream, .urlLoading: .breaks
    case .linuxSockets: .stalls
    case .tcpSockets where app.isInBackground: .stalls
    case .tcpSockets: old == .cellular && new == .wifi ? .stalls : .breaks
    }
  }

  /// What becomes of a connection that was made on a path when the device moves; nil where it goes
  /// on.
  ///
  /// - Parameters:
  ///   - transport: the transport of the connection.
  ///   - path: the path that it was made on.
  ///   - move: the move.
  ///   - device: the device after the move.
  /// - Returns: the outcome; nil as well where the device is back on the path.
  public static func outcome(
    _ transport: TransportKind, of path: PathIndex, when move: Device.Move, on device: Device
  ) -> LeavingOutcome? {
    guard path != move.to else { return nil }
    let isLeft = path == move.from
    let isKeptAlive = device.keptAlive.contains(path)
    guard
      move.dying.contains(path)
        || isLeft && !outlivesItsPath(transport, isKeptAlive: isKeptAlive)
    else { return nil }
    return outcome(transport, device.app, from: move.oldCategory, to: move.newCategory)
  }

  /// Whether a connection goes on undisturbed because the interface that was left stays alive.
  ///
  /// TCP does not notice that there is something better; CFStream tells of that too (D3c).
  public static func outlivesItsPath(_ transport: TransportKind, isKeptAlive: Bool) -> Bool {
    switch transport {
    case .tcpSockets, .linuxSockets: isKeptAlive
    case .cfStream, .urlLoading: false
    }
  }
}
