import HandoverCore

/// A read-only view of the visited zones, by state.
///
/// A copy shows the zones that existed when it was made, if nothing is added to the original. Each
/// worker has a copy while the workers run concurrently.
struct ZoneRecords: Sendable {
  fileprivate struct Slot: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    /// The first record of the state and the position of its bounds; usually it is the only one.
    var first: UInt32 = 0
    var bounds = 0
  }

  /// One zone; its matrix is in `bounds`.
  fileprivate struct Record: BitwiseCopyable, Hashable, Sendable {
    /// The next record of the same state, or `UInt32.max` if there is none.
    var next: UInt32
    /// Its depth; used only if the search is breadth first.
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

  /// Prefetches the slot of a state.
  ///
  /// - Returns: The content of the slot, which has no meaning for the caller.
  func touch(_ low: UInt64) -> UInt64 {
    slots[Int(truncatingIfNeeded: low) & (slots.count - 1)].low
  }

  /// Prefetches the bounds of a state's first zone; call it some time after ``touch(_:)``.
  func touchBounds(_ digest: StateDigest) -> UInt64 {
    let slot = slots[slot(of: digest)]
    return slot.high == 0 ? 0 : UInt64(truncatingIfNeeded: bounds[slot.bounds])
  }

  /// Whether a visited zone of the state subsumes the given zone.
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

  fileprivate func slot(of digest: StateDigest) -> Int {
    var position = Int(truncatingIfNeeded: digest.low) & (slots.count - 1)
    while slots[position].high != 0 {
      if slots[position].low == digest.low, slots[position].high == digest.high | 1 { break }
      position = (position + 1) & (slots.count - 1)
    }
    return position
  }
}

/// The visited zones, to which new zones are added.
struct ZoneTable: ~Copyable {
  private(set) var seen = ZoneRecords()
  /// The number of distinct states.
  private(set) var stateCount = 0

  func isAlive(_ record: UInt32) -> Bool { seen.records[Int(record)].isAlive }

  /// Adds a zone of a state, unless a visited zone subsumes it.
  ///
  /// The new zone replaces the visited zones that it subsumes. They are marked as not alive,
  /// because the expansion of the new zone covers them.
  ///
  /// - Parameters:
  ///   - digest: The digest of the state.
  ///   - zone: The rows that contain the bounds of the zone.
  ///   - start: The position of the first bound.
  ///   - size: How many timers the zone has, including the present.
  ///   - turn: Its depth; used only if `keepsEarlier`.
  ///   - keepsEarlier: Whether subsumed zones with an earlier turn stay alive.
  /// - Returns: The record of the zone, or `nil` if a visited zone subsumes it.
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
      // Subsumption is transitive, so no zone was removed in earlier iterations if this one
      // subsumes `zone`.
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
    let position = seen.bounds.count
    seen.records.append(
      ZoneRecords.Record(next: first, turn: turn, bounds: position, isAlive: true))
    seen.bounds.append(zone, from: start, count: size * size)
    seen.slots[slot] = ZoneRecords.Slot(
      high: digest.high | 1, low: digest.low, first: record, bounds: position)
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
      var position = Int(truncatingIfNeeded: seen.slots[index].low) & (larger.count - 1)
      while larger[position].high != 0 { position = (position + 1) & (larger.count - 1) }
      larger[position] = seen.slots[index]
    }
    seen.slots = larger
  }
}
