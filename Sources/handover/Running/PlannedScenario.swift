import ArgumentParser
import HandoverCore
import HandoverReport
import HandoverScenario

/// One scenario with the profiles it is to be run on.
struct PlannedScenario: Sendable {
  var scenario: Scenario
  var profiles: [Profile]

  /// What is to be run: the scenarios that are wanted, on the profiles that are wanted.
  ///
  /// - Parameters:
  ///   - scenarios: what there is.
  ///   - names: the profiles that are wanted; all, where none is named.
  ///   - patterns: the ids that are wanted; all, where there is no pattern.
  ///   - seed: the seed of all runs; nil leaves each its own.
  /// - Returns: the scenarios in their order, without those of which no profile is wanted.
  static func plan(
    _ scenarios: [Scenario], profiles names: [String], only patterns: [String], seed: UInt64?
  ) -> [PlannedScenario] {
    scenarios.compactMap { scenario in
      guard isWanted(scenario.id, patterns) else { return nil }
      var profiles = scenario.profiles.filter { names.isEmpty || names.contains($0.name) }
      // What is of no document is no contract of a scenario of calls unless it names it; the rules
      // that hold in every run are looked at all the same.
      if !scenario.profiles.contains(where: \.makesRequests) {
        profiles += Profile.known.filter {
          !$0.isDocumented && names.contains($0.name) && !profiles.contains($0)
        }
      }
      guard !profiles.isEmpty else { return nil }
      var scenario = scenario
      if let seed { scenario.script.configuration.seed = seed }
      return PlannedScenario(scenario: scenario, profiles: profiles)
    }
  }

  /// The message if scenarios were run only on profiles that they do not name.
  static func expectationsMissing(on profiles: [String]) -> String {
    "Nothing is expected on \(profiles.joined(separator: ", ")): no scenario names "
      + (profiles.count == 1 ? "this profile" : "these profiles")
      + ", so only the rules of every run were checked."
  }

  /// Refuses names that are of no profile.
  static func validate(profiles names: [String]) throws {
    for name in names where Profile.named(name) == nil {
      throw ValidationError(
        "There is no profile \"\(name)\"."
          + didYouMean(name, among: Profile.known.map(\.name)) + " Profiles: "
          + Profile.known.map(\.name).joined(separator: ", ") + ".")
    }
  }
}

extension [PlannedScenario] {
  /// Every n-th scenario, from that of the shard's index on: those that take long often stand
  /// beside each other.
  func part(_ shard: RunDescription.Shard) -> [PlannedScenario] {
    stride(from: shard.index - 1, to: count, by: shard.count).map { self[$0] }
  }

  /// Whether a scenario names a profile that it is run on, and so may expect something.
  var namesProfiles: Bool {
    contains { planned in planned.profiles.contains(where: planned.scenario.profiles.contains) }
  }

  /// The names of all cases, as reports call them.
  var caseNames: [String] {
    flatMap { planned in planned.profiles.map { "\(planned.scenario.id) [\($0.name)]" } }
  }
}
