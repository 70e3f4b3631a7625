import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The interface for drivers of chains")
struct DrivingTests {
  private var chains = CallChains(.laterCode)
  private var effects: [ChainEffect] = []

  private var names: [String] {
    effects.compactMap { if case .linkMade(_, _, let name) = $0 { name } else { nil } }
  }

  private func start(_ factories: [any InterceptorFactory]) -> CallStart {
    var start = ChainWorld.start
    start.options.interceptorFactories = factories
    return start
  }

  @Test("Factories run while an interceptor works, and not while the table is changed")
  mutating func factoriesApart() throws {
    var opening = try CallChains.Configuration.laterCode.prepare(
      start([Plain("first"), Plain("second")]))
    #expect(opening.made == nil)
    opening.run()
    #expect(opening.made?.links.map(\.name) == ["first"])
    let call = chains.open(opening, into: &effects)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    let begun = chains.begin(try #require(chains.readyQueues.first), at: .zero, into: &effects)
    var run = try #require(begun)
    #expect(run.made.isEmpty)
    run.run()
    #expect(run.made.flatMap(\.links).map(\.name) == ["second"])
    #expect(names == ["first"])
    chains.complete(run, into: &effects)
    #expect(names == ["first", "second"])
  }

  @Test("All interceptors are made at the start of the call, and other requests wait for that")
  mutating func factoriesApartAtTheStart() throws {
    var chains = CallChains()
    let factories: [any InterceptorFactory] = [Plain("first"), Plain("second")]
    var opening = try CallChains.Configuration().prepare(start(factories))
    opening.run()
    #expect(opening.made == nil)
    let call = chains.open(opening, into: &effects)
    #expect(chains.isSettled(call))
    let begun = chains.beginLinks(of: call)
    var links = try #require(begun)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    #expect(chains.beginLinks(of: call) == nil)
    chains.request(.write(Message("meanwhile")), of: call, into: &effects)
    #expect(effects.isEmpty)
    #expect(!chains.isSettled(call))
    links.run()
    #expect(links.made?.links.map(\.name) == ["first", "second"])
    chains.complete(links, of: call, into: &effects)
    #expect(names == ["first", "second"])
    #expect(effects.count { if case .queueFilled = $0 { true } else { false } } == 2)
    #expect(chains.beginLinks(of: call) == nil)
  }

  @Test("Bytes are made while the transport's end works, and its events wait")
  mutating func marshallingApart() throws {
    let call = try chains.open(start([]), into: &effects)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    let queue = try #require(chains.readyQueues.first)
    #expect(chains.use(of: queue) == .transport(call))
    #expect(chains.nextCall(on: queue) == call)
    let begun = chains.beginTransport(queue)
    var run = try #require(begun)
    run.run()
    #expect(run.reaction.orders == [.start(ChainWorld.start)])
    chains.complete(run, into: &effects)
    #expect(effects.last == .transport(call, attempt: run.end.attempt, .start(ChainWorld.start)))
  }

  @Test("An attempt that is abandoned while its end works is cancelled afterward")
  mutating func givenUpAtWork() throws {
    let call = try chains.open(
      start([Plain("renewing", Renewing()), Plain("early", ClosingEarly())]), into: &effects)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    while let queue = chains.readyQueues.first { chains.run(queue, at: .zero, into: &effects) }
    let attempt = try #require(chains.chains[0].attempt)
    let begun = chains.beginTransport(.message([1]), of: call, attempt: attempt)
    var late = try #require(begun)
    chains.request(.write(Message("again")), of: call, into: &effects)
    // The message reaches the second interceptor, whose close lets the first one retry.
    for _ in 0..<3 {
      let link = try #require(chains.readyQueues.first)
      chains.run(link, at: .zero, into: &effects)
    }
    effects = []
    late.run()
    chains.complete(late, into: &effects)
    #expect(effects == [.transport(call, attempt: attempt, .cancel)])
  }

  @Test("I11: If nothing can be made, the factories that made nothing are not called again")
  func nothingToMake() throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.transports = .withoutTransports
    var world = ChainWorld(configuration)
    let call = try world.open([Plain("none", nil)])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.skipped == ["none"])
    #expect(world.findings == [ChainFinding(link: "the call", .nothingToStart)])
  }

  @Test("I35: A call of the older interface has neither its own interceptors nor the global one")
  func legacy() throws {
    var configuration = CallChains.Configuration.laterCode
    configuration.global = Plain("global")
    var opening = try configuration.prepare(start([Plain("own")]), isLegacy: true)
    opening.run()
    let made = try #require(opening.made)
    #expect(made.links.isEmpty && made.reachesTransport)
  }

  @Test("A call is settled when nothing is pending for it, and not before")
  func settled() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("asking", Asking())])
    #expect(world.chains.isSettled(call))
    world.askUnary(call)
    #expect(!world.chains.isSettled(call))
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.user.isEmpty && !world.chains.isSettled(call))
    world.answer("yes")
    #expect(world.user.count == 1 && world.chains.isSettled(call))
    let other = try world.open([Plain("first")])
    var effects: [ChainEffect] = []
    world.chains.request(.write(Message("early")), of: other, into: &effects)
    #expect(!world.chains.isSettled(other))
  }

  /// Starts another attempt when the first one closes.
  private struct Renewing: Interceptor {
    var hasRenewed = false

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      guard !hasRenewed else {
        manager.forwardPreviousInterceptorClose(close)
        return manager.shutDown()
      }
      hasRenewed = true
      manager.renewNextInterceptor()
      manager.startNextInterceptor(ChainWorld.start)
    }
  }

  /// Closes when a message is written, without notifying the transport.
  private struct ClosingEarly: Interceptor {
    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      manager.forwardPreviousInterceptorClose(CallClose(.connectivityLost))
      manager.shutDown()
    }
  }

  /// Delays the end until its question is answered.
  private struct Asking: Interceptor {
    private var close: CallClose?

    mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
      self.close = close
      manager.ask("may it end?")
    }

    mutating func didReceiveAnswer(
      _ answer: String?, to question: String, _ manager: inout InterceptorManager
    ) {
      guard let close else { return }
      manager.forwardPreviousInterceptorClose(close)
      manager.shutDown()
    }
  }
}
