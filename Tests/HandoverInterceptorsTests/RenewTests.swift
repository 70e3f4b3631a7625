import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("Restarting a call behind an interceptor")
struct RenewTests {
  @Test("An interceptor that cancelled the next one may restart only after its close")
  func renewedBeforeClose() throws {
    let hasty = Hooked("hasty") { hook in
      hook.write = { _, manager in
        manager.cancelNextInterceptor()
        manager.renewNextInterceptor()
        manager.startNextInterceptor(ChainWorld.start)
      }
    }
    var world = ChainWorld()
    let call = try world.open([hasty, Plain("below")])
    world.ask(call, .start(ChainWorld.start), .write(Message("hello")))
    #expect(world.findings == [ChainFinding(link: "hasty", .renewedBeforeClose)])
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    #expect(world.offences.isEmpty)
  }

  @Test("Pending work behind an interceptor that restarts is cancelled")
  func renewedOverLivingTransport() throws {
    let again = Hooked("again") { hook in
      hook.close = { _, manager in
        manager.renewNextInterceptor()
        manager.startNextInterceptor(ChainWorld.start)
      }
    }
    // Closes, and forgets the transport behind it.
    let forgetting = Hooked("forgetting") { hook in
      hook.write = { _, manager in
        manager.forwardPreviousInterceptorClose(CallClose(CallStatus(.unavailable)))
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([again, forgetting])
    world.ask(call, .start(ChainWorld.start), .write(Message("hello")))
    #expect(world.orders == [.start(ChainWorld.start), .cancel, .start(ChainWorld.start)])
    #expect(world.offences.isEmpty)
  }

  @Test("Late events of the abandoned attempt are dropped")
  func oldAttempt() throws {
    let again = Hooked("again") { hook in
      hook.close = { close, manager in
        guard close.status.code == .unavailable else {
          manager.forwardPreviousInterceptorClose(close)
          return manager.shutDown()
        }
        manager.renewNextInterceptor()
        manager.startNextInterceptor(ChainWorld.start)
      }
    }
    var world = ChainWorld()
    let call = try world.open([again, Plain("below")])
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .ended(CallStatus(.unavailable), trailers: nil))
    var effects: [ChainEffect] = []
    world.chains.transport(.message([9]), of: call, attempt: world.attempts[0], into: &effects)
    #expect(effects.isEmpty)
    world.send(call, .message([1]), .ended(.ok, trailers: nil))
    #expect(world.user == [.message(.bytes([1])), .close(CallClose(.ok))])
    #expect(world.made == ["again", "below", "below"])
  }
}
