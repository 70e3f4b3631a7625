public import HandoverBackend
public import HandoverCore

/// What a command turned out to be when it was asked.
public enum ProcessBackend: Sendable {
  /// Clients, each of which a session starts anew.
  case clients(ProcessClients)
  /// Transports, likewise.
  case transports(ProcessTransports)

  /// Starts a command once, to hear who it is.
  ///
  /// - Parameters:
  ///   - command: what to start, as one would type it in a shell.
  ///   - timeout: how long each answer may take.
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello.
  public init(_ command: String, timeout: Interval = .seconds(5)) throws(BackendError) {
    let program = BackendProgram(command: command, timeout: timeout)
    let hello = try program.start().hello
    switch hello.role {
    case .client: self = .clients(ProcessClients(program, hello))
    case .transport: self = .transports(ProcessTransports(program, hello))
    }
  }
}
