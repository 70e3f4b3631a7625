import HandoverBackend
import HandoverCore

/// A command that runs a backend of any role.
struct BackendProgram: Sendable {
  /// The shell command line.
  let command: String
  /// The time limit of each answer.
  let timeout: Interval

  /// Starts the command and reads its handshake.
  ///
  /// - Throws: ``BackendError`` if the command cannot be started or sends no valid handshake.
  func start() throws(BackendError) -> (process: BackendProcess, hello: BackendHello) {
    let process = try BackendProcess(command, timeout: timeout.microseconds)
    let hello = try process.greet { line throws(AnswerError) in try BackendHello(line) }
    return (process, hello)
  }

  /// Starts the command again after its previous process became unusable.
  func restart() throws(BackendError) -> BackendProcess { try start().process }
}

extension BackendProcess {
  /// Sends the start command to the process and reads its handshake.
  ///
  /// - Throws: ``BackendError`` if the process sends no valid handshake.
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
        throw failure(
          "its handshake (hello) is invalid: \(error.reason); answered: \(Self.excerpt(line))")
      }
    } catch {
      throw BackendError(.cannotStart, error.message)
    }
  }
}
