import Glibc
import HandoverLinux

/// The creation of files.
enum FileCreation {
  /// Checks whether a file can be written.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isReplaced: Whether an existing file is replaced.
  /// - Returns: A description of the obstacle with a hint, or `nil` if there is none.
  static func obstacle(to file: String, replacing isReplaced: Bool) -> String? {
    if let status = FileStatus(file) {
      guard !status.isDirectory else {
        return "this is a directory\n    hint: name a file in it, such as \(file)/my.json"
      }
      guard status.isRegular else {
        return "this is not a regular file, so it is not replaced\n    hint: name another file"
      }
      return isReplaced
        ? nil
        : "the file exists\n"
          + "    hint: name another file, or replace this one with --force"
    }
    let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
    guard FileStatus(directory) != nil else {
      return "its directory does not exist\n    hint: create the directory first, with mkdir -p"
    }
    guard SystemFile.allows(W_OK, directory) else { return unwritable() }
    return nil
  }

  /// Checks that a file can be written.
  ///
  /// - Throws: ``ExitError`` after an error message.
  static func require(_ file: String, replacing isReplaced: Bool) throws {
    guard let obstacle = obstacle(to: file, replacing: isReplaced) else { return }
    throw ExitError(printing: "\(file): error: \(obstacle)")
  }

  /// Writes a file.
  ///
  /// - Throws: ``ExitError`` after an error message.
  static func create(
    _ file: String, with bytes: [UInt8], replacing isReplaced: Bool
  ) throws {
    guard let problem = write(bytes, to: file, replacing: isReplaced) else { return }
    throw ExitError(printing: "\(file): error: \(problem)")
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - file: The path of the file.
  ///   - isReplaced: Whether an existing file is replaced.
  /// - Returns: A description of the problem with a hint, or `nil` on success.
  static func write(_ bytes: [UInt8], to file: String, replacing isReplaced: Bool) -> String? {
    if let obstacle = obstacle(to: file, replacing: isReplaced) { return obstacle }
    if FileStatus(file) != nil {
      return FileReplacement.replace(file, with: bytes)
    }
    let descriptor = SystemFile.open(file, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    guard descriptor >= 0 else { return unwritable() }
    var problem = FileReplacement.write(bytes, to: descriptor) ? nil : unwritable()
    // Some file systems report a full disk only on close.
    if close(descriptor) != 0 { problem = problem ?? unwritable() }
    if problem != nil { SystemFile.remove(file) }
    return problem
  }

  /// Returns the message that a file cannot be written, with the reason in `errno`.
  private static func unwritable() -> String {
    let hint = OutputFailure.advice(
      for: errno, ifFull: "free some space, or choose another place",
      otherwise: "choose another place")
    return FileReplacement.failure("the file cannot be written", hint)
  }
}
