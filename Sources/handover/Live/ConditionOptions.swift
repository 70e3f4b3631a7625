import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverScenario

#if os(Linux)
  import HandoverLab
#endif

/// How good paths are from the beginning of every run in virtual time.
struct ConditionOptions: ParsableArguments {
  #if os(Linux)
    @Option(help: ArgumentHelp(ConditionArgument.help, valueName: "medium:key=value"))
    var condition: [ConditionArgument] = []

    /// What stood on the command line.
    var texts: [String] { condition.map(\.text) }

    func validate() throws {
      for one in condition where one.conditions.idle != nil {
        throw ValidationError(
          "--condition \(one.text): idle is played by `handover lab exec` and `handover try` only.")
      }
    }

    /// The scenario, played with paths as good as that.
    func apply(to planned: PlannedScenario) -> PlannedScenario {
      var planned = planned
      for one in condition {
        for path in planned.scenario.script.paths(overCellular: one.medium == .cellular) {
          planned.scenario.script.qualities.append(PathQuality(path, one.conditions.quality))
        }
      }
      return planned
    }
  #else
    /// Nothing: networks of this system have no quality that is known.
    var texts: [String] { [] }

    /// The scenario as it is.
    func apply(to planned: PlannedScenario) -> PlannedScenario { planned }
  #endif
}
