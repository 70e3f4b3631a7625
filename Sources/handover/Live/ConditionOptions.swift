import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverScenario

/// The quality of networks from the beginning of every run in virtual time.
struct ConditionOptions: ParsableArguments {
  @Option(help: ArgumentHelp(ConditionArgument.help, valueName: "medium:key=value"))
  var condition: [ConditionArgument] = []

  /// The arguments as given.
  var texts: [String] { condition.map(\.text) }

  func validate() throws {
    try ConditionArgument.validate(condition)
    for one in condition where one.conditions.idle != nil || one.conditions.nat != nil {
      throw ValidationError(
        "--condition \(one.text): only `handover lab exec` and `handover try` support idle and nat."
      )
    }
  }

  /// Returns the scenario with the qualities that the options specify.
  func apply(to planned: PlannedScenario) -> PlannedScenario {
    var planned = planned
    for one in condition {
      for path in planned.scenario.script.paths(overCellular: one.medium == .cellular) {
        planned.scenario.script.qualities.append(PathQuality(path, one.conditions.quality))
      }
    }
    return planned
  }
}
