#if os(Linux)
  import HandoverLinux

  /// The way of this command into namespaces of its own.
  enum LabEntry {
    /// Whether this process ends where a lab is entered: one that takes its place says all again.
    static var isAhead: Bool { NamespaceEntry.current == .notAsked }

    /// Starts the command anew inside namespaces of its own, unless that has been done.
    ///
    /// From then on nothing in it can reach a real network, whatever goes wrong. Where there can be
    /// no namespaces nothing of a lab can be decided, and it leaves with an error; but where there
    /// is something to run without a lab, and no lab is required, it goes on.
    static func enter(isRequired: Bool, isAllThereIs: Bool = true) throws {
      switch NamespaceEntry.current {
      case .entered:
        if let sockets = NamespaceEntry.openSockets {
          printError("Sockets of this machine's file system can be reached in the lab: \(sockets).")
        }
      case .notAsked:
        // It only comes back where this failed.
        printError("There is no lab here: \(NamespaceEntry.executeInside(CommandLine.arguments))")
        throw Leave(.breakdown)
      case .failed(let error):
        printError("There is no lab here: \(error)")
        guard isRequired || isAllThereIs else { return }
        printError("Nothing was run.")
        throw Leave(.breakdown)
      }
    }
  }
#endif
