import HandoverCore
package import HandoverEngine
package import HandoverScenario

/// The details of a case that did not pass, in plain text.
package enum CaseText {
  /// Returns the expected and the observed behavior.
  package static func phrase(_ finding: Finding) -> String {
    "expected: \(VisibleText.of(finding.expectedText.exactText))\n"
      + "seen: \(VisibleText.of(finding.seenText.exactText))"
      + (finding.at.map { ", at \($0.exactText)" } ?? "")
  }

  /// Returns the timeline around the findings.
  ///
  /// The string is empty if nothing was recorded, or if the case passed unexpectedly.
  package static func timeline(of result: CaseResult, _ scenario: Scenario) -> String {
    TimelineText.lines(of: result, scenario, style: .plain).joined(separator: "\n")
  }

  /// The maximum number of lines shown of a backend's log.
  private static let maximumLogLines = 20

  /// The maximum number of additional lines shown of the servers' output.
  private static let maximumServerLines = 10

  /// Returns the last lines of the backend's log.
  ///
  /// The result is empty if the case did not fail or the backend wrote nothing. It is also empty
  /// after an internal error, because the error text already ends with the log. The output of
  /// external servers comes first and has a separate limit, so that it never displaces the client's
  /// output.
  package static func log(of result: CaseResult) -> [String] {
    guard result.verdict == .failed else { return [] }
    let lines = result.log.split(whereSeparator: \.isNewline)
    func isOfServer(_ line: Substring) -> Bool { line.hasPrefix(LogSource.server.prefix) }
    return end(of: lines.filter(isOfServer), atMost: maximumServerLines)
      + end(of: lines.filter { !isOfServer($0) }, atMost: maximumLogLines)
  }

  private static func end(of lines: [Substring], atMost count: Int) -> [String] {
    let shown = lines.suffix(count).map { VisibleText.of(String($0)) }
    let omitted = lines.count - shown.count
    return omitted > 0 ? ["(\(counted(omitted, "line")) before)"] + shown : shown
  }
}
