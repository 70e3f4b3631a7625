import HandoverEngine
import HandoverReport

/// The exit status of the command; it is never a count.
enum ExitStatus: Int32 {
  /// Everything was as expected.
  case allAsExpected = 0
  /// A check failed, or a case passed unexpectedly.
  case failure = 1
  /// The command line or a file was invalid, or an output could not be written.
  case badInput = 2
  /// The harness or a backend failed, so there is no verdict.
  case breakdown = 3
  /// Nothing ran, or the cases that ran had no expectations.
  case nothingRan = 4
  /// SIGHUP interrupted the command.
  case hungUp = 129
  /// SIGINT interrupted the command.
  case interrupted = 130
  /// SIGTERM interrupted the command.
  case terminated = 143
}

extension ExitStatus {
  /// Returns the exit status of a run, or `nil` if everything is as expected.
  ///
  /// The first applicable status is returned.
  static func of(
    _ summary: Summary, within gates: Gates, isInputGood: Bool, isOutputGood: Bool, isSound: Bool,
    _ interruption: Interruption
  ) -> ExitStatus? {
    if let status = interruption.exitStatus { return status }
    if !isInputGood || !isOutputGood { return .badInput }
    if !isSound { return .breakdown }
    return of(summary, within: gates)
  }

  /// Prints an explanation to standard error if the reports do not contain it.
  ///
  /// - Parameters:
  ///   - paths: The paths of the scenarios.
  ///   - profiles: The names of the selected profiles.
  ///   - hasCases: Whether a case ran.
  ///   - isComplete: Whether all cases ran. Unfinished cases are reported elsewhere.
  func explain(paths: [String], profiles: [String], hasCases: Bool, isComplete: Bool) {
    switch self {
    case .hungUp, .interrupted, .terminated:
      if isComplete { printError("Interrupted after all scenarios had run.") }
    case .badInput:
      printError("Some files could not be run; see the errors above.")
    case .nothingRan:
      printError(
        hasCases
          ? PlannedScenario.expectationsMissing(on: profiles)
          : "Nothing ran: no scenario under \(paths.joined(separator: ", ")) matches the options. "
            + "`handover list` lists all scenarios.")
    case .allAsExpected, .failure, .breakdown: break
    }
  }

  /// Returns the exit status that follows from the verdicts, or `nil` if all are as expected.
  static func of(_ summary: Summary, within gates: Gates = Gates()) -> ExitStatus? {
    if summary.errors > 0 { return .breakdown }
    if summary.failed > 0 { return .failure }
    // A threshold counts as an expectation of every case.
    if summary.cases == 0 || summary.expectsNothing && gates.maxHang == nil { return .nothingRan }
    return nil
  }
}
