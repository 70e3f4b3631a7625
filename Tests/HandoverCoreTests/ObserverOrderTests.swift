import Testing

import HandoverExploration

@testable import HandoverCore

@Suite("The order of notifications about a category change")
struct ObserverOrderTests {
  private static func rig(_ observers: ObserverOrder, seed: UInt64 = 1, _ defects: [Defect] = [])
    -> Rig
  {
    var configuration = PoolConfiguration(
      policy: Profile.socketsMonitor.policy, seed: seed)
    configuration.observers = observers
    for defect in defects { configuration.inject(defect) }
    var rig = Rig(configuration)
    rig.send(.reachability(.initialRead([.reachable])))
    rig.start()
    rig.send(.connected(connection(0)))
    return rig
  }

  private static let end: ClientEffect = .endCall(call(0), .connectivityLost)
  private static let gone: ClientEffect = .channelDestroyed(channel(), .transition)

  @Test("If the pool is notified first, channels are destroyed and their calls end with them")
  func poolFirst() throws {
    var rig = Self.rig(.pool)
    let effects = rig.callback(.none)
    let (gone, end) = (effects.firstIndex(of: Self.gone), effects.firstIndex(of: Self.end))
    #expect(try #require(gone) < #require(end))
  }

  @Test(
    "If calls are notified first, each cancels its work and ends before the channels are destroyed")
  func callsFirst() throws {
    var rig = Self.rig(.calls)
    let effects = rig.callback(.none)
    let reset = effects.firstIndex(of: .resetStream(call(0), connection(0)))
    let (gone, end) = (effects.firstIndex(of: Self.gone), effects.firstIndex(of: Self.end))
    #expect(try #require(reset) < #require(end))
    #expect(try #require(end) < #require(gone))
    #expect(rig.core.nextDeadline == nil)
  }

  @Test("A mutant is visible only if the pool is notified first (C9)")
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

  @Test("A call that starts in the same instant is lost in either order (C10)")
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
    "A call that is not cancelled is sent when the network returns, in either order (#10302)")
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

  @Test("Waiting calls end too, but a call that waits for its token does not (C6)")
  func waitingCalls() {
    for order in ObserverOrder.allCases {
      var rig = Self.rig(order)
      rig.start(on: 1)
      rig.start(on: 1, CallSettings(awaitsToken: true))
      let ends = rig.callback(.none).filter { if case .endCall = $0 { true } else { false } }
      #expect(ends == [Self.end, .endCall(call(1), .connectivityLost)])
    }
  }

  @Test("A random order depends only on the seed")
  func drawn() {
    var orders: Set<Bool> = []
    for seed in UInt64(0)..<20 {
      var (one, other) = (Self.rig(.random, seed: seed), Self.rig(.random, seed: seed))
      let effects = one.callback(.none)
      #expect(effects == other.callback(.none))
      orders.insert(effects.contains(.resetStream(call(0), connection(0))))
    }
    #expect(orders == [true, false])
  }

  @Test("In a random order, calls are notified first in half of the runs")
  func share() {
    let count = (UInt64(0)..<400).count { seed in
      var rig = Self.rig(.random, seed: seed)
      return rig.callback(.none).contains(.resetStream(call(0), connection(0)))
    }
    // The standard deviation is 10.
    #expect((160...240).contains(count), "\(count)")
  }
}
