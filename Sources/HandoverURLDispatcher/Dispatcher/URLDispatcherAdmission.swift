public import HandoverDispatcher

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// What becomes of a request when it is dispatched.
public enum URLDispatcherAdmission: Sendable {
  /// It is handed to the transport at once.
  case startsNow
  /// It waits for a slot, at a place of its line that is counted from 1.
  case waits(position: Int, holders: [URLDispatcherHolder])
  /// It is handed to the transport, which has no connection for it.
  case freezes(holders: [URLDispatcherHolder])
  /// It becomes short requests, one after the other.
  ///
  /// The first waits at a place of its line, counted from 1; with 0 it starts at once.
  case polls(position: Int, holders: [URLDispatcherHolder])
  /// It is refused with this error.
  case refused(URLDispatcherError)

  /// Who holds the slots of the endpoint, in the order in which they took them; nobody is named
  /// where the request is given one at once.
  public var holders: [URLDispatcherHolder] {
    switch self {
    case .startsNow, .refused: []
    case .waits(_, let holders), .freezes(let holders), .polls(_, let holders): holders
    }
  }
}

/// A request that held a slot when somebody asked.
public struct URLDispatcherHolder: Hashable, Sendable {
  /// The request.
  public var request: URLRequest
  /// What it was declared to be.
  public var kind: RequestKind
}
