import Testing

@testable import HandoverCore

@Suite("A client that is reset")
struct RestartTests {
  @Test("A reset client equals a new one, whatever happened before", arguments: Situation.allCases)
  func isFresh(situation: Situation) {
    let fresh = Rig(.socketsMonitor).core
    var client = situation.rig().core
    #expect(client != fresh)
    client.restart(keeping: fresh.channels.endpoints.count)
    #expect(client == fresh)
  }

  @Test("A reset client forgets the keys that were registered later", arguments: 0...4)
  func forgets(kept: Int) {
    let configuration = PoolConfiguration(policy: Profile.cfStream.policy, seed: 7)
    let keys = [
      ChannelKey(host: HostName("a.example"), options: ChannelOptions()),
      ChannelKey(host: nil, options: ChannelOptions()),
      ChannelKey(
        host: HostName("b.example"),
        options: ChannelOptions(connectMinTimeout: .seconds(1))),
      ChannelKey(host: HostName("c.example"), options: ChannelOptions()),
    ]
    var client = ClientCore(configuration)
    var fresh = ClientCore(configuration)
    for key in keys { _ = client.register(key) }
    for key in keys.prefix(kept) { _ = fresh.register(key) }
    client.restart(keeping: kept)
    #expect(client == fresh)
  }
}
