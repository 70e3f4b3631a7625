import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A run whose every detail is known.
///
/// | when | what |
/// |---|---|
/// | 0s | `stream` creates a channel and connects over cellular |
/// | 50ms | connected; the server reads the request |
/// | 1s | WiFi: one notification, the channel is destroyed, `stream` ends UNAVAILABLE |
/// | 2s | `next` creates a channel and connects over WiFi; OK at 2.06s |
/// | 3s | `again` uses the same channel; OK at 3.01s |
/// | 4s | `open` uses it too, and never ends |
enum KnownRun {
  static let timeline = [
    #"{"at": "0s", "call": {"id": "stream", "host": "a:1", "kind": "streaming"}}"#,
    #"{"at": "1s", "flags": ["Reachable"]}"#,
    #"{"at": "2s", "call": {"id": "next", "host": "a:1"}}"#,
    #"{"at": "3s", "call": {"id": "again", "host": "a:1"}}"#,
    #"{"at": "4s", "call": {"id": "open", "host": "a:1", "kind": "streaming"}}"#,
  ]

  static func run(expecting expectations: String...) throws -> CaseResult {
    try Sample.run(try Sample.scenario(timeline: timeline, expect: expectations))
  }
}

/// An expectation about the known run, and whether it passes.
struct Row: Sendable, CustomTestStringConvertible {
  var expectation: String
  var holds: Bool
  var testDescription: String { expectation }

  static func holds(_ expectations: String...) -> [Row] {
    expectations.map { Row(expectation: $0, holds: true) }
  }

  static func fails(_ expectations: String...) -> [Row] {
    expectations.map { Row(expectation: $0, holds: false) }
  }
}

@Suite("Expectations")
struct ExpectationTests {
  @Test("The known run passes without expectations")
  func knownRun() throws {
    let result = try KnownRun.run()
    #expect(result.verdict == .passed)
    #expect(result.findings == [])
    #expect(result.endedAt == (try Instant("4s")))
    #expect(result.calls.map(\.id) == ["stream", "next", "again", "open"])
    #expect(result.calls.map(\.end?.code) == [.unavailable, .ok, .ok, nil])
    let ends = try ["1s", "2.06s", "3.01s"].map(Instant.init)
    #expect(result.calls.map(\.endedAt) == ends + [nil])
  }

  static let calls: [Row] =
    Row.holds(
      #"{"call": "stream", "status": "UNAVAILABLE"}"#,
      #"{"call": "stream", "message": "Connectivity lost."}"#,
      #"{"call": "stream", "channel": "new"}"#,
      #"{"call": "stream", "status": "UNAVAILABLE", "message": "Connectivity lost.", "at": "1s"}"#,
      #"{"call": "next", "status": "OK", "channel": "new", "at": "2.06s"}"#,
      #"{"call": "next", "message": ""}"#,
      #"{"call": "again", "channel": "same"}"#)
    + Row.fails(
      #"{"call": "stream", "status": "OK"}"#,
      #"{"call": "stream", "message": "Connectivity lost"}"#,
      #"{"call": "stream", "channel": "same"}"#,
      #"{"call": "stream", "status": "CANCELLED", "at": "1s"}"#,
      #"{"call": "stream", "status": "UNAVAILABLE", "message": "", "at": "1s"}"#,
      #"{"call": "next", "status": "OK", "channel": "same", "at": "2.06s"}"#,
      #"{"call": "again", "channel": "new"}"#)

  static let moments: [Row] =
    Row.holds(
      #"{"call": "stream", "at": "1s"}"#,
      #"{"call": "stream", "within": ["1s", "1s"]}"#,
      #"{"call": "stream", "within": ["0s", "1s"]}"#,
      #"{"call": "stream", "within": ["1s", "2s"]}"#,
      #"{"call": "stream", "before": "1000001us"}"#,
      #"{"call": "stream", "after": "999999us"}"#)
    + Row.fails(
      #"{"call": "stream", "at": "999999us"}"#,
      #"{"call": "stream", "at": "1000001us"}"#,
      #"{"call": "stream", "within": ["0s", "999999us"]}"#,
      #"{"call": "stream", "within": ["1000001us", "2s"]}"#,
      #"{"call": "stream", "before": "1s"}"#,
      #"{"call": "stream", "after": "1s"}"#)

  static let unfinished: [Row] = Row.fails(
    #"{"call": "open", "status": "OK"}"#,
    #"{"call": "open", "channel": "same"}"#,
    #"{"call": "open", "at": "4s"}"#,
    #"{"call": "open", "within": ["0s", "1h"]}"#,
    #"{"call": "open", "before": "1h"}"#,
    #"{"call": "open", "after": "0s"}"#)

  static let channels: [Row] =
    Row.holds(
      #"{"channels": {"host": "a:1", "alive": 1, "destroyed": 1, "state": "READY"}}"#,
      #"{"channels": {"host": "*", "alive": 1, "destroyed": 1, "state": "READY"}}"#,
      #"{"channels": {"host": "b:1", "alive": 0, "destroyed": 0}}"#,
      #"{"channels": {"host": "a:1", "alive": 1, "state": "CONNECTING"}, "at": "0s"}"#,
      #"{"channels": {"host": "a:1", "state": "CONNECTING"}, "at": "49999us"}"#,
      #"{"channels": {"host": "a:1", "state": "READY"}, "at": "50ms"}"#,
      #"{"channels": {"host": "a:1", "alive": 1, "destroyed": 0}, "at": "999999us"}"#,
      #"{"channels": {"host": "a:1", "alive": 0, "destroyed": 1}, "at": "1s"}"#,
      #"{"channels": {"host": "a:1", "state": "SHUTDOWN"}, "at": "1s"}"#,
      #"{"channels": {"host": "a:1", "alive": 1, "destroyed": 1}, "at": "1h"}"#)
    + Row.fails(
      #"{"channels": {"host": "a:1", "alive": 0}}"#,
      #"{"channels": {"host": "a:1", "destroyed": 0}}"#,
      #"{"channels": {"host": "a:1", "alive": 1, "destroyed": 1, "state": "IDLE"}}"#,
      #"{"channels": {"host": "b:1", "state": "READY"}}"#,
      #"{"channels": {"host": "*", "alive": 2}}"#,
      #"{"channels": {"host": "a:1", "state": "CONNECTING"}, "at": "50ms"}"#,
      #"{"channels": {"host": "a:1", "destroyed": 1}, "at": "999999us"}"#,
      #"{"channels": {"host": "a:1", "alive": 1}, "at": "1s"}"#)

  static let connections: [Row] =
    Row.holds(
      #"{"connections": {"host": "a:1", "attempts": 2, "open": 1, "path": "wifi"}}"#,
      #"{"connections": {"host": "*", "attempts": 2, "open": 1}}"#,
      #"{"connections": {"host": "a:1", "attempts": 1, "open": 0}, "at": "0s"}"#,
      #"{"connections": {"host": "a:1", "open": 0}, "at": "49999us"}"#,
      #"{"connections": {"host": "a:1", "open": 1, "path": "cellular"}, "at": "50ms"}"#,
      #"{"connections": {"host": "a:1", "attempts": 1, "open": 0}, "at": "1s"}"#)
    + Row.fails(
      #"{"connections": {"host": "a:1", "attempts": 1}}"#,
      #"{"connections": {"host": "a:1", "open": 2}}"#,
      #"{"connections": {"host": "a:1", "path": "cellular"}}"#,
      #"{"connections": {"host": "a:1", "path": "cellular"}, "at": "0s"}"#,
      #"{"connections": {"host": "a:1", "open": 1}, "at": "1s"}"#)

  static let servers: [Row] =
    Row.holds(
      #"{"server": {"host": "a:1", "received": 4}}"#,
      #"{"server": {"host": "*", "received": 4}}"#,
      #"{"server": {"host": "b:1", "received": 0}}"#,
      #"{"server": {"host": "a:1", "received": 0}, "at": "49999us"}"#,
      #"{"server": {"host": "a:1", "received": 1}, "at": "50ms"}"#)
    + Row.fails(
      #"{"server": {"host": "a:1", "received": 3}}"#,
      #"{"server": {"host": "b:1", "received": 4}}"#,
      #"{"server": {"host": "a:1", "received": 1}, "at": "49999us"}"#)

  static let monitors: [Row] =
    Row.holds(
      #"{"monitor": {"notifications": 1}}"#,
      #"{"monitor": {"notifications": 0}, "at": "999999us"}"#,
      #"{"monitor": {"notifications": 1}, "at": "1s"}"#)
    + Row.fails(
      #"{"monitor": {"notifications": 2}}"#,
      #"{"monitor": {"notifications": 0}, "at": "1s"}"#)

  static let never: [Row] =
    Row.holds(
      #"{"never": {"call": "stream", "status": "CANCELLED"}}"#,
      #"{"never": {"call": "stream", "channel": "same"}}"#,
      #"{"never": {"call": "open"}}"#,
      #"{"never": {"channels": {"host": "a:1", "alive": 2}}}"#,
      #"{"never": {"channels": {"host": "a:1", "state": "TRANSIENT_FAILURE"}}}"#,
      #"{"never": {"connections": {"host": "a:1", "open": 2}}}"#,
      #"{"never": {"server": {"host": "a:1", "received": 5}}}"#,
      #"{"never": {"monitor": {"notifications": 2}}}"#)
    + Row.fails(
      #"{"never": {"call": "stream"}}"#,
      #"{"never": {"call": "stream", "status": "UNAVAILABLE"}}"#,
      #"{"never": {"call": "again", "channel": "same"}}"#,
      #"{"never": {"channels": {"host": "a:1", "destroyed": 1}}}"#,
      #"{"never": {"channels": {"host": "a:1", "state": "SHUTDOWN"}}}"#,
      #"{"never": {"connections": {"host": "a:1", "path": "cellular"}}}"#,
      #"{"never": {"server": {"host": "a:1", "received": 2}}}"#,
      #"{"never": {"monitor": {"notifications": 0}}}"#)

  static let table: [Row] =
    calls + moments + unfinished + channels + connections + servers + monitors + never

  @Test("An expectation passes or fails as the known run requires", arguments: table)
  func row(_ row: Row) throws {
    let result = try KnownRun.run(expecting: row.expectation)
    guard !row.holds else {
      #expect(result.verdict == .passed)
      #expect(result.findings == [])
      return
    }
    #expect(result.verdict == .failed)
    let finding = try #require(result.findings.first)
    #expect(result.findings.count == 1)
    #expect(finding.kind == .expectation)
    #expect(finding.position == TextPosition(line: 9, column: 1))
  }

  @Test("A failed recommendation gives NON-STRICT and no worse verdict", arguments: table)
  func wished(_ row: Row) throws {
    let wish = row.expectation.dropLast() + #", "level": "should"}"#
    let result = try KnownRun.run(expecting: String(wish))
    #expect(result.verdict == (row.holds ? .passed : .nonStrict))
    #expect(result.verdict.name == (row.holds ? "PASSED" : "NON-STRICT"))
  }

  @Test("Expectations are evaluated at their instants and reported in the order of the file")
  func order() throws {
    let result = try KnownRun.run(
      expecting: #"{"server": {"host": "a:1", "received": 9}}"#,
      #"{"channels": {"host": "a:1", "alive": 9}, "at": "2s"}"#,
      #"{"call": "stream", "status": "OK", "level": "should"}"#,
      #"{"channels": {"host": "a:1", "alive": 9}, "at": "1s"}"#,
      #"{"never": {"call": "next"}}"#)
    #expect(result.verdict == .failed)
    #expect(result.findings.map(\.position?.line) == [9, 10, 11, 12, 13])
    #expect(result.findings.map(\.verdict) == [.failed, .failed, .nonStrict, .failed, .failed])
    let instants = try ["4s", "2s", "1s", "1s", "2.06s"].map(Instant.init)
    #expect(result.findings.map(\.at) == instants)
  }

  static let destroyedBesideAlive: [Row] =
    Row.holds(
      #"{"channels": {"host": "*", "alive": 1, "destroyed": 1, "state": "READY"}}"#,
      #"{"channels": {"host": "a:1", "state": "SHUTDOWN"}}"#,
      #"{"never": {"channels": {"host": "*", "state": "SHUTDOWN"}}}"#)
    + Row.fails(
      #"{"channels": {"host": "*", "state": "SHUTDOWN"}}"#,
      #"{"channels": {"host": "*", "state": "IDLE"}}"#)

  @Test("Expectations about states concern the live channels", arguments: destroyedBesideAlive)
  func states(_ row: Row) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "0s", "call": {"id": "t", "host": "b:1", "kind": "streaming"}}"#,
        #"{"at": "1s", "disconnect": "a:1"}"#,
      ], expect: [row.expectation], hosts: #""a:1": {}, "b:1": {}"#)
    #expect(try Sample.run(scenario).verdict == (row.holds ? .passed : .failed))
  }

  @Test("Expectations for another profile are ignored")
  func otherProfiles() throws {
    let scenario = try Sample.scenario(
      timeline: KnownRun.timeline,
      expect: [#"{"profiles": ["sockets"], "call": "stream", "status": "OK"}"#],
      profiles: [.sockets, .socketsMonitor])
    var worker = Worker(SimulatedBackend())
    #expect(worker.run(scenario).cases.map(\.verdict) == [.failed, .passed])
  }

  @Test("An expectation whose instant the run does not reach fails, with that reason")
  func neverEvaluated() throws {
    var scenario = try Sample.scenario(
      timeline: KnownRun.timeline,
      expect: [
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "40min"}"#,
        #"{"channels": {"host": "a:1", "alive": 1}, "at": "4s"}"#,
      ])
    // The reader refuses such a scenario. If a program creates one, the verdict reports it.
    scenario.script.configuration.until = try Instant("5s")
    let result = try Sample.run(scenario)
    #expect(result.verdict == .failed)
    #expect(result.findings.map(\.kind) == [.neverEvaluated])
    #expect(result.findings.first?.expected == "a:1 has 1 channel alive at 40min")
    #expect(
      result.findings.first?.seen.hasSuffix("before this time; increase `config.until`") == true)
  }

  @Test("Of several expectations that something never happens, each is checked")
  func severalNevers() throws {
    for seen in 0..<3 {
      let nevers = (0..<3).map { index in
        let received = index == seen ? 1 : 7 + index
        return #"{"never": {"server": {"host": "*", "received": \#(received)}}}"#
      }
      let scenario = try Sample.scenario(
        timeline: [#"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#], expect: nevers)
      let result = try Sample.run(scenario)
      #expect(result.findings.count == 1 && result.verdict == .failed)
    }
  }
}
