public import HandoverBackend
public import HandoverCore

/// Transports that are processes.
///
/// Each session starts the command again and communicates with it over its standard streams.
public struct ProcessTransportFactory: RemoteTransportFactory {
  private let program: BackendProgram
  private let hello: BackendHello

  init(_ program: BackendProgram, _ hello: BackendHello) {
    self.program = program
    self.hello = hello
  }

  /// The backend's name and the observable events.
  ///
  /// All events of the built-in client are observable. The events of the servers are observable if
  /// the transport reports what its servers read.
  public var description: BackendDescription {
    var shown: Capabilities = [.channels, .connections, .monitor, .interceptors, .messages]
    if hello.capabilities.contains(.reads) { shown.insert(.server) }
    return BackendDescription(name: hello.name, time: .virtual, capabilities: shown)
  }

  /// Returns why the transport cannot run a script, as it declared, or `nil` if it can.
  public func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile)
  }

  /// Starts the command.
  public func makeTransport() throws(BackendError) -> any RemoteTransport {
    let (process, hello) = try program.start()
    return ProcessTransport(process, hello, restart: program.restart)
  }
}
