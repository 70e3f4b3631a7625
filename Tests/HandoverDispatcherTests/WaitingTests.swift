import HandoverDispatcher
import HandoverMachines
import Testing

@Suite("EndpointDispatcher: waiting and order")
struct WaitingTests {
  @Test("what exceeds the total waits, however much it is, and for as long as it takes (U30)")
  func waits() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(1, .short)
    #expect(rig.arrive(1_000, .short).count == 1_000)
    #expect(rig.usage().waitingShort == 1_000)
    rig.send(.responded(request(0)))
    #expect(rig.wait(until: .seconds(59)) == [])
    #expect(rig.core.position(of: request(1_000)) == 1_000)
  }

  @Test("the fifth is not handed over before one of four has ended, and then at once (U31, U39)")
  func fifthStartsLater() throws {
    var rig = try DispatcherRig(total: 4, long: 4)
    rig.arrive(4, .long)
    #expect(rig.arrive(1, .short) == [.wait(request(4), position: 1)])
    #expect(
      rig.send(.finished(request(2)), at: .seconds(90)) == [
        .slotReleased(request(2)), .tell(request(2), .finished), .start(request(4)),
      ])
  }

  @Test("a full endpoint holds no other back (U32)")
  func endpointsAreApart() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(3, .short)
    #expect(rig.arrive(1, .short, on: 1) == [.start(request(3))])
  }

  @Test("first in, first out within a kind (U33, U36)", arguments: [RequestKind.short, .long])
  func keepsOrder(_ kind: RequestKind) throws {
    var rig = try DispatcherRig(total: 1, long: 1, policy: .enqueue)
    rig.arrive(4, kind)
    var started: [RequestID] = []
    for index in UInt32(0)..<3 {
      for case .start(let id) in rig.send(.finished(request(index))) { started.append(id) }
    }
    #expect(started == [request(1), request(2), request(3)])
  }

  @Test("a short one never waits behind a long one that waits for a long slot (U34)")
  func longBlocksNoShort() throws {
    var rig = try DispatcherRig(total: 2, long: 1, policy: .enqueue)
    rig.arrive(2, .long)
    #expect(rig.usage().waitingLong == 1)
    #expect(rig.prediction(.short) == .startsNow)
    rig.arrive(2, .short)
    #expect(rig.send(.finished(request(2))).last == .start(request(3)))
    #expect(rig.usage().waitingLong == 1)
  }

  @Test("among those that may take a slot the first to arrive has it, long or short")
  func arrivalDecides() throws {
    var rig = try DispatcherRig(total: 2, long: 1)
    rig.arrive(2, .short)
    rig.arrive(1, .long)
    rig.arrive(1, .short)
    #expect(rig.core.position(of: request(3)) == 1, "each line has places of its own")
    #expect(rig.send(.finished(request(0))).last == .start(request(2)))
    #expect(rig.send(.finished(request(1))).last == .start(request(3)))
  }

  @Test("synchronous ones stand in the line of short ones, and overtake nobody (U35)")
  func synchronousQueues() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(2, .short)
    #expect(rig.arrive(1, .synchronous) == [.wait(request(2), position: 2)])
    rig.arrive(1, .short)
    #expect(rig.send(.finished(request(0))).last == .start(request(1)))
    #expect(rig.send(.finished(request(1))).last == .start(request(2)))
    #expect(rig.send(.finished(request(2))).last == .start(request(3)))
  }

  @Test("a waiting request can be withdrawn, from anywhere in its line (U48, U82)")
  func cancelsInTheQueue() throws {
    for victim in UInt32(1)...3 {
      var rig = try DispatcherRig(total: 1, long: 0)
      rig.arrive(4, .short)
      #expect(rig.send(.cancelled(request(victim))) == [.tell(request(victim), .cancelled)])
      #expect(rig.core.phase(of: request(victim)) == nil)
      let others = (UInt32(1)...3).filter { $0 != victim }.map { request($0) }
      #expect(others.map { rig.core.position(of: $0) } == [1, 2])
      #expect(rig.send(.finished(request(0))).last == .start(others[0]))
    }
  }

  @Test("a waiting request ends at its deadline, held back by the local limit (U48, U82)")
  func deadlineInTheQueue() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(1, .short)
    rig.arrive(RequestSettings(.short, deadline: .seconds(5)))
    #expect(rig.core.nextDeadline == .seconds(5))
    #expect(rig.wait(until: .seconds(4)) == [])
    #expect(rig.wait(until: .seconds(5)) == [.tell(request(1), .queueTimeout)])
    #expect(
      rig.send(.finished(request(0))) == [
        .slotReleased(request(0)), .tell(request(0), .finished),
      ])
  }
}

@Suite("EndpointDispatcher: time-outs")
struct TimeoutTests {
  @Test("time begins with the start: waiting is not charged (U40, U41)")
  func chargedFromTheStart() throws {
    var rig = try DispatcherRig(total: 1, long: 0)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.short, timeout: .seconds(10)))
    #expect(rig.core.nextDeadline == nil)
    rig.send(.finished(request(0)), at: .seconds(100))
    #expect(rig.core.nextDeadline == .seconds(110))
  }

  @Test("where waiting is charged, time begins with the arrival")
  func chargedFromTheArrival() throws {
    var rig = try DispatcherRig(total: 1, long: 0, chargesWaiting: true)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.short, timeout: .seconds(10)))
    rig.arrive(RequestSettings(.short, timeout: .seconds(20)))
    #expect(rig.wait(until: .seconds(10)) == [.tell(request(1), .queueTimeout)])
    rig.send(.finished(request(0)), at: .seconds(15))
    #expect(
      rig.wait(until: .seconds(20)) == [
        .abandon(request(2)), .slotReleased(request(2)), .tell(request(2), .timedOut),
      ])
  }

  @Test(
    "a request without a time-out has none (U40, U83)", arguments: [Interval.zero, .seconds(-1)])
  func none(_ timeout: Interval) throws {
    for kind in RequestKind.allCases {
      var rig = try DispatcherRig(total: 1, long: 1)
      rig.arrive(RequestSettings(kind, timeout: timeout))
      #expect(rig.core.nextDeadline == nil)
      #expect(rig.send(.finished(request(0))).last == .tell(request(0), .finished))
    }
  }

  @Test("a long one is timed to its first response, and may then be silent for ever (U42)")
  func longIsTimedToResponse() throws {
    for kind in [RequestKind.long, .exempt] {
      var rig = try DispatcherRig()
      rig.arrive(RequestSettings(kind, timeout: .seconds(10)))
      #expect(rig.core.nextDeadline == .seconds(10))
      rig.send(.responded(request(0)), at: .seconds(9))
      #expect(rig.core.nextDeadline == nil)
    }
  }

  @Test("a short one is timed to its end, though bytes flow (U43)")
  func shortIsTimedToEnd() throws {
    for kind in [RequestKind.short, .synchronous] {
      var rig = try DispatcherRig()
      rig.arrive(RequestSettings(kind, timeout: .seconds(10)))
      rig.send(.responded(request(0)), at: .seconds(9))
      #expect(rig.wait(until: .seconds(10)).last == .tell(request(0), .timedOut))
    }
  }

  @Test("a time-out takes the request back, frees the slot, tells, and lets the next start (U44)")
  func timesOut() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(2, .short)
    #expect(
      rig.wait(until: .seconds(60)) == [
        .abandon(request(0)), .slotReleased(request(0)), .tell(request(0), .timedOut),
        .start(request(1)),
      ])
    #expect(rig.core.nextDeadline == .seconds(120))
  }

  @Test("after the end nothing is due (U45)")
  func nothingAfterTheEnd() throws {
    var rig = try DispatcherRig()
    rig.arrive(2, .short)
    rig.send(.finished(request(0)))
    rig.send(.cancelled(request(1)))
    #expect(rig.core.nextDeadline == nil)
    #expect(rig.wait(until: .seconds(60)) == [])
  }

  @Test("a deadline ends a request that runs, and is told apart from a time-out")
  func deadline() throws {
    var rig = try DispatcherRig()
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    rig.send(.responded(request(0)))
    #expect(rig.core.nextDeadline == .seconds(5))
    #expect(rig.wait(until: .seconds(5)).last == .tell(request(0), .deadlineExceeded))
  }

  @Test("of a deadline and a time-out at one instant the deadline is told")
  func deadlineWins() throws {
    var rig = try DispatcherRig()
    rig.arrive(RequestSettings(.short, timeout: .seconds(5), deadline: .seconds(5)))
    #expect(rig.wait(until: .seconds(5)).last == .tell(request(0), .deadlineExceeded))
  }

  @Test("a slot is not given to a request whose own time is up as it is freed")
  func endsBeforeItStarts() throws {
    for kind in [RequestKind.short, .long] {
      var rig = try DispatcherRig(total: 1, long: 1, policy: .enqueue)
      rig.arrive(RequestSettings(.short, timeout: .seconds(5)))
      rig.arrive(RequestSettings(kind, deadline: .seconds(5)))
      rig.arrive(RequestSettings(kind, deadline: .seconds(6)))
      rig.arrive(RequestSettings(kind))
      #expect(
        rig.wait(until: .seconds(10)) == [
          .abandon(request(0)), .slotReleased(request(0)), .tell(request(0), .timedOut),
          .tell(request(1), .queueTimeout), .tell(request(2), .queueTimeout), .start(request(3)),
        ])
    }
  }

  @Test("a polled stream whose deadline passed at rest is not polled again, however late it hears")
  func deadlineAtRest() throws {
    var rig = try DispatcherRig(total: 1, long: 0, policy: .poll())
    rig.arrive(RequestSettings(.long, deadline: .seconds(5)))
    #expect(rig.core.nextDeadline(before: .never) { _ in true } == .seconds(5))
    rig.send(.pollAnswered(request(0)), at: .seconds(1))
    #expect(rig.core.nextDeadline(before: .never) { _ in true } == .seconds(2))
    #expect(rig.core.nextDeadline(before: .never) { _ in false } == .seconds(5))
    #expect(rig.wait(until: .seconds(10)) == [.tell(request(0), .deadlineExceeded)])
  }

  @Test("a poll is timed like the short request it is")
  func polls() throws {
    var rig = try DispatcherRig(total: 2, long: 0, policy: .poll())
    rig.arrive(RequestSettings(.long, timeout: .seconds(10)))
    rig.send(.responded(request(0)))
    rig.send(.pollAnswered(request(0)), at: .seconds(5))
    rig.wait(until: .seconds(6))
    #expect(rig.core.nextDeadline == .seconds(16))
    #expect(rig.wait(until: .seconds(16)).last == .tell(request(0), .timedOut))
  }

  @Test("what is due together fires in the order in which it was armed")
  func order() throws {
    var rig = try DispatcherRig()
    rig.arrive(2, .short)
    rig.arrive(1, .long)
    let ends = rig.wait(until: .seconds(61)).filter { if case .tell = $0 { true } else { false } }
    #expect(ends == (0..<3).map { .tell(request($0), .timedOut) })
  }

  @Test("the wait of a synchronous request is bounded by its time-out (U87)")
  func synchronousIsCharged() throws {
    var rig = try DispatcherRig(total: 1, long: 1)
    rig.arrive(RequestSettings(.short, timeout: .zero))
    rig.arrive(RequestSettings(.synchronous, timeout: .seconds(10)))
    #expect(rig.wait(until: .seconds(10)) == [.tell(request(1), .queueTimeout)])
  }
}
