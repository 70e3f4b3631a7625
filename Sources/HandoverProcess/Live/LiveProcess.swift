import HandoverBackend
import HandoverCore
import HandoverLinux

/// A process in real time, which receives commands without a wait for its answers.
///
/// The process may also write lines without a command. While the process is stopped, no command is
/// written to it and no answer is due. Commands are queued until it continues.
final class LiveProcess {
  private let process: BackendProcess
  private let timeout: Int64
  private var writer = CommandWriter()
  private var seq = 0
  /// The commands that have not been answered yet, in order.
  private var awaited: [Question] = []
  /// The commands that are queued until the process continues, in order.
  private var held: [Question] = []
  private(set) var isStopped = false

  private struct Question {
    var seq: Int
    var line: [UInt8]
    /// Whether the command opens the run; this is the first command of a process.
    var opens: Bool { seq == 1 }
    /// The instant at which the answer is due, on the monotonic clock.
    var due: Int64 = .max
  }

  /// Starts a command and reads its handshake.
  ///
  /// - Parameters:
  ///   - command: The shell command line.
  ///   - timeout: The time limit of each answer.
  ///   - start: The time limit of the handshake.
  ///   - place: The place where the process runs.
  ///   - title: The name of the process in messages.
  ///   - lineLimit: The maximum number of lines that the process may write.
  ///   - hello: A closure that decodes the handshake.
  /// - Returns: The process and its handshake.
  /// - Throws: ``BackendError`` if the command cannot be started or sends no valid handshake.
  static func start<Hello>(
    _ command: String, timeout: Interval, start: Interval, at place: BackendProcess.Place,
    title: String, lineLimit: Int = maximumLines,
    hello: ([UInt8]) throws(AnswerError) -> Hello
  ) throws(BackendError) -> (LiveProcess, Hello) {
    let process = try BackendProcess(
      command, timeout: timeout.microseconds, at: place, title: title)
    let answer = try process.greet(within: start.microseconds, hello)
    return (LiveProcess(process, timeout, lineLimit), answer)
  }

  private init(_ process: BackendProcess, _ timeout: Interval, _ lineLimit: Int) {
    self.process = process
    self.lineLimit = lineLimit
    self.timeout = timeout.microseconds
  }

  /// The latest part of what the process wrote to its standard error.
  var log: String { process.log }

  // MARK: Sending

  /// Sends a command that requires an answer, with the next number.
  func send(_ line: (inout CommandWriter, _ seq: Int) -> [UInt8]) throws(BackendError) {
    seq += 1
    let question = Question(seq: seq, line: line(&writer, seq))
    if isStopped { held.append(question) } else { try send(question) }
  }

  private func send(_ question: Question) throws(BackendError) {
    var question = question
    question.due = monotonicMicroseconds() + timeout
    awaited.append(question)
    try process.send(question.line)
  }

  /// Stops the process and everything that it started, as a platform stops a background
  /// application.
  func suspend() {
    process.suspend(true)
    isStopped = true
  }

  /// Continues the process and sends the queued commands.
  func resume() throws(BackendError) {
    process.suspend(false)
    isStopped = false
    for position in awaited.indices { awaited[position].due = monotonicMicroseconds() + timeout }
    let waiting = held
    held = []
    for question in waiting { try send(question) }
  }

  // MARK: Receiving

  /// Whether the process has answered every command, or is stopped.
  var hasAnswered: Bool { isStopped || awaited.isEmpty }

  /// The instant at which the next answer is due, on the monotonic clock.
  var due: Int64 { isStopped ? .max : awaited.first?.due ?? .max }

  /// The maximum number of lines that are processed in one turn, before other work continues.
  static let maximumTurn = 256
  /// The maximum number of lines that a process may write in a run.
  static let maximumLines = 250_000
  /// The maximum number of lines that this process may write.
  private let lineLimit: Int
  private var lineCount = 0
  /// Whether the last turn ended although more lines may have been read already.
  private var mayHaveMore = false

  /// Processes the lines of one turn, and passes each element of `out` to a closure.
  ///
  /// - Throws: ``BackendError`` if the process violates the protocol, ends, is late with an answer,
  ///   or has written too many lines.
  func listen(
    _ take: (AnswerFields) throws(AnswerError) -> Void
  ) throws(BackendError) {
    var turn = 0
    while turn < Self.maximumTurn, let line = try process.availableLine() {
      turn += 1
      lineCount += 1
      guard lineCount <= lineLimit else {
        throw process.failure("it sent more than \(lineLimit) lines")
      }
      do throws(AnswerError) {
        let fields = try AnswerFields(line: line)
        try check(fields)
        for element in try fields.elements("out") ?? [] { try take(try AnswerFields(element)) }
      } catch {
        throw process.failure(
          "its line is invalid: \(error.reason); it sent: \(BackendProcess.excerpt(line))")
      }
      if let skipped { throw BackendError(.unsupported, skipped) }
    }
    mayHaveMore = turn == Self.maximumTurn
    if !isStopped, let due = awaited.first?.due, due <= monotonicMicroseconds() {
      throw process.noAnswer()
    }
  }

  /// The reason why the process does not support the run that was opened.
  private var skipped: String?

  private func check(_ fields: AnswerFields) throws(AnswerError) {
    let kinds = ["out", "skipped", "error"].filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw AnswerError(
        "the line must have exactly one of the keys \"out\", \"skipped\" and \"error\"")
    }
    if kinds[0] == "error" { throw AnswerError("it reports: \(try fields.text("error"))") }
    guard fields["seq"] != nil || kinds[0] == "skipped" else { return }
    let answered = try fields.number("seq")
    guard let question = awaited.first else {
      throw AnswerError("\"seq\" is \(answered), and there was no command")
    }
    guard answered == Int64(question.seq) else {
      throw AnswerError("\"seq\" is \(answered), and the command had \(question.seq)")
    }
    awaited.removeFirst()
    guard kinds[0] == "skipped" else { return }
    guard question.opens else { throw .skippedLate }
    skipped = AnswerError.cut(try fields.text("skipped"))
  }

  /// Waits until a process writes something or ends, or until an instant of the monotonic clock.
  ///
  /// The wait also ends when an answer becomes late, or when the descriptor `other` becomes
  /// readable.
  static func wait(
    for processes: [LiveProcess], or other: Int32?, until deadline: Int64
  ) throws(BackendError) {
    // Lines that have been read already do not make a descriptor readable.
    let due = processes.map { $0.mayHaveMore ? .zero : $0.due }.min() ?? .max
    try BackendProcess.wait(
      for: processes.map(\.process), or: other, until: min(deadline, due))
  }

  /// Requests the process to exit, and returns a description of an abnormal exit or `nil`.
  func stop() -> String? { process.stop(within: timeout) }

  /// Kills the process and everything that it started.
  func end() { process.end() }
}
