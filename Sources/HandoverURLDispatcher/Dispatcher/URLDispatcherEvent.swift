public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What a request's delegate is told.
///
/// Any number of responses and pieces of data, then exactly one end (U53).
public enum URLDispatcherEvent: Sendable {
  /// The headers of a response; what was gathered of the one before is void (U52).
  case response(HTTPURLResponse)
  /// A piece of the body.
  case data(Data)
  /// One of the short requests that a stream has become was answered; another will follow.
  case answered
  /// The end: the response is complete, whatever its status (U58).
  case finished
  /// The end: there will be no complete response.
  case failed(URLDispatcherError)
}

/// Who is told what happens to a request.
public protocol URLDispatcherDelegate: Sendable {
  /// Something has happened.
  ///
  /// It is called for one event after the other, never by the main thread and never under a lock,
  /// and may block: then the request's next event waits. When it is told of the end, the slot is
  /// free already, so that another request can take it (U38). It is held until then (U56).
  ///
  /// An error that it throws is counted in ``URLDispatcherNumbers/delegateErrors`` and costs the
  /// request nothing (U54).
  func received(_ event: URLDispatcherEvent, of operation: URLDispatcherOperation) throws
}

/// A response with its whole body.
public struct URLDispatcherAnswer: Sendable {
  /// The last response that arrived; nil where none did.
  public var response: HTTPURLResponse?
  /// Its body; empty where it has none.
  public var body: Data

  /// The status of the response; 0 where there is none.
  public var status: Int { response?.statusCode ?? 0 }
}
