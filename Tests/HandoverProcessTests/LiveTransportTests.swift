import HandoverCore
import HandoverEngine
import Synchronization
import Testing

/// The commands for a transport in real time, and the effects of its reports on the client.
@Suite("Commands for a transport in real time")
final class LiveTransportTests {
  private let stage: StandIns

  init() throws { stage = try StandIns() }

  private static let connects = #"*'"connect"'*) echo '{"out":[{"connected":{"connection":1}}]}';;"#
  private static let answers =
    #"*'"kind"'*) echo '{"out":[{"received":{"call":"c","status":"OK"}}]}';;"#

  private func run(
    _ timeline: String, _ cases: String..., profile: String = "sockets", expecting: String = "",
    tolerance: Interval = .minutes(1)
  ) throws -> CaseResult {
    try stage.run(
      timeline, as: "transport", capabilities: #""streaming""#,
      "case $line in \(cases.joined(separator: " ")) esac", profile: profile, expecting: expecting,
      tolerance: tolerance)
  }

  private func reported() throws -> [String] { try stage.reported("transport") }

  private static func call(_ more: String) -> String {
    #"{"at": "0s", "call": {"id": "c", "host": "A:1", \#(more)}}"#
  }

  @Test("A transport receives the orders of the client, with the addresses of hosts")
  func orders() throws {
    let result = try run(
      Self.call(#""takes": "5ms""#), Self.connects, Self.answers,
      expecting: #"{"call": "c", "status": "OK"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
    #expect(
      try reported() == [
        "start", "open",
        #"{"connect":{"connection":1,"host":"A:1","address":"192.0.2.1","port":7}}"#,
        #"{"send":{"connection":1,"call":"c","kind":"unary","takes":5000,"every":null}}"#,
        #"{"finish":{"connection":1,"call":"c"}}"#,
        #"{"close":{"connection":1}}"#, "close", "stop",
      ])
    #expect(
      try stage.log("transport").contains(#""hosts":{"A:1":{"address":"192.0.2.1","port":7}}"#))
  }

  @Test("A transport with a nonzero exit status is reported")
  func exit() throws {
    let result = try run(
      Self.call(#""takes": "5ms""#), Self.connects, Self.answers,
      #"*'"cmd":"close"'*) trap 'exit 4' EXIT;;"#)
    #expect(result.findings.map(\.seen) == ["of the transport: it exited with status 4"])
  }

  @Test("Deadlines of calls expire although the transport reports nothing")
  func deadline() throws {
    let result = try run(
      Self.call(#""deadline": "50ms""#),
      expecting: #"{"call": "c", "status": "DEADLINE_EXCEEDED"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test(
    "A transport gets no event for a network change, and the monitor is notified before losses"
  )
  func moves() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "50ms", "flags": ["Reachable", "IsWWAN"]}
      """, Self.connects, profile: "sockets-monitor",
      expecting: """
        {"call": "c", "status": "UNAVAILABLE", "message": "Connectivity lost."},
        {"channels": {"host": "A:1", "destroyed": 1}, "at": "50ms"}
        """)
    #expect(result.verdict == .passed, "\(result.findings)")
    #expect(try reported().suffix(3) == [#"{"close":{"connection":1}}"#, "close", "stop"])
    #expect(stage.network.done.withLock { $0 } == ["place Cellular", "abort [1]", "close"])
  }

  @Test("A change starts with its first entry, however late the kernel follows")
  func change() throws {
    let flips = (0..<6).map { flip in
      let flags = flip % 2 == 0 ? #"["Reachable", "IsWWAN"]"# : #"["Reachable"]"#
      return #"{"at": "\#(50 + flip)ms", "flags": \#(flags)}"#
    }
    stage.network.placing.withLock { $0 = 30_000 }
    let result = try run(
      ([Self.call(#""kind": "bidi""#)] + flips).joined(separator: ", "), Self.connects,
      profile: "sockets-monitor", expecting: #"{"call": "c", "status": "UNAVAILABLE"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
    #expect(result.changeToEnd.count == 1)
    // The kernel applies the first entry after 30 ms.
    #expect(result.changeToEnd.first.map { $0 >= .milliseconds(30) } == true)
    let records = result.trace?.records ?? []
    let played = try #require(records.firstIndex { $0.body == .world(.entryPlayed(1)) })
    #expect(records[played + 1].body == .world(.deviceMoved(Script.cellularPath)))
  }

  @Test(
    "A change that the kernel completes too late gives ERROR, after a second run",
    arguments: [
      #"{"at": "50ms", "flags": ["Reachable", "IsWWAN"]}"#,
      #"{"at": "50ms", "app": "background"}, {"at": "60ms", "flags": ["Reachable", "IsWWAN"]}"#,
    ])
  func lateChange(_ entries: String) throws {
    stage.network.placing.withLock { $0 = 1_100_000 }
    let result = try run(
      "\(Self.call(#""kind": "bidi""#)), \(entries)", Self.connects, profile: "sockets",
      tolerance: .seconds(1))
    #expect(result.verdict == .error)
    let seen = try #require(result.findings.first?.seen)
    #expect(seen.contains("late: this machine or the client is too slow for the timeline"))
    #expect(stage.network.plans.withLock { $0.count } == 2)
  }

  @Test("An app in the background is notified of the change when it returns")
  func background() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "50ms", "app": "background"},
      {"at": "60ms", "flags": ["Reachable", "IsWWAN"]}, {"at": "300ms", "app": "foreground"}
      """, Self.connects, profile: "sockets-monitor",
      expecting: #"{"call": "c", "status": "UNAVAILABLE"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
    let closing = try #require(
      try stage.log("transport").split(separator: "\n").first {
        $0.contains(#""close":{"connection""#)
      })
    let now = try #require(closing.firstMatch(of: /"now":([0-9]+)/)?.output.1)
    #expect(Int(now) ?? 0 >= 300_000)
  }

  @Test("A late report about a connection that the client has closed is not an error")
  func lateNews() throws {
    let broken =
      #"*'"close":{'*) echo '{"out":[{"broken":{"connection":1,"reason":"reset"}}]}';;"#
    let result = try run(
      #"\#(Self.call(#""kind": "bidi""#)), {"at": "50ms", "disconnect": "A:1"}"#,
      Self.connects, broken, expecting: #"{"call": "c", "status": "UNAVAILABLE"}"#)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test(
    "An invalid report is an ERROR with the line",
    arguments: [
      (#"{"connected":{"connection":7}}"#, "there is no connection 7"),
      (#"{"received":{"call":"c","status":"OK"}}"#, "call \"c\" was never sent"),
      (#"{"read":{"call":"c"}}"#, "in real time, a transport cannot report \"read\""),
      (#"{"ended":{"call":"c","status":"OK"}}"#, "a transport cannot report \"ended\""),
    ])
  func nonsense(_ report: String, _ words: String) throws {
    let result = try run(
      Self.call(#""takes": "5ms""#), #"*'"connect"'*) echo '{"out":[\#(report)]}';;"#)
    #expect(result.verdict == .error)
    let seen = result.findings.first?.seen ?? ""
    #expect(seen.contains(words) && seen.contains(#"it sent: {"out":["#), "\(seen)")
  }
}
