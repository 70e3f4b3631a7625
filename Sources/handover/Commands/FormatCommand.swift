import ArgumentParser
import FoundationEssentials
import Glibc
import HandoverCore
import HandoverLinux
import HandoverReport
import HandoverScenario

struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Format scenario files.",
    discussion: """
      Rewrites files in place, and only files that change. The meaning stays the
      same: keys are put in order, each entry and expectation gets one line, flags
      become lists of names, and 1000ms becomes 1s. Comments ("comment" and keys
      that begin with x-) are kept. A file with an error is reported and not
      changed.

      Examples:
        handover format                        everything under Scenarios
        handover format Scenarios/stalls my.json
        handover format --check                list files that are not formatted
        handover format - < my.json            to standard output

      Exit status: 0 all files are formatted; 1 with --check if a file is not; 2 if
      a file has an error or cannot be written; 4 if there is no file.
      """)

  @Argument(help: "Scenario files, folders to search for *.json, or - for standard input.")
  var paths: [String] = ["Scenarios"]

  @Flag(help: "List the files that are not formatted, and change nothing.")
  var check = false

  func validate() throws {
    guard !paths.contains("-") || paths.count == 1 else {
      throw ValidationError(
        "- cannot be combined with other files: standard input is a single file.")
    }
  }

  func run() throws {
    guard paths != ["-"] else { return try formatStandardInput() }
    if !check { try Interruption.leaveAtSignals() }
    let found = ScenarioFiles(paths)
    for problem in found.problems { printError(problem.description) }
    found.reportSkippedLinks()
    var counts = Counts()
    counts.errors = found.problems.count
    for file in found.files { format(file, &counts) }
    show(counts, fileCount: found.files.count)
    if counts.errors > 0 { throw ExitError(.badInput) }
    if found.files.isEmpty {
      throw ExitError(
        .nothingRan,
        printing: "Nothing to format: no *.json file under \(paths.joined(separator: ", ")).")
    }
    if check, counts.changed > 0 { throw ExitError(.failure) }
  }

  private struct Counts {
    /// The number of files that were rewritten, or would be with `--check`.
    var changed = 0
    /// The number of files that are invalid, or could not be read or written.
    var errors = 0
  }

  private func format(_ file: String, _ counts: inout Counts) {
    guard let bytes = ScenarioFiles.bytes(of: file, { Reading.show([$0]) }) else {
      counts.errors += 1
      return
    }
    guard let canonical = canonical(bytes, of: file) else {
      counts.errors += 1
      return
    }
    guard canonical != bytes else { return }
    if !check, let problem = FileReplacement.replace(file, with: canonical) {
      printError("\(file): error: \(problem)")
      counts.errors += 1
      return
    }
    counts.changed += 1
    StandardStream.output.show(SafeText.line(file) + "\n")
  }

  private func show(_ counts: Counts, fileCount: Int) {
    guard fileCount > 0 else { return }
    let done = check ? "not formatted" : "rewritten"
    printError(
      counted(fileCount, "file") + " read, \(counts.changed) \(done), "
        + counted(counts.errors, "error"))
    if check, counts.changed > 0 {
      printError("Next: handover format " + paths.map(ShellWord.quoted).joined(separator: " "))
    }
  }

  private func formatStandardInput() throws {
    guard let bytes = ScenarioFiles.bytes(of: "-", { Reading.show([$0]) }) else {
      throw ExitError(.badInput)
    }
    guard let canonical = canonical(bytes, of: "standard input") else { throw ExitError(.badInput) }
    if !check { StandardStream.output.write(String(decoding: canonical, as: UTF8.self)) }
    if check, canonical != bytes {
      throw ExitError(.failure, printing: "standard input: not formatted")
    }
  }

  /// Returns the canonical text of a file, or `nil` after reporting its errors.
  private func canonical(_ bytes: [UInt8], of file: String) -> [UInt8]? {
    let reading = ScenarioReader.read(file: file, bytes: bytes)
    guard reading.scenario != nil, let document = try? JSONReader.read(bytes) else {
      let lines = FileLines(bytes)
      Reading.show(reading.diagnostics.map { Complaint($0, in: lines) })
      return nil
    }
    return CanonicalText.of(document)
  }
}

/// Atomic replacement of files.
enum FileReplacement {
  /// Writes a temporary file next to the old one and renames it.
  ///
  /// The owner and the permissions of the old file are preserved.
  ///
  /// - Returns: A description of the problem with a hint, or `nil` on success.
  static func replace(_ file: String, with bytes: [UInt8]) -> String? {
    // If the file is a symbolic link, replace its target.
    let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    guard let old = FileStatus(target) else { return failure("the file no longer exists") }
    guard SystemFile.allows(W_OK, target) else { return failure("the file cannot be written") }
    guard let (temporary, descriptor) = OutputFile.temporary(for: target) else {
      return failure("cannot create a temporary file in its folder")
    }
    let isWritten =
      SystemFile.preserveAccess(of: old, on: descriptor) && write(bytes, to: descriptor)
      && fsync(descriptor) == 0
    let reason = errno
    let isClosed = close(descriptor) == 0
    var problem = isWritten ? (isClosed ? nil : errno) : reason
    let settled = OutputFile.finish(temporary, as: problem == nil ? target : nil)
    problem = problem ?? settled
    guard let problem else { return nil }
    errno = problem
    return failure("the file cannot be written")
  }

  /// Writes all bytes; on failure, `errno` contains the reason.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    guard let problem = StandardStream.write(bytes, to: descriptor) else { return true }
    errno = problem
    return false
  }

  /// Returns a description of a problem, with the reason in `errno` and a hint.
  ///
  /// Without `hint`, the hint is for a file that exists and was left unchanged.
  static func failure(_ what: String, _ hint: String? = nil) -> String {
    let reason = errno
    let advice = OutputFailure.advice(
      for: reason, ifFull: "make room on its disk",
      otherwise: "check the permissions of the file and its folder")
    let hint = hint ?? "the file is unchanged; \(advice)"
    return "\(what): \(systemErrorText(reason))\n    hint: \(hint)"
  }
}
