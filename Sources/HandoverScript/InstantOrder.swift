public import HandoverMachines

/// In which order things happen that are due at one instant.
///
/// What is of one kind keeps its order: entries that of the file, callbacks and the events of
/// transports that in which they were sent, deadlines the earliest first.
public struct InstantOrder: Hashable, Sendable {
  /// The kinds of what can be due, in their usual order.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Entries of the timeline.
    case entries
    /// Reachability callbacks.
    case callbacks
    /// What the transports and the world tell.
    case transport
    /// Deadlines, and everything else that only time brings about.
    case deadlines
  }

  /// Whether the turns of the kinds are drawn by the seed.
  public var isDrawn = false
  /// The kinds, first to last, where they are not drawn.
  public var kinds = Kind.allCases
  /// Who hears first of a change of category, the pool or the calls.
  public var observers = ObserverOrder.pool

  /// The usual order.
  public init() {}

  /// Whether the kinds have their usual order.
  public var isUsual: Bool { !isDrawn && kinds == Kind.allCases }
}
