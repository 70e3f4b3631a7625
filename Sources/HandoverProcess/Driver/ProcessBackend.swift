public import HandoverBackend
public import HandoverCore

/// The backend that a command implements, according to its handshake.
public enum ProcessBackend: Sendable {
  /// Clients; each session starts a new process.
  case clients(ProcessClientFactory)
  /// Transports; each session starts a new process.
  case transports(ProcessTransportFactory)

  /// Starts a command once, to read its handshake.
  ///
  /// - Parameters:
  ///   - command: The shell command line.
  ///   - timeout: The time limit of each answer.
  /// - Throws: ``BackendError`` if the command cannot be started or sends no valid handshake.
  public init(_ command: String, timeout: Interval = .answerTimeout) throws(BackendError) {
    let program = BackendProgram(command: command, timeout: timeout)
    let hello = try program.start().hello
    switch hello.role {
    case .client: self = .clients(ProcessClientFactory(program, hello))
    case .transport: self = .transports(ProcessTransportFactory(program, hello))
    }
  }
}
