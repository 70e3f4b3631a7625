import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

@Suite("A swarm of random runs")
struct SwarmTests {
  /// Returns the failure of a run, or `nil` if there is none.
  private static func finding(
    _ swarm: SwarmScenario, _ worker: inout Worker
  ) throws -> (scenario: Scenario, finding: Finding)? {
    let reading = ScenarioReader.read(file: "swarm.json", bytes: Array(swarm.text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)\n\(swarm.text)")
    let finding = FailureSignature.finding(of: worker.run(scenario).cases[0])
    // A random fault may have no effect.
    return finding.flatMap { $0.kind == .faultWithoutEffect ? nil : (scenario, $0) }
  }

  @Test(
    "A random run violates no invariant, every call ends, and the client becomes idle",
    arguments: Profile.known.filter { $0.client.work == .calls })
  func keepsRules(_ profile: Profile) throws {
    let setup = ExplorationSetup(profile, hosts: 2, calls: 3)
    var worker = Worker(SimulatedBackend())
    var calls = 0
    for seed in 0..<30 as Range<UInt64> {
      let swarm = SwarmScenario(setup, seed: seed, length: 150)
      let found = try Self.finding(swarm, &worker)
      #expect(found == nil, "seed \(seed): \(found.map { "\($0.finding)" } ?? "")")
      calls += swarm.callCount
    }
    #expect(calls > 500)
  }

  @Test("A run depends only on its seed")
  func seeds() {
    let setup = ExplorationSetup(.socketsMonitor, hosts: 2, calls: 3)
    let texts = (0..<20 as Range<UInt64>).map {
      SwarmScenario(setup, seed: $0, length: 50).text
    }
    #expect(Set(texts).count == texts.count)
    #expect(SwarmScenario(setup, seed: 7, length: 50).text == texts[7])
    let options = (0..<20 as Range<UInt64>).map { SwarmOptions(setup, seed: $0).text }
    #expect(Set(options).count > 10)
  }

  @Test("Each run leaves out some kinds of events, and each kind occurs in some run")
  func options() {
    let setup = ExplorationSetup(.socketsMonitor)
    let all = (0..<200 as Range<UInt64>).map { SwarmOptions(setup, seed: $0) }
    for event in SwarmEvent.allCases {
      #expect(all.contains { ($0.weights[event] ?? 0) > 0 })
      #expect(event == .calls || all.contains { $0.weights[event] == 0 })
    }
    let quiet = ExplorationSetup(.sockets, extras: .plain)
    #expect(SwarmOptions(quiet, seed: 3).weights[.callbacks] == 0)
  }

  // MARK: Mutants

  struct Planted: CustomTestStringConvertible, Sendable {
    var defect: Defect
    /// The first seed that finds the mutant, and the number of entries that show it.
    var seed: UInt64
    var entries: Int

    var testDescription: String { defect.rawValue }
  }

  static let planted = [
    Planted(defect: .lostCall, seed: 0, entries: 2),
    Planted(defect: .cancelledByDisconnect, seed: 0, entries: 2),
    Planted(defect: .overtakenByCancel, seed: 0, entries: 2),
    Planted(defect: .ignoredRecovery, seed: 0, entries: 1),
    Planted(defect: .lateSend, seed: 0, entries: 3),
    Planted(defect: .doubleEnd, seed: 6, entries: 3),
  ]

  @Test("A client with a mutant is detected, in few entries", arguments: planted)
  func detects(_ planted: Planted) throws {
    let setup = ExplorationSetup(
      .socketsMonitor, hosts: 2, calls: 3, defect: planted.defect)
    var worker = Worker(SimulatedBackend(altering: { $0.inject(planted.defect) }))
    var right = Worker(SimulatedBackend())
    for seed in 0..<planted.seed {
      let swarm = SwarmScenario(setup, seed: seed, length: 200)
      #expect(try Self.finding(swarm, &worker) == nil, "seed \(seed)")
    }
    let swarm = SwarmScenario(setup, seed: planted.seed, length: 200)
    let found = try #require(try Self.finding(swarm, &worker))
    var shrinker = Shrinker(
      try JSONReader.read(Array(swarm.text.utf8)), found.scenario, on: setup.profile,
      failingOf: found.finding, keptEntries: swarm.healing, play: { worker.run($0).cases.first },
      reference: { right.run($0).cases.first })
    #expect(shrinker.run() == .minimal)
    #expect(
      shrinker.size.entries == planted.entries, "\(String(decoding: shrinker.text, as: UTF8.self))")
  }

  @Test(
    "A call that never ends is shown with the entries that restore the network"
  )
  func hang() throws {
    let setup = ExplorationSetup(.sockets, hosts: 2, calls: 3)
    // A client that forgets its first call.
    var worker = Worker(SimulatedBackend())
    func forgetful(_ scenario: Scenario) -> CaseResult? {
      var result = worker.run(scenario).cases[0]
      let first = scenario.expectations.first {
        guard case .call(let call, _, _, _) = $0.subject else { return false }
        return scenario.script.calls[call].id == "call-1"
      }
      guard let first else { return result }
      result.verdict = .failed
      result.findings = [
        Finding(
          kind: .expectation, verdict: .failed, expected: "call \"call-1\" ends",
          seen: "it was unfinished", at: nil, position: first.position)
      ]
      return result
    }
    let swarm = SwarmScenario(setup, seed: 1, length: 40)
    let bytes = Array(swarm.text.utf8)
    let scenario = try #require(ScenarioReader.read(file: "s.json", bytes: bytes).scenario)
    let result = try #require(forgetful(scenario))
    let finding = try #require(FailureSignature.finding(of: result))
    var shrinker = Shrinker(
      try JSONReader.read(bytes), scenario, on: setup.profile, failingOf: finding,
      keptEntries: swarm.healing, play: forgetful)
    #expect(shrinker.run() == .minimal)
    let text = String(decoding: shrinker.text, as: UTF8.self)
    #expect(text.contains(#""app": "foreground""#) && text.contains(#""become": "resume""#))
    #expect(shrinker.size.calls == 1, "\(text)")
    #expect(shrinker.size.entries <= 1 + swarm.healing, "\(text)")
  }
}
