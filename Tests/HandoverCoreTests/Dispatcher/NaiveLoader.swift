import HandoverCore

/// The simplest implementation of the platform: two arrays that are searched each time.
struct NaiveLoader {
  private struct Row: Hashable {
    var request: CarriedRequest
    /// The connection that carries the request, or `nil` if it is frozen.
    var connection: HTTPConnectionID?
    var due: Instant
  }

  private struct Connection: Hashable {
    var id: HTTPConnectionID
    var endpoint: UInt32
    var pool: UInt32
    var isExempt: Bool
    var carries: UInt32
    /// Whether the connection accepts no new requests.
    var isDraining = false
    /// The instant at which an idle connection is closed.
    var due = Instant.never
  }

  private let limit: UInt32
  private let keepAlive: Interval
  /// The number of concurrent streams of an HTTP/2 connection by endpoint, or `nil` for HTTP/1.1,
  /// which carries one request.
  private let streams: [UInt32?]
  // Both arrays are short and in the order of arrival.
  private var requests: [Row] = []
  private var connections: [Connection] = []
  private var connectionCount: UInt32 = 0
  private var isClosed = false

  /// Creates a platform.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of simultaneous connections to one endpoint.
  ///   - keepAlive: How long an idle connection is kept.
  ///   - streams: The number of streams of the HTTP/2 connection of each endpoint, or `nil` for
  ///     HTTP/1.1.
  init(limit: UInt32, keepAlive: Interval, streams: [UInt32?]) {
    self.limit = limit
    self.keepAlive = keepAlive
    self.streams = streams
  }

  /// The next instant at which the passing of time changes something.
  var nextDeadline: Instant? {
    let due = min(
      requests.lazy.map(\.due).min() ?? .never, connections.lazy.map(\.due).min() ?? .never)
    return due == .never ? nil : due
  }

  /// Returns the connection that carries a request, or `nil` if the request is frozen or gone.
  func connection(of id: UInt32) -> HTTPConnectionID? {
    requests.first { $0.request.id == id }?.connection
  }

  /// Whether a request is frozen although it could have a connection.
  var couldThaw: Bool {
    requests.contains { row in
      row.connection == nil
        && (hasRoom(row.request) || connections.contains { canCarry($0, row.request) })
    }
  }

  /// Handles one event and appends the resulting effects.
  mutating func step(
    _ event: URLLoader.Event, at now: Instant, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    switch event {
    case .started(let request): begin(request, at: now, into: &effects)
    case .connected: break
    case .received(let id): received(id, at: now)
    case .finished(let id): release([id], isReusable: true, at: now, into: &effects)
    case .cancelled(let ids): release(ids, isReusable: false, at: now, into: &effects)
    case .draining(let id): drain(id, into: &effects)
    case .connectionLost(let id, let code): lose(id, code, at: now, into: &effects)
    case .timeElapsed: fire(at: now, into: &effects)
    case .closed: close(into: &effects)
    }
  }

  // MARK: Requests

  private mutating func begin(
    _ request: CarriedRequest, at now: Instant,
    into effects: inout EffectLog<URLLoader.Effect>
  ) {
    precondition(
      !requests.contains { $0.request.id == request.id }, "a request must be submitted only once")
    guard !isClosed else {
      effects.append(.fail(request.id, code: RequestErrorCode.cancelled))
      return
    }
    requests.append(
      Row(
        request: request, connection: nil,
        due: request.timeout > .zero ? now + request.timeout : .never))
    // A new request cannot overtake frozen ones, because they cannot use what is free now.
    if !assign(requests.count - 1, into: &effects) { effects.append(.freeze(request.id)) }
  }

  /// Assigns a connection to a request, an idle one of its pool before a new one.
  ///
  /// - Returns: Whether a connection was available.
  private mutating func assign(_ row: Int, into effects: inout EffectLog<URLLoader.Effect>) -> Bool
  {
    let request = requests[row].request
    let index: Int
    if let usable = connections.firstIndex(where: { canCarry($0, request) }) {
      index = usable
    } else if request.isExempt || hasRoom(request) {
      index = connections.count
      let id = HTTPConnectionID(connectionCount)
      connectionCount += 1
      connections.append(
        Connection(
          id: id, endpoint: request.endpoint, pool: request.pool, isExempt: request.isExempt,
          carries: 0))
      effects.append(.open(id, endpoint: request.endpoint, pool: request.pool))
    } else {
      return false
    }
    connections[index].carries += 1
    connections[index].due = .never
    requests[row].connection = connections[index].id
    effects.append(.send(request.id, connections[index].id))
    return true
  }

  private func canCarry(_ connection: Connection, _ request: CarriedRequest) -> Bool {
    !request.isExempt && !connection.isExempt && !connection.isDraining
      && connection.endpoint == request.endpoint && connection.pool == request.pool
      && connection.carries < streamLimit(request.endpoint)
  }

  private func streamLimit(_ endpoint: UInt32) -> UInt32 { streams[Int(endpoint)] ?? 1 }

  /// Whether one more connection is allowed.
  ///
  /// An HTTP/2 endpoint has one connection for each pool.
  private func hasRoom(_ request: CarriedRequest) -> Bool {
    let beside = connections.filter { $0.endpoint == request.endpoint && !$0.isExempt }
    guard streams[Int(request.endpoint)] == nil else {
      let hasOwn = beside.contains { $0.pool == request.pool && !$0.isDraining }
      return !hasOwn && beside.count < limit
    }
    return beside.count < limit
  }

  private mutating func received(_ id: UInt32, at now: Instant) {
    guard let row = requests.firstIndex(where: { $0.request.id == id }) else { return }
    if requests[row].request.timeout > .zero {
      requests[row].due = now + requests[row].request.timeout
    }
  }

  /// Removes requests that have ended, and assigns their resources to others.
  private mutating func release(
    _ ids: [UInt32], isReusable: Bool, at now: Instant,
    into effects: inout EffectLog<URLLoader.Effect>
  ) {
    let ended = requests.filter { ids.contains($0.request.id) }
    requests.removeAll { ids.contains($0.request.id) }
    for row in ended { leave(row, isReusable: isReusable, at: now, into: &effects) }
    for row in ended { thaw(row.request.endpoint, into: &effects) }
  }

  /// Removes a request from its connection, which is kept for reuse or closed.
  private mutating func leave(
    _ ended: Row, isReusable: Bool, at now: Instant, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    guard let connection = ended.connection,
      let index = connections.firstIndex(where: { $0.id == connection })
    else { return }
    connections[index].carries -= 1
    if connections[index].carries == 0 {
      // A stream of an HTTP/2 connection can be cancelled alone; an HTTP/1.1 response cannot.
      let isWhole = isReusable || streams[Int(ended.request.endpoint)] != nil
      if isWhole, keepAlive > .zero, !ended.request.isExempt, !connections[index].isDraining {
        connections[index].due = now + keepAlive
      } else {
        connections.remove(at: index)
        effects.append(.close(connection))
      }
    }
  }

  /// Stops a connection from accepting requests, and closes it immediately if it is idle.
  private mutating func drain(
    _ id: HTTPConnectionID, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
    connections[index].isDraining = true
    let endpoint = connections[index].endpoint
    if connections[index].carries == 0 {
      connections.remove(at: index)
      effects.append(.close(id))
    }
    thaw(endpoint, into: &effects)
  }

  /// Assigns free connections to frozen requests, in the order of arrival.
  private mutating func thaw(_ endpoint: UInt32, into effects: inout EffectLog<URLLoader.Effect>) {
    for row in requests.indices
    where requests[row].connection == nil && requests[row].request.endpoint == endpoint {
      // Connections of one pool do not serve another, so a later request may still find one.
      _ = assign(row, into: &effects)
    }
  }

  // MARK: Connections

  private mutating func lose(
    _ id: HTTPConnectionID, _ code: Int32, at now: Instant,
    into effects: inout EffectLog<URLLoader.Effect>
  ) {
    guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
    let endpoint = connections.remove(at: index).endpoint
    for row in requests where row.connection == id {
      effects.append(.fail(row.request.id, code: code))
    }
    requests.removeAll { $0.connection == id }
    thaw(endpoint, into: &effects)
  }

  private mutating func fire(at now: Instant, into effects: inout EffectLog<URLLoader.Effect>) {
    while let connection = connections.first(where: { $0.due <= now }) {
      connections.removeAll { $0.id == connection.id }
      effects.append(.close(connection.id))
      thaw(connection.endpoint, into: &effects)
    }
    while let row = requests.filter({ $0.due <= now }).min(by: { $0.due < $1.due }) {
      effects.append(.fail(row.request.id, code: RequestErrorCode.timedOut))
      release([row.request.id], isReusable: false, at: now, into: &effects)
    }
  }

  private mutating func close(into effects: inout EffectLog<URLLoader.Effect>) {
    isClosed = true
    for row in requests { effects.append(.fail(row.request.id, code: RequestErrorCode.cancelled)) }
    for connection in connections { effects.append(.close(connection.id)) }
    requests = []
    connections = []
  }
}
