public import HandoverCore
public import HandoverScenario

/// The verdict of a case, ordered from best to worst; the worst part of a case decides.
public enum Verdict: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// All expectations hold.
  case passed
  /// All observable expectations hold, but some are not observable.
  case passedPartially
  /// A recommended expectation does not hold.
  case nonStrict
  /// The backend declared in advance that it cannot show anything that the scenario expects.
  case unsupported
  /// The case failed and is listed as known to fail, so it does not count as a failure.
  case failedAsExpected
  /// An expectation does not hold, or an invariant was violated.
  case failed
  /// The harness or the backend had an internal error, so there is no verdict.
  case error

  /// Returns whether the first verdict is better than the second.
  public static func < (left: Verdict, right: Verdict) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The name of the verdict in reports.
  public var name: String {
    switch self {
    case .passed: "PASSED"
    case .passedPartially: "PASSED IN PART"
    case .nonStrict: "NON-STRICT"
    case .unsupported: "UNSUPPORTED"
    case .failedAsExpected: "KNOWN"
    case .failed: "FAILED"
    case .error: "ERROR"
    }
  }
}

/// A problem that was found in a case.
public struct Finding: Hashable, Sendable {
  /// The kind of a finding.
  public enum Kind: Hashable, Sendable {
    /// An expectation did not hold.
    case expectation
    /// An expectation was not decided, because the run ended before its instant.
    case neverEvaluated
    /// A fault had no effect on any profile.
    case faultWithoutEffect
    /// An invariant, given by its number, was violated.
    case invariant(Int)
    /// A call hung for longer than ``Gates/maxHang`` after a network change.
    case hang
    /// A case that is known to fail did not fail.
    case unexpectedPass
    /// Repetitions of a case in real time had different verdicts.
    case flaky
    /// The backend shows only a part of an expectation, and that part holds.
    case partlySeen
    /// The backend cannot show the subject of an expectation.
    case unsupported
    /// The harness or the backend had an internal error.
    case breakdown
  }

  /// The kind.
  public var kind: Kind
  /// The verdict that the finding contributes to its case.
  public var verdict: Verdict
  /// The expected behavior, with its times.
  public var expectedText: TimedText
  /// The observed behavior, with its times.
  public var seenText: TimedText
  /// The time of the finding, or `nil` if no instant applies.
  public var at: Instant?
  /// The position of the expectation or the fault in the file.
  public var position: TextPosition?

  /// The maximum number of findings of one kind and verdict per case; one more finding gives the
  /// number of the rest.
  static let maximumCount = 1_000

  /// Creates a finding that gives the number of omitted findings.
  static func more(
    _ count: Int, _ kind: Kind, _ verdict: Verdict, expected: String
  ) -> Finding {
    Finding(
      kind: kind, verdict: verdict, expected: expected,
      seen: "\(counted(count, "more finding")); only the first \(maximumCount) are listed",
      at: nil, position: nil)
  }

  /// The expected behavior with times in the format of scenarios, for programs.
  public var expected: String {
    get { expectedText.text }
    set { expectedText = TimedText(newValue) }
  }

  /// The observed behavior with times in the format of scenarios, for programs.
  public var seen: String {
    get { seenText.text }
    set { seenText = TimedText(newValue) }
  }

  /// Creates a finding.
  public init(
    kind: Kind, verdict: Verdict, expectedText: TimedText, seenText: TimedText, at: Instant?,
    position: TextPosition?
  ) {
    self.kind = kind
    self.verdict = verdict
    self.expectedText = expectedText
    self.seenText = seenText
    self.at = at
    self.position = position
  }

  /// Creates a finding without times.
  public init(
    kind: Kind, verdict: Verdict, expected: String, seen: String, at: Instant?,
    position: TextPosition?
  ) {
    self.init(
      kind: kind, verdict: verdict, expectedText: TimedText(expected), seenText: TimedText(seen),
      at: at, position: position)
  }
}

/// The share of a scenario's expectations that a backend can show.
///
/// Each expectation counts once. A partly observable expectation counts as two, of which one is
/// observed.
public struct ObservedCoverage: Hashable, Sendable {
  /// The number of observable parts.
  public var seen = 0
  /// The total number of parts.
  public var all = 0

  /// Creates an empty count.
  public init() {}

  mutating func count(seen: Int, of all: Int) {
    self.seen += seen
    self.all += all
  }

  /// Whether some parts are not observable.
  public var isPartial: Bool { seen < all }

  /// Both numbers, such as `5 of 6`.
  public var text: String { "\(seen) of \(all)" }
}

/// The outcome of one call of a case.
public struct CallOutcome: Hashable, Sendable {
  /// The name of the call.
  public var id: String
  /// The end of the call, or `nil` if it had not ended when the run was over or was never started.
  public var end: CallEnd?
  /// The client's status message, or `nil` if the call did not end.
  public var message: String?
  /// The time at which the call ended.
  public var endedAt: Instant?
}

/// The result of a scenario on one profile.
public struct CaseResult: Sendable {
  /// The ID of the scenario.
  public var id: String
  /// The file of the scenario.
  public var file: String
  /// The name of the profile.
  public var profile: String
  /// The verdict.
  public var verdict: Verdict
  /// The findings, in the order of the file.
  public var findings: [Finding]
  /// The outcomes of the calls, in script order.
  public var calls: [CallOutcome]
  /// The times from a device move to the end of each call that it ended.
  public var changeToEnd: [Interval]
  /// The share of the expectations that the backend can show.
  public var coverage = ObservedCoverage()
  /// The number of calls that never ended after the last device move that affected them.
  public var neverEnded = 0
  /// The calls that hung for longer than ``Gates/maxHang``, in script order.
  public var hangs: [HungCall] = []
  /// The time at which the run was over.
  public var endedAt: Instant
  /// The digest of the trace.
  public var digest: Digest?
  /// The trace; kept if there are findings, or on request.
  public var trace: Trace?
  /// The indices of the expectations that were decided and held, in the order of the decisions;
  /// kept on request.
  public var satisfiedExpectations: [Int] = []
  /// The transition cells that the run covered; kept on request.
  package var cells = TransitionCells()
  /// The location of the entry for a known failure, such as `known.txt:3`, or `nil` if the case
  /// must pass.
  public var knownFailureLocation: String?
  /// The transport variant of the case, or `nil` for the plain transport.
  public var variant: TransportVariant?
  /// The end of the backend's log output; kept if the case failed or has no verdict.
  public var log = ""
  /// The real time that the run took, or `nil` if it was not measured.
  public var duration: Interval?
  /// The verdicts of the repetitions, if the case was run several times in real time.
  public var repetitions: [Verdict] = []
}

extension CaseResult {
  /// Creates the result of a case without a verdict, because of an internal error.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - profile: the profile.
  ///   - reason: the description of the error.
  public init(of scenario: Scenario, on profile: Profile, brokenBy reason: String) {
    let finding = Finding(
      kind: .breakdown, verdict: .error, expected: "the harness runs the scenario", seen: reason,
      at: nil, position: nil)
    self.init(
      id: scenario.id, file: scenario.file, profile: profile.name, verdict: .error,
      findings: [finding], calls: [], changeToEnd: [], endedAt: .zero, digest: nil, trace: nil)
  }
}

/// The results of a scenario on the profiles on which it was run.
public struct ScenarioResult: Sendable {
  /// The scenario.
  public var scenario: Scenario
  /// The results, one for each profile.
  public var cases: [CaseResult]
  /// The results for each profile and each transport variant that applies to it.
  ///
  /// Only invariants are checked for variants. A violation is also reported in the plain case.
  public var variants: [CaseResult] = []
}
