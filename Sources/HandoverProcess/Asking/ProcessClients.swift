public import HandoverBackend
public import HandoverCore

/// Clients that are processes: each session starts the command anew, and talks to it over its
/// standard streams.
public struct ProcessClients: RemoteClients {
  private let command: String
  private let patience: Interval
  /// What the command said of itself when it was asked first.
  public let hello: BackendHello

  /// Starts the command once, to hear who it is.
  ///
  /// - Parameters:
  ///   - command: what to start, as one would type it in a shell.
  ///   - patience: how long each answer may take.
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello.
  public init(_ command: String, patience: Interval = .seconds(5)) throws(BackendError) {
    self.command = command
    self.patience = patience
    hello = try Self.start(command, patience).1
  }

  /// Its name, and what it declares to show.
  public var description: BackendDescription {
    var shown: Capabilities = [.connections, .server]
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
    let (process, hello) = try Self.start(command, patience)
    return ProcessClient(process, hello)
  }

  static func start(
    _ command: String, _ patience: Interval
  ) throws(BackendError) -> (BackendProcess, BackendHello) {
    let process = try BackendProcess(command, patience: patience.microseconds)
    var writer = CommandWriter()
    do throws(BackendError) {
      try process.send(writer.start())
      let line = try process.receive()
      do throws(AnswerError) {
        return (process, try BackendHello(line))
      } catch {
        throw process.failure(
          "its hello is wrong: \(error.reason); answered: \(BackendProcess.excerpt(line))")
      }
    } catch {
      throw BackendError(.cannotStart, error.message)
    }
  }
}
