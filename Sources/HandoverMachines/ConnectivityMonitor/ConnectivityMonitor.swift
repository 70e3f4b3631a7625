/// Watches reachability callbacks and tells when the category of the network changed (M7 to M12).
///
///     ┌─────────┐ initial read       ┌──────────────────────────┐
///     │ Unknown │ ─────────────────> │ None │ Cellular │ WiFi   │ ─┐ callback of another
///     └─────────┘ silent (M7)        └──────────────────────────┘  │ category: notification
///          │                                       ^   ^           │ (M9, M11)
///          └─── first callback, after a failed ────┘   └───────────┘
///               read: notification (M8)                  same category: silence
///
/// Illegal events: an initial read after the first event is our bug. Tolerated: callbacks that
/// repeat flags, or change flags that do not decide the category (M9).
public struct ConnectivityMonitor: StateMachine {
  /// A fact about the device's reachability.
  public enum Event: BitwiseCopyable, Hashable, Sendable {
    /// The read when the monitor is set up; nil where it failed (M8).
    case initialRead(ReachabilityFlags?)
    /// The platform reports flags.
    case callback(ReachabilityFlags)
    /// Callbacks were lost; the flags were read afresh.
    case resynchronised(ReachabilityFlags)
  }

  /// What follows from a fact.
  public enum Effect: BitwiseCopyable, Hashable, Sendable {
    /// Observers are notified. The change carries both categories, so that nobody has to ask the
    /// monitor in the middle of it, when the original still holds the old one (M10).
    case notify(CategoryChange)
  }

  /// The category held; Unknown until a read or a callback.
  public private(set) var category: NetworkCategory = .unknown
  private var hasBegun = false

  /// Makes a monitor that has read nothing yet.
  public init() {}

  /// The monitor waits for nothing.
  public var nextDeadline: Instant? { nil }

  /// Takes a fact; see ``observe(_:)``.
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    if let change = observe(event) { effects.append(.notify(change)) }
  }

  /// Takes a fact and answers the change that observers must be notified of, if any.
  ///
  /// - Precondition: an initial read comes before every other event.
  public mutating func observe(_ event: Event) -> CategoryChange? {
    switch event {
    case .initialRead(let flags):
      precondition(!hasBegun, "the initial read comes first")
      hasBegun = true
      if let flags { category = NetworkCategory(flags) }
      return nil
    case .callback(let flags), .resynchronised(let flags):
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

/// The network went from one category to another.
public struct CategoryChange: BitwiseCopyable, Hashable, Sendable {
  /// The category held before.
  public let from: NetworkCategory
  /// The category now.
  public let to: NetworkCategory

  /// Makes a change.
  public init(from: NetworkCategory, to: NetworkCategory) {
    self.from = from
    self.to = to
  }
}
