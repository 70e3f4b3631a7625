import HandoverCore
import Testing

@Suite("EndpointDispatcher: waiting and order")
struct WaitingTests {
  @Test("Requests above the total wait, however many there are and however long it takes (U30)")
  func waits() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(1, .short)
    #expect(rig.arrive(1_000, .short).count == 1_000)
    #expect(rig.usage().waitingShort == 1_000)
    rig.send(.responded(request(0)))
    #expect(rig.wait(until: .seconds(59)) == [])
    #expect(rig.core.position(of: request(1_000)) == 1_000)
  }

  @Test(
    "The fifth request is handed over exactly when one of four has ended (U31, U39)"
  )
  func fifthStartsLater() throws {
    var rig = try DispatcherRig(total: 4, long: 4)
    rig.arrive(4, .long)
    #expect(rig.arrive(1, .short) == [.wait(request(4), position: 1)])
    #expect(
      rig.send(.finished(request(2)), at: .seconds(90)) == [
        .slotReleased(request(2)), .notify(request(2), .finished), .start(request(4)),
      ])
  }

  @Test("A full endpoint does not delay another one (U32)")
  func endpointsAreApart() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(3, .short)
    #expect(rig.arrive(1, .short, on: 1) == [.start(request(3))])
  }

  @Test(
    "Requests of one kind are first in, first out (U33, U36)",
    arguments: [RequestKind.short, .long])
  func keepsOrder(_ kind: RequestKind) throws {
    var rig = try DispatcherRig(total: 1, long: 1, policy: .enqueue)
    rig.arrive(4, kind)
    var started: [RequestID] = []
    for index in UInt32(0)..<3 {
      for case .start(let id) in rig.send(.finished(request(index))) { started.append(id) }
    }
    #expect(started == [request(1), request(2), request(3)])
  }

  @Test("A short request never waits behind a long one that waits for a long slot (U34)")
  func longBlocksNoShort() throws {
    var rig = try DispatcherRig(total: 2, long: 1, policy: .enqueue)
    rig.arrive(2, .long)
    #expect(rig.usage().waitingLong == 1)
    #expect(rig.prediction(.short) == .startsNow)
    rig.arrive(2, .short)
    #expect(rig.send(.finished(request(2))).last == .start(request(3)))
    #expect(rig.usage().waitingLong == 1)
  }

  @Test("Among the requests that may use a slot, the first to arrive gets it, long or short")
  func arrivalDecides() throws {
    var rig = try DispatcherRig(total: 2, long: 1)
    rig.arrive(2, .short)
    rig.arrive(1, .long)
    rig.arrive(1, .short)
    #expect(rig.core.position(of: request(3)) == 1, "each line has places of its own")
    #expect(rig.send(.finished(request(0))).last == .start(request(2)))
    #expect(rig.send(.finished(request(1))).last == .start(request(3)))
  }

  @Test("Synchronous requests join the queue of short ones, and overtake none (U35)")
  func synchronousQueues() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(2, .short)
    #expect(rig.arrive(1, .synchronous) == [.wait(request(2), position: 2)])
    rig.arrive(1, .short)
    #expect(rig.send(.finished(request(0))).last == .start(request(1)))
    #expect(rig.send(.finished(request(1))).last == .start(request(2)))
    #expect(rig.send(.finished(request(2))).last == .start(request(3)))
  }

  @Test("A waiting request can be cancelled at any position in its queue (U48, U82)")
  func cancelsInTheQueue() throws {
    for victim in UInt32(1)...3 {
      var rig = try DispatcherRig(total: 1, long: 0)
      rig.arrive(4, .short)
      #expect(rig.send(.cancelled(request(victim))) == [.notify(request(victim), .cancelled)])
      #expect(rig.core.phase(of: request(victim)) == nil)
      let others = (UInt32(1)...3).filter { $0 != victim }.map { request($0) }
      #expect(others.map { rig.core.position(of: $0) } == [1, 2])
      #expect(rig.send(.finished(request(0))).last == .start(others[0]))
    }
  }

  @Test("A request that the local limit delays ends at its deadline (U48, U82)")
  func deadlineInTheQueue() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(1, .short)
    rig.arrive(RequestSettings(.short, deadline: .seconds(5)))
    #expect(rig.core.nextDeadline == .seconds(5))
    #expect(rig.wait(until: .seconds(4)) == [])
    #expect(rig.wait(until: .seconds(5)) == [.notify(request(1), .queueTimeout)])
    #expect(
      rig.send(.finished(request(0))) == [
        .slotReleased(request(0)), .notify(request(0), .finished),
      ])
  }
}

@Suite("EndpointDispatcher: timeouts")
struct TimeoutTests {
  @Test("The timeout starts with the request, so waiting does not count (U40, U41)")
  func chargedFromTheStart() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.short, timeout: .seconds(10)))
    #expect(rig.core.nextDeadline == nil)
    rig.send(.finished(request(0)), at: .seconds(100))
    #expect(rig.core.nextDeadline == .seconds(110))
  }

  @Test("If waiting counts, the timeout starts with the arrival")
  func chargedFromTheArrival() throws {
    var rig = try DispatcherRig(total: 1, long: 0, chargesWaiting: true)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.short, timeout: .seconds(10)))
    rig.arrive(RequestSettings(.short, timeout: .seconds(20)))
    #expect(rig.wait(until: .seconds(10)) == [.notify(request(1), .queueTimeout)])
    rig.send(.finished(request(0)), at: .seconds(15))
    #expect(
      rig.wait(until: .seconds(20)) == [
        .abandon(request(2)), .slotReleased(request(2)), .notify(request(2), .timedOut),
      ])
  }

  @Test(
    "A request without a timeout has none (U40, U83)", arguments: [Interval.zero, .seconds(-1)])
  func none(_ timeout: Interval) throws {
    for kind in RequestKind.allCases {
      var rig = try DispatcherRig(total: 1, long: 1)
      rig.arrive(RequestSettings(kind, timeout: timeout))
      #expect(rig.core.nextDeadline == nil)
      #expect(rig.send(.finished(request(0))).last == .notify(request(0), .finished))
    }
  }

  @Test("A long request is timed to its first response, and may then be silent forever (U42)")
  func longIsTimedToResponse() throws {
    for kind in [RequestKind.long, .exempt] {
      var rig = try DispatcherRig()
      rig.arrive(RequestSettings(kind, timeout: .seconds(10)))
      #expect(rig.core.nextDeadline == .seconds(10))
      rig.send(.responded(request(0)), at: .seconds(9))
      #expect(rig.core.nextDeadline == nil)
    }
  }

  @Test("A short request is timed to its end, even while data arrives (U43)")
  func shortIsTimedToEnd() throws {
    for kind in [RequestKind.short, .synchronous] {
      var rig = try DispatcherRig()
      rig.arrive(RequestSettings(kind, timeout: .seconds(10)))
      rig.send(.responded(request(0)), at: .seconds(9))
      #expect(rig.wait(until: .seconds(10)).last == .notify(request(0), .timedOut))
    }
  }

  @Test(
    "A timeout cancels the request, frees the slot, reports the end and starts the next (U44)"
  )
  func timesOut() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(2, .short)
    #expect(
      rig.wait(until: .seconds(60)) == [
        .abandon(request(0)), .slotReleased(request(0)), .notify(request(0), .timedOut),
        .start(request(1)),
      ])
    #expect(rig.core.nextDeadline == .seconds(120))
  }

  @Test("After the end no deadline is pending (U45)")
  func nothingAfterTheEnd() throws {
    var rig = try DispatcherRig()
    rig.arrive(2, .short)
    rig.send(.finished(request(0)))
    rig.send(.cancelled(request(1)))
    #expect(rig.core.nextDeadline == nil)
    #expect(rig.wait(until: .seconds(60)) == [])
  }

  @Test("A deadline ends a running request, and differs from a timeout")
  func deadline() throws {
    var rig = try DispatcherRig()
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    rig.send(.responded(request(0)))
    #expect(rig.core.nextDeadline == .seconds(5))
    #expect(rig.wait(until: .seconds(5)).last == .notify(request(0), .deadlineExceeded))
  }

  @Test("If a deadline and a timeout coincide, the deadline is reported")
  func deadlineWins() throws {
    var rig = try DispatcherRig()
    rig.arrive(RequestSettings(.short, timeout: .seconds(5), deadline: .seconds(5)))
    #expect(rig.wait(until: .seconds(5)).last == .notify(request(0), .deadlineExceeded))
  }

  @Test("A freed slot is not given to a request whose time is up at that instant")
  func endsBeforeItStarts() throws {
    for kind in [RequestKind.short, .long] {
      var rig = try DispatcherRig(total: 1, long: 1, policy: .enqueue)
      rig.arrive(RequestSettings(.short, timeout: .seconds(5)))
      rig.arrive(RequestSettings(kind, deadline: .seconds(5)))
      rig.arrive(RequestSettings(kind, deadline: .seconds(6)))
      rig.arrive(RequestSettings(kind))
      #expect(
        rig.wait(until: .seconds(10)) == [
          .abandon(request(0)), .slotReleased(request(0)), .notify(request(0), .timedOut),
          .notify(request(1), .queueTimeout), .notify(request(2), .queueTimeout),
          .start(request(3)),
        ])
    }
  }

  @Test("A freed slot is not given to a frozen request whose deadline passes at that instant")
  func endsBeforeItThaws() throws {
    var rig = try DispatcherRig(total: 1, long: 1, policy: .takeSpare)
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    rig.arrive(RequestSettings(.long))
    #expect(rig.usage().frozen == 2)
    #expect(
      rig.wait(until: .seconds(5)) == [
        .abandon(request(0)), .slotReleased(request(0)), .notify(request(0), .deadlineExceeded),
        .abandon(request(1)), .notify(request(1), .deadlineExceeded), .thaw(request(2)),
      ])
  }

  @Test(
    "A polled stream whose deadline passed at rest is not polled again, however late the event is")
  func deadlineAtRest() throws {
    var rig = try DispatcherRig(total: 1, long: 0, policy: .poll())
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    #expect(rig.core.nextDeadline(before: .never) { _ in true } == .seconds(5))
    rig.send(.pollAnswered(request(0)), at: .seconds(1))
    #expect(rig.core.nextDeadline(before: .never) { _ in true } == .seconds(2))
    #expect(rig.core.nextDeadline(before: .never) { _ in false } == .seconds(5))
    #expect(rig.wait(until: .seconds(10)) == [.notify(request(0), .deadlineExceeded)])
  }

  @Test("A poll is timed like a short request")
  func polls() throws {
    var rig = try DispatcherRig(total: 2, long: 0, policy: .poll())
    rig.arrive(RequestSettings(.long, timeout: .seconds(10)))
    rig.send(.responded(request(0)))
    rig.send(.pollAnswered(request(0)), at: .seconds(5))
    rig.wait(until: .seconds(6))
    #expect(rig.core.nextDeadline == .seconds(16))
    #expect(rig.wait(until: .seconds(16)).last == .notify(request(0), .timedOut))
  }

  @Test("Timers that are due together fire in the order in which they were armed")
  func order() throws {
    var rig = try DispatcherRig()
    rig.arrive(2, .short)
    rig.arrive(1, .long)
    let ends = rig.wait(until: .seconds(61)).filter { if case .notify = $0 { true } else { false } }
    #expect(ends == (0..<3).map { .notify(request($0), .timedOut) })
  }

  @Test("The wait of a synchronous request is limited by its timeout (U87)")
  func synchronousIsCharged() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.synchronous, timeout: .seconds(10)))
    #expect(rig.wait(until: .seconds(10)) == [.notify(request(1), .queueTimeout)])
  }
}
