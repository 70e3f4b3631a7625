import ArgumentParser
import HandoverCore
import HandoverReport
import HandoverScenario

/// A scenario with the profiles on which it will run.
struct PlannedScenario: Sendable {
  var scenario: Scenario
  var profiles: [Profile]

  /// Returns the selected scenarios with the selected profiles.
  ///
  /// - Parameters:
  ///   - scenarios: All scenarios.
  ///   - names: The names of the selected profiles; empty for all.
  ///   - patterns: The patterns of the selected ids; empty for all.
  ///   - seed: The seed of all runs, or `nil` to use the seed of each scenario.
  /// - Returns: The scenarios in their order, without those that have none of the selected
  ///   profiles.
  static func plan(
    _ scenarios: [Scenario], profiles names: [String], only patterns: [String], seed: UInt64?
  ) -> [PlannedScenario] {
    scenarios.compactMap { scenario in
      guard isWanted(scenario.id, patterns) else { return nil }
      var profiles = scenario.profiles.filter { names.isEmpty || names.contains($0.name) }
      // A profile without a specification may be selected for any scenario with its work. If the
      // scenario does not name it, only the invariants are checked.
      let work = scenario.profiles.first?.client.work
      profiles += Profile.known.filter {
        !$0.isDocumented && $0.client.work == work && names.contains($0.name)
          && !profiles.contains($0)
      }
      guard !profiles.isEmpty else { return nil }
      var scenario = scenario
      if let seed { scenario.script.configuration.seed = seed }
      return PlannedScenario(scenario: scenario, profiles: profiles)
    }
  }

  /// Returns the message for scenarios that were run only on profiles that they do not name.
  static func expectationsMissing(on profiles: [String]) -> String {
    "Nothing was expected on \(profiles.joined(separator: ", ")): no scenario names "
      + (profiles.count == 1 ? "this profile" : "these profiles")
      + ", so only the invariants were checked."
  }
}

extension PlannedScenario {
  /// Plans a single scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - names: The names of the selected profiles; empty for all.
  ///   - file: The file as named on the command line.
  /// - Throws: ``ExitError`` after an error message if the scenario has none of the profiles.
  init(_ scenario: Scenario, profiles names: [String], of file: String) throws {
    guard let only = Self.plan([scenario], profiles: names, only: [], seed: nil).first else {
      throw ExitError(
        .nothingRan,
        printing: "\(file): error: the scenario does not name \(names.joined(separator: ", "))\n"
          + "    hint: choose one of its profiles: "
          + scenario.profiles.map(\.name).joined(separator: ", "))
    }
    self = only
  }
}

extension Script {
  /// The recordings that networks follow, in the order in which they are named.
  var traces: [LinkTrace] {
    let initial = qualities.map(\.quality)
    let later = entries.compactMap { entry -> LinkQuality? in
      guard case .network(_, .quality(let quality), _) = entry.action else { return nil }
      return quality
    }
    return (initial + later).compactMap(\.trace)
  }
}

extension [PlannedScenario] {
  /// Returns every n-th scenario, starting at the shard's index.
  ///
  /// Slow scenarios are often adjacent, so this distributes them evenly.
  func part(_ shard: RunDescription.Shard) -> [PlannedScenario] {
    stride(from: shard.index - 1, to: count, by: shard.count).map { self[$0] }
  }

  /// Whether a scenario names a profile on which it runs, and can therefore have expectations.
  var namesProfiles: Bool {
    contains { planned in planned.profiles.contains(where: planned.scenario.profiles.contains) }
  }

  /// The names of all cases, as in reports.
  var caseNames: [String] {
    flatMap { planned in planned.profiles.map { "\(planned.scenario.id) [\($0.name)]" } }
  }
}
