public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An event that a request's delegate receives.
///
/// A delegate receives any number of responses and pieces of data, and then exactly one end (U53).
public enum URLDispatcherEvent: Sendable {
  /// The headers of a response; data of an earlier response must be discarded (U52).
  case response(HTTPURLResponse)
  /// A piece of the body.
  case data(Data)
  /// One of the short requests that replace a stream was answered; another will follow.
  case answered
  /// The end: the response is complete, with any status (U58).
  case finished
  /// The end: the request failed, and the response is incomplete or missing.
  case failed(URLDispatcherError)
}

/// A receiver of the events of a request.
public protocol URLDispatcherDelegate: Sendable {
  /// Handles an event.
  ///
  /// The dispatcher calls it for one event at a time, never on the main thread and never under a
  /// lock. It may block, which delays the next event of the request. When it receives the end, the
  /// slot is already free for another request (U38). The dispatcher keeps a reference to the
  /// delegate until then (U56).
  ///
  /// An error thrown here is counted in ``URLDispatcherStatistics/delegateErrors``. It does not
  /// affect the request (U54).
  func received(_ event: URLDispatcherEvent, of operation: URLDispatcherOperation) throws
}

/// A response with its whole body.
public struct URLDispatcherAnswer: Sendable {
  /// The last response that arrived, or `nil` if there was none.
  public var response: HTTPURLResponse?
  /// The body of the response, which may be empty.
  public var body: Data

  /// The status of the response, or 0 if there is none.
  public var status: Int { response?.statusCode ?? 0 }
}
