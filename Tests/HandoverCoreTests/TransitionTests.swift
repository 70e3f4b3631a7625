import Testing

@testable import HandoverCore

/// The effects of a category change (D9, M11, C8), which do not occur in a client without a
/// monitor.
@Suite("A category change")
struct TransitionTests {
  static let lost: ClientEffect = .notify(CategoryChange(from: .wifi, to: .noNetwork))
  static let gone: ClientEffect = .channelDestroyed(channel(), .transition)
  static let closed: ClientEffect = .closeConnection(connection(0))

  static func ended(_ call: CallID) -> ClientEffect { .endCall(call, .connectivityLost) }

  static let table: [(Situation, [ClientEffect])] = [
    (.noChannel, [lost]),
    // An unbound call does not change (C6).
    (.awaitingToken, [lost]),
    (.connecting, [lost, closed, gone, ended(call(0))]),
    (.ready, [lost, closed, gone, ended(call(0))]),
    (.unused, [lost, closed, gone]),
    (.backoff, [lost, gone]),
    (.waitingInBackoff, [lost, gone, ended(call(0, 1))]),
    (.backoffOver, [lost, gone]),
    (.broken, [lost, gone]),
    (.draining, [lost, closed, gone, ended(call(0))]),
    (.idle, [lost, gone]),
  ]

  @Test(
    "A category change destroys the channel in any state, and ends its calls UNAVAILABLE",
    arguments: table)
  func destroysEverything(situation: Situation, effects: [ClientEffect]) {
    var rig = situation.rig()
    #expect(rig.callback(.none) == effects)
    #expect(rig.core.nextDeadline == nil)
    #expect(rig.core.pool.state(of: endpoint(0)) == .shutdown)
  }

  @Test(
    "A category change has no effect without a monitor (S10)",
    arguments: [Profile.sockets, .cfStream])
  func needsAMonitor(profile: Profile) {
    for situation in Situation.allCases where situation != .destroyed {
      var rig = situation.rig(profile)
      let before = rig
      #expect(rig.callback(.none) == [])
      #expect(rig == before)
    }
  }

  @Test("An equal category is not a change (M9)", arguments: Situation.allCases)
  func isNoneForEqualCategories(situation: Situation) {
    var rig = situation.rig()
    let held: ReachabilityFlags = situation == .destroyed ? [.isWWAN] : [.reachable, .isDirect]
    #expect(rig.callback(held) == [])
  }

  @Test("The return of the network destroys everything too (M11, C8)")
  func destroysOnRecovery() {
    var rig = Situation.destroyed.rig()
    rig.start()
    #expect(
      rig.callback(.wifi) == [
        .notify(CategoryChange(from: .noNetwork, to: .wifi)),
        .closeConnection(connection(0, 1)), .channelDestroyed(channel(0, 2), .transition),
        Self.ended(call(0, 1)),
      ])
  }

  @Test(
    "A change from Unknown destroys everything, whatever the new category is (M8)",
    arguments: [
      ReachabilityFlags.none, .cellular, .wifi,
    ])
  func destroysFromUnknown(flags: ReachabilityFlags) {
    var rig = Rig()
    rig.send(.reachability(.initialRead(nil)))
    rig.start()
    #expect(
      rig.callback(flags) == [
        .notify(CategoryChange(from: .unknown, to: NetworkCategory(flags))), Self.closed,
        Self.gone, Self.ended(call(0)),
      ])
  }

  @Test(
    "Channels are visited in order of registration, and their calls in order of start"
  )
  func keepsTheOrder() {
    var rig = Rig()
    rig.send(.reachability(.initialRead(.cellular)))
    rig.start(on: 1)
    rig.start(on: 0)
    rig.start(on: 1)
    rig.start(on: 0)
    rig.send(.callCancelled(call(1)))
    rig.start(on: 0)
    #expect(
      rig.callback(.wifi) == [
        .notify(CategoryChange(from: .cellular, to: .wifi)),
        .closeConnection(connection(1)), .channelDestroyed(channel(0), .transition),
        Self.ended(call(3)), Self.ended(call(1, 1)),
        .closeConnection(connection(0)), .channelDestroyed(channel(1), .transition),
        Self.ended(call(0)), Self.ended(call(2)),
      ])
  }

  @Test("The connection in use is closed before the draining ones")
  func closesEveryConnection() {
    var rig = Situation.draining.rig()
    rig.start()
    rig.send(.connected(connection(1)))
    #expect(
      rig.callback(.none) == [
        Self.lost, .closeConnection(connection(1)), Self.closed, Self.gone,
        Self.ended(call(0)), Self.ended(call(1)),
      ])
  }

  @Test("The next channel does not inherit the failures of the old one")
  func forgetsTheBackoff() {
    var rig = Situation.waitingInBackoff.rig()
    rig.callback(.none)
    rig.start()
    rig.send(.connectFailed(connection(0, 1), .refused))
    rig.start()
    // The attempt started at 0.5 s, and the first delay is 1 s again.
    #expect(rig.core.nextDeadline == .milliseconds(1_500))
  }

  @Test("A category change is notified again after an overrun (M8, M9)")
  func isSeenAfterAnOverrun() {
    var rig = Situation.ready.rig()
    #expect(rig.send(.reachability(.resynchronized(.wifi))) == [])
    #expect(
      rig.send(.reachability(.resynchronized(.none)))
        == [Self.lost, Self.closed, Self.gone, Self.ended(call(0))])
  }
}
