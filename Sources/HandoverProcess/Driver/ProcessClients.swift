public import HandoverBackend
public import HandoverCore

/// Clients that are processes: each session starts the command anew, and talks to it over its
/// standard streams.
public struct ProcessClients: RemoteClients {
  private let command: String
  private let timeout: Interval
  /// What the command said of itself when it was asked first.
  public let hello: BackendHello

  /// Starts the command once, to hear who it is.
  ///
  /// - Parameters:
  ///   - command: what to start, as one would type it in a shell.
  ///   - timeout: how long each answer may take.
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello of a client.
  public init(_ command: String, timeout: Interval = .seconds(5)) throws(BackendError) {
    let hello = try Self.start(command, timeout).1
    guard hello.role == .client else {
      throw BackendError(
        .cannotStart, "the role of the backend is \"\(hello.role.rawValue)\", and not \"client\"")
    }
    self.init(command, timeout: timeout, hello)
  }

  init(_ command: String, timeout: Interval, _ hello: BackendHello) {
    self.command = command
    self.timeout = timeout
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

  /// Starts the command.
  public func makeClient() throws(BackendError) -> any RemoteClient {
    let (process, hello) = try Self.start(command, timeout)
    return ProcessClient(process, hello) { [command, timeout] () throws(BackendError) in
      try ProcessClients.start(command, timeout).0
    }
  }

  static func start(
    _ command: String, _ timeout: Interval
  ) throws(BackendError) -> (BackendProcess, BackendHello) {
    let process = try BackendProcess(command, timeout: timeout.microseconds)
    let hello = try process.greet { line throws(AnswerError) in try BackendHello(line) }
    return (process, hello)
  }
}

extension BackendProcess {
  /// Tells the process to start, and reads its hello.
  ///
  /// - Throws: ``BackendError`` where it says no proper one.
  func greet<Hello>(
    within microseconds: Int64? = nil, _ hello: ([UInt8]) throws(AnswerError) -> Hello
  ) throws(BackendError) -> Hello {
    var writer = CommandWriter()
    do throws(BackendError) {
      try send(writer.start())
      let line = try receive(within: microseconds)
      do throws(AnswerError) {
        return try hello(line)
      } catch {
        throw failure("its hello is wrong: \(error.reason); answered: \(Self.excerpt(line))")
      }
    } catch {
      throw BackendError(.cannotStart, error.message)
    }
  }
}
