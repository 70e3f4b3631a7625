package import HandoverEngine
package import HandoverScenario

/// What became of a fault when a scenario was played on a backend that has it.
package struct Conviction: Sendable {
  /// The id of the scenario.
  package var scenario: String
  /// The first thing that was not as it should be; nil where all was, and the fault survives.
  package var finding: Finding?
  /// The profile it was on.
  package var profile: String?
  /// The items that expectations show which did not hold, as `document id`, in the order of the
  /// scenario.
  package var items: [String]
  /// The items that the scenario shows, where a rule of every run was broken in it.
  package var itemsByRule: [String] = []
  /// What broke, so that there is no verdict; nil where nothing did.
  package var breakdown: String?

  /// Whether the fault is convicted.
  package var isConvicted: Bool { finding != nil && breakdown == nil }

  /// The items that it shows to be broken: those of the expectations that did not hold and, where a
  /// rule of every run was broken, all that the scenario shows.
  package var broken: [String] { items + itemsByRule.filter { !items.contains($0) } }

  /// Whether it shows that an item is broken, whatever document it is of.
  package func shows(_ item: String) -> Bool {
    broken.contains { $0.hasSuffix(" \(item)") }
  }
}

extension PlantedFault {
  /// Plays scenarios on a client with the fault, one after the other.
  ///
  /// - Parameters:
  ///   - fault: the fault; nil plays the client as it is.
  ///   - scenarios: what is played, each on all profiles that it names.
  /// - Returns: what became of each.
  package static func tried(_ fault: PlantedFault?, on scenarios: [Scenario]) -> [Conviction] {
    var worker = Worker(FaultyBackend(fault.map { [$0] } ?? []))
    return scenarios.map { scenario in
      Conviction(worker.run(scenario))
    }
  }
}

extension Conviction {
  /// What a scenario shows that was played on something that is wrong.
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
  /// The items that an expectation shows, as `document id`.
  fileprivate func items(of expectation: Expectation) -> [String] {
    expectation.shows.map { "\(sources[$0].document) \(sources[$0].item)" }
  }
}
