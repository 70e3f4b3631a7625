import HandoverEngine

/// The outcome of a test in reports for other tools, which have fewer outcomes than Handover has
/// verdicts.
///
/// | outcome | verdicts of `handover run` | verdicts of `handover try` | JUnit |
/// |---|---|---|---|
/// | `passed` | PASSED, NON-STRICT, PASSED IN PART | all others | none |
/// | `skipped` | UNSUPPORTED, KNOWN | INCONCLUSIVE, and known failures | `skipped` |
/// | `failed` | FAILED | failures, and exceeded limits | `failure` |
/// | `error` | ERROR | none | `error` |
///
/// The failures of a program are HANGS, GIVES UP, and LATE without recovery.
enum TestOutcome: Hashable, Sendable {
  case passed
  case skipped
  case failed
  case error
}

extension Verdict {
  var testOutcome: TestOutcome {
    switch self {
    case .passed, .passedPartially, .nonStrict: .passed
    case .unsupported, .failedAsExpected: .skipped
    case .failed: .failed
    case .error: .error
    }
  }
}

extension TryRow {
  func testOutcome(_ gates: TryGates) -> TestOutcome {
    if fails(gates) { return .failed }
    return isInconclusive || knownLocation(gates) != nil ? .skipped : .passed
  }
}
