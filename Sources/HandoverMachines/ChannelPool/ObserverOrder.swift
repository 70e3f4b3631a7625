/// Who hears first of a change of category (M15).
public enum ObserverOrder: String, Hashable, Sendable, CaseIterable {
  /// The channel pool, which drops its channels; their calls end with them.
  case pool
  /// The calls, which end by themselves, and then the pool.
  case calls
  /// Drawn by the seed, at each change anew.
  case drawn
}
