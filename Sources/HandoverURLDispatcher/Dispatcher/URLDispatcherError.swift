public import HandoverCore

/// An error of a call to a URL dispatcher, or the reason why a request failed.
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

    /// A value of the configuration is out of range (U8, U11).
    public static let invalidConfiguration = Code(kind: .invalidConfiguration)
    /// The request has no URL with a host and a port, or its polls go to another endpoint.
    public static let invalidRequest = Code(kind: .invalidRequest)
    /// The long limit of the endpoint is reached, and the policy ends the request (U25, U26).
    public static let longLimitReached = Code(kind: .longLimitReached)
    /// The time limit of the request passed while it waited in the dispatcher.
    ///
    /// The request was never sent, except for earlier polls of a polled stream.
    public static let queueTimeout = Code(kind: .queueTimeout)
    /// The timeout of the dispatcher passed while the request was running (U44).
    public static let timedOut = Code(kind: .timedOut)
    /// The timeout of the transport passed while the request was running.
    public static let timedOutByTransport = Code(kind: .timedOutByTransport)
    /// The timeout of the request passed before any connection was available for it.
    ///
    /// Only requests beyond the long limit can end like this; without a dispatcher, any request
    /// can.
    public static let frozen = Code(kind: .frozen)
    /// The deadline of the request passed after its start.
    public static let deadlineExceeded = Code(kind: .deadlineExceeded)
    /// The transport could not begin the request (U81).
    public static let notStarted = Code(kind: .notStarted)
    /// The connection was lost during the request.
    public static let connectionLost = Code(kind: .connectionLost)
    /// The transport failed in another way; see the number and the cause.
    public static let transportFailed = Code(kind: .transportFailed)
    /// The request was canceled (U46).
    public static let cancelled = Code(kind: .cancelled)
    /// The dispatcher is closed.
    public static let closed = Code(kind: .closed)
  }

  /// The kind of error.
  public let code: Code
  /// The endpoint that the error concerns, or `nil` if there is none.
  public let endpoint: EndpointKey?
  /// The numeric error code, or `nil` for an error that does not end a request.
  ///
  /// As in the original, the code is -1701 or -1702, or -1001 for a timeout of either side (U59).
  /// If the transport failed, it is the transport's own code. The codes of the other ends are in
  /// `RequestErrorCode`.
  public let number: Int?
  /// A description of the problem.
  public let message: String
  /// The error that the transport reported, or `nil` if there is none.
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

  /// The endpoint and the description of the problem.
  public var description: String {
    let text = number.map { "\(message) (\($0))" } ?? message
    return endpoint.map { "\($0): \(text)" } ?? text
  }
}

extension URLDispatcherError {
  /// Creates the error for a refused request.
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

  /// Creates the error for the end of a request, or returns `nil` if the request succeeded.
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
      (.frozen, "no connection was available until its timeout")
    case .failed(RequestErrorCode.timedOut):
      (.timedOutByTransport, "the transport's own timeout passed")
    case .failed(RequestErrorCode.connectionLost), .connectionLost:
      (.connectionLost, "the connection was lost")
    case .failed: (.transportFailed, "the transport failed")
    case .notStarted: (.notStarted, "the transport could not begin it")
    case .timedOut: (.timedOut, "its timeout passed while it ran")
    case .queueTimeout: (.queueTimeout, "its time was up while it waited for a slot")
    case .deadlineExceeded: (.deadlineExceeded, "its deadline passed")
    case .cancelled: (.cancelled, "it was canceled")
    case .closed: (.closed, "the dispatcher was closed")
    }
  }
}
