import HandoverCore
import HandoverEngine
import HandoverScenario

/// The details of a case on the page of a matrix; cases with identical details share them.
struct CaseStory: Hashable, Sendable {
  /// An expectation and its result.
  struct Expected: Hashable, Sendable {
    enum State: Int, Hashable, Sendable {
      case held
      case denied
      case recommendationDenied
      case notReported
      case unjudged
      case heldPartially
    }

    var text: String
    var state: State
    /// The observed behavior, or `nil` if the expectation passed.
    var seen: String?
    /// The location of the expectation: file, line and column.
    var location: String
  }

  /// A finding that does not belong to an expectation.
  struct Remark: Hashable, Sendable {
    /// The kind of the finding, such as `invariant 2`.
    var kind: String
    var expected: String
    var seen: String
    var at: Instant?
  }

  /// The expectations.
  var expected: [Expected]
  /// The other findings.
  var remarks: [Remark]
  /// The times from the network change to the ends of calls, or `nil` if the change affected no
  /// call.
  var figures: String?
  /// The events of the run as text.
  var rows: [TimelineRow]
  /// The number of further rows.
  var omittedRowCount: Int
  /// The events of the run as a drawing.
  var lanes: [TimelineLane]
  /// The instants of the findings.
  var marks: [Instant]
  /// The end of the run.
  var endedAt: Instant

  /// The maximum number of rows of a case.
  static let maximumRows = 300
  /// The maximum number of findings whose instants are marked.
  private static let maximumMarks = 5

  /// Creates the details of a case.
  init(_ result: CaseResult, _ scenario: Scenario) {
    expected = Self.expectations(of: result, scenario)
    remarks = result.findings.compactMap(Self.remark)
    figures = result.changeToEndText
    rows = []
    omittedRowCount = 0
    lanes = []
    if let trace = result.trace, !trace.records.isEmpty {
      let reported = TimelineRows.of(trace, script: scenario.script, closing: false) {
        $0 < Self.maximumRows
      }
      rows = reported.rows
      omittedRowCount = reported.heads.count - rows.count
      lanes = TimelineLanes.of(trace, script: scenario.script)
    }
    // Marks are positions in the drawing, so there are none without a drawing.
    let instants = result.findings.compactMap(\.at).sorted()
    marks =
      lanes.isEmpty
      ? []
      : Array(
        instants.reduce(into: []) { kept, instant in
          if kept.last != instant { kept.append(instant) }
        }.prefix(Self.maximumMarks))
    endedAt = result.endedAt
  }

  private static func expectations(of result: CaseResult, _ scenario: Scenario) -> [Expected] {
    let phrase = ExpectationPhrases(scenario.script)
    return scenario.expectations.filter {
      $0.profiles.contains { $0.name == result.profile }
    }.map { expectation in
      let finding = result.finding(about: expectation)
      return Expected(
        text: phrase.text(of: expectation).exactText, state: state(finding, result),
        seen: finding?.seenText.exactText, location: location(expectation.position, in: result.file)
      )
    }
  }

  private static func state(_ finding: Finding?, _ result: CaseResult) -> Expected.State {
    guard let finding else { return result.wasJudged ? .held : .unjudged }
    if finding.kind == .partlySeen { return .heldPartially }
    if finding.kind == .unsupported { return .notReported }
    return finding.verdict == .nonStrict ? .recommendationDenied : .denied
  }

  private static func location(_ position: TextPosition, in file: String) -> String {
    "\(file):\(position.line):\(position.column)"
  }

  private static func remark(_ finding: Finding) -> Remark? {
    let kind: String
    switch finding.kind {
    case .expectation, .neverEvaluated, .partlySeen: return nil
    // An expectation that cannot be observed has its own entry; an unsupported case has no
    // position.
    case .unsupported:
      guard finding.position == nil else { return nil }
      kind = "cannot run here"
    case .invariant(let rule): kind = "invariant \(rule)"
    case .faultWithoutEffect: kind = "a fault without effect"
    case .hang: kind = "a call that hangs (--max-hang)"
    case .unexpectedPass: kind = "an unexpected pass"
    case .flaky: kind = "flaky"
    case .breakdown: kind = "no verdict"
    }
    return Remark(
      kind: kind, expected: finding.expectedText.exactText, seen: finding.seenText.exactText,
      at: finding.at)
  }
}

extension CaseResult {
  /// The times from the network change to the ends of calls, or `nil` if the change affected no
  /// call.
  var changeToEndText: String? {
    guard !changeToEnd.isEmpty || neverEnded > 0 else { return nil }
    var parts: [String] = []
    if let shortest = changeToEnd.min(), let longest = changeToEnd.max() {
      let calls = counted(changeToEnd.count, "call")
      parts.append(
        shortest == longest
          ? "\(calls) ended \(longest.exactText) after the change"
          : "\(calls) ended \(shortest.exactText) to \(longest.exactText) after the change")
    }
    if neverEnded > 0 { parts.append(counted(neverEnded, "call") + " never ended") }
    return parts.joined(separator: ", ")
  }

  /// Whether the run reached a point at which its expectations could be evaluated.
  var wasJudged: Bool {
    !findings.contains { finding in
      finding.kind == .breakdown || finding.kind == .unsupported && finding.position == nil
    }
  }
}
