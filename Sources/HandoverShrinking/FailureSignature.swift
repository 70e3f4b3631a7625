package import HandoverEngine
import HandoverScenario

/// What is wrong with a case: of a broken rule what it asks for, of an expectation what was
/// expected and what was seen, apart from times.
///
/// Two cases with one signature fail of the same thing.
package struct FailureSignature: Hashable, Sendable {
  /// What kind of thing.
  package let kind: Finding.Kind
  private let expected: String
  private let seen: String

  /// The signature of what was found.
  package init(_ finding: Finding) {
    kind = finding.kind
    switch finding.kind {
    case .invariant:
      expected = Self.withoutNames(finding.expected)
      // Whichever call or host it is.
      seen = ""
    default:
      // An expectation may be looked at some other time.
      expected = Self.withoutMoments(Self.withoutTimes(finding.expected))
      seen = Self.withoutPolls(Self.withoutTimes(finding.seen))
    }
  }

  /// What a case that failed, or came to no verdict, failed of: what weighs most, and of that a
  /// broken rule before anything else, and a fault without effect last.
  package static func finding(of result: CaseResult) -> Finding? {
    guard result.verdict >= .failed else { return nil }
    let worst = result.findings.filter { $0.verdict == result.verdict }
    return worst.first { if case .invariant = $0.kind { true } else { false } }
      ?? worst.first { $0.kind != .faultWithoutEffect } ?? worst.first
  }

  /// Whether a case is as its scenario expects; a fault may be without effect there.
  package static func isAsExpected(_ result: CaseResult) -> Bool {
    !result.findings.contains { $0.verdict >= .failed && $0.kind != .faultWithoutEffect }
  }

  /// Whether a case fails of this.
  package func isMet(by result: CaseResult) -> Bool {
    result.findings.contains { $0.verdict >= .failed && FailureSignature($0) == self }
  }

  /// Whether it is for the scenario to say what is right.
  var isExpected: Bool {
    switch kind {
    case .expectation, .neverEvaluated: true
    default: false
    }
  }

  // MARK: Words

  private static func withoutTimes(_ text: String) -> String {
    words(of: text) { TimeNotation.interval($0) != nil }
  }

  private static func withoutNames(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let plain = parts.indices.map { $0.isMultiple(of: 2) ? String(parts[$0]) : "#" }
    return words(of: plain.joined(separator: "\"")) { $0.contains(where: \.isNumber) }
  }

  private static func words(of text: String, _ isLeftOut: (String) -> Bool) -> String {
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
