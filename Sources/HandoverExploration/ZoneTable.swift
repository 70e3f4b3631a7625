import HandoverMachines

/// The zones that were seen, by their states.
struct ZoneTable: ~Copyable {
  private struct Slot: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    /// The first of its records.
    var first: UInt32 = 0
  }

  /// One zone; its matrix stands among all others.
  private struct Record: BitwiseCopyable, Hashable, Sendable {
    /// The next one of its state; the largest number for none.
    var next: UInt32
    /// Its place in the order.
    var turn: UInt32
    var bounds: Int
    var isAlive: Bool
  }

  private var slots = Rows<Slot>()
  private var records = Rows<Record>()
  private var bounds = Rows<Int32>()
  /// How many states there are.
  private(set) var stateCount = 0

  init() {
    for _ in 0..<1_024 { slots.append(Slot()) }
  }

  func isAlive(_ record: UInt32) -> Bool { records[Int(record)].isAlive }

  func read(_ record: UInt32, size: Int, into zone: inout Zone) {
    zone.read(bounds, at: records[Int(record)].bounds, size: size)
  }

  /// Adds a zone of a state, unless it lies within one that is there.
  ///
  /// Those that lie within it are looked at with it, and need not be alone.
  ///
  /// - Parameters:
  ///   - digest: that of the state.
  ///   - zone: the zone.
  ///   - turn: its place in the order in which zones are looked at.
  ///   - keepsEarlier: whether those whose turn comes before are looked at all the same.
  /// - Returns: its record; nil where it is held already.
  mutating func insert(
    _ digest: StateDigest, _ zone: borrowing Zone, turn: UInt32, keepsEarlier: Bool
  ) -> UInt32? {
    let slot = slot(of: digest)
    var known = slots[slot].high == 0 ? .max : slots[slot].first
    var previous = UInt32.max
    while known != .max {
      let one = records[Int(known)]
      if zone.isHeld(by: bounds, at: one.bounds) { return nil }
      if zone.holds(bounds, at: one.bounds) {
        if !keepsEarlier || one.turn >= turn { records[Int(known)].isAlive = false }
        if previous == .max {
          slots[slot].first = one.next
        } else {
          records[Int(previous)].next = one.next
        }
      } else {
        previous = known
      }
      known = one.next
    }
    let record = UInt32(truncatingIfNeeded: records.count)
    let isNewState = slots[slot].high == 0
    records.append(
      Record(
        next: isNewState ? .max : slots[slot].first, turn: turn, bounds: bounds.count,
        isAlive: true))
    for place in 0..<(zone.size * zone.size) { bounds.append(zone.bounds[place]) }
    slots[slot] = Slot(high: digest.high | 1, low: digest.low, first: record)
    if isNewState {
      stateCount += 1
      if stateCount * 3 > slots.count * 2 { grow() }
    }
    return record
  }

  private func slot(of digest: StateDigest) -> Int {
    var place = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
    while slots[place].high != 0 {
      if slots[place].low == digest.low, slots[place].high == digest.high | 1 { break }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private mutating func grow() {
    var larger = Rows<Slot>(reserving: slots.count * 2)
    for _ in 0..<slots.count * 2 { larger.append(Slot()) }
    for index in 0..<slots.count where slots[index].high != 0 {
      var place = Int(truncatingIfNeeded: slots[index].low) & (larger.count - 1)
      while larger[place].high != 0 { place = (place + 1) & (larger.count - 1) }
      larger[place] = slots[index]
    }
    slots = larger
  }
}
