import HandoverDispatcher
import HandoverMachines

/// The platform, done in the most obvious way: two arrays, and a search through them each time.
struct NaiveLoader {
  private struct Row: Hashable {
    var request: URLLoader.HTTPRequest
    /// The connection that carries it; nil is frozen.
    var connection: HTTPConnectionID?
    var due: Instant
  }

  private struct Connection: Hashable {
    var id: HTTPConnectionID
    var endpoint: UInt32
    var pool: UInt32
    var isExempt: Bool
    var carries: UInt32
    /// Whether it takes no new requests.
    var isDraining = false
    /// When it is closed for want of a request.
    var due = Instant.never
  }

  private let limit: UInt32
  private let keepAlive: Interval
  /// What HTTP/2 connections carry at once, by endpoint; nil is HTTP/1.1, which carries one.
  private let streams: [UInt32?]
  // Few of each live at a time, in the order of their coming.
  private var requests: [Row] = []
  private var connections: [Connection] = []
  private var connectionCount: UInt32 = 0
  private var isClosed = false

  /// Makes a platform.
  ///
  /// - Parameters:
  ///   - limit: how many connections to one endpoint live at once.
  ///   - keepAlive: how long a connection is kept without a request.
  ///   - streams: what the HTTP/2 connection of each endpoint carries; nil speaks HTTP/1.1.
  init(limit: UInt32, keepAlive: Interval, streams: [UInt32?]) {
    self.limit = limit
    self.keepAlive = keepAlive
    self.streams = streams
  }

  /// The instant from which the passing of time would change something.
  var nextDeadline: Instant? {
    let due = min(
      requests.lazy.map(\.due).min() ?? .never, connections.lazy.map(\.due).min() ?? .never)
    return due == .never ? nil : due
  }

  /// The connection that carries a request; nil where it is frozen, or gone.
  func connection(of id: UInt32) -> HTTPConnectionID? {
    requests.first { $0.request.id == id }?.connection
  }

  /// Takes one fact and gives the orders that follow.
  mutating func step(
    _ event: URLLoader.Event, at now: Instant, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    switch event {
    case .begun(let request): begin(request, at: now, into: &effects)
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
    _ request: URLLoader.HTTPRequest, at now: Instant,
    into effects: inout EffectLog<URLLoader.Effect>
  ) {
    precondition(
      !requests.contains { $0.request.id == request.id }, "a request is handed over once")
    guard !isClosed else {
      effects.append(.fail(request.id, code: RequestErrorCode.cancelled))
      return
    }
    requests.append(
      Row(
        request: request, connection: nil,
        due: request.timeout > .zero ? now + request.timeout : .never))
    // Nobody is overtaken: what is free now is of no use to those that are frozen.
    if !assign(requests.count - 1, into: &effects) { effects.append(.freeze(request.id)) }
  }

  /// Gives a request a connection, an idle one of its pool before a new one.
  ///
  /// - Returns: whether there is one for it.
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

  private func canCarry(_ connection: Connection, _ request: URLLoader.HTTPRequest) -> Bool {
    !request.isExempt && !connection.isExempt && !connection.isDraining
      && connection.endpoint == request.endpoint && connection.pool == request.pool
      && connection.carries < streamLimit(request.endpoint)
  }

  private func streamLimit(_ endpoint: UInt32) -> UInt32 { streams[Int(endpoint)] ?? 1 }

  /// Whether one more connection may live; an HTTP/2 endpoint has one for each pool.
  private func hasRoom(_ request: URLLoader.HTTPRequest) -> Bool {
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

  /// Requests are over, and others get what they had.
  private mutating func release(
    _ ids: [UInt32], isReusable: Bool, at now: Instant,
    into effects: inout EffectLog<URLLoader.Effect>
  ) {
    let ended = requests.filter { ids.contains($0.request.id) }
    requests.removeAll { ids.contains($0.request.id) }
    for row in ended { leave(row, isReusable: isReusable, at: now, into: &effects) }
    for row in ended { thaw(row.request.endpoint, into: &effects) }
  }

  /// A request leaves its connection, which is kept for another, or closed.
  private mutating func leave(
    _ ended: Row, isReusable: Bool, at now: Instant, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    guard let connection = ended.connection,
      let index = connections.firstIndex(where: { $0.id == connection })
    else { return }
    connections[index].carries -= 1
    if connections[index].carries == 0 {
      // A stream of an HTTP/2 connection can be taken back by itself; an answer of HTTP/1.1 cannot.
      let isWhole = isReusable || streams[Int(ended.request.endpoint)] != nil
      if isWhole, keepAlive > .zero, !ended.request.isExempt, !connections[index].isDraining {
        connections[index].due = now + keepAlive
      } else {
        connections.remove(at: index)
        effects.append(.close(connection))
      }
    }
  }

  /// A connection takes no new requests; without any it is closed at once.
  private mutating func drain(
    _ id: HTTPConnectionID, into effects: inout EffectLog<URLLoader.Effect>
  ) {
    guard let index = connections.firstIndex(where: { $0.id == id }) else { return }
    connections[index].isDraining = true
    guard connections[index].carries == 0 else { return }
    let endpoint = connections.remove(at: index).endpoint
    effects.append(.close(id))
    thaw(endpoint, into: &effects)
  }

  /// Frozen requests get what is free, in the order of their coming.
  private mutating func thaw(_ endpoint: UInt32, into effects: inout EffectLog<URLLoader.Effect>) {
    for row in requests.indices
    where requests[row].connection == nil && requests[row].request.endpoint == endpoint {
      // Connections of one pool do not serve another, so the next one may find room all the same.
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
