import HandoverCore
import HandoverEngine
import HandoverJSON
import HandoverScenario
import HandoverTrace

/// What a matrix tells of a case to whoever opens it; cases that went the same way share one.
struct CaseStory: Hashable, Sendable {
  /// An expectation, and whether it held.
  struct Expected: Hashable, Sendable {
    enum State: Int, Hashable, Sendable {
      case held
      case denied
      case wishDenied
      case untold
      case unjudged
      case heldAsFarAsSeen
    }

    var text: String
    var state: State
    /// What was seen in its place; nil where it held.
    var seen: String?
    /// Where it stands in its file.
    var place: String
  }

  /// Something else that was not as it should be.
  struct Remark: Hashable, Sendable {
    /// What kind of thing: `rule 2, which holds in every run`.
    var kind: String
    var expected: String
    var seen: String
    var at: Instant?
  }

  /// What should happen.
  var expected: [Expected]
  /// What else was wrong.
  var remarks: [Remark]
  /// From the change to the end of a call, in words; nil where no call was touched.
  var figures: String?
  /// What did happen, in words.
  var rows: [TimelineRow]
  /// How many rows there are besides.
  var furtherRows: Int
  /// What did happen, to draw.
  var lanes: [TimelineLane]
  /// The instants that findings name.
  var marks: [Instant]
  /// When the run was over.
  var endedAt: Instant

  /// How many rows are kept of a case.
  static let maximumRows = 300
  /// How many findings mark their instants.
  private static let maximumMarks = 5

  /// Tells a case.
  init(_ result: CaseResult, _ scenario: Scenario) {
    expected = Self.expectations(of: result, scenario)
    remarks = result.findings.compactMap(Self.remark)
    figures = result.changeToEndText
    rows = []
    furtherRows = 0
    lanes = []
    if let trace = result.trace, !trace.records.isEmpty {
      let told = TimelineRows.of(trace, script: scenario.script, closing: false) {
        $0 < Self.maximumRows
      }
      rows = told.rows
      furtherRows = told.heads.count - rows.count
      lanes = TimelineLanes.of(trace, script: scenario.script)
    }
    // The marks are places on the time line; when nothing is drawn, there is none.
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
    let words = ExpectationWords(scenario.script)
    return scenario.expectations.filter {
      $0.profiles.contains { $0.name == result.profile }
    }.map { expectation in
      let finding = result.finding(about: expectation)
      return Expected(
        text: words.text(of: expectation), state: state(finding, result),
        seen: finding?.seenText.told, place: place(expectation.position, in: result.file))
    }
  }

  private static func state(_ finding: Finding?, _ result: CaseResult) -> Expected.State {
    guard let finding else { return result.wasJudged ? .held : .unjudged }
    if finding.kind == .partlySeen { return .heldAsFarAsSeen }
    if finding.kind == .unsupported { return .untold }
    return finding.verdict == .nonStrict ? .wishDenied : .denied
  }

  private static func place(_ position: TextPosition, in file: String) -> String {
    "\(file):\(position.line):\(position.column)"
  }

  private static func remark(_ finding: Finding) -> Remark? {
    let kind: String
    switch finding.kind {
    case .expectation, .neverEvaluated, .partlySeen: return nil
    // An expectation that cannot be told says so itself; a case that cannot be played has no place.
    case .unsupported:
      guard finding.position == nil else { return nil }
      kind = "cannot be played here"
    case .invariant(let rule): kind = "rule \(rule), which holds in every run"
    case .faultWithoutEffect: kind = "a fault without effect"
    case .hang: kind = "a call that hangs (--max-hang)"
    case .unexpectedPass: kind = "an unexpected pass"
    case .flaky: kind = "flaky"
    case .breakdown: kind = "no verdict"
    }
    return Remark(
      kind: kind, expected: finding.expectedText.told, seen: finding.seenText.told, at: finding.at)
  }
}

extension CaseResult {
  /// From the change to the end of a call, in words; nil where no call was touched.
  var changeToEndText: String? {
    guard !changeToEnd.isEmpty || neverEnded > 0 else { return nil }
    var parts: [String] = []
    if let shortest = changeToEnd.min(), let longest = changeToEnd.max() {
      let calls = VisibleText.counted(changeToEnd.count, "call")
      parts.append(
        shortest == longest
          ? "\(calls) ended \(longest.told) after the change"
          : "\(calls) ended \(shortest.told) to \(longest.told) after the change")
    }
    if neverEnded > 0 { parts.append(VisibleText.counted(neverEnded, "call") + " never ended") }
    return parts.joined(separator: ", ")
  }

  /// Whether the run came to a point where something could be expected of it.
  var wasJudged: Bool {
    !findings.contains { finding in
      finding.kind == .breakdown || finding.kind == .unsupported && finding.position == nil
    }
  }
}
