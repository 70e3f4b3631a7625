/// The state of the app: in the foreground or the background, running or suspended.
@frozen
public enum AppState: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The app is visible and runs.
  case foreground
  /// The app is in the background and suspended, the usual case: it receives and does nothing.
  case background
  /// The app runs in the background.
  ///
  /// For example, it plays audio, has a phone call, or was woken to fetch something. Sockets break
  /// in the same way as for a suspended app (D8b).
  case backgroundRunning = "background-running"

  /// Whether the app runs and receives events.
  @inlinable
  public var runs: Bool {
    switch self {
    case .foreground, .backgroundRunning: true
    case .background: false
    }
  }

  /// Whether the app is in the background, suspended or not.
  public var isInBackground: Bool { self != .foreground }
}
