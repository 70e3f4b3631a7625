import Dispatch
import HandoverCore
import HandoverInterceptors
import Synchronization
import Testing

@Suite("Interceptors in real time", .timeLimit(.minutes(30)))
struct LinkTests {
  /// Answers the call itself, and shuts down.
  private struct Answering: Interceptor {
    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptor(message: Message("from the link"))
      manager.forwardPreviousInterceptorClose(CallClose(.ok))
      manager.shutDown()
    }
  }

  @Test(
    "I4, I22, I26: An interceptor that answers and shuts down forwards nothing more"
  )
  func shortCircuit() async throws {
    let asked = Record<String>()
    let transport = EchoTransport()
    let ear = Ear()
    let later = Making("later") { _ in
      asked.add("later")
      return ForwardingInterceptor()
    }
    let client = InterceptedClient(transport, .apart { $0.chains.creation = .lazy })
    let call = try client.makeCall(
      .echo, CallOptions(Making("answering") { _ in Answering() }, later), handler: ear.handler())
    call.start()
    call.write(Message("to nobody"))
    call.finish()
    call.cancel()
    let received = await ear.received()
    #expect(received.texts == ["from the link"])
    #expect(received.closes.count == 1)
    #expect(asked.all.isEmpty)
    #expect(transport.orders.all.isEmpty)
  }

  @Test("L17: A call's interceptors are made at its start, on the thread that starts it")
  func madeByTheStart() async throws {
    let asked = Record<String>()
    let ear = Ear()
    let client = InterceptedClient(EchoTransport(), .apart())
    let inner = Making("inner") { _ in
      asked.add("inner")
      return ForwardingInterceptor()
    }
    let outer = Making("outer") { _ in
      asked.add("outer")
      // A factory may make calls itself, because no lock is held while it runs.
      let call = try? client.makeCall(.echo, CallOptions(inner), handler: ResponseHandler())
      call?.start()
      return ForwardingInterceptor()
    }
    let call = try client.makeCall(.echo, CallOptions(outer), handler: ear.handler())
    #expect(asked.all.isEmpty)
    call.start()
    #expect(asked.all == ["outer", "inner"])
    call.write(Message("hello"))
    call.finish()
    #expect(await ear.received().texts == ["hello"])
  }

  /// Asks for a token at its start, and sends the answer as a header.
  private struct Asking: Interceptor {
    private var held: CallStart?

    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      held = start
      manager.ask("token")
    }

    mutating func didReceiveAnswer(
      _ answer: String?, to question: String, _ manager: inout InterceptorManager
    ) {
      guard var start = held else { return }
      start.options.metadata["authorization"] = answer
      manager.startNextInterceptor(start)
    }
  }

  @Test("The client's services answer the question of an interceptor")
  func question() async throws {
    let transport = ScriptedTransport()
    let client = InterceptedClient(
      transport, .apart { $0.services = { "\($0)-1" } })
    let call = try client.makeCall(
      .echo, CallOptions(Making("asking") { _ in Asking() }), handler: ResponseHandler())
    call.start()
    guard case .start(let start)? = await transport.orders(1).first?.order else { return }
    #expect(start.options.metadata["authorization"] == "token-1")
  }

  /// Ends the call at an instant.
  private struct TimingOut: Interceptor {
    var nextDeadline: Instant? = Instant(microseconds: 5_000_000)

    mutating func timeElapsed(_ manager: inout InterceptorManager) {
      nextDeadline = nil
      manager.cancelNextInterceptor()
      manager.forwardPreviousInterceptorClose(CallClose(CallStatus(.deadlineExceeded)))
      manager.shutDown()
    }
  }

  @Test("An interceptor that waits for an instant is notified when the clock reaches it")
  func deadline() async throws {
    let clock = ManualClock()
    let client = InterceptedClient(ScriptedTransport(), .apart { $0.clock = clock })
    let ear = Ear()
    let call = try client.makeCall(
      .echo, CallOptions(Making("timing out") { _ in TimingOut() }), handler: ear.handler())
    call.start()
    DispatchQueue.global().async { clock.advanceToTimer() }
    #expect(await ear.received() == [.close(CallClose(CallStatus(.deadlineExceeded)))])
    #expect(clock.now == Instant(microseconds: 5_000_000))
  }

  @Test("The machine's clock fires immediately for an instant in the past, and moves forward")
  func machineClock() async {
    let clock = DispatchChainClock()
    let before = clock.now
    let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
    let alarm = clock.makeTimer { continuation.yield() }
    alarm.set(nil)
    alarm.set(.zero)
    for await _ in rings { break }
    #expect(before <= clock.now)
  }

  @Test("A factory may use the client that calls it")
  func factoryUsesClient() async throws {
    let inner = Ear()
    let client = InterceptedClient(EchoTransport(), .apart())
    let outer = Ear()
    let factory = Making("calling") { _ in
      guard let call = try? client.makeCall(.echo, handler: inner.handler()) else { return nil }
      call.start()
      call.finish()
      return ForwardingInterceptor()
    }
    let call = try client.makeCall(
      .echo, CallOptions(Making("first"), factory), handler: outer.handler())
    call.start()
    call.finish()
    #expect(await outer.received().closes == [CallClose(.ok)])
    #expect(await inner.received().closes == [CallClose(.ok)])
  }

  /// Retries once if the first attempt ends UNAVAILABLE.
  private struct Retrying: Interceptor {
    private var start: CallStart?

    mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
      self.start = start
      manager.startNextInterceptor(start)
    }

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      guard let again = start, close.status.code == .unavailable else {
        manager.forwardPreviousInterceptorClose(close)
        return manager.shutDown()
      }
      start = nil
      manager.renewNextInterceptor()
      manager.startNextInterceptor(again)
    }
  }

  @Test("An interceptor that retries gets a new attempt, and the old one is ignored")
  func retry() async throws {
    let transport = ScriptedTransport()
    let ear = Ear()
    let call = try InterceptedClient(transport, .apart()).makeCall(
      .echo, CallOptions(Making("retrying") { _ in Retrying() }, Making("behind")),
      handler: ear.handler())
    call.start()
    let first = try #require(await transport.orders(1).first).attempt
    first.receive(.ended(CallStatus(.unavailable), trailers: nil))
    let second = try #require(await transport.orders(1).first).attempt
    #expect(first != second)
    first.receive(.message([1]))
    second.receive(.ended(.ok, trailers: nil))
    #expect(await ear.received() == [.close(CallClose(.ok))])
  }

  /// Forwards the close and does not shut down.
  private struct Staying: Interceptor {
    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(close)
    }
  }

  @Test("I24: An interceptor that does not shut down is reported by name when its call is over")
  func staying() async throws {
    let (findings, continuation) = AsyncStream.makeStream(of: ChainFinding.self)
    let configuration = InterceptedClient.Configuration.apart {
      $0.report = { if case .finding(_, let finding) = $0 { continuation.yield(finding) } }
    }
    let call = try InterceptedClient(EchoTransport(), configuration).makeCall(
      .echo, CallOptions(Making("staying") { _ in Staying() }), handler: ResponseHandler())
    call.start()
    call.finish()
    for await finding in findings {
      #expect(finding == ChainFinding(link: "staying", .notShutDown))
      break
    }
  }
}
