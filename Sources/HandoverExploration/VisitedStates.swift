import HandoverMachines

/// The digests of all states seen, of 128 bits each, and nothing else of them.
///
/// Two states with one digest would be taken for one. With n states the chance of it is about n²
/// in 2^129: for a thousand million states one in 10^20.
///
/// They stand in ``partCount`` tables by their highest bits. Each table grows alone, so that never
/// more than one is there twice, and threads that each own some of the tables need no lock. What
/// makes the unsafe memory sound: the tables are owned by the one object, places are taken within
/// them, and threads that work at the same time ask for different tables.
@safe
final class VisitedStates: @unchecked Sendable {
  static let partCount = 64

  private struct Slot: BitwiseCopyable {
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  /// One table; as long as a line of a cache, so that threads do not disturb each other.
  @safe
  private struct Part: BitwiseCopyable {
    var slots: UnsafeMutablePointer<Slot>
    var capacity: Int
    var count = 0
    /// It grows with one more.
    var limit: Int
    var padding: (Int, Int, Int, Int) = (0, 0, 0, 0)

    init(capacity: Int) {
      self.capacity = capacity
      limit = capacity / 4 * 3
      unsafe slots = .allocate(capacity: capacity)
      unsafe slots.initialize(repeating: Slot(), count: capacity)
    }
  }

  private let parts: UnsafeMutablePointer<Part>

  init() {
    unsafe parts = .allocate(capacity: Self.partCount)
    for part in 0..<Self.partCount {
      unsafe (parts + part).initialize(to: Part(capacity: 64))
    }
  }

  deinit {
    for part in 0..<Self.partCount { unsafe parts[part].slots.deallocate() }
    unsafe parts.deallocate()
  }

  /// How many states there are.
  var count: Int {
    var count = 0
    for part in 0..<Self.partCount { unsafe count += parts[part].count }
    return count
  }

  /// How many bytes the tables take.
  var byteCount: Int {
    var count = 0
    for part in 0..<Self.partCount {
      unsafe count += parts[part].capacity * MemoryLayout<Slot>.stride
    }
    return count
  }

  /// The table of a digest, counted from 0.
  @inline(__always)
  static func part(of digest: StateDigest) -> Int { Int(truncatingIfNeeded: digest.high >> 58) }

  @inline(__always)
  private static func place(_ low: UInt64, _ capacity: Int) -> Int {
    Int(truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(bitPattern: Int64(capacity))).high)
  }

  /// Reads where a digest would stand, so that it is near when it is asked for.
  ///
  /// - Returns: what stands there, which says nothing.
  @inline(__always)
  func touch(_ digest: StateDigest) -> UInt64 {
    let part = unsafe parts + Self.part(of: digest)
    return unsafe part.pointee.slots[Self.place(digest.low, part.pointee.capacity)].low
  }

  /// Adds a state.
  ///
  /// Threads may add at the same time what belongs to different tables.
  ///
  /// - Returns: whether it was not there.
  @inline(__always)
  func insert(_ digest: StateDigest) -> Bool {
    // A slot whose halves are zero is free.
    let slot = Slot(high: digest.high | 1, low: digest.low)
    let part = unsafe parts + Self.part(of: digest)
    let (slots, capacity) = unsafe (part.pointee.slots, part.pointee.capacity)
    var place = Self.place(slot.low, capacity)
    while unsafe slots[place].high != 0 {
      if unsafe slots[place].low == slot.low, unsafe slots[place].high == slot.high { return false }
      place &+= 1
      if place == capacity { place = 0 }
    }
    unsafe slots[place] = slot
    unsafe part.pointee.count &+= 1
    if unsafe part.pointee.count > part.pointee.limit { grow(Self.part(of: digest)) }
    return true
  }

  /// Shows the halves of each digest.
  func forEach(_ body: (_ high: UInt64, _ low: UInt64) -> Void) {
    for part in 0..<Self.partCount {
      for place in unsafe 0..<parts[part].capacity {
        let slot = unsafe parts[part].slots[place]
        if slot.high != 0 { body(slot.high, slot.low) }
      }
    }
  }

  @inline(never)
  private func grow(_ index: Int) {
    let old = unsafe parts[index]
    // Half as much again: a table is between half and three quarters full.
    var larger = Part(capacity: old.capacity / 2 * 3)
    larger.count = old.count
    for index in 0..<old.capacity {
      let slot = unsafe old.slots[index]
      guard slot.high != 0 else { continue }
      var place = Self.place(slot.low, larger.capacity)
      while unsafe larger.slots[place].high != 0 {
        place += 1
        if place == larger.capacity { place = 0 }
      }
      unsafe larger.slots[place] = slot
    }
    unsafe old.slots.deallocate()
    unsafe parts[index] = larger
  }
}
