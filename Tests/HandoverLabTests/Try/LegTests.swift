import HandoverCore
import Testing

@testable import HandoverTry

@Suite("The legs of a recovery")
struct LegTests {
  private static func texts(_ verdict: TryVerdict) -> [String] {
    verdict.legs.map { "\($0.kind.rawValue) \($0.length.microseconds / 1_000)" }
  }

  /// The beginning of a TLS 1.3 record of a type, with some content.
  private static func record(_ kind: UInt8) -> [UInt8] { [kind, 3, 3, 0, 2, 0, 0] }

  /// A stream that ends at 5 s, and a new connection with TLS, a query and an answer.
  private static var whole: StreamStory {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.release(7_000)
    let local = FlowEnd(address: FlowStory.wifi, port: 40_001)
    func segment(_ at: Int64, up: Bool, _ sequence: UInt32, flags: UInt8, _ bytes: [UInt8] = []) {
      let (from, to) = up ? (local, FlowStory.server) : (FlowStory.server, local)
      story.story.handle(
        FrameMaker.tcp(from, to, sequence: sequence, flags: flags, bytes), at)
    }
    segment(8_130, up: true, 100, flags: 2)
    segment(8_160, up: false, 500, flags: 0x12)
    segment(8_170, up: true, 101, flags: 0x10, record(22))
    segment(8_200, up: false, 501, flags: 0x10, record(22))
    segment(8_230, up: true, 108, flags: 0x10, record(23))
    segment(8_240, up: true, 115, flags: 0x10, record(23))
    for (count, at) in stride(from: Int64(8_300), to: 35_000, by: 200).enumerated() {
      segment(at, up: false, 508 + 7 * UInt32(count), flags: 0x10, record(23))
    }
    story.evidence = {
      $0.hostNames[FlowStory.server.address] = "api.example"
      $0.lookups = [
        NameLookup(
          at: FlowStory.at(8_050), name: "other.example", answered: FlowStory.at(8_060)),
        NameLookup(at: FlowStory.at(8_100), name: "api.example"),
        NameLookup(
          at: FlowStory.at(8_110), name: "api.example", answered: FlowStory.at(8_125)),
      ]
    }
    return story
  }

  private static let rhythm: ProgramRhythm = {
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 35_000)
    still.evidence = { $0.hostNames[FlowStory.server.address] = "api.example" }
    return ProgramRhythm(still.observation)
  }()

  @Test("All legs follow each other, and their sum is the time of the recovery")
  func whole() throws {
    let verdict = Self.whole.verdict(Self.rhythm)
    #expect(
      Self.texts(verdict) == [
        "notice 2000", "route 1100", "lookup 25", "connect 35", "tls 70", "data 70",
      ])
    let sum = verdict.legs.reduce(Interval.zero) { $0 + $1.length }
    #expect(sum == verdict.recovers && sum == .milliseconds(3_300))
    #expect(verdict.longestLeg == RecoveryLeg(.notice, .seconds(2)))
    #expect(verdict.noticeLeg == verdict.notices)
  }

  @Test("The time in which a program waits for the processor is no pause", arguments: [90, 110])
  func pauses(_ pause: Int64) {
    var story = Self.whole
    story.evidence = {
      $0.hostNames[FlowStory.server.address] = "api.example"
      $0.lookups = [
        NameLookup(
          at: FlowStory.at(7_000 + pause), name: "api.example", answered: FlowStory.at(8_125))
      ]
    }
    let legs = pause < 100 ? ["lookup 1125"] : ["route 110", "lookup 1015"]
    #expect(
      Self.texts(story.verdict(Self.rhythm))
        == ["notice 2000"] + legs + ["connect 35", "tls 70", "data 70"])
  }

  @Test("The time without a network belongs to the route, even of an attempt that is under way")
  func outage() {
    var story = Self.whole
    story.restored = 8_150
    #expect(
      Self.texts(story.verdict(Self.rhythm)) == [
        "notice 2000", "route 1150", "connect 10", "tls 70", "data 70",
      ])
  }

  @Test("A connection that is established during the outage has no route to wait for")
  func passable() {
    var story = Self.whole
    story.restored = 12_000
    #expect(Self.texts(story.verdict(Self.rhythm)).first == "notice 2000")
    #expect(Self.texts(story.verdict(Self.rhythm)).contains("connect 35"))
  }

  @Test("A connection that survives waits for the route and for data")
  func survivor() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 35_000)
    let verdict = story.verdict()
    #expect(Self.texts(verdict) == ["route 8000", "data 1000"])
    #expect(verdict.evidence.contains("; longest leg: route, 8 s"), "\(verdict.evidence)")
  }

  @Test("Without data, only the notice is a leg, and a program without a sign has no legs")
  func nothing() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.owe(6_000)
    #expect(story.verdict().legs.isEmpty && story.verdict().longestLeg == nil)
    story.release(6_500)
    #expect(Self.texts(story.verdict()) == ["notice 1500"])
  }

  @Test("A query is a sign, except of a program that queries regularly")
  func regular() {
    var story = Self.whole
    let lookups = story.observation.lookups
    story.evidence = {
      $0.hostNames[FlowStory.server.address] = "api.example"
      $0.lookups = [NameLookup(at: FlowStory.at(5_500))] + lookups
    }
    #expect(Self.texts(story.verdict(Self.rhythm)).first == "notice 500")
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 35_000)
    still.evidence = {
      $0.hostNames[FlowStory.server.address] = "api.example"
      $0.lookups = [NameLookup(at: FlowStory.at(9_000))]
    }
    #expect(
      Self.texts(story.verdict(ProgramRhythm(still.observation))).first == "notice 2000")
  }

  @Test("The first attempt after a failed one begins with its own query")
  func attempts() {
    var story = Self.whole
    story.story.up(7_500, port: 40_002, from: FlowStory.wifi, sequence: 9, flags: 2)
    let lookups = story.observation.lookups
    story.evidence = {
      $0.hostNames[FlowStory.server.address] = "api.example"
      $0.lookups =
        [
          NameLookup(
            at: FlowStory.at(7_400), name: "api.example", answered: FlowStory.at(7_410))
        ] + lookups
    }
    #expect(
      Self.texts(story.verdict(Self.rhythm)).prefix(3) == [
        "notice 2000", "route 1100", "lookup 25",
      ]
    )
  }

  @Test(
    "Bytes that are no TLS have no TLS leg", arguments: [[UInt8](repeating: 23, count: 40), []])
  func plain(_ bytes: [UInt8]) {
    var records = TLSRecords()
    records.append(bytes[...])
    #expect(!records.hasFinished)
  }
}
