public import HandoverBackend
public import HandoverCore

/// Clients that are processes.
///
/// Each session starts the command again and communicates with it over its standard streams.
public struct ProcessClientFactory: RemoteClientFactory {
  private let program: BackendProgram
  /// The handshake from the first start of the command.
  public let hello: BackendHello

  /// Starts the command once, to read its handshake.
  ///
  /// - Parameters:
  ///   - command: The shell command line.
  ///   - timeout: The time limit of each answer.
  /// - Throws: ``BackendError`` if the command cannot be started or sends no valid handshake of a
  ///   client.
  public init(_ command: String, timeout: Interval = .answerTimeout) throws(BackendError) {
    let program = BackendProgram(command: command, timeout: timeout)
    let hello = try program.start().hello
    guard hello.role == .client else {
      throw BackendError(
        .cannotStart, "the role of the backend must be \"client\", found \"\(hello.role.rawValue)\""
      )
    }
    self.init(program, hello)
  }

  init(_ program: BackendProgram, _ hello: BackendHello) {
    self.program = program
    self.hello = hello
  }

  /// The backend's name, and the events that it declares as observable.
  public var description: BackendDescription {
    var shown: Capabilities = [.connections, .server, .messages]
    if hello.capabilities.contains(.channels) { shown.insert(.channels) }
    if hello.capabilities.contains(.monitor) { shown.insert(.monitor) }
    return BackendDescription(name: hello.name, time: .virtual, capabilities: shown)
  }

  /// Returns why the client cannot run a script, as it declared, or `nil` if it can.
  public func obstacle(_ script: Script, _ profile: Profile) -> String? {
    hello.obstacle(script, profile)
  }

  /// Whether the client declares that it provides fingerprints.
  public var providesDigests: Bool { hello.capabilities.contains(.digest) }

  /// Starts the command.
  public func makeClient() throws(BackendError) -> any RemoteClient {
    let (process, hello) = try program.start()
    return ProcessClient(process, hello, restart: program.restart)
  }
}
