import HandoverCore
import HandoverReport
import HandoverScenario

/// The code of a complaint about files, or about a list of known failures.
///
/// Complaints about the content of a scenario have a `DiagnosticCode`.
enum FileCode: String, CaseIterable {
  case noSuchPath = "no-such-path"
  case directoryNamedLikeFile = "directory-named-like-file"
  case notAFile = "not-a-file"
  case unreadable = "unreadable-file"
  case tooManyFiles = "too-many-files"
  case duplicateID = "duplicate-id"
  case notUTF8 = "not-utf-8"
  case unmatchedLine = "unmatched-line"
  case tooManyLines = "too-many-lines"
  case duplicateLine = "duplicate-line"
  case noPattern = "no-pattern"
  case malformed

  var severity: Diagnostic.Severity { self == .unmatchedLine ? .warning : .error }

  /// The meaning of the code in one or two sentences, for people.
  var meaning: String {
    switch self {
    case .noSuchPath: "There is no file, folder or bundled scenario of that name."
    case .directoryNamedLikeFile: "A directory has a name that ends in .json."
    case .notAFile: "What the name leads to is no file that can be read from its start to its end."
    case .unreadable: "The system does not let the file be read."
    case .tooManyFiles: "There are more than \(ScenarioFiles.maximumCount) files."
    case .duplicateID:
      "Two files have the same id, by which results are told apart. The later one is left out."
    case .notUTF8: "A list of known failures is not UTF-8."
    case .unmatchedLine: "A line of a list of known failures matches nothing that was run."
    case .tooManyLines:
      "A list of known failures has more than \(KnownFailures.maximumCount) lines."
    case .duplicateLine: "A line stands twice in a list of known failures."
    case .noPattern: "Brackets stand in a list of known failures without a pattern before them."
    case .malformed:
      "A line of a list of known failures is no pattern, alone or with one word in brackets."
    }
  }
}
