/// The order of events that are due at the same instant.
///
/// Events of one kind keep their order. Entries keep the order of the file. Callbacks and transport
/// events keep the order in which they were sent. Deadlines run earliest first.
public struct InstantOrder: Hashable, Sendable {
  /// The kinds of events that can be due, in the default order.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Entries of the timeline.
    case entries
    /// Reachability callbacks.
    case callbacks
    /// Events of the transports and of the world.
    case transport
    /// Deadlines, and all other events that only depend on time.
    case deadlines
  }

  /// Whether the seed determines the order of the kinds.
  public var isRandom = false
  /// The kinds, first to last, if `isRandom` is false.
  public var kinds = Kind.allCases
  /// Which observer receives a category change first, the pool or the calls.
  public var observers = ObserverOrder.pool

  /// Creates the default order.
  public init() {}

  /// Whether this is the default order.
  public var isDefault: Bool { !isRandom && kinds == Kind.allCases }
}
