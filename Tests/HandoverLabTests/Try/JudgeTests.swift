import HandoverCore
import Testing

@testable import HandoverTry

/// A hand-written program that receives a stream: a network change at 5 s, and the end of the watch
/// at 35 s.
struct StreamStory {
  var story = FlowStory()
  /// The packets of `story` as the servers see them.
  var servers = FlowStory()
  var sockets = SocketHistory()
  var held: [HeldSocket] = []
  var moved: Int64? = 5_000
  var restored: Int64?
  var programEnd: (at: Int64, phrase: String)?
  var traits = MoveTraits(liveAddresses: [FlowStory.wifi])
  /// The end of the watch.
  var end: Int64 = 35_000
  /// The tokens of MPTCP connections, by local port.
  var tokens: [UInt16: UInt32] = [:]
  /// Further evidence.
  var evidence: (inout TryObservation) -> Void = { _ in }

  /// Adds data every 200 ms in an interval, on a connection that is opened just before.
  mutating func stream(
    _ from: Int64, _ to: Int64, port: UInt16 = 40_000, at address: HostAddress = FlowStory.device
  ) {
    story.open(from, port: port, from: address)
    servers.open(from, port: port, from: address)
    drip(from + 200, to, port: port, at: address)
  }

  /// Adds more data to a connection; the sequence number follows from the time.
  mutating func drip(
    _ from: Int64, _ to: Int64, port: UInt16 = 40_000, at address: HostAddress = FlowStory.device
  ) {
    for at in stride(from: from, to: to, by: 200) {
      story.down(at, port: port, to: address, sequence: 521 + UInt32(at), 200)
    }
  }

  /// Adds data of the program that is never acknowledged.
  mutating func send(_ at: Int64, port: UInt16 = 40_000, at address: HostAddress = FlowStory.device)
  {
    story.up(at, port: port, from: address, sequence: 111, 7)
  }

  /// Adds data of the server that never reaches the program, and is never acknowledged.
  mutating func owe(_ at: Int64, port: UInt16 = 40_000) {
    servers.down(at, port: port, sequence: 521, 50)
  }

  /// Lets the program release a connection.
  mutating func release(_ at: Int64, port: UInt16 = 40_000) {
    var ends = FlowStory.ends(port: port)
    ends.remote = story.peer
    sockets.note(held: [ends], at: FlowStory.at(at - 100))
    sockets.note(held: [], at: FlowStory.at(at))
  }

  var observation: TryObservation {
    var observation = TryObservation(
      device: flows, servers: servers.table.flows, sockets: sockets,
      moved: moved.map(FlowStory.at), restored: (restored ?? moved).map(FlowStory.at),
      end: FlowStory.at(end),
      programEnd: programEnd.map {
        ProgramEnd(at: FlowStory.at($0.at), phrase: $0.phrase, isError: $0.phrase != "status 0")
      })
    observation.held = held
    evidence(&observation)
    return observation
  }

  private var flows: [Flow] {
    story.table.flows.map { flow in
      var flow = flow
      flow.connectionToken = tokens[flow.local.port]
      return flow
    }
  }

  /// Exchanges packets with the given server from now on.
  mutating func turn(to server: FlowEnd) {
    story.peer = server
    servers.peer = server
  }

  /// The rhythm of a program that receives data every 200 ms.
  static let rhythm: ProgramRhythm = {
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 35_000)
    return ProgramRhythm(still.observation)
  }()

  func verdict(_ rhythm: ProgramRhythm = rhythm) -> TryVerdict {
    TryJudge(rhythm).verdict(on: observation, traits)
  }

  /// A story whose old network comes back after 8 s.
  static var thereAndBack: StreamStory {
    var story = StreamStory()
    story.traits = MoveTraits(restoresConnections: true)
    story.restored = 13_000
    return story
  }
}

@Suite("The checker of unmodified programs")
struct JudgeTests {
  @Test("A program that waits on a dead connection hangs, and its socket shows until when")
  func hangs() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.owe(6_000)
    story.held = [HeldSocket(ends: FlowStory.ends(), options: SocketOptions())]
    let verdict = story.verdict()
    #expect(verdict.outcome == .hangs)
    #expect(verdict.recovers == nil && verdict.notices == nil && verdict.attempts == 0)
    #expect(verdict.silence == .milliseconds(30_200))
    #expect(
      verdict.evidence == "203.0.113.1:80: waits on the dead connection for what the server "
        + "sends; at least 30 s; the kernel never reports it, because no keepalive is set; no "
        + "timeout for reading is set either")
    story.held[0].options.keepalive = .init(idle: .seconds(60), interval: .seconds(60), count: 9)
    #expect(
      story.verdict().evidence.hasSuffix(
        "the kernel gives up after 10 min: its keepalive is 1 min, then 9 times 1 min"))
    story.held[0].options.userTimeout = .seconds(150)
    #expect(
      story.verdict().evidence.hasSuffix(
        "the kernel gives up after 3 min: its keepalive is 1 min, then every 1 min until "
          + "TCP_USER_TIMEOUT of 2 min 30 s"))
  }

  @Test("A program that sends on a dead connection hangs, until the kernel times out")
  func sends() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.send(6_000)
    story.held = [HeldSocket(ends: FlowStory.ends(), options: SocketOptions())]
    #expect(story.verdict().outcome == .hangs)
    #expect(
      story.verdict().evidence == "203.0.113.1:80: still retransmitting 7 bytes on the dead "
        + "connection; at least 30 s; the kernel gives up after about 15 min: TCP_USER_TIMEOUT is "
        + "not set"
    )
    story.held[0].options.userTimeout = .seconds(40)
    #expect(story.verdict().evidence.hasSuffix("the kernel gives up after 40 s: TCP_USER_TIMEOUT"))
  }

  @Test("A dead connection without outstanding data allows no verdict on an idle program")
  func nothingOutstanding() {
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 5_000)
    var story = StreamStory()
    story.stream(0, 5_000)
    let verdict = story.verdict(ProgramRhythm(still.observation))
    #expect(verdict.outcome == .inconclusive)
    #expect(verdict.inconclusiveReason == .nothingOutstanding)
  }

  @Test("A connection attempt without an answer is outstanding work")
  func connecting() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.release(6_000)
    story.story.up(6_100, port: 40_001, from: FlowStory.wifi, sequence: 9, flags: 2)
    let verdict = story.verdict()
    #expect(verdict.outcome == .hangs)
    #expect(verdict.attempts == 1 && verdict.deadAttempts == 1)
    #expect(verdict.notices == .milliseconds(1_000))
  }

  /// When data comes again after the change at 5 s, and the resulting verdict.
  static let returns: [(at: Int64, outcome: TryOutcome)] = [
    (5_500, .recovers), (9_000, .recovers), (9_700, .recovers), (10_200, .recovers),
    (10_300, .late), (20_000, .late),
  ]

  @Test("A new connection RECOVERS within 5 s more than the rhythm, or is LATE", arguments: returns)
  func recovers(_ at: Int64, _ outcome: TryOutcome) {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.release(at - 50)
    story.stream(at, 35_000, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict()
    #expect(verdict.outcome == outcome)
    #expect(verdict.recovers == .milliseconds(at - 5_000 + 3))
    #expect(verdict.attempts == 1)
    #expect(verdict.evidence.hasPrefix("data again with 1 new connection"))
    #expect(verdict.notes.contains(.atLimit(.seconds(5))) == (at == 10_200))
  }

  @Test("A dead connection that stays open does not make a recovered program hang")
  func leaks() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.owe(6_000)
    story.stream(6_000, 35_000, port: 40_001, at: FlowStory.wifi)
    #expect(story.verdict().outcome == .recovers)
    #expect(
      story.verdict().evidence
        == "data again with 1 new connection; longest leg: notice, 1 s; leaves a dead connection "
        + "open")
  }

  @Test("A connection that continues when the network is back is UNHARMED")
  func unharmed() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 35_000)
    let verdict = story.verdict()
    #expect(verdict.outcome == .unharmed)
    #expect(
      verdict.evidence
        == "no connection lost, silent 1 s longer than usual (limit 8 s); longest leg: route, 8 s")
    #expect(verdict.notices == nil)
  }

  @Test("A program that replaces a connection CUTS it, even if the old one carries data meanwhile")
  func replaces() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.stream(13_500, 35_000, port: 40_001)
    story.drip(15_000, 20_000)
    #expect(story.verdict().outcome == .unharmed)
    story.release(20_100)
    let verdict = story.verdict()
    #expect(verdict.outcome == .cuts)
    #expect(
      verdict.evidence.hasPrefix(
        "ended a connection that could have continued; data again with 1 new connection"))
  }

  @Test("A delay by TCP's own backoff is tolerated, and a longer one is LATE")
  func backoff() {
    for (at, outcome) in [(20_000, TryOutcome.unharmed), (23_000, .late)] {
      var story = StreamStory.thereAndBack
      story.stream(0, 5_000)
      story.drip(Int64(at), 35_000)
      #expect(story.verdict().outcome == outcome)
    }
  }

  @Test("A program that ends a connection which could have continued CUTS")
  func cuts() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.release(8_000)
    story.stream(13_500, 35_000, port: 40_001)
    #expect(story.verdict().outcome == .cuts)
    #expect(story.verdict().notices == .seconds(3))
  }

  @Test("A connection that continued and was released later was not cut")
  func letGoLater() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.drip(14_000, 25_000)
    story.release(25_500)
    story.programEnd = (25_500, "status 0")
    #expect(story.verdict().outcome == .unharmed)
  }

  @Test("After a NAT lost its state the old connection is dead, and a new one works immediately")
  func forgets() {
    var story = StreamStory()
    story.traits = MoveTraits(forgetsConnections: true)
    story.stream(0, 5_000)
    story.owe(6_000)
    #expect(story.verdict().outcome == .hangs)
    story.release(8_000)
    story.stream(8_100, 35_000, port: 40_001)
    #expect(story.verdict().outcome == .recovers)
  }

  @Test("A program that exits without recovering GIVES UP, unless it always exits that way")
  func givesUp() {
    var story = StreamStory()
    story.stream(0, 5_000)
    story.programEnd = (7_000, "status 7")
    #expect(story.verdict().outcome == .givesUp)
    #expect(story.verdict().evidence == "ended (status 7 after 2 s) and did not recover")
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 7_000)
    still.programEnd = (7_000, "status 7")
    let rhythm = ProgramRhythm(still.observation)
    #expect(rhythm.longestGap == .milliseconds(200))
    #expect(story.verdict(rhythm).outcome == .inconclusive)
    #expect(story.verdict(rhythm).inconclusiveReason == .endsAnyway)
    story.programEnd = (7_000, "status 0")
    #expect(story.verdict(rhythm).outcome == .givesUp)
    still.programEnd = (20_000, "status 0")
    #expect(story.verdict(ProgramRhythm(still.observation)).outcome == .givesUp)
  }

  @Test("A program that was never connected gets no verdict")
  func early() {
    var story = StreamStory()
    story.moved = nil
    #expect(story.verdict().inconclusiveReason == .networkUnchanged)
    story.programEnd = (1_000, "status 6")
    #expect(story.verdict().inconclusiveReason == .endedBeforeChange)
    #expect(story.verdict().evidence == "the program ended before the change (status 6)")
    story.moved = 5_000
    story.programEnd = nil
    #expect(story.verdict().inconclusiveReason == .silentBefore)
  }

  @Test("A program that receives data too rarely cannot be LATE")
  func seldom() {
    var still = StreamStory()
    still.moved = nil
    still.story.open(0)
    var story = StreamStory()
    story.stream(0, 5_000)
    story.release(6_000)
    story.stream(20_000, 35_000, port: 40_001, at: FlowStory.wifi)
    #expect(story.verdict(ProgramRhythm(still.observation)).inconclusiveReason == .dataTooRare)
  }

  @Test("A program with short connections notices nothing, and cuts nothing")
  func churns() {
    var still = StreamStory()
    still.moved = nil
    for index in 0..<10 {
      let port = UInt16(41_000 + index)
      still.story.open(Int64(index) * 1_000, port: port)
      still.release(Int64(index) * 1_000 + 300, port: port)
    }
    let rhythm = ProgramRhythm(still.observation)
    #expect(rhythm.releasedCount == 10)
    var story = StreamStory.thereAndBack
    story.story.open(3_000, port: 41_000)
    story.release(3_300, port: 41_000)
    story.stream(4_000, 5_000)
    story.release(8_000)
    story.stream(13_100, 35_000, port: 40_001)
    let verdict = story.verdict(rhythm)
    #expect(verdict.notices == nil)
    #expect(verdict.outcome == .unharmed)
  }

  @Test("A connection that is older than the short ones can be cut")
  func lasting() {
    var still = StreamStory()
    still.moved = nil
    still.stream(0, 35_000)
    still.story.open(100, port: 41_000)
    still.release(400, port: 41_000)
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.release(8_000)
    story.stream(13_100, 35_000, port: 40_001)
    #expect(story.verdict(ProgramRhythm(still.observation)).outcome == .cuts)
  }

  @Test("Data that came after the program released its socket does not count")
  func afterRelease() {
    var story = StreamStory.thereAndBack
    story.stream(0, 5_000)
    story.release(8_000)
    story.drip(13_500, 20_000)
    #expect(story.verdict().recovers == nil)
  }

  @Test("Datagrams continue through a NAT that lost its state")
  func datagramsThroughNAT() {
    var still = StreamStory()
    still.moved = nil
    still.datagrams(each: 500, from: 0, to: 35_000, answered: true)
    var story = StreamStory()
    story.traits = MoveTraits(forgetsConnections: true)
    story.datagrams(each: 500, from: 0, to: 35_000, answered: true)
    #expect(story.verdict(ProgramRhythm(still.observation)).outcome == .unharmed)
  }

  @Test("A connection that continued is LATE only if it was silent for long")
  func survivors() {
    for (at, outcome) in [(5_400, TryOutcome.unharmed), (8_000, .recovers), (12_000, .late)]
      as [(Int64, TryOutcome)]
    {
      var story = StreamStory()
      story.traits = MoveTraits(forgetsConnections: true, liveAddresses: [FlowStory.device])
      story.datagrams(each: 200, from: 0, to: 5_000, answered: true)
      story.datagrams(each: 200, from: 5_000, to: at, answered: false)
      story.datagrams(each: 200, from: at, to: 35_000, answered: true)
      #expect(story.verdict().outcome == outcome)
    }
  }

  @Test("A connection that was made on an intermediate network is dead")
  func passedThrough() {
    var story = StreamStory.thereAndBack
    story.traits.liveAddresses = [FlowStory.device]
    story.stream(0, 5_000)
    story.release(5_500)
    story.stream(6_000, 9_000, port: 40_001, at: FlowStory.wifi)
    story.send(9_500, port: 40_001, at: FlowStory.wifi)
    let verdict = story.verdict()
    #expect(verdict.outcome == .hangs)
    #expect(verdict.deadConnection?.local.port == 40_001)
    #expect(verdict.recovers == nil)
  }

  @Test("Datagrams of a server that no longer arrive are outstanding work")
  func unheard() {
    var story = StreamStory()
    story.traits = MoveTraits(forgetsConnections: true)
    let device = FlowEnd(address: FlowStory.device, port: 50_000)
    story.story.handle(FrameMaker.udp(device, FlowStory.server, [1]), 0)
    for at in stride(from: 100, to: 34_000, by: 200) as StrideTo<Int64> {
      let frame = FrameMaker.udp(FlowStory.server, device, [2])
      story.servers.handle(frame, at)
      if at < 5_000 { story.story.handle(frame, at + 1) }
    }
    let verdict = story.verdict()
    #expect(verdict.outcome == .hangs)
    #expect(verdict.pendingWork == [.undeliveredDatagrams(count: 145)])
    #expect(verdict.evidence.contains("145 datagrams of the server do not arrive; at least 30 s"))
  }

  @Test("A datagram from a server's own address belongs to the flow that the device asked last")
  func ownAddress() {
    let device = FlowEnd(address: FlowStory.device, port: 50_000)
    let own = FlowEnd(address: 0xC612_0101, port: FlowStory.server.port)
    let other = FlowEnd(address: 0xCB00_7102, port: FlowStory.server.port)
    for (addresses, far) in [([own.address], FlowStory.server), ([], own)] {
      var table = FlowTable(ownAddresses: addresses) { $0 == FlowStory.device }
      func handle(_ source: FlowEnd, _ destination: FlowEnd, _ at: Int64) throws {
        let packet = try #require(
          ObservedPacket(frame: FrameMaker.udp(source, destination, [1])[...]))
        table.handle(packet, at: FlowStory.at(at))
      }
      #expect(throws: Never.self) {
        try handle(device, other, 0)
        try handle(device, FlowStory.server, 1)
        try handle(own, device, 2)
      }
      let flow = table.flows.last { !$0.received.isEmpty }
      #expect(flow?.remote == far)
      #expect(table.flows.count { !$0.received.isEmpty } == 1)
    }
  }

  @Test("A program whose connections the platform ended did not cut them")
  func platformEnds() {
    var story = StreamStory.thereAndBack
    story.traits.endsConnections = true
    story.stream(0, 5_000)
    story.release(5_000)
    story.stream(13_500, 35_000, port: 40_001)
    #expect(story.verdict().outcome == .recovers)
  }

  @Test("Unanswered datagrams are outstanding work from the third on, and after 3 s")
  func datagrams() {
    for (count, outcome) in [(2, TryOutcome.late), (5, .hangs)] {
      var story = StreamStory()
      story.datagrams(each: 500, from: 0, to: 5_000, answered: true)
      story.datagrams(each: 1_000, from: 6_000, to: 6_000 + Int64(count) * 1_000, answered: false)
      #expect(story.verdict().outcome == outcome)
    }
  }
}

extension StreamStory {
  /// Adds UDP requests.
  mutating func datagrams(each period: Int64, from: Int64, to: Int64, answered: Bool) {
    let device = FlowEnd(address: FlowStory.device, port: 50_000)
    for at in stride(from: from, to: to, by: Int(period)) {
      story.handle(FrameMaker.udp(device, FlowStory.server, [1]), at)
      if answered { story.handle(FrameMaker.udp(FlowStory.server, device, [2]), at + 10) }
    }
  }
}
