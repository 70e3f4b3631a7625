/// The phase of a call between its start and its end.
///
///     start ──> AWAITING TOKEN ──token──> WAITING ──connected──> RUNNING
///       │             │                   ^    │ ^                  │
///       └─────────────┼──token not needed─┘    │ └─ (never back: a call that ran ends)
///                     v                        v                    v
///                   ended <── cancel, deadline, destruction, failed attempt, broken connection,
///                             the server's end
///
/// A call that has ended has no row. Later events for the call are dropped, because their
/// generation does not match the row (C5). The pool tolerates such events, because the user and the
/// network may be late. A call that starts with an identifier from elsewhere is a bug of the
/// driver.
@usableFromInline
enum CallPhase: UInt8, BitwiseCopyable, Hashable, Sendable {
  /// The row is unused.
  case free
  /// The call waits for its auth token and has no channel (C6).
  case awaitingToken
  /// The call has a channel, which has no connection for it yet (D5).
  case waiting
  /// The request of the call was passed to a connection.
  case running
}

/// One call in the table of the pool.
@usableFromInline
struct CallRow: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline var generation: UInt32
  /// The pooled channel.
  @usableFromInline var endpoint: UInt32
  /// The next call of the endpoint in the order of start; in a free row, the next free row.
  @usableFromInline var next: UInt32
  /// The previous call of the endpoint in the order of start.
  @usableFromInline var previous: UInt32
  /// The connection that carries the call while it runs.
  @usableFromInline var connection: UInt32
  /// The number of messages that wait for the connection, and their total size in bytes.
  @usableFromInline var queuedMessages: UInt32
  @usableFromInline var queuedBytes: UInt32
  @usableFromInline var phase: CallPhase
  @usableFromInline var failsFast: Bool
  /// Whether the request is complete, so that the user sends nothing more.
  @usableFromInline var isFinished: Bool

  /// Creates the row of a new call, which follows another call of its channel.
  @inlinable
  init(
    _ id: CallID, endpoint: UInt32, phase: CallPhase, after previous: UInt32, _ wanted: CallSettings
  ) {
    generation = id.generation
    self.endpoint = endpoint
    next = noRow
    self.previous = previous
    connection = noRow
    queuedMessages = 0
    queuedBytes = 0
    self.phase = phase
    failsFast = wanted.failsFast
    isFinished = wanted.requestIsComplete
  }

  // A step changes several properties of a row together. Each of these functions needs only one
  // access to the table.

  /// Makes a free row the row of a new call, which follows another call of its channel.
  ///
  /// The function keeps `generation` and `next`, because the next free row is also the row of the
  /// next call.
  mutating func start(endpoint: UInt32, after previous: UInt32, _ wanted: CallSettings) {
    self.endpoint = endpoint
    self.previous = previous
    connection = noRow
    queuedMessages = 0
    queuedBytes = 0
    phase = .waiting
    failsFast = wanted.failsFast
    isFinished = wanted.requestIsComplete
  }

  /// Binds the call to its channel, after another call.
  mutating func enter(after last: UInt32) {
    phase = .waiting
    previous = last
    next = noRow
  }

  /// Passes the call to a connection.
  mutating func run(on connection: UInt32) {
    phase = .running
    self.connection = connection
  }

  /// Frees the row and puts it in front of another free row.
  mutating func markFree(before other: UInt32) {
    phase = .free
    generation &+= 1
    next = other
  }
}

/// The calls of the pool, in rows that are reused.
@usableFromInline
struct CallTable: Hashable, Sendable {
  @usableFromInline var rows = Rows<CallRow>()
  /// The identifier of the next call: in the row that was freed last, or in a new row.
  @usableFromInline var nextID = CallID(index: 0, generation: 0)

  subscript(index: UInt32) -> CallRow {
    get { rows[Int(index)] }
    _modify { yield &rows[Int(index)] }
  }

  func id(_ index: UInt32) -> CallID {
    CallID(index: index, generation: rows[Int(index)].generation)
  }

  /// Whether the call has not ended.
  func isLive(_ call: CallID) -> Bool {
    call.index < rows.count && rows[Int(call.index)].generation == call.generation
      && rows[Int(call.index)].phase != .free
  }

  /// Inserts the next call after the previous call of its channel.
  @inlinable
  mutating func insert(
    endpoint: UInt32, phase: CallPhase, after previous: UInt32, _ wanted: CallSettings
  ) {
    let id = nextID
    let row = CallRow(id, endpoint: endpoint, phase: phase, after: previous, wanted)
    if Int(id.index) == rows.count {
      // A new row is handled like a free row whose next free row is the one after it.
      rows.append(row)
      rows[Int(id.index)].next = id.index + 1
    }
    let free = rows[Int(id.index)].next
    rows[Int(id.index)] = row
    if previous != noRow { rows[Int(previous)].next = id.index }
    nextID = CallID(
      index: free, generation: free < rows.count ? rows[Int(free)].generation : 0)
  }

  /// Inserts several calls after the previous call of their channel, and passes each to `body`.
  ///
  /// Free rows are linked in the order of their use, and the calls of a channel in the order of
  /// start. Both orders are the same here, so the links stay unchanged. That saves about fifteen
  /// instructions per call.
  ///
  /// - Returns: The last of the calls.
  mutating func insert(
    _ count: Int, endpoint: UInt32, after previous: UInt32, _ wanted: CallSettings,
    _ body: (CallID) -> Void
  ) -> UInt32 {
    var index = nextID.index
    var last = previous
    var missing = count
    rows[Int(previous)].next = index
    while true {
      rows.walk { rows in
        while missing > 0, index < rows.count {
          body(CallID(index: index, generation: rows[index].generation))
          rows[index].start(endpoint: endpoint, after: last, wanted)
          last = index
          index = rows[index].next
          missing &-= 1
        }
      }
      guard missing > 0 else { break }
      // If no row is free, a new one is added, whose next free row is the one after it.
      let id = CallID(index: index, generation: 0)
      rows.append(CallRow(id, endpoint: endpoint, phase: .free, after: last, wanted))
      rows[Int(index)].next = index + 1
    }
    rows[Int(last)].next = noRow
    nextID = CallID(
      index: index, generation: index < rows.count ? rows[Int(index)].generation : 0)
    return last
  }

  /// Binds a call that already has a row, after the previous call.
  mutating func bind(_ call: UInt32, after previous: UInt32) {
    rows[Int(call)].enter(after: previous)
    if previous != noRow { rows[Int(previous)].next = call }
  }

  mutating func free(_ index: UInt32) {
    rows[Int(index)].markFree(before: nextID.index)
    nextID = id(index)
  }

  /// Removes all calls, including the generations of their rows, but keeps the memory.
  mutating func removeAll() {
    rows.removeAll()
    nextID = CallID(index: 0, generation: 0)
  }
}
