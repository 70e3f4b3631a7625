import HandoverCore
public import HandoverEngine
public import HandoverScenario

/// What a person needs to know of a case that did not pass, in plain text.
public enum CaseText {
  /// What was expected and what was seen.
  public static func words(_ finding: Finding) -> String {
    "expected: \(finding.expected)\nseen: \(finding.seen)"
      + (finding.at.map { ", at \($0.text)" } ?? "")
  }

  /// The time line around what was not as it should be; empty where nothing was recorded.
  public static func timeline(of result: CaseResult, _ scenario: Scenario) -> String {
    TimelineText.lines(of: result, scenario, style: .plain).joined(separator: "\n")
  }
}
