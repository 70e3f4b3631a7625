public import Foundation
public import HandoverDispatcher

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What carries a dispatcher's requests: an HTTP client of any make.
///
/// A dispatcher only says when; how many connections there are is the transport's own affair. It
/// should never allow fewer than the dispatcher's total, or requests freeze again.
public protocol HTTPTransport: Sendable {
  /// Begins a request.
  ///
  /// It is called by threads that may block.
  ///
  /// - Parameters:
  ///   - request: what to send; its own time-out is not to be looked at.
  ///   - kind: what it was declared to be. What is exempt has to find a connection whatever else
  ///     runs, and must not take one from what is not.
  ///   - timeout: the time-out that the transport has to keep; nil where the dispatcher keeps it.
  ///   - tell: what happens, one after the other, by any thread, until exactly one end; that comes
  ///     when the connection is free or closed, of a cancelled request too.
  /// - Returns: what the request may be cancelled by.
  /// - Throws: why the request never began (U81); nothing may be told then.
  func begin(
    _ request: URLRequest, as kind: RequestKind, timeout: Duration?,
    tell: @escaping @Sendable (HTTPTransportEvent) -> Void
  ) throws -> any HTTPExchange

  /// Lets go of everything; called once, when no request is left.
  func shutDown()
}

/// A request that a transport has begun.
public protocol HTTPExchange: Sendable {
  /// Gives the request up, and its connection with it; once is enough, and after the end it does
  /// nothing.
  ///
  /// Whatever the transport still tells of it is dropped (U49), but for its end: until then nothing
  /// else begins on its connection.
  func cancel()
}

/// What a transport tells of a request.
public enum HTTPTransportEvent: Sendable {
  /// The headers of a response; they may come more than once (U52).
  case response(HTTPURLResponse)
  /// A piece of the body.
  case data(Data)
  /// The server wants to know who asks; to be answered once, by any thread, at any time.
  case challenge(HTTPChallenge, answer: @Sendable (HTTPChallengeAnswer) -> Void)
  /// The end: the response is complete, whatever its status (U58).
  case finished
  /// The end: there will be no complete response.
  ///
  /// The code is one of Foundation's `URLError.Code`, or what comes next to it.
  case failed(code: Int32, cause: (any Error)?)
}
