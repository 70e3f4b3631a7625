import HandoverCore
import HandoverLab
@testable import HandoverNetlink
import HandoverScenario
import Testing

@Suite("Imports of delay and loss from ping")
struct PingImportTests {
  private static func imported(_ lines: [String]) throws(ImportError) -> QualityRecording {
    try QualityRecording(
      importingPing: Array(lines.joined(separator: "\n").utf8), named: "ping.txt")
  }

  private static func moment(
    _ milliseconds: Int64, delay: Int64, loss: UInt32
  ) -> QualityRecording.Moment {
    var quality = LinkQuality()
    quality.delay = Interval(microseconds: delay)
    quality.lossPerMillion = loss
    return QualityRecording.Moment(time: .milliseconds(milliseconds), quality: quality)
  }

  /// The packets 1 and 3 are answered, and 2 is lost.
  private static let outputs = [
    [
      "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.",
      "[100.000000] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=12.3 ms",
      "[102.000000] no answer yet for icmp_seq=2",
      "[102.000000] 64 bytes from 192.0.2.1: icmp_seq=3 ttl=64 time=12.3 ms", "",
      "3 packets transmitted, 2 received, 33.3333% packet loss, time 2003ms",
      "rtt min/avg/max/mdev = 12.3/12.3/12.3/0.000 ms",
    ],
    [
      "64 bytes from host.example (2001:db8:10:20:30::1): icmp_seq=1 ttl=64 time=12.3 ms",
      "64 bytes from host.example (2001:db8:10:20:30::1): icmp_seq=3 ttl=64 time=12.3 ms",
    ],
    [
      "64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=12.300 ms",
      "Request timeout for icmp_seq 2",
      "64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=12.300 ms",
    ],
    [
      "Reply from 192.0.2.1: bytes=32 time=12ms TTL=57", "Request timed out.",
      "Reply from 192.0.2.1: bytes=32 time=12ms TTL=57",
    ],
    [
      "64 bytes from 192.0.2.1: seq=1 ttl=64 time=12.345 ms",
      "64 bytes from 192.0.2.1: seq=3 ttl=64 time=12.345 ms",
      "64 bytes from 192.0.2.1: seq=3 ttl=64 time=40.000 ms (DUP!)",
    ],
  ]

  @Test("The layouts of Linux, macOS, Windows and BusyBox give the same result", arguments: outputs)
  func layouts(lines: [String]) throws {
    let recording = try Self.imported(lines)
    // Two of three packets are answered, so 81.6 % pass in each direction.
    #expect(recording.moments == [Self.moment(0, delay: 6_000, loss: 184_000)])
    #expect(recording.isTimed == lines[0].hasPrefix("PING"))
  }

  @Test("The answers of each ten packets give an entry, and no answer gives the earlier delay")
  func windows() throws {
    func line(_ sequence: Int, _ roundTrip: Int) -> String {
      let time = sequence * 200 + roundTrip
      let stamp = "\(time / 1_000).\(String(time % 1_000 + 1_000).dropFirst())"
      return "[\(stamp)] 64 bytes from h: icmp_seq=\(sequence) ttl=64 time=\(roundTrip) ms"
    }
    let answered = (1...10).map { line($0, 40) } + (11...20).map { line($0, 40) }
    // The packets 21 to 30 are lost, and one of the next ten.
    let later = (31...40).filter { $0 != 33 }.map { line($0, $0 == 31 ? 500 : 90) }
    #expect(
      try Self.imported(answered + later).moments == [
        Self.moment(0, delay: 20_000, loss: 0), Self.moment(4_000, delay: 20_000, loss: 1_000_000),
        Self.moment(6_000, delay: 45_000, loss: 51_000),
      ])
  }

  @Test("Sequence numbers continue after 65535, and answers may arrive in another order")
  func sequences() throws {
    let numbers = [65_534, 65_535, 1, 0, 2]
    let recording = try Self.imported(
      numbers.map { "64 bytes from h: icmp_seq=\($0) ttl=64 time=10 ms" })
    #expect(recording.moments == [Self.moment(0, delay: 5_000, loss: 0)])
  }

  @Test(
    "A drawn sequence of answers gives the shares and medians of its windows", arguments: 0..<40)
  func windowsOfDrawnAnswers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func drawn(_ range: ClosedRange<Int>) -> Int {
      range.lowerBound + Int(generator.next(upToAndIncluding: UInt64(range.count - 1)))
    }
    let spacing = drawn(50...2_000)
    let roundTrips = (0..<drawn(1...200)).map { position -> Int? in
      // The first and the last packet are answered, because only answers show a packet.
      let isLost = position > 0 && drawn(0...2) == 0
      return isLost ? nil : drawn(1...900)
    }
    let last = try #require(roundTrips.lastIndex { $0 != nil })
    let lines = roundTrips.enumerated().compactMap { position, roundTrip -> String? in
      guard let roundTrip else { return nil }
      let time = 1_000_000 + position * spacing + roundTrip
      return "[\(time / 1_000).\(String(time % 1_000 + 1_000).dropFirst())] 64 bytes from h: "
        + "icmp_seq=\(position) ttl=64 time=\(roundTrip) ms"
    }
    var wanted: [QualityRecording.Moment] = []
    var delay: Int64 = 0
    for start in stride(from: 0, through: last, by: 10) {
      let window = roundTrips[start...min(start + 9, last)]
      let known = window.compactMap(\.self).sorted()
      if !known.isEmpty { delay = Int64(known[known.count / 2] / 2) * 1_000 }
      let passing = (Double(known.count) / Double(window.count)).squareRoot()
      let loss = UInt32(((1 - passing) * 1_000).rounded()) * 1_000
      let moment = Self.moment(Int64(start * spacing), delay: delay, loss: loss)
      if wanted.last?.quality != moment.quality { wanted.append(moment) }
    }
    let moments = try Self.imported(lines).moments
    #expect(moments.map(\.quality) == wanted.map(\.quality), "seed \(seed)")
    // The time of a lost packet is an estimate.
    for (moment, expected) in zip(moments, wanted) {
      let difference = moment.time.microseconds - expected.time.microseconds
      #expect(abs(difference) <= 2_000, "seed \(seed)")
    }
  }

  @Test("The scenario is valid, and a network change of handover try")
  func scenario() throws {
    let recording = try Self.imported(Self.outputs[0])
    let text = recording.scenario(id: "walk").text
    let reading = ScenarioReader.read(file: "walk.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)")
    #expect(reading.diagnostics.map(\.description) == [])
    #expect(scenario.script.entries.count == 2)
    _ = try TryMove(name: "walk", title: "walk", scenario.script)
  }

  @Test(
    "A file that is no output of ping is refused with its line",
    arguments: [
      (["hello"], "no line is an answer to a packet of ping"),
      (["Request timeout for icmp_seq 2"], "no line is an answer to a packet of ping"),
      (
        [
          "[1.0] 64 bytes from h: icmp_seq=1 ttl=64 time=1 ms",
          "64 bytes from h: icmp_seq=2 ttl=64 time=1 ms",
        ], "some answers have a time, and others have none"
      ),
      (
        (0..<40).map { "64 bytes from h: icmp_seq=\($0 * 30000 % 65536) ttl=64 time=1 ms" },
        "the file has more than 864000 packets"
      ),
      (
        [
          "[1.0] 64 bytes from h: icmp_seq=1 ttl=64 time=1 ms",
          "[999999999999.0] 64 bytes from h: icmp_seq=11 ttl=64 time=2 ms",
        ], "the recording is longer than 1000000h"
      ),
    ])
  func refused(lines: [String], message: String) throws {
    let error = try #require(throws: ImportError.self) { try Self.imported(lines) }
    #expect(error.message == message)
  }
}
