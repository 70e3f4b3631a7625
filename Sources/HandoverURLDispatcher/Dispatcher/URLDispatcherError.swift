public import HandoverDispatcher

/// Why a call of a URL dispatcher cannot do what it is asked for, or how a request failed.
public struct URLDispatcherError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: Hashable {
      case invalidConfiguration
      case invalidRequest
      case longLimitReached
      case queueTimeout
      case timedOut
      case timedOutByTransport
      case frozen
      case deadlineExceeded
      case notStarted
      case connectionLost
      case transportFailed
      case cancelled
      case closed
    }
    fileprivate let kind: Kind

    /// A value of the configuration is out of its range (U8, U11).
    public static let invalidConfiguration = Code(kind: .invalidConfiguration)
    /// The request has no URL with a host and a port to count it by, or its polls go elsewhere.
    public static let invalidRequest = Code(kind: .invalidRequest)
    /// The long limit of the endpoint is reached, and by policy that ends the request (U25, U26).
    public static let longLimitReached = Code(kind: .longLimitReached)
    /// Its time was up while the dispatcher held it back; the network never saw it.
    public static let queueTimeout = Code(kind: .queueTimeout)
    /// Its time-out passed while it ran: the dispatcher's, not the transport's (U44).
    public static let timedOut = Code(kind: .timedOut)
    /// The transport's own time-out passed while it ran.
    public static let timedOutByTransport = Code(kind: .timedOutByTransport)
    /// Its time-out passed, and no connection was for it all the time.
    ///
    /// Only requests that go beyond the long limit end so; without a dispatcher all do.
    public static let frozen = Code(kind: .frozen)
    /// The deadline that it was given passed after it had been started.
    public static let deadlineExceeded = Code(kind: .deadlineExceeded)
    /// The transport could not begin it (U81).
    public static let notStarted = Code(kind: .notStarted)
    /// The connection was lost in the middle.
    public static let connectionLost = Code(kind: .connectionLost)
    /// The transport failed in another way; the number and the cause tell how.
    public static let transportFailed = Code(kind: .transportFailed)
    /// It was cancelled (U46).
    public static let cancelled = Code(kind: .cancelled)
    /// The dispatcher is closed.
    public static let closed = Code(kind: .closed)
  }

  /// The kind.
  public let code: Code
  /// The endpoint that it is about; nil where there is none.
  public let endpoint: EndpointKey?
  /// The number that stands for it where numbers do.
  ///
  /// -1701, -1702 and, for a time-out of either side, -1001 as in the original (U59); the
  /// transport's own where it failed; those of `RequestErrorCode` for the other ends, and nil for
  /// what ends no request.
  public let number: Int?
  /// What is wrong, in words.
  public let message: String
  /// What the transport had to say about it.
  public let cause: (any Error)?

  init(
    _ code: Code, of endpoint: EndpointKey? = nil, number: Int? = nil, _ message: String,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.endpoint = endpoint
    self.number = number
    self.message = message
    self.cause = cause
  }

  /// The endpoint and what is wrong.
  public var description: String {
    let text = number.map { "\(message) (\($0))" } ?? message
    return endpoint.map { "\($0): \(text)" } ?? text
  }
}

extension URLDispatcherError {
  /// What a refusal is to the user.
  init(refusal: RequestRefusal, _ endpoint: EndpointKey) {
    switch refusal {
    case .longLimitThrowing, .longLimitFailing:
      self.init(
        .longLimitReached, of: endpoint, number: Int(refusal.errorCode),
        "no connection is available for another long request")
    case .closed:
      self.init(
        .closed, of: endpoint, number: Int(refusal.errorCode), "the dispatcher is closed")
    }
  }

  /// What an end is to the user; nil where nothing went wrong.
  init?(_ end: RequestEnd, _ endpoint: EndpointKey, isFrozen: Bool, cause: (any Error)?) {
    guard let number = end.errorCode,
      let (code, message) = Self.words(for: end, isFrozen: isFrozen)
    else { return nil }
    self.init(code, of: endpoint, number: Int(number), message, cause: cause)
  }

  private static func words(for end: RequestEnd, isFrozen: Bool) -> (Code, String)? {
    switch end {
    case .finished: nil
    case .failed(RequestErrorCode.timedOut) where isFrozen:
      (.frozen, "no connection was for it until its time-out")
    case .failed(RequestErrorCode.timedOut):
      (.timedOutByTransport, "the transport's own time-out passed")
    case .failed(RequestErrorCode.connectionLost), .connectionLost:
      (.connectionLost, "the connection was lost")
    case .failed: (.transportFailed, "the transport failed")
    case .notStarted: (.notStarted, "the transport could not begin it")
    case .timedOut: (.timedOut, "its time-out passed while it ran")
    case .queueTimeout: (.queueTimeout, "its time was up while it waited for a slot")
    case .deadlineExceeded: (.deadlineExceeded, "its deadline passed")
    case .cancelled: (.cancelled, "it was cancelled")
    case .closed: (.closed, "the dispatcher was closed")
    }
  }
}
