import HandoverMachines

/// The zones that were seen, by their states; only looked at.
///
/// A copy shows what was there when it was made, as long as nothing is added to the original:
/// workers have one each while they work side by side.
struct ZoneRecords: Sendable {
  fileprivate struct Slot: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    /// The first of its records, and where the bounds of that one stand: mostly it is the only one.
    var first: UInt32 = 0
    var bounds = 0
  }

  /// One zone; its matrix stands among all others.
  fileprivate struct Record: BitwiseCopyable, Hashable, Sendable {
    /// The next one of its state; the largest number for none.
    var next: UInt32
    /// Its place in the order.
    var turn: UInt32
    var bounds: Int
    var isAlive: Bool
  }

  fileprivate var slots = Rows<Slot>()
  fileprivate var records = Rows<Record>()
  fileprivate var bounds = Rows<Int32>()

  fileprivate init() {
    for _ in 0..<1_024 { slots.append(Slot()) }
  }

  func read(_ record: UInt32, size: Int, into zone: inout Zone) {
    zone.read(bounds, at: records[Int(record)].bounds, size: size)
  }

  /// Reads where a state would stand, so that it is near when it is asked for.
  ///
  /// - Returns: what stands there, which says nothing.
  @inline(__always)
  func touch(_ low: UInt64) -> UInt64 {
    slots[Int(truncatingIfNeeded: low) & (slots.count - 1)].low
  }

  /// Likewise of the bounds of its first zone, once ``touch(_:)`` has had its time.
  @inline(__always)
  func touchBounds(_ digest: StateDigest) -> UInt64 {
    let slot = slots[slot(of: digest)]
    return slot.high == 0 ? 0 : UInt64(truncatingIfNeeded: bounds[slot.bounds])
  }

  /// Whether a zone of a state lies within one that is there.
  @inline(__always)
  func isHeld(
    _ digest: StateDigest, _ zone: borrowing Rows<Int32>, at start: Int, size: Int
  ) -> Bool {
    let slot = slots[slot(of: digest)]
    guard slot.high != 0 else { return false }
    if Zone.holds(bounds, at: slot.bounds, zone, at: start, size: size) { return true }
    var known = records[Int(slot.first)].next
    while known != .max {
      let one = records[Int(known)]
      if Zone.holds(bounds, at: one.bounds, zone, at: start, size: size) { return true }
      known = one.next
    }
    return false
  }

  @inline(__always)
  fileprivate func slot(of digest: StateDigest) -> Int {
    var place = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
    while slots[place].high != 0 {
      if slots[place].low == digest.low, slots[place].high == digest.high | 1 { break }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }
}

/// The zones that were seen, and those that are added.
struct ZoneTable: ~Copyable {
  private(set) var seen = ZoneRecords()
  /// How many states there are.
  private(set) var stateCount = 0

  func isAlive(_ record: UInt32) -> Bool { seen.records[Int(record)].isAlive }

  /// Adds a zone of a state, unless it lies within one that is there.
  ///
  /// Those that lie within it are looked at with it, and need not be alone.
  ///
  /// - Parameters:
  ///   - digest: that of the state.
  ///   - zone: where the bounds of the zone stand.
  ///   - start: the first of them.
  ///   - size: how many timers it has, the present included.
  ///   - turn: its place in the order in which zones are looked at.
  ///   - keepsEarlier: whether those whose turn comes before are looked at all the same.
  /// - Returns: its record; nil where it is held already.
  mutating func insert(
    _ digest: StateDigest, _ zone: borrowing Rows<Int32>, at start: Int, size: Int, turn: UInt32,
    keepsEarlier: Bool
  ) -> UInt32? {
    let slot = seen.slot(of: digest)
    var known = seen.slots[slot].high == 0 ? .max : seen.slots[slot].first
    var previous = UInt32.max
    var first = known
    while known != .max {
      let one = seen.records[Int(known)]
      // What holds it holds all that it holds, so that none was taken out before.
      if Zone.holds(seen.bounds, at: one.bounds, zone, at: start, size: size) { return nil }
      if Zone.holds(zone, at: start, seen.bounds, at: one.bounds, size: size) {
        if !keepsEarlier || one.turn >= turn { seen.records[Int(known)].isAlive = false }
        if previous == .max {
          first = one.next
        } else {
          seen.records[Int(previous)].next = one.next
        }
      } else {
        previous = known
      }
      known = one.next
    }
    let record = UInt32(truncatingIfNeeded: seen.records.count)
    let isNewState = seen.slots[slot].high == 0
    let place = seen.bounds.count
    seen.records.append(
      ZoneRecords.Record(next: first, turn: turn, bounds: place, isAlive: true))
    seen.bounds.append(zone, from: start, count: size * size)
    seen.slots[slot] = ZoneRecords.Slot(
      high: digest.high | 1, low: digest.low, first: record, bounds: place)
    if isNewState {
      stateCount += 1
      if stateCount * 3 > seen.slots.count * 2 { grow() }
    }
    return record
  }

  private mutating func grow() {
    var larger = Rows<ZoneRecords.Slot>(reserving: seen.slots.count * 2)
    for _ in 0..<seen.slots.count * 2 { larger.append(ZoneRecords.Slot()) }
    for index in 0..<seen.slots.count where seen.slots[index].high != 0 {
      var place = Int(truncatingIfNeeded: seen.slots[index].low) & (larger.count - 1)
      while larger[place].high != 0 { place = (place + 1) & (larger.count - 1) }
      larger[place] = seen.slots[index]
    }
    seen.slots = larger
  }
}
