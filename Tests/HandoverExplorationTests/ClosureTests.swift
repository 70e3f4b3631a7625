import HandoverCore
import Testing

@testable import HandoverExploration

/// The invariants hold for sequences of any length, because the exploration is complete.
@Suite("An exploration of a client")
struct ClosureTests {
  struct Size: CustomTestStringConvertible, Sendable {
    var profile: Profile
    var hosts: Int
    var calls: Int
    var extras = ExplorationSetup.Extras.plain
    var states: Int
    var depth: Int

    var testDescription: String { "\(profile.name) \(hosts)x\(calls) \(extras.rawValue)" }

    var setup: ExplorationSetup {
      ExplorationSetup(profile, hosts: hosts, calls: calls, extras: extras)
    }
  }

  /// The numbers for `sockets-monitor` with plain actions equal those of a hand-written model for
  /// another model checker.
  ///
  /// That model has one more state: the one before the initial read.
  static let sizes = [
    Size(profile: .socketsMonitor, hosts: 1, calls: 1, states: 548, depth: 36),
    Size(profile: .socketsMonitor, hosts: 1, calls: 2, states: 2_196, depth: 40),
    Size(profile: .socketsMonitor, hosts: 1, calls: 3, states: 8_692, depth: 44),
    Size(profile: .sockets, hosts: 1, calls: 3, states: 2_173, depth: 44),
    Size(profile: .cfStream, hosts: 1, calls: 3, states: 2_173, depth: 44),
    Size(profile: .sockets2017, hosts: 1, calls: 2, states: 2_668, depth: 29),
    Size(profile: .cfStreamMonitor, hosts: 1, calls: 2, states: 2_196, depth: 40),
    Size(profile: .linuxSockets, hosts: 1, calls: 2, states: 549, depth: 40),
    Size(
      profile: .socketsMonitor, hosts: 1, calls: 1, extras: .full, states: 1_272, depth: 37),
    Size(
      profile: .socketsMonitor, hosts: 1, calls: 2, extras: .full, states: 23_124, depth: 44),
  ]

  @Test("The exploration is complete, and the client satisfies the invariants", arguments: sizes)
  func closes(_ size: Size) {
    var explorer = Explorer(size.setup)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == size.states)
    #expect(explorer.figures.depth == size.depth)
  }

  /// Runs the parts of its workers one after the other in reverse order, as threads might.
  private struct Backwards: WorkerPool {
    var count: Int

    func work(_ part: @Sendable (Int) -> Void) {
      for worker in (0..<count).reversed() { part(worker) }
    }
  }

  @Test("The result does not depend on the workers or their number", arguments: [2, 3, 5])
  func teams(_ count: Int) {
    for setup in [
      ExplorationSetup(.sockets, calls: 2, extras: .full),
      ExplorationSetup(
        .socketsMonitor, calls: 2, extras: .plain, defect: .endlessBackoff),
    ] {
      var alone = Explorer(setup)
      var together = Explorer(setup)
      let verdict = alone.run()
      let other = together.run(team: Backwards(count: count))
      #expect(other == verdict)
      #expect(together.figures == alone.figures)
    }
  }

  @Test("A stopped exploration proves nothing, and reports the reason")
  func stops() {
    let setup = ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain)
    var shallow = Explorer(setup)
    #expect(shallow.run(ExplorationLimits(depth: 5)) == .stopped(.depth, growing: []))
    #expect(shallow.figures.depth == 5)
    var small = Explorer(setup)
    #expect(small.run(ExplorationLimits(states: 500)) == .stopped(.states, growing: []))
    var brief = Explorer(setup)
    var asked = 0
    let verdict = brief.run { _ in
      asked += 1
      return asked < 3
    }
    #expect(verdict == .stopped(.fromOutside, growing: []))
    #expect(brief.figures.depth == 3)
  }

  @Test("The part of the state that grows without bound is named")
  func grows() throws {
    let setup = ExplorationSetup(.sockets, calls: 1, extras: .messages)
    var explorer = Explorer(setup)
    guard case .stopped(.growth, let growing) = explorer.run() else {
      Issue.record("it closes although messages have no limit")
      return
    }
    #expect(growing.map(\.name) == ["messages that wait for a connection"])
    #expect(try #require(growing.first).size >= 16)
  }
}
