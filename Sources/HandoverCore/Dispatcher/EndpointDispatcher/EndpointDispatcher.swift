/// A queue in front of an OS that limits the number of connections to each endpoint.
///
/// A request is admitted in one step: it starts now, waits, or is refused.
/// ``prediction(for:on:policy:)`` returns the outcome in advance and uses the same code. Some slots
/// of each endpoint are reserved for short requests.
///
/// Waiting requests form two lines, one for short and synchronous requests and one for long
/// requests. A freed slot goes to the earliest arrival among the requests that may take it. A short
/// request therefore never waits behind a long request that waits for a long slot. ``RequestPhase``
/// contains the state chart of a request.
///
/// Illegal events:
/// - (a) Our bug, trapped: a request with an identifier that ``nextRequestID`` did not return, an
///   endpoint that was not registered, or limits with a different total.
/// - (b) The peer's fault: no such event reaches this state machine.
/// - (c) Tolerated and dropped: events of a request that has ended, and transport events of a
///   request that the transport does not have. Neither the caller nor the transport can know in
///   time what the other one did.
public struct EndpointDispatcher: StateMachine {
  /// An event that the dispatcher receives.
  public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// A request arrives and is admitted or refused in this step.
    case requestArrived(RequestID, EndpointID, RequestSettings)
    /// The transport could not start the request.
    case notStarted(RequestID)
    /// The headers of a response arrived.
    case responded(RequestID)
    /// A short request of a polled stream was answered.
    case pollAnswered(RequestID)
    /// The transport completed the request.
    case finished(RequestID)
    /// The transport failed.
    case failed(RequestID, code: Int32)
    /// The caller cancels the request.
    case cancelled(RequestID)
    /// All connections to the endpoint are lost; waiting requests are not affected.
    case connectionsLost(EndpointID)
    /// The user changes the long limit (U10).
    case limitsChanged(ConnectionLimits)
    /// The endpoint uses HTTP/2 and allows this number of concurrent streams.
    case streamBudgetAnnounced(EndpointID, streams: UInt32)
    /// The endpoint no longer uses HTTP/2.
    case streamBudgetWithdrawn(EndpointID)
    /// Time passed; deadlines may have expired.
    case timeElapsed
    /// The user closes the dispatcher.
    case closed
  }

  /// The effects of the dispatcher.
  public typealias Effect = DispatcherEffect

  var configuration: DispatcherConfiguration
  @usableFromInline var endpoints = Rows<DispatcherEndpoint>()
  @usableFromInline var requests = EndpointRequestTable()
  /// The timeouts, deadlines and pauses, with one row for each request.
  var deadlines = DeadlineQueue()
  @usableFromInline var sharing = Sharing()
  /// The number of armed deadlines so far, so that equal due times fire in the order of arming.
  var armed: UInt64 = 0
  /// The number of arrivals so far in all lines.
  var arrivals: UInt64 = 0
  var isClosed = false
  /// The endpoints whose requests wait on the shared condition of a defective dispatcher (U79).
  var sleepers: ContiguousArray<UInt32> = []
  private var keys: [EndpointKey: EndpointID] = [:]  // lookup only

  /// Creates a dispatcher without endpoints.
  public init(_ configuration: DispatcherConfiguration) {
    self.configuration = configuration
  }

  /// Returns the endpoint of a key, and creates it on the first call.
  ///
  /// The dispatcher never removes an endpoint.
  public mutating func register(_ key: EndpointKey) -> EndpointID {
    if let known = keys[key] { return known }
    ownTables()
    let id = EndpointID(index: UInt32(truncatingIfNeeded: endpoints.count))
    endpoints.append(DispatcherEndpoint(total: configuration.limits.total))
    requests.addLines()
    keys[key] = id
    return id
  }

  /// The identifier that the next request must arrive with.
  @inlinable
  public var nextRequestID: RequestID { requests.nextID }

  /// Handles one event and appends the resulting effects.
  @inlinable
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    ownTables()
    switch event {
    case .requestArrived(let request, let endpoint, let settings):
      admit(request, on: endpoint, settings, at: now, into: &effects)
    case .notStarted(let request):
      notStarted(request, at: now, into: &effects)
    case .responded(let request):
      responded(request)
    case .pollAnswered(let request):
      pollAnswered(request, at: now, into: &effects)
    case .finished(let request):
      endedByTransport(request, .finished, at: now, into: &effects)
    case .failed(let request, let code):
      endedByTransport(request, .failed(code: code), at: now, into: &effects)
    case .cancelled(let request):
      cancel(request, at: now, into: &effects)
    case .connectionsLost(let endpoint):
      loseConnections(of: index(of: endpoint), at: now, into: &effects)
    case .limitsChanged(let limits):
      change(limits, at: now, into: &effects)
    case .streamBudgetAnnounced(let endpoint, let streams):
      setBudget(streams, on: index(of: endpoint), at: now, into: &effects)
    case .streamBudgetWithdrawn(let endpoint):
      setBudget(nil, on: index(of: endpoint), at: now, into: &effects)
    case .timeElapsed:
      fireDueDeadlines(at: now, into: &effects)
    case .closed:
      close(at: now, into: &effects)
    }
  }

  /// Returns the index of a registered endpoint.
  @inlinable
  @inline(__always)
  func index(of endpoint: EndpointID) -> UInt32 {
    precondition(endpoint.index < endpoints.count, "the endpoint was not registered")
    return endpoint.index
  }

  // Copies of a dispatcher share their tables until one of them changes; see ``Sharing``.
  @inlinable
  @inline(__always)
  mutating func ownTables() {
    if !isKnownUniquelyReferenced(&sharing) { detachTables() }
  }

  @usableFromInline
  mutating func detachTables() {
    endpoints.detach()
    requests.detach()
    deadlines.detach()
    // Must come last, because from now on the other dispatcher may treat the shared tables as
    // unique.
    sharing = Sharing()
  }
}
