/// Where the application is, and whether it runs there.
@frozen
public enum AppState: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// It is seen, and runs.
  case foreground
  /// It is in the background and suspended, as is usual: it hears nothing and does nothing.
  case background
  /// It is in the background and runs all the same: it plays audio, holds a call, or was woken to
  /// fetch something. Sockets break there as they do in the background (D8b).
  case backgroundRunning = "background-running"

  /// Whether it hears and does anything.
  @inlinable
  public var runs: Bool {
    switch self {
    case .foreground, .backgroundRunning: true
    case .background: false
    }
  }

  /// Whether it is in the background, suspended or not.
  public var isInBackground: Bool { self != .foreground }
}
