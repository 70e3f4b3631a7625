import HandoverCore
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverEngine

/// A small scenario, and the calls that hung for longer than five seconds.
struct HangRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var profile: Profile
  var timeline: [String]
  var config: String
  var hangs: [String]

  init(
    _ name: String, _ profile: Profile, _ timeline: [String], config: String = "{}",
    _ hangs: [String]
  ) {
    testDescription = name
    self.profile = profile
    self.timeline = timeline
    self.config = config
    self.hangs = hangs
  }
}

@Suite("Calls that hang")
struct HangTests {
  static let stream =
    #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming", "deadline": "20s"}}"#
  static let endless = #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#
  static let reported =
    #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming", "every": "500ms", "#
    + #""deadline": "20s"}}"#
  static let first = #"{"at": "0s", "call": {"id": "first", "host": "a:1"}}"#
  static let wifi = #"{"at": "1s", "flags": ["Reachable"]}"#
  static let wifiAlone = #"{"at": "1s", "flags": ["Reachable"], "links": {"cellular": "up"}}"#
  static let none = #"{"at": "1s", "flags": []}"#

  static func next(_ at: String, host: String = "a:1") -> String {
    #"{"at": "\#(at)", "call": {"id": "next", "host": "\#(host)", "deadline": "10s"}}"#
  }

  static let table = [
    HangRow("a stall until the deadline", .sockets, [stream, wifi], ["s since 1s for 19s"]),
    HangRow("a stall for ever", .sockets, [endless, wifi], ["s since 1s for ever"]),
    HangRow("a monitor ends the call at once", .socketsMonitor, [stream, wifi], []),
    HangRow("an event of CFStream does too", .cfStream, [stream, wifi], []),
    HangRow("nothing changes", .sockets, [stream], []),
    HangRow(
      "the first of several changes counts", .sockets,
      [stream, wifi, #"{"at": "6s", "path": "wifi-B"}"#], ["s since 1s for 19s"]),
    HangRow(
      "until the user has enough", .sockets, [endless, wifi, #"{"at": "8s", "cancel": "s"}"#],
      ["s since 1s for 7s"]),
    HangRow(
      "nobody hangs on a connection that stays, though nothing is to be received", .sockets,
      [stream, wifiAlone], []),
    HangRow(
      "until the connection that stayed goes too", .sockets,
      [
        stream, wifiAlone,
        #"{"at": "3s", "app": "background"}"#,
        #"{"at": "4s", "flags": ["Reachable"], "links": {"cellular": "down"}}"#,
        #"{"at": "5s", "app": "foreground"}"#,
      ], ["s since 4s for 15s"]),
    HangRow(
      "what is received after the change ends the hang", .sockets,
      [reported, wifi, #"{"at": "3s", "flags": ["Reachable", "IsWWAN"]}"#], []),
    HangRow(
      "and the next change begins another", .sockets,
      [
        reported, wifi, #"{"at": "3s", "flags": ["Reachable", "IsWWAN"]}"#,
        #"{"at": "6s", "flags": ["Reachable"]}"#,
      ], ["s since 6s for 14s"]),
    HangRow(
      "who is answered did not hang, however late", .sockets,
      [
        #"{"at": "0s", "call": {"id": "s", "host": "a:1", "takes": "2s"}}"#, wifi,
        #"{"at": "12s", "flags": ["Reachable", "IsWWAN"]}"#,
      ], []),
    HangRow(
      "a transport that stalls is a change", .socketsMonitor,
      [stream, #"{"at": "3s", "transport": {"host": "a:1", "become": "stall"}}"#],
      ["s since 3s for 17s"]),
    HangRow(
      "a server that falls silent is none", .socketsMonitor,
      [stream, #"{"at": "3s", "server": {"host": "a:1", "do": "silent"}}"#], []),
    HangRow(
      "a call made after the change hangs from its own beginning", .sockets,
      [first, wifi, next("8s")], ["next since 8s for 10s"]),
    HangRow("but not to a host that nobody had called", .sockets, [wifi, next("8s")], []),
    HangRow(
      "nor on a connection that is new", .socketsMonitor,
      [
        first, wifi,
        #"{"at": "8s", "call": {"id": "s", "host": "a:1", "kind": "bidi", "deadline": "9s"}}"#,
        #"{"at": "9s", "server": {"host": "a:1", "do": "silent"}}"#,
      ], []),
    HangRow(
      "nor on one that stalled and went on since", .sockets,
      [
        first, #"{"at": "1s", "transport": {"host": "a:1", "become": "stall"}}"#,
        #"{"at": "2s", "transport": {"host": "a:1", "become": "resume"}}"#,
        #"{"at": "2500ms", "server": {"host": "a:1", "do": "silent"}}"#, next("3s"),
      ], []),
    HangRow(
      "nor where there is no network to wait for", .sockets,
      [first, none, next("2s"), next("3s").replacing("next", with: "more")], []),
    HangRow(
      "the time asleep does not count", .sockets,
      [
        stream, #"{"at": "1s", "app": "background"}"#,
        #"{"at": "2s", "flags": ["Reachable"]}"#, #"{"at": "16s", "app": "foreground"}"#,
      ], []),
    HangRow(
      "what is left when awake does", .sockets,
      [
        stream, #"{"at": "1s", "app": "background"}"#,
        #"{"at": "2s", "flags": ["Reachable"]}"#, #"{"at": "4s", "app": "foreground"}"#,
      ], ["s since 2s for 16s"]),
    HangRow(
      "a call with interceptors is its user's", .sockets,
      [stream, wifi],
      config: #"{"interceptors": [{"kind": "logging"}]}"#,
      ["s since 1s for 19s"]),
  ]

  private static func run(_ row: HangRow, _ change: (inout Gates) -> Void = { _ in }) throws
    -> CaseResult
  {
    let scenario = try Sample.scenario(
      timeline: row.timeline, profiles: [row.profile], config: row.config)
    var gates = Gates()
    gates.maxHang = .seconds(5)
    change(&gates)
    var worker = Worker(SimulatedBackend(), gates: gates)
    return try #require(worker.run(scenario).cases.first)
  }

  @Test("A hang is found with its start and duration", arguments: table)
  func hangs(_ row: HangRow) throws {
    let result = try Self.run(row)
    let hangs = result.hangs.map { hang in
      "\(hang.call) since \(hang.since.text) for \(hang.hasEnded ? hang.lasted.text : "ever")"
    }
    #expect(hangs == row.hangs)
    #expect(result.verdict == (row.hangs.isEmpty ? .passed : .failed), "\(result.findings)")
    #expect(result.findings.map(\.kind) == row.hangs.map { _ in .hang })
  }

  @Test("Hangs are detected only if requested", arguments: table)
  func unasked(_ row: HangRow) throws {
    let result = try Self.run(row) { $0.maxHang = nil }
    #expect(result.hangs.isEmpty)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("A call may hang exactly as long as the threshold, and not a microsecond longer")
  func limit() throws {
    let row = HangRow("", .sockets, [Self.stream, Self.wifi], [])
    #expect(try Self.run(row) { $0.maxHang = .seconds(19) }.verdict == .passed)
    let shorter = Interval(microseconds: Interval.seconds(19).microseconds - 1)
    #expect(try Self.run(row) { $0.maxHang = shorter }.verdict == .failed)
    let endless = HangRow("", .sockets, [Self.endless, Self.wifi], [])
    #expect(try Self.run(endless) { $0.maxHang = .maximum }.verdict == .failed)
  }

  @Test("A hang is reported with the position of the call and its end")
  func words() throws {
    let result = try Self.run(Self.table[0])
    let finding = try #require(result.findings.first)
    #expect(finding.expected == "call \"s\" hangs no longer than 5s after the change")
    #expect(finding.seen == "it ended DEADLINE_EXCEEDED at 20s, and had hung for 19s since 1s")
    #expect(finding.position?.line == 3)
    let endless = try Self.run(Self.table[1])
    #expect(endless.findings.first?.seen == "it never ended, and hung since 1s")
  }

  @Test("Hangs on variants are ignored")
  func variants() throws {
    let scenario = try Sample.scenario(
      timeline: [Self.stream, Self.wifi], profiles: [.socketsMonitor])
    var gates = Gates()
    gates.maxHang = .seconds(5)
    gates.isStrict = true
    var worker = Worker(
      SimulatedBackend(), variants: [.keepalive(time: .seconds(30), timeout: .seconds(20))],
      gates: gates)
    #expect(worker.run(scenario).cases.map(\.verdict) == [.passed])
  }

  @Test("With a strict threshold a recommendation must be met")
  func strict() throws {
    let wish = #"{"level": "should", "call": "s", "status": "UNAVAILABLE", "at": "1s"}"#
    let scenario = try Sample.scenario(
      timeline: [Self.stream, Self.wifi], expect: [wish], profiles: [.sockets, .socketsMonitor])
    var gates = Gates()
    #expect(Self.verdicts(scenario, gates) == [.nonStrict, .passed])
    gates.isStrict = true
    #expect(Self.verdicts(scenario, gates) == [.failed, .passed])
  }

  private static func verdicts(_ scenario: Scenario, _ gates: Gates) -> [Verdict] {
    var worker = Worker(SimulatedBackend(), gates: gates)
    return worker.run(scenario).cases.map(\.verdict)
  }
}
