import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("The life of an interceptor, from its start to its close")
struct LifeTests {
  @Test("I15: Headers that come after a message pass, and are reported as a finding")
  func orderOfResponses() throws {
    let late = Hooked("late") { hook in
      hook.data = { message, manager in
        manager.forwardPreviousInterceptor(message: message)
        manager.forwardPreviousInterceptor(initialMetadata: ["late": "1"])
      }
    }
    var world = ChainWorld()
    let call = try world.open([late])
    world.askUnary(call)
    world.send(call, .message([1]))
    #expect(world.user == [.message(.bytes([1])), .initialMetadata(["late": "1"])])
    #expect(world.findings == [ChainFinding(link: "late", .metadataAfterMessage)])
  }

  @Test("I16: After a forwarded close, everything else that is forwarded is dropped and reported")
  func nothingAfterClose() throws {
    let closing = Hooked("closing") { hook in
      hook.close = { close, manager in
        manager.forwardPreviousInterceptorClose(close)
        manager.forwardPreviousInterceptorClose(close)
        manager.forwardPreviousInterceptor(message: Message("late"))
        manager.forwardPreviousInterceptor(initialMetadata: nil)
        manager.forwardPreviousInterceptorDidWrite()
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([Plain("first"), closing])
    world.askUnary(call)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.user == [.close(CallClose(.ok))])
    #expect(
      world.findings.map(\.kind)
        == [.closedTwice, .forwardedAfterClose, .forwardedAfterClose, .forwardedAfterClose])
    #expect(world.findings.allSatisfy { $0.link == "closing" })
  }

  @Test("I16: Events of a transport after the end of a call are dropped")
  func transportAfterEnd() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.askUnary(call)
    world.send(
      call, .ended(.ok, trailers: nil), .message([1]), .written,
      .ended(CallStatus(.unavailable), trailers: nil))
    #expect(world.user == [.close(CallClose(.ok))])
  }

  @Test("I17: Write, receive and cancel are legal before the start")
  func legalBeforeStart() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first")])
    world.ask(call, .write(Message("early")), .receiveNextMessages(1), .cancel)
    #expect(world.findings.isEmpty)
  }

  @Test("I17: Once a call is finished, all its requests are ignored")
  func requestsAfterEnd() throws {
    var world = ChainWorld()
    let call = try world.open([Hooked("staying") { $0.close = { _, _ in } }])
    world.ask(call, .start(ChainWorld.start))
    world.send(call, .ended(.ok, trailers: nil))
    world.forgetOrders()
    world.ask(call, .write(Message("late")), .finish, .receiveNextMessages(1), .cancel)
    #expect(world.orders.isEmpty)
    #expect(world.findings.isEmpty)
  }

  @Test("I20: The transport's cancel first reports, then cancels, once, with its own message")
  func transportCancel() throws {
    var world = ChainWorld()
    let call = try world.open([])
    world.ask(call, .start(ChainWorld.start), .cancel, .cancel)
    #expect(world.user == [.close(CallClose(CallStatus(.cancelled, "Canceled by app")))])
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    // The close is on its way to the user before the cancel is carried out.
    let steps = world.effects.compactMap { effect -> String? in
      switch effect {
      case .queueFilled: "queue"
      case .transport(_, _, let order): order == .cancel ? "cancel" : nil
      default: nil
      }
    }
    #expect(steps.prefix(4) == ["queue", "queue", "queue", "cancel"])
    world.send(call, .ended(CallStatus(.cancelled), trailers: nil))
    #expect(world.user.count == 1)
  }

  @Test("I21: A cancel before the start makes the rest, cancels it, and a later start is ignored")
  func cancelBeforeStart() throws {
    var world = ChainWorld()
    let call = try world.open([Plain("first"), Plain("second")])
    world.ask(call, .cancel)
    #expect(world.made == ["first", "second"])
    #expect(world.attempts.count == 1)
    #expect(world.user == [.close(.cancelled)])
    world.ask(call, .start(ChainWorld.start), .write(Message("late")))
    #expect(world.orders.isEmpty)
    #expect(world.user.count == 1)
    #expect(world.findings.isEmpty)
  }

  @Test("I22: Once an interceptor shuts down nothing is forwarded, and no next one is made")
  func shutDownIsImmediate() throws {
    let leaving = Hooked("leaving") { hook in
      hook.start = { start, manager in
        manager.forwardPreviousInterceptorClose(CallClose(.ok))
        manager.shutDown()
        manager.startNextInterceptor(start)
        manager.writeNextInterceptor(Message("late"))
        manager.receiveNextInterceptorMessages(1)
        manager.cancelNextInterceptor()
      }
    }
    var world = ChainWorld()
    let call = try world.open([leaving, Plain("second")])
    world.askUnary(call)
    #expect(world.made == ["leaving"])
    #expect(world.attempts.isEmpty)
    #expect(world.user == [.close(CallClose(.ok))])
    #expect(Set(world.findings.map(\.kind)) == [.forwardedAfterShutDown])
    #expect(world.released == 1)
  }

  @Test("I22: An interceptor that shuts down without a close forwards nothing back either")
  func shutDownWithoutClose() throws {
    let leaving = Hooked("leaving") { hook in
      hook.start = { _, manager in
        manager.shutDown()
        manager.forwardPreviousInterceptorClose(CallClose(.ok))
      }
    }
    var world = ChainWorld()
    let call = try world.open([leaving])
    world.ask(call, .start(ChainWorld.start))
    #expect(world.user.isEmpty)
    #expect(
      world.findings
        == [.closeNotForwarded, .forwardedAfterShutDown].map { ChainFinding(link: "leaving", $0) })
  }

  @Test("I23: An interceptor that shuts down lives to the end of its method")
  func aliveInItsMethod() throws {
    let leaving = Hooked("leaving") { hook in
      hook.close = { close, manager in
        manager.forwardPreviousInterceptorClose(close)
        manager.shutDown()
        manager.note(.text("still here"))
      }
    }
    var world = ChainWorld()
    let call = try world.open([leaving])
    world.askUnary(call)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.notes == [.text("still here")])
    #expect(world.released == 1)
  }

  @Test("I24: The interceptor that drops the close is named, and so is one that does not shut down")
  func audit() throws {
    var world = ChainWorld()
    let swallowing = Hooked("swallowing") { $0.close = { _, _ in } }
    let staying = Hooked("staying") { hook in
      hook.close = { $1.forwardPreviousInterceptorClose($0) }
    }
    let call = try world.open([Plain("first"), swallowing, staying, Plain("last")])
    world.askUnary(call)
    #expect(world.chains.audit(call).isEmpty)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.user.isEmpty)
    #expect(
      world.chains.audit(call) == [
        ChainFinding(link: "swallowing", .closeNotForwarded),
        ChainFinding(link: "staying", .notShutDown),
      ])
  }

  @Test(
    "I24: An interceptor that shuts down without the close is named immediately",
    arguments: [false, true])
  func leavesWithoutClose(isCancelled: Bool) throws {
    let leaving = Hooked("leaving") { hook in
      hook.close = { _, manager in manager.shutDown() }
      hook.cancel = { _, manager in
        manager.cancelNextInterceptor()
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([leaving, Plain("last")])
    world.askUnary(call)
    if isCancelled { world.ask(call, .cancel) }
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.findings == [ChainFinding(link: "leaving", .closeNotForwarded)])
  }

  @Test(
    "I18, I24: A shutdown while the next interceptor runs, and a later send, are reported"
  )
  func leavesNextRunning() throws {
    let keeping = Hooked("keeping") { hook in
      hook.cancel = { _, manager in
        manager.forwardPreviousInterceptorClose(.cancelled)
        manager.writeNextInterceptor(Message("late"))
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([keeping])
    world.ask(call, .start(ChainWorld.start), .cancel)
    #expect(
      world.findings
        == [.forwardedAfterClose, .nextLeftRunning].map { ChainFinding(link: "keeping", $0) })
    #expect(world.orders == [.start(ChainWorld.start)])
  }

  @Test("I24: An interceptor that waits for an answer is not reported yet")
  func auditOfWaitingLink() throws {
    let asking = Hooked("asking") { hook in
      hook.close = { _, manager in manager.ask("another?") }
      hook.answer = { _, manager in
        manager.forwardPreviousInterceptorClose(CallClose(.ok))
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([asking])
    world.askUnary(call)
    world.send(call, .ended(.ok, trailers: nil))
    #expect(world.chains.audit(call).isEmpty)
    world.answer("no")
    #expect(world.user == [.close(CallClose(.ok))])
  }

  @Test("I25: An interceptor may cancel the next one, drop its close, and answer itself")
  func hijack() throws {
    let log = Log()
    let hijacking = Hooked("hijacking") { hook in
      hook.write = { _, manager in
        manager.cancelNextInterceptor()
        manager.forwardPreviousInterceptor(message: Message("own"))
        manager.forwardPreviousInterceptorClose(CallClose(.ok))
      }
      hook.close = { _, manager in manager.shutDown() }
    }
    var world = ChainWorld()
    let call = try world.open([hijacking, Recording("below", log)])
    world.ask(call, .start(ChainWorld.start), .write(Message("hello")))
    #expect(world.user == [.message(Message("own")), .close(CallClose(.ok))])
    #expect(log.counts("below") == Counts(starts: 1, cancels: 1))
    #expect(world.orders == [.start(ChainWorld.start), .cancel])
    #expect(world.released == 2)
    #expect(world.findings.isEmpty)
  }

  @Test("I26: An interceptor that answers itself never has the rest of the chain made")
  func shortCircuit() throws {
    let answering = Hooked("answering") { hook in
      hook.start = { _, manager in
        manager.forwardPreviousInterceptor(initialMetadata: ["own": "1"])
        manager.forwardPreviousInterceptor(message: Message("own"))
        manager.forwardPreviousInterceptorClose(CallClose(.ok, trailers: ["own": "2"]))
        manager.shutDown()
      }
    }
    var world = ChainWorld()
    let call = try world.open([Plain("first"), answering, Plain("never")])
    world.askUnary(call)
    #expect(
      world.user == [
        .initialMetadata(["own": "1"]), .message(Message("own")),
        .close(CallClose(.ok, trailers: ["own": "2"])),
      ])
    #expect(world.made == ["first", "answering"])
    #expect(world.attempts.isEmpty)
    #expect(world.findings.isEmpty)
  }

  @Test("I30: A raw message ends the call INTERNAL at the first interceptor")
  func rawMessage() throws {
    let raw = Hooked("raw") { hook in
      hook.data = { message, manager in
        manager.forwardPreviousInterceptor(rawMessage: message.bytes ?? [])
      }
    }
    var world = ChainWorld()
    let call = try world.open([Plain("above"), raw])
    world.askUnary(call)
    world.send(call, .message([1]))
    #expect(
      world.user == [
        .close(
          CallClose(
            CallStatus(
              .internalError, "above takes no raw messages; use didReceiveData instead")))
      ])
    #expect(world.findings == [ChainFinding(link: "above", .rawMessage)])
    #expect(world.orders.last == .cancel)
  }

  @Test("I30: Without an interceptor above, a raw message reaches the user unchanged")
  func rawMessageToUser() throws {
    let raw = Hooked("raw") { hook in
      hook.data = { message, manager in
        manager.forwardPreviousInterceptor(rawMessage: message.bytes ?? [])
      }
    }
    var world = ChainWorld()
    let call = try world.open([raw])
    world.askUnary(call)
    world.send(call, .message([1]))
    #expect(world.user == [.rawMessage([1])])
  }

  @Test("I31: Methods that an interceptor does not implement are those of the base interceptor")
  func optionalMethods() throws {
    struct Nothing: Interceptor {}
    var world = ChainWorld()
    let call = try world.open([Plain("nothing", Nothing())])
    world.askUnary(call)
    world.send(call, .headers([:]), .message([1]), .written, .ended(.ok, trailers: nil))
    #expect(
      world.user
        == [.initialMetadata([:]), .message(.bytes([1])), .writeDone, .close(CallClose(.ok))])
    #expect(world.orders.count == 3)
  }
}
