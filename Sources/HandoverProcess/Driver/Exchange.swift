import HandoverBackend

/// An answer to a command with a number.
enum StepAnswer {
  /// What was done: the whole answer.
  case done(AnswerFields)
  /// The run is not taken, for this reason.
  case skipped(String)
  /// What the state of the client is.
  case digest(String)

  /// Takes an answer apart; only where the command opens a run can the run be skipped.
  ///
  /// - Throws: ``AnswerError`` where it is none to the command, or says that something is wrong.
  init(_ fields: AnswerFields, seq: Int, opens: Bool) throws(AnswerError) {
    let answered = try fields.number("seq")
    guard answered == Int64(seq) else {
      throw AnswerError("its \"seq\" is \(answered), and \(seq) was asked")
    }
    // Beside one of these a digest is a member that nobody knows.
    let kinds =
      ["out", "skipped", "error"].filter { fields[$0] != nil }.nonEmpty
      ?? ["digest"].filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw AnswerError("it must hold one of \"out\", \"skipped\" and \"error\"")
    }
    switch kinds[0] {
    case "skipped":
      guard opens else { throw .skippedLate }
      self = .skipped(AnswerError.cut(try fields.text("skipped")))
    case "digest": self = .digest(try fields.text("digest"))
    case "error": throw AnswerError("the backend says: \(try fields.text("error"))")
    default: self = .done(fields)
    }
  }
}

extension Array {
  /// Itself; nil where nothing is in it.
  fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension BackendProcess {
  /// The process for the next run: this one, or a fresh one where this one has spoken or ended
  /// since the run before was closed.
  ///
  /// That it has is no fault of the next run.
  func forNextRun(
    orElse start: () throws(BackendError) -> BackendProcess
  ) throws(BackendError) -> BackendProcess {
    guard isQuiet else {
      end()
      return try start()
    }
    forgetLog()
    return self
  }

  /// Says so where it has spoken after its answer to `close`, which is the last of a run.
  func checkFarewell() throws(BackendError) {
    if let more = try unasked() {
      throw failure("it wrote a line after its answer to \"close\": \(more)")
    }
  }

  /// Sends a line and has its answer taken in.
  ///
  /// - Throws: ``BackendError`` with both lines where the answer is wrong.
  func exchange(
    _ line: [UInt8], _ take: (AnswerFields) throws(AnswerError) -> Void
  ) throws(BackendError) {
    if let unasked = try unasked() {
      throw failure("it wrote a line that nobody asked for: \(unasked)")
    }
    try send(line)
    let answer = try receive()
    do throws(AnswerError) {
      try take(try AnswerFields(line: answer))
    } catch {
      throw failure(
        "its answer is wrong: \(error.reason); asked: \(Self.excerpt(line)) "
          + "answered: \(Self.excerpt(answer))")
    }
  }
}
