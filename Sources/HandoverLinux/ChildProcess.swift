import Glibc

/// A process that this one started.
public struct ChildProcess: Hashable, Sendable {
  /// The process ID, which is also the process group ID if the process leads a group.
  public let identifier: Int32

  /// How a process ended.
  public enum End: Hashable, Sendable {
    /// The process exited with this status.
    case exited(Int32)
    /// This signal terminated the process.
    case signalled(Int32)
  }

  /// Starts a program in a network namespace, or in the calling thread's if `namespace` is `nil`.
  ///
  /// The program is looked up in `PATH`. Standard streams that are `nil` are inherited. With
  /// `ownGroup` the program leads a process group, which can be signaled as a whole.
  public static func start(
    _ arguments: [String], environment: [String] = Environment.current,
    in namespace: NetworkNamespace? = nil, input: Int32? = nil, output: Int32? = nil,
    error: Int32? = nil, ownGroup: Bool = false
  ) throws(LinuxError) -> ChildProcess {
    guard let program = arguments.first else { throw LinuxError(call: "spawn", errno: EINVAL) }
    let spawn = { @Sendable () throws(LinuxError) -> pid_t in
      let child = SystemProcess.start(
        .init(
          arguments: arguments, environment: environment, input: input, output: output,
          error: error), ownGroup: ownGroup)
      return try checked(child, "posix_spawnp(\(program))")
    }
    let child = if let namespace { try namespace.run(spawn) } else { try spawn() }
    return ChildProcess(identifier: child)
  }

  /// Waits until the process ends.
  public func wait() throws(LinuxError) -> End {
    while true {
      let (process, status) = SystemProcess.wait(for: identifier, flags: 0)
      if process >= 0 { return Self.end(status) }
      guard errno == EINTR else { throw LinuxError(call: "waitpid", errno: errno) }
    }
  }

  /// Returns how the process ended, or `nil` if it is still running.
  public func checkForEnd() throws(LinuxError) -> End? {
    let (process, status) = SystemProcess.wait(for: identifier, flags: WNOHANG)
    if process == 0 { return nil }
    guard process > 0 else { throw LinuxError(call: "waitpid", errno: errno) }
    return Self.end(status)
  }

  static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Sends a signal to the process, or to the process group that it leads.
  public func signal(_ number: Int32, toGroup: Bool = false) {
    _ = kill(toGroup ? -identifier : identifier, number)
  }
}
