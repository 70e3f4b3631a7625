#if os(Linux)
  import HandoverLinux

  /// The note for systems on which the kernel cannot keep a program's child processes together.
  enum TreeNote {
    /// Prints the note once, after a process was started.
    static func show() { _ = told }

    private static let told: Void = {
      guard let obstacle = ProcessTree.obstacle else { return }
      printError(
        "There can be no PID namespaces here (\(obstacle.call): \(obstacle.number) "
          + "\(obstacle.reason)).\nWhat a program starts is looked for and ended with it, as far "
          + "as it can be found.")
    }()
  }
#endif
