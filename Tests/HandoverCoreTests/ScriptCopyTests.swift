import HandoverCore
import Testing

@Suite("Copies of a script")
struct ScriptCopyTests {
  /// One change of each table.
  private static let changes: [(name: String, change: @Sendable (inout Script) -> Void)] = [
    ("name", { $0.name = "other" }),
    ("initial", { $0.initial.flags = [] }),
    ("hosts", { $0.hosts.append(ScriptHost(written: "b.example:443")) }),
    ("a host", { $0.hosts[0].connect = .seconds(1) }),
    ("paths", { $0.paths.append("hotspot") }),
    ("networks", { $0.networks.append(ScriptNetwork(Script.wifiPath, .wifi)) }),
    ("calls", { $0.calls[0].failFast = true }),
    ("pools", { $0.pools = [] }),
    ("entries", { $0.entries.append(ScriptEntry(at: .zero, action: .cancel(0))) }),
    ("configuration", { $0.configuration.seed = 2 }),
  ]

  private static var script: Script {
    var script = Script()
    script.hosts = [ScriptHost(written: "a.example:443")]
    script.calls = [ScriptCall(id: "a", host: 0, kind: .unary, takes: nil)]
    script.entries = [ScriptEntry(at: .zero, action: .startCall(0))]
    return script
  }

  @Test("A change of one copy does not change the other", arguments: changes.map(\.name))
  func changesStayApart(name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name }).change
    let original = Self.script
    var copy = original
    #expect(copy == original)
    change(&copy)
    #expect(copy != original)
    #expect(original == Self.script)
    #expect(original.hashValue == Self.script.hashValue)
    var changed = Self.script
    change(&changed)
    #expect(copy == changed)
  }
}
