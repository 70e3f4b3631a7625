public import HandoverCore

/// The effects of a medium on the frames that pass through it, in each direction.
public struct LinkConditions: Hashable, Sendable {
  /// The quality of the medium.
  public var quality = LinkQuality()
  /// Whether frames pass at all.
  public var passage = MediumState.open
  /// The behavior of the router, or `nil` if it keeps no state.
  public var nat: NATBehavior?
  /// The time after which the router or a firewall forgets an idle flow, instead of the timeouts of
  /// `nat`.
  public var idle: Interval?

  /// The behavior of the router with the timeout of idle flows, or `nil` if it keeps no state.
  var routerBehavior: NATBehavior? {
    guard let idle else { return nat }
    var behavior = nat ?? NATBehavior()
    (behavior.tcpTimeout, behavior.udpTimeout) = (idle, idle)
    return behavior
  }

  /// The delay of a frame.
  public var delay: Interval {
    get { quality.delay }
    set { quality.delay = newValue }
  }
  /// The rate in bits per second, or `nil` if it is unlimited.
  public var bitsPerSecond: Int64? {
    get { quality.bitsPerSecond }
    set { quality.bitsPerSecond = newValue }
  }
  /// The number of lost frames per million.
  public var lossPerMillion: UInt32 {
    get { quality.lossPerMillion }
    set { quality.lossPerMillion = newValue }
  }

  /// The state of a medium: whether frames pass.
  public enum MediumState: Hashable, Sendable {
    /// Frames pass.
    case open
    /// Frames wait until the medium is open again.
    case held
    /// Frames are lost.
    case closed
  }

  /// Creates conditions that leave frames unchanged.
  public init() {}
}

extension LinkQuality {
  /// Whether the quality applies to individual packets, so that large segments must be split.
  var looksAtPackets: Bool {
    bitsPerSecond != nil || lossPerMillion > 0 || reorderPerMillion > 0 || mtu != nil
      || trace != nil
  }
}

/// One direction of a medium.
///
/// It computes the arrival time of each frame, and keeps the waiting frames.
struct LinkEmulatorLane {
  /// A frame in transit.
  struct Frame: Hashable {
    /// The frame, including the headers before it.
    var bytes: [UInt8]
    /// The port at which the frame entered.
    var port: Int
    /// The arrival time in microseconds.
    var due: Int64
  }

  /// The result for a frame.
  enum Fate: Hashable {
    /// The frame is lost.
    case lost
    /// The frame has arrived.
    case arrived
    /// The frame arrives at this time, in microseconds.
    case waits(until: Int64)
    /// The frame arrives at this time, in microseconds, and later frames may overtake it.
    case isLate(until: Int64)
  }

  /// The conditions for frames that enter from now on.
  var conditions = LinkConditions()
  private var course: LinkTracePlayback?
  private var generator: SeededGenerator
  private var loss = PacketLoss()
  private var waiting: [Frame] = []
  private var first = 0
  private var waitingBytes = 0
  /// The frames that others may overtake, unordered.
  ///
  /// They count as waiting frames.
  private var late: [Frame] = []
  /// The time at which the last bit that was sent has passed.
  private var isFreeAt: Int64 = 0
  /// The arrival time of the last frame.
  ///
  /// No frame arrives before an earlier one, unless the earlier one is late.
  private var lastDue: Int64 = 0

  /// The maximum number of waiting frames.
  ///
  /// Further frames are lost.
  static let maximumFrameCount = 4_096
  /// The maximum number of waiting bytes.
  static let maximumByteCount = 16 << 20
  /// The number of header bytes of a frame that a recording does not count.
  ///
  /// A recording counts four of the 14 header bytes before each packet.
  private static let uncountedByTrace = 10

  init(generator: SeededGenerator) {
    self.generator = generator
  }

  /// Sets the conditions, starting at an instant.
  ///
  /// A recording starts from its beginning.
  mutating func set(_ conditions: LinkConditions, at now: Int64) {
    self.conditions = conditions
    course = conditions.quality.trace.flatMap {
      $0.opportunities.isEmpty ? nil : LinkTracePlayback($0, from: now)
    }
  }

  /// Whether frames pass, and can be delayed or lost because of the quality.
  var changesFrames: Bool {
    conditions.passage == .open
      && (conditions.delay > .zero || conditions.quality.looksAtPackets)
  }

  /// Computes the result for a frame that enters.
  mutating func fate(ofLength length: Int, at now: Int64) -> Fate {
    if conditions.passage == .closed
      || loss.takesNext(of: conditions.quality, using: &generator)
    {
      return .lost
    }
    let isEmpty = first == waiting.count
    var freeAt = now
    if let rate = conditions.bitsPerSecond, rate > 0 {
      freeAt = max(now, isFreeAt) + Int64(length) * 8_000_000 / rate
    }
    var next = course
    if next != nil {
      let counted = Int64(max(1, length - Self.uncountedByTrace))
      freeAt = max(freeAt, next?.end(ofBytes: counted, sentAt: max(now, isFreeAt)) ?? freeAt)
    }
    let due = freeAt + conditions.delay.microseconds
    let isLate = generator.hits(perMillion: conditions.quality.reorderPerMillion)
    let hasArrived = isEmpty && due == now && conditions.passage == .open && !isLate
    guard hasArrived || hasRoom(forLength: length) else { return .lost }
    // Only frames that are sent occupy the medium. A frame that is dropped because the queue is
    // full does not.
    isFreeAt = max(isFreeAt, freeAt)
    course = next
    if hasArrived { return .arrived }
    if isLate { return .isLate(until: due + conditions.quality.reorderBy.microseconds) }
    return .waits(until: isEmpty ? due : max(due, lastDue))
  }

  private func hasRoom(forLength length: Int) -> Bool {
    waiting.count - first + late.count < Self.maximumFrameCount
      && waitingBytes + length <= Self.maximumByteCount
  }

  /// Keeps a waiting frame.
  mutating func keep(_ frame: Frame) {
    lastDue = frame.due
    waitingBytes += frame.bytes.count
    waiting.append(frame)
  }

  /// Keeps a frame that others may overtake.
  mutating func keepReordered(_ frame: Frame) {
    waitingBytes += frame.bytes.count
    late.append(frame)
  }

  /// The arrival time of the next frame, or `nil` if none will arrive with the current conditions.
  var nextDue: Int64? {
    guard conditions.passage != .held else { return nil }
    let next = first < waiting.count ? waiting[first].due : nil
    guard !late.isEmpty else { return next }
    return [next, late.map(\.due).min()].compactMap(\.self).min()
  }

  /// Removes and returns the next frame that has arrived.
  mutating func takeArrived(at now: Int64) -> Frame? {
    guard let nextDue, nextDue <= now else { return nil }
    let frame: Frame
    if let position = late.firstIndex(where: { $0.due == nextDue }) {
      frame = late.remove(at: position)
    } else {
      frame = waiting[first]
      first += 1
    }
    waitingBytes -= frame.bytes.count
    if first == waiting.count || first == Self.maximumFrameCount {
      waiting.removeFirst(first)
      first = 0
    }
    return frame
  }
}
