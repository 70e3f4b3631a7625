import HandoverCore

/// Data that is sent over a path with a quality, reduced to the properties that affect its arrival.
struct Load: Hashable {
  /// The number of bytes of payload.
  var byteCount: Int64
  /// The time that TCP waits for the acknowledgment before the first retransmission.
  ///
  /// It doubles each time.
  var timeout: Interval

  /// The number of header bytes of a packet: IP and TCP.
  static let headerByteCount: Int64 = 40
  /// The number of additional bytes per packet on a medium with a rate.
  static let frameByteCount: Int64 = 14
  /// The number of additional bytes per packet in a recording.
  static let recordedByteCount: Int64 = 4
  /// The longest IP packet that is ever sent.
  static let longestPacket: Int64 = 1_500
  /// The payload size in bytes of a QUIC packet that validates a path.
  ///
  /// With headers it has 1,228 bytes.
  static let probeByteCount: Int64 = 1_188
  /// The time that TCP waits for the response to its first packet.
  static let firstTimeout = Interval.seconds(1)
  /// The time beyond a round trip that TCP waits for the acknowledgment of any other packet.
  static let timeoutBeyondRoundTrip = Interval.milliseconds(200)

  /// Returns the number of packets, if no packet is longer than `longest`.
  func packetCount(_ longest: Int64) -> Int64 {
    max(1, (byteCount + longest - Self.headerByteCount - 1) / (longest - Self.headerByteCount))
  }

  /// Returns the length of the longest packet, if no packet is longer than `longest`.
  func longestPacket(_ longest: Int64) -> Int64 {
    min(longest, byteCount + Self.headerByteCount)
  }
}

/// One direction of a path with a quality, which computes the arrival times of data.
struct QualityLane: Hashable, Sendable {
  /// The quality of this direction.
  private(set) var quality = LinkQuality()
  private(set) var course: LinkTracePlayback?
  private(set) var generator: SeededGenerator
  private(set) var loss = PacketLoss()
  /// The time at which the last bit that was sent has passed.
  private(set) var isFreeAt = Instant.zero

  /// The latest possible arrival time.
  ///
  /// Data that would arrive later arrives in no run.
  private static let latest: Int64 = 1 << 60

  init(generator: SeededGenerator) {
    self.generator = generator
  }

  /// Sets the quality, starting at an instant.
  ///
  /// A recording starts from its beginning.
  mutating func set(_ quality: LinkQuality, at now: Instant) {
    self.quality = quality
    loss = PacketLoss()
    course = quality.trace.map { LinkTracePlayback($0, from: now.microseconds) }
  }

  /// Whether no packet passes at all.
  var losesEverything: Bool { quality.lossPerMillion >= 1_000_000 }

  /// Returns the arrival time of a load that is sent now.
  ///
  /// Losses delay the load by the delay of its worst packet, because TCP retransmits lost packets
  /// and delivers data in order.
  ///
  /// - Parameters:
  ///   - load: the data.
  ///   - longest: the longest packet that the sender produces.
  ///   - now: the current instant.
  ///   - limit: the time after which TCP gives up.
  /// - Returns: the arrival time, or `nil` if TCP gives up first.
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

  /// Returns the delay of the last of some packets, or `nil` if TCP gives up first.
  private mutating func lateness(
    of packets: Int64, _ timeout: Interval, limit: Interval
  ) -> Interval? {
    guard quality.examinesPackets else { return .zero }
    var worst = Interval.zero
    for _ in 0..<packets {
      var (late, wait) = (Interval.zero, timeout)
      var isSentAgain = loss.takesNext(of: quality, using: &generator)
      while isSentAgain {
        late = late + wait
        wait = wait + wait
        guard late < limit else { return nil }
        // A retransmission comes after the end of a burst.
        isSentAgain = generator.hits(perMillion: quality.lossPerMillion)
      }
      if generator.hits(perMillion: quality.reorderPerMillion) { late = late + quality.reorderBy }
      worst = max(worst, late)
    }
    return worst
  }

  /// Adds to a digest the state that determines future arrival times.
  func combine(into digest: inout StateDigest) {
    digest.combine(notBefore: isFreeAt)
    digest.combine(generator.state)
    digest.combine(loss.isInBurst)
    course?.combine(into: &digest)
  }
}

extension LinkQuality {
  /// Whether each packet is examined on its own, which counts as work of the run.
  var examinesPackets: Bool { lossPerMillion > 0 || reorderPerMillion > 0 }
}
