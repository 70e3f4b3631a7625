import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("The cells of transition coverage of a run")
struct CellsOfRunTests {
  struct Story: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var initial = #""flags": ["Reachable"]"#
    var timeline: [String]
    var cells: [String]
  }

  static let call = #"{ "at": "0s", "call": { "id": "a", "host": "a:1", "kind": "streaming" } }"#
  static let toNone = #"{ "at": "5s", "flags": [] }"#

  static let stories = [
    Story(
      testDescription: "nothing is there", timeline: [toNone],
      cells: ["wifi-to-none-no-call-no-channel-foreground"]),
    Story(
      testDescription: "the same category again",
      timeline: [call, #"{ "at": "5s", "flags": ["Reachable"] }"#], cells: []),
    Story(
      testDescription: "a call runs",
      timeline: [call, #"{ "at": "5s", "flags": ["Reachable", "IsWWAN"] }"#],
      cells: ["wifi-to-cellular-running-ready-foreground"]),
    Story(
      testDescription: "a call waits while its channel connects",
      timeline: [call, #"{ "at": "10ms", "flags": [] }"#],
      cells: ["wifi-to-none-waiting-connecting-foreground"]),
    Story(
      testDescription: "a call waits for its token",
      timeline: [
        #"{ "at": "0s", "call": { "id": "a", "host": "a:1", "options": { "token": "9s" } } }"#,
        toNone,
      ],
      cells: ["wifi-to-none-awaiting-token-no-channel-foreground"]),
    Story(
      testDescription: "a call is over, and its channel is left",
      timeline: [
        #"{ "at": "0s", "call": { "id": "a", "host": "a:1", "kind": "unary" } }"#,
        #"{ "at": "5s", "flags": ["Reachable", "IsWWAN"] }"#,
      ],
      cells: ["wifi-to-cellular-no-call-ready-foreground"]),
    Story(
      testDescription: "the application is notified on its return",
      timeline: [
        call, #"{ "at": "2s", "app": "background" }"#,
        #"{ "at": "5s", "flags": ["Reachable", "IsWWAN"] }"#,
        #"{ "at": "8s", "app": "foreground" }"#,
      ],
      cells: ["wifi-to-cellular-running-ready-background"]),
    Story(
      testDescription: "the application runs in the background, and has been suspended before",
      timeline: [
        call, #"{ "at": "1s", "app": "background" }"#,
        #"{ "at": "2s", "app": "background-running" }"#,
        #"{ "at": "5s", "flags": ["Reachable", "IsWWAN"] }"#,
      ],
      cells: ["wifi-to-cellular-running-ready-background-running"]),
    Story(
      testDescription: "two changes, the second after the channel is gone",
      initial: #""flags": ["Reachable"], "monitor": "unreadable""#,
      timeline: [
        call, #"{ "at": "2s", "flags": ["Reachable"] }"#,
        #"{ "at": "5s", "flags": ["Reachable", "IsWWAN"] }"#,
      ],
      cells: [
        "wifi-to-cellular-no-call-no-channel-foreground",
        "unknown-to-wifi-running-ready-foreground",
      ]),
  ]

  @Test(
    "The cells are those of the calls and channels when the monitor reports a change",
    arguments: stories)
  func cells(_ story: Story) throws {
    let text = """
      {
        "format": 1, "id": "s", "profiles": ["sockets-monitor"], "initial": { \(story.initial) },
        "hosts": { "a:1": { "connect": "50ms" } },
        "timeline": [\(story.timeline.joined(separator: ", "))], "expect": []
      }
      """
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)")
    var worker = Worker(SimulatedBackend(), retaining: .cells)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.cells.list.map(\.slug) == story.cells)
    var other = Worker(SimulatedBackend())
    #expect(try #require(other.run(scenario).cases.first).cells.list.isEmpty)
  }
}
