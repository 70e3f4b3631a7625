public import HandoverMachines

/// The platform of the article: it lets a few connections to one endpoint live, and says nothing of
/// the next request, which freezes until a connection is free or its time-out has passed.
///
/// Every connection to an endpoint counts, whoever made it; those that are kept alive without a
/// request count too, and only requests of their own pool can use them (U12). An HTTP/2 connection
/// carries as many requests as its server announced, and the next one freezes likewise (U86).
///
/// Illegal events: (a) our bug, and trapped: a request that is handed over twice. (b) The peer's
/// fault: none reaches this machine. (c) Tolerated and dropped: anything about a request or a
/// connection that is gone.
public struct URLLoader: StateMachine {
  /// A fact the platform is told of.
  public enum Event: Hashable, Sendable {
    /// A request is handed over; a time-out of zero or less is none.
    case begun(HTTPRequest)
    /// The response, or a part of it, arrived: the time-out begins anew.
    case received(HTTPRequestID)
    /// The response is complete.
    case finished(HTTPRequestID)
    /// Requests are taken back, all of them before any other gets what they had.
    case cancelled([HTTPRequestID])
    /// The server takes no new requests on a connection (GOAWAY).
    case draining(HTTPConnectionID)
    /// A connection broke, or could not be made; what it carries fails.
    case connectionLost(HTTPConnectionID, code: Int32)
    /// Time passed.
    case timeElapsed
    /// The platform is closed.
    case closed
  }

  /// An order of the platform.
  public enum Effect: Hashable, Sendable, BitwiseCopyable {
    /// Make a connection.
    case open(HTTPConnectionID, endpoint: UInt32, pool: UInt32)
    /// Close a connection.
    case close(HTTPConnectionID)
    /// Send a request over a connection, as soon as that is made.
    case send(HTTPRequestID, HTTPConnectionID)
    /// The request waits for a connection, and nobody is told.
    case freeze(HTTPRequestID)
    /// The request failed.
    case fail(HTTPRequestID, code: Int32)
  }

  /// A request by a number that its caller chose, counted from zero; no two live ones share it.
  public typealias HTTPRequestID = UInt32

  /// A request as it is handed over.
  public struct HTTPRequest: Hashable, Sendable, BitwiseCopyable {
    /// Its number; the platform keeps a row for each up to the greatest.
    public var id: HTTPRequestID
    /// The endpoint that its connection counts for.
    public var endpoint: UInt32
    /// The pool whose connections it may use.
    public var pool: UInt32
    /// How long nothing may arrive; zero or less is for ever.
    public var timeout: Interval
    /// Whether the limit does not concern it, as a WebSocket.
    public var isExempt: Bool

    /// Makes a request.
    public init(
      id: HTTPRequestID, endpoint: UInt32, pool: UInt32, timeout: Interval, isExempt: Bool = false
    ) {
      self.id = id
      self.endpoint = endpoint
      self.pool = pool
      self.timeout = timeout
      self.isExempt = isExempt
    }
  }

  private let limit: UInt32
  private let keepAlive: Interval
  private var table: HTTPRequestTable
  /// When requests time out, and when connections without a request are closed; by their rows.
  private var timeouts = DeadlineQueue()
  private var idle = DeadlineQueue()
  private var sharing = Sharing()
  private var isClosed = false

  /// Makes a platform.
  ///
  /// - Parameters:
  ///   - limit: how many connections to one endpoint live at once.
  ///   - keepAlive: how long a connection is kept without a request.
  ///   - streams: what the HTTP/2 connection of each endpoint carries; nil speaks HTTP/1.1.
  public init(limit: UInt32, keepAlive: Interval, streams: [UInt32?]) {
    self.limit = limit
    self.keepAlive = keepAlive
    table = HTTPRequestTable(streams: streams)
  }

  /// The instant from which the passing of time would change something.
  public var nextDeadline: Instant? {
    let due = min(timeouts.earliest, idle.earliest)
    return due == .never ? nil : due
  }

  /// When the next request times out that matters, before a limit.
  ///
  /// - Parameters:
  ///   - limit: what nobody wants to know is at this instant or later.
  ///   - matters: whether a time-out matters, or something will arrive before it.
  /// - Returns: the instant; the limit where none does.
  public func nextTimeout(before limit: Instant, where matters: (HTTPRequestID) -> Bool) -> Instant
  {
    timeouts.earliest(before: limit) { matters($0.row) ? $0.due : .never }
  }

  /// Takes in what decides the platform's future.
  package func combine(into digest: inout StateDigest) {
    table.combine(into: &digest)
    timeouts.combine(into: &digest)
    idle.combine(into: &digest)
    digest.combine(isClosed)
  }

  /// The connection that carries a request; nil where it is frozen, or gone.
  public func connection(of id: HTTPRequestID) -> HTTPConnectionID? {
    table.isLive(id) ? table.connection(of: id).map(HTTPConnectionID.init) : nil
  }

  /// What carries a request that the limit concerns.
  public enum Carrier: Hashable, Sendable, BitwiseCopyable {
    /// A connection that lives.
    case open(HTTPConnectionID)
    /// One that is made for it.
    case new
  }

  /// What would carry a request that is handed over now, an open connection of its pool before a
  /// new one; nil where it would freeze.
  public func carrier(on endpoint: UInt32, of pool: UInt32) -> Carrier? {
    if let usable = table.usableConnection(endpoint, of: pool) {
      return .open(HTTPConnectionID(usable))
    }
    return table.hasRoom(endpoint, for: pool, limit: limit) ? .new : nil
  }

  /// Takes one fact and gives the orders that follow.
  public mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    ownQueues()
    switch event {
    case .begun(let request): begin(request, at: now, into: &effects)
    case .received(let id): received(id, at: now)
    case .finished(let id): release([id], isReusable: true, at: now, into: &effects)
    case .cancelled(let ids): release(ids, isReusable: false, at: now, into: &effects)
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
    _ request: HTTPRequest, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    precondition(!table.isLive(request.id), "a request is handed over once")
    guard !isClosed else {
      effects.append(.fail(request.id, code: RequestErrorCode.cancelled))
      return
    }
    table.insert(request)
    armTimeout(request.id, at: now)
    // Nobody is overtaken: what is free now is of no use to those that are frozen.
    guard !assign(request.id, into: &effects) else { return }
    table.freeze(request.id)
    effects.append(.freeze(request.id))
  }

  /// A request's time-out begins; of those that fall due together the first to come is the first.
  private mutating func armTimeout(_ id: HTTPRequestID, at now: Instant) {
    let timeout = table.request(id).timeout
    guard timeout > .zero else { return }
    timeouts.arm(id, due: now + timeout, order: table.arrival(of: id))
  }

  /// Gives a request that stands in no line a connection.
  ///
  /// - Returns: whether there is one for it.
  private mutating func assign(_ id: HTTPRequestID, into effects: inout EffectLog<Effect>) -> Bool {
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

  private mutating func received(_ id: HTTPRequestID, at now: Instant) {
    if table.isLive(id) { armTimeout(id, at: now) }
  }

  /// Requests are over, and others get what they had.
  private mutating func release(
    _ ids: [HTTPRequestID], isReusable: Bool, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    let ended = table.inOrderOfComing(ids)
    for id in ended { leave(id, isReusable: isReusable, at: now, into: &effects) }
    for id in ended { thaw(table.request(id).endpoint, into: &effects) }
  }

  /// A request leaves its connection, which is kept for another, or closed.
  private mutating func leave(
    _ id: HTTPRequestID, isReusable: Bool, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    timeouts.disarm(id)
    let connection = table.connection(of: id)
    let request = table.request(id)
    table.remove(id)
    guard let connection, table.carriesNothing(connection) else { return }
    // A stream of an HTTP/2 connection can be taken back by itself; an answer of HTTP/1.1 cannot.
    let isWhole = isReusable || table.streams(of: request.endpoint) != nil
    if isWhole, keepAlive > .zero, !request.isExempt, !table.isDraining(connection) {
      idle.arm(connection, due: now + keepAlive, order: UInt64(connection))
    } else {
      table.close(connection)
      effects.append(.close(HTTPConnectionID(connection)))
    }
  }

  /// A connection takes no new requests; without any it is closed at once.
  private mutating func drain(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    guard table.isOpen(connection) else { return }
    table.drain(connection)
    guard table.carriesNothing(connection) else { return }
    closeIdle(connection, into: &effects)
  }

  private mutating func closeIdle(_ connection: UInt32, into effects: inout EffectLog<Effect>) {
    idle.disarm(connection)
    table.close(connection)
    effects.append(.close(HTTPConnectionID(connection)))
    thaw(table.endpoint(of: connection), into: &effects)
  }

  /// Frozen requests get what is free, in the order of their coming.
  ///
  /// What the first of a pool cannot have, nobody behind it can; connections of one pool do not
  /// serve another, so the first of the next pool may find room all the same.
  private mutating func thaw(_ endpoint: UInt32, into effects: inout EffectLog<Effect>) {
    var stuck: [UInt32] = []
    while let (line, id) = table.firstFrozen(of: endpoint, except: stuck) {
      table.leaveLine(id)
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
    // One that is closed makes room, and who gets that may take another one of them.
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

/// A connection of the platform, by a number that is never used again.
public struct HTTPConnectionID: Hashable, Sendable, BitwiseCopyable {
  /// The number, counted from zero.
  public let index: UInt32

  /// Takes a number.
  public init(_ index: UInt32) {
    self.index = index
  }
}
