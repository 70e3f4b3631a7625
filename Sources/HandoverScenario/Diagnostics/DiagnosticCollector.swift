import HandoverCore

/// Collects the problems of a document while it is read.
///
/// Places are converted to lines, columns and pointers only at the end, for the reported problems.
struct DiagnosticCollector {
  /// The maximum number of errors that one run reports; one further error reports that there were
  /// more.
  static let maximumErrorCount = 1_000
  /// The maximum number of warnings that one run reports.
  static let maximumWarningCount = 100

  /// The maximum number of errors that get a spelling suggestion.
  static let maximumSuggestionCount = 100

  private var findings: [Finding] = []
  private var warningCount = 0
  private(set) var errorCount = 0

  private struct Finding {
    var code: DiagnosticCode
    var message: String
    var hint: String
    var location: JSONValue
  }

  /// Whether the next error can search for a spelling suggestion.
  ///
  /// With many errors, searching long tables for each error would take too long.
  var affordsSuggestions: Bool { errorCount < Self.maximumSuggestionCount }

  mutating func report(
    _ code: DiagnosticCode, at location: JSONValue, _ message: String, hint: String
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
            hint: "fix the errors above first, and check the file again", location: location))
        return
      }
    case .warning:
      warningCount += 1
      guard warningCount <= Self.maximumWarningCount else { return }
    }
    findings.append(Finding(code: code, message: message, hint: hint, location: location))
  }

  /// Returns all reported problems, in the order of the file.
  func diagnostics(file: String, document: JSONDocument) -> [Diagnostic] {
    var cursor = TextCursor(document)
    // Problems at the same location keep the order in which they were reported.
    let sorted = findings.enumerated().sorted {
      ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset)
    }
    return sorted.map { _, finding in
      Diagnostic(
        code: finding.code, message: finding.message, hint: finding.hint, file: file,
        position: cursor.position(at: finding.location.offset), pointer: finding.location.pointer)
    }
  }
}
