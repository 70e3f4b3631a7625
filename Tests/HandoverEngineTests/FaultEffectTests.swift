import HandoverCore
import HandoverEngine
import HandoverSimulation
import Testing

/// Faults that affect requests, and the instants of their first effect.
struct EffectRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var timeline: [String]
  /// The instant of the first effect of each effective fault, by its index in the timeline.
  var effects: [UInt32: String]
  var profile: Profile
  var config: String

  init(
    _ name: String, _ timeline: [String], _ effects: [UInt32: String],
    on profile: Profile = .urlLoading, config: String = "{}"
  ) {
    testDescription = name
    self.timeline = timeline
    self.effects = effects
    self.profile = profile
    self.config = config
  }
}

@Suite("The effect of a fault on requests and calls")
struct FaultEffectTests {
  private static func request(_ id: String, at instant: String, _ more: String = "") -> String {
    #"{"at": "\#(instant)", "request": {"id": "\#(id)", "host": "a:80"\#(more)}}"#
  }

  private static func names(_ word: String, at instant: String) -> String {
    #"{"at": "\#(instant)", "names": {"host": "a:80", "do": "\#(word)"}}"#
  }

  private static func server(_ word: String, at instant: String) -> String {
    #"{"at": "\#(instant)", "server": {"host": "a:80", "do": "\#(word)"}}"#
  }

  private static func transport(_ word: String, at instant: String) -> String {
    #"{"at": "\#(instant)", "transport": {"host": "a:80", "become": "\#(word)"}}"#
  }

  private static let stream = request("stream", at: "0s", #", "kind": "long""#)

  static let names = [
    EffectRow(
      "a name that cannot be resolved fails the next request",
      [names("fail", at: "0s"), request("r", at: "1s")], [0: "1s"]),
    EffectRow(
      "a look-up that hangs goes on when names are resolved again",
      [names("hang", at: "0s"), request("r", at: "1s"), names("resolve", at: "2s")],
      [0: "1s", 2: "2s"]),
    EffectRow(
      "a look-up that hangs fails with the names",
      [names("hang", at: "0s"), request("r", at: "1s"), names("fail", at: "2s")],
      [0: "1s", 2: "2s"]),
    EffectRow("a connection that is made asks no more", [stream, names("fail", at: "1s")], [:]),
  ]

  static let servers = [
    EffectRow(
      "a refusal", [server("refuse", at: "0s"), request("r", at: "1s")], [0: "1.05s"]),
    EffectRow(
      "a server that does not read, and one that reads again",
      [server("silent", at: "0s"), request("r", at: "1s"), server("accept", at: "2s")],
      [0: "1.05s", 2: "2s"]),
    EffectRow(
      "an answer that a silent server owes",
      [
        request("r", at: "0s", #", "takes": "2s""#), server("silent", at: "1s"),
        server("accept", at: "3s"),
      ], [1: "2.05s", 2: "3s"]),
    EffectRow(
      "a server that stops reading on a connection that is kept",
      [request("r", at: "0s"), server("silent", at: "1s"), request("s", at: "2s")], [1: "2s"],
      config: #"{"requests": {"keepAlive": "1min"}}"#),
    EffectRow("a close", [stream, server("close", at: "1s")], [1: "1s"]),
    EffectRow("a reset", [stream, server("reset", at: "1s")], [1: "1s"]),
    EffectRow("no GOAWAY, which HTTP/1.1 has not", [stream, server("goaway", at: "1s")], [:]),
    EffectRow("nothing without a connection", [server("close", at: "1s")], [:]),
  ]

  static let transports = [
    EffectRow("a stall", [stream, transport("stall", at: "1s")], [1: "1s"]),
    EffectRow(
      "a stall that is over",
      [stream, transport("stall", at: "1s"), transport("resume", at: "2s")], [1: "1s", 2: "2s"]),
    EffectRow(
      "a connection that gets no answer, and gets it late",
      [
        transport("blackhole-connect", at: "0s"), request("r", at: "1s"),
        transport("resume", at: "2s"),
      ], [0: "1.05s", 2: "2s"]),
    EffectRow("an end by the own kernel", [stream, transport("kill", at: "1s")], [1: "1s"]),
    EffectRow("no resumption of what goes on", [stream, transport("resume", at: "1s")], [:]),
    EffectRow("nothing while a connection is made", [stream, transport("kill", at: "49ms")], [:]),
  ]

  /// Faults that affect calls.
  static let calls = [
    EffectRow(
      "an answer to a call that a silent server owes",
      [
        #"{"at": "0s", "call": {"id": "c", "host": "a:80", "takes": "2s"}}"#,
        server("silent", at: "1s"), server("accept", at: "3s"),
      ], [1: "2.05s", 2: "3s"], on: .sockets),
    EffectRow(
      "a message that a silent server does not send",
      [
        #"{"at": "0s", "call": {"id": "c", "host": "a:80", "kind": "streaming", "every": "2s", "#
          + #""deadline": "9s"}}"#,
        server("silent", at: "1s"),
      ], [1: "2.05s"], on: .sockets),
  ]

  @Test(
    "An effect is recorded once, and only if there is one",
    arguments: names + servers + transports + calls)
  func effect(_ row: EffectRow) throws {
    let scenario = try Sample.scenario(
      timeline: row.timeline, profiles: [row.profile], hosts: #""a:80": {"connect": "50ms"}"#,
      config: row.config)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.brokenRules == [])
    let effects = try #require(result.trace).records.compactMap { record in
      if case .world(.faultTookEffect(let entry)) = record.body { (entry, record.at) } else { nil }
    }
    let wanted = try row.effects.mapValues(Instant.init)
    #expect(effects.count == wanted.count)
    #expect(Dictionary(effects) { first, _ in first } == wanted)
  }
}
