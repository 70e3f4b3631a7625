/// The order in which observers are notified of a category change (M15).
public enum ObserverOrder: String, Hashable, Sendable, CaseIterable {
  /// The channel pool is first and destroys its channels; their calls end with them.
  case pool
  /// The calls are first and end by themselves; the pool follows.
  case calls
  /// The order is random (seeded), separately for each change.
  case random = "drawn"
}
