import HandoverLinux

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Checks of the program that a lab will start, performed before the lab is created.
enum ProgramName {
  /// Returns the problem with a program's name, or `nil` if the program can be started.
  static func complaint(about name: String) -> String? {
    let isPath = name.contains("/")
    let folders = Environment.variable("PATH").split(separator: ":")
    let places = isPath ? [name] : folders.map { "\($0)/\(name)" }
    if places.contains(where: { isFile($0) && mayRun($0) }) { return nil }
    guard !isPath else {
      guard isFile(name) else { return "There is no program \"\(name)\"." }
      return "\"\(name)\" may not be executed; chmod +x makes it a program."
    }
    return "There is no program \"\(name)\" in PATH."
      + (isFile(name) ? " For the file of that name write ./\(name)." : "")
  }

  /// Returns why an existing program cannot be executed, or `nil` for any other error.
  static func complaint(about error: LinuxError, of name: String) -> String? {
    guard error.isOfProgram else { return nil }
    guard error.number == ENOENT else {
      return "\"\(name)\" cannot be executed: \(error.reason)."
    }
    return "\"\(name)\" is there, and what is to execute it is not: the interpreter that the "
      + "first line of a script names, or the loader of a binary. `file` tells which."
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG
  }

  private static func mayRun(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }
}
