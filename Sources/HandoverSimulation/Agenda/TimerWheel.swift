/// A hierarchical timing wheel with 64 slots per level: rows ordered by key, first in, first out
/// among equal keys.
///
/// A row is in the slot at which its key first differs from the cursor, six bits at a time. The
/// cursor is the key that was taken out last. Insertion and removal of the minimum move a row at
/// most once per level, and canceling a row changes four links. Therefore no cost depends on the
/// number of rows. Equal keys always share a slot and slots are queues, so no sequence number is
/// needed.
///
/// While there are only a few rows, as in most runs, they form a single list in key order and no
/// slots are used. Then no row is ever redistributed, and a clone copies only rows.
///
/// This is the only place in the simulation that uses unsafe memory. Rows and slots are accessed
/// through pointers, because the bounds checks of arrays add half the cost of the work itself
/// (`make bench`). The accesses are sound by construction:
///
/// - Every index in a link is `none` or below `capacity`.
/// - Every slot index is below `slotCount`, and its level is below `slotLevels`.
/// - The owner frees all three allocations once, and no pointer leaves the type.
///
/// Nothing is allocated before the first row, because most wheels of most runs stay empty.
@safe
struct TimerWheel<Item: BitwiseCopyable>: ~Copyable {
  /// A reference to an inserted row, valid until the row is removed.
  ///
  /// A reused row has a new generation.
  struct Handle: Hashable, Sendable {
    fileprivate var row: UInt32
    fileprivate var generation: UInt32
  }

  private struct Row {
    var key: UInt64
    var item: Item
    /// The next row of the slot or, in a free row, the next free row.
    var next: UInt32
    var previous: UInt32
    /// The slot that contains the row.
    var slot: UInt32
    /// The number of times that the row has been reused.
    var generation: UInt32
  }

  private struct Slot {
    var head: UInt32
    var tail: UInt32
  }

  private static var none: UInt32 { .max }
  /// Eleven levels of six bits cover every 64-bit key.
  private static var levels: Int { 11 }
  /// The maximum number of rows in the single list.
  private static var longestLine: Int { 16 }

  // `nil` while `capacity` is zero. Code that accesses rows runs only after they were allocated.
  private var rowMemory: UnsafeMutablePointer<Row>?
  private var slotMemory: UnsafeMutablePointer<Slot>?
  /// For each level, a bit set of the slots that contain rows.
  private var occupiedMemory: UnsafeMutablePointer<UInt64>?
  /// The number of levels with allocated slots.
  ///
  /// A clone allocates only the levels that it needs.
  private var slotLevels = 0
  /// A bit set of the levels that contain rows.
  private var occupiedLevels: UInt32 = 0
  private var capacity: Int
  private var used = 0
  private var firstFree = none
  /// The key that was taken out last.
  ///
  /// Every row's key is at least this value.
  private(set) var cursor: UInt64 = 0
  /// Whether the rows form a single list instead of slots.
  private var isLine = true
  /// The ends of the single list.
  private var lineHead = none
  private var lineTail = none
  /// The slot whose rows are known to be in key order, or a negative value if there is none.
  private var sortedSlot = -1
  /// The least key, or zero if unknown.
  ///
  /// Zero is less than or equal to every key.
  private var knownMinimum: UInt64 = 0
  private(set) var count = 0

  init() {
    capacity = 0
  }

  deinit {
    unsafe rowMemory?.deallocate()
    unsafe slotMemory?.deallocate()
    unsafe occupiedMemory?.deallocate()
  }

  private var rows: UnsafeMutablePointer<Row> { unsafe rowMemory.unsafelyUnwrapped }
  private var slots: UnsafeMutablePointer<Slot> { unsafe slotMemory.unsafelyUnwrapped }
  private var occupied: UnsafeMutablePointer<UInt64> { unsafe occupiedMemory.unsafelyUnwrapped }

  /// Removes all rows, resets the cursor to zero, and keeps the allocated memory.
  mutating func removeAll() {
    while occupiedLevels != 0 {
      let slot = firstSlot()
      unsafe slots[slot] = Slot(head: Self.none, tail: Self.none)
      markEmpty(slot)
    }
    isLine = true
    lineHead = Self.none
    lineTail = Self.none
    used = 0
    firstFree = Self.none
    cursor = 0
    sortedSlot = -1
    knownMinimum = 0
    count = 0
  }

  /// Returns a wheel with the same rows, so that a run can be forked.
  func clone() -> TimerWheel {
    var copy = TimerWheel()
    copy.cursor = cursor
    // If no row was ever used, only the cursor matters.
    guard used > 0 else { return copy }
    copy.capacity = used
    unsafe copy.rowMemory = .allocate(capacity: used)
    unsafe copy.rows.initialize(from: rows, count: used)
    copy.isLine = isLine
    copy.lineHead = lineHead
    copy.lineTail = lineTail
    if !isLine {
      copy.makeSlots(levels: UInt32.bitWidth &- occupiedLevels.leadingZeroBitCount)
      unsafe copy.slots.update(from: slots, count: copy.slotLevels * 64)
      unsafe copy.occupied.update(from: occupied, count: Self.levels)
      copy.occupiedLevels = occupiedLevels
    }
    copy.used = used
    copy.firstFree = firstFree
    copy.sortedSlot = sortedSlot
    copy.knownMinimum = knownMinimum
    copy.count = count
    return copy
  }

  /// Passes every item with its key to `body`, in key order, first in, first out among equal keys.
  func forEach(_ body: (Item, UInt64) -> Void) {
    guard !isLine else { return forEach(from: Int(lineHead), body) }
    // The slots are in key order, but the rows of one slot may not be.
    var levels = occupiedLevels
    while levels != 0 {
      let level = levels.trailingZeroBitCount
      levels &= levels &- 1
      var digits = unsafe occupied[level]
      while digits != 0 {
        let slot = level &* 64 &+ digits.trailingZeroBitCount
        digits &= digits &- 1
        let first = unsafe Int(slots[slot].head)
        if unsafe level == 0 || rows[first].next == Self.none {
          forEach(from: first, body)
        } else {
          for row in inOrder(slot) { unsafe body(rows[Int(row)].item, rows[Int(row)].key) }
        }
      }
    }
  }

  private func forEach(from first: Int, _ body: (Item, UInt64) -> Void) {
    var row = first
    while row != Int(Self.none) {
      unsafe body(rows[row].item, rows[row].key)
      unsafe row = Int(rows[row].next)
    }
  }

  /// Returns the rows of a slot in key order.
  ///
  /// The sort is stable.
  private func inOrder(_ slot: Int) -> [UInt32] {
    var order: [(key: UInt64, index: Int, row: UInt32)] = []
    var row = unsafe slots[slot].head
    while row != Self.none {
      unsafe order.append((rows[Int(row)].key, order.count, row))
      unsafe row = rows[Int(row)].next
    }
    order.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    return order.map(\.row)
  }

  /// Inserts an item under a key.
  ///
  /// A key below the cursor is replaced by the cursor's key.
  ///
  /// - Returns: the handle that removes the item.
  mutating func insert(_ item: Item, under key: UInt64) -> Handle {
    let key = max(key, cursor)
    if isLine { return insertInLine(item, key) }
    return insertInSlot(item, key)
  }

  private mutating func insertInSlot(_ item: Item, _ key: UInt64) -> Handle {
    let row = takeRow(key, item)
    link(row, key, isNew: true)
    count &+= 1
    if key < knownMinimum { knownMinimum = key }
    return Handle(row: row, generation: unsafe rows[Int(row)].generation)
  }

  /// Removes an item before it is due.
  ///
  /// Does nothing if the item was already removed.
  mutating func remove(_ handle: Handle) {
    precondition(handle.row < used, "the handle does not belong to this wheel")
    let row = handle.row
    guard unsafe rows[Int(row)].generation == handle.generation else { return }
    if unsafe rows[Int(row)].key == knownMinimum { knownMinimum = 0 }
    if isLine { unlinkFromLine(row) } else { unlink(row) }
    free(row)
  }

  /// Returns the least key, or `nil` if the wheel is empty.
  ///
  /// The cursor does not move, so that an earlier key can still be inserted.
  mutating func minimum() -> UInt64? {
    if knownMinimum != 0 { return knownMinimum }
    return count == 0 ? nil : findMinimum()
  }

  // A separate mutating function: a nonmutating one would receive a copy of all fields, which costs
  // twenty instructions.
  @inline(never)
  private mutating func findMinimum() -> UInt64? {
    let least = unsafe isLine ? rows[Int(lineHead)].key : rows[Int(firstRow())].key
    knownMinimum = least
    return least
  }

  /// Returns the item with the least key, or `nil` if the wheel is empty.
  ///
  /// The item stays in the wheel.
  func first() -> Item? {
    guard !isLine else { return lineHead == Self.none ? nil : unsafe rows[Int(lineHead)].item }
    return occupiedLevels == 0 ? nil : unsafe rows[Int(firstRow())].item
  }

  /// Returns the first row with the least key.
  @inline(__always)
  private func firstRow() -> UInt32 {
    let slot = firstSlot()
    var best = unsafe slots[slot].head
    // On the lowest level a slot holds only one key.
    guard slot >= 64, slot != sortedSlot else { return best }
    var row = unsafe rows[Int(best)].next
    while row != Self.none {
      if unsafe rows[Int(row)].key < rows[Int(best)].key { best = row }
      unsafe row = rows[Int(row)].next
    }
    return best
  }

  /// Removes and returns the item with the least key, and moves the cursor to that key.
  mutating func popFirst() -> Item? {
    guard occupiedLevels != 0 else { return popFirstOfLine() }
    let slot = firstSlot()
    var row = unsafe slots[slot].head
    if slot >= 64, unsafe rows[Int(row)].next != Self.none { row = spread(slot) }
    unsafe cursor = rows[Int(row)].key
    knownMinimum = 0
    unlink(row)
    free(row)
    return unsafe rows[Int(row)].item
  }

  /// Removes the item with the least key without moving the cursor.
  ///
  /// Does nothing if the wheel is empty.
  mutating func dropFirst() {
    guard !isLine else { return dropFirstOfLine() }
    guard occupiedLevels != 0 else { return }
    // The cursor stays, so the slot is not spread. Sorting the slot once avoids a scan for each row
    // that is dropped.
    let slot = firstSlot()
    if slot >= 64, slot != sortedSlot { sort(slot) }
    let row = firstRow()
    knownMinimum = 0
    unlink(row)
    free(row)
  }

  /// Sorts the rows of a slot by key.
  ///
  /// The sort is stable.
  private mutating func sort(_ slot: Int) {
    var previous = Self.none
    for row in inOrder(slot) {
      unsafe rows[Int(row)].previous = previous
      if previous == Self.none {
        unsafe slots[slot].head = row
      } else {
        unsafe rows[Int(previous)].next = row
      }
      previous = row
    }
    unsafe rows[Int(previous)].next = Self.none
    unsafe slots[slot].tail = previous
    sortedSlot = slot
  }

  /// Returns the first slot of the lowest level that contains rows.
  ///
  /// The least key is in this slot.
  private func firstSlot() -> Int {
    let level = occupiedLevels.trailingZeroBitCount
    return unsafe level &* 64 &+ occupied[level].trailingZeroBitCount
  }

  /// Moves the cursor to the least key of a slot and distributes the slot over the levels below.
  ///
  /// - Returns: the row with the least key, now on the lowest level.
  private mutating func spread(_ slot: Int) -> UInt32 {
    let first = unsafe slots[slot].head
    var row = first
    var least = knownMinimum
    if least == 0 {
      least = .max
      while row != Self.none {
        unsafe least = min(least, rows[Int(row)].key)
        unsafe row = rows[Int(row)].next
      }
    }
    cursor = least
    unsafe slots[slot] = Slot(head: Self.none, tail: Self.none)
    markEmpty(slot)
    // The known order of a slot may no longer be valid.
    sortedSlot = -1
    row = first
    while row != Self.none {
      let next = unsafe rows[Int(row)].next
      unsafe link(row, rows[Int(row)].key, isNew: false)
      row = next
    }
    return unsafe slots[Int(truncatingIfNeeded: least & 63)].head
  }

  /// Appends a row to its slot.
  ///
  /// If `isNew` is false, the row comes from a slot that is being spread. Then the slots of all
  /// lower levels already exist, and no slot is known to be in order.
  @inline(__always)
  private mutating func link(_ row: UInt32, _ key: UInt64, isNew: Bool) {
    let difference = key ^ cursor
    // If the keys are equal, the lowest bit selects level zero, which is correct.
    let level = (63 &- (difference | 1).leadingZeroBitCount) / 6
    let digit = Int(truncatingIfNeeded: (key &>> UInt64(truncatingIfNeeded: 6 &* level)) & 63)
    if isNew, level >= slotLevels { growSlots() }
    let slot = level &* 64 &+ digit
    let tail = unsafe slots[slot].tail
    if isNew, slot == sortedSlot {
      let isInOrder = unsafe tail != Self.none && rows[Int(tail)].key <= key
      if !isInOrder { sortedSlot = -1 }
    }
    unsafe rows[Int(row)].slot = UInt32(truncatingIfNeeded: slot)
    unsafe rows[Int(row)].next = Self.none
    unsafe rows[Int(row)].previous = tail
    if tail == Self.none {
      unsafe slots[slot].head = row
    } else {
      unsafe rows[Int(tail)].next = row
    }
    unsafe slots[slot].tail = row
    unsafe occupied[level] = occupied[level] | 1 &<< UInt64(truncatingIfNeeded: digit)
    occupiedLevels |= 1 &<< UInt32(truncatingIfNeeded: level)
  }

  @inline(__always)
  private mutating func unlink(_ row: UInt32) {
    let slot = unsafe Int(rows[Int(row)].slot)
    let (previous, next) = unsafe (rows[Int(row)].previous, rows[Int(row)].next)
    if previous == Self.none {
      unsafe slots[slot].head = next
    } else {
      unsafe rows[Int(previous)].next = next
    }
    if next == Self.none {
      unsafe slots[slot].tail = previous
    } else {
      unsafe rows[Int(next)].previous = previous
    }
    if previous == Self.none, next == Self.none { markEmpty(slot) }
  }

  private mutating func markEmpty(_ slot: Int) {
    let level = slot &>> 6
    unsafe occupied[level] = occupied[level] & ~(1 &<< UInt64(truncatingIfNeeded: slot & 63))
    if unsafe occupied[level] == 0 { occupiedLevels &= ~(1 &<< UInt32(truncatingIfNeeded: level)) }
  }

  @inline(__always)
  private mutating func takeRow(_ key: UInt64, _ item: Item) -> UInt32 {
    if firstFree != Self.none {
      let row = firstFree
      unsafe firstFree = rows[Int(row)].next
      unsafe rows[Int(row)].key = key
      unsafe rows[Int(row)].item = item
      return row
    }
    if used == capacity { grow() }
    let row = UInt32(truncatingIfNeeded: used)
    unsafe (rows + used).initialize(
      to: Row(
        key: key, item: item, next: Self.none, previous: Self.none, slot: Self.none,
        generation: 0))
    used &+= 1
    return row
  }

  private mutating func free(_ row: UInt32) {
    // Do not use an in-place operator behind a pointer here: with the thread sanitizer, compiler
    // 6.3 generates code from it that the compiler itself rejects.
    unsafe rows[Int(row)].generation = rows[Int(row)].generation &+ 1
    unsafe rows[Int(row)].next = firstFree
    firstFree = row
    count &-= 1
  }

  private mutating func grow() {
    precondition(capacity <= Int(UInt32.max) / 4, "an agenda cannot hold more than a billion items")
    let larger = UnsafeMutablePointer<Row>.allocate(capacity: max(16, capacity * 2))
    if capacity > 0 {
      unsafe larger.moveInitialize(from: rows, count: used)
      unsafe rows.deallocate()
    }
    unsafe rowMemory = unsafe larger
    capacity = max(16, capacity * 2)
  }

  /// Allocates the slots of a wheel that has none.
  private mutating func makeSlots(levels: Int) {
    slotLevels = levels
    unsafe slotMemory = Self.emptySlots(levels)
    unsafe occupiedMemory = .allocate(capacity: Self.levels)
    unsafe occupied.initialize(repeating: 0, count: Self.levels)
  }

  /// Returns slots without rows.
  ///
  /// Every bit of `none` is set, so filling bytes is fastest.
  private static func emptySlots(_ levels: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: levels * 64)
    unsafe UnsafeMutableRawPointer(slots).initializeMemory(
      as: UInt8.self, repeating: .max, count: levels * 64 * MemoryLayout<Slot>.stride)
    return unsafe slots
  }

  /// Allocates slots for all levels of a clone, and keeps the contents of the existing slots.
  @inline(never)
  private mutating func growSlots() {
    let larger = unsafe Self.emptySlots(Self.levels)
    unsafe larger.update(from: slots, count: slotLevels * 64)
    unsafe slots.deallocate()
    unsafe slotMemory = unsafe larger
    slotLevels = Self.levels
  }

  // MARK: The single list

  /// Never inlined, because inlining would slow down insertion into slots.
  @inline(never)
  private mutating func insertInLine(_ item: Item, _ key: UInt64) -> Handle {
    if count == Self.longestLine {
      spreadLine()
      return insertInSlot(item, key)
    }
    let row = takeRow(key, item)
    var previous = lineTail
    while previous != Self.none, unsafe rows[Int(previous)].key > key {
      unsafe previous = rows[Int(previous)].previous
    }
    let next = previous == Self.none ? lineHead : unsafe rows[Int(previous)].next
    unsafe rows[Int(row)].previous = previous
    unsafe rows[Int(row)].next = next
    if previous == Self.none { lineHead = row } else { unsafe rows[Int(previous)].next = row }
    if next == Self.none { lineTail = row } else { unsafe rows[Int(next)].previous = row }
    count &+= 1
    if key < knownMinimum { knownMinimum = key }
    return Handle(row: row, generation: unsafe rows[Int(row)].generation)
  }

  private mutating func unlinkFromLine(_ row: UInt32) {
    let (previous, next) = unsafe (rows[Int(row)].previous, rows[Int(row)].next)
    if previous == Self.none { lineHead = next } else { unsafe rows[Int(previous)].next = next }
    if next == Self.none { lineTail = previous } else { unsafe rows[Int(next)].previous = previous }
  }

  @inline(never)
  private mutating func popFirstOfLine() -> Item? {
    guard lineHead != Self.none else { return nil }
    let row = lineHead
    unsafe cursor = rows[Int(row)].key
    dropFirstOfLine()
    return unsafe rows[Int(row)].item
  }

  private mutating func dropFirstOfLine() {
    guard lineHead != Self.none else { return }
    let row = lineHead
    knownMinimum = 0
    unlinkFromLine(row)
    free(row)
  }

  /// Moves all rows from the single list to their slots, because the list has become too long.
  private mutating func spreadLine() {
    if slotLevels == 0 { makeSlots(levels: Self.levels) }
    isLine = false
    var row = lineHead
    while row != Self.none {
      let next = unsafe rows[Int(row)].next
      unsafe link(row, rows[Int(row)].key, isNew: true)
      row = next
    }
    lineHead = Self.none
    lineTail = Self.none
  }
}
