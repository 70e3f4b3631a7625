import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The response cache")
struct CacheTests {
  private static func start(
    path: String = "/a.B/C", token: String? = nil, flowControl: Bool = false
  ) -> CallStart {
    var start = ChainWorld.start {
      $0.accessToken = token
      $0.flowControl = flowControl
    }
    start.request.safety = .cacheable
    start.request.path = path
    return start
  }

  private static let answer: [ChainResponse] = [
    .initialMetadata(["h": "1"]), .message(.bytes([1])), .message(.bytes([2])),
    .close(CallClose(.ok, trailers: ["t": "1"])),
  ]

  /// Fills the cache with the answer to one call.
  private static func fill(
    _ world: inout ChainWorld, _ factory: CacheInterceptor.Factory, _ start: CallStart = start(),
    _ message: String = "hello", _ status: CallStatus = .ok
  ) throws -> ChainID {
    let call = try world.open([factory, Plain("below")])
    world.askUnary(call, message, start)
    world.send(
      call, .written, .headers(["h": "1"]), .message([1]), .message([2]),
      .ended(status, trailers: ["t": "1"]))
    return call
  }

  /// Whether a call is answered without making anything below the cache.
  private static func isHit(
    _ world: inout ChainWorld, _ factory: CacheInterceptor.Factory, _ start: CallStart = start(),
    _ message: String = "hello"
  ) throws -> Bool {
    let made = world.made.count
    let call = try world.open([factory, Plain("below")])
    world.askUnary(call, message, start)
    let isAnswered = world.reported(call) == [.writeDone] + answer
    let isAlone = world.made.count == made + 1
    #expect(isAnswered == isAlone)
    if !isAlone { world.ask(call, .cancel) }
    return isAlone
  }

  @Test("A first call passes through, and each write is confirmed once")
  func miss() throws {
    var world = ChainWorld()
    let call = try Self.fill(&world, CacheInterceptor.Factory())
    #expect(world.reported(call) == [.writeDone] + Self.answer)
    #expect(world.orders == [.start(Self.start()), .send(Array("hello".utf8)), .finish])
    #expect(world.chains.audit(call).isEmpty)
  }

  @Test("I26: A known call is answered by the cache, and nothing below it is made")
  func hit() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    _ = try Self.fill(&world, factory)
    #expect(try Self.isHit(&world, factory))
    #expect(world.findings.isEmpty)
    #expect(world.orders.count == 3)
  }

  @Test("A different host, path, token or message makes a different call")
  func keys() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    _ = try Self.fill(&world, factory)
    #expect(try !Self.isHit(&world, factory, Self.start(path: "/a.B/D")))
    #expect(try !Self.isHit(&world, factory, Self.start(token: "somebody")))
    #expect(try !Self.isHit(&world, factory, Self.start(), "other"))
    var elsewhere = Self.start()
    elsewhere.request.host = "other.example"
    #expect(try !Self.isHit(&world, factory, elsewhere))
    #expect(try !Self.isHit(&world, CacheInterceptor.Factory()))
    #expect(try Self.isHit(&world, factory))
  }

  @Test("Calls that are not cacheable pass immediately, and are never stored")
  func notCacheable() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    for _ in 0..<2 {
      world.forgetOrders()
      let call = try world.open([factory])
      world.ask(call, .write(Message("early")), .start(ChainWorld.start))
      #expect(world.orders == [.start(ChainWorld.start), .send(Array("early".utf8))])
      world.ask(call, .finish)
      world.send(call, .written, .message([1]), .ended(.ok, trailers: nil))
      #expect(
        world.reported(call) == [.writeDone, .message(.bytes([1])), .close(CallClose(.ok))])
    }
  }

  @Test("Only answers with status OK are stored")
  func failures() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    _ = try Self.fill(&world, factory, Self.start(), "hello", CallStatus(.notFound))
    #expect(try !Self.isHit(&world, factory))
  }

  @Test("An answer is valid for its time to live")
  func timeToLive() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory(timeToLive: .seconds(10))
    _ = try Self.fill(&world, factory)
    world.wait(until: Instant(microseconds: 9_999_999))
    #expect(try Self.isHit(&world, factory))
    world.wait(until: Instant(microseconds: 10_000_000))
    #expect(try !Self.isHit(&world, factory))
  }

  @Test("Above the maximum number of entries the oldest is removed")
  func entries() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory(entries: 2)
    for message in ["one", "two", "one", "three"] {
      _ = try Self.fill(&world, factory, Self.start(), message)
    }
    // The second call for `one` was a hit, so its answer is the oldest.
    #expect(try !Self.isHit(&world, factory, Self.start(), "one"))
    #expect(try Self.isHit(&world, factory, Self.start(), "two"))
    #expect(try Self.isHit(&world, factory, Self.start(), "three"))
  }

  @Test(
    "Requests or an answer above the limits are not stored",
    arguments: [BufferLimits(bytes: 4), BufferLimits(bytes: 1), BufferLimits(events: 1)])
  func limits(limits: BufferLimits) throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory(limits: limits)
    let message = limits.bytes == 1 ? "" : "hello"
    let call = try Self.fill(&world, factory, Self.start(), message)
    #expect(world.reported(call) == [.writeDone] + Self.answer)
    #expect(try !Self.isHit(&world, factory, Self.start(), message))
  }

  @Test("I36, I38: A hit obeys the flow control of its call")
  func flowControl() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    _ = try Self.fill(&world, factory)
    let call = try world.open([factory, Plain("below")])
    world.ask(call, .receiveNextMessages(1))
    world.askUnary(call, "hello", Self.start(flowControl: true))
    #expect(world.reported(call) == [.writeDone] + Self.answer.prefix(2))
    world.ask(call, .receiveNextMessages(0))
    #expect(world.reported(call).count == 3)
    world.ask(call, .write(Message("late")), .receiveNextMessages(.max))
    #expect(world.reported(call) == [.writeDone] + Self.answer)
  }

  @Test("A cancel closes once: while collecting, between two messages, and while passing through")
  func cancels() throws {
    var world = ChainWorld()
    let factory = CacheInterceptor.Factory()
    let collecting = try world.open([factory, Plain("below")])
    world.ask(collecting, .start(Self.start()), .write(Message("hello")), .cancel)
    #expect(world.reported(collecting) == [.writeDone, .close(.cancelled)])
    #expect(world.attempts.isEmpty)
    _ = try Self.fill(&world, factory)
    let reading = try world.open([factory])
    world.askUnary(reading, "hello", Self.start(flowControl: true))
    world.ask(reading, .receiveNextMessages(1), .cancel, .receiveNextMessages(1))
    #expect(world.reported(reading) == [.writeDone] + Self.answer.prefix(2) + [.close(.cancelled)])
    let passing = try world.open([factory])
    world.askUnary(passing, "other", Self.start())
    world.ask(passing, .cancel)
    #expect(world.reported(passing) == [.writeDone, .close(.cancelled)])
    #expect(world.orders.last == .cancel)
    #expect(world.findings.isEmpty)
  }
}

@Suite("The mock")
struct MockTests {
  private static let response = CallResponse(
    headers: ["h": "1"], messages: [Message("one"), Message("two")],
    close: CallClose(.ok, trailers: ["t": "1"]))
  private static let reported: [ChainResponse] = [
    .initialMetadata(["h": "1"]), .message(Message("one")), .message(Message("two")),
    .close(CallClose(.ok, trailers: ["t": "1"])),
  ]

  private static func factory(
    _ path: String, delay: Interval = .zero
  ) -> MockInterceptor.Factory {
    MockInterceptor.Factory(answers: [MockInterceptor.Answer(path, response, delay: delay)])
  }

  @Test(
    "A call with a matching path is answered immediately, and nothing below is made",
    arguments: ["/a.B/C", "/a.B", "/a.*/C", "/**"])
  func answer(path: String) throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory(path), Plain("below")])
    world.askUnary(call)
    #expect(world.user == Self.reported)
    #expect(world.made == ["mock"])
    #expect(world.released == 1)
    #expect(world.findings.isEmpty)
  }

  @Test("Calls with other paths pass", arguments: ["/a.B/D", "/a.B/CC", "/*"])
  func others(path: String) throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory(path)])
    world.ask(call, .write(Message("early")), .start(ChainWorld.start), .receiveNextMessages(1))
    world.ask(call, .finish)
    #expect(
      world.orders == [.start(ChainWorld.start), .send(Array("early".utf8)), .finish])
    world.send(call, .written, .message([1]), .ended(.ok, trailers: nil))
    #expect(world.user == [.writeDone, .message(.bytes([1])), .close(CallClose(.ok))])
  }

  @Test("The first matching answer is used; it may be an error without messages")
  func firstAnswer() throws {
    let error = CallResponse(headers: ["h": "2"], close: CallClose(CallStatus(.notFound)))
    var factory = Self.factory("/other")
    factory.answers += [
      MockInterceptor.Answer("/a.B", error), MockInterceptor.Answer("/**", Self.response),
    ]
    var world = ChainWorld()
    world.askUnary(try world.open([factory]))
    #expect(
      world.user == [.initialMetadata(["h": "2"]), .close(CallClose(CallStatus(.notFound)))])
  }

  @Test("The delay counts from the start, and writes are confirmed in the meantime")
  func delay() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory("/a.B", delay: .seconds(2))])
    world.ask(call, .write(Message("early")))
    world.wait(.seconds(1))
    world.askUnary(call)
    #expect(world.user == [.writeDone, .writeDone])
    #expect(world.chains.nextDeadline == Instant(microseconds: 3_000_000))
    world.wait(.seconds(1))
    #expect(world.user.count == 2)
    world.wait(.seconds(1))
    #expect(world.user == [.writeDone, .writeDone] + Self.reported)
    #expect(world.chains.nextDeadline == nil)
  }

  @Test("I36, I38: The answer obeys the call's flow control")
  func flowControl() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory("/a.B", delay: .seconds(1))])
    world.ask(call, .receiveNextMessages(1))
    world.askUnary(call, "hello", ChainWorld.start { $0.flowControl = true })
    world.wait(.seconds(1))
    #expect(world.user == [.writeDone] + Self.reported.prefix(2))
    world.ask(call, .receiveNextMessages(1))
    #expect(world.user == [.writeDone] + Self.reported)
  }

  @Test("A cancel closes once: before the start, before the answer, and if the call passes through")
  func cancels() throws {
    for (path, starts) in [("/a.B", false), ("/a.B", true), ("/other", true)] {
      var world = ChainWorld()
      let call = try world.open([Self.factory(path, delay: .seconds(1))])
      if starts { world.ask(call, .start(ChainWorld.start)) }
      world.ask(call, .cancel)
      world.wait(.seconds(2))
      #expect(world.user == [.close(.cancelled)])
      #expect(world.orders.isEmpty == (path == "/a.B"))
      #expect(world.findings.isEmpty)
    }
  }
}
