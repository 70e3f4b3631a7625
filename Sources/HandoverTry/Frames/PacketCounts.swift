public import HandoverCore

/// The numbers of packets that a device sent and received in consecutive periods.
public struct PacketCounts: Hashable, Sendable {
  /// The length of a period.
  public static let period = Interval.milliseconds(100)
  /// The maximum number of periods; later packets are not counted.
  static let maximumCount = 36_000

  /// The number of sent packets, by period.
  public private(set) var sent: [UInt32] = []
  /// The number of received packets, by period.
  public private(set) var received: [UInt32] = []

  /// Creates counts of no packets.
  public init() {}

  mutating func note(fromDevice: Bool, at now: Instant) {
    let position = Int(now.microseconds / Self.period.microseconds)
    guard (0..<Self.maximumCount).contains(position) else { return }
    if fromDevice { Self.add(position, &sent) } else { Self.add(position, &received) }
  }

  private static func add(_ position: Int, _ counts: inout [UInt32]) {
    if position >= counts.count {
      counts += Array(repeating: 0, count: position + 1 - counts.count)
    }
    counts[position] &+= 1
  }
}
