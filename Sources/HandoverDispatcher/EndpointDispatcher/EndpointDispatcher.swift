public import HandoverMachines

/// The gate in front of a platform that lets only so many connections to one endpoint live.
///
/// A request is admitted in one step: it starts now, waits, or is refused, and ``prediction(for:on:
/// policy:)`` says beforehand which, by the same rule. Of the limits of an endpoint some slots are
/// kept for short requests. Waiting requests stand in two lines, short and synchronous ones in one,
/// long ones in the other; a freed slot goes to the one that arrived first among those that may
/// take it, so that a short request never waits behind a long one that waits for a long slot. See
/// ``RequestPhase`` for where a request stands, and the chart.
///
/// Illegal events: (a) our bug, and trapped: a request with an identifier that ``nextRequestID``
/// did not give, an endpoint that was not registered, limits with another total. (b) The peer's
/// fault: none reaches this machine. (c) Tolerated and dropped, because user and transport cannot
/// know of each other in time: anything about a request that has ended, and what the transport
/// says of a request that is not with it.
public struct EndpointDispatcher: StateMachine {
  /// A fact the dispatcher is told of.
  public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// A request arrives; it is admitted or not in this one step.
    case requestArrived(RequestID, EndpointID, RequestSettings)
    /// The transport could not begin the request.
    case notStarted(RequestID)
    /// The headers of a response arrived.
    case responded(RequestID)
    /// One of the short requests that a stream is made of was answered.
    case pollAnswered(RequestID)
    /// The transport finished the request.
    case finished(RequestID)
    /// The transport failed.
    case failed(RequestID, code: Int32)
    /// The user cancels the request.
    case cancelled(RequestID)
    /// Every connection to the endpoint is lost; what waits does not know.
    case connectionsLost(EndpointID)
    /// The user changes the long limit (U10).
    case limitsChanged(ConnectionLimits)
    /// The endpoint speaks HTTP/2 and takes so many streams at once.
    case streamBudgetAnnounced(EndpointID, streams: UInt32)
    /// The endpoint does not speak HTTP/2 any more.
    case streamBudgetWithdrawn(EndpointID)
    /// Time passed; deadlines may be due.
    case timeElapsed
    /// The user closes the dispatcher.
    case closed
  }

  /// The dispatcher's orders.
  public typealias Effect = DispatcherEffect

  var configuration: DispatcherConfiguration
  @usableFromInline var endpoints = Rows<DispatcherEndpoint>()
  @usableFromInline var requests = RequestTable()
  /// Time-outs, deadlines and rests; one row for each request.
  var deadlines = DeadlineQueue()
  @usableFromInline var sharing = Sharing()
  /// Counts what is armed, so that what began first is due first at one instant.
  var armed: UInt64 = 0
  /// Counts arrivals in all lines.
  var arrivals: UInt64 = 0
  var isClosed = false
  /// The endpoints whose requests sleep on the one condition of a defective dispatcher (U79).
  var sleepers: ContiguousArray<UInt32> = []
  private var keys: [EndpointKey: EndpointID] = [:]  // lookup only

  /// Makes a dispatcher without endpoints.
  public init(_ configuration: DispatcherConfiguration) {
    self.configuration = configuration
  }

  /// The endpoint of a key; made where it is asked for first, and there for ever.
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

  /// Takes one fact and gives the orders that follow.
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

  /// The place of an endpoint that the world names.
  @inlinable
  @inline(__always)
  func index(of endpoint: EndpointID) -> UInt32 {
    precondition(endpoint.index < endpoints.count, "an endpoint is registered before it is used")
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
    // Comes last: from now on the other dispatcher may take the shared tables for its own.
    sharing = Sharing()
  }
}
