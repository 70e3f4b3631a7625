import HandoverCore
import HandoverScenario

/// Reads the output of `ping`: which packets were answered, when, and after what time.
///
/// The formats of Linux, BusyBox, macOS and Windows are understood; other lines are ignored. Either
/// all answers have a time at the beginning of their line, as with `ping -D`, or none has. Without
/// times, the packets are assumed to be one second apart.
struct PingLog {
  /// A packet that was answered.
  struct Answer: Hashable {
    /// The time at which it was sent, in microseconds since an arbitrary origin.
    var sentAt: Int64
    /// The round-trip time in microseconds.
    var roundTrip: Int64
  }

  /// The answers by sequence number.
  private(set) var answers: [Int64: Answer] = [:]  // lookup only
  /// The sequence numbers of the first and the last packet.
  private(set) var range: ClosedRange<Int64>
  /// Whether the lines have times.
  let isTimed: Bool

  /// The assumed time between two packets, in microseconds, if the lines have no times.
  private static let interval: Int64 = 1_000_000
  /// The number of sequence numbers, after which they begin again.
  private static let sequenceCount: Int64 = 65_536
  /// The maximum number of packets, which is a day of ten per second.
  static let maximumCount: Int64 = 864_000

  init(_ file: ImportFile) throws(ImportError) {
    var answers: [Int64: Answer] = [:]
    var bounds: ClosedRange<Int64>?
    var isTimed: Bool?
    try file.forEachLine { (number, line) throws(ImportError) in
      let line = line[...]
      let roundTrip = Self.roundTrip(in: line)
      guard roundTrip != nil || Self.isLost(line) else { return }
      var sequence = Self.sequence(in: line) ?? bounds.map { $0.upperBound + 1 } ?? 0
      if let last = bounds?.upperBound {
        // Sequence numbers have 16 bits.
        while sequence < last - Self.sequenceCount / 2 { sequence += Self.sequenceCount }
      }
      let first = min(bounds?.lowerBound ?? sequence, sequence)
      let last = max(bounds?.upperBound ?? sequence, sequence)
      guard last - first < Self.maximumCount else {
        throw file.error(
          .line(number), "the file has more than \(Self.maximumCount) packets",
          hint: "import a part of the file")
      }
      bounds = first...last
      guard let roundTrip, answers[sequence] == nil else { return }
      let stamp = Self.time(of: line)
      guard isTimed ?? (stamp != nil) == (stamp != nil) else {
        throw file.error(
          .line(number), "some answers have a time, and others have none",
          hint: "use `ping -D` for all of them, or for none")
      }
      isTimed = stamp != nil
      let sentAt = stamp.map { $0.microseconds - roundTrip } ?? sequence * Self.interval
      answers[sequence] = Answer(sentAt: sentAt, roundTrip: roundTrip)
    }
    guard let bounds, !answers.isEmpty else {
      throw file.error(.line(1), "no line is an answer to a packet of ping")
    }
    self.answers = answers
    self.isTimed = isTimed ?? false
    range = bounds
  }

  /// The times at which all packets were sent, in microseconds since the first one.
  ///
  /// The time of a lost packet follows from those before and after it.
  var sendTimes: [Int64] {
    let known = range.filter { answers[$0] != nil }
    let spacings = zip(known, known.dropFirst()).map { before, after in
      ((answers[after]?.sentAt ?? 0) - (answers[before]?.sentAt ?? 0)) / (after - before)
    }.sorted()
    let spacing = spacings.isEmpty ? Self.interval : max(0, spacings[spacings.count / 2])
    // Packets before the first answer are lost, too.
    var next = (answers[known[0]]?.sentAt ?? 0) - (known[0] - range.lowerBound) * spacing
    let start = next
    var times: [Int64] = []
    for sequence in range {
      // A clock that is set back does not reverse the order.
      let time = max(answers[sequence]?.sentAt ?? next, start + (times.last ?? 0))
      times.append(time - start)
      next = time + spacing
    }
    return times
  }

  // MARK: Lines

  /// Returns the round-trip time of an answer: `time=12.3 ms`, `time=12ms` or `time<1ms`.
  private static func roundTrip(in line: Substring) -> Int64? {
    // The further answers to one packet are no measurement of a loss.
    guard !line.contains("DUP!"),
      let match = line.firstMatch(of: /time[=<](\d{1,6})(?:(\.\d{1,3})\d{0,3})? ?ms\b/)
    else { return nil }
    return TimeNotation.interval("\(match.1)\(match.2 ?? "")ms")?.microseconds
  }

  /// Returns the time at the beginning of an answer, before the address that answered.
  private static func time(of line: Substring) -> Timestamp? {
    let end = line.firstRange(of: /(\d+ bytes|Reply) from/)?.lowerBound ?? line.startIndex
    return Timestamp.first(in: line[..<end])?.time ?? Timestamp(seconds: line[..<end])
  }

  private static func isLost(_ line: Substring) -> Bool {
    line.contains("no answer yet") || line.contains("Request time") || line.contains("nreachable")
  }

  /// Returns the sequence number: `icmp_seq=3`, `icmp_seq 3` or `seq=3`.
  private static func sequence(in line: Substring) -> Int64? {
    line.firstMatch(of: /seq[= ](\d{1,5})\b/).flatMap { Int64($0.1) }
  }
}
