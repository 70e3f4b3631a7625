import HandoverLinux

/// The restart of this command in separate namespaces.
enum LabEntry {
  /// Whether the process will be replaced when it enters a lab; the new process repeats all
  /// messages.
  static var isAhead: Bool { NamespaceEntry.current == .notRequested }

  /// Restarts the command before it reads some files, if one of them can be read once only.
  ///
  /// Everything that happens before the restart happens again. A pipe would then be empty, and
  /// standard input would be at its end.
  static func enterBeforeReading(_ files: [String]) throws {
    let canBeReadAgain = files.allSatisfy { file in
      guard file != "-" else { return false }
      return FileStatus(file).map { $0.isRegular || $0.isDirectory } ?? true
    }
    if isAhead, !canBeReadAgain { try enter(isRequired: true) }
  }

  /// Restarts the command in separate namespaces, unless this has been done.
  ///
  /// From then on, nothing in the process can reach a real network, whatever goes wrong. If
  /// namespaces are not available, the command exits with an error. It continues only if part of
  /// its work needs no lab, and no lab is required.
  static func enter(isRequired: Bool, isAllThereIs: Bool = true) throws {
    guard let problem = enter() else { return }
    printError(problem)
    guard isAhead || isRequired || isAllThereIs else { return }
    throw ExitError(.breakdown, printing: "Nothing ran.")
  }

  /// Restarts the command in separate namespaces, unless this has been done.
  ///
  /// - Returns: The reason why the process is not in namespaces, or `nil` if it is.
  static func enter() -> String? {
    switch NamespaceEntry.current {
    case .entered:
      if let sockets = NamespaceEntry.openSockets {
        printError(
          "Programs in the lab can reach sockets in this machine's file system: \(sockets).")
      }
      return nil
    case .notRequested:
      // This call returns only if it failed.
      let problem = NamespaceEntry.executeInside(CommandLine.arguments)
      return "Cannot create a lab on this machine: \(problem)"
    case .failed(let error): return "Cannot create a lab on this machine: \(error)"
    }
  }
}
