public import HandoverCore

/// What a medium does to the frames that pass through it, in each direction.
public struct LinkConditions: Hashable, Sendable {
  /// How long a frame is under way.
  public var delay = Interval.zero
  /// How many bits pass in a second; nil is as many as there are.
  public var bitsPerSecond: Int64?
  /// How many frames of a million are lost.
  ///
  /// A frame may be a large segment that a real link would carry in many pieces.
  public var lossPerMillion: UInt32 = 0
  /// Whether frames pass at all.
  public var passage = Passage.open

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
  }

  /// What happens to frames that come in from now on.
  var conditions = LinkConditions()
  private var generator: SeededGenerator
  private var waiting: [Frame] = []
  private var first = 0
  private var waitingBytes = 0
  /// When the last bit that was sent is through.
  private var isFreeAt: Int64 = 0
  /// No frame arrives before one that came in earlier.
  private var lastDue: Int64 = 0

  /// How many frames wait at most; what comes in beyond is lost.
  static let maximumFrameCount = 4_096
  /// How many bytes wait at most.
  static let maximumByteCount = 16 << 20

  init(generator: SeededGenerator) {
    self.generator = generator
  }

  /// Decides what becomes of a frame that comes in.
  mutating func fate(ofLength length: Int, at now: Int64) -> Fate {
    if conditions.passage == .closed { return .lost }
    if conditions.lossPerMillion > 0,
      generator.next(upToAndIncluding: 999_999) < UInt64(conditions.lossPerMillion)
    {
      return .lost
    }
    let isEmpty = first == waiting.count
    var freeAt = now
    if let rate = conditions.bitsPerSecond, rate > 0 {
      freeAt = max(now, isFreeAt) + Int64(length) * 8_000_000 / rate
    }
    let due = freeAt + conditions.delay.microseconds
    let hasArrived = isEmpty && due == now && conditions.passage == .open
    guard hasArrived || hasRoom(forLength: length) else { return .lost }
    // Only what is sent takes up the medium; what finds no room never was on it.
    isFreeAt = max(isFreeAt, freeAt)
    if hasArrived { return .arrived }
    return .waits(until: isEmpty ? due : max(due, lastDue))
  }

  private func hasRoom(forLength length: Int) -> Bool {
    waiting.count - first < Self.maximumFrameCount
      && waitingBytes + length <= Self.maximumByteCount
  }

  /// Keeps a frame that waits.
  mutating func keep(_ frame: Frame) {
    lastDue = frame.due
    waitingBytes += frame.bytes.count
    waiting.append(frame)
  }

  /// When the next frame arrives; nil where none will as things stand.
  var nextDue: Int64? {
    first < waiting.count && conditions.passage != .held ? waiting[first].due : nil
  }

  /// Takes the next frame that has arrived.
  mutating func takeArrived(at now: Int64) -> Frame? {
    guard let nextDue, nextDue <= now else { return nil }
    let frame = waiting[first]
    waitingBytes -= frame.bytes.count
    first += 1
    if first == waiting.count || first == Self.maximumFrameCount {
      waiting.removeFirst(first)
      first = 0
    }
    return frame
  }
}
