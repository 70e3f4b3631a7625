public import Foundation
public import HandoverCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP client that sends the requests of a dispatcher.
///
/// The dispatcher decides only when requests start. The transport manages its own connections. It
/// should allow at least as many connections as the dispatcher's total; otherwise requests freeze
/// again.
public protocol HTTPTransport: Sendable {
  /// Begins a request.
  ///
  /// The dispatcher calls it on threads that may block.
  ///
  /// - Parameters:
  ///   - request: The request to send; ignore the timeout that it contains.
  ///   - kind: The declared kind of the request. An exempt request must get a connection whatever
  ///     else is running, and must not take one from other requests.
  ///   - timeout: The timeout that the transport must enforce, or `nil` if the dispatcher enforces
  ///     it.
  ///   - onEvent: Receives the events in order, on any thread, up to exactly one end. The end must
  ///     follow even a cancellation, and only after the connection is free or closed.
  /// - Returns: A handle to cancel the request.
  /// - Throws: The reason why the request never began (U81); `onEvent` must not be called in this
  ///   case.
  func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    onEvent: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) throws -> any HTTPExchange

  /// Releases all resources; called once, after the last request has ended.
  func shutDown()
}

/// A request that a transport has begun.
public protocol HTTPExchange: Sendable {
  /// Cancels the request and releases its connection; has no effect after the end.
  ///
  /// One call is sufficient. The dispatcher drops all later events (U49) except the end, and starts
  /// no other request on the connection before the end.
  func cancel()
}

/// An event of a request that a transport reports.
public enum HTTPTransportEvent: Sendable {
  /// The headers of a response; the transport may report several responses (U52).
  case response(HTTPURLResponse)
  /// A piece of the body.
  case data(Data)
  /// The server requests authentication; the answer must be given once, by any thread, at any time.
  case challenge(HTTPChallenge, answer: @Sendable (HTTPChallengeAnswer) -> Void)
  /// The end: the response is complete, with any status (U58).
  case finished
  /// The end: the request failed, and the response is incomplete or missing.
  ///
  /// The code is one of Foundation's `URLError.Code`, or the closest match.
  case failed(code: Int32, cause: (any Error)?)
}
