public import HandoverBackend
public import HandoverCore

/// Transports that are processes: each session starts the command anew, and talks to it over its
/// standard streams.
public struct ProcessTransports: RemoteTransports {
  private let command: String
  private let timeout: Interval
  private let hello: BackendHello

  init(_ command: String, timeout: Interval, _ hello: BackendHello) {
    self.command = command
    self.timeout = timeout
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
    let (process, hello) = try ProcessClients.start(command, timeout)
    return ProcessTransport(process, hello) { [command, timeout] () throws(BackendError) in
      try ProcessClients.start(command, timeout).0
    }
  }
}
