package import HandoverEngine
package import HandoverScenario

/// The result of running a scenario on a backend with an injected bug.
package struct Kill: Sendable {
  /// The ID of the scenario.
  package var scenario: String
  /// The first deviation, or `nil` if there is none and the bug survives.
  package var finding: Finding?
  /// The profile on which the deviation occurred.
  package var profile: String?
  /// The requirements of the failed expectations, as `document id`, in the order of the scenario.
  package var items: [String]
  /// All requirements of the scenario if an invariant was violated; otherwise empty.
  package var itemsByRule: [String] = []
  /// The internal error that prevented a verdict, or `nil` if there was none.
  package var breakdown: String?

  /// Whether the bug is detected.
  package var isDetected: Bool { finding != nil && breakdown == nil }

  /// The requirements that the run violates.
  ///
  /// These are the requirements of the failed expectations and, if an invariant was violated, all
  /// requirements of the scenario.
  package var broken: [String] { items + itemsByRule.filter { !items.contains($0) } }

  /// Returns whether the run shows a violation of a requirement, whichever specification contains
  /// it.
  package func shows(_ item: String) -> Bool {
    broken.contains { $0.hasSuffix(" \(item)") }
  }
}

extension Mutant {
  /// Runs scenarios on a client with an injected bug, one after the other.
  ///
  /// - Parameters:
  ///   - fault: the bug, or `nil` to run the unmodified client.
  ///   - scenarios: the scenarios to run, each on all profiles that it names.
  /// - Returns: the result of each scenario.
  package static func tried(_ fault: Mutant?, on scenarios: [Scenario]) -> [Kill] {
    var worker = Worker(FaultyBackend(fault.map { [$0] } ?? []))
    return scenarios.map { scenario in
      Kill(worker.run(scenario))
    }
  }
}

extension Kill {
  /// Creates the result from a scenario that ran on a backend with an injected bug.
  package init(_ result: ScenarioResult) {
    let scenario = result.scenario
    self.init(scenario: scenario.id, items: [])
    for one in result.cases {
      for finding in one.findings where finding.verdict >= .failed {
        if finding.verdict == .error { breakdown = breakdown ?? finding.seen }
        if self.finding == nil {
          self.finding = finding
          profile = one.profile
        }
        if case .invariant = finding.kind, itemsByRule.isEmpty {
          itemsByRule = scenario.expectations.flatMap { scenario.items(of: $0) }
        }
        guard finding.kind == .expectation || finding.kind == .neverEvaluated,
          let shown = scenario.expectations.first(where: { $0.position == finding.position })
        else { continue }
        for item in scenario.items(of: shown) where !items.contains(item) { items.append(item) }
      }
    }
  }
}

extension Scenario {
  /// Returns the requirements that an expectation shows, as `document id`.
  fileprivate func items(of expectation: Expectation) -> [String] {
    expectation.shows.map { "\(sources[$0].document) \(sources[$0].item)" }
  }
}
