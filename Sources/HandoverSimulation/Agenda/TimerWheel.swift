/// Rows in the order of their keys, first in, first out among equal ones: a hierarchical timing
/// wheel of 64 slots a level.
///
/// A row stands in the slot where its key first differs from the cursor, six bits at a time; the
/// cursor is the key that was taken out last. Taking out and inserting move a row at most once for
/// each level, and removing is a matter of four links, so that nothing here depends on how many
/// rows wait. Equal keys always share a slot, and slots are queues, which is why no sequence number
/// is needed.
///
/// As long as only a few rows wait, which is so in most runs, they stand in one line in the order
/// of their keys instead, and there are no slots: nothing is spread, and a clone copies rows only.
///
/// This is the one place of the simulation with unsafe memory: rows and slots are read and written
/// through pointers, because the checks of arrays cost half as much again as the work (`make
/// bench`). What makes it sound: every index in a link is `none` or below `capacity`, every slot
/// index is below `slotCount`, and its level below `slotLevels`, by construction; the owner
/// frees all three allocations once, and no pointer leaves the type. There are none before the
/// first row, because most wheels of most runs stay empty.
@safe
struct TimerWheel<Item: BitwiseCopyable>: ~Copyable {
  /// A row that was inserted, until it is taken out; another use of it has another generation.
  struct Handle: Hashable, Sendable {
    fileprivate var row: UInt32
    fileprivate var generation: UInt32
  }

  private struct Row {
    var key: UInt64
    var item: Item
    /// The next row of the slot; in a free row, the next free one.
    var next: UInt32
    var previous: UInt32
    /// The slot it stands in.
    var slot: UInt32
    /// Which use of the row this is.
    var generation: UInt32
  }

  private struct Slot {
    var head: UInt32
    var tail: UInt32
  }

  private static var none: UInt32 { .max }
  /// Six bits a level: eleven levels hold every 64-bit key.
  private static var levels: Int { 11 }
  private static var slotCount: Int { levels * 64 }
  /// How many rows may stand in one line.
  private static var longestLine: Int { 16 }

  // Nil where there is no room yet, and `capacity` zero; whoever comes to rows finds them there.
  private var rowMemory: UnsafeMutablePointer<Row>?
  private var slotMemory: UnsafeMutablePointer<Slot>?
  /// For each level, which of its slots hold rows.
  private var occupiedMemory: UnsafeMutablePointer<UInt64>?
  /// For how many levels there are slots; a clone has those that it needs.
  private var slotLevels = 0
  /// Which levels hold rows.
  private var occupiedLevels: UInt32 = 0
  private var capacity: Int
  private var used = 0
  private var firstFree = none
  /// The key that was taken out last; every row's key is at least this.
  private(set) var cursor: UInt64 = 0
  /// Whether the rows stand in one line and not in slots, and the ends of the line.
  private var isLine = true
  private var lineHead = none
  private var lineTail = none
  /// The slot whose rows are known to stand in the order of their keys; none where it is negative.
  private var sortedSlot = -1
  /// The least key; zero where it is not known, which is below every key but one.
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

  @inline(__always)
  private var rows: UnsafeMutablePointer<Row> { unsafe rowMemory.unsafelyUnwrapped }
  @inline(__always)
  private var slots: UnsafeMutablePointer<Slot> { unsafe slotMemory.unsafelyUnwrapped }
  @inline(__always)
  private var occupied: UnsafeMutablePointer<UInt64> { unsafe occupiedMemory.unsafelyUnwrapped }

  /// Takes everything out and moves the cursor back to zero; the room is kept.
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

  /// A wheel with the same rows, so that a run can be forked.
  func clone() -> TimerWheel {
    var copy = TimerWheel()
    copy.cursor = cursor
    // Where no row was ever used, only the cursor matters.
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

  /// Shows every item with its key, in the order of the keys, first in, first out among equal ones.
  func forEach(_ body: (Item, UInt64) -> Void) {
    guard !isLine else { return forEach(from: Int(lineHead), body) }
    // The slots stand in the order of their keys; those of one slot may not.
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

  /// The rows of a slot in the order of their keys; equal ones stay as they are.
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

  /// Inserts an item under a key; one that lies before the cursor is taken for the cursor's.
  ///
  /// - Returns: the handle to take it out by.
  mutating func insert(_ item: Item, under key: UInt64) -> Handle {
    let key = max(key, cursor)
    if isLine { return insertInLine(item, key) }
    return insertInSlot(item, key)
  }

  @inline(__always)
  private mutating func insertInSlot(_ item: Item, _ key: UInt64) -> Handle {
    let row = takeRow(key, item)
    link(row, key, isNew: true)
    count &+= 1
    if key < knownMinimum { knownMinimum = key }
    return Handle(row: row, generation: unsafe rows[Int(row)].generation)
  }

  /// Takes an item out before its turn; nothing where it is out already.
  mutating func remove(_ handle: Handle) {
    precondition(handle.row < used, "the handle was given by insert")
    let row = handle.row
    guard unsafe rows[Int(row)].generation == handle.generation else { return }
    if unsafe rows[Int(row)].key == knownMinimum { knownMinimum = 0 }
    if isLine { unlinkFromLine(row) } else { unlink(row) }
    free(row)
  }

  /// The least key; nil in an empty wheel.
  ///
  /// The cursor stays where it is, so that an earlier key can still be inserted.
  @inline(__always)
  mutating func minimum() -> UInt64? {
    if knownMinimum != 0 { return knownMinimum }
    return count == 0 ? nil : findMinimum()
  }

  // A function of its own that may change the wheel: one that only looked would be handed a copy of
  // all its fields, which costs twenty instructions.
  @inline(never)
  private mutating func findMinimum() -> UInt64? {
    let least = unsafe isLine ? rows[Int(lineHead)].key : rows[Int(firstRow())].key
    knownMinimum = least
    return least
  }

  /// The item with the least key; nil in an empty wheel.
  ///
  /// It stays where it is.
  func first() -> Item? {
    guard !isLine else { return lineHead == Self.none ? nil : unsafe rows[Int(lineHead)].item }
    return occupiedLevels == 0 ? nil : unsafe rows[Int(firstRow())].item
  }

  /// The first of the rows with the least key.
  @inline(__always)
  private func firstRow() -> UInt32 {
    let slot = firstSlot()
    var best = unsafe slots[slot].head
    // On the lowest level a slot holds one key only.
    guard slot >= 64, slot != sortedSlot else { return best }
    var row = unsafe rows[Int(best)].next
    while row != Self.none {
      if unsafe rows[Int(row)].key < rows[Int(best)].key { best = row }
      unsafe row = rows[Int(row)].next
    }
    return best
  }

  /// Takes the item with the least key out, and moves the cursor to the key.
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

  /// Takes the item with the least key out, and leaves the cursor where it is; nothing in an empty
  /// wheel.
  mutating func dropFirst() {
    guard !isLine else { return dropFirstOfLine() }
    guard occupiedLevels != 0 else { return }
    // The cursor stays, so that the slot is not spread. Sorted once, it need not be walked through
    // for each row that is dropped.
    let slot = firstSlot()
    if slot >= 64, slot != sortedSlot { sort(slot) }
    let row = firstRow()
    knownMinimum = 0
    unlink(row)
    free(row)
  }

  /// Puts the rows of a slot in the order of their keys; equal ones stay as they are.
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

  /// The first slot of the lowest level that holds rows: the least key is in it.
  @inline(__always)
  private func firstSlot() -> Int {
    let level = occupiedLevels.trailingZeroBitCount
    return unsafe level &* 64 &+ occupied[level].trailingZeroBitCount
  }

  /// Moves the cursor to the least key of a slot and spreads the slot over the levels below.
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
    // Whatever is known of the order of a slot may not hold any more.
    sortedSlot = -1
    row = first
    while row != Self.none {
      let next = unsafe rows[Int(row)].next
      unsafe link(row, rows[Int(row)].key, isNew: false)
      row = next
    }
    return unsafe slots[Int(truncatingIfNeeded: least & 63)].head
  }

  /// Puts a row behind those of its slot.
  ///
  /// One that is spread is not new: where there are slots for a level, there are some for those
  /// below, and no slot is known to be in order.
  @inline(__always)
  private mutating func link(_ row: UInt32, _ key: UInt64, isNew: Bool) {
    let difference = key ^ cursor
    // No difference is one in the lowest bit, which is of the same level.
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

  @inline(__always)
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

  @inline(__always)
  private mutating func free(_ row: UInt32) {
    // Nothing behind a pointer is changed in place by an operator: of that the compiler (6.3)
    // makes, with the thread sanitizer, what it refuses itself.
    unsafe rows[Int(row)].generation = rows[Int(row)].generation &+ 1
    unsafe rows[Int(row)].next = firstFree
    firstFree = row
    count &-= 1
  }

  private mutating func grow() {
    precondition(capacity <= Int(UInt32.max) / 4, "an agenda holds at most a billion items")
    let larger = UnsafeMutablePointer<Row>.allocate(capacity: max(16, capacity * 2))
    if capacity > 0 {
      unsafe larger.moveInitialize(from: rows, count: used)
      unsafe rows.deallocate()
    }
    unsafe rowMemory = unsafe larger
    capacity = max(16, capacity * 2)
  }

  /// Gives a wheel that has none its slots.
  private mutating func makeSlots(levels: Int) {
    slotLevels = levels
    unsafe slotMemory = Self.emptySlots(levels)
    unsafe occupiedMemory = .allocate(capacity: Self.levels)
    unsafe occupied.initialize(repeating: 0, count: Self.levels)
  }

  /// Slots of which none holds a row: every bit of `none` is set, which is faster said so.
  private static func emptySlots(_ levels: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: levels * 64)
    unsafe UnsafeMutableRawPointer(slots).initializeMemory(
      as: UInt8.self, repeating: .max, count: levels * 64 * MemoryLayout<Slot>.stride)
    return unsafe slots
  }

  /// Gives a clone slots for all levels, in which its own stand where they stood.
  @inline(never)
  private mutating func growSlots() {
    let larger = unsafe Self.emptySlots(Self.levels)
    unsafe larger.update(from: slots, count: slotLevels * 64)
    unsafe slots.deallocate()
    unsafe slotMemory = unsafe larger
    slotLevels = Self.levels
  }

  // MARK: The line

  /// Never inlined, because those who insert into slots would pay for it.
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

  @inline(__always)
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

  @inline(__always)
  private mutating func dropFirstOfLine() {
    guard lineHead != Self.none else { return }
    let row = lineHead
    knownMinimum = 0
    unlinkFromLine(row)
    free(row)
  }

  /// There are too many rows for one line: they go to their slots, in the order of the line.
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
