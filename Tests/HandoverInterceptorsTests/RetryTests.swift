import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Retries")
struct RetryTests {
  private static let lost = CallStatus(.unavailable, "Connectivity lost.")
  private static let steady = BackoffConfiguration(jitter: Ratio(0, outOf: 1))
  private static let unary: [TransportOrder] = [
    .start(ChainWorld.start), .send(Array("hello".utf8)), .finish,
  ]

  private static func factory(
    _ change: (inout RetryInterceptor.Policy) -> Void = { _ in }
  ) -> RetryInterceptor.Factory {
    var policy = RetryInterceptor.Policy(calls: .any, backoff: steady)
    change(&policy)
    return RetryInterceptor.Factory(policy: policy)
  }

  @Test("A call that ends UNAVAILABLE with nothing delivered is repeated after the backoff")
  func retry() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory(), Plain("below")])
    world.askUnary(call)
    world.ask(call, .receiveNextMessages(1))
    world.send(call, .written, .headers(["try": "1"]), .ended(Self.lost, trailers: nil))
    #expect(world.user == [.writeDone])
    #expect(world.chains.nextDeadline == Instant(microseconds: 1_000_000))
    #expect(world.chains.audit(call).isEmpty)
    world.forgetOrders()
    world.wait(until: Instant(microseconds: 999_999))
    #expect(world.orders.isEmpty)
    world.wait(until: Instant(microseconds: 1_000_000))
    #expect(world.orders == Self.unary)
    #expect(world.chains.nextDeadline == nil)
    world.send(
      call, .written, .headers(["try": "2"]), .message([1]), .ended(.ok, trailers: nil))
    #expect(
      world.user == [
        .writeDone, .initialMetadata(["try": "2"]), .message(.bytes([1])), .close(CallClose(.ok)),
      ])
    #expect(world.made == ["retry", "below", "below"])
    #expect(world.offences.isEmpty)
    #expect(world.findings.isEmpty)
  }

  @Test("The backoff grows from attempt to attempt, and the last failure is the call's")
  func attempts() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.send(call, .ended(Self.lost, trailers: nil))
    world.wait(.seconds(1))
    world.send(call, .ended(Self.lost, trailers: nil))
    #expect(world.chains.nextDeadline == Instant(microseconds: 2_600_000))
    world.wait(.milliseconds(1_600))
    world.send(call, .headers(["try": "3"]), .ended(Self.lost, trailers: ["last": "1"]))
    #expect(
      world.user == [
        .initialMetadata(["try": "3"]), .close(CallClose(Self.lost, trailers: ["last": "1"])),
      ])
    #expect(world.attempts.count == 3)
    #expect(world.released == 1)
    #expect(world.offences.isEmpty)
  }

  @Test(
    "Only calls that a server may see twice are repeated, unless the policy allows it for all",
    arguments: RepeatableCalls.allCases, CallSafety.allCases)
  func safety(_ calls: RepeatableCalls, _ safety: CallSafety) throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory { $0.calls = calls }])
    var start = ChainWorld.start
    start.request.safety = safety
    world.ask(call, .start(start), .write(Message("hello")), .finish)
    world.send(call, .ended(Self.lost, trailers: nil))
    let isRepeated = calls == .any || safety != .standard
    #expect(world.reported(call) == (isRepeated ? [] : [.close(CallClose(Self.lost))]))
    #expect((world.chains.nextDeadline != nil) == isRepeated)
    #expect(RetryInterceptor.Policy().calls == .idempotent)
  }

  @Test("Other codes are not retried, unless the policy names them")
  func codes() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.send(call, .ended(CallStatus(.aborted), trailers: nil))
    #expect(world.reported(call) == [.close(CallClose(CallStatus(.aborted)))])
    let other = try world.open([Self.factory { $0.codes = [.aborted] }])
    world.askUnary(other)
    world.send(other, .ended(CallStatus(.aborted), trailers: nil))
    #expect(world.reported(other).isEmpty)
  }

  @Test("I15: After a message nothing is repeated")
  func committedByMessage() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.send(call, .headers([:]), .message([1]), .ended(Self.lost, trailers: nil))
    #expect(
      world.user == [.initialMetadata([:]), .message(.bytes([1])), .close(CallClose(Self.lost))])
    #expect(world.attempts.count == 1)
  }

  @Test(
    "Above the buffer limits, in bytes or in events, a call is committed",
    arguments: [BufferLimits(bytes: 4), BufferLimits(events: 2)])
  func committedBySize(limits: BufferLimits) throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory { $0.limits = limits }])
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .headers(["a": "1"]))
    #expect(world.user.isEmpty)
    world.ask(call, .write(Message("hello")), .finish)
    world.send(call, .ended(Self.lost, trailers: nil))
    #expect(world.user == [.initialMetadata(["a": "1"]), .close(CallClose(Self.lost))])
    #expect(world.orders == Self.unary)
  }

  @Test("Requests during the backoff wait for the next attempt")
  func askedDuringBackoff() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .ended(Self.lost, trailers: nil))
    world.forgetOrders()
    world.ask(call, .write(Message("hello")), .finish)
    #expect(world.orders.isEmpty)
    world.wait(.seconds(1))
    #expect(world.orders == Self.unary)
    #expect(world.offences.isEmpty)
  }

  @Test("Requests during the backoff wait even above the limits, and commit the attempt")
  func askedBeyondLimits() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory { $0.limits = BufferLimits(bytes: 4) }])
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .ended(Self.lost, trailers: nil))
    world.forgetOrders()
    world.ask(call, .write(Message("hello")), .finish)
    world.wait(.seconds(1))
    #expect(world.orders == Self.unary)
    world.send(call, .ended(Self.lost, trailers: nil))
    #expect(world.user == [.close(CallClose(Self.lost))])
  }

  @Test("The headers of a failed attempt are not reported for one without headers")
  func headersOfAttempts() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.send(call, .headers(["try": "1"]), .ended(Self.lost, trailers: nil))
    world.wait(.seconds(1))
    world.send(call, .ended(CallStatus(.notFound), trailers: nil))
    #expect(world.user == [.close(CallClose(CallStatus(.notFound)))])
  }

  @Test("An attempt has the remaining part of the call's timeout")
  func timeoutOfAttempts() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.wait(.seconds(10))
    world.ask(call, .start(ChainWorld.start { $0.timeout = .seconds(5) }))
    world.wait(.seconds(1))
    world.send(call, .ended(Self.lost, trailers: nil))
    world.wait(.seconds(1))
    #expect(world.orders.last == .start(ChainWorld.start { $0.timeout = .seconds(3) }))
  }

  @Test("A retry that could not start within the timeout is not waited for")
  func noTimeLeft() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.ask(call, .start(ChainWorld.start { $0.timeout = .seconds(1) }))
    world.send(call, .ended(Self.lost, trailers: nil))
    #expect(world.user == [.close(CallClose(Self.lost))])
    #expect(world.chains.nextDeadline == nil)
  }

  @Test("A clock that fires after the timeout starts nothing")
  func lateClock() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.ask(call, .start(ChainWorld.start { $0.timeout = .seconds(2) }))
    world.send(call, .ended(Self.lost, trailers: nil))
    world.wait(.seconds(2))
    #expect(world.user == [.close(CallClose(Self.lost))])
    #expect(world.attempts.count == 1)
  }

  @Test("A cancel during the backoff closes once, sends nothing, and nothing starts later")
  func cancelDuringBackoff() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.send(call, .headers(["a": "1"]), .ended(Self.lost, trailers: nil))
    world.forgetOrders()
    world.ask(call, .cancel)
    world.wait(.seconds(5))
    #expect(world.user == [.close(.cancelled)])
    #expect(world.orders.isEmpty)
    #expect(world.released == 1)
    #expect(world.chains.nextDeadline == nil)
    #expect(world.findings.isEmpty)
  }

  @Test("A cancel during an attempt is forwarded, and its UNAVAILABLE is not retried")
  func cancelDuringAttempt() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory()])
    world.askUnary(call)
    world.ask(call, .cancel)
    world.send(call, .ended(Self.lost, trailers: nil))
    world.wait(.seconds(5))
    #expect(world.user == [.close(.cancelled)])
    #expect(world.orders == Self.unary + [.cancel])
    #expect(world.attempts.count == 1)
  }

  @Test("A cancel before the start closes once and makes nothing")
  func cancelBeforeStart() throws {
    var world = ChainWorld()
    let call = try world.open([Self.factory(), Plain("below")])
    world.ask(call, .write(Message("early")), .cancel)
    #expect(world.user == [.close(.cancelled)])
    #expect(world.made == ["retry"])
  }

  @Test("Calls that fail together are retried at different times, reproducibly for one seed")
  func jitter() throws {
    func deadlines(seed: UInt64) throws -> [Instant?] {
      var world = ChainWorld()
      let factory = RetryInterceptor.Factory(policy: .init(calls: .any), seed: seed)
      return try (0..<2).map { _ in
        let call = try world.open([factory])
        let begin = world.now
        world.askUnary(call)
        world.send(call, .ended(Self.lost, trailers: nil))
        world.wait(.seconds(1))
        world.send(call, .ended(Self.lost, trailers: nil))
        let deadline = world.chains.nextDeadline
        world.ask(call, .cancel)
        return deadline.map { Instant(microseconds: $0.since(begin).microseconds) }
      }
    }
    let first = try deadlines(seed: 1)
    #expect(first[0] != first[1])
    #expect(try deadlines(seed: 1) == first)
    #expect(try deadlines(seed: 2) != first)
  }

  @Test("A token is renewed below a retry and above it, and only one attempt is alive at a time")
  func withTokens() throws {
    for order in [0, 1] {
      var world = ChainWorld()
      let token = TokenInterceptor.Factory(token: SharedState(AccessToken("OLD")))
      let factories: [any InterceptorFactory] = [Self.factory(), token]
      let call = try world.open(order == 0 ? factories : factories.reversed())
      world.askUnary(call)
      world.send(call, .ended(Self.lost, trailers: nil))
      world.wait(.seconds(1))
      world.send(call, .ended(CallStatus(.unauthenticated), trailers: nil))
      world.answer("NEW")
      world.send(call, .message([1]), .ended(.ok, trailers: nil))
      #expect(world.user == [.message(.bytes([1])), .close(CallClose(.ok))])
      #expect(world.offences.isEmpty)
      #expect(world.findings.isEmpty)
    }
  }
}
