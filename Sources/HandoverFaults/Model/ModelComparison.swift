import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import HandoverTrace

/// Plays scenarios on the model, which is the built-in client in its world, and on what is under
/// test, and finds what a scenario can tell them apart by.
struct ModelComparison {
  private let profile: Profile
  private var model = Worker(SimulatedBackend(), keeps: .traces)
  private var tested: Worker

  init(_ profile: Profile, _ tested: any Backend) {
    self.profile = profile
    self.tested = Worker(tested, keeps: .traces)
  }

  /// What came of a sequence on both.
  enum Outcome {
    /// It is no scenario of the profile.
    case impossible
    /// Nothing tells them apart.
    case same
    /// A scenario that the model passes, and the other does not.
    case differs(text: String, Finding)
  }

  /// Plays a sequence.
  mutating func outcome(of sequence: ModelSequence) -> Outcome {
    // An expectation at a late instant, whatever comes of it, lets the run go on until then: what
    // is merely periodic, and the disposal of unused channels, is seen too.
    let late = sequence.lateExpectation(profile)
    guard let scenario = read(sequence, [late]), let right = play(scenario, &model),
      right.verdict != .error, let rightTrace = right.trace
    else { return .impossible }
    guard let wrong = play(scenario, &tested) else { return .same }
    let ignored = scenario.expectations.first?.position
    func isBroken(_ finding: Finding) -> Bool {
      finding.verdict >= .failed && finding.position != ignored
    }
    // A fault that meets nothing fails wherever it is played.
    let broken = wrong.findings.first { isBroken($0) && !right.findings.contains($0) }
    if let wrongTrace = wrong.trace, broken == nil, wrongTrace.records == rightTrace.records {
      return .same
    }
    guard !right.findings.contains(where: isBroken) else { return .same }
    let hints = ModelExpectations(
      scenario, right, rightTrace, differingFrom: wrong.trace ?? Trace())
    if let told = told(sequence, hints.texts) { return told }
    // A rule of every run says it, without an expectation.
    guard broken != nil, let alone = read(sequence, []), play(alone, &model)?.verdict == .passed,
      let found = play(alone, &tested)?.findings.first(where: { $0.verdict >= .failed })
    else { return .same }
    return .differs(text: text(sequence, []), found)
  }

  /// The first expectation that holds of the model, and not of what is under test.
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
