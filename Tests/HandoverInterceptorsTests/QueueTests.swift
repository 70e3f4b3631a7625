import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The queues between interceptors")
struct QueueTests {
  private static func open(
    _ queues: InterceptorQueues, _ chains: inout CallChains
  ) throws -> (ChainID, Link) {
    var start = ChainWorld.start
    start.options.interceptorFactories = [Plain("link", queues: queues)]
    var effects: [ChainEffect] = []
    let call = try chains.open(start, into: &effects)
    return (call, chains.chains[Int(call.index)].links[0])
  }

  @Test(
    "I12: An interceptor has one serial queue for both directions, or two on request"
  )
  func ownQueues() throws {
    var chains = CallChains(.laterCode)
    for (queues, isOne) in [
      (InterceptorQueues.own, true), (.separate, false), (.concurrent("pool"), false),
    ] {
      let (_, link) = try Self.open(queues, &chains)
      #expect((link.requests == link.responses) == isOne)
    }
  }

  @Test(
    "I12: Interceptors of all calls whose factories name a queue share it, and it outlives a call")
  func sharedQueue() throws {
    var chains = CallChains(.laterCode)
    let (one, first) = try Self.open(.shared("cache"), &chains)
    let (_, second) = try Self.open(.shared("cache"), &chains)
    let (_, other) = try Self.open(.shared("other"), &chains)
    #expect(first.requests == second.requests && first.requests == first.responses)
    #expect(first.requests != other.requests)
    chains.remove(one)
    let (_, third) = try Self.open(.own, &chains)
    #expect(third.requests != second.requests)
  }

  @Test("I14, L44: Every hop waits in the queue of its target interceptor")
  func hops() throws {
    var chains = CallChains(.laterCode)
    let (call, link) = try Self.open(.own, &chains)
    var effects: [ChainEffect] = []
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    #expect(chains.readyQueues == [QueueID(index: link.requests)])
    chains.run(QueueID(index: link.requests), at: .zero, into: &effects)
    let started = { (effects: [ChainEffect]) in
      effects.contains { if case .transport = $0 { true } else { false } }
    }
    #expect(!started(effects))
    let next = try #require(chains.readyQueues.first)
    chains.run(next, at: .zero, into: &effects)
    #expect(started(effects))
  }

  @Test("I14: Order is kept in each direction, and there is none between the two")
  func orderOfDirections() throws {
    let log = Log()
    struct Separate: InterceptorFactory {
      var name = "link"
      var queues = InterceptorQueues.separate
      var log: Log

      func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
        Recording("link", log).makeInterceptor(for: call)
      }
    }
    var chains = CallChains(.laterCode)
    var start = ChainWorld.start
    start.options.interceptorFactories = [Separate(log: log)]
    var effects: [ChainEffect] = []
    let call = try chains.open(start, into: &effects)
    let requests = QueueID(index: chains.chains[0].links[0].requests)
    let responses = QueueID(index: chains.chains[0].links[0].responses)
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    chains.run(requests, at: .zero, into: &effects)
    chains.run(try #require(chains.readyQueues.first), at: .zero, into: &effects)
    let attempt = try #require(chains.chains[0].transport?.attempt)
    for text in ["one", "two"] {
      chains.request(.write(Message(text)), of: call, into: &effects)
      chains.transport(.message(Array(text.utf8)), of: call, attempt: attempt, into: &effects)
    }
    // The later direction runs first. This is allowed, and each direction keeps its order.
    for queue in [responses, requests, requests, responses] {
      chains.run(queue, at: .zero, into: &effects)
    }
    let writes: [ChainRequest] = [.write(Message("one")), .write(Message("two"))]
    #expect(log.requests("link").suffix(2) == writes)
    #expect(log.responses("link") == [.message(Message("one")), .message(Message("two"))])
    #expect(log.all.last == Seen(link: "link", event: .response(.message(Message("two")))))
  }

  @Test("An interceptor does one thing at a time, whatever its queues are")
  func oneThingAtATime() throws {
    var chains = CallChains(.laterCode)
    let (call, link) = try Self.open(.separate, &chains)
    let (requests, responses) = (QueueID(index: link.requests), QueueID(index: link.responses))
    var effects: [ChainEffect] = []
    chains.request(.start(ChainWorld.start), of: call, into: &effects)
    chains.run(requests, at: .zero, into: &effects)
    chains.run(try #require(chains.readyQueues.first), at: .zero, into: &effects)
    let attempt = try #require(chains.chains[0].transport?.attempt)
    chains.transport(.message([1]), of: call, attempt: attempt, into: &effects)
    chains.request(.write(Message("one")), of: call, into: &effects)
    var run = try #require(chains.begin(requests, at: .zero, into: &effects))
    let early = chains.begin(responses, at: .zero, into: &effects)
    #expect(early == nil)
    effects = []
    run.run()
    chains.complete(run, into: &effects)
    #expect(effects.contains(.queueFilled(responses)))
    let next = chains.begin(responses, at: .zero, into: &effects)
    #expect(next != nil)
  }
}
