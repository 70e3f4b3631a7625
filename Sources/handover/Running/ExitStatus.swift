import HandoverEngine
import HandoverReport

/// What the command leaves with; never a count.
enum ExitStatus: Int32 {
  /// Everything was as expected.
  case allAsExpected = 0
  /// Something failed, or passed unexpectedly.
  case failure = 1
  /// The command line or a file was wrong, or something could not be written.
  case badInput = 2
  /// The harness or a backend broke; there is no verdict.
  case breakdown = 3
  /// Nothing ran, or nothing was expected of what ran.
  case nothingRan = 4
  /// SIGHUP came in the middle.
  case hungUp = 129
  /// SIGINT came in the middle.
  case interrupted = 130
  /// SIGTERM came in the middle.
  case terminated = 143
}

extension ExitStatus {
  /// What a run leaves with; nil where all is as expected.
  ///
  /// The first that applies counts.
  static func of(
    _ summary: Summary, within gates: Gates, isInputGood: Bool, isOutputGood: Bool, isSound: Bool,
    _ interruption: Interruption
  ) -> ExitStatus? {
    if let status = interruption.exitStatus { return status }
    if !isInputGood || !isOutputGood { return .badInput }
    if !isSound { return .breakdown }
    return of(summary, within: gates)
  }

  /// What comes of the verdicts alone; nil where all are as expected.
  static func of(_ summary: Summary, within gates: Gates = Gates()) -> ExitStatus? {
    if summary.errors > 0 { return .breakdown }
    if summary.failed > 0 { return .failure }
    // A gate expects something of every case.
    if summary.cases == 0 || summary.expectsNothing && gates.maxHang == nil { return .nothingRan }
    return nil
  }
}
