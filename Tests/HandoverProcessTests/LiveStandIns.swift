import Foundation
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverScenario
import Synchronization
import Testing

@testable import HandoverProcess

/// A fake network: all parties are in this process's namespace, and network changes are only
/// recorded.
final class NoNetwork: LiveNetwork, LiveNetworkFactory {
  let done = Mutex<[String]>([])
  /// The traffic that the device reports.
  let sent = Mutex(LiveTraffic())
  /// Whether the device makes a connection attempt at each query.
  let attemptsWithEachLook = Mutex(false)
  /// How long a network change takes, in microseconds.
  let placing = Mutex<Int64>(0)
  /// The requested plans.
  let plans = Mutex<[LivePlan]>([])
  /// Whether there are connections.
  let isConnected = Mutex(true)
  private let flags = Mutex<ReachabilityFlags>([.reachable])
  private let watcher = Mutex<(@Sendable (ReachabilityFlags, Int64) -> Void)?>(nil)

  private func note(_ text: String) { done.withLock { $0.append(text) } }

  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork {
    plans.withLock { $0.append(plan) }
    return self
  }

  func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func onServers<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) throws(BackendError) -> Value { body() }

  func address(of host: Int) -> LiveAddress { LiveAddress("192.0.2.\(host + 1)", port: 7) }

  func apply(_ device: Device) throws(BackendError) {
    note("place \(device.category)")
    // Simulates a slow kernel.
    let limit = monotonicMicroseconds() + placing.withLock { $0 }
    while monotonicMicroseconds() < limit {}
    let hasChanged = flags.withLock { flags in
      defer { flags = device.flags }
      return flags != device.flags
    }
    if hasChanged { watcher.withLock { $0 }?(device.flags, 0) }
  }

  func flows(to hosts: HostSelector) throws(BackendError) -> [LiveFlow] {
    guard isConnected.withLock({ $0 }) else { return [] }
    return [
      LiveFlow(localPort: 1, host: 0, path: Script.wifiPath),
      LiveFlow(localPort: 2, host: 0, path: Script.cellularPath),
    ].filter { hosts.includes($0.host) }
  }

  func abort(_ flows: [LiveFlow]) throws(BackendError) {
    note("abort \(flows.map(\.localPort))")
  }

  func drop(_ flows: [LiveFlow]) throws(BackendError) { note("drop \(flows.map(\.localPort))") }

  func dropNewConnections(to host: Int, except flows: [LiveFlow]) throws(BackendError) {
    note("dropNew except \(flows.map(\.localPort))")
  }

  func stopDropping(host: Int) throws(BackendError) { note("stopDropping \(host)") }

  func traffic() throws(BackendError) -> LiveTraffic {
    let tries = attemptsWithEachLook.withLock { $0 }
    return sent.withLock { sent in
      if tries { sent.attempts += 1 }
      return sent
    }
  }

  func readFlags() throws(BackendError) -> ReachabilityFlags { flags.withLock { $0 } }

  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, Int64) -> Void
  ) throws(BackendError) {
    watcher.withLock { $0 = handler }
  }

  func stopWatching() { watcher.withLock { $0 = nil } }

  func close() -> [String] {
    note("close")
    return []
  }
}

/// Small programs in place of the client under test and its servers.
final class StandIns {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "handover-\(UUID().uuidString)")
  let network = NoNetwork()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a program that logs its input to a file and answers everything.
  ///
  /// `more` is run for each line in addition.
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

  /// Runs a timeline with programs for a role and for the servers.
  ///
  /// They have enough time to answer on a busy machine. A run with calls that never end lasts as
  /// long as the tolerance.
  func run(
    _ timeline: String, as role: String, capabilities: String, _ more: String,
    host: String = "{}", profile: String = "sockets", expecting expect: String = "",
    config: String = "{}", tolerance: Interval = .minutes(1), start: Interval? = nil,
    lineLimit: Int = LiveProcess.maximumLines
  ) throws -> CaseResult {
    var options = RealTime.Options()
    options.tolerance = tolerance
    let time = RealTime(in: network, options: options) { _, _ in .zero + .milliseconds(100) }
    var backend = try LiveProcesses(
      client: try program(role, capabilities: capabilities, more),
      server: try program("server", capabilities: #""refuse","stall-acked""#),
      timeout: .minutes(1), time: time)
    backend.lineLimit = lineLimit
    if let start { backend.start = start }
    for role in [role, "server"] {
      try FileManager.default.removeItem(at: folder.appending(path: "\(role).log"))
    }
    let text = """
      {"format": 1, "id": "told", "profiles": ["\(profile)"], "initial": {"flags": 2},
      "config": \(config),
      "hosts": {"A:1": \(host)}, "timeline": [\(timeline)], "expect": [\(expect)]}
      """
    let scenario = try #require(
      ScenarioReader.read(file: "told.json", bytes: Array(text.utf8)).scenario)
    var worker = Worker(backend, retaining: .traces)
    return try #require(worker.run(scenario).cases.first)
  }

  /// Returns every line that a program received in a run.
  func log(_ role: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(role).log"), encoding: .utf8)
  }

  /// Returns a summary of the commands that a program received in a run.
  func reported(_ role: String) throws -> [String] {
    try log(role).split(separator: "\n").map { line in
      let command = line.firstMatch(of: /"cmd":"([a-z]+)"/)?.output.1 ?? ""
      let event = line.firstMatch(of: /"event":(\{.*\})\}$/)?.output.1
      return event.map { String($0) } ?? String(command)
    }
  }
}
