/// A model of the URL loading system that the article on iOS URL connections describes.
///
/// The OS allows a limited number of connections to each endpoint. The next request freezes without
/// an error until a connection is free or the request times out.
///
/// Every connection to an endpoint counts, whichever pool opened it. Idle keep-alive connections
/// count too, but only requests of their own pool can use them (U12). An HTTP/2 connection carries
/// as many requests as its server announced; the next request freezes too (U86).
///
/// Illegal events:
/// - (a) Our bug, trapped: a request that is passed in twice.
/// - (b) The peer's fault: no such event reaches this state machine.
/// - (c) Tolerated and dropped: events of a request or a connection that no longer exists.
public struct URLLoader: StateMachine {
  /// An event of the state machine.
  public typealias Event = CarrierEvent
  /// An effect of the state machine.
  public typealias Effect = CarrierEffect

  private let limit: UInt32
  private let keepAlive: Interval
  private var table: HTTPRequestTable
  /// The request timeouts, and in `idle` the times to close idle connections, indexed by row.
  private var timeouts = DeadlineQueue()
  private var idle = DeadlineQueue()
  private var sharing = Sharing()
  private var isClosed = false

  /// Creates a model of the URL loading system.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of live connections to one endpoint.
  ///   - keepAlive: the time for which an idle connection is kept.
  ///   - streams: the stream limit of the HTTP/2 connection of each endpoint, or `nil` for
  ///     HTTP/1.1.
  public init(limit: UInt32, keepAlive: Interval, streams: [UInt32?]) {
    self.limit = limit
    self.keepAlive = keepAlive
    table = HTTPRequestTable(streams: streams)
  }

  /// The instant from which the passing of time would change the state, or `nil` if there is none.
  public var nextDeadline: Instant? {
    let due = min(timeouts.earliest, idle.earliest)
    return due == .never ? nil : due
  }

  /// Returns the time of the next relevant request timeout before a limit.
  ///
  /// - Parameters:
  ///   - limit: the instant from which timeouts are ignored.
  ///   - matters: whether a timeout is relevant; it is not if data will arrive before it.
  /// - Returns: the time of the timeout, or `limit` if there is none.
  public func nextTimeout(before limit: Instant, where matters: (CarriedRequest.ID) -> Bool)
    -> Instant
  {
    timeouts.earliest(before: limit) { matters($0.row) ? $0.due : .never }
  }

  /// Adds the state that determines the future behavior of the OS to a digest.
  package func combine(into digest: inout StateDigest) {
    table.combine(into: &digest)
    timeouts.combine(into: &digest)
    idle.combine(into: &digest)
    digest.combine(isClosed)
  }

  /// Returns the connection that carries a request, or `nil` if the request is frozen or has ended.
  public func connection(of id: CarriedRequest.ID) -> HTTPConnectionID? {
    table.isLive(id) ? table.connection(of: id).map(HTTPConnectionID.init) : nil
  }

  /// The carrier of a request that the limit applies to.
  public enum Carrier: Hashable, Sendable, BitwiseCopyable {
    /// An existing connection.
    case open(HTTPConnectionID)
    /// A new connection.
    case new
  }

  /// Returns the carrier of a request that would be passed in now, or `nil` if it would freeze.
  ///
  /// An open connection of the pool takes precedence over a new one.
  public func carrier(on endpoint: UInt32, of pool: UInt32) -> Carrier? {
    if let usable = table.usableConnection(endpoint, of: pool) {
      return .open(HTTPConnectionID(usable))
    }
    return table.hasRoom(endpoint, for: pool, limit: limit) ? .new : nil
  }

  /// Handles one event and appends the resulting effects.
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    ownQueues()
    switch event {
    case .started(let request): begin(request, at: now, into: &effects)
    case .received(let id): received(id, at: now)
    case .finished(let id): release([id], isReusable: true, at: now, into: &effects)
    case .cancelled(let ids): release(ids, isReusable: false, at: now, into: &effects)
    case .connected: break
    case .draining(let id): drain(id.index, into: &effects)
    case .connectionLost(let id, let code): lose(id.index, code, into: &effects)
    case .timeElapsed: fire(at: now, into: &effects)
    case .closed: close(into: &effects)
    }
  }

  // Copies share their queues until one of them changes; see ``Sharing``.
  private mutating func ownQueues() {
    guard !isKnownUniquelyReferenced(&sharing) else { return }
    timeouts.detach()
    idle.detach()
    sharing = Sharing()
  }

  // MARK: Requests

  private mutating func begin(
    _ request: CarriedRequest, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    precondition(!table.isLive(request.id), "a request must be submitted only once")
    guard !isClosed else {
      effects.append(.fail(request.id, code: RequestErrorCode.cancelled))
      return
    }
    table.insert(request)
    armTimeout(request.id, at: now)
    // No frozen request is overtaken, because a free connection here is one that they cannot use.
    guard !assign(request.id, into: &effects) else { return }
    table.freeze(request.id)
    effects.append(.freeze(request.id))
  }

  /// Starts the timeout of a request; equal due times fire in arrival order.
  private mutating func armTimeout(_ id: CarriedRequest.ID, at now: Instant) {
    let timeout = table.request(id).timeout
    guard timeout > .zero else { return }
    timeouts.arm(id, due: now + timeout, order: table.arrival(of: id))
  }

  /// Assigns a connection to a request that is in no line.
  ///
  /// - Returns: whether a connection was available.
  private mutating func assign(_ id: CarriedRequest.ID, into effects: inout EffectLog<Effect>)
    -> Bool
  {
    let request = table.request(id)
    let connection: UInt32
    switch request.isExempt ? .new : carrier(on: request.endpoint, of: request.pool) {
    case .open(let usable):
      connection = usable.index
    case .new:
      connection = table.open(for: request)
      effects.append(
        .open(HTTPConnectionID(connection), endpoint: request.endpoint, pool: request.pool))
    case nil:
      return false
    }
    idle.disarm(connection)
    table.carry(id, on: connection)
    effects.append(.send(request.id, HTTPConnectionID(connection)))
    return true
  }

  private mutating func received(_ id: CarriedRequest.ID, at now: Instant) {
    if table.isLive(id) { armTimeout(id, at: now) }
  }

  /// Ends requests and gives their connections to other requests.
  private mutating func release(
    _ ids: [CarriedRequest.ID], isReusable: Bool, at now: Instant,
    into effects: inout EffectLog<Effect>
  ) {
    let ended = table.inArrivalOrder(ids)
    for id in ended { leave(id, isReusable: isReusable, at: now, into: &effects) }
    for id in ended { thaw(table.request(id).endpoint, into: &effects) }
  }

  /// Removes a request from its connection, which is kept for another request or closed.
  private mutating func leave(
    _ id: CarriedRequest.ID, isReusable: Bool, at now: Instant,
    into effects: inout EffectLog<Effect>
  ) {
    timeouts.disarm(id)
    let connection = table.connection(of: id)
    let request = table.request(id)
    table.remove(id)
    guard let connection, table.carriesNothing(connection) else { return }
    // An HTTP/2 stream can be cancelled alone; cancelling an HTTP/1.1 request closes the
    // connection.
    let isWhole = isReusable || table.streams(of: request.endpoint) != nil
    if isWhole, keepAlive > .zero, !request.isExempt, !table.isDraining(connection) {
      idle.arm(connection, due: now + keepAlive, order: UInt64(connection))
    } else {
      table.close(connection)
      effects.append(.close(HTTPConnectionID(connection)))
    }
  }

  /// Stops new requests on a connection, and closes the connection immediately if it is idle.
  private mutating func drain(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    guard table.isOpen(connection) else { return }
    table.drain(connection)
    guard table.carriesNothing(connection) else {
      // An HTTP/2 endpoint may have another connection now, and frozen requests get it first.
      thaw(table.endpoint(of: connection), into: &effects)
      return
    }
    closeIdle(connection, into: &effects)
  }

  private mutating func closeIdle(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    idle.disarm(connection)
    table.close(connection)
    effects.append(.close(HTTPConnectionID(connection)))
    thaw(table.endpoint(of: connection), into: &effects)
  }

  /// Assigns free connections to frozen requests in arrival order.
  ///
  /// If the first request of a pool cannot get a connection, the requests behind it cannot either.
  /// Pools do not share connections, so the first request of another pool may still get one.
  private mutating func thaw(_ endpoint: UInt32, into effects: inout EffectLog<Effect>) {
    var stuck: [UInt32] = []
    while let (line, id) = table.firstFrozen(of: endpoint, except: stuck) {
      table.removeFromLine(id)
      guard !assign(id, into: &effects) else { continue }
      table.freezeAgain(id)
      stuck.append(line)
    }
  }

  // MARK: Connections

  private mutating func lose(
    _ connection: UInt32, _ code: Int32, into effects: inout EffectLog<Effect>
  ) {
    guard table.isOpen(connection) else { return }
    idle.disarm(connection)
    while let id = table.firstCarried(by: connection) {
      effects.append(.fail(id, code: code))
      timeouts.disarm(id)
      table.remove(id)
    }
    table.close(connection)
    thaw(table.endpoint(of: connection), into: &effects)
  }

  private mutating func fire(at now: Instant, into effects: inout EffectLog<Effect>) {
    var due: [UInt32] = []
    while let entry = idle.first, entry.due <= now {
      idle.disarm(entry.row)
      due.append(entry.row)
    }
    // Closing one connection makes room, and a thawed request may then take another one of the
    // list.
    for connection in due.sorted() where table.carriesNothing(connection) {
      closeIdle(connection, into: &effects)
    }
    while let entry = timeouts.first, entry.due <= now {
      effects.append(.fail(entry.row, code: RequestErrorCode.timedOut))
      release([entry.row], isReusable: false, at: now, into: &effects)
    }
  }

  private mutating func close(into effects: inout EffectLog<Effect>) {
    isClosed = true
    for id in table.allLoads {
      effects.append(.fail(id, code: RequestErrorCode.cancelled))
      timeouts.disarm(id)
      table.remove(id)
    }
    for connection in table.openConnections {
      idle.disarm(connection)
      table.close(connection)
      effects.append(.close(HTTPConnectionID(connection)))
    }
  }
}
