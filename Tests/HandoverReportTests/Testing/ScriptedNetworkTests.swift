import Dispatch
import Foundation
import HandoverCore
import HandoverTesting
import Synchronization
import Testing

/// The paths that a monitor delivered, in order.
private final class Deliveries: Sendable {
  private let paths = Mutex<[String]>([])

  var all: [String] { paths.withLock { $0 } }

  func add(_ path: NetworkPath) { paths.withLock { $0.append(path.description) } }
}

@Suite("A path monitor that a scenario drives")
struct ScriptedNetworkTests {
  /// Returns what a monitor delivers during a move, with the first path.
  private func deliveries(_ move: NetworkMove) -> [String] {
    let network = ScriptedNetwork(move)
    let monitor = network.makeMonitor()
    let deliveries = Deliveries()
    monitor.pathUpdateHandler = { deliveries.add($0) }
    monitor.start()
    network.play()
    #expect(monitor.currentPath == network.path)
    return deliveries.all
  }

  @Test(
    "A started monitor gets the current path, and then each change",
    arguments: [
      (NetworkMove.wifiToCellular, ["WiFi", "Cellular"]),
      (.cellularToWiFi, ["Cellular", "WiFi"]),
      (.offlineAndBack, ["WiFi", "no network", "WiFi"]),
      (.flap, ["WiFi", "no network", "WiFi"]),
      (
        .connectionRequired,
        ["Cellular", "Cellular, which requires a connection", "Cellular"]
      ),
      (.asleep, ["WiFi", "Cellular"]),
      (.asleepWithoutChange, ["WiFi"]),
    ])
  func moves(_ move: NetworkMove, _ paths: [String]) {
    #expect(deliveries(move) == paths)
  }

  @Test("A suspended app gets the current path when it resumes, and no earlier one")
  func asleep() {
    let network = ScriptedNetwork(.asleep)
    let monitor = network.makeMonitor()
    monitor.start()
    #expect(network.advance())
    #expect(network.advance())
    #expect(network.path.interface == .cellular)
    #expect(monitor.currentPath.interface == .wifi)
    #expect(network.advance())
    #expect(monitor.currentPath.interface == .cellular)
    #expect(!network.advance())
    #expect(
      network.timeline == """
        0s  WiFi
        1s  the app is in the state background
        4s  the app is in the state foreground
        4s  Cellular
        """)
  }

  @Test("A cancelled monitor, and one that was not started, get nothing")
  func ended() {
    let network = ScriptedNetwork(.offlineAndBack)
    let deliveries = Deliveries()
    let monitors = (0..<3).map { _ in network.makeMonitor() }
    for monitor in monitors { monitor.pathUpdateHandler = { deliveries.add($0) } }
    monitors[0].start()
    monitors[1].cancel()
    monitors[1].start()
    #expect(deliveries.all == ["WiFi"])
    monitors[0].cancel()
    network.play()
    #expect(deliveries.all == ["WiFi"])
    #expect(monitors[0].currentPath.interface == .wifi)
  }

  @Test("A second start delivers nothing")
  func startedTwice() {
    let network = ScriptedNetwork(.wifiToCellular)
    let deliveries = Deliveries()
    let monitor = network.makeMonitor()
    monitor.pathUpdateHandler = { deliveries.add($0) }
    monitor.start()
    monitor.start()
    network.play()
    #expect(deliveries.all == ["WiFi", "Cellular"])
  }

  @Test("With a queue, the handler runs on the queue, in order")
  func queue() {
    let network = ScriptedNetwork(.offlineAndBack)
    let queue = DispatchQueue(label: "monitor")
    let deliveries = Deliveries()
    let monitor = network.makeMonitor()
    monitor.pathUpdateHandler = {
      dispatchPrecondition(condition: .onQueue(queue))
      deliveries.add($0)
    }
    monitor.start(queue: queue)
    network.play()
    queue.sync {}
    #expect(deliveries.all == ["WiFi", "no network", "WiFi"])
  }

  @Test("A handler may change the network and its own monitor")
  func reentrant() {
    let network = ScriptedNetwork(.offlineAndBack)
    let deliveries = Deliveries()
    let monitor = network.makeMonitor()
    monitor.pathUpdateHandler = { [unowned monitor] path in
      deliveries.add(path)
      if path.status == .unsatisfied { monitor.cancel() }
      network.advance()
    }
    monitor.start()
    #expect(deliveries.all == ["WiFi", "no network"])
    #expect(network.path.status == .satisfied)
  }

  @Test("The paths are a sequence, which ends with the monitor")
  func sequence() async {
    let network = ScriptedNetwork(.wifiToCellular)
    let monitor = network.makeMonitor()
    var paths = monitor.paths.makeAsyncIterator()
    #expect(await paths.next()?.interface == .wifi)
    network.play()
    #expect(await paths.next()?.interface == .cellular)
  }

  @Test("An entry comes before the end of a linger at the same instant")
  func entryBeforeLinger() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("linger-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try #"""
    {
      "format": 1, "id": "t/linger", "profiles": ["sockets-monitor"], "initial": {},
      "networks": {
        "wifi": { "kind": "wifi", "state": "default" }, "lte": { "kind": "cellular", "state": "up" }
      },
      "hosts": { "a.example:1": {} },
      "config": { "monitor": { "watch": "any" } },
      "timeline": [
        { "at": "1s", "network": { "id": "lte", "become": "default" } },
        { "at": "2s", "network": { "id": "wifi", "become": "losing", "linger": "1s" } },
        { "at": "3s", "network": { "id": "wifi", "become": "up" } }
      ],
      "expect": [{ "monitor": { "notifications": 0 }, "at": "4s" }]
    }
    """#.write(to: file, atomically: true, encoding: .utf8)
    let network = try ScriptedNetwork(scenario: file.path)
    network.play()
    #expect(network.timeline == "0s  WiFi")
  }

  @Test("A scenario drives the monitor")
  func scenario() throws {
    let network = try ScriptedNetwork(
      scenario: "Scenarios/transitions/wifi-to-cellular.json")
    let monitor = network.makeMonitor()
    monitor.start()
    network.play()
    #expect(monitor.currentPath.interface == .cellular)
    let error = #expect(throws: ScenarioCaseError.self) {
      try ScriptedNetwork(scenario: "no-such.json")
    }
    #expect(error?.description.contains("there is no file \"no-such.json\"") == true)
    #expect(throws: ScenarioCaseError.self) {
      try ScriptedNetwork(scenario: "Fixtures/Diagnostics/not-json.json")
    }
  }

  @Test(
    "Flags are a path",
    arguments: [
      ([], NetworkPath.Status.unsatisfied, nil, false),
      ([.reachable], .satisfied, .wifi, false),
      ([.reachable, .isWWAN], .satisfied, .cellular, true),
      ([.reachable, .connectionRequired], .requiresConnection, .wifi, false),
      ([.reachable, .connectionRequired, .isWWAN], .requiresConnection, .cellular, true),
      ([.isWWAN], .unsatisfied, nil, false),
      ([.connectionRequired], .unsatisfied, nil, false),
      ([.connectionRequired, .isWWAN], .unsatisfied, nil, false),
    ] as [(ReachabilityFlags, NetworkPath.Status, NetworkPath.InterfaceType?, Bool)])
  func flags(
    _ flags: ReachabilityFlags, _ status: NetworkPath.Status,
    _ interface: NetworkPath.InterfaceType?, _ isExpensive: Bool
  ) {
    let path = NetworkPath(flags)
    #expect(path.status == status)
    #expect(path.interface == interface)
    #expect(path.isExpensive == isExpensive)
    for type in NetworkPath.InterfaceType.allCases {
      #expect(path.usesInterfaceType(type) == (type == interface))
    }
  }
}

/// The names of the moves that a test with the trait saw.
private let seenMoves = Mutex<[String]>([])

@Suite("The trait for network moves", .serialized)
struct NetworkMovesTraitTests {
  @Test("A test runs once for each move", .networkMoves)
  func repeated() throws {
    let network = try #require(ScriptedNetwork.current)
    #expect(network.timeline.split(separator: "\n").count == 1)
    network.play()
    seenMoves.withLock { $0.append(network.timeline) }
  }

  @Test("Each move ran once, with networks of its own")
  func afterwards() {
    #expect(seenMoves.withLock { $0 }.count == NetworkMove.all.count)
    #expect(ScriptedNetwork.current == nil)
  }

  @Test("An issue contains the move and its timeline, and the other moves run as well")
  func issues() async throws {
    let test = try #require(Test.current)
    let moves = Mutex<[String]>([])
    let issues = Mutex<[String]>([])
    struct Broken: Error {}
    let trait: NetworkMovesTrait = .networkMoves(.wifiToCellular, .flap, .asleep)
    let collecting = IssueHandlingTrait.compactMapIssues { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
      return nil
    }
    try await collecting.provideScope(for: test, testCase: Test.Case.current) {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let network = try #require(ScriptedNetwork.current)
        network.play()
        moves.withLock { $0.append(network.timeline) }
        if network.path.interface == .wifi { throw Broken() }
        try #require(network.path.interface == .wifi)
      }
    }
    #expect(moves.withLock { $0 }.count == 3)
    let texts = issues.withLock { $0 }
    #expect(texts.count == 3)
    for (text, name) in zip(texts, ["wifi-to-cellular", "flap", "asleep"]) {
      #expect(text.contains("\(name):\n0s  WiFi\n"))
    }
  }
}
