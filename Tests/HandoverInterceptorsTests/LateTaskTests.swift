import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Queued work that comes too late")
struct LateTaskTests {
  /// Runs queues until none is ready except one that is held back.
  private static func runUntilIdle(
    _ chains: inout CallChains, without held: QueueID? = nil, into effects: inout [ChainEffect]
  ) {
    while let queue = chains.readyQueues.first(where: { $0 != held }) {
      chains.run(queue, at: .zero, into: &effects)
    }
  }

  private static func orders(_ effects: [ChainEffect]) -> [TransportOrder] {
    effects.compactMap { if case .transport(_, _, let order) = $0 { order } else { nil } }
  }

  @Test("A request for an abandoned attempt does not reach the next one")
  func requestForOldAttempt() throws {
    let again = Hooked("again") { hook in
      hook.close = { _, manager in
        manager.renewNextInterceptor()
        manager.startNextInterceptor(ChainWorld.start)
      }
    }
    var start = ChainWorld.start
    start.options.interceptorFactories = [again]
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    let call = try chains.open(start, into: &effects)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    Self.runUntilIdle(&chains, into: &effects)
    let transport = QueueID(index: try #require(chains.chains[0].transportQueue))
    let attempt = try #require(chains.chains[0].transport?.attempt)
    chains.request(.write(Message("old")), of: call, into: &effects)
    Self.runUntilIdle(&chains, without: transport, into: &effects)
    chains.transport(
      .ended(CallStatus(.unavailable), trailers: nil), of: call, attempt: attempt, into: &effects)
    Self.runUntilIdle(&chains, without: transport, into: &effects)
    Self.runUntilIdle(&chains, into: &effects)
    #expect(Self.orders(effects) == [.start(ChainWorld.start), .start(ChainWorld.start)])
  }

  @Test("The user receives nothing after the end, whatever still arrives")
  func userAfterEnd() throws {
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    let call = try chains.open(ChainWorld.start, into: &effects)
    let queue = chains.chains[0].userQueue
    for response in [
      ChainResponse.close(CallClose(.ok)), .message(.bytes([1])), .close(.cancelled),
    ] {
      chains.queues.append(
        ChainTask(chain: call, link: .user, work: .response(response)), to: queue, into: &effects)
    }
    #expect(!chains.hasEnded(call))
    Self.runUntilIdle(&chains, into: &effects)
    #expect(chains.hasEnded(call))
    let reported = effects.compactMap {
      if case .user(_, let response) = $0 { response } else { nil }
    }
    #expect(reported == [.close(CallClose(.ok))])
  }

  @Test("A removed call leaves no queued work, and its slot is reused")
  func removedCall() throws {
    var start = ChainWorld.start
    start.options.interceptorFactories = [Plain("first")]
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    let call = try chains.open(start, into: &effects)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    let count = chains.queues.rows.count
    chains.remove(call)
    #expect(chains.readyQueues.isEmpty)
    #expect(chains.hasEnded(call))
    let next = try chains.open(start, into: &effects)
    #expect(next.index == call.index && next != call)
    #expect(chains.queues.rows.count == count)
    effects = []
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    chains.transport(.message([1]), of: call, attempt: 1, into: &effects)
    #expect(effects.isEmpty)
    #expect(chains.linkNames(of: call).isEmpty)
    #expect(chains.linkNames(of: next) == ["first"])
  }

  @Test("A deadline that has passed is reported once, however often the clock fires")
  func deadlineIsReportedOnce() throws {
    let mock = MockInterceptor.Answer(
      "/a.B", CallResponse(close: CallClose(.ok)), delay: .seconds(1))
    var start = ChainWorld.start
    start.options.interceptorFactories = [MockInterceptor.Factory(answers: [mock])]
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    let call = try chains.open(start, into: &effects)
    chains.request(.start(start), of: call, into: &effects)
    Self.runUntilIdle(&chains, into: &effects)
    let later = Instant(microseconds: 1_000_000)
    #expect(chains.nextDeadline == later)
    effects = []
    chains.timeElapsed(at: later, into: &effects)
    chains.timeElapsed(at: later, into: &effects)
    #expect(effects.count == 1)
  }
}
