import HandoverCore

/// The state that QUIC keeps for its connections.
///
/// TCP has no such state.
struct QUICState: Sendable {
  /// The connections by row.
  ///
  /// Another connection may have reused a row.
  private(set) var rows: ContiguousArray<QUICRow> = []
  /// The connections whose names became known while the process was stopped.
  private(set) var unreadNames: [ConnectionID] = []
  /// The connections that servers accepted while the process was stopped.
  private(set) var unreadAccepts: [ConnectionID] = []
  /// The connection of each call of the script.
  private var carriers: ContiguousArray<ConnectionID?> = []

  /// Returns whether a row belongs to a connection.
  func knows(_ connection: ConnectionID) -> Bool {
    Int(connection.index) < rows.count
      && rows[Int(connection.index)].generation == connection.generation
  }

  subscript(index: Int) -> QUICRow {
    get { rows[index] }
    _modify { yield &rows[index] }
  }

  /// Starts a row for a connection.
  mutating func begin(_ connection: ConnectionID, _ configuration: QUICConfiguration) {
    while rows.count <= connection.index { rows.append(QUICRow(generation: .max)) }
    rows[Int(connection.index)] = QUICRow(generation: connection.generation)
    rows[Int(connection.index)].spareIDs = configuration.connectionIDs
  }

  /// Records that the name of a connection becomes known while the process is stopped.
  mutating func keepName(of connection: ConnectionID) {
    if !unreadNames.contains(connection) { unreadNames.append(connection) }
  }

  /// Removes and returns the connections whose names became known while the process was stopped.
  mutating func takeNames() -> [ConnectionID] {
    defer { unreadNames = [] }
    return unreadNames
  }

  /// Records that a server accepts a connection while the process is stopped.
  mutating func keepAccept(of connection: ConnectionID) { unreadAccepts.append(connection) }

  /// Removes and returns the connections that servers accepted while the process was stopped.
  mutating func takeAccepts() -> [ConnectionID] {
    defer { unreadAccepts = [] }
    return unreadAccepts
  }

  /// Records that a call now runs on a connection, or that the call has ended.
  ///
  /// - Returns: the rows of the connections whose number of calls has changed.
  mutating func carry(_ call: UInt32, on connection: ConnectionID?) -> [Int] {
    while carriers.count <= call { carriers.append(nil) }
    let former = carriers[Int(call)]
    guard former != connection else { return [] }
    carriers[Int(call)] = connection
    var changed: [Int] = []
    if let former, knows(former) {
      rows[Int(former.index)].callCount -= 1
      changed.append(Int(former.index))
    }
    if let connection, knows(connection) {
      rows[Int(connection.index)].callCount += 1
      changed.append(Int(connection.index))
    }
    return changed
  }
}

/// The state of a QUIC connection.
struct QUICRow: Sendable {
  /// The generation of the connection that owns the row.
  let generation: UInt32
  /// The number of unused connection identifiers of the server.
  var spareIDs = 0
  /// The number of migrations to each path, by path index.
  private var migrations: ContiguousArray<Int> = []
  /// The running validation, or `nil` if there is none.
  var validation: PathValidation?
  /// The number of the latest validation.
  ///
  /// Events of earlier validations are ignored.
  private(set) var validationNumber: UInt32 = 0
  /// Whether the server waits for a response from the client's new address.
  var addressIsChallenged = false
  /// The number of the client's current address.
  ///
  /// A challenge for an earlier address is ignored.
  var addressNumber: UInt32 = 0
  /// The number of calls on the connection.
  var callCount = 0
  /// Whether the server's challenge arrived while the process was stopped and has no response yet.
  var challengeIsUnread = false
  /// Whether packets arrived while the process was stopped and are unread.
  var hasUnread = false
  /// Whether a packet was sent since the last received packet.
  var hasSent = false
  /// The start of the idle period (RFC 9000, 10.1).
  var idleSince = Instant.zero
  /// The scheduled idle timeout.
  ///
  /// It is on the agenda if the connection has calls, and otherwise among the periodic events.
  var idleTurn: IdleTurn?

  /// A scheduled idle timeout, and whether it is among the periodic events.
  struct IdleTurn: Sendable {
    var handle: Agenda<ScheduledEvent>.Handle
    var isPeriodic: Bool
  }

  init(generation: UInt32) { self.generation = generation }

  /// Returns the number of migrations to a path.
  func migrationCount(to path: PathIndex) -> Int {
    Int(path.index) < migrations.count ? migrations[Int(path.index)] : 0
  }

  mutating func countMigration(to path: PathIndex) {
    while migrations.count <= Int(path.index) { migrations.append(0) }
    migrations[Int(path.index)] += 1
  }

  /// Starts the validation of a path, and returns its number.
  mutating func beginValidation(of path: PathIndex) -> UInt32 {
    validationNumber &+= 1
    validation = PathValidation(path: path)
    return validationNumber
  }

  /// Returns whether a challenge belongs to the running validation.
  func awaits(_ number: UInt32) -> Bool { validation != nil && validationNumber == number }

  /// Adds to a digest the state that determines the connection's future behavior.
  ///
  /// The agenda covers the timeouts.
  func combine(into digest: inout StateDigest) {
    digest.combine(UInt64(spareIDs) << 32 | UInt64(callCount))
    let flags: UInt64 =
      (validation != nil ? 4 : 0) | (addressIsChallenged ? 2 : 0) | (hasSent ? 1 : 0)
    let (challenges, path) = (validation?.challengeCount ?? 0, validation?.path.index ?? 0)
    digest.combine(UInt64(challenges) << 16 | UInt64(path) << 8 | flags)
    digest.combine((challengeIsUnread ? 2 : 0) | (hasUnread ? 1 : 0))
    for count in migrations { digest.combine(count) }
    digest.combine(UInt64.max)
  }
}

/// The validation of a path (RFC 9000, 8.2).
struct PathValidation: Hashable, Sendable {
  let path: PathIndex
  /// The number of challenges that were sent.
  var challengeCount = 0

  init(path: PathIndex) { self.path = path }
}
