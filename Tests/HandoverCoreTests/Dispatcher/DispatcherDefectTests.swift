import Testing

@testable import HandoverCore

/// Each mutant changes the documented behavior, and only if it is enabled.
@Suite("EndpointDispatcher: mutants with bugs of the original")
struct DispatcherDefectTests {
  /// Returns the result of a dispatcher with one slot in a short scenario, without the mutant and
  /// with it.
  func compare<Answer>(
    _ defect: DispatcherDefect, long: UInt32 = 1,
    _ story: (inout DispatcherRig) -> Answer
  ) throws -> (right: Answer, wrong: Answer) {
    var right = try DispatcherRig(total: 1, long: long)
    var wrong = try DispatcherRig(total: 1, long: long, defects: [defect])
    return (story(&right), story(&wrong))
  }

  @Test("No mutant is enabled by default, and each has a unique name")
  func areAskedFor() throws {
    let configuration = DispatcherConfiguration(limits: try ConnectionLimits(halfOf: 4))
    #expect(configuration.defects == [])
    let all = DispatcherDefect.allCases
    #expect(Set(all.map { DispatcherDefects([$0]).rawValue }).count == all.count)
    #expect(DispatcherDefects(all).rawValue == (1 << UInt32(all.count)) - 1)
    #expect(all.map(\.rawValue) == ["U4"] + (79...87).map { "U\($0)" })
  }

  @Test("A slot freed on one endpoint wakes a waiter of another, and both keep waiting (U79)")
  func sharedCondition() throws {
    let (right, wrong) = try compare(.sharedCondition) { rig in
      rig.arrive(2, .short, on: 1)
      rig.arrive(2, .short, on: 0)
      let first = rig.send(.finished(request(2)))
      let usage = rig.usage()
      return (first.last, usage.running, rig.send(.finished(request(0))).last)
    }
    #expect(right.0 == .start(request(3)) && right.1 == 1)
    #expect(wrong.0 == .notify(request(2), .finished) && wrong.1 == 0, "a free slot, and a sleeper")
    #expect(right.2 == .start(request(1)))
    #expect(wrong.2 == .start(request(3)), "the sleeper of the first, when the second frees one")
  }

  @Test("A sleeper that is woken sleeps again while its endpoint has a waiting request (U79)")
  func sleepsAgain() throws {
    let (_, wrong) = try compare(.sharedCondition) { rig in
      rig.arrive(3, .short, on: 0)
      return [rig.send(.finished(request(0))).last, rig.send(.finished(request(1))).last]
    }
    #expect(wrong == [.start(request(1)), .start(request(2))])
  }

  @Test("A slot freed between the check and the wait is lost (U80)")
  func lostRelease() throws {
    let (right, wrong) = try compare(.lostRelease) { rig in
      rig.arrive(1, .short)
      rig.arrive(RequestSettings(.short), at: .seconds(1))
      return rig.send(.finished(request(0)), at: .seconds(1))
    }
    #expect(right == wrong + [.start(request(1))])
  }

  @Test("A request that could not start keeps its slot and its long count (U81)")
  func leakedSlot() throws {
    let (right, wrong) = try compare(.leakedSlot) { rig in
      rig.arrive(1, .long)
      rig.send(.notStarted(request(0)))
      return rig.usage()
    }
    #expect(right.running == 0 && right.long == 0)
    #expect(wrong.running == 1 && wrong.long == 1)
  }

  @Test("A request that could not start has no timeout, even if it keeps its slot")
  func leakedSlotTimeout() throws {
    let (right, wrong) = try compare(.leakedSlot) { rig in
      rig.arrive(RequestSettings(.long, timeout: .seconds(1)))
      rig.send(.notStarted(request(0)))
      return rig.wait(until: .seconds(2))
    }
    #expect(right == [] && wrong == [])
  }

  @Test("A request that was cancelled in the queue still starts later (U48, U82)")
  func deafQueue() throws {
    let (right, wrong) = try compare(.deafQueue) { rig in
      rig.arrive(1, .short)
      rig.arrive(RequestSettings(.short, deadline: .seconds(1)))
      rig.send(.cancelled(request(1)))
      rig.wait(until: .seconds(2))
      return rig.send(.finished(request(0)))
    }
    #expect(wrong == right + [.start(request(1))])
  }

  @Test("The end of a request without a timeout has no effects (U83)")
  func missingTimer() throws {
    let (right, wrong) = try compare(.missingTimer) { rig in
      rig.arrive(RequestSettings(.short, timeout: .zero))
      return rig.send(.finished(request(0)))
    }
    #expect(right == [.slotReleased(request(0)), .notify(request(0), .finished)])
    #expect(wrong == [])
  }

  @Test("The record of a request is never removed (U84)")
  func keptOperations() throws {
    let (right, wrong) = try compare(.keptOperations) { rig in
      for _ in 0..<100 {
        let id = rig.core.nextRequestID
        rig.arrive(1, .short)
        rig.send(.finished(id))
      }
      return [rig.core.rowCount, rig.core.keptCount]
    }
    #expect(right == [1, 0] && wrong == [100, 100])
  }

  @Test("The caller of a synchronous request that ends at its start is never notified (U85)")
  func missedWakeUp() throws {
    let (right, wrong) = try compare(.missedWakeUp) { rig in
      rig.arrive(1, .synchronous)
      return rig.send(.finished(request(0)))
    }
    #expect(right == [.slotReleased(request(0)), .notify(request(0), .finished)])
    #expect(wrong == [.slotReleased(request(0))])
  }

  @Test("Requests are counted although one connection carries many (U86)")
  func countedRequests() throws {
    let (right, wrong) = try compare(.countedRequests) { rig in
      rig.send(.streamBudgetAnnounced(endpoint(0), streams: 100))
      rig.arrive(10, .short)
      return rig.usage().running
    }
    #expect(right == 10 && wrong == 1)
  }

  @Test("The wait of a synchronous request has no limit (U87)")
  func unboundedBlocking() throws {
    let (right, wrong) = try compare(.unboundedBlocking) { rig in
      rig.arrive(RequestSettings(.long, timeout: .zero))
      rig.arrive(RequestSettings(.synchronous, timeout: .seconds(10), deadline: .seconds(20)))
      return rig.wait(until: .seconds(3_600))
    }
    #expect(right == [.notify(request(1), .queueTimeout)])
    #expect(wrong == [])
  }
}
