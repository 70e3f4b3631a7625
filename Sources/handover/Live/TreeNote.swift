#if os(Linux)
  import HandoverLinux

  /// What is to be known where programs cannot be kept together by the kernel.
  enum TreeNote {
    /// Says so once, after something was started.
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
