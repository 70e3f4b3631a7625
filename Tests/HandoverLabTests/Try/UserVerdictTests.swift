import HandoverCore
import Testing

@testable import HandoverTry

/// Cases from the definitions of what the user of a program experiences.
///
/// The network changes at 5 s, and the watch ends at 35 s, as in `StreamStory`.
@Suite("Verdicts from the user's point of view")
struct UserVerdictTests {
  private static let other = FlowEnd(address: 0xCB00_7102, port: 443)
  private static let third = FlowEnd(address: 0xCB00_7103, port: 443)

  /// Assigns a name to each server.
  private static func nameServers(_ observation: inout TryObservation) {
    observation.hostNames = [
      FlowStory.server.address: "api.example", other.address: "push.example",
      third.address: "backup.example",
    ]
  }

  /// Returns the rhythm of a program in a story without a network change.
  private static func rhythm(_ describe: (inout StreamStory) -> Void) -> ProgramRhythm {
    var still = StreamStory()
    still.moved = nil
    still.evidence = nameServers
    describe(&still)
    return ProgramRhythm(still.observation)
  }

  /// A stream from `api.example` until the change.
  private static var stream: StreamStory {
    var story = StreamStory()
    story.evidence = nameServers
    story.stream(0, 5_000)
    return story
  }

  private static let drip = rhythm { $0.stream(0, 35_000) }

  @Test("A diagram names a connection by its server")
  func connectionName() {
    let timeline = Self.stream.observation.timeline(changes: [], lines: [])
    #expect(
      timeline.connections.map { $0.name.hasSuffix(" to api.example:\(FlowStory.server.port)") }
        == [true], "\(timeline.connections)")
  }

  // MARK: Programs that do not recover

  @Test("A live program without an attempt GIVES UP")
  func stops() {
    var story = Self.stream
    story.release(7_000)
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .givesUp && verdict.isFailure)
    #expect(verdict.evidence == "alive, but no attempt since the change")
  }

  @Test(
    "A program that tries but has not recovered is LATE, with any kind of attempt",
    arguments: ["lookup", "unframed", "connection"])
  func triesInVain(_ kind: String) {
    var story = Self.stream
    story.release(6_000)
    if kind == "connection" {
      story.story.up(11_000, port: 40_001, from: FlowStory.wifi, sequence: 9, flags: 2)
      story.story.down(
        11_001, port: 40_001, to: FlowStory.wifi, sequence: 1, flags: 0x14, acknowledgement: 10)
    }
    story.evidence = { observation in
      Self.nameServers(&observation)
      if kind == "lookup" { observation.lookups = [NameLookup(at: FlowStory.at(11_000))] }
      if kind == "unframed" {
        observation.unframedAttempts = [.init(at: FlowStory.at(11_000), count: 4)]
      }
    }
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .late && verdict.isFailure)
    #expect(verdict.recovers == nil && verdict.outageOfProgram == nil)
    #expect(verdict.evidence == "not back within 30 s; last attempt 24 s ago")
    #expect(verdict.attempts == (kind == "lookup" ? 0 : kind == "unframed" ? 4 : 1))
  }

  @Test("Failed attempts beside a connection that continues are not new connections")
  func triesBesideASurvivor() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 35_000)
    story.evidence = { $0.unframedAttempts = [.init(at: FlowStory.at(6_000), count: 6)] }
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .unharmed && verdict.attempts == 6)
    #expect(verdict.evidence.hasPrefix("no connection lost, silent "))
  }

  @Test("An attempt before the change does not count")
  func triedBefore() {
    var story = Self.stream
    story.release(6_000)
    story.evidence = { observation in
      Self.nameServers(&observation)
      observation.lookups = [NameLookup(at: FlowStory.at(100))]
      observation.unframedAttempts = [.init(at: FlowStory.at(100), count: 4)]
    }
    #expect(story.verdict(Self.drip).outcome == .givesUp)
    #expect(story.verdict(Self.drip).attempts == 0)
  }

  @Test("A program that exits with an error GIVES UP, even if data came back before")
  func fails() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 20_000)
    story.release(20_100)
    story.programEnd = (20_200, "status 1")
    let verdict = story.verdict()
    #expect(verdict.outcome == .givesUp)
    #expect(
      verdict.evidence
        == "ended (status 1 after 15.2 s); before, data again without a new connection")
    story.programEnd = (20_200, "status 0")
    #expect(story.verdict().outcome == .unharmed)
  }

  @Test("An error later than the watch of the unmodified run proves nothing")
  func failsLate() {
    var story = StreamStory.thereAndBack
    story.end = 43_000
    story.stream(0, 5_000)
    story.drip(14_000, 40_000)
    story.release(40_050)
    story.programEnd = (40_100, "status 124")
    #expect(story.verdict().outcome == .unharmed)
  }

  @Test("A program that exits as usual, but received nothing for long, GIVES UP")
  func endsAsAlways() {
    let rhythm = Self.rhythm { still in
      still.stream(0, 25_000)
      still.programEnd = (25_000, "status 28")
    }
    var story = Self.stream
    story.programEnd = (25_000, "status 28")
    #expect(story.verdict(rhythm).outcome == .givesUp)
  }

  // MARK: Endpoints

  @Test("Of several servers, the one without data makes the program hang, and is named")
  func oneHangs() {
    let rhythm = Self.rhythm { still in
      still.stream(0, 35_000)
      still.turn(to: Self.other)
      still.stream(0, 35_000, port: 40_010)
    }
    var story = Self.stream
    story.turn(to: Self.other)
    story.stream(0, 5_000, port: 40_010)
    story.owe(6_000, port: 40_010)
    story.turn(to: FlowStory.server)
    story.release(7_000)
    story.stream(7_000, 35_000, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict(rhythm)
    #expect(verdict.outcome == .hangs)
    #expect(verdict.evidence.hasPrefix("push.example:443: waits on the dead connection"))
    // The story continues with data from both servers.
    story.turn(to: Self.other)
    story.stream(7_000, 35_000, port: 40_011, at: FlowStory.wifi)
    let recovered = story.verdict(rhythm)
    #expect(recovered.outcome == .recovers)
    #expect(recovered.notes == [.keepsDeadConnection(count: 1)])
  }

  @Test("A server that sends no later data in the unmodified run is not missed")
  func notMissed() {
    let rhythm = Self.rhythm { still in
      still.stream(0, 35_000)
      still.turn(to: Self.other)
      still.stream(0, 4_000, port: 40_010)
    }
    var story = StreamStory.thereAndBack
    story.evidence = Self.nameServers
    story.stream(0, 5_000)
    story.drip(14_000, 35_000)
    story.turn(to: Self.other)
    story.stream(0, 4_000, port: 40_010)
    #expect(story.verdict(rhythm).outcome == .unharmed)
  }

  @Test("Data from a server that replaces the old one is a recovery with a note")
  func failsOver() {
    var story = Self.stream
    story.release(7_000)
    story.turn(to: Self.third)
    story.stream(7_500, 35_000, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .recovers)
    #expect(
      verdict.evidence == "data again with 1 new connection; longest leg: notice, 2 s; "
        + "failed over from api.example:80 to backup.example:443")
  }

  // MARK: Working connections that are not read

  @Test("A program that stops reading hangs, although its connection works")
  func stopsReading() {
    var story = StreamStory.thereAndBack
    story.evidence = { observation in
      Self.nameServers(&observation)
      observation.serverBacklogs = [
        ServerBacklog(ends: FlowStory.ends(), bytes: 90_000)
      ]
    }
    story.stream(0, 5_000)
    story.drip(14_000, 15_000)
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .hangs)
    #expect(verdict.pendingWork == [.unread(bytes: 90_000)])
    #expect(
      verdict.evidence == "api.example:80: does not read 90000 bytes that the server sent; at "
        + "least 22 s; only a timeout in the program would end the wait")
  }

  @Test("Bytes that the program did not read are not application data")
  func unread() {
    var story = StreamStory.thereAndBack
    story.evidence = Self.nameServers
    story.stream(0, 5_000)
    story.drip(14_000, 34_800)
    #expect(story.verdict(Self.drip).outcome == .unharmed)
    // All bytes except those of the first second after the outage.
    story.held = [HeldSocket(ends: FlowStory.ends(), options: SocketOptions(), unread: 19_800)]
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .hangs)
    #expect(verdict.pendingWork == [.unread(bytes: 19_800)])
  }

  @Test("A working connection that is left unread in favor of a new one is cut")
  func abandons() {
    var story = StreamStory.thereAndBack
    story.evidence = Self.nameServers
    story.stream(0, 5_000)
    story.drip(14_000, 34_800)
    story.held = [HeldSocket(ends: FlowStory.ends(), options: SocketOptions(), unread: 21_000)]
    story.stream(13_100, 34_900, port: 40_001)
    let verdict = story.verdict(Self.drip)
    #expect(verdict.outcome == .cuts)
    #expect(verdict.notes == [.abandons])
    // The program reads both connections.
    story.held = []
    #expect(story.verdict(Self.drip).outcome == .unharmed)
  }

  @Test("A working connection that is left without data in favor of a new one is cut")
  func replaces() {
    var story = StreamStory.thereAndBack
    story.evidence = Self.nameServers
    story.stream(0, 5_000)
    story.stream(13_100, 35_000, port: 40_001)
    #expect(story.verdict(Self.drip).outcome == .cuts)
    #expect(
      story.verdict(Self.drip).evidence == "data again with 1 new connection; longest leg: notice, "
        + "8.1 s; leaves a connection open that works, and uses a new one")
  }

  // MARK: Short connections

  @Test(
    "Short connections that fail while a stream survives give a note", arguments: [true, false])
  func shortConnections(_ toSameServer: Bool) {
    func poll(_ story: inout StreamStory, _ starts: [Int64]) {
      if !toSameServer { story.turn(to: Self.other) }
      for (position, start) in starts.enumerated() {
        let port = UInt16(41_000 + position)
        story.story.open(start, port: port)
        story.release(start + 100, port: port)
      }
    }
    let rhythm = Self.rhythm { still in
      still.stream(0, 35_000)
      poll(&still, Array(stride(from: 50, to: 34_000, by: 500)))
    }
    var story = StreamStory.thereAndBack
    story.evidence = Self.nameServers
    story.stream(0, 5_000)
    story.drip(13_100, 35_000)
    poll(
      &story,
      Array(stride(from: 50, to: 4_900, by: 500)) + Array(stride(from: 15_500, to: 34_000, by: 500))
    )
    for port in 42_000..<42_003 as Range<UInt16> {
      story.story.up(Int64(port) - 36_000, port: port, sequence: 9, flags: 2)
      story.release(Int64(port) - 35_000, port: port)
    }
    let verdict = story.verdict(rhythm)
    #expect(verdict.outcome == .unharmed)
    #expect(verdict.notes.contains(.shortConnectionsFailed(count: 3)))
    #expect(verdict.evidence.contains("no connection lost, silent "))
    #expect(verdict.evidence.contains("3 short connections failed"))
  }

  // MARK: Several networks

  @Test("MPTCP counts as one connection, over the network that works")
  func multipath() {
    var story = StreamStory()
    story.tokens = [40_000: 7, 40_001: 7]
    story.stream(0, 5_000)
    story.owe(6_000)
    story.stream(5_150, 35_000, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict()
    #expect(verdict.outcome == .unharmed)
    #expect(verdict.attempts == 0 && verdict.recovers == .milliseconds(153))
    #expect(verdict.deadConnection == nil)
    story.tokens = [:]
    #expect(story.verdict().notes == [.keepsDeadConnection(count: 1)])
  }

  @Test("Data on a second network during the outage is a recovery")
  func secondNetwork() {
    var story = StreamStory()
    story.restored = 25_000
    story.traits = MoveTraits(
      restoresConnections: true, liveAddresses: [FlowStory.device, FlowStory.wifi])
    story.tokens = [40_000: 7, 40_001: 7]
    story.stream(0, 5_000)
    story.stream(5_400, 35_000, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict()
    #expect(verdict.outcome == .unharmed)
    #expect(verdict.recovers == .milliseconds(403))
    #expect(verdict.outageOfProgram == .zero)
  }

  // MARK: Limits

  @Test("The outage of the program counts from when a new connection would work")
  func outage() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.release(8_000)
    story.stream(15_000, 35_000, port: 40_001)
    #expect(story.verdict().recovers == .milliseconds(10_003))
    #expect(story.verdict().outageOfProgram == .milliseconds(2_003))
  }

  /// Durations, and whether a limit allows them and is near.
  static let limits: [(time: Int64, isAllowed: Bool, isNear: Bool)] = [
    (4_000, true, false), (4_749, true, false), (4_750, true, true), (5_250, true, true),
    (5_251, false, false),
  ]

  @Test("A limit has a tolerance of 5 % in favor of the program", arguments: limits)
  func tolerance(_ time: Int64, _ isAllowed: Bool, _ isNear: Bool) {
    let limit = TryLimit(.seconds(5))
    #expect(limit.allows(.milliseconds(time)) == isAllowed)
    #expect(limit.isNear(.milliseconds(time)) == isNear)
  }

  @Test("UNHARMED states its limit after a long outage")
  func ownLimit() {
    var story = StreamStory()
    story.traits = MoveTraits(restoresConnections: true)
    story.restored = 45_000
    story.end = 75_000
    story.stream(0, 5_000)
    story.drip(58_000, 75_000)
    let verdict = story.verdict()
    #expect(verdict.outcome == .unharmed)
    #expect(
      verdict.evidence == "no connection lost, silent 13 s longer than usual (limit 40 s); "
        + "longest leg: route, 40 s")
  }

  @Test("A program that receives data once a minute RECOVERS")
  func seldom() {
    func poll(_ story: inout StreamStory, _ starts: [Int64]) {
      for (position, start) in starts.enumerated() {
        story.story.open(start, port: UInt16(41_000 + position))
        story.release(start + 300, port: UInt16(41_000 + position))
      }
    }
    let rhythm = Self.rhythm { still in
      still.end = 209_000
      poll(&still, [0, 60_000, 120_000, 180_000])
    }
    var story = StreamStory()
    story.evidence = Self.nameServers
    story.end = 209_000
    story.traits = MoveTraits()
    poll(&story, [0, 65_200, 125_200, 185_200])
    let verdict = story.verdict(rhythm)
    #expect(verdict.outcome == .recovers)
    #expect(verdict.notes == [.atLimit(.seconds(5))])
  }

  // MARK: Rates

  /// Returns a program that receives data every 200 ms, and with a different period and size after
  /// the change.
  private static func slower(_ period: Int64, size: Int = 200) -> StreamStory {
    var story = stream
    story.release(7_000)
    story.story.open(7_000, port: 40_001, from: FlowStory.wifi)
    for at in stride(from: 7_000 + period, to: 35_000, by: Int(period)) {
      story.story.down(at, port: 40_001, to: FlowStory.wifi, sequence: 521 + UInt32(at), size)
    }
    return story
  }

  @Test("A program that recovers only a part of its data is LATE")
  func degraded() {
    let verdict = Self.slower(1_000).verdict(Self.drip)
    #expect(verdict.outcome == .late && verdict.isIncomplete && verdict.isFailure)
    #expect(
      verdict.evidence == "not fully back within 30 s; data again with 1 new connection; "
        + "longest leg: notice, 2 s; application data 5/s before, 1/s after")
    #expect(Self.slower(300).verdict(Self.drip).outcome == .recovers)
    #expect(Self.slower(300).verdict(Self.drip).notes.isEmpty)
  }

  @Test("All messages in fewer segments, as after losses, are no loss of data")
  func joined() {
    let outcomes = [200, 400, 600].map { Self.slower(600, size: $0).verdict(Self.drip).outcome }
    #expect(outcomes == [.late, .recovers, .recovers])
  }

  @Test("More data than before gives a note")
  func doubled() {
    let verdict = Self.slower(100).verdict(Self.drip)
    #expect(verdict.outcome == .recovers)
    #expect(verdict.notes == [.rate(before: 50, after: 100)])
  }

  @Test("Fewer answers to fewer requests, and queued data, are not the program's failure")
  func slowNetwork() {
    let rhythm = Self.rhythm { still in
      still.stream(0, 35_000)
      for at in stride(from: 300, to: 35_000, by: 200) as StrideTo<Int64> {
        still.story.up(at, sequence: UInt32(111 + at), 7)
      }
    }
    #expect(Self.slower(1_000).verdict(rhythm).outcome == .recovers)
    var story = Self.slower(1_000)
    story.evidence = { observation in
      Self.nameServers(&observation)
      observation.serverBacklogs = [
        ServerBacklog(
          ends: FlowStory.ends(port: 40_001, at: FlowStory.wifi), bytes: 90_000)
      ]
    }
    #expect(story.verdict(Self.drip).outcome == .recovers)
    #expect(story.verdict(Self.drip).notes == [.rate(before: 50, after: 10)])
  }

  // MARK: Disturbances

  @Test("A standstill of the machine allows no verdict if the verdict depends on it")
  func standstill() {
    func story(_ at: Int64, _ spans: [(Int64, Int64)]) -> StreamStory {
      var story = Self.stream
      story.evidence = { observation in
        Self.nameServers(&observation)
        observation.standstills = spans.map {
          Standstill(from: FlowStory.at($0.0), to: FlowStory.at($0.1))
        }
      }
      story.release(at)
      story.stream(at, 35_000, port: 40_001, at: FlowStory.wifi)
      return story
    }
    #expect(story(11_000, []).verdict(Self.drip).outcome == .late)
    let disturbed = story(11_000, [(8_000, 9_500)]).verdict(Self.drip)
    #expect(disturbed.outcome == .inconclusive)
    #expect(disturbed.inconclusiveReason == .machinePaused(.milliseconds(1_500)))
    #expect(
      disturbed.evidence
        == "the machine was suspended or overloaded for 1.5 s, which affects the verdict")
    // A standstill before the change, or one that changes nothing, does not matter.
    #expect(story(11_000, [(1_000, 3_000)]).verdict(Self.drip).outcome == .late)
    #expect(story(7_000, [(8_000, 9_500)]).verdict(Self.drip).outcome == .recovers)
  }

  @Test("Rejected datagrams and ICMP errors are notes")
  func errors() {
    var story = Self.stream
    story.release(7_000)
    story.evidence = { observation in
      Self.nameServers(&observation)
      observation.rejectedDatagrams = [
        RejectedDatagrams(
          ends: FlowEnds(local: FlowStory.ends(port: 50_000).local, remote: Self.other), count: 33)
      ]
      observation.icmpErrors = [
        ICMPError(at: FlowStory.at(8_000), remote: Self.other, phrase: "host unreachable")
      ]
    }
    #expect(
      story.verdict(Self.drip).notes == [
        .rejected(count: 33, from: Self.other), .icmp(phrase: "host unreachable", count: 1),
      ])
  }
}
