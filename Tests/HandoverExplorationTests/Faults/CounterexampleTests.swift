import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverScenario
import HandoverSimulation
import Testing

/// An exploration that detects no mutant proves nothing.
@Suite("A mutant of a client")
struct CounterexampleTests {
  /// A mutant that an exploration finds, and the maximum number of actions.
  struct Found: CustomTestStringConvertible, Sendable {
    var name: String
    var bound: Int
    var walk: Mutant.Walk

    var testDescription: String { "\(name), \(bound) acts" }

    func counterexamples() throws -> (
      setup: ExplorationSetup, shortest: Counterexample, playable: Counterexample?
    ) {
      let fault = try #require(Mutant.named(name))
      guard case .rules(let hosts, let calls, let isPlain) = walk.judge else {
        throw NotDetected()
      }
      var setup = ExplorationSetup(
        try #require(Profile.named(walk.profile)), hosts: hosts, calls: calls,
        extras: isPlain ? .plain : .full)
      setup.alter(fault.alter)
      var explorer = Explorer(setup)
      guard case .broken(let shortest, let playable) = explorer.run() else {
        throw NotDetected()
      }
      return (setup, shortest, playable)
    }
  }

  struct NotDetected: Error {}

  static let found: [Found] = Mutant.all.compactMap { fault in
    guard case .actions(let bound, let walk) = fault.depth, walk.exploresStates else { return nil }
    return Found(name: fault.name, bound: bound, walk: walk)
  }

  @Test("A mutant is found by a shortest sequence of the stated length", arguments: found)
  func lengths(_ one: Found) throws {
    #expect(try one.counterexamples().shortest.actions.count == one.bound)
  }

  @Test(
    "A mutant is found again with the file of its counterexample, which other clients pass",
    arguments: found)
  func files(_ one: Found) throws {
    let (setup, _, playable) = try one.counterexamples()
    let fault = try #require(Mutant.named(one.name))
    let text = CounterexampleScenario(try #require(playable), setup).text
    let reading = ScenarioReader.read(file: "found.json", bytes: [UInt8](text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)\n\(text)")
    var wrong = Worker(FaultyBackend([fault]))
    #expect(wrong.run(scenario).cases.map(\.verdict) == [.failed], "\(text)")
    var right = Worker(SimulatedBackend())
    let cases = right.run(scenario).cases
    #expect(cases.map(\.verdict) == [.passed], "\(cases.flatMap(\.findings))\n\(text)")
  }

  @Test("Ten mutants need more than eight actions, and three need more than twenty")
  func depths() {
    #expect(Self.found.count { $0.bound > 8 } >= 10)
    #expect(Self.found.count { $0.bound > 20 } >= 3)
  }
}
