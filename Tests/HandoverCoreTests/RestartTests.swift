import Testing

import HandoverCore
@testable import HandoverMachines

@Suite("A client that starts over")
struct RestartTests {
  @Test("is as a fresh one, whatever it went through", arguments: Situation.allCases)
  func isFresh(situation: Situation) {
    var fresh = ClientCore(PoolConfiguration(policy: Profile.cfStream.policy, seed: 7))
    for index in 0..<3 {
      _ = fresh.register(
        ChannelKey(host: HostName("other-\(index).example"), options: ChannelOptions()))
    }
    var client = situation.rig().core
    #expect(client != fresh)
    client.restart(as: fresh)
    #expect(client == fresh)
  }
}
