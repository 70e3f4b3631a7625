import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Access tokens")
struct TokenTests {
  private static let refusal = CallStatus(.unauthenticated, "token expired")

  private static func start(_ token: String) -> CallStart {
    ChainWorld.start { $0.accessToken = token }
  }

  private static func unary(_ token: String) -> [TransportOrder] {
    [.start(start(token)), .send(Array("hello".utf8)), .finish]
  }

  @Test(
    "An answer is a token, alone or with its lifetime",
    arguments: [
      ("TOKEN", AccessToken("TOKEN")),
      ("TOKEN;expires=30s", AccessToken("TOKEN", expires: Instant(microseconds: 31_000_000))),
      ("T;expires=0s", AccessToken("T", expires: Instant(microseconds: 1_000_000))),
      ("", nil), (";expires=30s", nil), ("TOKEN;expires=30", nil), ("TOKEN;expires=s", nil),
      ("TOKEN;expires=-1s", nil), ("TOKEN;", nil), ("TOKEN;other=30s", nil),
    ] as [(String, AccessToken?)])
  func answers(text: String, token: AccessToken?) {
    #expect(AccessToken(answer: text, at: Instant(microseconds: 1_000_000)) == token)
  }

  @Test("C6: A call without a token delays everything, and nothing is made below it")
  func waiting() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory(), Plain("below")])
    world.ask(call, .write(Message("early")), .receiveNextMessages(1))
    #expect(world.questions.isEmpty)
    world.askUnary(call)
    #expect(world.questions.map(\.2) == ["token"])
    #expect(world.made == ["token"])
    #expect(world.attempts.isEmpty)
    world.answer("ONE")
    #expect(
      world.orders
        == [
          .start(Self.start("ONE")), .send(Array("early".utf8)), .send(Array("hello".utf8)),
          .finish,
        ]
    )
    #expect(world.findings.isEmpty)
  }

  @Test("A valid token is used without asking, and an expired one is not")
  func sharedToken() throws {
    var world = ChainWorld()
    let factory = TokenInterceptor.Factory()
    let first = try world.open([factory])
    world.askUnary(first)
    world.answer("ONE;expires=30s")
    world.send(first, .message([1]), .ended(.ok, trailers: nil))
    world.wait(.seconds(29))
    world.forgetOrders()
    world.askUnary(try world.open([factory]))
    #expect(world.questions.isEmpty)
    #expect(world.orders == Self.unary("ONE"))
    world.wait(.seconds(1))
    world.askUnary(try world.open([factory]))
    #expect(world.questions.count == 1)
  }

  @Test(
    "Without a token the call ends UNAUTHENTICATED, and nothing was started",
    arguments: [nil, "", "TOKEN;expires=soon"] as [String?])
  func noToken(answer: String?) throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer(answer)
    #expect(
      world.user
        == [.close(CallClose(CallStatus(.unauthenticated, "there is no access token")))])
    #expect(world.attempts.isEmpty)
    #expect(world.released == 1)
  }

  @Test("A token that the server refuses is renewed once, and the call restarts")
  func refresh() throws {
    var world = ChainWorld()
    let factory = TokenInterceptor.Factory(token: SharedState(AccessToken("OLD")))
    let call = try world.open([factory, Plain("below")])
    world.askUnary(call)
    world.send(call, .written, .headers(["try": "1"]), .ended(Self.refusal, trailers: nil))
    #expect(world.user == [.writeDone])
    #expect(world.questions.count == 1)
    #expect(world.chains.audit(call).isEmpty)
    #expect(factory.token.withValue { $0 } == nil)
    world.forgetOrders()
    world.answer("NEW")
    #expect(world.orders == Self.unary("NEW"))
    world.send(
      call, .written, .headers(["try": "2"]), .message([1]), .ended(.ok, trailers: nil))
    #expect(
      world.user == [
        .writeDone, .initialMetadata(["try": "2"]), .message(.bytes([1])), .close(CallClose(.ok)),
      ])
    #expect(world.offences.isEmpty)
    #expect(world.findings.isEmpty)
    #expect(world.made == ["token", "below", "below"])
  }

  @Test("A second refusal ends the call")
  func refusedTwice() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer("ONE")
    world.send(call, .ended(Self.refusal, trailers: nil))
    world.answer("TWO")
    world.send(call, .headers(["a": "1"]), .ended(Self.refusal, trailers: ["b": "2"]))
    #expect(world.questions.isEmpty)
    #expect(
      world.user
        == [.initialMetadata(["a": "1"]), .close(CallClose(Self.refusal, trailers: ["b": "2"]))])
  }

  @Test("If no new token can be obtained, the call ends with the server's status")
  func refusedWithoutAnother() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer("ONE")
    world.send(call, .ended(Self.refusal, trailers: ["b": "2"]))
    world.answer(nil)
    #expect(world.user == [.close(CallClose(Self.refusal, trailers: ["b": "2"]))])
  }

  @Test("A token that another call has renewed is used immediately, and kept")
  func renewedByAnother() throws {
    var world = ChainWorld()
    let factory = TokenInterceptor.Factory(token: SharedState(AccessToken("OLD")))
    let call = try world.open([factory])
    world.askUnary(call)
    factory.token.withValue { $0 = AccessToken("NEW") }
    world.forgetOrders()
    world.send(call, .ended(Self.refusal, trailers: nil))
    #expect(world.questions.isEmpty)
    #expect(world.orders == Self.unary("NEW"))
    #expect(factory.token.withValue { $0 } == AccessToken("NEW"))
  }

  @Test("After a message a refusal ends the call")
  func refusedAfterMessage() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer("ONE")
    world.send(call, .message([1]), .ended(Self.refusal, trailers: nil))
    #expect(world.user == [.message(.bytes([1])), .close(CallClose(Self.refusal))])
    #expect(world.questions.isEmpty)
  }

  @Test("Above the buffer limits a refusal ends the call")
  func refusedBeyondLimits() throws {
    var world = ChainWorld()
    let factory = TokenInterceptor.Factory(limits: BufferLimits(bytes: 4))
    let call = try world.open([factory])
    world.askUnary(call)
    world.answer("ONE")
    world.send(call, .headers(["a": "1"]))
    world.send(call, .ended(Self.refusal, trailers: nil))
    #expect(world.user == [.initialMetadata(["a": "1"]), .close(CallClose(Self.refusal))])
  }

  @Test("I21: A cancel before the start, or while the call waits, closes once and makes nothing")
  func cancelled() throws {
    for isStarted in [false, true] {
      var world = ChainWorld()
      let call = try world.open([TokenInterceptor.Factory(), Plain("below")])
      if isStarted { world.askUnary(call) }
      world.ask(call, .cancel)
      world.answer("LATE")
      #expect(world.user == [.close(.cancelled)])
      #expect(world.made == ["token"])
      #expect(world.attempts.isEmpty)
      #expect(world.released == 1)
      #expect(world.findings.isEmpty)
    }
  }

  @Test("A cancel during the renewal of a token closes once, without the headers of the failure")
  func cancelledDuringRefresh() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer("ONE")
    world.send(call, .headers(["a": "1"]), .ended(Self.refusal, trailers: nil))
    world.forgetOrders()
    world.ask(call, .cancel)
    world.answer("TWO")
    #expect(world.user == [.close(.cancelled)])
    #expect(world.orders.isEmpty)
    #expect(world.findings.isEmpty)
  }

  @Test("A cancel of a running call is forwarded")
  func cancelledRunning() throws {
    var world = ChainWorld()
    let call = try world.open([TokenInterceptor.Factory()])
    world.askUnary(call)
    world.answer("ONE")
    world.ask(call, .cancel)
    #expect(world.user == [.close(.cancelled)])
    #expect(world.orders.last == .cancel)
  }
}
