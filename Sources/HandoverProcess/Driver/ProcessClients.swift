public import HandoverBackend
public import HandoverCore

/// Clients that are processes: each session starts the command anew, and talks to it over its
/// standard streams.
public struct ProcessClients: RemoteClients {
  private let program: BackendProgram
  /// What the command said of itself when it was asked first.
  public let hello: BackendHello

  /// Starts the command once, to hear who it is.
  ///
  /// - Parameters:
  ///   - command: what to start, as one would type it in a shell.
  ///   - timeout: how long each answer may take.
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello of a client.
  public init(_ command: String, timeout: Interval = .seconds(5)) throws(BackendError) {
    let program = BackendProgram(command: command, timeout: timeout)
    let hello = try program.start().hello
    guard hello.role == .client else {
      throw BackendError(
        .cannotStart, "the role of the backend is \"\(hello.role.rawValue)\", and not \"client\"")
    }
    self.init(program, hello)
  }

  init(_ program: BackendProgram, _ hello: BackendHello) {
    self.program = program
    self.hello = hello
  }

  /// Its name, and what it declares to show.
  public var description: BackendDescription {
    var shown: Capabilities = [.connections, .server, .messages]
    if hello.capabilities.contains(.channels) { shown.insert(.channels) }
    if hello.capabilities.contains(.monitor) { shown.insert(.monitor) }
    return BackendDescription(name: hello.name, time: .virtual, capabilities: shown)
  }

  /// Why a script cannot be played with it, as it declared; nil where it can.
  public func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile)
  }

  /// Whether it declares to say them.
  public var givesDigests: Bool { hello.capabilities.contains(.digest) }

  /// Starts the command.
  public func makeClient() throws(BackendError) -> any RemoteClient {
    let (process, hello) = try program.start()
    return ProcessClient(process, hello, restart: program.restart)
  }
}
