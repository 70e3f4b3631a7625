/// The deadlines of the rows of a table: at most one for each row, the earliest first.
///
/// A four-way heap with the place of each row in it, so that a deadline is really gone when it is
/// disarmed and no stale entry is ever seen or kept. Of two that fall due together, the one armed
/// with the smaller `order` comes first.
struct DeadlineQueue: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var due: Instant
    var order: UInt64
    var row: UInt32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      due == other.due ? order < other.order : due < other.due
    }
  }

  private var heap = Rows<Entry>()
  private var places = Rows<UInt32>()

  var first: Entry? { heap.count > 0 ? heap[0] : nil }

  func isArmed(_ row: UInt32) -> Bool {
    row < places.count && places[Int(row)] != noRow
  }

  /// Arms a row, in place of the deadline it may have.
  mutating func arm(_ row: UInt32, due: Instant, order: UInt64) {
    disarm(row)
    while places.count <= row { places.append(noRow) }
    let entry = Entry(due: due, order: order, row: row)
    heap.append(entry)
    siftUp(entry, from: heap.count - 1)
  }

  mutating func disarm(_ row: UInt32) {
    guard isArmed(row) else { return }
    let hole = Int(places[Int(row)])
    places[Int(row)] = noRow
    let last = heap.removeLast()
    guard hole < heap.count else { return }
    if hole > 0, last.precedes(heap[(hole - 1) / 4]) {
      siftUp(last, from: hole)
    } else {
      siftDown(last, from: hole)
    }
  }

  /// Gives this queue rows of its own; see ``Rows/detach()``.
  mutating func detach() {
    places.detach()
    heap.detach()
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places[Int(entry.row)] = UInt32(truncatingIfNeeded: place)
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
