// The words for what becomes of a request, and the numbers of its errors.

extension RequestKind {
  /// The word for the kind, as scenarios write it.
  public var name: String {
    switch self {
    case .synchronous: "synchronous"
    case .short: "short"
    case .long: "long"
    case .exempt: "websocket"
    }
  }
}

/// What becomes of a request that arrives, without the particulars; see ``Admission``.
public enum AdmissionWord: String, Hashable, Sendable, CaseIterable {
  case startsNow = "starts-now"
  case waits
  case refused
  case freezes
  case polls

  /// The word for an admission.
  public init(_ admission: Admission) {
    self =
      switch admission {
      case .startsNow: .startsNow
      case .waits: .waits
      case .refused: .refused
      case .freezes: .freezes
      case .polls: .polls
      }
  }
}

/// How a request ended, or that it was refused; see ``RequestEnd`` and ``RequestRefusal``.
public enum RequestOutcome: String, Hashable, Sendable, CaseIterable {
  case finished
  case failed
  case notStarted = "not-started"
  case lost
  case timedOut = "timed-out"
  case queueTimeout = "held-back"
  case deadlineExceeded = "deadline-exceeded"
  case cancelled
  case closed
  case refused

  /// The word for an end; a connection that is lost is one, whoever tells of it.
  public init(_ end: RequestEnd) {
    self =
      switch end {
      case .finished: .finished
      case .failed(RequestErrorCode.connectionLost): .lost
      case .failed: .failed
      case .notStarted: .notStarted
      case .connectionLost: .lost
      case .timedOut: .timedOut
      case .queueTimeout: .queueTimeout
      case .deadlineExceeded: .deadlineExceeded
      case .cancelled: .cancelled
      case .closed: .closed
      }
  }
}

/// The numbers of errors that a user meets: the platform's own, and the dispatcher's (U59).
public enum RequestErrorCode {
  /// The user cancelled the request.
  public static let cancelled: Int32 = -999
  /// It timed out; the platform's number, which the dispatcher uses for its own time-out too (U44).
  public static let timedOut: Int32 = -1001
  /// The host has no address.
  public static let cannotFindHost: Int32 = -1003
  /// The server refuses the connection.
  public static let cannotConnect: Int32 = -1004
  /// The connection broke in the middle of the request.
  public static let connectionLost: Int32 = -1005
  /// The device has no network.
  public static let notConnected: Int32 = -1009
  /// The transport could not begin it (U59).
  public static let notStarted: Int32 = -1701
  /// It would exceed the long limit (U26, U59).
  public static let refused: Int32 = -1702
  /// Its time passed while the local limit held it back; the original has no such number.
  public static let queueTimeout: Int32 = -1703
  /// Its deadline passed; the original has no deadlines.
  public static let deadlineExceeded: Int32 = -1704
  /// The dispatcher was closed; the original gives the system's number for cancelling.
  public static let closed: Int32 = -1705
}

extension RequestEnd {
  /// The number of the error; nil where the request finished.
  public var errorCode: Int32? {
    switch self {
    case .finished: nil
    case .failed(let code): code
    case .notStarted: RequestErrorCode.notStarted
    case .connectionLost: RequestErrorCode.connectionLost
    case .timedOut: RequestErrorCode.timedOut
    case .queueTimeout: RequestErrorCode.queueTimeout
    case .deadlineExceeded: RequestErrorCode.deadlineExceeded
    case .cancelled: RequestErrorCode.cancelled
    case .closed: RequestErrorCode.closed
    }
  }
}

extension RequestRefusal {
  /// The number of the error.
  public var errorCode: Int32 {
    switch self {
    case .longLimitThrowing, .longLimitFailing: RequestErrorCode.refused
    case .closed: RequestErrorCode.closed
    }
  }
}
