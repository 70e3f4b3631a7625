/// Where a connection stands, as the client knows it.
enum ConnectionPhase: UInt8, Hashable, Sendable {
  /// The row is not used.
  case free
  /// The transport was told to make it.
  case connecting
  /// It carries the channel's calls.
  case established
  /// The server takes no new calls on it; those it has go on (GOAWAY).
  case draining
}

/// One connection in the pool's table.
struct ConnectionRow: Hashable, Sendable {
  var generation: UInt32
  var endpoint: UInt32
  /// The next draining connection of the endpoint; in a free row, the next free one.
  var next: UInt32
  /// The calls it carries.
  var callCount: UInt32
  /// When something was last read from it.
  var lastRead: Instant
  /// Pings sent since the client last sent data.
  var pingsWithoutData: UInt8
  var awaitsPong: Bool
  /// Whether the connection is ever pinged.
  var hasKeepalive: Bool
  var phase: ConnectionPhase

  @inline(__always)
  mutating func becomeEstablished(at now: Instant) {
    phase = .established
    lastRead = now
  }

  @inline(__always)
  mutating func becomeFree(before nextFree: UInt32) {
    phase = .free
    generation &+= 1
    next = nextFree
  }
}

/// The pool's connections, in rows that are used again.
struct ConnectionTable: Hashable, Sendable {
  var rows = Rows<ConnectionRow>()
  private(set) var firstFree = noRow

  subscript(index: UInt32) -> ConnectionRow {
    @inline(__always) get { rows[Int(index)] }
    @inline(__always) _modify { yield &rows[Int(index)] }
  }

  @inline(__always)
  func id(_ index: UInt32) -> ConnectionID {
    ConnectionID(index: index, generation: rows[Int(index)].generation)
  }

  /// Whether the connection is still the client's.
  @inline(__always)
  func isLive(_ connection: ConnectionID) -> Bool {
    connection.index < rows.count && rows[Int(connection.index)].phase != .free
      && rows[Int(connection.index)].generation == connection.generation
  }

  @inline(__always)
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

  @inline(__always)
  mutating func free(_ index: UInt32) {
    rows[Int(index)].becomeFree(before: firstFree)
    firstFree = index
  }

  /// Becomes what another table is, in its own room.
  @inline(__always)
  mutating func become(_ other: inout ConnectionTable) {
    rows.become(&other.rows)
    firstFree = other.firstFree
  }

  /// Forgets every connection there ever was; the room is kept.
  mutating func removeAll() {
    rows.removeAll()
    firstFree = noRow
  }
}
