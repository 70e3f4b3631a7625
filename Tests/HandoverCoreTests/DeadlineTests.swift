import Testing

@testable import HandoverCore

/// The effects of time: each occurs at its instant and not before.
@Suite("Deadlines")
struct DeadlineTests {
  /// Expects no effects just before an instant, and the given effects at it.
  func expect(
    _ rig: inout Rig, at instant: Instant, _ effects: [ClientEffect],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(rig.core.nextDeadline == instant, sourceLocation: sourceLocation)
    #expect(rig.wait(until: instant.justBefore) == [], sourceLocation: sourceLocation)
    #expect(rig.wait(until: instant) == effects, sourceLocation: sourceLocation)
  }

  @Test("A running call is reset at its deadline and ends DEADLINE_EXCEEDED (D5c)")
  func endRunningCalls() {
    var rig = Rig()
    rig.start(CallSettings(deadline: .seconds(5)))
    rig.send(.connected(connection(0)))
    expect(
      &rig, at: .seconds(5),
      [.resetStream(call(0), connection(0)), .endCall(call(0), .deadlineExceeded)])
  }

  @Test("A waiting call ends DEADLINE_EXCEEDED at its deadline, whatever it waits for (D5c)")
  func endWaitingCalls() {
    for token in [false, true] {
      var rig = Rig()
      rig.start(CallSettings(deadline: .seconds(5), awaitsToken: token))
      expect(&rig, at: .seconds(5), [.endCall(call(0), .deadlineExceeded)])
    }
  }

  @Test("An attempt without an answer fails after the shortest connect timeout (B1, S5)")
  func endAttempts() {
    var rig = Situation.connecting.rig()
    expect(
      &rig, at: .seconds(20),
      [
        .closeConnection(connection(0)),
        .channelMoved(channel(), from: .connecting, to: .transientFailure),
        .endCall(call(0), ConnectionFailure.connectTimedOut.callEnd),
      ])
  }

  @Test("An attempt may last as long as its backoff, if that is longer (B1)")
  func endLongAttempts() {
    var rig = Rig(backoff: BackoffConfiguration(initial: .seconds(50)))
    rig.start()
    #expect(rig.core.nextDeadline == .seconds(50))
  }

  @Test("The next attempt starts at the end of the backoff, because a call waits (D4, D5)")
  func endBackoffs() {
    var rig = Situation.waitingInBackoff.rig()
    expect(
      &rig, at: .seconds(1),
      [
        .channelMoved(channel(), from: .transientFailure, to: .connecting),
        .openConnection(connection(0, 1), channel()),
      ])
  }

  @Test("No attempt starts while no call waits (D4)", arguments: [Profile.sockets, .sockets2017])
  func leaveIdleBackoffsAlone(profile: Profile) {
    var rig = Situation.waitingInBackoff.rig(profile)
    rig.send(.callCancelled(call(0, 1)))
    #expect(rig.core.nextDeadline == nil)
  }

  @Test("Attempts follow each other at the documented delays (B3)")
  func growTheBackoff() {
    var rig = Rig(.sockets)
    var begun: [Int64] = []
    rig.start()
    for attempt in UInt32(0)..<7 {
      begun.append(rig.now.microseconds)
      rig.send(.connectFailed(connection(0, attempt), .refused))
      rig.start()
      rig.wait(until: rig.core.nextDeadline ?? .never)
    }
    let pauses = zip(begun.dropFirst(), begun).map { $0 - $1 }
    #expect(pauses == [1_000_000, 1_600_000, 2_560_000, 4_096_000, 6_553_600, 10_485_760])
  }

  @Test("A success resets the delay, but not the instant of the next attempt (D6)")
  func keepTheInstant() {
    var rig = Rig(.sockets, backoff: BackoffConfiguration(initial: .seconds(10)))
    rig.start()
    rig.send(.connected(connection(0)), at: .seconds(1))
    rig.send(.connectionBroken(connection(0), .reset), at: .seconds(2))
    #expect(rig.start() == [.callBound(call(0, 1), channel(), isNew: false)])
    #expect(rig.core.nextDeadline == .seconds(10))
  }

  @Test("After a success the delays start over (D6, B4)")
  func startOver() {
    var rig = Situation.waitingInBackoff.rig(.sockets)
    rig.wait(until: .seconds(1))
    rig.send(.connected(connection(0, 1)), at: .seconds(1))
    rig.send(.connectionBroken(connection(0, 1), .reset), at: .seconds(9))
    rig.start()
    rig.send(.connectFailed(connection(0, 2), .refused))
    rig.start()
    #expect(rig.core.nextDeadline == .seconds(10))
  }

  @Test("An unused channel is destroyed after 30 s, if the profile requires it (P6)")
  func destroyUnusedChannels() {
    for profile in [Profile.socketsMonitor, .cfStream] {
      var rig = Situation.unused.rig(profile)
      expect(
        &rig, at: .seconds(31),
        [.closeConnection(connection(0)), .channelDestroyed(channel(), .unused)])
    }
    for profile in [Profile.sockets, .sockets2017] {
      #expect(Situation.unused.rig(profile).core.nextDeadline == nil)
    }
  }

  @Test("A call within the 30 s keeps the channel, and its end restarts them (P7)")
  func keepUsedChannels() {
    var rig = Situation.unused.rig()
    rig.start(at: .seconds(20))
    #expect(rig.core.nextDeadline == nil)
    rig.send(.streamEnded(call(0, 1), .ok), at: .seconds(25))
    #expect(rig.core.nextDeadline == .seconds(55))
  }

  @Test("The end of a call from before a disconnect destroys nothing later (P12)")
  func forgetDisconnectedCalls() {
    var rig = Situation.ready.rig()
    rig.send(.disconnectRequested(endpoint(0)))
    rig.start()
    rig.send(.callCancelled(call(0)))
    #expect(rig.core.nextDeadline == .seconds(21))
  }

  @Test("Deadlines at the same instant are handled in the order in which they were armed")
  func keepTheOrderOfStart() {
    var rig = Rig(.sockets)
    rig.start(CallSettings(deadline: .seconds(20)))
    rig.start(CallSettings(deadline: .seconds(20)))
    // The deadlines of the two calls surround the end of the attempt.
    let effects = rig.wait(until: .seconds(20))
    #expect(
      effects == [
        .endCall(call(0), .deadlineExceeded), .closeConnection(connection(0)),
        .channelMoved(channel(), from: .connecting, to: .transientFailure),
        .endCall(call(1), ConnectionFailure.connectTimedOut.callEnd),
      ])
  }

  @Test("A late driver handles everything that is due, in the order of the deadlines")
  func bearLateDrivers() {
    var rig = Rig(.sockets)
    rig.start(CallSettings(deadline: .seconds(7)))
    rig.start(CallSettings(deadline: .seconds(3)))
    #expect(
      rig.wait(until: .seconds(60)) == [
        .endCall(call(1), .deadlineExceeded), .endCall(call(0), .deadlineExceeded),
        .closeConnection(connection(0)),
        .channelMoved(channel(), from: .connecting, to: .transientFailure),
      ])
  }

  @Test("The kinds of deadline are distinguished")
  func haveKinds() {
    var rig = Rig(keepalive: KeepaliveConfiguration(time: .seconds(3)))
    rig.start(CallSettings(deadline: .seconds(9)))
    #expect(rig.core.nextDeadline(among: .calls) == .seconds(9))
    #expect(rig.core.nextDeadline(among: .attempts) == .seconds(20))
    #expect(rig.core.nextDeadline(among: [.unused, .keepalive]) == nil)
    rig.send(.connected(connection(0)))
    #expect(rig.core.nextDeadline(among: .keepalive) == .seconds(3))
    rig.send(.streamEnded(call(0), .ok))
    #expect(rig.core.nextDeadline(among: .unused) == .seconds(30))
    #expect(rig.core.nextDeadline(among: .all) == .seconds(30))
  }
}

@Suite("Keepalive")
struct KeepaliveTests {
  static let rules = KeepaliveConfiguration(time: .seconds(10), timeout: .seconds(2))

  func running(_ rules: KeepaliveConfiguration = rules) -> Rig {
    var rig = Rig(.sockets, keepalive: rules)
    rig.start(CallSettings(requestIsComplete: false))
    rig.send(.connected(connection(0)), at: .seconds(1))
    return rig
  }

  @Test("A silent connection is pinged, and closed if no answer comes (B6, B7)")
  func endsDeadConnections() {
    var rig = running()
    #expect(rig.core.nextDeadline == .seconds(11))
    #expect(rig.wait(until: .seconds(11)) == [.sendPing(connection(0))])
    #expect(rig.wait(until: Instant.seconds(13).justBefore) == [])
    #expect(
      rig.wait(until: .seconds(13)) == [
        .closeConnection(connection(0)),
        .channelMoved(channel(), from: .ready, to: .transientFailure),
        .endCall(call(0), ConnectionFailure.keepaliveTimeout.callEnd),
      ])
  }

  @Test("A timeout of zero closes the connection with the ping (B6)")
  func bearsNoTimeOut() {
    var rig = running(KeepaliveConfiguration(time: .milliseconds(1_500), timeout: .zero))
    let effects = rig.wait(until: .milliseconds(2_500))
    #expect(effects.first == .sendPing(connection(0)))
    #expect(effects.last == .endCall(call(0), ConnectionFailure.keepaliveTimeout.callEnd))
  }

  @Test(
    "Any received data proves that the connection works (B7)",
    arguments: [
      ChannelPool.Event.pongReceived(connection(0)), .messageReceived(call(0)),
      .dataReceived(connection(0)),
    ])
  func isQuietedByReading(event: ChannelPool.Event) {
    var rig = running()
    rig.wait(until: .seconds(11))
    rig.send(event, at: .seconds(12))
    #expect(rig.core.nextDeadline == .seconds(22))
  }

  @Test(
    "Data of a connection that is not established is dropped",
    arguments: [ChannelPool.Event.pongReceived(connection(0)), .dataReceived(connection(0))])
  func needsAConnection(event: ChannelPool.Event) {
    var rules = Self.rules
    rules.withoutCalls = true
    var rig = Rig(.sockets, keepalive: rules)
    rig.start()
    let before = rig
    #expect(rig.send(event) == [])
    #expect(rig == before)
    #expect(rig.core.nextDeadline(among: .keepalive) == nil)
  }

  @Test("After two pings without data no third ping is sent until data is sent (B6)")
  func keepsThePingLimit() {
    var rig = running()
    for instant in [Instant.seconds(11), .seconds(21)] {
      #expect(rig.wait(until: instant) == [.sendPing(connection(0))])
      rig.send(.pongReceived(connection(0)))
    }
    #expect(rig.core.nextDeadline == nil)
    rig.send(.messageQueued(call(0), bytes: 1), at: .seconds(40))
    #expect(rig.wait(until: .seconds(40)) == [.sendPing(connection(0))])
  }

  @Test("The end of a request counts as data, and the reset of a call does not (B6)")
  func countsDataFrames() {
    func pinged() -> Rig {
      var rig = Rig(.sockets, keepalive: Self.rules)
      for _ in 0..<2 { rig.start(CallSettings(requestIsComplete: false)) }
      rig.send(.connected(connection(0)), at: .seconds(1))
      for instant in [Instant.seconds(11), .seconds(21)] {
        rig.wait(until: instant)
        rig.send(.pongReceived(connection(0)))
      }
      return rig
    }
    var reset = pinged()
    reset.send(.callCancelled(call(0)), at: .seconds(40))
    #expect(reset.core.nextDeadline(among: .keepalive) == nil)
    var finished = pinged()
    finished.send(.requestFinished(call(0)), at: .seconds(40))
    #expect(finished.wait(until: .seconds(40)) == [.sendPing(connection(0))])
  }

  @Test("Without calls no ping is sent, unless it is permitted (B7)", arguments: [false, true])
  func needsACall(isPermitted: Bool) {
    var rules = Self.rules
    rules.withoutCalls = isPermitted
    var rig = running(rules)
    rig.send(.streamEnded(call(0), .ok))
    #expect(rig.core.nextDeadline == (isPermitted ? .seconds(11) : nil))
  }

  @Test(
    "After the last call, new connections and answered pings cause no further ping (B7)"
  )
  func needsACallLater() {
    var late = Rig(.sockets, keepalive: Self.rules)
    late.start()
    late.send(.callCancelled(call(0)))
    late.send(.connected(connection(0)))
    #expect(late.core.nextDeadline == nil)
    var pinged = running()
    pinged.wait(until: .seconds(11))
    pinged.send(.callCancelled(call(0)))
    #expect(pinged.core.nextDeadline == .seconds(13))
    pinged.send(.pongReceived(connection(0)))
    #expect(pinged.core.nextDeadline == nil)
  }

  @Test("Options of a key override those of the pool, and an interval alone means no timeout (B6)")
  func followsTheOptions() {
    let configuration = PoolConfiguration(policy: Profile.sockets.policy, keepalive: Self.rules)
    func rules(_ options: ChannelOptions) -> KeepaliveConfiguration? {
      configuration.settings(for: options).keepalive
    }
    #expect(rules(ChannelOptions()) == Self.rules)
    #expect(rules(ChannelOptions(keepaliveInterval: .zero)) == Self.rules)
    #expect(
      rules(ChannelOptions(keepaliveInterval: .seconds(4)))
        == KeepaliveConfiguration(time: .seconds(4), timeout: .zero))
    #expect(
      rules(ChannelOptions(keepaliveInterval: .seconds(4), keepaliveTimeout: .seconds(1)))
        == KeepaliveConfiguration(time: .seconds(4), timeout: .seconds(1)))
  }
}
