import Testing

import HandoverCore
@testable import HandoverMachines

@Suite("Who hears first of a change of category")
struct ObserverOrderTests {
  private static func rig(_ observers: ObserverOrder, seed: UInt64 = 1, _ defects: [Defect] = [])
    -> Rig
  {
    var configuration = PoolConfiguration(
      policy: Profile.socketsMonitor.policy, seed: seed, defects: Defects(defects))
    configuration.observers = observers
    var rig = Rig(configuration)
    rig.send(.reachability(.initialRead([.reachable])))
    rig.start()
    rig.send(.connected(connection(0)))
    return rig
  }

  private static let end: ClientEffect = .endCall(call(0), .connectivityLost)
  private static let gone: ClientEffect = .channelDestroyed(channel(), .transition)

  @Test("the pool: channels go, and calls end with them")
  func poolFirst() throws {
    var rig = Self.rig(.pool)
    let effects = rig.callback(.none)
    let (gone, end) = (effects.firstIndex(of: Self.gone), effects.firstIndex(of: Self.end))
    #expect(try #require(gone) < #require(end))
  }

  @Test("the calls: each cancels what it has under way and ends, and then the channels go")
  func callsFirst() throws {
    var rig = Self.rig(.calls)
    let effects = rig.callback(.none)
    let reset = effects.firstIndex(of: .resetStream(call(0), connection(0)))
    let (gone, end) = (effects.firstIndex(of: Self.gone), effects.firstIndex(of: Self.end))
    #expect(try #require(reset) < #require(end))
    #expect(try #require(end) < #require(gone))
    #expect(rig.core.nextDeadline == nil)
  }

  @Test("a defect shows where the pool is first, and nowhere else (C9)")
  func defect() {
    var poolFirst = Self.rig(.pool, [.overtakenByCancel])
    poolFirst.start(on: 1)
    let effects = poolFirst.callback(.none)
    #expect(effects.contains(.endCall(call(0), CallEnd(.cancelled, .channelDisconnected))))
    // A waiting call has nothing on the network to cancel.
    #expect(effects.contains(.endCall(call(1), .connectivityLost)))
    var callsFirst = Self.rig(.calls, [.overtakenByCancel])
    #expect(callsFirst.callback(.none).contains(Self.end))
  }

  @Test("a call that starts in the same instant is lost, whoever hears first (C10)")
  func lostCall() {
    for order in [ObserverOrder.pool, .calls] {
      var rig = Self.rig(order, [.lostCall])
      rig.start(at: .seconds(1))
      let effects = rig.callback(.none, at: .seconds(1)) + rig.wait(until: .seconds(60))
      #expect(effects.contains(Self.end))
      #expect(!effects.contains { if case .endCall(call(1), _) = $0 { true } else { false } })
    }
  }

  @Test(
    "a call that is not cancelled is sent when the network returns, whoever heard first (#10302)")
  func lateSend() {
    for order in [ObserverOrder.pool, .calls] {
      var rig = Self.rig(order, [.lateSend])
      let effects = rig.callback(.none)
      #expect(effects.contains(Self.end))
      #expect(!effects.contains(.resetStream(call(0), connection(0))))
      rig.callback(.wifi)
      rig.start()
      let late: ClientEffect = .startStream(call(0), connection(0, 1))
      #expect(rig.send(.connected(connection(0, 1))).count { $0 == late } == 1)
    }
  }

  @Test("calls that wait end too, and one that waits for its token does not (C6)")
  func waitingCalls() {
    for order in ObserverOrder.allCases {
      var rig = Self.rig(order)
      rig.start(on: 1)
      rig.start(on: 1, CallSettings(awaitsToken: true))
      let ends = rig.callback(.none).filter { if case .endCall = $0 { true } else { false } }
      #expect(ends == [Self.end, .endCall(call(1), .connectivityLost)])
    }
  }

  @Test("drawn by the seed, the same for the same seed")
  func drawn() {
    var orders: Set<Bool> = []
    for seed in UInt64(0)..<20 {
      var (one, other) = (Self.rig(.drawn, seed: seed), Self.rig(.drawn, seed: seed))
      let effects = one.callback(.none)
      #expect(effects == other.callback(.none))
      orders.insert(effects.contains(.resetStream(call(0), connection(0))))
    }
    #expect(orders == [true, false])
  }
}
