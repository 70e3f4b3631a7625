public import HandoverCore
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A handle to inspect and cancel a request that a dispatcher has accepted.
///
/// The request continues even if the handle is released.
public final class URLDispatcherOperation: Sendable {
  /// The state of a request (U57).
  public enum State: Hashable, Sendable {
    /// The request waits for a slot, at a queue position counted from 1.
    case waiting(position: Int)
    /// The request was passed to the transport.
    case running
    /// The request exceeds the long limit, and no connection is available for it.
    case frozen
    /// The request is a stream replaced by short requests, and is between two of them.
    case resting
    /// The request has ended, although its delegate may not have been notified yet.
    case ended
  }

  /// The request.
  public let request: URLRequest
  /// The declared kind of the request (U17).
  public let kind: RequestKind
  /// The endpoint whose slots the request uses, even after redirects (U6).
  public let endpoint: EndpointKey

  let engine: DispatcherEngine
  let options: URLDispatcher.Options
  let delegate: any URLDispatcherDelegate
  let queue: SerialQueue
  private let known = Mutex(Known())

  /// The mutable state.
  private struct Known {
    var id: RequestID?
    var admission = URLDispatcherAdmission.startsNow
    var refusal: URLDispatcherError?
    var error: URLDispatcherError?
    var cause: (any Error)?
    var inFlight = InFlightRequest()
    var isHeld = false
  }

  init(_ arrival: Arrival, _ endpoint: EndpointKey, queue: SerialQueue, engine: DispatcherEngine) {
    request = arrival.request
    kind = arrival.kind
    options = arrival.options
    delegate = arrival.delegate
    self.endpoint = endpoint
    self.queue = queue
    self.engine = engine
  }

  /// The admission of the request when it was dispatched.
  ///
  /// This value never changes; ``state`` is the current state.
  public var admission: URLDispatcherAdmission { known.withLock { $0.admission } }

  /// The current state.
  public var state: State { id.map(engine.state(of:)) ?? .ended }

  /// The queue position, counted from 1, or `nil` if the request is not waiting.
  public var position: Int? {
    if case .waiting(let position) = state { position } else { nil }
  }

  /// The reason why the request failed, or `nil` if it has not failed.
  public var error: URLDispatcherError? { known.withLock { $0.error } }

  /// Cancels the request in any state; has no effect after its end (U46, U47, U48).
  ///
  /// The delegate is notified once of the cancellation.
  public func cancel() {
    if let id { engine.step(.cancelled(id)) }
  }

  var id: RequestID? { known.withLock { $0.id } }

  /// Stores the admission, before any other code can access the operation.
  func admit(as id: RequestID, _ admission: URLDispatcherAdmission) {
    known.withLock {
      $0.id = id
      $0.admission = admission
    }
  }

  /// Whether the request is a stream that was replaced by short requests.
  var isPolling: Bool {
    if case .polls = admission { true } else { false }
  }

  /// The request to send: the original one, or its replacement if it becomes short requests.
  var sent: URLRequest { isPolling ? options.poll ?? request : request }

  /// The error with which the dispatch call refuses the request, or `nil` if it accepts it.
  var refusal: URLDispatcherError? { known.withLock { $0.refusal } }

  /// Makes the dispatch call refuse the request, before any other code can access the operation.
  func refuse(_ error: URLDispatcherError) { known.withLock { $0.refusal = error } }

  /// Stores the transport's error; called before the failure is processed.
  func note(cause: (any Error)?) { known.withLock { $0.cause = cause } }

  var cause: (any Error)? { known.withLock { $0.cause } }

  /// Stores the reason for the failure; called before the delegate is notified.
  func note(_ error: URLDispatcherError) { known.withLock { $0.error = error } }

  /// Creates the transport attempt that comes next; each poll has its own.
  func nextCarriage() -> InFlightRequest {
    let inFlight = InFlightRequest()
    known.withLock { $0.inFlight = inFlight }
    return inFlight
  }

  /// The current transport attempt.
  var inFlight: InFlightRequest { known.withLock { $0.inFlight } }

  /// Whether the request is frozen beyond the long limit without being passed to the transport.
  var isHeld: Bool {
    get { known.withLock { $0.isHeld } }
    set { known.withLock { $0.isHeld = newValue } }
  }

  /// Notifies the delegate.
  func notify(_ event: URLDispatcherEvent) {
    do {
      try delegate.received(event, of: self)
    } catch {
      engine.delegateThrew()
    }
  }
}
