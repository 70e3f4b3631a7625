import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

@Suite("Transition coverage")
struct SpaceTests {
  private static let monitored = Profile.known.filter(\.policy.monitorsReachability)

  @Test("Each cell has a unique index and name")
  func positions() {
    #expect(TransitionCell.all.map(\.position) == Array(0..<540))
    #expect(Set(TransitionCell.all.map(\.slug)).count == 540)
    let cell = TransitionCell(
      CategoryChange(from: .wifi, to: .noNetwork), .running, .transientFailure, .backgroundRunning)
    #expect(cell.slug == "wifi-to-none-running-transient-failure-background-running")
    let unheard = CategoryChange(from: .wifi, to: .unknown)
    #expect(TransitionCell(unheard, .running, .ready, .foreground).position == nil)
  }

  @Test("The reachable cells depend neither on the profile nor on other possible events")
  func reachable() {
    let reachable = TransitionCells.reachable()
    for profile in Self.monitored {
      for extras in [ExplorationSetup.Extras.tokens, .full] {
        var explorer = Explorer(cellsOf: ExplorationSetup(profile, calls: 2, extras: extras))
        #expect(explorer.run() == .closed)
        #expect(explorer.reachedCells == reachable, "\(profile.name) \(extras.rawValue)")
      }
    }
    var three = Explorer(cellsOf: ExplorationSetup(.socketsMonitor, calls: 3, extras: .tokens))
    #expect(three.run() == .closed)
    #expect(three.reachedCells == reachable)
  }

  @Test("A bound call has a channel, and a call that waits for a channel has none that is ready")
  func unreachable() {
    let reachable = TransitionCells.reachable()
    for cell in TransitionCell.all {
      let isPossible =
        switch (cell.phase, cell.channel) {
        case (.waiting, .shutdown), (.waiting, .ready), (.running, .shutdown): false
        default: true
        }
      #expect(reachable.contains(cell) == isPossible, "\(cell.slug)")
    }
  }

  @Test("A profile without a monitor reaches no cell")
  func noMonitor() {
    var explorer = Explorer(cellsOf: ExplorationSetup(.sockets, calls: 1, extras: .plain))
    #expect(explorer.run() == .closed)
    #expect(explorer.reachedCells.list.isEmpty)
  }

  @Test("Each cell has a valid scenario, which passes and reaches the cell")
  func proposals() throws {
    var explorer = Explorer(cellsOf: ExplorationSetup(.socketsMonitor))
    #expect(explorer.run() == .closed)
    var worker = Worker(SimulatedBackend(), retaining: .cells)
    var missing: [String] = []
    for cell in explorer.reachedCells.list {
      var result: CaseResult?
      let proposal = explorer.scenario(of: cell) { proposal in
        let bytes = [UInt8](proposal.text.utf8)
        let reading = ScenarioReader.read(file: "proposed", bytes: bytes)
        guard reading.diagnostics.isEmpty, let scenario = reading.scenario else { return false }
        result = worker.run(scenario).cases.first
        return result?.verdict == .passed && result?.cells.contains(cell) == true
      }
      if proposal?.id != "space/\(cell.slug)" { missing.append(cell.slug) }
    }
    #expect(missing == [])
  }

  @Test(
    "A proposed scenario is as short as possible, and expects what the specifications require"
  )
  func shortest() throws {
    var explorer = Explorer(cellsOf: ExplorationSetup(.socketsMonitor, extras: .plain))
    #expect(explorer.run() == .closed)
    let cell = TransitionCell(
      CategoryChange(from: .wifi, to: .cellular), .running, .ready, .background)
    let proposal = try #require(explorer.scenario(of: cell) { _ in true })
    #expect(
      proposal.text == """
        {
          "format": 1,
          "id": "space/wifi-to-cellular-running-ready-background",
          "title": "The category changes from WiFi to Cellular while a call runs, with a channel in READY, and the suspended application is notified when it returns",
          "source": [
            { "document": "network-transitions", "item": "D9" },
            { "document": "network-transitions", "item": "M9" }
          ],
          "profiles": ["sockets-monitor"],
          "initial": { "flags": ["Reachable"] },
          "hosts": { "host-1.example:443": { "names": "hang" } },
          "config": { "backoff": { "jitter": 0 }, "until": "200.4s" },
          "timeline": [
            { "at": "0s", "call": { "id": "call-1", "host": "host-1.example:443", "kind": "streaming" } },
            { "at": "100ms", "names": { "host": "host-1.example:443", "do": "resolve" } },
            { "at": "200ms", "app": "background" },
            { "at": "300ms", "flags": ["Reachable", "IsWWAN"] },
            { "at": "400ms", "app": "foreground" }
          ],
          "expect": [
            { "monitor": { "notifications": 1 }, "at": "400ms" },
            { "call": "call-1", "status": "UNAVAILABLE", "message": "Connectivity lost.", "at": "400ms" },
            { "channels": { "host": "*", "alive": 0 }, "at": "400ms" },
            { "connections": { "host": "*", "open": 0 }, "at": "400ms" }
          ]
        }

        """)
  }
}
