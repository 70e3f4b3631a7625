public import HandoverDispatcher
import HandoverMachines
import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A request that a dispatcher has accepted: what it may be looked at and cancelled by.
///
/// It may be dropped; the request goes on all the same.
public final class URLDispatcherOperation: Sendable {
  /// Where a request stands (U57).
  public enum State: Hashable, Sendable {
    /// It waits for a slot, at a place of its line that is counted from 1.
    case waiting(position: Int)
    /// It is with the transport.
    case running
    /// It is beyond the long limit, and no connection is for it.
    case frozen
    /// It is a stream of short requests, between two of them.
    case resting
    /// It has ended; its delegate may not have been told yet.
    case ended
  }

  /// The request.
  public let request: URLRequest
  /// What it was declared to be (U17).
  public let kind: RequestKind
  /// The endpoint that it is charged to, wherever it is redirected to (U6).
  public let endpoint: EndpointKey

  let engine: DispatcherEngine
  let options: URLDispatcher.Options
  let delegate: any URLDispatcherDelegate
  let queue: SerialQueue
  private let known = Mutex(Known())

  /// What changes.
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

  /// What became of it when it was dispatched.
  ///
  /// It does not change; ``state`` tells what is.
  public var admission: URLDispatcherAdmission { known.withLock { $0.admission } }

  /// Where it stands.
  public var state: State { id.map(engine.state(of:)) ?? .ended }

  /// Its place in line, counted from 1; nil where it does not wait.
  public var position: Int? {
    if case .waiting(let position) = state { position } else { nil }
  }

  /// Why it failed; nil as long as it has not.
  public var error: URLDispatcherError? { known.withLock { $0.error } }

  /// Gives it up, wherever it stands; once it has ended nothing changes (U46, U47, U48).
  ///
  /// Its delegate is told, once, that it was cancelled.
  public func cancel() {
    if let id { engine.step(.cancelled(id)) }
  }

  var id: RequestID? { known.withLock { $0.id } }

  /// The dispatcher has decided what becomes of it; nobody has seen it before.
  func admit(as id: RequestID, _ admission: URLDispatcherAdmission) {
    known.withLock {
      $0.id = id
      $0.admission = admission
    }
  }

  /// Whether it is a stream that has become short requests.
  var isPolling: Bool {
    if case .polls = admission { true } else { false }
  }

  /// What is sent: the request, or what takes its place when it becomes short requests.
  var sent: URLRequest { isPolling ? options.poll ?? request : request }

  /// The error by which the call itself refuses it; nil where it does not.
  var refusal: URLDispatcherError? { known.withLock { $0.refusal } }

  /// Lets the call itself refuse it; nobody has seen it before.
  func refuse(_ error: URLDispatcherError) { known.withLock { $0.refusal = error } }

  /// Notes what the transport had to say about its failure; comes before the failure.
  func note(cause: (any Error)?) { known.withLock { $0.cause = cause } }

  var cause: (any Error)? { known.withLock { $0.cause } }

  /// Notes why it failed; comes before the delegate is told.
  func note(_ error: URLDispatcherError) { known.withLock { $0.error = error } }

  /// The way through the transport that it takes next; polls take one each.
  func nextCarriage() -> InFlightRequest {
    let inFlight = InFlightRequest()
    known.withLock { $0.inFlight = inFlight }
    return inFlight
  }

  /// The way through the transport that it is on.
  var inFlight: InFlightRequest { known.withLock { $0.inFlight } }

  /// Whether it is frozen beyond the long limit, and the transport has nothing of it.
  var isHeld: Bool {
    get { known.withLock { $0.isHeld } }
    set { known.withLock { $0.isHeld = newValue } }
  }

  /// Lets its delegate know.
  func notify(_ event: URLDispatcherEvent) {
    do {
      try delegate.received(event, of: self)
    } catch {
      engine.delegateThrew()
    }
  }
}
