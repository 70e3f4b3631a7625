import HandoverLinux

/// The note for systems on which the kernel cannot keep a program's child processes together.
enum PIDNamespaceWarning {
  /// Prints the note once, after a process was started.
  static func show() { _ = reported }

  private static let reported: Void = {
    guard let obstacle = ProcessTree.obstacle else { return }
    printError(
      "This machine does not allow PID namespaces (\(obstacle.call): \(obstacle.number) "
        + "\(obstacle.reason)).\nProcesses that a program starts are stopped with it only if "
        + "they are found.")
  }()
}
