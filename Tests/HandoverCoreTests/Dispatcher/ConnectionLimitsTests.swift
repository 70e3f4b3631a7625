import HandoverCore
import Testing

@Suite("EndpointDispatcher: limits")
struct ConnectionLimitsTests {
  @Test(
    "The limits of the original's versions are available by name (U7)",
    arguments: [
      ("ios-6", 5, 3), ("ios-7", 4, 3), ("1.5", 4, 2), ("1.7", 4, 2), ("1.7-macos", 6, 3),
    ] as [(String, UInt32, UInt32)])
  func presets(name: String, total: UInt32, long: UInt32) throws {
    let limits = try #require(ConnectionLimitsPreset(rawValue: name)).limits
    #expect(limits == (try ConnectionLimits(total: total, long: long)))
    #expect(limits.reservedForShort == total - long)
  }

  @Test("Half of the total, rounded down, is for long requests (U7)")
  func half() throws {
    #expect(try ConnectionLimits(halfOf: 4).long == 2)
    #expect(try ConnectionLimits(halfOf: 5).long == 2)
    #expect(try ConnectionLimits(halfOf: 1).long == 0)
  }

  @Test("A quarter of the total, rounded up, is reserved for short requests: 1 of 4")
  func quarter() throws {
    let expected: [(UInt32, UInt32)] = [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (8, 6)]
    for (total, long) in expected {
      #expect(try ConnectionLimits(reservingQuarterOf: total).long == long)
    }
    #expect(try ConnectionLimits(reservingQuarterOf: .max).reservedForShort == 1 << 30)
    #expect(throws: ConnectionLimitsError.noConnections) {
      try ConnectionLimits(reservingQuarterOf: 0)
    }
  }

  @Test("A long limit above the total is an error, and one equal to the total is not (U8, U10)")
  func longIsPartOfTotal() throws {
    let limits = try ConnectionLimits(total: 4, long: 4)
    #expect(limits.reservedForShort == 0)
    #expect(throws: ConnectionLimitsError.longAboveTotal) {
      try ConnectionLimits(total: 4, long: 5)
    }
    #expect(throws: ConnectionLimitsError.longAboveTotal) { try limits.settingLong(5) }
    #expect(try limits.settingLong(1).long == 1)
  }

  @Test("A total of zero is an error, because everything would wait forever (U11)")
  func totalIsPositive() {
    #expect(throws: ConnectionLimitsError.noConnections) { try ConnectionLimits(total: 0, long: 0) }
    #expect(throws: ConnectionLimitsError.noConnections) { try ConnectionLimits(halfOf: 0) }
  }

  @Test("Without long slots every long request exceeds the limit (U11)")
  func noLong() throws {
    var rig = try DispatcherRig(total: 2, long: 0, policy: .fail)
    #expect(rig.prediction(.long) == .refused(.longLimitFailing))
    #expect(rig.prediction(.short) == .startsNow)
    #expect(rig.arrive(1, .long).last == .refuse(request(0), .longLimitFailing))
  }

  @Test("A lower long limit stops nothing, and a higher one starts waiting requests (U10)")
  func changesAtRunTime() throws {
    var rig = try DispatcherRig(total: 4, long: 2, policy: .enqueue)
    rig.arrive(3, .long)
    let limits = try ConnectionLimits(total: 4, long: 2)
    #expect(rig.send(.limitsChanged(try limits.settingLong(0))) == [])
    #expect(rig.usage().runningLong == 2 && rig.usage().longLimit == 0)
    #expect(rig.send(.finished(request(0))).contains(.start(request(2))) == false)
    #expect(rig.send(.limitsChanged(try limits.settingLong(2))) == [.start(request(2))])
    #expect(rig.prediction(.long, policy: .throw) == .refused(.longLimitThrowing))
    #expect(rig.send(.limitsChanged(try limits.settingLong(3))) == [])
    #expect(rig.prediction(.long, policy: .throw) == .startsNow)
  }

  @Test("A different total is a programming error, because the transport keeps its own (U9, U10)")
  func trapsOnAnotherTotal() async {
    await #expect(processExitsWith: .failure) {
      var rig = try DispatcherRig(total: 4, long: 2)
      rig.send(.limitsChanged(try ConnectionLimits(total: 5, long: 2)))
    }
  }

  @Test(
    "A stream budget is the limit while it exists, even below the running count (U86)"
  )
  func budget() throws {
    var rig = try DispatcherRig(total: 4, long: 2)
    rig.arrive(6, .short)
    #expect(rig.usage().running == 4 && rig.usage().waitingShort == 2)
    let announced: EndpointDispatcher.Event = .streamBudgetAnnounced(endpoint(0), streams: 100)
    #expect(rig.send(announced) == [.start(request(4)), .start(request(5))])
    #expect(rig.usage().total == 100 && rig.usage().longLimit == 98)
    #expect(rig.usage(1).total == 4, "another endpoint has its own")
    #expect(rig.send(.streamBudgetAnnounced(endpoint(0), streams: 2)) == [])
    #expect(rig.usage().running == 6 && rig.usage().longLimit == 0)
    for index in UInt32(0)..<4 { rig.send(.finished(request(index))) }
    #expect(rig.prediction(.short) == .waits(position: 1))
    #expect(rig.send(.streamBudgetAnnounced(endpoint(0), streams: 3)) == [])
    #expect(rig.prediction(.long) == .startsNow)
    rig.send(.streamBudgetWithdrawn(endpoint(0)))
    #expect(rig.usage().total == 4 && rig.usage().longLimit == 2)
  }

  @Test("A budget of zero delays everything until it is raised (U86)")
  func emptyBudget() throws {
    var rig = try DispatcherRig()
    rig.send(.streamBudgetAnnounced(endpoint(0), streams: 0))
    #expect(rig.arrive(1, .short) == [.wait(request(0), position: 1)])
    #expect(
      rig.send(.streamBudgetAnnounced(endpoint(0), streams: 1)) == [.start(request(0))])
  }
}
