import ArgumentParser
import Glibc
import HandoverLinux

/// Checks of the program that a lab will start, performed before the lab is created.
enum ProgramName {
  /// Throws an error if a command line names no program that can be started.
  static func validate(_ command: [String]) throws {
    guard let program = command.first else {
      throw ValidationError("The program is missing: write it after --, as in -- my-client.")
    }
    if let complaint = complaint(about: program) { throw ValidationError(complaint) }
  }

  /// Returns the problem with a program's name, or `nil` if the program can be started.
  static func complaint(about name: String) -> String? {
    let isPath = name.contains("/")
    let folders = Environment.variable("PATH").split(separator: ":")
    let positions = isPath ? [name] : folders.map { "\($0)/\(name)" }
    if positions.contains(where: { isFile($0) && mayRun($0) }) { return nil }
    guard !isPath else {
      guard isFile(name) else { return "Program not found: \"\(name)\"." }
      return "\"\(name)\" is not executable. Make it executable with chmod +x."
    }
    return "Program not found in PATH: \"\(name)\"."
      + (isFile(name) ? " To run the file in this directory, write ./\(name)." : "")
  }

  /// Returns why an existing program cannot be executed, or `nil` for any other error.
  static func complaint(about error: LinuxError, of name: String) -> String? {
    guard error.concernsProgram else { return nil }
    guard error.number == ENOENT else {
      return "\"\(name)\" cannot be executed: \(error.reason)."
    }
    return "\"\(name)\" exists, but its interpreter does not: the program that the "
      + "first line of a script names, or the loader of a binary. Use `file` to see it."
  }

  private static func isFile(_ path: String) -> Bool {
    FileStatus(path)?.isRegular ?? false
  }

  private static func mayRun(_ path: String) -> Bool { SystemFile.allows(X_OK, path) }
}
