package import HandoverCore
package import HandoverEngine
package import HandoverScenario

/// The coverage of the requirements: the expectations that show each one, and the reasons for gaps.
package struct Coverage: Sendable {
  /// The coverage state of a requirement.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Covered: an expectation that was evaluated and passed shows the requirement.
    case kept
    /// The implementation deliberately deviates from the requirement.
    case deviates
    /// Referenced: a scenario cites the requirement or a test covers it, but no expectation shows
    /// it.
    case cited
    /// No scenario can express the requirement.
    case inexpressible
    /// Uncovered: nothing refers to the requirement.
    case open
  }

  /// An expectation that was evaluated and passed on all its profiles.
  package struct Witness: Hashable, Sendable {
    /// The scenario's ID.
    package var scenario: String
    /// The position of the expectation in the scenario's file.
    package var position: TextPosition
    /// The profiles on which the expectation was evaluated.
    package var profiles: [String]
    /// The expectation as text.
    package var phrase: String
  }

  /// The detection of a mutant that violates a requirement, by a scenario.
  package struct Kill: Hashable, Sendable {
    /// The mutant's name.
    package var fault: String
    /// The scenario's ID.
    package var scenario: String

    /// Creates a detection.
    package init(fault: String, scenario: String) {
      self.fault = fault
      self.scenario = scenario
    }
  }

  /// A requirement with its coverage.
  package struct Row: Sendable {
    /// The requirement.
    package var item: ItemCatalog.Item
    /// The expectations that show the requirement, or the behavior that replaces it.
    package internal(set) var witnesses: [Witness] = []
    /// The IDs of the scenarios that cite the requirement.
    package internal(set) var scenarios: [String] = []
    /// The detected mutants that violate the requirement, in the order of their list.
    package internal(set) var kills: [Kill] = []
    /// The reason why the requirement is not covered, or not fully covered.
    package internal(set) var reason: ItemCatalog.Reason?

    /// The coverage state.
    package var state: State {
      switch reason?.kind {
      case .deviates: .deviates
      case .cited: .cited
      case .inexpressible: .inexpressible
      case .partly, nil: witnesses.isEmpty ? scenarios.isEmpty ? .open : .cited : .kept
      }
    }

    /// Whether the requirement is covered and a mutant that violates it was detected.
    package var isDetected: Bool { state == .kept && !kills.isEmpty }

    /// Whether only a part of the requirement is covered.
    package var isPartial: Bool { reason?.kind == .partly }
  }

  /// The requirements, in the order of the catalog.
  package private(set) var rows: [Row] = []
  /// The inconsistencies, each in one line.
  package private(set) var problems: [String] = []
  private var indices: [String: Int] = [:]  // lookup only

  /// Creates the table of requirements, without any scenarios.
  package init(items: [ItemCatalog.Item], reasons: [ItemCatalog.Reason]) {
    var ids: Set<String> = []  // lookup only
    for item in items {
      if !ids.insert(item.id).inserted {
        problems.append("error: the catalog contains the requirement \(item.id) twice")
      }
      indices[Self.key(item.document, item.id)] = rows.count
      rows.append(Row(item: item))
    }
    for reason in reasons {
      let name = "\(reason.document) \(reason.id)"
      guard let index = indices[Self.key(reason.document, reason.id)] else {
        problems.append("error: there is a reason for \(name), which is not a requirement")
        continue
      }
      if rows[index].reason != nil {
        problems.append("error: there are two reasons for \(name)")
      }
      rows[index].reason = reason
    }
  }

  /// Adds a scenario that was run on all its profiles, with the results of its expectations.
  package mutating func add(_ result: ScenarioResult) {
    let scenario = result.scenario
    for source in scenario.sources {
      if let index = indices[Self.key(source.document, source.item)] {
        rows[index].scenarios.append(scenario.id)
      } else {
        complain(
          scenario, source.position, "unknown requirement \(source.item) of \(source.document)")
      }
    }
    let phrase = ExpectationPhrases(scenario.script)
    for (index, expectation) in scenario.expectations.enumerated() where !expectation.shows.isEmpty
    {
      if let flaw = Self.flaw(of: expectation, at: index, in: result) {
        complain(scenario, expectation.position, flaw)
        continue
      }
      let witness = Witness(
        scenario: scenario.id, position: expectation.position,
        profiles: expectation.profiles.map(\.name), phrase: phrase.text(of: expectation).exactText)
      for source in expectation.shows {
        let reference = scenario.sources[source]
        guard let index = indices[Self.key(reference.document, reference.item)] else { continue }
        rows[index].witnesses.append(witness)
      }
    }
  }

  /// Adds the detection of a mutant by a scenario.
  ///
  /// - Parameters:
  ///   - fault: the mutant's name.
  ///   - items: the IDs of the requirements that the mutant violates.
  ///   - shown: the requirements that the scenario showed to be violated, as `document id`.
  ///   - scenario: the scenario's ID.
  package mutating func recordKill(
    _ fault: String, of items: [String], showing shown: [String], by scenario: String
  ) {
    for key in shown {
      guard let index = indices[key], items.contains(rows[index].item.id),
        !rows[index].kills.contains(where: { $0.fault == fault })
      else { continue }
      rows[index].kills.append(Kill(fault: fault, scenario: scenario))
    }
  }

  /// The requirements that are covered, but have no detected mutant.
  package var undetected: [Row] { rows.filter { $0.state == .kept && $0.kills.isEmpty } }

  /// Reports requirements with contradictory information; call this after everything was added.
  package mutating func finish() {
    for row in rows {
      let name = "\(row.item.document) \(row.item.id)"
      switch row.reason?.kind {
      case .partly where row.witnesses.isEmpty:
        problems.append(
          "error: the reason for \(name) says partly covered, but no expectation shows it")
      case .cited where !row.witnesses.isEmpty:
        problems.append(
          "error: the reason for \(name) says referenced, but \(row.witnesses[0].scenario) shows it"
        )
      case .inexpressible where !row.scenarios.isEmpty:
        problems.append(
          "error: the reason for \(name) says not expressible, but \(row.scenarios[0]) cites it")
      case .partly, .cited, .inexpressible, .deviates, nil:
        break
      }
    }
  }

  /// Returns the number of requirements in a state.
  package func count(_ state: State) -> Int { rows.count { $0.state == state } }

  /// Returns the reason why an expectation shows no requirement.
  ///
  /// The result is `nil` if the expectation was evaluated and passed on all its profiles.
  private static func flaw(
    of expectation: Expectation, at index: Int, in result: ScenarioResult
  ) -> String? {
    guard expectation.level == .must else { return "a recommendation cannot show a requirement" }
    for profile in expectation.profiles {
      guard let played = result.cases.first(where: { $0.profile == profile.name }) else {
        return "it shows requirements, but did not run on \(profile.name)"
      }
      guard played.satisfiedExpectations.contains(index) else {
        return "it shows requirements, but failed on \(profile.name)"
      }
      guard played.verdict < .failed else {
        return "it shows requirements, but its scenario failed on \(profile.name)"
      }
    }
    return nil
  }

  private mutating func complain(
    _ scenario: Scenario, _ position: TextPosition, _ problem: String
  ) {
    problems.append("\(scenario.file):\(position.line):\(position.column): error: \(problem)")
  }

  private static func key(_ document: String, _ id: String) -> String { "\(document) \(id)" }
}
