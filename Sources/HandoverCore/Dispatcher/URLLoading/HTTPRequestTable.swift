/// The requests and connections of the OS, in rows that are linked into lines.
///
/// A line contains the requests on one connection, or the frozen requests of one endpoint and pool.
/// Another kind of line contains the connections that count toward the limit of one endpoint. The
/// row of a request or a connection is its number. Numbers of requests are reused; numbers of
/// connections are not.
struct HTTPRequestTable: Hashable, Sendable {
  private struct Row: Hashable, Sendable {
    var request: CarriedRequest
    /// The position in the arrival order, or `nil` if the row is free.
    var arrival: UInt64?
    /// The connection that carries the request; `line` is the line in which the request is frozen.
    var connection = noRow
    var line = noRow
    var previous = noRow
    var next = noRow
  }

  private struct Connection: Hashable, Sendable {
    var endpoint: UInt32
    var pool: UInt32
    /// Whether the connection does not count toward the limit.
    var isExempt: Bool
    var isOpen = true
    /// Whether the connection accepts no new requests.
    var isDraining = false
    var carries: UInt32 = 0
    /// The requests that the connection carries.
    var line = Line()
    /// The neighbors among the connections that count toward the limit of the endpoint.
    var previous = noRow
    var next = noRow
  }

  private struct Endpoint: Hashable, Sendable {
    /// The maximum number of requests on one HTTP/2 connection, or `nil` for HTTP/1.1, which
    /// carries one.
    var streams: UInt32?
    /// The open connections that count toward the limit of the endpoint.
    var connections = Line()
    var connectionCount: UInt32 = 0
    /// The lines of frozen requests, one for each pool.
    var frozen: [UInt32] = []
  }

  /// The first and last row of a line.
  private struct Line: Hashable, Sendable {
    var first = noRow
    var last = noRow
  }

  /// The frozen requests of one endpoint and pool, in arrival order.
  private struct FrozenLine: Hashable, Sendable {
    var pool: UInt32
    var line = Line()
  }

  private var rows: ContiguousArray<Row> = []
  private var connections: ContiguousArray<Connection> = []
  private var endpoints: ContiguousArray<Endpoint>
  private var lines: ContiguousArray<FrozenLine> = []
  private var arrivals: UInt64 = 0

  init(streams: [UInt32?]) {
    endpoints = ContiguousArray(streams.map { Endpoint(streams: $0) })
  }

  // MARK: Requests

  func isLive(_ id: UInt32) -> Bool { id < rows.count && rows[Int(id)].arrival != nil }

  func request(_ id: UInt32) -> CarriedRequest { rows[Int(id)].request }

  /// Returns the position of a live request in the arrival order.
  func arrival(of id: UInt32) -> UInt64 { rows[Int(id)].arrival ?? 0 }

  /// Returns those of the requests that are live, in arrival order; duplicates stay.
  func inArrivalOrder(_ ids: [UInt32]) -> [UInt32] {
    guard ids.count > 1 else { return ids.filter(isLive) }
    return ids.filter(isLive).sorted { arrival(of: $0) < arrival(of: $1) }
  }

  /// All live requests in arrival order.
  var allLoads: [UInt32] {
    inArrivalOrder(rows.indices.map { UInt32(truncatingIfNeeded: $0) })
  }

  mutating func insert(_ request: CarriedRequest) {
    let free = Row(request: CarriedRequest(id: 0, endpoint: 0, pool: 0, timeout: .zero))
    while rows.count <= request.id { rows.append(free) }
    arrivals += 1
    rows[Int(request.id)] = Row(request: request, arrival: arrivals)
  }

  /// Ends a request in any phase.
  mutating func remove(_ id: UInt32) {
    if rows[Int(id)].line != noRow { removeFromLine(id) }
    let connection = rows[Int(id)].connection
    if connection != noRow {
      connections[Int(connection)].line = unlinked(id, from: connections[Int(connection)].line)
      connections[Int(connection)].carries -= 1
    }
    rows[Int(id)].arrival = nil
    rows[Int(id)].connection = noRow
  }

  /// Returns the connection that carries a request, or `nil` if the request is frozen.
  func connection(of id: UInt32) -> UInt32? {
    let connection = rows[Int(id)].connection
    return connection == noRow ? nil : connection
  }

  mutating func carry(_ id: UInt32, on connection: UInt32) {
    rows[Int(id)].connection = connection
    connections[Int(connection)].carries += 1
    connections[Int(connection)].line = appended(id, to: connections[Int(connection)].line)
  }

  // MARK: Frozen requests

  /// Appends a request to the frozen line of its endpoint and pool.
  mutating func freeze(_ id: UInt32) {
    let request = rows[Int(id)].request
    let known = endpoints[Int(request.endpoint)].frozen
    let line: UInt32
    if let index = known.first(where: { lines[Int($0)].pool == request.pool }) {
      line = index
    } else {
      line = UInt32(truncatingIfNeeded: lines.count)
      lines.append(FrozenLine(pool: request.pool))
      endpoints[Int(request.endpoint)].frozen.append(line)
    }
    rows[Int(id)].line = line
    lines[Int(line)].line = appended(id, to: lines[Int(line)].line)
  }

  /// Puts a request back at the head of the line that it has just left.
  mutating func freezeAgain(_ id: UInt32) {
    let request = rows[Int(id)].request
    for line in endpoints[Int(request.endpoint)].frozen where lines[Int(line)].pool == request.pool
    {
      rows[Int(id)].line = line
      lines[Int(line)].line = prepended(id, to: lines[Int(line)].line)
    }
  }

  mutating func removeFromLine(_ id: UInt32) {
    lines[Int(rows[Int(id)].line)].line = unlinked(id, from: lines[Int(rows[Int(id)].line)].line)
    rows[Int(id)].line = noRow
  }

  /// Returns the earliest frozen request of an endpoint and its line, except in the `stuck` lines.
  func firstFrozen(
    of endpoint: UInt32, except stuck: [UInt32]
  ) -> (line: UInt32, id: UInt32)? {
    var found: (line: UInt32, id: UInt32)?
    for line in endpoints[Int(endpoint)].frozen where !stuck.contains(line) {
      let first = lines[Int(line)].line.first
      guard first != noRow else { continue }
      if let found, arrival(of: found.id) < arrival(of: first) { continue }
      found = (line, first)
    }
    return found
  }

  // MARK: Connections

  func streams(of endpoint: UInt32) -> UInt32? { endpoints[Int(endpoint)].streams }

  func isOpen(_ connection: UInt32) -> Bool {
    connection < connections.count && connections[Int(connection)].isOpen
  }

  func isDraining(_ connection: UInt32) -> Bool { connections[Int(connection)].isDraining }

  func carriesNothing(_ connection: UInt32) -> Bool {
    connections[Int(connection)].carries == 0
  }

  func endpoint(of connection: UInt32) -> UInt32 { connections[Int(connection)].endpoint }

  /// Returns the request that a connection has carried the longest.
  func firstCarried(by connection: UInt32) -> UInt32? {
    let first = connections[Int(connection)].line.first
    return first == noRow ? nil : first
  }

  /// The open connections in the order of their creation.
  var openConnections: [UInt32] {
    connections.indices.filter { connections[$0].isOpen }.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Returns the oldest connection of a pool to an endpoint that accepts another request.
  func usableConnection(_ endpoint: UInt32, of pool: UInt32) -> UInt32? {
    let most = endpoints[Int(endpoint)].streams ?? 1
    return first(of: endpoint) { $0.pool == pool && !$0.isDraining && $0.carries < most }
  }

  /// Returns whether another connection may be opened; an HTTP/2 endpoint has one for each pool.
  func hasRoom(_ endpoint: UInt32, for pool: UInt32, limit: UInt32) -> Bool {
    guard endpoints[Int(endpoint)].connectionCount < limit else { return false }
    guard endpoints[Int(endpoint)].streams != nil else { return true }
    return first(of: endpoint) { $0.pool == pool && !$0.isDraining } == nil
  }

  private func first(of endpoint: UInt32, where isWanted: (Connection) -> Bool) -> UInt32? {
    var connection = endpoints[Int(endpoint)].connections.first
    while connection != noRow {
      if isWanted(connections[Int(connection)]) { return connection }
      connection = connections[Int(connection)].next
    }
    return nil
  }

  mutating func open(for request: CarriedRequest) -> UInt32 {
    let id = UInt32(truncatingIfNeeded: connections.count)
    var connection = Connection(
      endpoint: request.endpoint, pool: request.pool, isExempt: request.isExempt)
    if !request.isExempt {
      connection.previous = endpoints[Int(request.endpoint)].connections.last
      endpoints[Int(request.endpoint)].connections.last = id
      endpoints[Int(request.endpoint)].connectionCount += 1
      if connection.previous == noRow {
        endpoints[Int(request.endpoint)].connections.first = id
      } else {
        connections[Int(connection.previous)].next = id
      }
    }
    connections.append(connection)
    return id
  }

  mutating func drain(_ connection: UInt32) { connections[Int(connection)].isDraining = true }

  mutating func close(_ connection: UInt32) {
    connections[Int(connection)].isOpen = false
    let closed = connections[Int(connection)]
    guard !closed.isExempt else { return }
    let endpoint = Int(closed.endpoint)
    endpoints[endpoint].connectionCount -= 1
    if closed.previous == noRow {
      endpoints[endpoint].connections.first = closed.next
    } else {
      connections[Int(closed.previous)].next = closed.next
    }
    if closed.next == noRow {
      endpoints[endpoint].connections.last = closed.previous
    } else {
      connections[Int(closed.next)].previous = closed.previous
    }
  }

  // MARK: Lines of requests

  private mutating func appended(_ id: UInt32, to line: Line) -> Line {
    rows[Int(id)].previous = line.last
    rows[Int(id)].next = noRow
    if line.last != noRow { rows[Int(line.last)].next = id }
    return Line(first: line.last == noRow ? id : line.first, last: id)
  }

  private mutating func prepended(_ id: UInt32, to line: Line) -> Line {
    rows[Int(id)].previous = noRow
    rows[Int(id)].next = line.first
    if line.first != noRow { rows[Int(line.first)].previous = id }
    return Line(first: id, last: line.first == noRow ? id : line.last)
  }

  private mutating func unlinked(_ id: UInt32, from line: Line) -> Line {
    let (previous, next) = (rows[Int(id)].previous, rows[Int(id)].next)
    if previous != noRow { rows[Int(previous)].next = next }
    if next != noRow { rows[Int(next)].previous = previous }
    return Line(
      first: previous == noRow ? next : line.first, last: next == noRow ? previous : line.last)
  }
}

// The state that determines the future behavior of the OS; arrivals count only by their order.
extension HTTPRequestTable {
  func combine(into digest: inout StateDigest) {
    var arrivals: [(arrival: UInt64, row: Int)] = []
    for index in rows.indices {
      guard let arrival = rows[index].arrival else { continue }
      arrivals.append((arrival, index))
      let row = rows[index]
      digest.combine(index)
      digest.combine(UInt64(row.request.endpoint) << 32 | UInt64(row.request.pool))
      digest.combine(row.request.timeout)
      digest.combine(row.request.isExempt)
      digest.combine(UInt64(row.connection) << 32 | UInt64(row.line))
      digest.combine(UInt64(row.previous) << 32 | UInt64(row.next))
    }
    digest.combine(UInt64.max)
    for (_, row) in arrivals.sorted(by: <) { digest.combine(row) }
    digest.combine(connections.count)
    for index in connections.indices where connections[index].isOpen {
      digest.combine(index)
      combine(connections[index], into: &digest)
    }
    digest.combine(UInt64.max)
    for endpoint in endpoints {
      digest.combine(endpoint.streams.map { UInt64($0) } ?? .max)
      combine(endpoint.connections, into: &digest)
      digest.combine(endpoint.connectionCount)
      digest.combine(endpoint.frozen.count)
      for line in endpoint.frozen { digest.combine(line) }
    }
    digest.combine(lines.count)
    for line in lines {
      digest.combine(line.pool)
      combine(line.line, into: &digest)
    }
  }

  private func combine(_ connection: Connection, into digest: inout StateDigest) {
    digest.combine(UInt64(connection.endpoint) << 32 | UInt64(connection.pool))
    digest.combine(
      UInt64(connection.carries) << 2 | (connection.isExempt ? 2 : 0)
        | (connection.isDraining ? 1 : 0))
    combine(connection.line, into: &digest)
    digest.combine(UInt64(connection.previous) << 32 | UInt64(connection.next))
  }

  private func combine(_ line: Line, into digest: inout StateDigest) {
    digest.combine(UInt64(line.first) << 32 | UInt64(line.last))
  }
}
