import HandoverBackend
import HandoverCore
import HandoverEngine
import Synchronization
import Testing

@testable import HandoverProcess

/// The commands for a client and its servers in real time, and the changes of their network.
@Suite("Commands for processes in real time")
final class LiveProcessTests {
  private let stage: StandIns
  private var network: NoNetwork { stage.network }

  init() throws { stage = try StandIns() }

  private static let ends = """
    case $line in *'"token":"c"'*|*'"send"'*)
      echo '{"out":[{"ended":{"call":"c","status":"OK"}}]}';; esac
    """

  private func run(
    _ timeline: String, client more: String = ends, host: String = "{}",
    profile: String = "sockets"
  ) throws -> CaseResult {
    try stage.run(
      timeline, as: "client", capabilities: #""streaming","tokens","disconnect""#, more,
      host: host, profile: profile)
  }

  private func reported(_ role: String) throws -> [String] { try stage.reported(role) }

  private static func call(_ more: String) -> String {
    #"{"at": "0s", "call": {"id": "c", "host": "A:1", \#(more)}}"#
  }

  @Test("A command contains the duration of a call, and its token comes in time")
  func token() throws {
    let result = try run(Self.call(#""takes": "5ms", "options": {"token": "20ms"}"#))
    #expect(result.findings == [])
    let reported = try reported("client")
    #expect(reported.count == 6)
    #expect(reported[2].contains(#""host":"A:1""#) && reported[2].contains(#""takes":5000"#))
    #expect(reported[3] == #"{"token":"c"}"#)
    #expect(reported.last == "stop")
    let open = try stage.log("client")
    #expect(open.contains(#""hosts":{"A:1":{"address":"192.0.2.1","port":7}}"#))
    #expect(try self.reported("server") == ["start", "open", "close", "stop"])
    #expect(network.done.withLock { $0 } == ["close"])
  }

  @Test("Starting may take longer than answering")
  func slowStart() throws {
    let slow = "read line; sleep 1; echo hello"
    let (process, hello) = try LiveProcess.start(
      // short wait: the start takes longer than this, and must get the other limit.
      "sh -c '\(slow)'", timeout: .milliseconds(100), start: .minutes(1), at: .here,
      title: "the backend"
    ) { line throws(AnswerError) in String(decoding: line, as: UTF8.self) }
    #expect(hello == "hello")
    _ = process.stop()
    let result = try stage.run(
      Self.call(#""takes": "5ms""#), as: "client", capabilities: #""streaming""#, Self.ends,
      start: .milliseconds(0))
    #expect(result.verdict == .error)
    #expect(
      // The server may have answered already; then the client fails.
      result.findings.first?.seen.contains("failed: it did not answer within 0 ms") == true,
      "\(result.findings)")
  }

  @Test("A stopped client receives nothing until the app returns")
  func background() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "10ms", "app": "background"},
      {"at": "200ms", "app": "foreground"}, {"at": "210ms", "send": {"call": "c", "bytes": 5}}
      """)
    #expect(result.findings == [])
    #expect(result.endedAt >= .zero + .milliseconds(210))
    #expect(try reported("client")[3] == #"{"send":{"call":"c","bytes":5}}"#)
  }

  @Test("Users come before network changes, and connections on the old path are aborted after them")
  func moves() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "10ms", "flags": ["Reachable", "IsWWAN"]},
      {"at": "10ms", "send": {"call": "c", "bytes": 5}}
      """)
    #expect(result.findings == [])
    #expect(network.done.withLock { $0 } == ["place Cellular", "abort [1]", "close"])
  }

  @Test("Each fault goes to the party that carries it out")
  func faults() throws {
    func fault(_ at: Int, _ word: String) -> String {
      #"{"at": "\#(at)ms", "transport": {"host": "A:1", "become": "\#(word)"}}"#
    }
    let result = try run(
      [
        Self.call(#""kind": "bidi""#), fault(10, "stall"), fault(20, "stall-acked"),
        fault(30, "resume"), fault(40, "kill"),
        #"{"at": "50ms", "send": {"call": "c", "bytes": 5}}"#,
      ].joined(separator: ","), host: #"{"server": "refuse"}"#)
    #expect(result.findings == [])
    let commands = try reported("server").map { $0.firstMatch(of: /"do":"(.*?)"/)?.output.1 ?? "" }
    #expect(commands == ["", "", "refuse", "stall-acked", "resume", "", ""])
    #expect(
      network.done.withLock { $0 } == [
        "drop [1, 2]", "stopDropping 0", "abort [1, 2]", "close",
      ])
  }

  @Test("A fault without effect fails, and one that UDP may have met is not judged")
  func effects() throws {
    network.isConnected.withLock { $0 = false }
    let fault = #"{"at": "10ms", "transport": {"host": "A:1", "become": "stall"}}"#
    let timeline = "\(Self.call(#""options": {"token": "20ms"}"#)), \(fault)"
    #expect(try run(timeline).findings.map(\.kind) == [.faultWithoutEffect])
    network.sent.withLock { $0.datagrams = 1 }
    let result = try run(timeline)
    #expect(result.verdict == .unsupported)
    #expect(result.findings.first?.seen.contains("sends UDP") == true, "\(result.findings)")
  }

  @Test("A fault of attempts has an effect once the device has made one")
  func laterEffects() throws {
    network.isConnected.withLock { $0 = false }
    let fault = #"{"at": "10ms", "server": {"host": "A:1", "do": "refuse"}}"#
    let timeline = "\(Self.call(#""options": {"token": "20ms"}"#)), \(fault)"
    #expect(try run(timeline).findings.map(\.kind) == [.faultWithoutEffect])
    network.attemptsWithEachLook.withLock { $0 = true }
    #expect(try run(timeline).findings == [])
  }

  @Test("The run waits for unfinished calls until the script's own end")
  func until() throws {
    let result = try stage.run(
      Self.call(#""kind": "bidi""#), as: "client", capabilities: #""streaming""#, "",
      config: #"{"until": "3500ms"}"#, tolerance: .seconds(1))
    let last = try #require(result.trace?.records.last { $0.body == .world(.runEnded(.until)) })
    #expect(last.at >= .zero + .milliseconds(3_500))
    let other = try stage.run(
      Self.call(#""kind": "bidi""#), as: "client", capabilities: #""streaming""#, "",
      tolerance: .seconds(1))
    #expect(other.trace?.records.contains { $0.body == .world(.runEnded(.until)) } == false)
  }

  @Test("A process that skips the run in the middle is an ERROR")
  func skippedLate() throws {
    let skips = #"case $line in *'"call"'*) echo '{"seq":2,"skipped":"why not"}';; esac"#
    let result = try stage.run(
      Self.call(#""kind": "bidi""#), as: "client", capabilities: #""streaming""#, skips)
    #expect(result.verdict == .error)
    let words = "a run can be skipped only in the answer to \"open\""
    #expect(result.findings.last?.seen.contains(words) == true, "\(result.findings)")
  }

  @Test("A process that never stops writing is not read forever")
  func flood() throws {
    let flood = """
      case $line in *'"call"'*) yes '{"out":[{"deliver":"c"}]}' & flood=$!
      trap 'kill $flood' EXIT;; esac
      """
    let result = try stage.run(
      Self.call(#""kind": "bidi""#), as: "client", capabilities: #""streaming""#, flood,
      tolerance: .seconds(1))
    // Depending on the machine, the run ends first or the output limit is reached first.
    let isTooMuch = result.findings.last?.seen.contains("it sent more than") == true
    #expect(result.verdict == .passed || isTooMuch, "\(result.findings)")
  }

  @Test("One line above the limit of a run is an ERROR, and the limit is the documented one")
  func lines() throws {
    #expect(LiveProcess.maximumLines == 250_000)
    // 40 extra lines, the end of the call, and the answers to the open, the call, its token and the
    // close.
    let all = 40 + 1 + 4
    let ends = #"echo '{"out":[{"ended":{"call":"c","status":"OK"}}]}'"#
    let writes = """
      case $line in *'"token":"c"'*) for i in $(seq 40); do
      echo '{"out":[]}'; done; \(ends);; esac
      """
    func result(_ limit: Int) throws -> CaseResult {
      try stage.run(
        Self.call(#""options": {"token": "10ms"}"#), as: "client",
        capabilities: #""streaming","tokens""#, writes, lineLimit: limit)
    }
    #expect(try result(all).findings == [])
    let tooMany = try result(all - 1)
    #expect(tooMany.verdict == .error)
    #expect(tooMany.findings.last?.seen.contains("it sent more than \(all - 1) lines") == true)
  }

  @Test("A process that never stops writing to its log does not block the run")
  func floodedLog() throws {
    let flood = """
      case $line in *'"call"'*) yes trouble >&2 & flood=$!
      trap 'kill $flood' EXIT;; esac
      \(Self.ends)
      """
    let result = try stage.run(
      Self.call(#""options": {"token": "10ms"}"#), as: "client",
      capabilities: #""streaming","tokens""#, flood)
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("A connection to a host takes as long as the host specifies")
  func handshakes() throws {
    _ = try run(Self.call(#""options": {"token": "1ms"}"#), host: #"{"connect": "7s"}"#)
    #expect(network.plans.withLock { $0.last?.handshakes } == [.seconds(7)])
  }

  @Test("A process with a nonzero exit status is reported")
  func exit() throws {
    let exits = #"case $line in *'"close"'*) trap 'exit 4' EXIT;; esac"#
    let result = try run(
      Self.call(#""options": {"token": "1ms"}"#), client: "\(Self.ends)\n\(exits)")
    #expect(result.findings.map(\.seen) == ["of the client: it exited with status 4"])
  }
}
