import HandoverCore
import HandoverEngine
import Synchronization
import Testing

/// What is said to a client and its servers in real time, and what is done to their network.
@Suite("What processes in real time are told")
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

  private func told(_ role: String) throws -> [String] { try stage.told(role) }

  private static func call(_ more: String) -> String {
    #"{"at": "0s", "call": {"id": "c", "host": "A:1", \#(more)}}"#
  }

  @Test("a call says how long it takes, and its token comes in time")
  func token() throws {
    let result = try run(Self.call(#""takes": "5ms", "options": {"token": "20ms"}"#))
    #expect(result.findings == [])
    let told = try told("client")
    #expect(told.count == 6)
    #expect(told[2].contains(#""host":"A:1""#) && told[2].contains(#""takes":5000"#))
    #expect(told[3] == #"{"token":"c"}"#)
    #expect(told.last == "stop")
    let open = try stage.log("client")
    #expect(open.contains(#""hosts":{"A:1":{"address":"192.0.2.1","port":7}}"#))
    #expect(try self.told("server") == ["start", "open", "close", "stop"])
    #expect(network.done.withLock { $0 } == ["close"])
  }

  @Test("who is stopped is told nothing until the application returns")
  func background() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "10ms", "app": "background"},
      {"at": "200ms", "app": "foreground"}, {"at": "210ms", "send": {"call": "c", "bytes": 5}}
      """)
    #expect(result.findings == [])
    #expect(result.endedAt >= .zero + .milliseconds(210))
    #expect(try told("client")[3] == #"{"send":{"call":"c","bytes":5}}"#)
  }

  @Test("users come before moves, and what the profile says of the path that was left after them")
  func moves() throws {
    let result = try run(
      """
      \(Self.call(#""kind": "bidi""#)), {"at": "10ms", "flags": ["Reachable", "IsWWAN"]},
      {"at": "10ms", "send": {"call": "c", "bytes": 5}}
      """)
    #expect(result.findings == [])
    #expect(network.done.withLock { $0 } == ["place Cellular", "abort [1]", "close"])
  }

  @Test("faults go to whoever plays them")
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
    let commands = try told("server").map { $0.firstMatch(of: /"do":"(.*?)"/)?.output.1 ?? "" }
    #expect(commands == ["", "", "refuse", "stall-acked", "resume", "", ""])
    #expect(
      network.done.withLock { $0 } == [
        "drop true 1", "drop true 2", "dropNew false []", "drop false 1", "drop false 2",
        "abort [1, 2]", "close",
      ])
  }

  @Test("whoever does not exit well is told")
  func exit() throws {
    let exits = #"case $line in *'"close"'*) trap 'exit 4' EXIT;; esac"#
    let result = try run(
      Self.call(#""options": {"token": "1ms"}"#), client: "\(Self.ends)\n\(exits)")
    #expect(result.findings.map(\.seen) == ["of the client: it exited with status 4"])
  }
}
