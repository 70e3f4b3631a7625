import HandoverCore

/// A cache of zones that one worker has found and that may not be merged yet.
///
/// The zones that the worker finds later are also merged later. A later zone within a recent zone
/// would then be dropped. This cache therefore saves work but never affects the result.
struct RecentZones: ~Copyable {
  private static let slotCount = 1 << 10

  private struct Slot: BitwiseCopyable, Hashable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var size = 0
  }

  /// The number of bounds of the largest zone.
  private let room: Int
  private var slots = Rows<Slot>(reserving: slotCount)
  private var bounds: Rows<Int32>

  /// - Parameter hosts: How many hosts the client has; each has at most three timers.
  init(hosts: Int) {
    room = (1 + 3 * hosts) * (1 + 3 * hosts)
    bounds = Rows(reserving: Self.slotCount * room)
    bounds.fill(with: 0, count: Self.slotCount * room)
    slots.fill(with: Slot(), count: Self.slotCount)
  }

  /// Adds a zone.
  ///
  /// - Parameters:
  ///   - digest: The digest of its state.
  ///   - zone: The rows that contain its bounds.
  ///   - start: The position of the first bound.
  ///   - size: How many timers the zone has, including the present.
  /// - Returns: Whether no cached zone contains it.
  mutating func insert(
    _ digest: StateDigest, _ zone: borrowing Rows<Int32>, at start: Int, size: Int
  ) -> Bool {
    let position = Int(truncatingIfNeeded: digest.low) & (Self.slotCount - 1)
    let first = position &* room
    let slot = slots[position]
    if slot.low == digest.low, slot.high == digest.high, slot.size == size,
      Zone.holds(bounds, at: first, zone, at: start, size: size)
    {
      return false
    }
    slots[position] = Slot(high: digest.high, low: digest.low, size: size)
    for bound in 0..<(size &* size) { bounds[first &+ bound] = zone[start &+ bound] }
    return true
  }
}
