import HandoverBackend

/// An answer to a numbered command.
enum StepAnswer {
  /// The answer to a completed command.
  case done(AnswerFields)
  /// The backend does not support the run, for this reason.
  case skipped(String)
  /// The fingerprint of the client's state.
  case digest(String)

  /// Decodes an answer; a run can be skipped only by the answer to the command that opens it.
  ///
  /// - Throws: ``AnswerError`` if the answer does not match the command or reports an error.
  init(_ fields: AnswerFields, seq: Int, opens: Bool) throws(AnswerError) {
    let answered = try fields.number("seq")
    guard answered == Int64(seq) else {
      throw AnswerError("\"seq\" is \(answered), and the command had \(seq)")
    }
    // Next to one of these members, `digest` is an unknown member and is ignored.
    let kinds =
      ["out", "skipped", "error"].filter { fields[$0] != nil }.nonEmpty
      ?? ["digest"].filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw AnswerError(
        "the answer must have exactly one of the keys \"out\", \"skipped\" and \"error\"")
    }
    switch kinds[0] {
    case "skipped":
      guard opens else { throw .skippedLate }
      self = .skipped(AnswerError.cut(try fields.text("skipped")))
    case "digest": self = .digest(try fields.text("digest"))
    case "error": throw AnswerError("the backend reports: \(try fields.text("error"))")
    default: self = .done(fields)
    }
  }
}

extension Array {
  /// The array, or `nil` if it is empty.
  fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension BackendProcess {
  /// Returns the process for the next run.
  ///
  /// If this process has written or ended since the previous run was closed, a new process replaces
  /// it, because that is not the fault of the next run.
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

  /// Throws an error if the process wrote something after its answer to `close`, the last of a run.
  func checkFarewell() throws(BackendError) {
    if let more = try unasked() {
      throw failure("it sent a line after its answer to \"close\": \(more)")
    }
  }

  /// Sends a line and passes the answer to a closure.
  ///
  /// - Throws: ``BackendError`` with both lines if the answer is wrong.
  func exchange(
    _ line: [UInt8], _ take: (AnswerFields) throws(AnswerError) -> Void
  ) throws(BackendError) {
    if let unasked = try unasked() {
      throw failure("it sent a line without a command: \(unasked)")
    }
    try send(line)
    let answer = try receive()
    do throws(AnswerError) {
      try take(try AnswerFields(line: answer))
    } catch {
      throw failure(
        "its answer is invalid: \(error.reason); asked: \(Self.excerpt(line)) "
          + "answered: \(Self.excerpt(answer))")
    }
  }
}
