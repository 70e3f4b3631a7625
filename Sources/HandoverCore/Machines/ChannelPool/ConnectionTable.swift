/// The phase of a connection from the client's point of view.
enum ConnectionPhase: UInt8, Hashable, Sendable {
  /// The row is unused.
  case free
  /// The client ordered the transport to open the connection.
  case connecting
  /// The connection carries the calls of the channel.
  case established
  /// The server accepts no new calls on the connection; its present calls continue (GOAWAY).
  case draining
}

/// One connection in the table of the pool.
struct ConnectionRow: Hashable, Sendable {
  var generation: UInt32
  var endpoint: UInt32
  /// The next draining connection of the endpoint; in a free row, the next free row.
  var next: UInt32
  /// The number of calls on the connection.
  var callCount: UInt32
  /// The instant of the last read.
  var lastRead: Instant
  /// The number of pings since the client last sent data.
  var pingsWithoutData: UInt8
  var awaitsPong: Bool
  /// Whether the connection uses keepalive.
  var hasKeepalive: Bool
  var phase: ConnectionPhase

  mutating func markEstablished(at now: Instant) {
    phase = .established
    lastRead = now
  }

  mutating func markFree(before nextFree: UInt32) {
    phase = .free
    generation &+= 1
    next = nextFree
  }
}

/// The connections of the pool, in rows that are reused.
struct ConnectionTable: Hashable, Sendable {
  var rows = Rows<ConnectionRow>()
  private(set) var firstFree = noRow

  subscript(index: UInt32) -> ConnectionRow {
    get { rows[Int(index)] }
    _modify { yield &rows[Int(index)] }
  }

  func id(_ index: UInt32) -> ConnectionID {
    ConnectionID(index: index, generation: rows[Int(index)].generation)
  }

  /// Whether the client still has the connection.
  func isLive(_ connection: ConnectionID) -> Bool {
    connection.index < rows.count && rows[Int(connection.index)].phase != .free
      && rows[Int(connection.index)].generation == connection.generation
  }

  mutating func insert(endpoint: UInt32, hasKeepalive: Bool, at now: Instant) -> UInt32 {
    var row = ConnectionRow(
      generation: 0, endpoint: endpoint, next: noRow, callCount: 0, lastRead: now,
      pingsWithoutData: 0, awaitsPong: false, hasKeepalive: hasKeepalive, phase: .connecting)
    guard firstFree != noRow else {
      rows.append(row)
      return UInt32(truncatingIfNeeded: rows.count - 1)
    }
    let index = firstFree
    firstFree = rows[Int(index)].next
    row.generation = rows[Int(index)].generation
    rows[Int(index)] = row
    return index
  }

  mutating func free(_ index: UInt32) {
    rows[Int(index)].markFree(before: firstFree)
    firstFree = index
  }

  /// Makes the table equal to another one, and reuses its memory.
  mutating func assign(from other: inout ConnectionTable) {
    rows.assign(from: &other.rows)
    firstFree = other.firstFree
  }

  /// Removes all connections, including the generations of their rows, but keeps the memory.
  mutating func removeAll() {
    rows.removeAll()
    firstFree = noRow
  }
}
