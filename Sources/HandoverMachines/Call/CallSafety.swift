/// What a server may do with a call, which decides its verb.
public enum CallSafety: String, Hashable, Sendable, CaseIterable {
  /// Nothing special; POST.
  case standard = "default"
  /// The call may be made again without harm; PUT.
  case idempotent
  /// The call may be answered from a cache; GET.
  case cacheable
}
