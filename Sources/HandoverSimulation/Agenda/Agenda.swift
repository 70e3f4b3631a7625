import HandoverCore

/// The part of an instant in which something happens (formats: order inside an instant).
///
/// Timeline entries come before both, due deadlines and expectations after both.
enum Phase: UInt64 {
  case callback = 0
  case transport = 1
}

/// What is still to happen in a simulated run, in the order of time and, at one instant, of phase;
/// within a phase, first scheduled, first out.
///
/// One item is taken out at a time, so that what happens first can still cancel what would happen
/// later in the same instant: a reply and the deadline it cancels often share one.
struct Agenda<Item: BitwiseCopyable & Hashable & Sendable>: ~Copyable {
  /// A scheduled item, until it is taken out or cancelled.
  typealias Handle = TimerWheel<Item>.Handle

  private var wheel = TimerWheel<Item>()

  init() {}

  private init(wheel: consuming TimerWheel<Item>) {
    self.wheel = wheel
  }

  /// Takes everything out and begins at the beginning of time; the room is kept.
  mutating func removeAll() {
    wheel.removeAll()
  }

  /// An agenda with the same items, so that a run can be forked.
  func clone() -> Agenda<Item> {
    Agenda(wheel: wheel.clone())
  }

  var count: Int { wheel.count }

  /// When the next item is due; the item stays.
  var nextInstant: Instant? {
    mutating get {
      // Microseconds and phase make one key, so that one comparison orders both.
      wheel.minimum().map { Instant(microseconds: Int64(bitPattern: $0 >> 1)) }
    }
  }

  /// The phase of the next item.
  var firstPhase: Phase? {
    mutating get { wheel.minimum().flatMap { Phase(rawValue: $0 & 1) } }
  }

  /// The next item; it stays.
  var first: Item? { wheel.first() }

  /// Shows every item with its instant and its phase, in the order in which they are due.
  func forEach(_ body: (Item, Instant, Phase) -> Void) {
    wheel.forEach { item, key in
      body(
        item, Instant(microseconds: Int64(bitPattern: key >> 1)),
        key & 1 == 0 ? .callback : .transport)
    }
  }

  /// Schedules an item; one that lies in the past is due at once.
  ///
  /// - Precondition: `instant` is not negative.
  @discardableResult
  mutating func schedule(_ item: Item, at instant: Instant, _ phase: Phase) -> Handle {
    precondition(instant >= .zero, "nothing is scheduled before the run began")
    return wheel.insert(
      item, under: UInt64(bitPattern: instant.microseconds) << 1 | phase.rawValue)
  }

  /// Takes an item out before it happens; nothing where it has happened or was cancelled.
  mutating func cancel(_ handle: Handle) {
    wheel.remove(handle)
  }

  /// Takes the next item out before its time: what is scheduled later may still come before it.
  mutating func dropFirst() {
    wheel.dropFirst()
  }

  /// Takes the next item out; nil where nothing is left.
  mutating func popFirst() -> Item? {
    wheel.popFirst()
  }
}
