/// An HTTP/1.1 connection pool as OkHttp has it.
///
/// A request takes an idle connection to its endpoint, or else opens one; the number of open
/// connections has no limit. After the response the connection is idle, and the pool keeps a few
/// idle connections for some minutes. The pool ignores network changes and does not read idle
/// connections. Therefore a request may get a lost connection, and the pool notices the loss only
/// when the request fails.
///
/// Illegal events:
/// - (a) Our bug, trapped: a request that is passed in twice.
/// - (b) The peer's fault: no such event reaches this state machine.
/// - (c) Tolerated and dropped: events of a request or a connection that no longer exists.
public struct HTTPConnectionPool: StateMachine {
  /// An event of the state machine.
  public typealias Event = CarrierEvent
  /// An effect of the state machine.
  public typealias Effect = CarrierEffect

  /// The limits and times of a pool.
  public struct Configuration: Hashable, Sendable {
    /// The maximum number of idle connections of one pool, to all endpoints together.
    public var maximumIdleConnections = 5
    /// The time for which an idle connection is kept.
    public var idleTime = Interval.seconds(5 * 60)
    /// The maximum time for a lookup and a connection attempt together.
    public var connectTimeout = Interval.seconds(10)
    /// The idle time from which the pool checks that a connection is not closed before a request
    /// other than GET uses it.
    public var probeTime = Interval.seconds(10)

    /// Creates the defaults of OkHttp.
    public init() {}
  }

  private struct PooledConnection: Hashable, Sendable {
    enum Phase: UInt64, Hashable, Sendable {
      case connecting
      case established
      case idle
      case closed
    }

    var endpoint: UInt32
    var pool: UInt32
    var phase = Phase.connecting
    /// The request that the connection carries, or `nil` if there is none.
    var request: CarriedRequest.ID?
    /// Whether the connection has carried a complete response.
    var isProven = false
    /// Whether the idle connection is lost, which the pool does not know.
    var isLost = false
    /// Whether the connection accepts no new requests.
    var isDraining = false
    var idleSince = Instant.zero
  }

  private struct Load: Hashable, Sendable {
    var request: CarriedRequest
    /// The position in the arrival order.
    var arrival: UInt64
    var connection: UInt32
    /// Whether a part of the response has arrived.
    var hasResponse = false
  }

  private let configuration: Configuration
  /// The requests by their numbers.
  private var loads: ContiguousArray<Load?> = []
  /// The connections by their numbers.
  private var connections: ContiguousArray<PooledConnection> = []
  /// The idle connections, in the order in which they became idle.
  private var idle: ContiguousArray<UInt32> = []
  /// The timeouts of requests, indexed by request.
  private var timeouts = DeadlineQueue()
  private var sharing = Sharing()
  private var arrivals: UInt64 = 0
  private var isClosed = false

  /// Creates an empty pool.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// The instant from which the passing of time would change the state, or `nil` if there is none.
  public var nextDeadline: Instant? {
    let due = min(timeouts.earliest, idleDeadline)
    return due == .never ? nil : due
  }

  /// The instant at which the connection with the longest idle time is closed.
  private var idleDeadline: Instant {
    idle.first.map { connections[Int($0)].idleSince + configuration.idleTime } ?? .never
  }

  /// Returns the time of the next relevant request timeout before a limit.
  ///
  /// - Parameters:
  ///   - limit: the instant from which timeouts are ignored.
  ///   - matters: whether a timeout is relevant; it is not if data will arrive before it.
  /// - Returns: the time of the timeout, or `limit` if there is none.
  public func nextTimeout(
    before limit: Instant, where matters: (CarriedRequest.ID) -> Bool
  ) -> Instant {
    timeouts.earliest(before: limit) { matters($0.row) ? $0.due : .never }
  }

  /// Returns the connection that carries a request, or `nil` if the request has ended.
  public func connection(of id: CarriedRequest.ID) -> HTTPConnectionID? {
    load(id).map { HTTPConnectionID($0.connection) }
  }

  /// Handles one event and appends the resulting effects.
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    ownQueue()
    switch event {
    case .started(let request): begin(request, at: now, into: &effects)
    case .connected(let id): connected(id.index, at: now)
    case .received(let id): received(id, at: now)
    case .finished(let id): finish(id, at: now, into: &effects)
    case .cancelled(let ids): for id in ids { cancel(id, into: &effects) }
    case .draining(let id): drain(id.index, into: &effects)
    case .connectionLost(let id, let code): lose(id.index, code, at: now, into: &effects)
    case .timeElapsed: fire(at: now, into: &effects)
    case .closed: close(into: &effects)
    }
  }

  // Copies share the queue until one of them changes; see ``Sharing``.
  private mutating func ownQueue() {
    guard !isKnownUniquelyReferenced(&sharing) else { return }
    timeouts.detach()
    sharing = Sharing()
  }

  private func load(_ id: CarriedRequest.ID) -> Load? {
    id < loads.count ? loads[Int(id)] : nil
  }

  // MARK: Requests

  private mutating func begin(
    _ request: CarriedRequest, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    precondition(load(request.id) == nil, "a request must be submitted only once")
    guard !isClosed else {
      effects.append(.fail(request.id, code: RequestErrorCode.cancelled))
      return
    }
    while loads.count <= request.id { loads.append(nil) }
    arrivals += 1
    loads[Int(request.id)] = Load(request: request, arrival: arrivals, connection: noRow)
    assign(request, at: now, into: &effects)
  }

  /// Sends a request over an idle connection or a new one.
  ///
  /// The connection that was opened first is taken. If it is lost, the request fails on it, and
  /// another connection is tried if the request can be repeated.
  private mutating func assign(
    _ request: CarriedRequest, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    while let connection = takeIdle(for: request) {
      guard connections[Int(connection)].isLost else {
        carry(request, on: connection, into: &effects)
        armReadTimeout(of: request, at: now)
        return
      }
      connections[Int(connection)].phase = .closed
      let idleTime = now.since(connections[Int(connection)].idleSince)
      // The probe finds the loss before the request uses the connection.
      if request.body != .none, idleTime >= configuration.probeTime { continue }
      guard request.body != .oneShot else {
        end(request.id)
        effects.append(.fail(request.id, code: RequestErrorCode.connectionLost))
        return
      }
      effects.append(.retry(request.id, from: HTTPConnectionID(connection)))
    }
    let connection = UInt32(truncatingIfNeeded: connections.count)
    connections.append(
      PooledConnection(endpoint: request.endpoint, pool: request.pool))
    effects.append(
      .open(HTTPConnectionID(connection), endpoint: request.endpoint, pool: request.pool))
    carry(request, on: connection, into: &effects)
    arm(request.id, after: configuration.connectTimeout, at: now)
  }

  /// Removes and returns the idle connection that was opened first, among those that a request may
  /// use.
  private mutating func takeIdle(for request: CarriedRequest) -> UInt32? {
    guard !request.isExempt else { return nil }
    let usable = idle.filter {
      connections[Int($0)].endpoint == request.endpoint
        && connections[Int($0)].pool == request.pool
    }
    guard let connection = usable.min() else { return nil }
    idle.removeAll { $0 == connection }
    return connection
  }

  private mutating func carry(
    _ request: CarriedRequest, on connection: UInt32, into effects: inout EffectLog<Effect>
  ) {
    loads[Int(request.id)]?.connection = connection
    connections[Int(connection)].request = request.id
    if connections[Int(connection)].phase == .idle {
      connections[Int(connection)].phase = .established
    }
    effects.append(.send(request.id, HTTPConnectionID(connection)))
  }

  private mutating func arm(_ id: CarriedRequest.ID, after timeout: Interval, at now: Instant) {
    guard let load = load(id) else { return }
    timeouts.arm(id, due: now + timeout, order: load.arrival)
  }

  private mutating func armReadTimeout(of request: CarriedRequest, at now: Instant) {
    guard request.timeout > .zero else { return timeouts.disarm(request.id) }
    arm(request.id, after: request.timeout, at: now)
  }

  private mutating func received(_ id: CarriedRequest.ID, at now: Instant) {
    guard let load = load(id) else { return }
    loads[Int(id)]?.hasResponse = true
    armReadTimeout(of: load.request, at: now)
  }

  /// Makes the connection of a complete response idle.
  private mutating func finish(
    _ id: CarriedRequest.ID, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    guard let load = load(id) else { return }
    end(id)
    let index = Int(load.connection)
    connections[index].request = nil
    guard !load.request.isExempt, !connections[index].isDraining else {
      return closeConnection(load.connection, into: &effects)
    }
    connections[index].phase = .idle
    connections[index].isProven = true
    connections[index].idleSince = now
    idle.append(load.connection)
    let ofPool = idle.filter { connections[Int($0)].pool == load.request.pool }
    if ofPool.count > configuration.maximumIdleConnections { evict(ofPool[0], into: &effects) }
  }

  /// Cancels a request; the rest of its response makes the connection useless.
  private mutating func cancel(
    _ id: CarriedRequest.ID, into effects: inout EffectLog<Effect>
  ) {
    guard let load = load(id) else { return }
    end(id)
    closeConnection(load.connection, into: &effects)
  }

  private mutating func end(_ id: CarriedRequest.ID) {
    timeouts.disarm(id)
    loads[Int(id)] = nil
  }

  // MARK: Connections

  private mutating func connected(_ connection: UInt32, at now: Instant) {
    guard connection < connections.count, connections[Int(connection)].phase == .connecting
    else { return }
    connections[Int(connection)].phase = .established
    guard let load = connections[Int(connection)].request.flatMap(load) else { return }
    armReadTimeout(of: load.request, at: now)
  }

  private mutating func drain(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    guard connection < connections.count else { return }
    switch connections[Int(connection)].phase {
    case .idle: evict(connection, into: &effects)
    case .connecting, .established: connections[Int(connection)].isDraining = true
    case .closed: break
    }
  }

  /// Handles the loss of a connection.
  ///
  /// The pool does not read idle connections, so that the loss of one stays unknown. The request on
  /// a connection that was used before is repeated, because the server may have closed it while it
  /// was idle. A host has one route, so that no connection replaces a new one.
  private mutating func lose(
    _ connection: UInt32, _ code: Int32, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    guard connection < connections.count, connections[Int(connection)].phase != .closed
    else { return }
    guard let load = connections[Int(connection)].request.flatMap(load) else {
      connections[Int(connection)].isLost = true
      return
    }
    connections[Int(connection)].phase = .closed
    connections[Int(connection)].request = nil
    guard connections[Int(connection)].isProven, !load.hasResponse,
      load.request.body != .oneShot
    else {
      end(load.request.id)
      effects.append(.fail(load.request.id, code: code))
      return
    }
    effects.append(.retry(load.request.id, from: HTTPConnectionID(connection)))
    assign(load.request, at: now, into: &effects)
  }

  private mutating func evict(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    idle.removeAll { $0 == connection }
    closeConnection(connection, into: &effects)
  }

  private mutating func closeConnection(
    _ connection: UInt32, into effects: inout EffectLog<Effect>
  ) {
    connections[Int(connection)].phase = .closed
    connections[Int(connection)].request = nil
    // The system has already ended a lost connection.
    guard !connections[Int(connection)].isLost else { return }
    effects.append(.close(HTTPConnectionID(connection)))
  }

  private mutating func fire(at now: Instant, into effects: inout EffectLog<Effect>) {
    while let first = idle.first, idleDeadline <= now { evict(first, into: &effects) }
    // A timeout is never repeated on another connection.
    while let entry = timeouts.first, entry.due <= now {
      let connection = loads[Int(entry.row)]?.connection
      end(entry.row)
      effects.append(.fail(entry.row, code: RequestErrorCode.timedOut))
      if let connection { closeConnection(connection, into: &effects) }
    }
  }

  private mutating func close(into effects: inout EffectLog<Effect>) {
    isClosed = true
    for load in inOrderOfArrival {
      end(load.request.id)
      effects.append(.fail(load.request.id, code: RequestErrorCode.cancelled))
    }
    idle.removeAll()
    for index in connections.indices where connections[index].phase != .closed {
      closeConnection(UInt32(truncatingIfNeeded: index), into: &effects)
    }
  }

  private var inOrderOfArrival: [Load] {
    loads.compactMap(\.self).sorted { $0.arrival < $1.arrival }
  }

  // MARK: The digest

  /// Adds the state that determines the future behavior of the pool to a digest.
  package func combine(into digest: inout StateDigest) {
    digest.combine(connections.count)
    for index in connections.indices where connections[index].phase != .closed {
      digest.combine(index)
      combine(connections[index], into: &digest)
    }
    digest.combine(UInt64.max)
    digest.combine(loads.count)
    for load in loads {
      digest.combine(load != nil)
      if let load { combine(load, into: &digest) }
    }
    for load in inOrderOfArrival { digest.combine(load.request.id) }
    digest.combine(idle.count)
    for connection in idle { digest.combine(connection) }
    timeouts.combine(into: &digest)
    digest.combine(isClosed)
  }

  private func combine(_ connection: PooledConnection, into digest: inout StateDigest) {
    digest.combine(UInt64(connection.endpoint) << 32 | UInt64(connection.pool))
    digest.combine(
      connection.phase.rawValue << 3
        | (connection.isProven ? 4 : 0) | (connection.isLost ? 2 : 0)
        | (connection.isDraining ? 1 : 0))
    digest.combine(connection.request.map { UInt64($0) } ?? .max)
    if connection.phase == .idle { digest.combine(connection.idleSince) }
  }

  private func combine(_ load: Load, into digest: inout StateDigest) {
    digest.combine(load.request.timeout)
    digest.combine(UInt64(load.request.endpoint) << 32 | UInt64(load.request.pool))
    digest.combine(UInt64(load.connection) << 1 | (load.hasResponse ? 1 : 0))
    let body = RequestBody.allCases.firstIndex(of: load.request.body) ?? 0
    digest.combine(UInt64(body) << 1 | (load.request.isExempt ? 1 : 0))
  }
}
