/// The deadlines of the rows of a table: at most one per row, the earliest first.
///
/// Deadlines of one kind mostly have equal lengths, so that they are mostly armed in the order in
/// which they are due. Such deadlines form a line, linked through the rows, in which arming and
/// disarming only change links. A deadline that is due before the last one of the line goes into a
/// four-way heap. In both cases the row knows its position, so that disarming really removes the
/// deadline and the queue has no stale entries. Of two deadlines that are due together, the one
/// with the smaller `order` comes first.
@usableFromInline
package struct DeadlineQueue: Hashable, Sendable {
  @usableFromInline
  package struct Entry: BitwiseCopyable, Hashable, Sendable {
    @usableFromInline package var due: Instant
    @usableFromInline package var order: UInt64
    @usableFromInline package var row: UInt32

    @inlinable
    package init(due: Instant, order: UInt64, row: UInt32) {
      self.due = due
      self.order = order
      self.row = row
    }

    @inlinable
    package func precedes(_ other: Entry) -> Bool {
      due < other.due || (due == other.due && order < other.order)
    }
  }

  /// The position of a row's deadline.
  @usableFromInline
  struct Position: BitwiseCopyable, Hashable, Sendable {
    @inlinable static var none: Position {
      Position(heap: noRow, previous: noRow, next: noRow, due: .never, order: 0)
    }
    @inlinable static var inLine: UInt32 { noRow - 1 }

    /// The position in the heap, `inLine` for an entry of the line, or `noRow` if nothing is armed.
    @usableFromInline var heap: UInt32
    /// For an entry of the line: its neighbors, and the data that the heap would contain.
    @usableFromInline var previous: UInt32
    @usableFromInline var next: UInt32
    @usableFromInline var due: Instant
    @usableFromInline var order: UInt64

    @inlinable
    init(heap: UInt32, previous: UInt32, next: UInt32, due: Instant, order: UInt64) {
      self.heap = heap
      self.previous = previous
      self.next = next
      self.due = due
      self.order = order
    }
  }

  @usableFromInline var positions = Rows<Position>()
  @usableFromInline var heap = Rows<Entry>()
  /// The ends of the line.
  @usableFromInline var head = noRow
  @usableFromInline var tail = noRow
  /// The due time of the first deadline; `never` if none is armed.
  ///
  /// The value is stored because drivers read it after each step, and reading a stored property
  /// does not copy the client.
  @usableFromInline package var earliest = Instant.never

  @inlinable
  package init() {}

  @inlinable
  package var first: Entry? {
    guard head != noRow else { return topOfHeap }
    let inLine = entryInLine(head)
    guard let inHeap = topOfHeap, inHeap.precedes(inLine) else { return inLine }
    return inHeap
  }

  @inlinable
  package func isArmed(_ row: UInt32) -> Bool {
    row < positions.count && positions[Int(row)].heap != noRow
  }

  /// Returns the due time of a row, or `never` if it is not armed.
  func due(of row: UInt32) -> Instant {
    // `earliest` is compared first, because most queues are empty most of the time.
    guard earliest != .never, isArmed(row) else { return .never }
    let position = positions[Int(row)]
    return position.heap == Position.inLine ? position.due : heap[Int(position.heap)].due
  }

  /// Arms a row, and replaces its previous deadline if there is one.
  @inlinable
  package mutating func arm(_ row: UInt32, due: Instant, order: UInt64) {
    let entry = Entry(due: due, order: order, row: row)
    if row < positions.count, positions[Int(row)].heap == noRow {
      insert(entry)
    } else {
      replace(with: entry)
    }
  }

  // The rare cases are separate functions in tail position, so that the common case needs no stack
  // frame.
  @inlinable
  @inline(never)
  mutating func replace(with entry: Entry) {
    disarm(entry.row)
    makeRoom(for: Int(entry.row) + 1)
    insert(entry)
  }

  @inlinable
  mutating func insert(_ entry: Entry) {
    if tail != noRow, entry.precedes(entryInLine(tail)) {
      joinHeap(entry)
    } else {
      joinLine(entry)
    }
  }

  /// Reserves room for the deadlines of the first rows of a table.
  ///
  /// ``arm(_:due:order:)`` also does so; a table that calls this function when it grows makes
  /// arming faster.
  @inlinable
  @inline(never)
  package mutating func makeRoom(for count: Int) {
    while positions.count < count { positions.append(.none) }
  }

  @inlinable
  package mutating func disarm(_ row: UInt32) {
    if isArmed(row) { remove(row) }
  }

  @inlinable
  mutating func remove(_ row: UInt32) {
    let position = positions[Int(row)]
    positions[Int(row)].heap = noRow
    if position.heap == Position.inLine {
      removeFromLine(position)
    } else {
      removeFromHeap(Int(position.heap))
    }
  }

  @inlinable
  mutating func updateEarliest() {
    let inLine = head == noRow ? .never : positions[Int(head)].due
    earliest = heap.count == 0 ? inLine : min(inLine, heap[0].due)
  }

  /// Disarms every row but keeps the memory.
  package mutating func removeAll() {
    positions.removeAll()
    heap.removeAll()
    head = noRow
    tail = noRow
    earliest = .never
  }

  /// Makes a private copy of the rows; see ``Rows/detach()``.
  package mutating func detach() {
    positions.detach()
    heap.detach()
  }

  /// Makes the queue equal to another one, and reuses its memory.
  ///
  /// - Precondition: The rows of this queue are not shared.
  mutating func assign(from other: inout DeadlineQueue) {
    // Queues without deadlines are equal, whatever their capacity.
    if other.earliest == .never, earliest == .never { return }
    positions.assign(from: &other.positions)
    heap.assign(from: &other.heap)
    head = other.head
    tail = other.tail
    earliest = other.earliest
  }

  // MARK: Iteration

  /// Calls a function with each deadline, in the order in which they are due.
  package func forEach(_ body: (Entry) -> Void) {
    guard heap.count == 0 else {
      var armed: [Entry] = []
      _ = earliest(before: .never) {
        armed.append($0)
        return .never
      }
      for entry in armed.sorted(by: { $0.precedes($1) }) { body(entry) }
      return
    }
    // The line is already sorted.
    var row = head
    while row != noRow {
      body(entryInLine(row))
      row = positions[Int(row)].next
    }
  }

  /// Returns the earliest relevant instant before a limit.
  ///
  /// `matters` is called in the order of the deadlines, and only for those that are due before the
  /// result.
  ///
  /// - Parameters:
  ///   - limit: The limit; later instants are irrelevant.
  ///   - matters: Returns when an entry becomes relevant, at its deadline or later.
  /// - Returns: The instant, or the limit if there is none.
  package func earliest(before limit: Instant, _ matters: (Entry) -> Instant) -> Instant {
    var limit = limit
    var row = head
    var frontier = HeapFrontier(heap.count)
    while true {
      let inLine = row == noRow ? Instant.never : positions[Int(row)].due
      let inHeap = frontier.first.map { heap[$0].due } ?? .never
      guard min(inLine, inHeap) < limit else { return limit }
      if inLine <= inHeap {
        limit = min(limit, matters(entryInLine(row)))
        row = positions[Int(row)].next
      } else if let position = frontier.popFirst(by: { heap[$0].due < heap[$1].due }) {
        limit = min(limit, matters(heap[position]))
      }
    }
  }

  /// Returns the positions of a heap one by one, in the order of their entries.
  private struct HeapFrontier {
    private let count: Int
    /// The positions that may be next, as a binary heap.
    private var positions: [Int]

    init(_ count: Int) {
      self.count = count
      positions = count > 0 ? [0] : []
    }

    var first: Int? { positions.first }

    mutating func popFirst(by precedes: (Int, Int) -> Bool) -> Int? {
      guard let first, let last = positions.popLast() else { return nil }
      if !positions.isEmpty {
        positions[0] = last
        siftDown(precedes)
      }
      for child in first * 4 + 1..<max(first * 4 + 1, min(first * 4 + 5, count)) {
        positions.append(child)
        siftUp(precedes)
      }
      return first
    }

    private mutating func siftUp(_ precedes: (Int, Int) -> Bool) {
      var position = positions.count - 1
      while position > 0, precedes(positions[position], positions[(position - 1) / 2]) {
        positions.swapAt(position, (position - 1) / 2)
        position = (position - 1) / 2
      }
    }

    private mutating func siftDown(_ precedes: (Int, Int) -> Bool) {
      var position = 0
      while position * 2 + 1 < positions.count {
        var child = position * 2 + 1
        if child + 1 < positions.count, precedes(positions[child + 1], positions[child]) {
          child += 1
        }
        guard precedes(positions[child], positions[position]) else { return }
        positions.swapAt(position, child)
        position = child
      }
    }
  }

  // MARK: The line

  @inlinable
  func entryInLine(_ row: UInt32) -> Entry {
    Entry(due: positions[Int(row)].due, order: positions[Int(row)].order, row: row)
  }

  @inlinable
  mutating func joinLine(_ entry: Entry) {
    positions[Int(entry.row)] = Position(
      heap: Position.inLine, previous: tail, next: noRow, due: entry.due, order: entry.order)
    // An entry that follows others is not the earliest one.
    if tail == noRow {
      head = entry.row
      earliest = min(earliest, entry.due)
    } else {
      positions[Int(tail)].next = entry.row
    }
    tail = entry.row
  }

  @inlinable
  mutating func removeFromLine(_ position: Position) {
    let (previous, next) = (position.previous, position.next)
    if next == noRow { tail = previous } else { positions[Int(next)].previous = previous }
    guard previous == noRow else {
      positions[Int(previous)].next = next
      return
    }
    head = next
    updateEarliest()
  }

  // MARK: The heap

  @inlinable
  var topOfHeap: Entry? { heap.count > 0 ? heap[0] : nil }

  @inlinable
  @inline(never)
  mutating func joinHeap(_ entry: Entry) {
    earliest = min(earliest, entry.due)
    heap.append(entry)
    siftUp(entry, from: heap.count - 1)
  }

  @inlinable
  @inline(never)
  mutating func removeFromHeap(_ hole: Int) {
    defer { updateEarliest() }
    let last = heap.removeLast()
    guard hole < heap.count else { return }
    if hole > 0, last.precedes(heap[(hole - 1) / 4]) {
      siftUp(last, from: hole)
    } else {
      siftDown(last, from: hole)
    }
  }

  @inlinable
  mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) / 4
      let above = heap[parent]
      guard entry.precedes(above) else { break }
      put(above, at: hole)
      hole = parent
    }
    put(entry, at: hole)
  }

  @inlinable
  mutating func siftDown(_ entry: Entry, from start: Int) {
    var hole = start
    while true {
      let firstChild = hole * 4 + 1
      guard firstChild < heap.count else { break }
      var least = firstChild
      for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, heap.count))
      where heap[child].precedes(heap[least]) {
        least = child
      }
      let below = heap[least]
      guard below.precedes(entry) else { break }
      put(below, at: hole)
      hole = least
    }
    put(entry, at: hole)
  }

  @inlinable
  mutating func put(_ entry: Entry, at position: Int) {
    heap[position] = entry
    positions[Int(entry.row)].heap = UInt32(truncatingIfNeeded: position)
  }
}
