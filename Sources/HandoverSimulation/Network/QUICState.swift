import HandoverCore

/// What QUIC knows of its connections and TCP of none; a network over TCP has nothing of it.
struct QUICState: Sendable {
  /// The connections by their rows; some may be another connection's by now.
  private(set) var rows: ContiguousArray<QUICRow> = []
  /// The connections whose names became known while the process was stopped.
  private(set) var unreadNames: [ConnectionID] = []
  /// The connections that servers accepted while the process was stopped.
  private(set) var unreadAccepts: [ConnectionID] = []
  /// The connection that each call of the script runs on.
  private var carriers: ContiguousArray<ConnectionID?> = []

  /// Whether a row is a connection's.
  @inline(__always)
  func knows(_ connection: ConnectionID) -> Bool {
    Int(connection.index) < rows.count
      && rows[Int(connection.index)].generation == connection.generation
  }

  subscript(index: Int) -> QUICRow {
    @inline(__always) get { rows[index] }
    @inline(__always) _modify { yield &rows[index] }
  }

  /// A connection has its row from now on.
  mutating func begin(_ connection: ConnectionID, _ configuration: QUICConfiguration) {
    while rows.count <= connection.index { rows.append(QUICRow(generation: .max)) }
    rows[Int(connection.index)] = QUICRow(generation: connection.generation)
    rows[Int(connection.index)].spareIDs = configuration.connectionIDs
  }

  /// The name of a connection becomes known while the process is stopped.
  mutating func keepName(of connection: ConnectionID) {
    if !unreadNames.contains(connection) { unreadNames.append(connection) }
  }

  /// Removes and returns the connections whose names became known while the process was stopped.
  mutating func takeNames() -> [ConnectionID] {
    defer { unreadNames = [] }
    return unreadNames
  }

  /// A server accepts a connection while the process is stopped.
  mutating func keepAccept(of connection: ConnectionID) { unreadAccepts.append(connection) }

  /// Removes and returns the connections that servers accepted while the process was stopped.
  mutating func takeAccepts() -> [ConnectionID] {
    defer { unreadAccepts = [] }
    return unreadAccepts
  }

  /// A call runs on a connection, or has ended.
  ///
  /// - Returns: the rows of the connections that have more or fewer calls now.
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

/// A connection of QUIC.
struct QUICRow: Sendable {
  /// The generation of the connection whose row it is.
  let generation: UInt32
  /// How many connection identifiers of the server are left.
  var spareIDs = 0
  /// How often it has migrated to each path, by the path's index.
  private var migrations: ContiguousArray<Int> = []
  /// The path that is being validated; nil where none is.
  var validation: PathValidation?
  /// Which validation it is, of all of the connection: what belongs to an earlier one is not heard.
  private(set) var validationNumber: UInt32 = 0
  /// Whether the server waits for the answer of its new address.
  var addressIsChallenged = false
  /// Which challenge of the server it is.
  var addressNumber: UInt32 = 0
  /// How many calls run on it.
  var callCount = 0
  /// Whether the server's challenge has arrived while the process was stopped and is unanswered.
  var challengeIsUnread = false
  /// Whether packets have arrived while the process was stopped and are unread.
  var hasUnread = false
  /// Whether something was sent since something was received last.
  var hasSent = false
  /// From when on nothing was received (RFC 9000, 10.1).
  var idleSince = Instant.zero
  /// Its idle time-out, on the agenda where calls wait for it, else among what is periodic.
  var idleTurn: IdleTurn?

  /// A place among what is to happen.
  struct IdleTurn: Sendable {
    var handle: Agenda<ScheduledEvent>.Handle
    var isPeriodic: Bool
  }

  init(generation: UInt32) { self.generation = generation }

  /// How often it has migrated to a path.
  func migrationCount(to path: PathIndex) -> Int {
    Int(path.index) < migrations.count ? migrations[Int(path.index)] : 0
  }

  mutating func countMigration(to path: PathIndex) {
    while migrations.count <= Int(path.index) { migrations.append(0) }
    migrations[Int(path.index)] += 1
  }

  /// Another path is validated from now on.
  mutating func beginValidation(of path: PathIndex) -> UInt32 {
    validationNumber &+= 1
    validation = PathValidation(path: path)
    return validationNumber
  }

  /// Whether a challenge is one of the validation that goes on.
  func awaits(_ number: UInt32) -> Bool { validation != nil && validationNumber == number }

  /// Takes in what decides how the connection goes on; when it times out, the agenda says.
  func combine(into digest: inout StateDigest) {
    digest.combine(UInt64(spareIDs) << 32 | UInt64(callCount))
    digest.combine(
      UInt64(validation?.challengeCount ?? 0) << 16 | UInt64(validation?.path.index ?? 0) << 8
        | (validation != nil ? 4 : 0) | (addressIsChallenged ? 2 : 0) | (hasSent ? 1 : 0))
    digest.combine((challengeIsUnread ? 2 : 0) | (hasUnread ? 1 : 0))
    for count in migrations { digest.combine(count) }
    digest.combine(UInt64.max)
  }
}

/// The validation of a path (RFC 9000, 8.2).
struct PathValidation: Hashable, Sendable {
  let path: PathIndex
  /// How many challenges were sent.
  var challengeCount = 0

  init(path: PathIndex) { self.path = path }
}
