/// The quality of a network: its effect on the packets that pass through it.
///
/// All values are integers, so that they mean the same in the simulation and on a kernel.
public struct LinkQuality: Hashable, Sendable {
  /// The one-way delay of a packet.
  public var delay = Interval.zero
  /// The bandwidth in bits per second, or `nil` if unlimited.
  public var bitsPerSecond: Int64?
  /// The number of lost packets per million.
  public var lossPerMillion: UInt32 = 0
  /// The mean number of consecutive lost packets, or `nil` for independent losses.
  ///
  /// If there is a value, losses follow the Gilbert-Elliott model: the good state loses no packets,
  /// and the bad state loses all.
  public var burst: UInt32?
  /// The number of delayed packets per million, which later packets overtake.
  public var reorderPerMillion: UInt32 = 0
  /// The additional delay of reordered packets.
  public var reorderBy = Self.defaultLateness
  /// The length of the longest IP packet that passes, or `nil` if there is no limit.
  public var mtu: UInt16?
  /// Whether the sender of a packet that is too long is notified.
  public var mtuSignal = MTUSignal.icmp
  /// The opportunities at which bytes can pass, or `nil` if they can pass at any time.
  public var trace: LinkTrace?
  /// The direction to which the quality applies.
  public var direction = LinkDirection.both

  /// The default additional delay of reordered packets.
  public static let defaultLateness = Interval.milliseconds(10)
  /// The minimum MTU of every network, which is that of IPv4.
  public static let minimumMTU: UInt16 = 576
  /// The minimum MTU of a network that carries only IPv6 (RFC 8200, 5).
  package static let minimumMTU6: UInt16 = 1_280
  /// The maximum mean length of a burst, in packets.
  public static let maximumBurst: UInt32 = 1_000

  /// Creates a quality that delivers packets unchanged.
  public init() {}

  /// Whether the bursts are too short for the loss rate.
  ///
  /// At least one packet must pass between two bursts.
  public var burstsAreTooShort: Bool {
    guard let burst, lossPerMillion < 1_000_000 else { return false }
    return UInt64(lossPerMillion) * (UInt64(burst) + 1) > UInt64(burst) * 1_000_000
  }
}

/// The direction of the packets that a quality applies to.
public enum LinkDirection: String, Hashable, Sendable, CaseIterable {
  /// Both directions.
  case both
  /// Packets that the device sends.
  case up
  /// Packets that the device receives.
  case down
}

/// The reaction of a router to packets that exceed the MTU of the next hop.
public enum MTUSignal: String, Hashable, Sendable, CaseIterable {
  /// The router sends an ICMP error.
  case icmp
  /// The router drops the packets silently.
  case none
}

/// The instants at which bytes can pass a network, as a recording that repeats.
///
/// The format is that of Mahimahi. Each line is an opportunity: a time in milliseconds at which
/// ``bytesPerOpportunity`` bytes can pass. The last time is the length of the recording.
public struct LinkTrace: Hashable, Sendable {
  /// The name of the trace file.
  public var name: String
  /// The times of the opportunities in milliseconds, in ascending order; empty if the file was not
  /// read.
  public var opportunities: ContiguousArray<UInt32>

  /// The number of bytes that pass at each opportunity.
  public static let bytesPerOpportunity: Int64 = 1_504
  /// The maximum number of opportunities.
  public static let maximumCount = 1_000_000
  /// The maximum size of a file, in bytes.
  public static let maximumByteCount = 8 << 20
  /// The maximum length of a recording, in milliseconds.
  public static let maximumMilliseconds: UInt32 = 3_600_000

  /// Creates a trace whose file has not been read.
  public init(name: String) {
    self.name = name
    opportunities = []
  }

  /// The reason why bytes are not a valid recording.
  public struct Problem: Error, Hashable, Sendable {
    /// The reason, as a phrase for messages.
    public var reason: String
  }

  /// Parses a trace file.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - bytes: the contents of the file.
  /// - Throws: ``Problem`` if the contents are not a valid recording.
  public init(name: String, bytes: [UInt8]) throws(Problem) {
    self.name = name
    opportunities = []
    guard bytes.count <= Self.maximumByteCount else {
      throw Problem(reason: "it is longer than \(Self.maximumByteCount) bytes")
    }
    guard !bytes.isEmpty else { throw Problem(reason: "it is empty") }
    for (index, line) in bytes.split(separator: .lineFeed, omittingEmptySubsequences: false)
      .enumerated()
    {
      let digits = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if digits.isEmpty, index > 0 { continue }
      try append(digits, line: index + 1)
    }
    guard opportunities.last != 0 else {
      throw Problem(reason: "its last time is 0, so it has no length")
    }
  }

  private mutating func append(_ digits: ArraySlice<UInt8>, line: Int) throws(Problem) {
    guard (1...9).contains(digits.count), digits.allSatisfy(\.isDigit)
    else { throw Problem(reason: "line \(line) is not a time in whole milliseconds") }
    let time = digits.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    guard time >= opportunities.last ?? 0 else {
      throw Problem(reason: "line \(line) is earlier than the one before it")
    }
    guard time <= Self.maximumMilliseconds else {
      throw Problem(reason: "line \(line) is later than an hour")
    }
    guard opportunities.count < Self.maximumCount else {
      throw Problem(reason: "it has more than \(Self.maximumCount) times")
    }
    opportunities.append(time)
  }
}

/// The position in a recording, which determines when bytes have passed.
public struct LinkTracePlayback: Hashable, Sendable {
  /// The recording.
  public let trace: LinkTrace
  /// The start of the recording, in microseconds.
  public let start: Int64
  /// The index of the current opportunity, counted across repetitions.
  private var position: Int64 = 0
  /// The number of unused bytes of the current opportunity.
  private var rest: Int64 = 0

  /// Starts a recording at an instant in microseconds; the trace must have been read.
  public init(_ trace: LinkTrace, from start: Int64) {
    precondition(!trace.opportunities.isEmpty, "the recording must not be empty")
    self.trace = trace
    self.start = start
    rest = LinkTrace.bytesPerOpportunity
  }

  /// Returns the time at which bytes have passed, after all bytes sent before them.
  ///
  /// Unused capacity of a past opportunity is lost.
  ///
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - now: the time at which the bytes were sent, in microseconds; never earlier than in the
  ///     previous call.
  /// - Returns: the time at which the bytes have passed, in microseconds.
  public mutating func end(ofBytes count: Int64, sentAt now: Int64) -> Int64 {
    if time(of: position) < now {
      position = first(notBefore: now)
      rest = LinkTrace.bytesPerOpportunity
    }
    if count > rest {
      let (wholes, last) = (count - rest - 1).quotientAndRemainder(
        dividingBy: LinkTrace.bytesPerOpportunity)
      position += wholes + 1
      rest = LinkTrace.bytesPerOpportunity - last - 1
    } else {
      rest -= count
    }
    return time(of: position)
  }

  /// Adds the position to a fingerprint.
  package func combine(into digest: inout StateDigest) {
    digest.combine(Instant(microseconds: start))
    digest.combine(position)
    digest.combine(rest)
  }

  private var count: Int64 { Int64(trace.opportunities.count) }
  private var length: Int64 { Int64(trace.opportunities[trace.opportunities.count - 1]) * 1_000 }

  private func time(of position: Int64) -> Int64 {
    let (round, index) = position.quotientAndRemainder(dividingBy: count)
    return start + round * length + Int64(trace.opportunities[Int(index)]) * 1_000
  }

  /// Returns the first opportunity at or after an instant.
  private func first(notBefore now: Int64) -> Int64 {
    let since = max(0, now - start)
    // The end of a repetition is the beginning of the next, and both have opportunities.
    let round = max(0, (since - 1) / length)
    let wanted = since - round * length
    var (low, high) = (0, trace.opportunities.count)
    while low < high {
      let middle = (low + high) / 2
      if Int64(trace.opportunities[middle]) * 1_000 < wanted {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return round * count + Int64(low)
  }
}
