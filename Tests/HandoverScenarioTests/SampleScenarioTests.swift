import HandoverCore
import HandoverScenario
import Testing

@Suite("The scenario in the format's documentation")
struct SampleScenarioTests {
  static let text = """
    {
      "$schema": "../../Fixtures/Schemas/scenario-1.schema.json",
      "format": 1,
      "id": "transitions/cellular-to-wifi-unfinished-stream",
      "title": "WiFi appears while a call streams over cellular",
      "source": [{ "document": "network-transitions", "item": "D8a" }],
      "profiles": ["sockets", "sockets-monitor", "cfstream"],
      "initial": { "flags": ["Reachable", "IsWWAN"], "app": "foreground" },
      "hosts": { "api.example:443": { "connect": "50ms" } },
      "timeline": [
        { "at": "0s", "call": { "id": "stream", "host": "api.example:443", "kind": "streaming", "deadline": "20s" } },
        { "at": "1s", "flags": ["Reachable"] },
        { "at": "+1s", "call": { "id": "next", "host": "api.example:443", "kind": "unary", "takes": "10ms" } }
      ],
      "expect": [
        { "profiles": ["sockets-monitor", "cfstream"], "call": "stream", "status": "UNAVAILABLE", "at": "1s" },
        { "profiles": ["sockets"], "call": "stream", "status": "DEADLINE_EXCEEDED", "at": "20s" },
        { "profiles": ["sockets-monitor"], "channels": { "host": "api.example:443", "destroyed": 1 }, "at": "1s" },
        { "profiles": ["sockets-monitor"], "call": "next", "status": "OK", "channel": "new" },
        { "profiles": ["cfstream"], "call": "next", "status": "OK", "channel": "same" },
        { "never": { "call": "stream", "status": "CANCELLED" } }
      ]
    }
    """

  static var script: Script {
    var script = Script()
    script.name = "transitions/cellular-to-wifi-unfinished-stream"
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: "api.example:443", connect: .milliseconds(50))]
    script.calls = [
      ScriptCall(id: "stream", host: 0, kind: .streaming, takes: nil, deadline: .seconds(20)),
      ScriptCall(id: "next", host: 0, kind: .unary, takes: .milliseconds(10)),
    ]
    script.entries = [
      ScriptEntry(at: .zero, action: .startCall(0)),
      ScriptEntry(
        at: Instant(microseconds: 1_000_000),
        action: .flags([.reachable], path: nil, linksUp: [], linksDown: [])),
      ScriptEntry(at: Instant(microseconds: 2_000_000), action: .startCall(1)),
    ]
    return script
  }

  static let expectations: [Expectation] = [
    expectation(
      [.socketsMonitor, .cfStream], .call(0, status: .unavailable, message: nil, channel: nil),
      at: 1, line: 16),
    expectation(
      [.sockets], .call(0, status: .deadlineExceeded, message: nil, channel: nil), at: 20,
      line: 17),
    expectation(
      [.socketsMonitor], .channels(.one(0), alive: nil, destroyed: 1, state: nil), at: 1,
      line: 18),
    expectation(
      [.socketsMonitor], .call(1, status: .ok, message: nil, channel: .new), line: 19),
    expectation([.cfStream], .call(1, status: .ok, message: nil, channel: .same), line: 20),
    expectation(
      [.sockets, .socketsMonitor, .cfStream],
      .call(0, status: .cancelled, message: nil, channel: nil), isNever: true, line: 21),
  ]

  static func expectation(
    _ profiles: [Profile], _ subject: Expectation.Subject, at second: Int64? = nil,
    isNever: Bool = false, line: Int
  ) -> Expectation {
    Expectation(
      profiles: profiles, level: .must, isNever: isNever, subject: subject,
      moment: second.map { .at(Instant(microseconds: $0 * 1_000_000)) },
      position: TextPosition(line: line, column: 5))
  }

  @Test("Every part of the scenario is read exactly")
  func everyPart() throws {
    let scenario = try Sample.scenario(Self.text)
    let expected = Scenario(
      file: "sample.json", id: "transitions/cellular-to-wifi-unfinished-stream",
      title: "WiFi appears while a call streams over cellular",
      sources: [
        ItemReference(
          document: "network-transitions", item: "D8a",
          position: TextPosition(line: 6, column: 14))
      ],
      profiles: [.sockets, .socketsMonitor, .cfStream], script: Self.script,
      expectations: Self.expectations,
      entryPositions: [11, 12, 13].map { TextPosition(line: $0, column: 5) })
    #expect(scenario.script == expected.script)
    #expect(scenario.expectations == expected.expectations)
    #expect(scenario == expected)
  }

  @Test("The scenario has no diagnostics")
  func noDiagnostics() {
    #expect(Sample.read(Self.text).diagnostics == [])
  }

  @Test("Omitted settings have the documented defaults")
  func defaults() throws {
    let text = #"{"format": 1, "id": "a", "initial": {"flags": 2}, "timeline": []}"#
    let scenario = try Sample.scenario(text)
    #expect(scenario.profiles == Profile.all)
    var script = Script()
    script.name = "a"
    #expect(scenario.script == script)
    #expect(scenario.title == nil)
    #expect(scenario.sources.isEmpty && scenario.expectations.isEmpty)
  }
}
