import Testing

@testable import HandoverCore
@testable import HandoverExploration

/// Each mutant changes the documented behavior, and only if it is enabled.
@Suite("Mutants with bugs of the original")
struct DefectTests {
  /// Returns the effects of a client in a short scenario, without the mutant and with it.
  func compare(
    _ defect: Defect, _ profile: Profile = .socketsMonitor, _ story: (inout Rig) -> [ClientEffect]
  ) -> (right: [ClientEffect], wrong: [ClientEffect]) {
    var right = Rig(profile)
    var wrong = Rig(profile, defects: [defect])
    return (story(&right), story(&wrong))
  }

  @Test("No mutant is enabled by default, and each has a unique name")
  func areAskedFor() {
    let right = PoolConfiguration(policy: Profile.sockets.policy)
    #expect(right.decoration == nil)
    var settings: Set<PoolConfiguration> = [right]
    for defect in Defect.allCases {
      var wrong = right
      wrong.policy.unusedChannelLifetime = .milliseconds(1_900)
      wrong.inject(defect)
      settings.insert(wrong)
    }
    #expect(settings.count == Defect.allCases.count + 1)
    #expect(Set(Defect.allCases.map(\.rawValue)).count == Defect.allCases.count)
    #expect(
      Defect.allCases.prefix(6).map(\.rawValue) == ["P8", "P9", "C10", "C11", "10302", "C9"])
  }

  @Test("Three draining connections are all closed with their channel, except with a mutant")
  func drainThree() {
    func closed(_ defects: [Defect]) -> Set<ClientEffect> {
      var rig = Rig(.sockets, defects: defects)
      for minute in 0..<3 as Range<Int64> {
        for case .openConnection(let id, _) in rig.start(at: .seconds(60 * minute)) {
          rig.send(.connected(id))
          rig.send(.connectionDraining(id))
        }
      }
      return Set(rig.send(.disconnectRequested(endpoint(0)))).intersection(
        (0..<3).map { .closeConnection(connection($0)) })
    }
    #expect(closed([]).count == 3)
    #expect(closed([.thirdDraining]).count == 2)
    #expect(closed([.doubleEnd]).count == 3)
  }

  @Test(
    "A mutant confuses a disconnect of one host with a disconnect of all hosts",
    arguments: [
      (.none, .disconnectRequested(EndpointID(index: 1)), [1]),
      (.none, .disconnectAllRequested, [0, 1]),
      (.disconnectsAll, .disconnectRequested(EndpointID(index: 1)), [0, 1]),
      (.disconnectsFirst, .disconnectAllRequested, [0]),
    ] as [(ClientTampering, ChannelPool.Event, [UInt32])])
  func mistakenDisconnects(
    _ tampering: ClientTampering, _ event: ChannelPool.Event, _ destroyed: [UInt32]
  ) {
    var configuration = PoolConfiguration(policy: Profile.sockets.policy)
    configuration.inject { $0.tampering = tampering }
    var core = ClientCore(configuration)
    var effects = EffectLog<ClientEffect>()
    for host in ["a.example", "b.example"] {
      let endpoint = core.register(ChannelKey(host: HostName(host), options: ChannelOptions()))
      let call = core.pool.nextCallID
      let started = ChannelPool.Event.callStarted(call, endpoint, CallSettings())
      core.step(.pool(started), at: .zero, into: &effects)
    }
    effects.removeAll()
    core.stepDecorated(.pool(event), at: .zero, into: &effects)
    let channels = effects.elements.compactMap { effect in
      if case .channelDestroyed(let id, _) = effect { id.endpoint.index } else { nil }
    }
    #expect(channels == destroyed)
  }

  @Test(
    "A delay is long above the limit of its mutant, and not at the limit",
    arguments: [(.wrappedBackoff, 30), (.keptLongBackoff, 5)] as [(Defect, Int64)], [0, 1])
  func longDelays(_ limit: (defect: Defect, seconds: Int64), more: Int64) {
    var backoff = BackoffConfiguration.withoutJitter
    backoff.initial = .seconds(limit.seconds) + Interval(microseconds: more)
    backoff.multiplier = Ratio(1, outOf: 1)
    var rig = Rig(backoff: backoff, defects: [limit.defect])
    func startsOver() -> Bool { rig.core.pool.endpoints[0].backoff.isFirst }
    rig.start()
    rig.send(.connectFailed(connection(0), .refused))
    #expect(startsOver() == (limit.defect == .wrappedBackoff && more > 0))
    rig.start()
    for case .openConnection(let id, _) in rig.wait(until: .zero + backoff.initial) {
      rig.send(.connected(id))
    }
    #expect(startsOver() == (limit.defect == .wrappedBackoff || more == 0))
  }

  @Test("A stale call restarts the destroy delay (P8)")
  func rearmTheDelay() {
    let (right, wrong) = compare(.rearmedDestroyDelay) { rig in
      rig.start()
      rig.send(.connected(connection(0)))
      rig.send(.streamEnded(call(0), .ok))
      rig.send(.callCancelled(call(0)), at: .seconds(20))
      return rig.wait(until: .seconds(30))
    }
    #expect(
      right == [.closeConnection(connection(0)), .channelDestroyed(channel(), .unused)])
    #expect(wrong == [])
  }

  @Test("A timer fires up to a millisecond early")
  func fireEarly() {
    for (early, isFired) in [(1_001, false), (1_000, true)] as [(Int64, Bool)] {
      let (right, wrong) = compare(.earlyTimers) { rig in
        rig.start()
        rig.send(.connected(connection(0)))
        rig.send(.streamEnded(call(0), .ok))
        return rig.wait(until: Instant(microseconds: 30_000_000 - early))
      }
      #expect(right == [])
      #expect(wrong.isEmpty != isFired)
    }
  }

  @Test("The destroy delay is truncated to whole seconds (P9)")
  func truncateTheDelay() {
    func destroyed(_ defects: [Defect]) -> Instant? {
      var policy = Profile.socketsMonitor.policy
      policy.unusedChannelLifetime = .milliseconds(1_900)
      var configuration = PoolConfiguration(policy: policy)
      for defect in defects { configuration.inject(defect) }
      var rig = Rig(configuration)
      rig.start()
      rig.send(.connected(connection(0)))
      rig.send(.streamEnded(call(0), .ok))
      return rig.core.nextDeadline
    }
    #expect(destroyed([]) == .milliseconds(1_900))
    #expect(destroyed([.truncatedDestroyDelay]) == .seconds(1))
  }

  @Test("A call started in the instant of a transition is never notified (C10)")
  func loseCalls() {
    func story(_ rig: inout Rig) -> [ClientEffect] {
      rig.send(.reachability(.initialRead(.wifi)))
      rig.start(CallSettings(deadline: .seconds(9)))
      rig.start(CallSettings(deadline: .seconds(9)), at: .seconds(1))
      return rig.callback(.none, at: .seconds(1)) + rig.wait(until: .seconds(60))
    }
    let (right, wrong) = compare(.lostCall, .socketsMonitor, story)
    let ends: [ClientEffect] = [
      .endCall(call(0), .connectivityLost), .endCall(call(1), .connectivityLost),
    ]
    #expect(right.suffix(2) == ends)
    #expect(wrong.last == ends[0] && !wrong.contains(ends[1]))
  }

  @Test("A disconnect ends running calls CANCELLED, and does not end waiting ones (C11)")
  func cancelByDisconnect() {
    func story(_ rig: inout Rig) -> [ClientEffect] {
      rig.start(on: 0)
      rig.send(.connected(connection(0)))
      rig.start(on: 1)
      return rig.send(.disconnectAllRequested)
    }
    let (right, wrong) = compare(.cancelledByDisconnect, .socketsMonitor, story)
    #expect(right.contains(.endCall(call(0), .disconnected)))
    #expect(right.contains(.endCall(call(1), .disconnected)))
    #expect(wrong.contains(.endCall(call(0), CallEnd(.cancelled, .channelDisconnected))))
    let ends = wrong.count {
      if case .endCall = $0 { true } else { false }
    }
    #expect(ends == 1)
  }

  @Test("A call that failed with its network is sent when the network returns (#10302)")
  func sendLate() {
    func story(_ rig: inout Rig) -> [ClientEffect] {
      rig.send(.reachability(.initialRead(.wifi)))
      rig.start()
      rig.callback(.none)
      rig.callback(.wifi)
      rig.start()
      return rig.send(.connected(connection(0, 1)))
    }
    let (right, wrong) = compare(.lateSend, .socketsMonitor, story)
    let late: ClientEffect = .startStream(call(0), connection(0, 1))
    #expect(!right.contains(late))
    #expect(wrong.count { $0 == late } == 1)
    #expect(wrong.filter { $0 != late } == right)
  }

  /// Returns the effects of the client without a mutant and with it.
  ///
  /// The connection is pinged after 10 s without received data, and the answer may take 5 s.
  private func comparePinged(
    _ defect: Defect, _ story: (inout Rig) -> [ClientEffect]
  ) -> (right: [ClientEffect], wrong: [ClientEffect]) {
    let settings = KeepaliveConfiguration(time: .seconds(10), timeout: .seconds(5))
    var right = Rig(keepalive: settings)
    var wrong = Rig(keepalive: settings, defects: [defect])
    right.start(CallSettings(requestIsComplete: false))
    wrong.start(CallSettings(requestIsComplete: false))
    right.send(.connected(connection(0)))
    wrong.send(.connected(connection(0)))
    return (story(&right), story(&wrong))
  }

  @Test(
    "An unanswered ping ends the calls; with a mutant they wait (N5), or all later calls wait (N29)"
  )
  func surviveTheirPing() {
    func story(_ rig: inout Rig) -> [ClientEffect] {
      rig.wait(until: .seconds(10)) + rig.wait(until: .seconds(15))
    }
    let ping = ClientEffect.sendPing(connection(0))
    let close = ClientEffect.closeConnection(connection(0))
    let (right, drained) = comparePinged(.drainedByKeepalive, story)
    #expect(right.prefix(2) == [ping, close])
    #expect(right.contains(.endCall(call(0), ConnectionFailure.keepaliveTimeout.callEnd)))
    #expect(drained == [ping, .channelMoved(channel(), from: .ready, to: .idle)])
    #expect(comparePinged(.keptByKeepalive, story).wrong == [ping, close])
  }

  @Test("A draining connection is pinged, except with a mutant (N23)")
  func leaveDrainingUnpinged() {
    let (right, wrong) = comparePinged(.unpingedDraining) { rig in
      rig.send(.connectionDraining(connection(0)))
      return rig.wait(until: .seconds(10)) + rig.wait(until: .seconds(60))
    }
    #expect(right.first == .sendPing(connection(0)))
    #expect(right.contains(.endCall(call(0), ConnectionFailure.keepaliveTimeout.callEnd)))
    #expect(wrong == [])
  }

  @Test("Sent data does not delay a ping, except with a mutant (N24)")
  func putPingsOff() {
    let (right, wrong) = comparePinged(.pingsPutOff) { rig in
      rig.send(.messageQueued(call(0), bytes: 1), at: .seconds(9))
      return rig.wait(until: .seconds(10)) + rig.wait(until: .seconds(15))
    }
    #expect(right.first == .sendPing(connection(0)))
    #expect(right.contains(.endCall(call(0), ConnectionFailure.keepaliveTimeout.callEnd)))
    #expect(wrong == [])
  }

  @Test("A call that was sent late is sent once, and only to its own host (#10302)")
  func sendLateOnce() throws {
    var rig = Rig(.socketsMonitor, defects: [.lateSend])
    rig.send(.reachability(.initialRead(.wifi)))
    rig.start(on: 0)
    rig.start(on: 1)
    rig.callback(.none)
    rig.callback(.wifi)
    #expect(try late(rig.start(on: 0), &rig) == [call(0)])
    rig.callback(.none)
    rig.callback(.wifi)
    #expect(try late(rig.start(on: 1), &rig) == [call(1)])
  }

  /// Returns which of the first two calls are sent when the requested connection opens.
  private func late(_ effects: [ClientEffect], _ rig: inout Rig) throws -> [CallID] {
    let opened = effects.compactMap { effect in
      if case .openConnection(let id, _) = effect { id } else { nil }
    }
    let sent = rig.send(.connected(try #require(opened.first)))
    return sent.compactMap { effect in
      if case .startStream(let id, _) = effect, id == call(0) || id == call(1) { id } else { nil }
    }
  }
}
