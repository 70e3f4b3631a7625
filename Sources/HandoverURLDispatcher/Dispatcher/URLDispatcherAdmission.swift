public import HandoverCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// The treatment of a request when it is dispatched.
public enum URLDispatcherAdmission: Sendable {
  /// The request is passed to the transport immediately.
  case startsNow
  /// The request waits for a slot, at a queue position counted from 1.
  case waits(position: Int, holders: [URLDispatcherHolder])
  /// The request exceeds the long limit and freezes, because no connection is available for it.
  case freezes(holders: [URLDispatcherHolder])
  /// The request is replaced by a series of short requests.
  ///
  /// The first of them waits at a queue position counted from 1, or starts immediately if the
  /// position is 0.
  case polls(position: Int, holders: [URLDispatcherHolder])
  /// The request is refused with this error.
  case refused(URLDispatcherError)

  /// The requests that hold the slots of the endpoint, in the order in which they took them.
  ///
  /// It is empty if the request starts immediately or is refused.
  public var holders: [URLDispatcherHolder] {
    switch self {
    case .startsNow, .refused: []
    case .waits(_, let holders), .freezes(let holders), .polls(_, let holders): holders
    }
  }
}

/// A request that held a slot at the time of the query.
public struct URLDispatcherHolder: Hashable, Sendable {
  /// The request.
  public var request: URLRequest
  /// The declared kind of the request.
  public var kind: RequestKind
}
