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
struct Agenda<Item: Hashable & Sendable>: Hashable, Sendable {
  /// A scheduled item, until it is taken out or cancelled.
  struct Handle: Hashable, Sendable {
    fileprivate var slot: UInt32
    fileprivate var generation: UInt32
  }

  private struct Entry: Hashable, Sendable {
    /// Microseconds and phase in one number, so that one comparison orders both.
    var key: UInt64
    var order: UInt64
    var slot: UInt32

    func precedes(_ other: Entry) -> Bool {
      key == other.key ? order < other.order : key < other.key
    }
  }

  private struct Slot: Hashable, Sendable {
    var item: Item
    var generation: UInt32
    /// The place in the heap; in a free slot, the next free one.
    var place: UInt32
  }

  private var heap: ContiguousArray<Entry> = []
  private var slots: ContiguousArray<Slot> = []
  private var firstFree = UInt32.max
  private var scheduled: UInt64 = 0

  init() {}

  var count: Int { heap.count }

  /// When the next item is due; the item stays.
  var nextInstant: Instant? {
    heap.first.map { Instant(microseconds: Int64(bitPattern: $0.key >> 1)) }
  }

  /// Schedules an item.
  ///
  /// - Precondition: `instant` is not negative.
  @discardableResult
  mutating func schedule(_ item: Item, at instant: Instant, _ phase: Phase) -> Handle {
    precondition(instant >= .zero, "nothing is scheduled before the run began")
    scheduled += 1
    let slot = takeSlot(item)
    let key = UInt64(bitPattern: instant.microseconds) << 1 | phase.rawValue
    let entry = Entry(key: key, order: scheduled, slot: slot)
    heap.append(entry)
    siftUp(entry, from: heap.count - 1)
    return Handle(slot: slot, generation: slots[Int(slot)].generation)
  }

  /// Takes an item out before it happens; nothing where it has happened or was cancelled.
  mutating func cancel(_ handle: Handle) {
    guard slots[Int(handle.slot)].generation == handle.generation else { return }
    remove(at: Int(slots[Int(handle.slot)].place))
  }

  /// Takes the next item out; nil where nothing is left.
  mutating func popFirst() -> Item? {
    guard let first = heap.first else { return nil }
    let item = slots[Int(first.slot)].item
    remove(at: 0)
    return item
  }

  /// The next item; it stays.
  var first: Item? {
    heap.first.map { slots[Int($0.slot)].item }
  }

  /// The phase of the next item.
  var firstPhase: Phase? {
    heap.first.flatMap { Phase(rawValue: $0.key & 1) }
  }

  private mutating func takeSlot(_ item: Item) -> UInt32 {
    guard firstFree != .max else {
      slots.append(Slot(item: item, generation: 0, place: 0))
      return UInt32(truncatingIfNeeded: slots.count - 1)
    }
    let slot = firstFree
    firstFree = slots[Int(slot)].place
    slots[Int(slot)].item = item
    return slot
  }

  private mutating func remove(at hole: Int) {
    let slot = heap[hole].slot
    slots[Int(slot)].generation &+= 1
    slots[Int(slot)].place = firstFree
    firstFree = slot
    let last = heap.removeLast()
    guard hole < heap.count else { return }
    if hole > 0, last.precedes(heap[(hole - 1) / 4]) {
      siftUp(last, from: hole)
    } else {
      siftDown(last, from: hole)
    }
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    slots[Int(entry.slot)].place = UInt32(truncatingIfNeeded: place)
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) / 4
      guard entry.precedes(heap[parent]) else { break }
      put(heap[parent], at: hole)
      hole = parent
    }
    put(entry, at: hole)
  }

  private mutating func siftDown(_ entry: Entry, from start: Int) {
    var hole = start
    while true {
      let firstChild = hole * 4 + 1
      guard firstChild < heap.count else { break }
      var least = firstChild
      for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, heap.count))
      where heap[child].precedes(heap[least]) {
        least = child
      }
      guard heap[least].precedes(entry) else { break }
      put(heap[least], at: hole)
      hole = least
    }
    put(entry, at: hole)
  }
}
