import HandoverCore
import HandoverInterceptors
import Synchronization
import Testing

@Suite("Calls and their handlers in real time", .timeLimit(.minutes(30)))
struct CallTests {
  @Test(
    "L37: A call goes through its interceptors and back, and both ends see the same"
  )
  func echo() async throws {
    let transport = EchoTransport()
    let client = InterceptedClient(transport, .apart())
    let ear = Ear()
    let call = try client.makeCall(
      .echo, CallOptions(Making("first"), Making("second")), handler: ear.handler())
    call.start()
    call.write(Message("hello"))
    call.finish()
    #expect(
      await ear.received() == [
        .initialMetadata(["server": "echo"]), .message(Message("hello")),
        .close(CallClose(.ok)),
      ])
    guard case .start(let start)? = transport.orders.all.first?.order else {
      Issue.record("nothing was started")
      return
    }
    #expect(start.request == .echo)
  }

  @Test("I10: A call needs a host and a path; a handler and options always exist")
  func preconditions() {
    let client = InterceptedClient(EchoTransport(), .apart())
    #expect(throws: CallOpenError.emptyHost) {
      try client.makeCall(RequestOptions(host: "", path: "/a"), handler: ResponseHandler())
    }
    #expect(throws: CallOpenError.emptyPath) {
      try client.makeCall(RequestOptions(host: "a", path: ""), handler: ResponseHandler())
    }
  }

  @Test("I27: Data that is written before the start is sent after it")
  func earlyWrite() async throws {
    let transport = EchoTransport()
    let ear = Ear()
    let call = try InterceptedClient(transport, .apart()).makeCall(.echo, handler: ear.handler())
    call.write(Message("early"))
    call.start()
    call.finish()
    #expect(await ear.received().texts == ["early"])
  }

  @Test("I36: With flow control one message is read for each requested one")
  func flowControl() async throws {
    var options = CallOptions(Making("link"))
    options.flowControl = true
    let transport = ScriptedTransport()
    let ear = Ear()
    let call = try InterceptedClient(transport, .apart()).makeCall(
      .echo, options, handler: ear.handler())
    call.start()
    call.receiveNextMessages(1)
    let attempt = try #require(await transport.orders(1).first).attempt
    attempt.receive(.headers([:]))
    #expect(await transport.orders(1).map(\.order) == [.readMessage])
    attempt.receive(.message([1]))
    attempt.receive(.ended(.ok, trailers: nil))
    #expect(await ear.received().count == 3)
  }

  @Test("I31: Missing callbacks are skipped")
  func missingCallbacks() async throws {
    let ear = Ear()
    var handler = ResponseHandler()
    handler.didClose = ear.handler().didClose
    let call = try InterceptedClient(EchoTransport(), .apart()).makeCall(.echo, handler: handler)
    call.start()
    call.write(Message("unheard"))
    call.finish()
    #expect(await ear.received() == [.close(CallClose(.ok))])
  }

  @Test(
    "I30: The deprecated callback wins always, or only without interceptors",
    arguments: [
      (ResponseHandler.RawMessages.always, true, true), (.always, false, true),
      (.withoutInterceptors, true, false), (.withoutInterceptors, false, true),
    ])
  func rawMessages(
    option: ResponseHandler.RawMessages, hasInterceptor: Bool, getsRaw: Bool
  ) async throws {
    let client = InterceptedClient(EchoTransport(), .apart { $0.rawMessages = option })
    let ear = Ear()
    let raw = Record<[UInt8]>()
    var handler = ear.handler()
    handler.didReceiveRawMessage = { raw.add($0) }
    let options = hasInterceptor ? CallOptions(Making("link")) : CallOptions()
    let call = try client.makeCall(.echo, options, handler: handler)
    call.start()
    call.write(.bytes([1]))
    call.finish()
    #expect(await ear.received().texts.isEmpty == getsRaw)
    #expect(raw.all == (getsRaw ? [[1]] : []))
  }

  @Test("I21: A call may be cancelled before its start, and closes once")
  func cancelBeforeStart() async throws {
    let transport = EchoTransport()
    let ear = Ear()
    let call = try InterceptedClient(transport, .apart()).makeCall(
      .echo, CallOptions(Making("link")), handler: ear.handler())
    call.cancel()
    #expect(await ear.received() == [.close(CallClose(CallStatus(.cancelled, "Canceled by app")))])
    #expect(transport.orders.all.isEmpty)
  }

  @Test(
    "I18: As in the later code, the first interceptor closes a cancelled call with its own message")
  func laterCancel() async throws {
    let ear = Ear()
    let call = try InterceptedClient(EchoTransport(), .apart { $0.chains.cancel = .close })
      .makeCall(
        .echo, CallOptions(Making("link")), handler: ear.handler())
    call.cancel()
    #expect(await ear.received() == [.close(.cancelled)])
  }

  @Test("A call that was never started is released with its object")
  func forgotten() throws {
    final class Token: Sendable {}
    weak var token: Token?
    let client = InterceptedClient(EchoTransport(), .apart())
    func make() throws {
      let held = Token()
      token = held
      var handler = ResponseHandler()
      handler.didWriteData = { _ = held }
      _ = try client.makeCall(.echo, CallOptions(Making("link")), handler: handler)
    }
    try make()
    #expect(token == nil)
  }

  @Test("A handler that retains its own call is released with it when the call is over")
  func heldByItsHandler() async throws {
    final class Holder: Sendable {
      let call = Mutex<InterceptedCall?>(nil)
      let continuation: AsyncStream<Void>.Continuation

      init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

      deinit { continuation.yield() }
    }
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport()
    let client = InterceptedClient(transport, .apart())
    let ear = Ear()
    func make() throws {
      let holder = Holder(continuation)
      var handler = ear.handler()
      handler.didWriteData = { _ = holder }
      let hasty = Making("hasty") { _ in Hasty() }
      let call = try client.makeCall(.echo, CallOptions(hasty), handler: handler)
      holder.call.withLock { $0 = call }
      call.start()
    }
    try make()
    // The user receives the end first, so the call is over with the transport's end.
    _ = await ear.received()
    try #require(await transport.orders(1).first).attempt.receive(.ended(.ok, trailers: nil))
    for await _ in ends { break }
    // The deallocation of the object did not block the client.
    let next = try client.makeCall(.echo, handler: ResponseHandler())
    next.start()
    #expect(await transport.orders(1).count == 1)
  }

  /// Starts the next interceptor, then closes and shuts down.
  private struct Hasty: Interceptor {
    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      manager.startNextInterceptor(start)
      manager.forwardPreviousInterceptorClose(CallClose(.ok))
      manager.shutDown()
    }
  }
}
