import Foundation
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import Synchronization
import Testing

@testable import HandoverProcess

/// A network that is none: everybody is where this process is, and moves are only written down.
private final class NoNetwork: LiveNetwork, LiveNetworkMaker {
  let done = Mutex<[String]>([])

  private func note(_ text: String) { done.withLock { $0.append(text) } }

  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork { self }

  func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func onServers<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func address(of host: Int) -> LiveAddress { LiveAddress("192.0.2.\(host + 1)", port: 7) }
  func place(_ device: Device) throws(BackendError) { note("place \(device.category)") }

  func flows() throws(BackendError) -> [LiveFlow] {
    [
      LiveFlow(localPort: 1, host: 0, path: Script.wifiPath),
      LiveFlow(localPort: 2, host: 0, path: Script.cellularPath),
    ]
  }

  func abort(localPorts ports: [UInt16]) throws(BackendError) { note("abort \(ports)") }

  func drop(_ areDropped: Bool, localPort: UInt16, host: Int) throws(BackendError) {
    note("drop \(areDropped) \(localPort)")
  }

  func dropNew(_ areDropped: Bool, host: Int, established: [UInt16]) throws(BackendError) {
    note("dropNew \(areDropped) \(established)")
  }

  func readFlags() throws(BackendError) -> ReachabilityFlags { [] }
  func watchFlags(_: @escaping @Sendable (ReachabilityFlags, Int64) -> Void) throws(BackendError) {}
  func stopWatching() {}

  func close() -> [String] {
    note("close")
    return []
  }
}

/// What is said to a client and its servers in real time, and what is done to their network.
@Suite("What processes in real time are told")
final class LiveProcessTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "handover-\(UUID().uuidString)")
  private let network = NoNetwork()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a program that keeps what it is told in a file, answers everything and ends every call
  /// at once; `more` is done with each line besides.
  private func program(_ role: String, capabilities: String, _ more: String = "") throws -> String {
    let file = folder.appending(path: "\(role).sh")
    let hello =
      #"{"version":1,"name":"\#(role)","role":"\#(role)","time":"real","#
      + #""capabilities":[\#(capabilities)]}"#
    let text = """
      seq=0
      while read -r line; do
        echo "$line" >>\(folder.path)/\(role).log
        case $line in
          *'"start"'*) echo '\(hello)'; continue;;
          *'"stop"'*) exit 0;;
        esac
        \(more)
        seq=$((seq + 1)); echo "{\\"seq\\":$seq,\\"out\\":[]}"
      done
      """
    try Data(text.utf8).write(to: file)
    return "sh \(file.path)"
  }

  private static let ends = """
    case $line in *'"token":"c"'*|*'"send"'*)
      echo '{"out":[{"ended":{"call":"c","status":"OK"}}]}';; esac
    """

  private func run(
    _ timeline: String, client more: String = ends, host: String = "{}",
    profile: String = "sockets"
  ) throws -> CaseResult {
    let time = RealTime(in: network) { _, _ in .zero + .milliseconds(100) }
    let backend = try LiveProcesses(
      client: try program("client", capabilities: #""streaming","tokens","disconnect""#, more),
      server: try program("server", capabilities: #""refuse","stall-acked""#), time: time)
    for role in ["client", "server"] {
      try FileManager.default.removeItem(at: folder.appending(path: "\(role).log"))
    }
    let text = """
      {"format": 1, "id": "told", "profiles": ["\(profile)"], "initial": {"flags": 2},
      "hosts": {"A:1": \(host)}, "timeline": [\(timeline)]}
      """
    let scenario = try #require(
      ScenarioReader.read(file: "told.json", bytes: Array(text.utf8)).scenario)
    var worker = Worker(backend)
    return try #require(worker.run(scenario).cases.first)
  }

  /// What a program was told of a run, in short.
  private func told(_ role: String) throws -> [String] {
    let log = try String(contentsOf: folder.appending(path: "\(role).log"), encoding: .utf8)
    return log.split(separator: "\n").map { line in
      let command = line.firstMatch(of: /"cmd":"([a-z]+)"/)?.output.1 ?? ""
      let event = line.firstMatch(of: /"event":(\{.*\})\}$/)?.output.1
      return event.map { String($0) } ?? String(command)
    }
  }

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
    let open = try String(contentsOf: folder.appending(path: "client.log"), encoding: .utf8)
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
