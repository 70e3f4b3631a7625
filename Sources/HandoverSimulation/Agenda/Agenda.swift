import HandoverCore

/// The part of an instant in which an item happens (formats: order inside an instant).
///
/// Timeline entries come before both phases. Due deadlines and expectations come after both.
enum Phase: UInt64 {
  case callback = 0
  case transport = 1
}

/// The pending items of a simulated run, ordered by time, then by phase, then by scheduling order.
///
/// Items are taken out one at a time, so that an earlier item can still cancel a later one of the
/// same instant. For example, a reply and the deadline that it cancels often share an instant.
struct Agenda<Item: BitwiseCopyable & Hashable & Sendable>: ~Copyable {
  /// A reference to a scheduled item, valid until the item is taken out or canceled.
  typealias Handle = TimerWheel<Item>.Handle

  private var wheel = TimerWheel<Item>()

  init() {}

  private init(wheel: consuming TimerWheel<Item>) {
    self.wheel = wheel
  }

  /// Removes all items, resets the time to zero, and keeps the allocated memory.
  mutating func removeAll() {
    wheel.removeAll()
  }

  /// Returns an agenda with the same items, so that a run can be forked.
  func clone() -> Agenda<Item> {
    Agenda(wheel: wheel.clone())
  }

  var count: Int { wheel.count }

  /// The time at which the next item is due, or `nil` if the agenda is empty.
  ///
  /// The item stays.
  var nextInstant: Instant? {
    mutating get {
      // Microseconds and phase form one key, so that one comparison orders both.
      wheel.minimum().map { Instant(microseconds: Int64(bitPattern: $0 >> 1)) }
    }
  }

  /// The phase of the next item, or `nil` if the agenda is empty.
  var firstPhase: Phase? {
    mutating get { wheel.minimum().flatMap { Phase(rawValue: $0 & 1) } }
  }

  /// The next item, or `nil` if the agenda is empty.
  ///
  /// The item stays.
  var first: Item? { wheel.first() }

  /// Passes every item with its instant and phase to `body`, in the order in which they are due.
  func forEach(_ body: (Item, Instant, Phase) -> Void) {
    wheel.forEach { item, key in
      body(
        item, Instant(microseconds: Int64(bitPattern: key >> 1)),
        key & 1 == 0 ? .callback : .transport)
    }
  }

  /// Schedules an item.
  ///
  /// If `instant` is in the past, the item is due immediately.
  ///
  /// - Precondition: `instant` is not negative.
  @discardableResult
  mutating func schedule(_ item: Item, at instant: Instant, _ phase: Phase) -> Handle {
    precondition(instant >= .zero, "the time must not be before the start of the run")
    return wheel.insert(
      item, under: UInt64(bitPattern: instant.microseconds) << 1 | phase.rawValue)
  }

  /// Cancels an item.
  ///
  /// Does nothing if the item was already taken out or canceled.
  mutating func cancel(_ handle: Handle) {
    wheel.remove(handle)
  }

  /// Removes the next item before it is due.
  ///
  /// The current time does not advance, so that items can still be scheduled before the removed
  /// item's time.
  mutating func dropFirst() {
    wheel.dropFirst()
  }

  /// Removes and returns the next item, or returns `nil` if the agenda is empty.
  mutating func popFirst() -> Item? {
    wheel.popFirst()
  }
}
