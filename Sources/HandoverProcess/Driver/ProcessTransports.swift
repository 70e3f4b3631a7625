public import HandoverBackend
public import HandoverCore

/// Transports that are processes: each session starts the command anew, and talks to it over its
/// standard streams.
public struct ProcessTransports: RemoteTransports {
  private let program: BackendProgram
  private let hello: BackendHello

  init(_ program: BackendProgram, _ hello: BackendHello) {
    self.program = program
    self.hello = hello
  }

  /// Its name; all that the built-in client above it shows, and what its servers read if it says.
  public var description: BackendDescription {
    var shown: Capabilities = [.channels, .connections, .monitor, .interceptors, .messages]
    if hello.capabilities.contains(.reads) { shown.insert(.server) }
    return BackendDescription(name: hello.name, time: .virtual, capabilities: shown)
  }

  /// Why a script cannot be played with it, as it declared; nil where it can.
  public func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile)
  }

  /// Starts the command.
  public func makeTransport() throws(BackendError) -> any RemoteTransport {
    let (process, hello) = try program.start()
    return ProcessTransport(process, hello, restart: program.restart)
  }
}
