// The keywords and error codes for the outcomes of requests.

extension RequestKind {
  /// The keyword of the kind in scenarios.
  public var name: String {
    switch self {
    case .synchronous: "synchronous"
    case .short: "short"
    case .long: "long"
    case .exempt: "websocket"
    }
  }
}

/// The outcome of an admission without its details; see ``Admission``.
public enum AdmissionKind: String, Hashable, Sendable, CaseIterable {
  case startsNow = "starts-now"
  case waits
  case refused
  case freezes
  case polls

  /// Returns the keyword of an admission.
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

/// The way a request ended, or the fact that it was refused; see ``RequestEnd`` and
/// ``RequestRefusal``.
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

  /// Returns the outcome of an end; a lost connection maps to `lost`, whichever side reported it.
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

/// The error codes that a caller receives, from the OS and from the dispatcher (U59).
public enum RequestErrorCode {
  /// The caller cancelled the request.
  public static let cancelled: Int32 = -999
  /// The request timed out; the dispatcher uses the code of the OS for its own timeout too (U44).
  public static let timedOut: Int32 = -1001
  /// The host has no address.
  public static let cannotFindHost: Int32 = -1003
  /// The server refused the connection.
  public static let cannotConnect: Int32 = -1004
  /// The connection broke during the request.
  public static let connectionLost: Int32 = -1005
  /// The device has no network.
  public static let notConnected: Int32 = -1009
  /// The transport could not start the request (U59).
  public static let notStarted: Int32 = -1701
  /// The request would exceed the long limit (U26, U59).
  public static let refused: Int32 = -1702
  /// The timeout or the deadline expired while the local limit delayed the request, or the next
  /// poll of a stream; not in the original dispatcher.
  public static let queueTimeout: Int32 = -1703
  /// The deadline passed; the original dispatcher has no deadlines.
  public static let deadlineExceeded: Int32 = -1704
  /// The dispatcher was closed; the original dispatcher uses the OS code for cancellation.
  public static let closed: Int32 = -1705
}

extension RequestEnd {
  /// The error code, or `nil` if the request finished.
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
  /// The error code.
  public var errorCode: Int32 {
    switch self {
    case .longLimitThrowing, .longLimitFailing: RequestErrorCode.refused
    case .closed: RequestErrorCode.closed
    }
  }
}
