import HandoverCore
package import HandoverScenario

/// One entry of the dictionary of `handover explain`.
package struct LookupEntry: Hashable, Sendable {
  /// The word as reports and messages print it, followed by other spellings.
  package var names: [String]
  /// The kind of word, such as `verdict`.
  package var kind: String
  /// The meaning, an example and a fix.
  package var explanation: TermExplanation

  /// Creates an entry.
  package init(_ names: [String], _ kind: String, _ explanation: TermExplanation) {
    self.names = names
    self.kind = kind
    self.explanation = explanation
  }

  /// Whether a word names this entry.
  ///
  /// Case does not matter, and a space, a hyphen and an underscore are the same.
  package func isNamed(_ word: String) -> Bool {
    let word = Self.normalized(word)
    return names.contains { Self.normalized($0) == word }
  }

  private static func normalized(_ word: String) -> String {
    word.lowercased().replacing("_", with: "-").replacing(" ", with: "-")
  }
}

extension Lookup {
  /// All entries except requirements, which come from a file.
  package static let entries: [LookupEntry] =
    verdicts + findings + moveVerdicts + coverageStates + spaceTerms + cellStates
    + explorationResults + selftestResults + statuses + channelStates + categories + outcomes
    + invariants + profiles + terms + codes

  /// The entries that a word names, in the order of ``entries``.
  package static func entries(named word: String) -> [LookupEntry] {
    entries.filter { $0.isNamed(word) }
  }

  /// The text of an entry.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  package static func text(of entry: LookupEntry, width: Int? = nil) -> String {
    var text = Text(width, "\(entry.names[0])  \(entry.kind)")
    text.add(entry.explanation.meaning)
    text.add("Example: \(entry.explanation.example)")
    text.add("Fix: \(entry.explanation.fix)")
    return text.lines
  }

  private static let codes = DiagnosticCode.allCases.map { code in
    entry(ofCode: code.rawValue, code.severity, code.explanation)
  }

  /// The entry of a diagnostic code.
  package static func entry(
    ofCode name: String, _ severity: Diagnostic.Severity, _ explanation: TermExplanation
  ) -> LookupEntry {
    var explanation = explanation
    switch severity {
    case .error: break
    case .warning:
      explanation.meaning += " The file runs, but probably not as intended."
    }
    return LookupEntry(
      [name], "code of \(severity == .error ? "an error" : "a warning")", explanation)
  }

  private static let invariants = RuleIdentifier.allCases.map { rule in
    LookupEntry(
      ["invariant \(rule.rawValue)", "rule \(rule.rawValue)", "\(rule.rawValue)"], "invariant",
      rule.explanation)
  }

  private static let profiles = Profile.known.map { profile in
    LookupEntry(
      [profile.name], "profile",
      TermExplanation(
        profile.meaning,
        example: "handover run Scenarios --profile \(profile.name)",
        fix: "Add \"\(profile.name)\" to \"profiles\" of a scenario to test this client."))
  }

  private static let statuses = StatusCode.allCases.map {
    LookupEntry([$0.name], "gRPC status", $0.explanation)
  }

  private static let channelStates = ChannelState.allCases.map {
    LookupEntry([$0.name], "channel state", $0.explanation)
  }

  private static let categories = NetworkCategory.allCases.map {
    LookupEntry([$0.description], "network category", $0.explanation)
  }

  private static let outcomes = RequestOutcome.allCases.map {
    LookupEntry([$0.rawValue], "outcome of a request", $0.explanation)
  }
}
