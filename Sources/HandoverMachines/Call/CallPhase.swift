/// Where a call stands between its start and its one end.
///
///     start ──> AWAITING TOKEN ──token──> WAITING ──connected──> RUNNING
///       │             │                   ^    │ ^                  │
///       └─────────────┼──token not needed─┘    │ └─ (never back: a call that ran ends)
///                     v                        v                    v
///                   ended <── cancel, deadline, destruction, failed attempt, broken connection,
///                             the server's end
///
/// An ended call has no row any more; whatever still arrives for it finds the generation changed
/// and is dropped (C5). That is tolerated, because the user and the network may be late; a call
/// that starts with an identifier the pool did not hand out is our bug.
@usableFromInline
enum CallPhase: UInt8, BitwiseCopyable, Hashable, Sendable {
  /// The row is not used.
  case free
  /// The call waits for its auth token and is bound to no channel (C6).
  case awaitingToken
  /// The call is bound to a channel that has no connection for it yet (D5).
  case waiting
  /// The call's request is with a connection.
  case running
}

/// One call in the pool's table.
@usableFromInline
struct CallRow: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline var generation: UInt32
  /// The pooled channel.
  @usableFromInline var endpoint: UInt32
  /// The next call of the endpoint in the order of start; in a free row, the row that is used
  /// after it.
  @usableFromInline var next: UInt32
  /// The call before, in the order of start.
  @usableFromInline var previous: UInt32
  /// The connection that carries the call, while it runs.
  @usableFromInline var connection: UInt32
  /// Messages that wait for the connection, and their bytes.
  @usableFromInline var queuedMessages: UInt32
  @usableFromInline var queuedBytes: UInt32
  @usableFromInline var phase: CallPhase
  @usableFromInline var failsFast: Bool
  /// Whether the user ended the requests before the call ran.
  @usableFromInline var isFinished: Bool

  /// A call that has just started, behind another one of its channel.
  @inlinable
  @inline(__always)
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

  // A step changes several parts of a row at once; each of these is one access to the table.

  /// A free row becomes the call that has just started, behind another one of its channel.
  ///
  /// Generation and next row stay what they are: the row that is used after this one is the next
  /// call's.
  @inline(__always)
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

  /// The call is bound to its channel, behind another call.
  @inline(__always)
  mutating func enter(after last: UInt32) {
    phase = .waiting
    previous = last
    next = noRow
  }

  /// The call is handed to a connection.
  @inline(__always)
  mutating func run(on connection: UInt32) {
    phase = .running
    self.connection = connection
  }

  /// The call is over; its row is used before another one.
  @inline(__always)
  mutating func becomeFree(before other: UInt32) {
    phase = .free
    generation &+= 1
    next = other
  }
}

/// The pool's calls, in rows that are used again.
@usableFromInline
struct CallTable: Hashable, Sendable {
  @usableFromInline var rows = Rows<CallRow>()
  /// The identifier that the next call will have: of the row freed last, or one behind the others.
  @usableFromInline var nextID = CallID(index: 0, generation: 0)

  subscript(index: UInt32) -> CallRow {
    @inline(__always) get { rows[Int(index)] }
    @inline(__always) _modify { yield &rows[Int(index)] }
  }

  @inline(__always)
  func id(_ index: UInt32) -> CallID {
    CallID(index: index, generation: rows[Int(index)].generation)
  }

  /// Whether the call has not ended.
  @inline(__always)
  func isLive(_ call: CallID) -> Bool {
    call.index < rows.count && rows[Int(call.index)].generation == call.generation
      && rows[Int(call.index)].phase != .free
  }

  /// Gives the next call its row, behind the call before it.
  @inlinable
  @inline(__always)
  mutating func insert(
    endpoint: UInt32, phase: CallPhase, after previous: UInt32, _ wanted: CallSettings
  ) {
    let id = nextID
    let row = CallRow(id, endpoint: endpoint, phase: phase, after: previous, wanted)
    if Int(id.index) == rows.count {
      // A new row is taken like a free one; the one used after it stands behind it.
      rows.append(row)
      rows[Int(id.index)].next = id.index + 1
    }
    let free = rows[Int(id.index)].next
    rows[Int(id.index)] = row
    if previous != noRow { rows[Int(previous)].next = id.index }
    nextID = CallID(
      index: free, generation: free < rows.count ? rows[Int(free)].generation : 0)
  }

  /// Gives the next calls of a channel their rows, behind the call before them, and shows each.
  ///
  /// Free rows are linked in the order in which they are used, and so are the calls of a channel:
  /// the links are left as they are, which saves some fifteen instructions for each call.
  ///
  /// - Returns: the last of the calls.
  @inline(__always)
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
      // No row is free: a new one is, and the one used after it stands behind it.
      let id = CallID(index: index, generation: 0)
      rows.append(CallRow(id, endpoint: endpoint, phase: .free, after: last, wanted))
      rows[Int(index)].next = index + 1
    }
    rows[Int(last)].next = noRow
    nextID = CallID(
      index: index, generation: index < rows.count ? rows[Int(index)].generation : 0)
    return last
  }

  /// Binds a call that has a row already, behind the call before it.
  mutating func bind(_ call: UInt32, after previous: UInt32) {
    rows[Int(call)].enter(after: previous)
    if previous != noRow { rows[Int(previous)].next = call }
  }

  @inline(__always)
  mutating func free(_ index: UInt32) {
    rows[Int(index)].becomeFree(before: nextID.index)
    nextID = id(index)
  }

  /// Forgets every call there ever was; the room is kept.
  mutating func removeAll() {
    rows.removeAll()
    nextID = CallID(index: 0, generation: 0)
  }
}
