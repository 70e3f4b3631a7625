import HandoverJSON

/// Gathers what is wrong with one document while it is read.
///
/// Places become lines, columns and pointers only at the end, for those that are reported.
struct DiagnosticCollector {
  /// How many errors are reported in one run; one more tells that there were others.
  static let maximumErrorCount = 1_000
  /// How many warnings are reported in one run.
  static let maximumWarningCount = 100

  /// How many errors are reported with the name that was probably meant.
  static let maximumSuggestionCount = 100

  private var findings: [Finding] = []
  private var warningCount = 0
  private(set) var errorCount = 0

  private struct Finding {
    var code: DiagnosticCode
    var message: String
    var hint: String
    var place: JSONValue
  }

  /// Whether the next error should look for the name that was meant: with many errors, looking
  /// through long tables for each would take longer than anyone reads.
  var affordsSuggestions: Bool { errorCount < Self.maximumSuggestionCount }

  mutating func report(
    _ code: DiagnosticCode, at place: JSONValue, _ message: String, hint: String
  ) {
    switch code.severity {
    case .error:
      errorCount += 1
      guard errorCount <= Self.maximumErrorCount + 1 else { return }
      guard errorCount <= Self.maximumErrorCount else {
        findings.append(
          Finding(
            code: .tooManyProblems,
            message: "there are more than \(Self.maximumErrorCount) errors in this file",
            hint: "mend the errors above first", place: place))
        return
      }
    case .warning:
      warningCount += 1
      guard warningCount <= Self.maximumWarningCount else { return }
    }
    findings.append(Finding(code: code, message: message, hint: hint, place: place))
  }

  /// Everything reported, in the order of the file.
  func diagnostics(file: String, document: JSONDocument) -> [Diagnostic] {
    var cursor = TextCursor(document)
    // What was found first stands first where two stand at one place.
    let sorted = findings.enumerated().sorted {
      ($0.element.place.offset, $0.offset) < ($1.element.place.offset, $1.offset)
    }
    return sorted.map { _, finding in
      Diagnostic(
        code: finding.code, message: finding.message, hint: finding.hint, file: file,
        position: cursor.position(at: finding.place.offset), pointer: finding.place.pointer)
    }
  }
}
