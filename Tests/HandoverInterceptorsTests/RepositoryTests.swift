import HandoverCore
import Testing

@testable import HandoverInterceptors

/// The original repository's own tests of interceptors and of flow control, with their names.
@Suite("The original's own tests")
struct RepositoryTests {
  /// The events that each interceptor sees in four ping-pongs.
  private static let fourRounds = Counts(
    starts: 1, writes: 4, finishes: 1, receives: 4, headers: 1, messages: 4, closes: 1,
    writesDone: 4)

  /// Exchanges four messages in each direction, requested one at a time, as the interop tests do.
  private static func playPingPong(_ call: ChainID, _ world: inout ChainWorld) {
    world.ask(call, .start(ChainWorld.start { $0.flowControl = true }))
    world.send(call, .headers([:]))
    for round in UInt8(0)..<4 {
      world.ask(call, .receiveNextMessages(1), .write(.bytes([round])))
      world.send(call, .written, .message([round]))
    }
    world.ask(call, .finish)
    world.send(call, .ended(.ok, trailers: nil))
  }

  private static func messages(_ responses: [ChainResponse]) -> Int {
    responses.count { if case .message = $0 { true } else { false } }
  }

  @Test("testDefaultInterceptor: four ping-pongs pass through the base interceptor unchanged")
  func defaultInterceptor() throws {
    var bare = ChainWorld()
    Self.playPingPong(try bare.open([]), &bare)
    var world = ChainWorld()
    Self.playPingPong(try world.open([Plain("default")]), &world)
    #expect(world.user == bare.user)
    #expect(world.orders == bare.orders)
    #expect(world.user.last == .close(CallClose(.ok)))
  }

  @Test(
    "testLoggingInterceptor: the interceptor sees the expected events, host, path and safety"
  )
  func loggingInterceptor() throws {
    let log = Log()
    var world = ChainWorld()
    Self.playPingPong(try world.open([Recording("logging", log)]), &world)
    #expect(log.counts("logging") == Self.fourRounds)
    guard case .start(let start) = log.requests("logging").first else {
      Issue.record("the link saw no start")
      return
    }
    #expect(
      start.request
        == RequestOptions(host: "api.example:443", path: "/a.B/C", safety: .standard))
  }

  /// Cancels everything behind it at the third write, and answers itself from then on.
  private struct Hijacking: Interceptor {
    var writes = 0
    let closes: SharedState<[CallClose]>

    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      writes += 1
      if writes == 3 { manager.cancelNextInterceptor() }
      guard writes >= 3 else { return manager.writeNextInterceptor(message) }
      manager.forwardPreviousInterceptorDidWrite()
      manager.forwardPreviousInterceptor(message: message)
    }

    mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
      if writes < 2 { manager.receiveNextInterceptorMessages(count) }
    }

    mutating func finish(_ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(CallClose(.ok))
      manager.shutDown()
    }

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      closes.withValue { $0.append(close) }
    }

    struct Factory: InterceptorFactory {
      var name = "hijacking"
      var closes: SharedState<[CallClose]>

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? { Hijacking(closes: closes) }
    }
  }

  @Test(
    "testHijackingInterceptor: one close is CANCELLED, and the user gets 4 messages, no error"
  )
  func hijackingInterceptor() throws {
    let closes = SharedState<[CallClose]>([])
    let log = Log()
    var world = ChainWorld()
    let call = try world.open([
      Plain("default"), Hijacking.Factory(closes: closes), Recording("below", log),
    ])
    Self.playPingPong(call, &world)
    #expect(Self.messages(world.user) == 4)
    #expect(world.user.last == .close(CallClose(.ok)))
    #expect(closes.withValue { $0 } == [.cancelled])
    #expect(log.counts("below").messages == 2)
    #expect(log.counts("below").writes == 2)
    #expect(world.orders.last == .cancel)
    #expect(world.findings.isEmpty)
  }

  @Test("testGlobalInterceptor: the counts are the same for the global one")
  func globalInterceptor() throws {
    let log = Log()
    var configuration = CallChains.Configuration.laterCode
    configuration.global = Recording("global", log)
    var world = ChainWorld(configuration)
    Self.playPingPong(try world.open([]), &world)
    #expect(log.counts("global") == Self.fourRounds)
  }

  @Test("testInterceptorAndGlobalInterceptor: both count everything")
  func interceptorAndGlobalInterceptor() throws {
    let log = Log()
    var configuration = CallChains.Configuration.laterCode
    configuration.global = Recording("global", log)
    var world = ChainWorld(configuration)
    Self.playPingPong(try world.open([Recording("own", log)]), &world)
    #expect(log.counts("own") == Self.fourRounds)
    #expect(log.counts("global") == Self.fourRounds)
  }

  @Test("testPingPongRPCWithFlowControl: each message arrives when it is requested")
  func pingPongWithFlowControl() throws {
    var world = ChainWorld()
    Self.playPingPong(try world.open([]), &world)
    #expect(Self.messages(world.user) == 4)
    #expect(world.orders.filter { $0 == .readMessage }.count == 4)
  }

  @Test("testFlowControlWrite: a write is confirmed")
  func flowControlWrite() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call, "hello", ChainWorld.start { $0.flowControl = true })
    world.send(call, .written)
    #expect(world.user == [.writeDone])
  }

  @Test("testFlowControlRead: message and close are delayed until they are requested")
  func flowControlRead() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("default")])
    world.askUnary(call, "hello", ChainWorld.start { $0.flowControl = true })
    world.send(call, .headers([:]), .message([1]), .ended(.ok, trailers: nil))
    world.wait(.seconds(2))
    #expect(world.user.isEmpty)
    world.ask(call, .receiveNextMessages(1))
    #expect(world.user.suffix(2) == [.message(.bytes([1])), .close(CallClose(.ok))])
  }

  @Test("testFlowControlMultipleMessages: two are requested, and the third never arrives")
  func flowControlMultipleMessages() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(
      call, .start(ChainWorld.start { $0.flowControl = true }), .receiveNextMessages(2))
    world.send(call, .headers([:]), .message([1]), .message([2]), .message([3]))
    #expect(Self.messages(world.user) == 2)
  }

  @Test("testFlowControlReadReadyBeforeStart, …AfterStart: the time of the request does not matter")
  func flowControlReadReady() throws {
    for asksBefore in [true, false] {
      var world = ChainWorld()
      let call = try world.open([Plain("default")])
      let start = ChainWorld.start { $0.flowControl = true }
      if asksBefore { world.ask(call, .receiveNextMessages(1)) }
      world.askUnary(call, "hello", start)
      if !asksBefore { world.ask(call, .receiveNextMessages(1)) }
      world.send(call, .headers([:]), .message([1]), .ended(.ok, trailers: nil))
      #expect(world.user.suffix(2) == [.message(.bytes([1])), .close(CallClose(.ok))])
    }
  }

  @Test("testFlowControlReadNonBlockingFailure: a failure arrives although nothing was requested")
  func flowControlFailure() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call, "hello", ChainWorld.start { $0.flowControl = true })
    world.send(call, .headers([:]), .ended(CallStatus(.unknown), trailers: nil))
    #expect(world.user.last == .close(CallClose(CallStatus(.unknown))))
  }

  @Test(
    "testCancelAfterBegin, …AfterFirstRequest, …AfterFirstResponse: the call ends CANCELLED once")
  func cancels() throws {
    for step in 0..<3 {
      var world = ChainWorld()
      let call = try world.open([Plain("default")])
      world.ask(call, .start(ChainWorld.start))
      if step > 0 { world.ask(call, .write(.bytes([1]))) }
      if step > 1 { world.send(call, .headers([:]), .message([1])) }
      world.ask(call, .cancel)
      world.send(call, .ended(CallStatus(.cancelled), trailers: nil))
      let closes = world.user.filter { if case .close = $0 { true } else { false } }
      #expect(closes == [.close(.cancelled)])
    }
  }
}
