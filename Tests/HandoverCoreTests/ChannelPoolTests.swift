import Testing

@testable import HandoverCore

@Suite("The channel pool")
struct ChannelPoolTests {
  func key(_ host: String, _ options: ChannelOptions = ChannelOptions()) -> ChannelKey {
    ChannelKey(host: HostName(host), options: options)
  }

  @Test("One key is one pooled channel, and different options are another (P1, P2)")
  func sharesByKey() {
    var core = ClientCore(PoolConfiguration(policy: Profile.sockets.policy))
    let first = core.register(key("a.example"))
    #expect(core.register(key("a.example:443")) == first)
    #expect(core.register(key("https://a.example/path")) == first)
    #expect(core.register(key("b.example")) != first)
    #expect(core.register(key("a.example:80")) != first)
    #expect(
      core.register(key("a.example", ChannelOptions(connectMinTimeout: .seconds(1)))) != first)
    let one = core.register(key("a.example", ChannelOptions(others: ["x=1", "y=2"])))
    #expect(one != first)
    #expect(core.register(key("a.example", ChannelOptions(others: ["y=2", "x=1"]))) == one)
  }

  @Test("Connect options override those of the pool, and zero keeps the pool's (B5)")
  func followsTheConnectOptions() {
    let configuration = PoolConfiguration(policy: Profile.sockets.policy)
    let zeros = ChannelOptions(
      connectMinTimeout: .zero, connectInitialBackoff: .zero, connectMaxBackoff: .zero)
    #expect(configuration.backoff(for: zeros) == BackoffConfiguration())
    let options = ChannelOptions(
      connectMinTimeout: .seconds(3), connectInitialBackoff: .seconds(4),
      connectMaxBackoff: .seconds(5))
    #expect(
      configuration.backoff(for: options)
        == BackoffConfiguration(
          initial: .seconds(4), maximum: .seconds(5), minimumConnectTimeout: .seconds(3)))
  }

  @Test("A call to an invalid host ends immediately, with or without a token (C13)")
  func refusesWhatIsNoHost() {
    var core = ClientCore(PoolConfiguration(policy: Profile.socketsMonitor.policy))
    let nowhere = core.register(ChannelKey(host: nil, options: ChannelOptions()))
    var effects = EffectLog<ClientEffect>()
    core.step(
      .pool(.callStarted(call(0), nowhere, CallSettings(deadline: .seconds(1)))), at: .zero,
      into: &effects)
    #expect(effects.elements == [.endCall(call(0), .notCreated)])
    #expect(core.nextDeadline == nil)
    effects.removeAll()
    core.step(
      .pool(.callStarted(call(0, 1), nowhere, CallSettings(awaitsToken: true))), at: .zero,
      into: &effects)
    core.step(.pool(.tokenArrived(call(0, 1))), at: .zero, into: &effects)
    #expect(effects.elements == [.fetchToken(call(0, 1)), .endCall(call(0, 1), .notCreated)])
  }

  @Test(
    "Messages that a call sends before it runs are sent when it runs, in order and without delay")
  func keepsEarlyMessages() {
    var rig = Situation.connectingOpenRequest.rig()
    rig.send(.messageQueued(call(0), bytes: 7))
    rig.send(.messageQueued(call(0), bytes: 8))
    rig.send(.requestFinished(call(0)))
    rig.send(.messageQueued(call(0), bytes: 9))
    #expect(
      rig.send(.connected(connection(0))) == [
        .channelMoved(channel(), from: .connecting, to: .ready),
        .startStream(call(0), connection(0)),
        .sendMessages(call(0), connection(0), count: 2, bytes: 15),
        .finishStream(call(0), connection(0)),
      ])
  }

  @Test("The count of waiting bytes never overflows")
  func saturatesWaitingBytes() {
    var rig = Situation.connectingOpenRequest.rig()
    rig.send(.messageQueued(call(0), bytes: .max))
    rig.send(.messageQueued(call(0), bytes: .max))
    let sent = ClientEffect.sendMessages(call(0), connection(0), count: 2, bytes: .max)
    #expect(rig.send(.connected(connection(0))).contains(sent))
  }

  @Test("Calls that wait for one connection run in the order in which they started")
  func keepsTheOrderOfStart() {
    var rig = Rig()
    for _ in 0..<4 { rig.start(CallSettings(requestIsComplete: false)) }
    rig.send(.callCancelled(call(1)))
    #expect(
      rig.send(.connected(connection(0))).dropFirst() == [
        .startStream(call(0), connection(0)), .startStream(call(2), connection(0)),
        .startStream(call(3), connection(0)),
      ])
  }

  @Test("A failed lookup ends no call of the 2017 client, and is repeated (#13627)")
  func followsThe2017Document() {
    var rig = Situation.connecting.rig(.sockets2017)
    #expect(
      rig.send(.connectFailed(connection(0), .nameResolutionFailed)) == [
        .channelMoved(channel(), from: .connecting, to: .transientFailure)
      ])
    #expect(
      rig.wait(until: .seconds(1)) == [
        .channelMoved(channel(), from: .transientFailure, to: .connecting),
        .openConnection(connection(0, 1), channel()),
      ])
  }

  @Test("A broken connection destroys the channel of the 2017 client (D9)")
  func destroysBrokenChannels() {
    var rig = Situation.ready.rig(.sockets2017)
    #expect(
      rig.send(.connectionBroken(connection(0), .reset)) == [
        .channelDestroyed(channel(), .broken),
        .endCall(call(0), ConnectionFailure.reset.callEnd),
      ])
    #expect(rig.start().first == .channelCreated(channel(0, 2)))
  }

  @Test(
    "A connection that breaks before it is established is a failed attempt for the 2017 client too")
  func failsAttemptsThatBreak() {
    var rig = Situation.connecting.rig(.sockets2017)
    let orders = rig.send(.connectionBroken(connection(0), .reset))
    #expect(orders.first == .channelMoved(channel(), from: .connecting, to: .transientFailure))
    #expect(orders.contains(.endCall(call(0), ConnectionFailure.reset.callEnd)))
    #expect(!orders.contains(.channelDestroyed(channel(), .broken)))
  }

  @Test("A draining connection keeps its calls while other calls use the next one (B8)")
  func drainsBesideTheNext() {
    var rig = Situation.draining.rig(.sockets)
    rig.start()
    rig.send(.connected(connection(1)))
    rig.send(.connectionDraining(connection(1)))
    // The delay of the second attempt is still running: the call waits for it in IDLE.
    #expect(rig.start().last == .callBound(call(2), channel(), isNew: false))
    #expect(rig.core.pool.state(of: endpoint(0)) == .idle)
    _ = rig.wait(until: rig.now + .seconds(1))
    rig.send(.connected(connection(2)))
    #expect(
      rig.send(.connectionBroken(connection(0), .reset))
        == [.endCall(call(0), ConnectionFailure.reset.callEnd)])
    #expect(
      rig.send(.streamEnded(call(1), .ok))
        == [.endCall(call(1), CallEnd(.ok, .empty)), .closeConnection(connection(1))])
    #expect(rig.core.pool.state(of: endpoint(0)) == .ready)
  }

  @Test("A disconnect of everything visits the channels in the order of registration (P11)")
  func disconnectsInOrder() {
    var rig = Rig()
    rig.start(on: 1)
    rig.start(on: 0)
    #expect(
      rig.send(.disconnectAllRequested) == [
        .closeConnection(connection(1)), .channelDestroyed(channel(0), .disconnected),
        .endCall(call(1), .disconnected),
        .closeConnection(connection(0)), .channelDestroyed(channel(1), .disconnected),
        .endCall(call(0), .disconnected),
      ])
  }

  @Test("Two seeds give different delays, and so do two channels of one pool")
  func jittersByChannel() {
    func attempt(seed: UInt64, on index: UInt32) -> Instant? {
      var rig = Rig(PoolConfiguration(policy: Profile.sockets.policy, seed: seed))
      for generation in UInt32(0)...1 {
        rig.start(on: index)
        rig.send(.connectFailed(connection(0, generation), .refused))
        rig.start(on: index)
        rig.wait(until: rig.core.nextDeadline ?? .never)
      }
      rig.send(.connectFailed(connection(0, 2), .refused))
      rig.start(on: index)
      return rig.core.nextDeadline
    }
    #expect(attempt(seed: 1, on: 0) == attempt(seed: 1, on: 0))
    #expect(attempt(seed: 1, on: 0) != attempt(seed: 2, on: 0))
    #expect(attempt(seed: 1, on: 0) != attempt(seed: 1, on: 1))
  }

  @Test("A call with an identifier that the pool did not issue is a programming error")
  func trapsOnWrongCalls() async {
    await #expect(processExitsWith: .failure) {
      var rig = Rig()
      rig.send(.callStarted(call(1), endpoint(0), CallSettings()))
    }
    await #expect(processExitsWith: .failure) {
      var rig = Rig()
      rig.start()
      rig.send(.callStarted(call(0), endpoint(0), CallSettings()))
    }
  }

  @Test("An endpoint that was not registered is a programming error")
  func trapsOnWrongEndpoints() async {
    await #expect(processExitsWith: .failure) {
      var rig = Rig()
      rig.start(on: 2)
    }
  }
}
