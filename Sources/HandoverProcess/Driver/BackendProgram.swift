import HandoverBackend
import HandoverCore

/// A command that is a backend when it is started, whatever its role.
struct BackendProgram: Sendable {
  /// What to start, as one would type it in a shell.
  let command: String
  /// How long each answer may take.
  let timeout: Interval

  /// Starts it, and hears who it is.
  ///
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello.
  func start() throws(BackendError) -> (process: BackendProcess, hello: BackendHello) {
    let process = try BackendProcess(command, timeout: timeout.microseconds)
    let hello = try process.greet { line throws(AnswerError) in try BackendHello(line) }
    return (process, hello)
  }

  /// Starts it anew, where the one before cannot go on.
  func restart() throws(BackendError) -> BackendProcess { try start().process }
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
