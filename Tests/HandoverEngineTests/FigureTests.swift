import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A small scenario, and how long after the network change its calls ended.
struct FigureRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var profile: Profile
  var timeline: [String]
  var figures: [String]

  init(_ name: String, _ profile: Profile, _ timeline: [String], _ figures: [String]) {
    testDescription = name
    self.profile = profile
    self.timeline = timeline
    self.figures = figures
  }
}

@Suite("The time from a change to the end of a call")
struct FigureTests {
  static let stream =
    #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming", "deadline": "20s"}}"#
  static let endless = #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#
  static let upload = #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "bidi"}}"#
  static let wifi = #"{"at": "1s", "flags": ["Reachable"]}"#
  static let none = #"{"at": "1s", "flags": []}"#

  static let table = [
    FigureRow("a monitor ends the call at once", .socketsMonitor, [stream, wifi], ["0s"]),
    FigureRow("an event of CFStream does too", .cfStream, [stream, wifi], ["0s"]),
    FigureRow("a broken path does too", .sockets, [stream, none], ["0s"]),
    FigureRow("a stall lasts until the deadline", .sockets, [stream, wifi], ["19s"]),
    FigureRow(
      "or until TCP gives up", .sockets,
      [upload, wifi, #"{"at": "2s", "send": {"call": "s", "bytes": 1}}"#], ["901s"]),
    FigureRow(
      "or until the user has enough", .sockets, [endless, wifi, #"{"at": "8s", "cancel": "s"}"#],
      ["7s"]),
    FigureRow(
      "the first change counts", .sockets, [stream, wifi, #"{"at": "5s", "flags": []}"#], ["19s"]),
    FigureRow("without a change there is none", .sockets, [stream], []),
    FigureRow(
      "nor for a call that started later", .socketsMonitor,
      [wifi, #"{"at": "2s", "call": {"id": "s", "host": "b:1"}}"#], []),
    FigureRow(
      "nor for one that ended before", .socketsMonitor,
      [#"{"at": "0s", "call": {"id": "s", "host": "a:1"}}"#, wifi], []),
    FigureRow(
      "nor for one that ended well", .sockets,
      [
        #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming", "takes": "5s"}}"#,
        #"{"at": "1s", "flags": ["Reachable"], "links": {"cellular": "up"}}"#,
        #"{"at": "2s", "flags": ["Reachable", "IsWWAN"]}"#,
      ], []),
    FigureRow("nor for one that never ended", .sockets, [endless, wifi], []),
    FigureRow(
      "nor for one that waited for its token", .socketsMonitor,
      [
        #"{"at": "0s", "call": {"id": "s", "host": "b:1", "options": {"token": "3s"}}}"#, wifi,
      ], []),
    FigureRow(
      "each call has its own", .sockets,
      [
        stream,
        #"{"at": "0s", "call": {"id": "t", "host": "a:1", "kind": "bidi", "deadline": "4s"}}"#,
        wifi,
      ], ["3s", "19s"]),
  ]

  @Test("The time from the change to the end is measured", arguments: table)
  func figures(_ row: FigureRow) throws {
    let scenario = try Sample.scenario(timeline: row.timeline, profiles: [row.profile])
    let result = try Sample.run(scenario)
    let figures = try row.figures.map { try Instant($0).since(.zero) }
    #expect(result.changeToEnd == figures)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("For an intercepted call, the time ends when the user receives the end")
  func intercepted() throws {
    let scenario = try Sample.scenario(
      timeline: [Self.stream, Self.wifi], profiles: [.sockets],
      config: #"{"interceptors": [{"kind": "forward"}]}"#)
    #expect(try Sample.run(scenario).changeToEnd == [.seconds(19)])
  }

  @Test("A request that survives one network change is measured from the next one")
  func movedTwice() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "one", "host": "a:80", "kind": "long"}}"#,
        #"{"at": "1s", "request": {"id": "two", "host": "a:80", "kind": "long"}}"#,
        #"{"at": "10s", "path": "wifi-B"}"#,
        #"{"at": "15s", "path": "wifi-C"}"#,
      ], profiles: [.urlLoading], hosts: #""a:80": {}"#,
      config: #"{"requests": {"total": 1, "long": 1}}"#, flags: #"["Reachable"]"#)
    // The first change ends one request, which thaws two others. A response that arrives then is
    // not an end.
    #expect(try Sample.run(scenario).changeToEnd == [.zero, .zero])
  }

  @Test("A request that was frozen at the network change is measured")
  func frozen() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "one", "host": "a:80", "kind": "long"}}"#,
        #"{"at": "1s", "request": {"id": "two", "host": "a:80", "kind": "long"}}"#,
        #"{"at": "9s", "server": {"host": "a:80", "do": "silent"}}"#,
        #"{"at": "10s", "path": "wifi-B"}"#,
      ], profiles: [.urlLoading], hosts: #""a:80": {}"#,
      config: #"{"requests": {"total": 1, "long": 1}}"#, flags: #"["Reachable"]"#)
    #expect(try Sample.run(scenario).changeToEnd == [.zero, .seconds(51)])
  }
}
