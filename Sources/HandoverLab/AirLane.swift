public import HandoverCore

/// What a medium does to the frames that pass through it, in each direction.
public struct LinkConditions: Hashable, Sendable {
  /// How good it is.
  public var quality = LinkQuality()
  /// Whether frames pass at all.
  public var passage = Passage.open
  /// How long a flow is known to a firewall that carries nothing; nil has no firewall.
  public var idle: Interval?

  /// How long a frame is under way.
  public var delay: Interval {
    get { quality.delay }
    set { quality.delay = newValue }
  }
  /// How many bits pass in a second; nil is as many as there are.
  public var bitsPerSecond: Int64? {
    get { quality.bitsPerSecond }
    set { quality.bitsPerSecond = newValue }
  }
  /// How many frames of a million are lost.
  public var lossPerMillion: UInt32 {
    get { quality.lossPerMillion }
    set { quality.lossPerMillion = newValue }
  }

  /// Whether frames pass.
  public enum Passage: Hashable, Sendable {
    /// They pass.
    case open
    /// They wait until it is open again.
    case held
    /// They are lost.
    case closed
  }

  /// A medium that does nothing to frames.
  public init() {}
}

extension LinkQuality {
  /// Whether each packet counts, so that a large segment must be made the packets it stands for.
  var looksAtPackets: Bool {
    bitsPerSecond != nil || lossPerMillion > 0 || reorderPerMillion > 0 || mtu != nil
      || trace != nil
  }
}

/// One direction of a medium: says of each frame when it arrives, and keeps those that wait.
struct AirLane {
  /// A frame under way.
  struct Frame: Hashable {
    /// The frame, with whatever stands before it.
    var bytes: [UInt8]
    /// The port it came in by.
    var port: Int
    /// When it arrives, in microseconds.
    var due: Int64
  }

  /// What becomes of a frame.
  enum Fate: Hashable {
    /// It never arrives.
    case lost
    /// It has arrived.
    case arrived
    /// It arrives at this time, in microseconds.
    case waits(until: Int64)
    /// It arrives at this time, and what comes in after it may be there before.
    case isLate(until: Int64)
  }

  /// What happens to frames that come in from now on.
  var conditions = LinkConditions()
  private var course: LinkTraceCourse?
  private var generator: SeededGenerator
  private var loss = PacketLoss()
  private var waiting: [Frame] = []
  private var first = 0
  private var waitingBytes = 0
  /// Those that others may overtake, in no order; they count among those that wait.
  private var late: [Frame] = []
  /// When the last bit that was sent is through.
  private var isFreeAt: Int64 = 0
  /// No frame arrives before one that came in earlier, unless that one is late.
  private var lastDue: Int64 = 0

  /// How many frames wait at most; what comes in beyond is lost.
  static let maximumFrameCount = 4_096
  /// How many bytes wait at most.
  static let maximumByteCount = 16 << 20
  /// How many bytes of a frame a recording does not count: it has four before each packet.
  private static let uncountedByTrace = 10

  init(generator: SeededGenerator) {
    self.generator = generator
  }

  /// Sets what happens to frames from an instant on; a recording begins there.
  mutating func set(_ conditions: LinkConditions, at now: Int64) {
    self.conditions = conditions
    course = conditions.quality.trace.flatMap {
      $0.opportunities.isEmpty ? nil : LinkTraceCourse($0, from: now)
    }
  }

  /// Whether frames pass, and are late or lost by what the quality says.
  var changesFrames: Bool {
    conditions.passage == .open
      && (conditions.delay > .zero || conditions.quality.looksAtPackets)
  }

  /// Decides what becomes of a frame that comes in.
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
    // Only what is sent takes up the medium; what finds no room never was on it.
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

  /// Keeps a frame that waits.
  mutating func keep(_ frame: Frame) {
    lastDue = frame.due
    waitingBytes += frame.bytes.count
    waiting.append(frame)
  }

  /// Keeps a frame that others may overtake.
  mutating func keepLate(_ frame: Frame) {
    waitingBytes += frame.bytes.count
    late.append(frame)
  }

  /// When the next frame arrives; nil where none will as things stand.
  var nextDue: Int64? {
    guard conditions.passage != .held else { return nil }
    let next = first < waiting.count ? waiting[first].due : nil
    guard !late.isEmpty else { return next }
    return [next, late.map(\.due).min()].compactMap(\.self).min()
  }

  /// Takes the next frame that has arrived.
  mutating func takeArrived(at now: Int64) -> Frame? {
    guard let nextDue, nextDue <= now else { return nil }
    let frame: Frame
    if let place = late.firstIndex(where: { $0.due == nextDue }) {
      frame = late.remove(at: place)
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
