import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("A VPN that takes all traffic")
struct AllTrafficTests {
  /// Returns a scenario with a stream over WiFi, in which the VPN is the default network from 3 s
  /// to 12 s.
  private static func scenario(
    allTraffic: Bool, profile: Profile, reaches: String = "", expect: [String]
  ) throws -> Scenario {
    let text = """
      {"format": 1, "id": "sample", "profiles": ["\(profile.name)"], "initial": {},
      "networks": {"home": {"kind": "wifi", "state": "default"},
        "tunnel": {"kind": "vpn", "allTraffic": \(allTraffic)\(reaches)}},
      "hosts": {"a:1": {"connect": "50ms"}, "b:1": {"connect": "50ms"}},
      "timeline": [
        {"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "streaming", "takes": "5s"}},
        {"at": "3s", "network": {"id": "tunnel", "become": "up"}},
        {"at": "3s", "network": {"id": "tunnel", "become": "default"}},
        {"at": "6s", "call": {"id": "d", "host": "b:1", "failFast": true, "deadline": "3s"}},
        {"at": "12s", "network": {"id": "home", "become": "default"}}
      ],
      "expect": [\(expect.joined(separator: ", "))]}
      """
    let reading = ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8))
    return try #require(reading.scenario, "\(reading.diagnostics)")
  }

  private static func ends(_ call: String, _ status: String, _ at: String) -> String {
    #"{"call": "\#(call)", "status": "\#(status)", "at": "\#(at)"}"#
  }

  @Test(
    "The VPN silences connections of other networks until it is no longer the default network",
    arguments: [(true, "12s"), (false, "5050ms")])
  func stalls(allTraffic: Bool, end: String) throws {
    let scenario = try Self.scenario(
      allTraffic: allTraffic, profile: .sockets,
      expect: [
        Self.ends("c", "OK", end), Self.ends("d", "OK", "6060ms"),
        #"{"connections": {"host": "b:1", "path": "tunnel"}, "at": "7s"}"#,
      ])
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("A host that the VPN does not reach has no other route")
  func unreachableHosts() throws {
    func ends(_ allTraffic: Bool, _ end: String) throws {
      let scenario = try Self.scenario(
        allTraffic: allTraffic, profile: .sockets, reaches: #", "reaches": ["a:1"]"#,
        expect: [end])
      #expect(try Sample.run(scenario).findings == [])
    }
    try ends(true, Self.ends("d", "UNAVAILABLE", "6s"))
    try ends(false, Self.ends("d", "OK", "6060ms"))
  }

  @Test("A VPN that is the default network at the start already takes all traffic")
  func atFirst() throws {
    let text = """
      {"format": 1, "id": "sample", "profiles": ["sockets"], "initial": {},
      "networks": {"home": {"kind": "wifi", "state": "up"},
        "tunnel": {"kind": "vpn", "state": "default", "allTraffic": true}},
      "hosts": {"a:1": {"connect": "50ms"}},
      "timeline": [
        {"at": "1s", "network": {"id": "tunnel", "become": "down"}},
        {"at": "1s", "network": {"id": "home", "become": "default"}},
        {"at": "2s", "call": {"id": "c", "host": "a:1", "takes": "5s"}},
        {"at": "3s", "network": {"id": "tunnel", "become": "up"}},
        {"at": "3s", "network": {"id": "tunnel", "become": "default"}},
        {"at": "9s", "network": {"id": "tunnel", "become": "down"}}
      ],
      "expect": [{"call": "c", "status": "OK", "at": "9s"}]}
      """
    let reading = ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)")
    #expect(try Sample.run(scenario).findings == [])
  }

  @Test("`allTraffic` is a key of VPNs only")
  func onlyVPN() {
    let text = """
      {"format": 1, "id": "sample", "initial": {}, "profiles": ["sockets"],
      "networks": {"home": {"kind": "wifi", "allTraffic": true}}, "hosts": {"a:1": {}},
      "timeline": [], "expect": []}
      """
    let reading = ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8))
    #expect(reading.diagnostics.map(\.code) == [.keyOutOfPlace])
  }
}
