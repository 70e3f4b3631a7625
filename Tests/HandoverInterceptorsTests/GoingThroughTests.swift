import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Events that pass interceptors which only forward them")
struct GoingThroughTests {
  @Test("The effects and responses are the same as hop by hop", arguments: 0..<400 as Range<UInt64>)
  func sameAsHopByHop(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let factories = (0...random.next(upToAndIncluding: 4)).map { position in
      Self.factory(named: "link \(position)", &random)
    }
    var configuration = CallChains.Configuration.laterCode
    configuration.reportsSteps = true
    configuration.creation = random.next(upToAndIncluding: 1) == 0 ? .lazy : .eager
    var hopping = ChainWorld(configuration)
    var going = ChainWorld(configuration, goesThrough: true)
    let call = try hopping.open(factories)
    _ = try going.open(factories)
    for _ in 0..<20 {
      let step = Self.step(&random)
      step(&hopping, call)
      step(&going, call)
    }
    #expect(Self.reported(going) == Self.reported(hopping), "seed \(seed)")
    #expect(going.chains.audit(call) == hopping.chains.audit(call), "seed \(seed)")
    #expect(going.chains.isSettled(call) == hopping.chains.isSettled(call), "seed \(seed)")
  }

  private static func reported(_ world: ChainWorld) -> [ChainEffect] {
    world.effects.filter { if case .queueFilled = $0 { false } else { true } }
  }

  private static func factory(
    named name: String, _ random: inout SeededGenerator
  ) -> any InterceptorFactory {
    let queues: InterceptorQueues =
      switch random.next(upToAndIncluding: 2) {
      case 0: .own
      case 1: .separate
      default: .shared("all")
      }
    let link: any Interceptor =
      switch random.next(upToAndIncluding: 7) {
      case 0: GateInterceptor()
      case 1: RewriteInterceptor(RewriteInterceptor.Changes())
      case 2: Hook { $0.write = { for _ in 0..<2 { $1.writeNextInterceptor($0) } } }
      case 3: Hook { $0.write = { $1.forwardPreviousInterceptor(message: $0) } }
      case 4:
        Hook {
          $0.data = {
            $1.receiveNextInterceptorMessages(1)
            $1.forwardPreviousInterceptor(message: $0)
          }
        }
      case 5: Hook { $0.close = { $1.forwardPreviousInterceptorClose($0) } }
      default: ForwardingInterceptor()
      }
    return Plain(name, link, queues: queues)
  }

  private typealias Step = (inout ChainWorld, ChainID) -> Void

  private static func step(_ random: inout SeededGenerator) -> Step {
    switch random.next(upToAndIncluding: 9) {
    case 0, 1: { $0.ask($1, .start(ChainWorld.start)) }
    case 2: { $0.ask($1, .write(Message("a"))) }
    case 3: { $0.ask($1, .finish) }
    case 4: { $0.send($1, .headers(["server": "example"])) }
    case 5, 6: { $0.send($1, .message([1])) }
    case 7: { $0.send($1, .written) }
    case 8: { $0.ask($1, .receiveNextMessages(1)) }
    default:
      random.next(upToAndIncluding: 1) == 0
        ? { $0.ask($1, .cancel) } : { $0.send($1, .ended(.ok, trailers: nil)) }
    }
  }

  @Test("An event passes the interceptors in one run, and nothing waits between them")
  func oneRun() throws {
    var chains = CallChains(.laterCode)
    let (call, attempt) = try Self.started(
      &chains, [Plain("first"), Plain("second"), Plain("third")])
    var effects: [ChainEffect] = []
    chains.transport(.written, of: call, attempt: attempt, into: &effects)
    let queue = try #require(chains.readyQueues.first)
    effects = []
    chains.runThrough(queue, at: .zero, into: &effects)
    #expect(effects == [.user(call, .writeDone)])
    #expect(chains.readyQueues.isEmpty)
  }

  @Test("An event does not overtake one that waits before it")
  func noOvertaking() throws {
    var chains = CallChains(.laterCode)
    let (call, attempt) = try Self.started(&chains, [Plain("first"), Plain("second")])
    var effects: [ChainEffect] = []
    chains.transport(.message([1]), of: call, attempt: attempt, into: &effects)
    let second = try #require(chains.readyQueues.first)
    chains.run(second, at: .zero, into: &effects)
    chains.transport(.message([2]), of: call, attempt: attempt, into: &effects)
    chains.runThrough(second, at: .zero, into: &effects)
    while let queue = chains.readyQueues.first { chains.run(queue, at: .zero, into: &effects) }
    let received = effects.compactMap {
      if case .user(_, .message(let message)) = $0 { message.bytes } else { nil }
    }
    #expect(received == [[1], [2]])
  }

  @Test("Interceptors that send an event back and forth do not block others forever")
  func turningAround() throws {
    var chains = CallChains(.laterCode)
    let (call, attempt) = try Self.started(
      &chains,
      [
        Hooked("asking") { $0.writeDone = { $1.writeNextInterceptor(Message("again")) } },
        Hooked("answering") { $0.write = { $1.forwardPreviousInterceptorDidWrite() } },
      ])
    var effects: [ChainEffect] = []
    chains.transport(.written, of: call, attempt: attempt, into: &effects)
    for _ in 0..<10 {
      let queue = try #require(chains.readyQueues.first)
      effects = []
      chains.runThrough(queue, at: .zero, into: &effects)
      #expect(effects == [.queueFilled(try #require(chains.readyQueues.first))])
    }
  }

  /// Returns a started call through interceptors, and the attempt of its transport.
  private static func started(
    _ chains: inout CallChains, _ factories: [any InterceptorFactory]
  ) throws -> (ChainID, UInt32) {
    var effects: [ChainEffect] = []
    var start = ChainWorld.start
    start.options.interceptorFactories = factories
    let call = try chains.open(start, into: &effects)
    chains.request(.start(start), of: call, into: &effects)
    while let queue = chains.readyQueues.first { chains.run(queue, at: .zero, into: &effects) }
    return (call, try #require(chains.chains[0].attempt))
  }
}
