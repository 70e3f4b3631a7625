import HandoverCore
public import HandoverEngine
public import HandoverScenario

/// What a person needs to know of a case that did not pass, in plain text.
public enum CaseText {
  /// What was expected and what was seen.
  public static func words(_ finding: Finding) -> String {
    "expected: \(VisibleText.of(finding.expectedText.told))\n"
      + "seen: \(VisibleText.of(finding.seenText.told))"
      + (finding.at.map { ", at \($0.told)" } ?? "")
  }

  /// The time line around what was not as it should be; empty where nothing was recorded.
  public static func timeline(of result: CaseResult, _ scenario: Scenario) -> String {
    TimelineText.lines(of: result, scenario, style: .plain).joined(separator: "\n")
  }

  /// How many lines of a backend's log are told to people.
  private static let maximumLogLines = 20

  /// How many lines are told besides of what the servers wrote.
  private static let maximumServerLines = 10

  /// The end of what the backend wrote for people, a line each; empty where it wrote nothing, and
  /// where it broke down, because what is told of that ends with its log.
  ///
  /// What servers wrote that are programs of their own comes first and apart, so that it never
  /// takes the place of what the client under test wrote.
  public static func log(of result: CaseResult) -> [String] {
    guard result.verdict == .failed else { return [] }
    let lines = result.log.split(whereSeparator: \.isNewline)
    func isOfServer(_ line: Substring) -> Bool { line.hasPrefix(ServerLog.label) }
    return end(of: lines.filter(isOfServer), atMost: maximumServerLines)
      + end(of: lines.filter { !isOfServer($0) }, atMost: maximumLogLines)
  }

  private static func end(of lines: [Substring], atMost count: Int) -> [String] {
    let told = lines.suffix(count).map { VisibleText.of(String($0)) }
    let omitted = lines.count - told.count
    return omitted > 0 ? ["(\(VisibleText.counted(omitted, "line")) before)"] + told : told
  }
}
