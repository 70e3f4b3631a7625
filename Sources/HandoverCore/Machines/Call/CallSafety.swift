/// The safety of repeating or caching a call, which determines the HTTP method.
public enum CallSafety: String, Hashable, Sendable, CaseIterable {
  /// No guarantee; the method is POST.
  case standard = "default"
  /// The call may be repeated without harm; the method is PUT.
  case idempotent
  /// The call may be answered from a cache; the method is GET.
  case cacheable

  /// Whether a server may receive the call twice without harm (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { self != .standard }
}

/// The calls that may be repeated automatically.
public enum RepeatableCalls: String, Hashable, Sendable, CaseIterable {
  /// Calls that a server may receive twice without harm.
  case idempotent
  /// All calls.
  case any

  /// Returns whether a call may be repeated.
  public func includes(_ safety: CallSafety) -> Bool { self == .any || safety.isIdempotent }
}
