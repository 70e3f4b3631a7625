#if os(Linux)
  import HandoverLinux

  /// The way of this command into namespaces of its own.
  enum LabEntry {
    /// Starts the command anew inside namespaces of its own, unless that has been done.
    ///
    /// From then on nothing in it can reach a real network, whatever goes wrong. Where there can be
    /// no namespaces it leaves: with an error where a lab is required, else with a word that
    /// nothing was run. Where there is something to run without a lab it goes on.
    static func enter(isRequired: Bool, isAllThereIs: Bool = true) throws {
      switch NamespaceEntry.current {
      case .entered:
        return
      case .notAsked:
        // It only comes back where this failed.
        printError("There is no lab here: \(NamespaceEntry.executeInside(CommandLine.arguments))")
        throw Leave(.breakdown)
      case .failed(let error):
        printError("There is no lab here: \(error)")
        if isRequired { throw Leave(.breakdown) }
        guard isAllThereIs else { return }
        printError("Nothing was run; with --require-lab that is a failure.")
        throw Leave(.allAsExpected)
      }
    }
  }
#endif
