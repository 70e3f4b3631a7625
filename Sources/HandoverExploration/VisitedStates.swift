import HandoverMachines

/// The digests of all states seen, of 128 bits each, and nothing else of them.
///
/// Two states with one digest would be taken for one. With n states the chance of it is about n²
/// in 2^129: for a thousand million states one in 10^20.
struct VisitedStates {
  private struct Slot {
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  private var slots: ContiguousArray<Slot>
  private var mask: Int
  /// How many states there are.
  private(set) var count = 0

  init() {
    slots = ContiguousArray(repeating: Slot(), count: 1 << 12)
    mask = slots.count - 1
  }

  /// Adds a state.
  ///
  /// - Returns: whether it was not there.
  mutating func insert(_ digest: StateDigest) -> Bool {
    // A slot whose halves are zero is free.
    let slot = Slot(high: digest.high | 1, low: digest.low)
    var place = Int(truncatingIfNeeded: slot.low) & mask
    while slots[place].high != 0 {
      if slots[place].low == slot.low, slots[place].high == slot.high { return false }
      place = (place + 1) & mask
    }
    slots[place] = slot
    count += 1
    if count * 3 > slots.count * 2 { grow() }
    return true
  }

  /// Shows the halves of each digest.
  func forEach(_ body: (_ high: UInt64, _ low: UInt64) -> Void) {
    for slot in slots where slot.high != 0 { body(slot.high, slot.low) }
  }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: Slot(), count: slots.count * 2)
    mask = larger.count - 1
    for slot in slots where slot.high != 0 {
      var place = Int(truncatingIfNeeded: slot.low) & mask
      while larger[place].high != 0 { place = (place + 1) & mask }
      larger[place] = slot
    }
    slots = larger
  }
}

extension StateDigest {
  /// The digest of some bytes, from a place on.
  init(of bytes: ContiguousArray<UInt8>, from start: Int = 0) {
    self.init(at: .zero)
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for place in start..<bytes.count {
      word |= UInt64(bytes[place]) << shift
      shift += 8
      guard shift == 64 else { continue }
      combine(word)
      (word, shift) = (0, 0)
    }
    // Forms of different lengths differ, too.
    combine(word)
    combine(UInt64(truncatingIfNeeded: bytes.count - start))
  }
}
