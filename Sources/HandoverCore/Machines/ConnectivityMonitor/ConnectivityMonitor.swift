/// Receives reachability callbacks and reports changes of the network category (M7 to M12).
///
///     ┌─────────┐ initial read       ┌──────────────────────────┐
///     │ Unknown │ ─────────────────> │ None │ Cellular │ WiFi   │ ─┐ callback of another
///     └─────────┘ silent (M7)        └──────────────────────────┘  │ category: notification
///          │                                       ^   ^           │ (M9, M11)
///          └─── first callback, after a failed ────┘   └───────────┘
///               read: notification (M8)                  same category: silence
///
/// Illegal events: an initial read after the first event is a bug of the driver. Callbacks that
/// repeat flags, or change flags that do not affect the category, are ignored (M9).
public struct ConnectivityMonitor: StateMachine {
  /// An event about the reachability of the device.
  public enum Event: BitwiseCopyable, Hashable, Sendable {
    /// The first read of the flags, when the monitor starts; `nil` if it failed (M8).
    case initialRead(ReachabilityFlags?)
    /// iOS reports flags in a callback.
    case callback(ReachabilityFlags)
    /// Callbacks were lost, and the client reread the flags.
    case resynchronized(ReachabilityFlags)
  }

  /// An effect of the monitor.
  public enum Effect: BitwiseCopyable, Hashable, Sendable {
    /// The observers are notified.
    ///
    /// The change contains both categories. Observers therefore need not query the monitor during
    /// the notification, when the original client still has the old category (M10).
    case notify(CategoryChange)
  }

  /// The current category; Unknown until a read or a callback.
  public private(set) var category: NetworkCategory = .unknown
  private var hasBegun = false

  /// Creates a monitor that has not read any flags.
  public init() {}

  /// Always `nil`, because the monitor has no timers.
  public var nextDeadline: Instant? { nil }

  /// Handles an event; see ``observe(_:)``.
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    if let change = observe(event) { effects.append(.notify(change)) }
  }

  /// Handles an event and returns the change to report, or `nil` if there is none.
  ///
  /// - Precondition: An initial read, if there is one, is the first event.
  public mutating func observe(_ event: Event) -> CategoryChange? {
    switch event {
    case .initialRead(let flags):
      precondition(!hasBegun, "the initial read must precede all callbacks")
      hasBegun = true
      if let flags { category = NetworkCategory(flags) }
      return nil
    case .callback(let flags), .resynchronized(let flags):
      hasBegun = true
      let next = NetworkCategory(flags)
      // None to WiFi is a change like any other: there is no exception for recovery (M11).
      guard next != category else { return nil }
      let change = CategoryChange(from: category, to: next)
      category = next
      return change
    }
  }
}

/// A change of the network from one category to another.
public struct CategoryChange: BitwiseCopyable, Hashable, Sendable {
  /// The previous category.
  public let from: NetworkCategory
  /// The new category.
  public let to: NetworkCategory

  /// Creates a change.
  public init(from: NetworkCategory, to: NetworkCategory) {
    self.from = from
    self.to = to
  }
}
