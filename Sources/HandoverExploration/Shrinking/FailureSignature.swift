package import HandoverEngine
import HandoverScenario

/// The cause of a case's failure, without times.
///
/// For a violated invariant, the signature contains the requirement of the invariant. For an
/// expectation, it contains the expected and the observed result. Two cases with the same signature
/// have the same failure.
package struct FailureSignature: Hashable, Sendable {
  /// The kind of finding.
  package let kind: Finding.Kind
  private let expected: String
  private let seen: String

  /// Creates the signature of a finding.
  package init(_ finding: Finding) {
    kind = finding.kind
    switch finding.kind {
    case .invariant:
      expected = Self.withoutNames(finding.expected)
      // The affected call or host does not matter.
      seen = ""
    default:
      // The expectation may be evaluated at another time.
      expected = Self.withoutMoments(Self.withoutTimes(finding.expected))
      seen = Self.withoutPolls(Self.withoutTimes(finding.seen))
    }
  }

  /// Returns the finding that a failed or undecided case is reduced for.
  ///
  /// It is the most severe finding. Among equally severe ones, a violated invariant comes first,
  /// and a fault without effect comes last.
  package static func finding(of result: CaseResult) -> Finding? {
    guard result.verdict >= .failed else { return nil }
    let worst = result.findings.filter { $0.verdict == result.verdict }
    return worst.first { if case .invariant = $0.kind { true } else { false } }
      ?? worst.first { $0.kind != .faultWithoutEffect } ?? worst.first
  }

  /// Returns whether a case meets its scenario's expectations; faults without effect are permitted.
  package static func isAsExpected(_ result: CaseResult) -> Bool {
    !result.findings.contains { $0.verdict >= .failed && $0.kind != .faultWithoutEffect }
  }

  /// Returns whether a case has this failure.
  package func isMet(by result: CaseResult) -> Bool {
    result.findings.contains { $0.verdict >= .failed && FailureSignature($0) == self }
  }

  /// Whether the scenario defines the correct result, as opposed to an invariant.
  var isExpected: Bool {
    switch kind {
    case .expectation, .neverEvaluated: true
    default: false
    }
  }

  // MARK: Words

  private static func withoutTimes(_ text: String) -> String {
    remainingWords(of: text) { TimeNotation.interval($0) != nil }
  }

  private static func withoutNames(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let plain = parts.indices.map { $0.isMultiple(of: 2) ? String(parts[$0]) : "#" }
    return remainingWords(of: plain.joined(separator: "\"")) { $0.contains(where: \.isNumber) }
  }

  private static func remainingWords(of text: String, _ isLeftOut: (String) -> Bool) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let core = word.trimming { !$0.isLetter && !$0.isNumber && $0 != "*" }
      return isLeftOut(core) ? word.replacing(core, with: "#")[...] : word
    }.joined(separator: " ")
  }

  /// Polls go on until the run ends, so a shorter run of the same failure has fewer of them.
  private static func withoutPolls(_ text: String) -> String {
    text.replacing(/[0-9]+ polls answered/, with: "# polls answered")
  }

  private static func withoutMoments(_ text: String) -> String {
    var text = text
    for moment in [" at #", " from # to #", " before #", " after #"] {
      text = text.replacing(moment, with: "")
    }
    return text
  }
}

extension Substring {
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
    var rest = self
    while let first = rest.first, isLeftOut(first) { rest.removeFirst() }
    while let last = rest.last, isLeftOut(last) { rest.removeLast() }
    return String(rest)
  }
}
