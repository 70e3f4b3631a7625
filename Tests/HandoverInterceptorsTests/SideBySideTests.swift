import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Interceptors that work concurrently")
struct SideBySideTests {
  /// A call in progress through interceptors with a queue for each direction.
  private struct Underway {
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    let call: ChainID

    init(_ factories: [any InterceptorFactory]) throws {
      var start = ChainWorld.start
      start.options.interceptorFactories = factories
      call = try chains.open(start, into: &effects)
      chains.request(.start(ChainWorld.start), of: call, into: &effects)
      finishTurns()
    }

    /// Returns the queues that were reported ready since the last call, once for each report.
    mutating func reportedQueues() -> [QueueID] {
      defer { effects = [] }
      return effects.compactMap { if case .queueFilled(let queue) = $0 { queue } else { nil } }
    }

    mutating func finishTurns() {
      var reported = reportedQueues()[...]
      while let queue = reported.popFirst() {
        chains.run(queue, at: .zero, into: &effects)
        reported += reportedQueues()
      }
    }

    mutating func send(_ event: TransportEvent) {
      chains.transport(event, of: call, attempt: chains.attempt(of: call), into: &effects)
    }
  }

  @Test(
    "A queue that became ready while its interceptor was busy is reported again as often"
  )
  func waitingTurns() throws {
    var world = try Underway([Plain("link", queues: .separate)])
    world.chains.request(.write(Message("a")), of: world.call, into: &world.effects)
    let requests = try #require(world.reportedQueues().first)
    for _ in 0..<3 { world.send(.message([1])) }
    let responses = world.reportedQueues()
    #expect(responses.count == 3)

    let begun = world.chains.begin(requests, at: .zero, into: &world.effects)
    var run = try #require(begun)
    for queue in responses {
      let early = world.chains.begin(queue, at: .zero, into: &world.effects)
      #expect(early?.link == nil)
    }
    run.run()
    world.chains.complete(run, into: &world.effects)
    let reportedAgain = world.reportedQueues().filter { $0 == responses[0] }
    #expect(reportedAgain.count == 3)
  }

  @Test("A queue that is returned while its interceptor works belongs only to the next call")
  func busyQueueGivenBack() throws {
    var world = try Underway([Plain("link")])
    world.chains.request(.write(Message("a")), of: world.call, into: &world.effects)
    let old = try #require(world.reportedQueues().first)
    let begun = world.chains.begin(old, at: .zero, into: &world.effects)
    var run = try #require(begun)
    world.chains.remove(world.call)

    var start = ChainWorld.start
    start.options.interceptorFactories = [Plain("next", queues: .separate)]
    let next = try world.chains.open(start, into: &world.effects)
    world.chains.request(.start(start), of: next, into: &world.effects)
    world.finishTurns()
    world.chains.transport(
      .message([1]), of: next, attempt: world.chains.attempt(of: next), into: &world.effects)
    let queue = try #require(world.reportedQueues().first)
    #expect(queue.index == old.index)
    let nextBegun = world.chains.begin(queue, at: .zero, into: &world.effects)
    #expect(nextBegun?.chain == next)
    run.run()
    world.chains.complete(run, into: &world.effects)
    #expect(world.reportedQueues().isEmpty)
    #expect(world.chains.begin(old, at: .zero, into: &world.effects)?.link == nil)
  }
}

extension CallChains {
  fileprivate func attempt(of call: ChainID) -> UInt32 {
    chains[Int(call.index)].attempt ?? 0
  }
}
