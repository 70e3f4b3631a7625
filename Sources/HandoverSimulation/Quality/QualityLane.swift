import HandoverCore

/// What is sent over a path with a quality, as far as its quality looks at it.
struct Load: Hashable {
  /// How many bytes are carried.
  var byteCount: Int64
  /// How long TCP waits for its acknowledgement before it sends it again; twice as long each time.
  var timeout: Interval

  /// How many bytes of a packet are not carried ones: the headers of IP and TCP.
  static let headerByteCount: Int64 = 40
  /// How many bytes more there are of a packet on a medium with a rate.
  static let frameByteCount: Int64 = 14
  /// How many bytes more there are of a packet in a recording.
  static let recordedByteCount: Int64 = 4
  /// The longest IP packet that anybody sends.
  static let longestPacket: Int64 = 1_500
  /// How many bytes a packet of QUIC carries that validates a path: with its headers 1,228.
  static let probeByteCount: Int64 = 1_188
  /// How long TCP waits for the answer to its first packet.
  static let firstTimeout = Interval.seconds(1)
  /// How much longer than a round trip TCP waits for the acknowledgement of any other.
  static let timeoutBeyondRoundTrip = Interval.milliseconds(200)

  /// How many packets it is, where none is longer than a length.
  func packetCount(_ longest: Int64) -> Int64 {
    max(1, (byteCount + longest - Self.headerByteCount - 1) / (longest - Self.headerByteCount))
  }

  /// How long the longest of its packets is, where none is longer than a length.
  func longestPacket(_ longest: Int64) -> Int64 {
    min(longest, byteCount + Self.headerByteCount)
  }
}

/// One direction of a path with a quality: says of what is sent when it is there.
struct QualityLane: Hashable, Sendable {
  /// How good it is.
  private(set) var quality = LinkQuality()
  private(set) var course: LinkTraceCourse?
  private(set) var generator: SeededGenerator
  private(set) var loss = PacketLoss()
  /// When the last bit that was sent is through.
  private(set) var isFreeAt = Instant.zero

  /// The latest instant at which anything is through; what would be later is not there in any run.
  private static let latest: Int64 = 1 << 60

  init(generator: SeededGenerator) {
    self.generator = generator
  }

  /// It is as good as this from an instant on; a recording begins there.
  mutating func set(_ quality: LinkQuality, at now: Instant) {
    self.quality = quality
    loss = PacketLoss()
    course = quality.trace.map { LinkTraceCourse($0, from: now.microseconds) }
  }

  /// Whether nothing whatever passes.
  var losesEverything: Bool { quality.lossPerMillion >= 1_000_000 }

  /// When a load is there that is sent now.
  ///
  /// Losses make it late, by the worst of its packets: TCP sends those again that were lost, and
  /// hands out what it gets in order.
  ///
  /// - Parameters:
  ///   - load: what is sent.
  ///   - longest: the longest packet that its sender makes.
  ///   - now: the instant.
  ///   - limit: after how long TCP gives up.
  /// - Returns: the instant; nil where it is not there before TCP gives up.
  mutating func arrival(
    of load: Load, longest: Int64, at now: Instant, limit: Interval
  ) -> Instant? {
    let packets = load.packetCount(longest)
    guard let lateness = lateness(of: packets, load.timeout, limit: limit) else { return nil }
    let carried = load.byteCount + packets * Load.headerByteCount
    let begin = max(now.microseconds, isFreeAt.microseconds)
    var free = now.microseconds
    if let rate = quality.bitsPerSecond, rate > 0 {
      let bytes = carried + packets * Load.frameByteCount
      free = begin + bytes * 8_000_000 / rate
    }
    if course != nil {
      let bytes = carried + packets * Load.recordedByteCount
      free = max(free, course?.end(ofBytes: bytes, sentAt: begin) ?? free)
    }
    free = min(free, Self.latest)
    isFreeAt = max(isFreeAt, Instant(microseconds: free))
    return Instant(microseconds: free) + quality.delay + lateness
  }

  /// How much later than at its time the last of some packets is there; nil where TCP gives up.
  private mutating func lateness(
    of packets: Int64, _ timeout: Interval, limit: Interval
  ) -> Interval? {
    guard quality.lossPerMillion > 0 || quality.reorderPerMillion > 0 else { return .zero }
    var worst = Interval.zero
    for _ in 0..<packets {
      var (late, wait) = (Interval.zero, timeout)
      var isSentAgain = loss.takesNext(of: quality, using: &generator)
      while isSentAgain {
        late = late + wait
        wait = wait + wait
        guard late < limit else { return nil }
        // By then a burst is over.
        isSentAgain = generator.hits(perMillion: quality.lossPerMillion)
      }
      if generator.hits(perMillion: quality.reorderPerMillion) { late = late + quality.reorderBy }
      worst = max(worst, late)
    }
    return worst
  }

  /// Takes in what decides when things are through from now on.
  func combine(into digest: inout StateDigest) {
    digest.combine(notBefore: isFreeAt)
    digest.combine(generator.state)
    digest.combine(loss.isInBurst)
    course?.combine(into: &digest)
  }
}
