/// What a server may do with a call, which decides its verb.
public enum CallSafety: String, Hashable, Sendable, CaseIterable {
  /// Nothing special; POST.
  case standard = "default"
  /// The call may be made again without harm; PUT.
  case idempotent
  /// The call may be answered from a cache; GET.
  case cacheable

  /// Whether a server may see the call twice without harm (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { self != .standard }
}

/// The calls that may be repeated automatically.
public enum RepeatableCalls: String, Hashable, Sendable, CaseIterable {
  /// Calls that a server may see twice without harm.
  case idempotent
  /// All calls.
  case any

  /// Whether a call may be repeated.
  public func includes(_ safety: CallSafety) -> Bool { self == .any || safety.isIdempotent }
}
