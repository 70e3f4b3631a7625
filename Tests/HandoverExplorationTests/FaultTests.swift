import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

extension ExplorationSetup {
  /// Creates a setup whose client has a mutant.
  init(
    _ profile: Profile, hosts: Int = 1, calls: Int, extras: Extras = .full, defect: Defect
  ) {
    self.init(profile, hosts: hosts, calls: calls, extras: extras)
    alter { $0.inject(defect) }
  }
}

/// An exploration that detects no mutant proves nothing.
@Suite("A client with a mutant")
struct FaultTests {
  struct Planted: CustomTestStringConvertible, Sendable {
    var defect: Defect
    var rule: RuleIdentifier
    var actions: Int

    var testDescription: String { defect.rawValue }

    var setup: ExplorationSetup {
      ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain, defect: defect)
    }
  }

  /// A mutant, and the number of actions in the shortest counterexample.
  static let planted = [
    Planted(defect: .ignoredRecovery, rule: .categoryChange, actions: 1),
    Planted(defect: .lostCall, rule: .categoryChange, actions: 2),
    Planted(defect: .cancelledByDisconnect, rule: .callEndsOnce, actions: 2),
    Planted(defect: .overtakenByCancel, rule: .callEndsOnce, actions: 3),
    Planted(defect: .doubleEnd, rule: .callEndsOnce, actions: 4),
    Planted(defect: .lateSend, rule: .sending, actions: 4),
    Planted(defect: .keptUnusedDelay, rule: .sharedChannel, actions: 4),
    Planted(defect: .keptWhileConnecting, rule: .categoryChange, actions: 6),
    Planted(defect: .keptBackoff, rule: .waiting, actions: 8),
    // Eleven failures: the twelfth attempt is the first whose delay exceeds the maximum.
    Planted(defect: .endlessBackoff, rule: .waiting, actions: 34),
  ]

  private static func counterexamples(
    _ planted: Planted
  ) throws -> (shortest: Counterexample, playable: Counterexample?) {
    var explorer = Explorer(planted.setup)
    guard case .broken(let shortest, let playable) = explorer.run() else {
      throw NotDetected()
    }
    return (shortest, playable)
  }

  struct NotDetected: Error {}

  @Test("A mutant is detected by a shortest sequence", arguments: planted)
  func detects(_ planted: Planted) throws {
    let counterexample = try Self.counterexamples(planted).shortest
    #expect(counterexample.violation.rule == planted.rule)
    #expect(counterexample.actions.count == planted.actions)
  }

  @Test(
    "A mutant fails the scenario of its counterexample, and other clients pass it",
    arguments: planted)
  func scenarios(_ planted: Planted) throws {
    let playable = try #require(try Self.counterexamples(planted).playable)
    let scenario = CounterexampleScenario(playable, planted.setup)
    #expect(scenario.obstacle == nil)
    let bytes = [UInt8](scenario.text.utf8)
    let reading = ScenarioReader.read(file: "found.json", bytes: bytes)
    let read = try #require(reading.scenario, "\(reading.diagnostics)\n\(scenario.text)")
    #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    #expect(CanonicalText.of(try JSONReader.read(bytes)) == bytes, "\(scenario.text)")
    var wrong = Worker(SimulatedBackend(altering: { $0.inject(planted.defect) }))
    #expect(wrong.run(read).cases.map(\.verdict) == [.failed], "\(scenario.text)")
    var right = Worker(SimulatedBackend())
    let cases = right.run(read).cases
    #expect(
      cases.map(\.verdict) == [.passed], "\(cases.flatMap(\.findings))\n\(scenario.text)")
  }

  @Test("A counterexample is shown with one line per action")
  func words() throws {
    for planted in Self.planted {
      let counterexample = try Self.counterexamples(planted).shortest
      for action in counterexample.actions {
        let sentence = action.sentence(in: planted.setup)
        #expect(!sentence.isEmpty && !sentence.contains("\n"))
      }
      #expect(!counterexample.violation.sentence.hasSuffix("."))
    }
  }
}
