import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import HandoverTrace

/// Runs scenarios on the model and on the tested backend, and searches for an expectation that
/// distinguishes both.
///
/// The model is the built-in client in its simulated world.
struct ModelComparison {
  private let profile: Profile
  private var model = Worker(SimulatedBackend(), keeps: .traces)
  private var tested: Worker

  init(_ profile: Profile, _ tested: any Backend) {
    self.profile = profile
    self.tested = Worker(tested, keeps: .traces)
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
    let late = sequence.lateExpectation(profile)
    guard let scenario = read(sequence, [late]), let right = play(scenario, &model),
      right.verdict != .error, let rightTrace = right.trace
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
    if let told = told(sequence, hints.texts) { return told }
    // An invariant detects the difference without an expectation.
    guard broken != nil, let alone = read(sequence, []), play(alone, &model)?.verdict == .passed,
      let found = play(alone, &tested)?.findings.first(where: { $0.verdict >= .failed })
    else { return .same }
    return .differs(text: text(sequence, []), found)
  }

  /// Returns the first expectation that holds for the model but not for the tested backend, or
  /// `nil` if there is none.
  private mutating func told(_ sequence: ModelSequence, _ texts: [String]) -> Outcome? {
    guard let all = read(sequence, texts) else { return nil }
    let failing = failing(play(all, &model))
    let kept = texts.indices.filter { !failing.contains(all.expectations[$0].position) }
      .map { texts[$0] }
    guard let held = read(sequence, kept) else { return nil }
    let broken = self.failing(play(held, &tested))
    for (place, text) in kept.enumerated()
    where broken.contains(held.expectations[place].position) {
      guard let scenario = read(sequence, [text]), play(scenario, &model)?.verdict == .passed,
        let found = play(scenario, &tested)?.findings.first(where: { $0.verdict >= .failed })
      else { continue }
      return .differs(text: self.text(sequence, [text]), found)
    }
    return nil
  }

  private func failing(_ result: CaseResult?) -> Set<TextPosition> {
    Set((result?.findings ?? []).filter { $0.verdict >= .failed }.compactMap(\.position))
  }

  private func play(_ scenario: Scenario, _ worker: inout Worker) -> CaseResult? {
    worker.run(scenario).cases.first
  }

  private func read(_ sequence: ModelSequence, _ expectations: [String]) -> Scenario? {
    let text = text(sequence, expectations)
    return ScenarioReader.read(file: "sequence", bytes: [UInt8](text.utf8)).scenario
  }

  private func text(_ sequence: ModelSequence, _ expectations: [String]) -> String {
    sequence.text(
      profile, title: "After these acts it differs from the model", expecting: expectations)
  }
}
