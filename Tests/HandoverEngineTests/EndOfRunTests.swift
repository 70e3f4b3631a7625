import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A small scenario, and the time at which its run ends.
struct EndingRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var endsAt: String
  var timeline: [String]
  var expect: [String] = []
  var config = "{}"
  var profile = Profile.socketsMonitor
  var reason = RunEnd.quiet

  init(
    _ name: String, endsAt: String, _ timeline: [String], expect: [String] = [],
    config: String = "{}", on profile: Profile = .socketsMonitor, reason: RunEnd = .quiet
  ) {
    testDescription = name
    self.endsAt = endsAt
    self.timeline = timeline
    self.expect = expect
    self.config = config
    self.profile = profile
    self.reason = reason
  }
}

@Suite("The end of a run")
struct EndOfRunTests {
  static let unary = #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#
  static let wifi = #"{"at": "1s", "flags": ["Reachable"]}"#

  static func stream(_ more: String = "") -> String {
    #"{"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "streaming"\#(more)}}"#
  }

  static let quiet: [EndingRow] = [
    EndingRow("nothing at all is over at once", endsAt: "0s", []),
    EndingRow("an answered call was the last thing", endsAt: "60ms", [unary]),
    EndingRow("the last entry was the last thing", endsAt: "1s", [unary, wifi]),
    EndingRow("a stream without end keeps nothing going", endsAt: "50ms", [stream()]),
    EndingRow(
      "nor do the messages of one", endsAt: "50ms", [stream(#", "every": "100ms""#)]),
    EndingRow("nor do idle timers", endsAt: "60ms", [unary], config: #"{"idle": "1s"}"#),
    EndingRow(
      "nor do the pings of a healthy connection", endsAt: "50ms", [stream()],
      config: #"{"keepalive": {"time": "10s"}}"#),
    EndingRow(
      "nor those of one that was disturbed for a while", endsAt: "2s",
      [
        stream(), #"{"at": "1s", "transport": {"host": "a:1", "become": "stall"}}"#,
        #"{"at": "2s", "transport": {"host": "a:1", "become": "resume"}}"#,
      ], config: #"{"keepalive": {"time": "10s"}}"#),
    EndingRow(
      "nor those of one beside another whose server was silent", endsAt: "3s",
      [
        stream(), #"{"at": "0s", "server": {"host": "b:1", "do": "accept"}}"#,
        #"{"at": "0s", "call": {"id": "d", "host": "b:1", "kind": "streaming", "#
          + #""every": "500ms"}}"#,
        #"{"at": "1s", "server": {"host": "b:1", "do": "silent"}}"#,
        #"{"at": "3s", "server": {"host": "b:1", "do": "reset"}}"#,
      ], config: #"{"keepalive": {"time": "10s"}}"#),
    EndingRow(
      "nor does the time of a call's end", endsAt: "60ms", [unary],
      expect: [#"{"call": "c", "before": "40s"}"#]),
    EndingRow(
      "nor does a stall under which nothing was written", endsAt: "1s", [stream(), wifi],
      on: .sockets),
    EndingRow(
      "nor does a deadline that an application in the background does not see", endsAt: "1s",
      [stream(#", "deadline": "5s""#), #"{"at": "1s", "app": "background"}"#]),
  ]

  static let nonPeriodic: [EndingRow] = [
    EndingRow("a deadline is waited for", endsAt: "20s", [stream(#", "deadline": "20s""#)]),
    EndingRow(
      "so is a backoff in which a call waits", endsAt: "1s",
      [
        #"{"at": "0s", "call": {"id": "c", "host": "b:1"}}"#,
        #"{"at": "+100ms", "call": {"id": "d", "host": "b:1"}}"#,
      ]),
    EndingRow(
      "so is an attempt without answer", endsAt: "20s",
      [#"{"at": "0s", "transport": {"host": "a:1", "become": "blackhole-connect"}}"#, unary]),
    EndingRow(
      "so is a token", endsAt: "5.06s",
      [#"{"at": "0s", "call": {"id": "c", "host": "a:1", "options": {"token": "5s"}}}"#]),
    EndingRow(
      "so is a callback under way", endsAt: "4s", [wifi],
      config: #"{"monitor": {"latency": "3s"}}"#),
    EndingRow(
      "so is an expectation about an instant", endsAt: "45s", [unary],
      expect: [#"{"channels": {"host": "a:1", "destroyed": 1}, "at": "45s"}"#]),
    EndingRow(
      "and what is due after it is waited for too", endsAt: "50s",
      [stream(#", "deadline": "50s""#)],
      expect: [#"{"channels": {"host": "a:1", "alive": 1}, "at": "45s"}"#]),
    EndingRow(
      "an unacknowledged byte in a stall is waited for a quarter of an hour", endsAt: "902s",
      [
        #"{"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "bidi"}}"#, wifi,
        #"{"at": "2s", "send": {"call": "c", "bytes": 1}}"#,
      ], on: .sockets),
    EndingRow(
      "a ping that a stall swallows is waited for", endsAt: "15.05s", [stream(), wifi],
      config: #"{"keepalive": {"time": "10s", "timeout": "5s"}}"#, on: .sockets),
  ]

  static let limits: [EndingRow] = [
    EndingRow(
      "`until` cuts what is due", endsAt: "5s", [stream(#", "deadline": "20s""#)],
      config: #"{"until": "5s"}"#, reason: .until),
    EndingRow(
      "what is due at `until` itself happens", endsAt: "20s", [stream(#", "deadline": "20s""#)],
      config: #"{"until": "20s"}"#, reason: .until),
    EndingRow(
      "an entry at `until` itself is played", endsAt: "1s", [stream(), wifi],
      config: #"{"until": "1s"}"#, reason: .until),
    EndingRow("`until` waits for nothing", endsAt: "60ms", [unary], config: #"{"until": "5s"}"#),
    EndingRow(
      "half an hour after the last entry a run is cut", endsAt: "1801s",
      [stream(#", "deadline": "2h""#), #"{"at": "1s", "flags": ["Reachable", "IsWWAN"]}"#],
      reason: .until),
    EndingRow(
      "until the limit what is periodic happens too", endsAt: "35s",
      [#"{"at": "0s", "call": {"id": "d", "host": "b:1"}}"#, stream(#", "deadline": "1h""#)],
      expect: [#"{"channels": {"host": "b:1", "destroyed": 1}}"#], config: #"{"until": "35s"}"#,
      reason: .until),
    EndingRow(
      "a call that is expected to end later than that can", endsAt: "40min",
      [stream(#", "deadline": "40min""#)],
      expect: [#"{"call": "c", "status": "DEADLINE_EXCEEDED", "at": "40min"}"#], reason: .until),
    EndingRow(
      "or is expected to have ended at some time after that", endsAt: "40min",
      [stream(#", "deadline": "40min""#)],
      expect: [#"{"call": "c", "status": "DEADLINE_EXCEEDED", "within": ["35min", "45min"]}"#]),
    EndingRow(
      "or before an instant after that", endsAt: "40min", [stream(#", "deadline": "40min""#)],
      expect: [#"{"call": "c", "status": "DEADLINE_EXCEEDED", "before": "45min"}"#]),
    EndingRow(
      "an expectation later than that is waited for all the same", endsAt: "45min", [unary],
      expect: [#"{"channels": {"host": "a:1", "destroyed": 1}, "at": "45min"}"#]),
  ]

  private static func polled(_ name: String, endsAt: String, _ entries: String...) -> EndingRow {
    EndingRow(
      name, endsAt: endsAt,
      [#"{"at": "0s", "request": {"id": "r", "host": "a:1", "kind": "long"}}"#] + entries,
      config: #"{"requests": {"total": 4, "long": 0, "policy": "poll"}}"#, on: .urlDispatcher)
  }

  /// An endless stream of polls: the first is answered at 60ms, and the next is due a second later.
  static let polled = [
    polled("the rests of a polled stream keep nothing going", endsAt: "60ms"),
    polled(
      "but for a server that does not answer", endsAt: "61.06s",
      #"{"at": "500ms", "server": {"host": "a:1", "do": "silent"}}"#),
    polled(
      "or refuses", endsAt: "1.11s",
      #"{"at": "500ms", "server": {"host": "a:1", "do": "refuse"}}"#),
    polled(
      "or cannot be found", endsAt: "1.06s",
      #"{"at": "500ms", "names": {"host": "a:1", "do": "fail"}}"#),
    polled(
      "or cannot be reached", endsAt: "61.06s",
      #"{"at": "500ms", "transport": {"host": "a:1", "become": "blackhole-connect"}}"#),
    polled("or a device without network", endsAt: "1.06s", #"{"at": "500ms", "flags": []}"#),
  ]

  @Test("A run ends when nothing is pending", arguments: quiet + nonPeriodic + polled)
  func ends(_ row: EndingRow) throws { try check(row) }

  @Test("A run ends at the limit at the latest", arguments: limits)
  func cut(_ row: EndingRow) throws {
    try check(row)
  }

  private func check(_ row: EndingRow) throws {
    let scenario = try Sample.scenario(
      timeline: row.timeline, expect: row.expect, profiles: [row.profile], config: row.config)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.verdict == .passed, "\(result.findings)")
    #expect(result.endedAt == (try Instant(row.endsAt)))
    let ends = try #require(result.trace).records.compactMap { record in
      if case .world(.runEnded(let reason)) = record.body { (record.at, reason) } else { nil }
    }
    #expect(ends.count == 1)
    #expect(ends.first?.0 == result.endedAt)
    #expect(ends.first?.1 == row.reason)
  }

  @Test("Calls without an end stay unfinished, in the order of the script")
  func unfinishedCalls() throws {
    let scenario = try Sample.scenario(
      timeline: [
        Self.stream(), #"{"at": "0s", "call": {"id": "d", "host": "a:1"}}"#,
        #"{"at": "0s", "call": {"id": "e", "host": "a:1", "kind": "bidi"}}"#,
      ])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    let positions = try #require(result.trace).records.compactMap { record in
      if case .world(.callUnfinished(let index)) = record.body { index } else { nil }
    }
    #expect(positions == [0, 2])
    #expect(result.calls.map(\.end?.code) == [nil, .ok, nil])
    #expect(result.verdict == .passed)
  }

  @Test("Intercepted calls whose users received no end stay unfinished, and so do others")
  func unfinishedInChains() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "ended", "host": "a:1"}}"#,
        #"{"at": "0s", "call": {"id": "open", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "0s", "call": {"id": "held", "host": "a:1"}}"#,
        #"{"at": "0s", "call": {"id": "old", "host": "a:1", "legacy": true}}"#,
        #"{"at": "0s", "call": {"id": "endless", "host": "a:1", "kind": "bidi", "legacy": true}}"#,
        #"{"at": "20ms", "interceptor": {"name": "gate", "call": "held", "do": "hold"}}"#,
      ], config: #"{"interceptors": [{"kind": "gate"}]}"#)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    let positions = try #require(result.trace).records.compactMap { record in
      if case .world(.callUnfinished(let index)) = record.body { index } else { nil }
    }
    #expect(positions == [1, 2, 4])
    #expect(result.calls.map(\.end?.code) == [.ok, nil, nil, .ok, nil])
  }
}
