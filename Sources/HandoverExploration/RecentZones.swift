import HandoverMachines

/// Some of the zones that one worker has found, which may not have been taken up yet.
///
/// Whatever it finds later is taken up later: what lies within one of these would be dropped then.
/// So nothing comes of which of them are known here.
struct RecentZones: ~Copyable {
  private static let places = 1 << 10

  private struct Slot: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var size = 0
  }

  /// How many bounds the largest zone has.
  private let room: Int
  private var slots = Rows<Slot>(reserving: places)
  private var bounds: Rows<Int32>

  /// - Parameter hosts: how many the client has; each has three timers at the most.
  init(hosts: Int) {
    room = (1 + 3 * hosts) * (1 + 3 * hosts)
    bounds = Rows(reserving: Self.places * room)
    bounds.fill(with: 0, count: Self.places * room)
    forget()
  }

  mutating func forget() {
    slots.fill(with: Slot(), count: Self.places)
  }

  /// Makes a zone known.
  ///
  /// - Parameters:
  ///   - digest: that of its state.
  ///   - zone: where its bounds stand.
  ///   - start: the first of them.
  ///   - size: how many timers it has, the present included.
  /// - Returns: whether it lies within none that was known.
  @inline(__always)
  mutating func insert(
    _ digest: StateDigest, _ zone: borrowing Rows<Int32>, at start: Int, size: Int
  ) -> Bool {
    let place = Int(truncatingIfNeeded: digest.low) & (Self.places - 1)
    let first = place &* room
    let slot = slots[place]
    if slot.low == digest.low, slot.high == digest.high, slot.size == size,
      Zone.holds(bounds, at: first, zone, at: start, size: size)
    {
      return false
    }
    slots[place] = Slot(high: digest.high, low: digest.low, size: size)
    for bound in 0..<(size &* size) { bounds[first &+ bound] = zone[start &+ bound] }
    return true
  }
}
