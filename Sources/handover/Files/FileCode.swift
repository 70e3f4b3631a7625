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

  // long: a row for each code
  /// The meaning of the code, an example and a fix, as `handover explain` prints them.
  var explanation: TermExplanation {
    switch self {
    case .noSuchPath:
      TermExplanation(
        "There is no file, folder or bundled scenario with this name.",
        example: "handover run Scenarios/stals",
        fix: "Check the spelling. `handover list` lists the bundled scenarios.")
    case .directoryNamedLikeFile:
      TermExplanation(
        "A directory has a name that ends in .json.", example: "a directory Scenarios/old.json",
        fix: "Rename the directory.")
    case .notAFile:
      TermExplanation(
        "The name belongs to something that is not a regular file.", example: "a socket or a pipe",
        fix: "Name a regular file, or use - for standard input.")
    case .unreadable:
      TermExplanation(
        "The system does not allow reading the file.", example: "a file of another user",
        fix: "Check the permissions of the file.")
    case .tooManyFiles:
      TermExplanation(
        "There are more than \(ScenarioFiles.maximumCount) scenario files, or more than "
          + "\(ScenarioFiles.maximumNames) names of files and folders.", example: "handover run /",
        fix: "Name fewer folders.")
    case .duplicateID:
      TermExplanation(
        "Two files have the same id, and results are identified by id. The second file is ignored.",
        example: "a copy of a scenario with the same id", fix: "Change one of the two ids.")
    case .notUTF8:
      TermExplanation(
        "A list of known failures is not UTF-8.", example: "a file in UTF-16",
        fix: "Save the file as UTF-8.")
    case .unmatchedLine:
      TermExplanation(
        "A line of a list of known failures matches no case of the scenarios that were read.",
        example: "stalls/old-name [sockets]",
        fix: "Remove the line, or correct it. `handover list` lists the ids.")
    case .tooManyLines:
      TermExplanation(
        "A list of known failures has more than \(KnownFailures.maximumCount) lines.",
        example: "a generated list with a line for each case",
        fix: "Use patterns that match several cases, such as stalls/*.")
    case .duplicateLine:
      TermExplanation(
        "A list of known failures contains a line twice.", example: "two lines stalls/*",
        fix: "Remove one of the two.")
    case .noPattern:
      TermExplanation(
        "A line of a list of known failures has brackets without a pattern before them.",
        example: "[sockets]", fix: "Write ** [sockets] to match every scenario.")
    case .malformed:
      TermExplanation(
        "A line of a list of known failures is not a pattern with an optional word in brackets.",
        example: "stalls/* sockets", fix: "Write GLOB or GLOB [PROFILE], as in stalls/* [sockets].")
    }
  }
}
