import HandoverCore

/// An event that the neighbors or the environment of an interceptor cause.
enum ConformanceEvent: Hashable, Sendable {
  case start
  case write
  case finish
  case cancel
  case receive
  case metadata
  case message
  case close(CallStatus)
  case writeDone
  case answer
  case noAnswer
  case deadline

  func text(_ options: InterceptorConformance.Options) -> String {
    switch self {
    case .start: "the user starts the call"
    case .write: "the user writes a message"
    case .finish: "the user finishes the requests"
    case .cancel: "the user cancels"
    case .receive: "the user requests one more message"
    case .metadata: "the next interceptor forwards initial metadata"
    case .message: "the next interceptor forwards a message"
    case .close(let status): "the next interceptor closes \(status.code.name)"
    case .writeDone: "the next interceptor reports that a message was sent"
    case .answer: "the question is answered with \"\(options.answer)\""
    case .noAnswer: "the question finds no answer"
    case .deadline: "the deadline passes"
    }
  }

  /// Returns the events of a unary call whose questions are answered.
  ///
  /// Events that do not apply to an interceptor are skipped.
  static func unaryCall(_ options: InterceptorConformance.Options) -> [ConformanceEvent] {
    [.start, .write, .receive, .finish, .answer, .deadline, .metadata, .writeDone, .message]
      + options.closes.prefix(1).map(close)
  }
}
