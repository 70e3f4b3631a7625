import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverNetlink
import HandoverScenario
import HandoverSimulation
import Testing

/// Returns a recording as users get it: a scenario that is read back without a problem.
func scenario(
  of recording: Recording, isAnonymous: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Scenario {
  let bytes = RecordedScenario(recording, id: "recorded", isAnonymous: isAnonymous).bytes
  let reading = ScenarioReader.read(file: "recorded.json", bytes: bytes)
  #expect(reading.diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
  let document = try JSONReader.read(bytes)
  #expect(CanonicalText.of(document) == bytes, sourceLocation: sourceLocation)
  return try #require(reading.scenario, sourceLocation: sourceLocation)
}

extension Scenario {
  /// The category and the path of the device at the start and after each entry that changes them.
  var states: [String] {
    var device = Device(script.initial)
    func state() -> String {
      "\(device.category)" + (device.path.map { " \(script.paths[Int($0.index)])" } ?? "")
    }
    var states = [state()]
    for entry in script.entries {
      switch entry.action {
      case .flags(let flags, let path, let up, let down):
        _ = device.apply(flags, path: path, up: up, down: down)
      case .path(let path): _ = device.move(to: path)
      default: continue
      }
      states.append(state())
    }
    return states
  }
}

@Suite("Recordings as scenarios")
struct RecordingTests {
  private static func way(_ interface: String, _ gateway: String?) -> ReachabilityReading.RoutePath
  {
    .init(interface: interface, gateway: gateway.flatMap { IPAddress($0) })
  }

  private static let sample: Recording = {
    var recording = Recording()
    recording.note(at: 0, [.reachable, .isWWAN], path: way("wwan0", nil))
    recording.note(at: 1_000_499, .reachable, path: way("wlan0", "192.168.1.1"))
    // An unchanged reading adds no entry.
    recording.note(at: 1_500_000, .reachable, path: way("wlan0", "192.168.1.1"))
    recording.note(at: 2_000_000, .reachable, path: way("wlan0", "10.0.0.1"))
    recording.note(at: 3_000_000, [], path: way("wlan0", "10.0.0.1"))
    recording.note(at: 4_000_000, .reachable, path: way("wlan0", "10.0.0.1"))
    recording.note(at: 5_000_000, [.reachable, .isLocalAddress], path: way("wlan0", "192.168.1.1"))
    return recording
  }()

  @Test("A different gateway is a different path, and one that returns is the same path as before")
  func paths() throws {
    let states = try scenario(of: Self.sample).states
    #expect(
      states == [
        "Cellular cellular", "WiFi wifi", "WiFi wifi-2", "None", "WiFi wifi-2", "WiFi wifi",
      ])
  }

  @Test("The file is complete, has relative times and names the source of each network")
  func text() {
    let text = String(decoding: RecordedScenario(Self.sample, id: "a/b").bytes, as: UTF8.self)
    #expect(
      text == """
        {
          "format": 1,
          "id": "a/b",
          "title": "Recorded: Cellular, WiFi, None, WiFi",
          "initial": { "flags": ["Reachable", "IsWWAN"], "comment": "wwan0" },
          "hosts": { "api.example:443": { "connect": "50ms" } },
          "timeline": [
            { "at": "0s", "call": { "id": "stream", "host": "api.example:443", \
        "kind": "streaming", "deadline": "35s" } },
            { "at": "1s", "flags": ["Reachable"], "comment": "wlan0 via 192.168.1.1" },
            { "at": "2s", "path": "wifi-2", "comment": "wlan0 via 10.0.0.1" },
            { "at": "3s", "flags": [] },
            { "at": "4s", "flags": ["Reachable"], "path": "wifi-2", \
        "comment": "wlan0 via 10.0.0.1" },
            { "at": "5s", "flags": ["Reachable", "IsLocalAddress"], "path": "wifi", \
        "comment": "wlan0 via 192.168.1.1" }
          ],
          "comment": []
        }

        """)
  }

  @Test("An anonymous recording contains neither interfaces nor gateways")
  func anonymity() throws {
    let scenario = RecordedScenario(Self.sample, id: "a", isAnonymous: true)
    let text = String(decoding: scenario.bytes, as: UTF8.self)
    #expect(text.contains("interface 2 via gateway 1"))
    for name in ["wlan0", "wwan0", "192.168", "10.0.0.1"] { #expect(!text.contains(name)) }
  }

  @Test("The call waits for the first network; without any network it starts immediately")
  func call() throws {
    var recording = Recording()
    recording.note(at: 0, [])
    recording.note(at: 2_000_000, .reachable)
    let late = try scenario(of: recording)
    #expect(late.script.entries.map(\.at.text) == ["2s", "2s"])
    recording = Recording()
    recording.note(at: 0, [])
    #expect(try scenario(of: recording).script.entries.map(\.at.text) == ["0s"])
  }

  @Test(
    "Recorded changes of a namespace give the same categories in the simulation",
    .enabled(if: namespacesAreMissing == nil))
  func replay() throws {
    let network = try DeviceNetwork()
    let received = try ObservedChanges()
    try network.join(.cellular)
    let probe = try ReachabilityProbe(in: network.device.namespace)
    let watcher = try ReachabilityWatcher(probe) { received.note($0) }
    try received.wait(for: .cellular)
    try network.join(.wifi)
    try received.wait(for: .wifi)
    try network.leave(.cellular)
    try network.leave(.wifi)
    try received.wait(for: .noNetwork)
    try network.join(.wifi)
    try received.wait(for: .wifi)
    watcher.stop()

    let changes = received.all
    let start = try #require(changes.first?.seenAt)
    var recording = Recording()
    for change in changes {
      recording.note(at: change.seenAt - start, change.reading.flags, path: change.reading.path)
    }
    let recorded = try scenario(of: recording)
    #expect(recorded.states == ["Cellular cellular", "WiFi wifi", "None", "WiFi wifi"])
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = worker.run(recorded, on: [.socketsMonitor])
    let trace = try #require(result.cases.first?.trace)
    let notified = trace.records.compactMap { record in
      if case .effect(.notify(let change)) = record.body { change } else { nil }
    }
    let path: [NetworkCategory] = [.cellular, .wifi, .noNetwork, .wifi]
    #expect(notified == zip(path, path.dropFirst()).map { CategoryChange(from: $0, to: $1) })
  }
}
