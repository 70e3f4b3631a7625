import HandoverCore
import Testing

@testable import HandoverExploration

@Suite("A stopped exploration")
struct CheckpointTests {
  private static let setup = ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain)

  private static func stopped(after states: Int) throws -> [UInt8] {
    var explorer = Explorer(setup)
    _ = explorer.run(ExplorationLimits(states: states))
    return try explorer.checkpoint(version: "1")
  }

  @Test(
    "An exploration that is stopped anywhere resumes as if it had not been stopped",
    arguments: [1, 7, 500, 2_000])
  func shouldContinue(_ states: Int) throws {
    var whole = Explorer(Self.setup)
    #expect(whole.run() == .closed)
    var resumed = try Explorer(
      resuming: try Self.stopped(after: states), Self.setup, version: "1")
    #expect(resumed.figures.states > states)
    #expect(resumed.figures.states < whole.figures.states)
    #expect(resumed.run() == .closed)
    #expect(resumed.figures == whole.figures)
  }

  @Test("An exploration resumes to the end, or from depth to depth")
  func again() throws {
    var whole = Explorer(Self.setup)
    _ = whole.run()
    var explorer = Explorer(Self.setup)
    for depth in 1..<whole.figures.depth {
      #expect(explorer.run(ExplorationLimits(depth: depth)) == .stopped(.depth, growing: []))
    }
    #expect(explorer.run() == .closed)
    #expect(explorer.figures == whole.figures)
  }

  @Test("A resumed exploration finds the same shortest sequence")
  func finds() throws {
    let setup = ExplorationSetup(
      .socketsMonitor, calls: 2, extras: .plain, defect: .keptBackoff)
    var whole = Explorer(setup)
    let verdict = whole.run()
    var explorer = Explorer(setup)
    _ = explorer.run(ExplorationLimits(depth: 5))
    var resumed = try Explorer(
      resuming: try explorer.checkpoint(version: "1"), setup, version: "1")
    #expect(resumed.run() == verdict)
  }

  @Test("A checkpoint belongs to one setup and one version")
  func otherSetup() throws {
    let bytes = try Self.stopped(after: 100)
    for setup in [
      ExplorationSetup(.sockets, calls: 2, extras: .plain),
      ExplorationSetup(.socketsMonitor, calls: 3, extras: .plain),
      ExplorationSetup(.socketsMonitor, hosts: 2, calls: 2, extras: .plain),
      ExplorationSetup(.socketsMonitor, calls: 2, extras: .full),
      ExplorationSetup(
        .socketsMonitor, calls: 2, extras: .plain, defect: .lostCall),
    ] {
      #expect(throws: SavedFileProblem.other) {
        _ = try Explorer(resuming: bytes, setup, version: "1")
      }
    }
    #expect(throws: SavedFileProblem.other) {
      _ = try Explorer(resuming: bytes, Self.setup, version: "2")
    }
  }

  @Test("A checkpoint with a missing or changed byte is refused")
  func damaged() throws {
    let bytes = try Self.stopped(after: 30)
    for position in stride(from: 0, to: bytes.count, by: 97) {
      var other = bytes
      other[position] ^= 0x10
      #expect(throws: SavedFileProblem.self) {
        _ = try Explorer(resuming: other, Self.setup, version: "1")
      }
      #expect(throws: SavedFileProblem.self) {
        _ = try Explorer(resuming: Array(bytes[..<position]), Self.setup, version: "1")
      }
    }
    #expect(throws: SavedFileProblem.foreign) {
      _ = try Explorer(resuming: [], Self.setup, version: "1")
    }
  }
}
