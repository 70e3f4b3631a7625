public import HandoverMachines

/// How good a network is: what becomes of the packets that pass through it.
///
/// Everything is a whole number, so that it means the same wherever it is played.
public struct LinkQuality: Hashable, Sendable {
  /// How long a packet is under way.
  public var delay = Interval.zero
  /// How many bits pass in a second; nil is as many as there are.
  public var bitsPerSecond: Int64?
  /// How many packets of a million are lost.
  public var lossPerMillion: UInt32 = 0
  /// How many packets are lost one after the other, on average; nil lets each be lost by itself.
  ///
  /// With a number losses follow the model of Gilbert and Elliott with a good state that loses
  /// nothing and a bad one that loses all.
  public var burst: UInt32?
  /// How many packets of a million are late, so that those behind overtake them.
  public var reorderPerMillion: UInt32 = 0
  /// How much later they come.
  public var reorderBy = Self.usualLateness
  /// The longest IP packet that passes; nil lets every packet pass.
  public var mtu: UInt16?
  /// Whether who sends a longer one is told.
  public var mtuSignal = MTUSignal.icmp
  /// When bytes can pass at all; nil lets them at any time.
  public var trace: LinkTrace?
  /// The direction that is meant.
  public var direction = LinkDirection.both

  /// How much later than the others late packets come, where nothing else is said.
  public static let usualLateness = Interval.milliseconds(10)
  /// The MTU that every network must have, which is that of IPv4.
  public static let smallestMTU: UInt16 = 576
  /// The same of a network that carries IPv6 alone (RFC 8200, 5).
  package static let smallestMTU6: UInt16 = 1_280
  /// How many packets a burst can have on average.
  public static let longestBurst: UInt32 = 1_000

  /// A network that does nothing to packets.
  public init() {}

  /// Whether there can be so many losses in bursts of such a length: between two bursts at least
  /// one packet passes.
  public var burstsAreTooShort: Bool {
    guard let burst, lossPerMillion < 1_000_000 else { return false }
    return UInt64(lossPerMillion) * (UInt64(burst) + 1) > UInt64(burst) * 1_000_000
  }
}

/// Which packets of a network are meant.
public enum LinkDirection: String, Hashable, Sendable, CaseIterable {
  /// All of them.
  case both
  /// What the device sends.
  case up
  /// What it receives.
  case down
}

/// What a router does about packets that are too long for the way on.
public enum MTUSignal: String, Hashable, Sendable, CaseIterable {
  /// It says so by ICMP.
  case icmp
  /// It says nothing, and they vanish.
  case none
}

/// When bytes can pass a network: the instants of a recording, again and again.
///
/// The format is that of Mahimahi: a line for each opportunity, which is a time in milliseconds at
/// which ``bytesPerOpportunity`` bytes can pass; the last of them is the length of the recording.
public struct LinkTrace: Hashable, Sendable {
  /// The name of its file.
  public var name: String
  /// The opportunities in milliseconds, none earlier than the one before; empty where the file was
  /// not read.
  public var opportunities: ContiguousArray<UInt32>

  /// How many bytes pass at each.
  public static let bytesPerOpportunity: Int64 = 1_504
  /// How many opportunities there can be.
  public static let maximumCount = 1_000_000
  /// How many bytes a file can have.
  public static let maximumByteCount = 8 << 20
  /// How long a recording can be, in milliseconds.
  public static let longest: UInt32 = 3_600_000

  /// A recording that was not read.
  public init(name: String) {
    self.name = name
    opportunities = []
  }

  /// Why bytes are no recording.
  public struct Problem: Error, Hashable, Sendable {
    /// The reason in words.
    public var reason: String
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - bytes: everything in it.
  /// - Throws: ``Problem`` where it is no recording.
  public init(name: String, bytes: [UInt8]) throws(Problem) {
    self.name = name
    opportunities = []
    guard bytes.count <= Self.maximumByteCount else {
      throw Problem(reason: "it is longer than \(Self.maximumByteCount) bytes")
    }
    let newline = UInt8(ascii: "\n")
    for (index, line) in bytes.split(separator: newline, omittingEmptySubsequences: false)
      .enumerated()
    {
      let digits = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if digits.isEmpty, index > 0 { continue }
      try append(digits, line: index + 1)
    }
    guard let last = opportunities.last else { throw Problem(reason: "it is empty") }
    guard last > 0 else { throw Problem(reason: "it has no length: its last time is 0") }
  }

  private mutating func append(_ digits: ArraySlice<UInt8>, line: Int) throws(Problem) {
    let zero = UInt8(ascii: "0")
    guard (1...9).contains(digits.count), digits.allSatisfy({ (zero...zero + 9).contains($0) })
    else { throw Problem(reason: "line \(line) is no time in whole milliseconds") }
    let time = digits.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - zero) }
    guard time >= opportunities.last ?? 0 else {
      throw Problem(reason: "line \(line) is earlier than the one before it")
    }
    guard time <= Self.longest else {
      throw Problem(reason: "line \(line) is later than an hour")
    }
    guard opportunities.count < Self.maximumCount else {
      throw Problem(reason: "it has more than \(Self.maximumCount) times")
    }
    opportunities.append(time)
  }
}

/// How far the opportunities of a recording are used up: says when bytes are through.
public struct LinkTraceCourse: Hashable, Sendable {
  /// The recording.
  public let trace: LinkTrace
  /// When it began, in microseconds.
  public let start: Int64
  /// The opportunity that is used now, counted through all rounds.
  private var place: Int64 = 0
  /// How many of its bytes are left.
  private var rest: Int64 = 0

  /// Begins a recording, which must have been read, at an instant in microseconds.
  public init(_ trace: LinkTrace, from start: Int64) {
    precondition(!trace.opportunities.isEmpty, "the recording was read")
    self.trace = trace
    self.start = start
    rest = LinkTrace.bytesPerOpportunity
  }

  /// When so many bytes are through that were sent at an instant, behind all of before.
  ///
  /// What is left of an opportunity that is over is lost.
  ///
  /// - Parameters:
  ///   - count: how many bytes.
  ///   - now: when they were sent, in microseconds; never earlier than the time before.
  /// - Returns: when they are through, in microseconds.
  public mutating func end(ofBytes count: Int64, sentAt now: Int64) -> Int64 {
    if time(of: place) < now {
      place = first(notBefore: now)
      rest = LinkTrace.bytesPerOpportunity
    }
    if count > rest {
      let (wholes, last) = (count - rest - 1).quotientAndRemainder(
        dividingBy: LinkTrace.bytesPerOpportunity)
      place += wholes + 1
      rest = LinkTrace.bytesPerOpportunity - last - 1
    } else {
      rest -= count
    }
    return time(of: place)
  }

  /// Takes in how far it is used up.
  package func combine(into digest: inout StateDigest) {
    digest.combine(Instant(microseconds: start))
    digest.combine(place)
    digest.combine(rest)
  }

  private var count: Int64 { Int64(trace.opportunities.count) }
  private var length: Int64 { Int64(trace.opportunities[trace.opportunities.count - 1]) * 1_000 }

  private func time(of place: Int64) -> Int64 {
    let (round, index) = place.quotientAndRemainder(dividingBy: count)
    return start + round * length + Int64(trace.opportunities[Int(index)]) * 1_000
  }

  /// The first opportunity at an instant or later.
  private func first(notBefore now: Int64) -> Int64 {
    let since = max(0, now - start)
    // The end of a round is the beginning of the next, and both have opportunities.
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
