import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation

/// Runs scenarios on the model and on the tested backend, and searches for an expectation that
/// distinguishes both.
///
/// The model is the built-in client in its simulated world.
struct ModelComparison {
  private let profile: Profile
  private var model = Worker(SimulatedBackend(), retaining: .traces)
  private var tested: Worker

  init(_ profile: Profile, _ tested: any Backend) {
    self.profile = profile
    self.tested = Worker(tested, retaining: .traces)
  }

  /// The result of running a sequence on both backends.
  enum Outcome {
    /// The sequence is not a valid scenario of the profile.
    case impossible
    /// No expectation distinguishes the backends.
    case same
    /// A scenario that passes on the model and fails on the tested backend.
    case differs(text: String, Finding)
  }

  /// Runs a sequence.
  mutating func outcome(of sequence: ModelSequence) -> Outcome {
    // An expectation at a late instant keeps the run going until then, whatever its result is.
    // Therefore the run also includes periodic events and the disposal of unused channels.
    guard let bare = sequence.scenario(profile) else { return .impossible }
    let scenario = expecting([sequence.lateExpectation(profile)], bare)
    guard let right = play(scenario, &model), right.verdict != .error,
      let rightTrace = right.trace
    else { return .impossible }
    guard let wrong = play(scenario, &tested) else { return .same }
    let ignored = scenario.expectations.first?.position
    func isBroken(_ finding: Finding) -> Bool {
      finding.verdict >= .failed && finding.position != ignored
    }
    // A fault without effect fails on every backend, so findings that the model has too do not
    // count.
    let broken = wrong.findings.first { isBroken($0) && !right.findings.contains($0) }
    if let wrongTrace = wrong.trace, broken == nil, wrongTrace.records == rightTrace.records {
      return .same
    }
    guard !right.findings.contains(where: isBroken) else { return .same }
    let hints = ModelExpectations(
      scenario, right, rightTrace, differingFrom: wrong.trace ?? Trace())
    if let difference = difference(bare, hints.expectations) { return difference }
    // An invariant detects the difference without an expectation.
    let alone = expecting([], bare)
    guard broken != nil, play(alone, &model)?.verdict == .passed,
      let found = play(alone, &tested)?.findings.first(where: { $0.verdict >= .failed })
    else { return .same }
    return .differs(text: alone.text, found)
  }

  /// Returns the first expectation that holds for the model but not for the tested backend, or
  /// `nil` if there is none.
  private mutating func difference(_ bare: Scenario, _ expectations: [Expectation]) -> Outcome? {
    let all = expecting(expectations, bare)
    let failing = failing(play(all, &model))
    let held = expecting(all.expectations.filter { !failing.contains($0.position) }, bare)
    let broken = self.failing(play(held, &tested))
    for expectation in held.expectations where broken.contains(expectation.position) {
      let scenario = expecting([expectation], bare)
      guard play(scenario, &model)?.verdict == .passed,
        let found = play(scenario, &tested)?.findings.first(where: { $0.verdict >= .failed })
      else { continue }
      return .differs(text: scenario.text, found)
    }
    return nil
  }

  private func failing(_ result: CaseResult?) -> Set<TextPosition> {
    Set((result?.findings ?? []).filter { $0.verdict >= .failed }.compactMap(\.position))
  }

  private func play(_ scenario: Scenario, _ worker: inout Worker) -> CaseResult? {
    worker.run(scenario).cases.first
  }

  /// Returns a scenario with expectations, each of which has its own position.
  private func expecting(_ expectations: [Expectation], _ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.title = "After these actions the client differs from the model"
    scenario.expectations = expectations.enumerated().map { position, expectation in
      var expectation = expectation
      expectation.profiles = scenario.profiles
      // The entries are on the first line.
      expectation.position = TextPosition(line: position + 2, column: 1)
      return expectation
    }
    return scenario
  }
}
