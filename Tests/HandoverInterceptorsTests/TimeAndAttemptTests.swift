import HandoverCore
import HandoverInterceptors
import Testing

@Suite("Time and new attempts")
struct TimeAndAttemptTests {
  /// Waits from its creation until an instant, and counts how often it is notified of it.
  private struct Waiting: Interceptor {
    var nextDeadline: Instant? = Instant(microseconds: 10)

    mutating func timeElapsed(_ manager: inout InterceptorManager) {
      nextDeadline = nil
      manager.note(.text("due"))
    }
  }

  @Test("An interceptor that waits from its creation is notified when its time has come")
  func deadlineFromTheStart() throws {
    var world = ChainWorld()
    _ = try world.open([Plain("waiting", Waiting())])
    #expect(world.chains.nextDeadline == Instant(microseconds: 10))
    world.wait(until: Instant(microseconds: 10))
    #expect(world.notes == [.text("due")])
  }

  @Test("An interceptor with other pending work is notified of its time once")
  func dueOnce() throws {
    var chains = CallChains(.laterCode)
    var effects: [ChainEffect] = []
    var start = ChainWorld.start
    start.options.interceptorFactories = [Plain("waiting", Waiting())]
    let call = try chains.open(start, into: &effects)
    chains.request(.receiveNextMessages(1), of: call, into: &effects)
    chains.request(.receiveNextMessages(1), of: call, into: &effects)
    let now = Instant(microseconds: 10)
    chains.timeElapsed(at: now, into: &effects)
    while let queue = chains.readyQueues.first {
      chains.run(queue, at: now, into: &effects)
      #expect(chains.nextDeadline == nil)
    }
  }

  /// Cancels the attempt and starts another one when a message is written.
  private struct Restarting: Interceptor {
    mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
      manager.cancelNextInterceptor()
      manager.renewNextInterceptor()
      manager.startNextInterceptor(ChainWorld.start)
    }
  }

  @Test("An interceptor that cancels an attempt waits for its close before it starts another one")
  func abandonedAttempt() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("restarting", Restarting()), Plain("behind")])
    world.ask(call, .start(ChainWorld.start), .write(Message("a")))
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    #expect(world.findings.first == ChainFinding(link: "restarting", .renewedBeforeClose))
  }
}
