import HandoverBackend
import HandoverCore
import HandoverLinux

/// A process in real time: it is told of things without a wait for its answers, and may speak
/// without being asked.
///
/// While it is stopped nothing is written to it and no answer is due; what it is to be told waits
/// until it goes on.
final class LiveProcess {
  private let process: BackendProcess
  private let timeout: Int64
  private var writer = CommandWriter()
  private var seq = 0
  /// What has not been answered yet, in order.
  private var awaited: [Question] = []
  /// What waits until the process goes on, in order.
  private var held: [Question] = []
  private(set) var isStopped = false

  private struct Question {
    var seq: Int
    var line: [UInt8]
    /// Whether it opens the run, which is the first that a process is told.
    var opens: Bool { seq == 1 }
    /// When the answer is due, by the monotonic clock.
    var due: Int64 = .max
  }

  /// Starts a command, and reads its hello.
  ///
  /// - Parameters:
  ///   - command: as one would type it.
  ///   - timeout: how long each answer may take.
  ///   - start: how long its hello may take.
  ///   - place: where it lives.
  ///   - title: what messages call it.
  ///   - lineLimit: how many lines it may write.
  ///   - hello: reads the hello.
  /// - Returns: the process, and what it said.
  /// - Throws: ``BackendError`` where it cannot be started or says no proper hello.
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

  /// What it wrote to its standard error, the latest of it.
  var log: String { process.log }

  // MARK: Telling

  /// Tells it something that is to be answered; the line is given the next number.
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

  /// Stops it with all that it started, as a platform does with an application in the background.
  func suspend() {
    process.suspend(true)
    isStopped = true
  }

  /// Lets it go on, and tells what waited.
  func resume() throws(BackendError) {
    process.suspend(false)
    isStopped = false
    for place in awaited.indices { awaited[place].due = monotonicMicroseconds() + timeout }
    let waiting = held
    held = []
    for question in waiting { try send(question) }
  }

  // MARK: Listening

  /// Whether everything it was told is answered, or waits because it is stopped.
  var hasAnswered: Bool { isStopped || awaited.isEmpty }

  /// When the next answer is due, by the monotonic clock.
  var due: Int64 { isStopped ? .max : awaited.first?.due ?? .max }

  /// How many lines are taken in in a turn; whatever else goes on waits for its end.
  static let maximumTurn = 256
  /// How many lines a process may write in a run.
  static let maximumLines = 250_000
  /// How many lines this one may write.
  private let lineLimit: Int
  private var lineCount = 0
  /// Whether the last turn ended although more may have been read already.
  private var mayHaveMore = false

  /// Takes in what it has written, up to the length of a turn, and hands each thing on that it
  /// tells.
  ///
  /// - Throws: ``BackendError`` where it broke the protocol, ended, owes an answer, or has written
  ///   more than anybody can take in.
  func listen(
    _ take: (AnswerFields) throws(AnswerError) -> Void
  ) throws(BackendError) {
    var turn = 0
    while turn < Self.maximumTurn, let line = try process.lineAtHand() {
      turn += 1
      lineCount += 1
      guard lineCount <= lineLimit else {
        throw process.failure("it wrote more than \(lineLimit) lines")
      }
      do throws(AnswerError) {
        let fields = try AnswerFields(line: line)
        try check(fields)
        for element in try fields.elements("out") ?? [] { try take(try AnswerFields(element)) }
      } catch {
        throw process.failure(
          "its line is wrong: \(error.reason); it wrote: \(BackendProcess.excerpt(line))")
      }
      if let skipped { throw BackendError(.unsupported, skipped) }
    }
    mayHaveMore = turn == Self.maximumTurn
    if !isStopped, let due = awaited.first?.due, due <= monotonicMicroseconds() {
      throw process.noAnswer()
    }
  }

  /// Why it does not play the run that was opened.
  private var skipped: String?

  private func check(_ fields: AnswerFields) throws(AnswerError) {
    let kinds = ["out", "skipped", "error"].filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw AnswerError("it must hold one of \"out\", \"skipped\" and \"error\"")
    }
    if kinds[0] == "error" { throw AnswerError("it says: \(try fields.text("error"))") }
    guard fields["seq"] != nil || kinds[0] == "skipped" else { return }
    let answered = try fields.number("seq")
    guard let question = awaited.first else {
      throw AnswerError("its \"seq\" is \(answered), and nothing was asked")
    }
    guard answered == Int64(question.seq) else {
      throw AnswerError("its \"seq\" is \(answered), and \(question.seq) was asked")
    }
    awaited.removeFirst()
    guard kinds[0] == "skipped" else { return }
    guard question.opens else { throw .skippedLate }
    skipped = AnswerError.cut(try fields.text("skipped"))
  }

  /// Waits until one of some processes has written something or ended, one owes an answer, another
  /// descriptor can be read, or an instant of the monotonic clock.
  static func wait(
    for processes: [LiveProcess], or other: Int32?, until deadline: Int64
  ) throws(BackendError) {
    // What has been read already makes no descriptor readable.
    let due = processes.map { $0.mayHaveMore ? .zero : $0.due }.min() ?? .max
    try BackendProcess.wait(
      for: processes.map(\.process), or: other, until: min(deadline, due))
  }

  /// Asks it to stop; what was wrong with the way it ended, or nil.
  func stop() -> String? { process.stop(within: timeout) }

  /// Ends it with all that it started.
  func end() { process.end() }
}
