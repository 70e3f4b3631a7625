/// Where the application is, and whether it runs there.
public enum AppState: String, Hashable, Sendable, CaseIterable {
  /// It is seen, and runs.
  case foreground
  /// It is in the background and suspended, as is usual: it hears nothing and does nothing.
  case background
  /// It is in the background and runs all the same: it plays audio, holds a call, or was woken to
  /// fetch something. Sockets break there as they do in the background (D8b).
  case backgroundRunning = "background-running"

  /// Whether it hears and does anything.
  public var runs: Bool { self != .background }

  /// Whether it is in the background, suspended or not.
  public var isInBackground: Bool { self != .foreground }
}
