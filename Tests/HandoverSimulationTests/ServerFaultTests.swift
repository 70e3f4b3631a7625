import HandoverCore
import Testing

@testable import HandoverSimulation

/// Tests each keyword of a scenario for servers and names.
@Suite("Faults of servers and names")
struct ServerFaultTests {
  @Test(
    "A server that closes or resets ends its connections",
    arguments: [
      (ServerFault.close, ConnectionFailure.closed), (.reset, .reset),
    ])
  func ends(word: ServerFault, failure: ConnectionFailure) throws {
    let played = try Story().call().call(host: 1).at(1_000, .server(0, word)).unary(at: 2_000)
      .played()
    #expect(played.end(of: 0) == .failed(1_000, failure))
    #expect(played.end(of: 1) == nil)
    #expect(played.end(of: 2) == .ok(2_000))
  }

  @Test("A silent server reads and answers nothing, and catches up when it accepts again")
  func silence() throws {
    let played = try Story().call(.unary, takes: .seconds(1))
      .at(500, .server(0, .silent)).unary(at: 700)
      .at(5_000, .server(0, .accept)).played()
    #expect(played.reads == [.init(0, 0), .init(5_000, 1)])
    #expect(played.end(of: 0) == .ok(5_000))
    #expect(played.end(of: 1) == .ok(5_000))
  }

  @Test("A silent server that accepts again reads its data only once")
  func silenceTwice() throws {
    let played = try Story().call(at: 0).at(500, .server(0, .silent)).call(at: 700)
      .at(1_000, .server(0, .accept)).at(1_500, .server(0, .silent))
      .at(2_000, .server(0, .accept)).played()
    #expect(played.reads == [.init(0, 0), .init(1_000, 1)])
  }

  @Test("A server that accepts again with nothing waiting has no effect")
  func acceptsInVain() throws {
    let played = try Story().call().call(host: 1).at(1_000, .server(0, .refuse))
      .at(2_000, .server(0, .accept)).played()
    #expect(played.faultsWithEffect == [])
  }

  @Test("The connections of one host resume, and those of another do not")
  func resumesOneHost() throws {
    let played = try Story().call(.unary, takes: .seconds(3), deadline: .seconds(8))
      .call(.unary, host: 1, takes: .seconds(3), deadline: .seconds(8))
      .at(1_000, .transport(.all, .stall)).at(4_000, .transport(.one(0), .resume)).played()
    #expect(played.end(of: 0) == .ok(4_000))
    #expect(played.end(of: 1)?.milliseconds == 8_000)
    #expect(played.end(of: 1)?.thing.code == .deadlineExceeded)
  }

  @Test("Messages that a silent server missed are not sent later")
  func silentMessages() throws {
    let played = try Story().call(takes: .seconds(6), every: .seconds(1))
      .at(1_500, .server(0, .silent)).at(3_500, .server(0, .accept)).played()
    #expect(played.deliveries == [1_000, 4_000, 5_000, 6_000])
  }

  @Test(
    "Data that a silent server had not read is lost with its connection",
    arguments: [
      [ScriptAction.disconnect(.one(0))], [.server(0, .close)], [.server(0, .reset)],
      [.transport(.all, .kill)],
    ])
  func silentServerForgets(ending: [ScriptAction]) throws {
    var story = Story().call().at(500, .server(0, .silent)).unary(at: 700)
    for action in ending { story = story.at(1_000, action) }
    let played = try story.at(2_000, .server(0, .accept)).played()
    #expect(played.reads == [.init(0, 0)])
  }

  @Test("The data stays lost when another connection takes the row")
  func silentServerForgetsWhoeverComes() throws {
    let story = Story().call().at(500, .server(0, .silent)).unary(at: 700)
      .at(1_000, .disconnect(.one(0))).call(at: 1_500, host: 1).at(2_000, .server(0, .accept))
    #expect(try story.played().reads == [.init(0, 0), .init(1_500, 2)])
  }

  @Test("A server that is silent from the start sends no SETTINGS, so there is no connection (B4)")
  func silentFromTheBeginning() throws {
    let silent = Story().with { $0.hosts[0].server = .silent }.unary(at: 0)
    #expect(try silent.played().end(of: 0) == .failed(20_000, .connectTimedOut))
    let accepted = silent.at(5_000, .server(0, .accept))
    #expect(try accepted.played().end(of: 0) == .ok(5_000))
    // Refusing ends the silence, and concerns only new connections.
    let refused = silent.at(5_000, .server(0, .refuse))
    #expect(try refused.played().end(of: 0) == .ok(5_000))
  }

  @Test(
    "A connection without SETTINGS is an open connection for the faults of servers and connections",
    arguments: [
      ([(1_000, .transport(.all, .blackholeConnect)), (2_000, .server(0, .accept))], .ok(2_000)),
      (
        [
          (1_000, .transport(.all, .stall)), (2_000, .server(0, .accept)),
          (3_000, .server(0, .refuse)), (4_000, .transport(.all, .resume)),
        ], .ok(4_000)
      ),
      (
        [
          (1_000, .transport(.all, .stall)), (2_000, .server(0, .close)),
          (3_000, .transport(.all, .resume)),
        ], .failed(3_000, .closed)
      ),
      (
        [
          (1_000, .transport(.all, .stall)), (2_000, .server(0, .reset)),
          (2_500, .server(0, .accept)), (3_000, .transport(.all, .resume)),
        ], .failed(3_000, .reset)
      ),
    ] as [([(Int64, ScriptAction)], Played.At<CallEnd>)])
  func withoutSettings(entries: [(Int64, ScriptAction)], end: Played.At<CallEnd>) throws {
    var story = Story().with { $0.hosts[0].server = .silent }.unary(at: 0)
    for (instant, action) in entries { story = story.at(instant, action) }
    #expect(try story.played().end(of: 0) == end)
  }

  @Test("After GOAWAY calls continue, and the next one opens another connection (B8)")
  func goaway() throws {
    let played = try Story().call(.unary, takes: .seconds(3)).at(1_000, .server(0, .goaway))
      .unary(at: 2_000).played()
    #expect(played.end(of: 0) == .ok(3_000))
    #expect(played.end(of: 1) == .ok(2_000))
    #expect(played.attempts == [0, 2_000])
    let channels = played.effects.filter {
      if case .channelCreated = $0.thing { true } else { false }
    }
    #expect(channels.count == 1)
  }

  @Test("A server that refuses does not affect open connections, and accepts again")
  func refusal() throws {
    let played = try Story().call(.bidi).at(1_000, .server(0, .refuse))
      .at(1_500, .send(0, bytes: 1)).at(2_000, .transport(.all, .reset)).unary(at: 3_000)
      .at(3_500, .server(0, .accept)).unary(at: 4_000).played()
    #expect(played.reads == [.init(0, 0), .init(1_500, 0), .init(4_000, 2)])
    #expect(played.end(of: 1) == .failed(3_000, .refused))
    #expect(played.end(of: 2) == .ok(4_000))
  }

  @Test(
    "Each kind of call ends as configured",
    arguments: [
      (CallKind.unary, nil, 1_000), (.streaming, nil, 1_000), (.clientStreaming, 4_000, 5_000),
      (.bidi, 4_000, 5_000), (.bidi, nil, nil),
    ] as [(CallKind, Int64?, Int64?)])
  func kinds(kind: CallKind, finished: Int64?, ended: Int64?) throws {
    var story = Story().call(kind, takes: .seconds(1))
    if let finished { story = story.at(finished, .finish(0)) }
    #expect(try story.played().end(of: 0) == ended.map { .ok($0) })
  }

  @Test("A message that is due with the end of its answer comes before the end")
  func lastMessage() throws {
    let played = try Story().call(takes: .seconds(2), every: .seconds(1)).played()
    #expect(played.deliveries == [1_000, 2_000])
    #expect(played.end(of: 0) == .ok(2_000))
  }

  @Test("A call takes as long as its connection and its answer")
  func takesItsTime() throws {
    let played = try Story(connect: .milliseconds(50)).call(.unary, takes: .milliseconds(10))
      .call(at: 1_000, .unary, takes: .milliseconds(10)).played()
    #expect(played.end(of: 0) == .ok(60))
    #expect(played.end(of: 1) == .ok(1_010))
  }

  @Test("A call waits for its token before it is bound to anything (C6)")
  func token() throws {
    let played = try Story().call(.unary, takes: .zero, token: .seconds(2)).played()
    #expect(played.attempts == [2_000])
    #expect(played.end(of: 0) == .ok(2_000))
  }

  @Test(
    "A failed lookup ends the call, except for the 2017 client (#13627)",
    arguments: [
      (Profile.sockets, .failed(0, .nameResolutionFailed)),
      (.socketsMonitor, .failed(0, .nameResolutionFailed)),
      (.cfStream, .failed(0, .nameResolutionFailed)), (.sockets2017, nil),
    ] as [(Profile, Played.At<CallEnd>?)])
  func failingNames(profile: Profile, end: Played.At<CallEnd>?) throws {
    let story = Story().at(0, .names(0, .fail)).unary(at: 0)
    #expect(try story.played(on: profile, until: 5_000).end(of: 0) == end)
  }

  @Test(
    "A lookup that hangs ends with the attempt, or when the name is resolved",
    arguments: [
      (nil, .failed(20_000, .connectTimedOut)), (DNSFault.resolve, .ok(3_000)),
      (.fail, .failed(3_000, .nameResolutionFailed)),
    ] as [(DNSFault?, Played.At<CallEnd>)])
  func hangingNames(word: DNSFault?, end: Played.At<CallEnd>) throws {
    var story = Story().at(0, .names(0, .hang)).unary(at: 0)
    if let word { story = story.at(3_000, .names(0, word)) }
    #expect(try story.played().end(of: 0) == end)
  }

  @Test("An open connection needs no name")
  func openConnectionsNeedNoName() throws {
    let played = try Story().call().at(1_000, .names(0, .fail)).unary(at: 2_000).played()
    #expect(played.end(of: 1) == .ok(2_000))
  }
}
