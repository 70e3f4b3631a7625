public import HandoverMachines

/// Where a request stands between its arrival and its one end.
///
///     arrival ─┬─ slot free ──────────────> RUNNING <── slot freed ── WAITING <─┐
///              │                               │                         ^      │
///              ├─ no slot, or long limit ──────┼─────────────────────────┘      │
///              ├─ beyond the limit ──> FROZEN ─┤ (slot freed: RUNNING)          │
///              ├─ exempt ────────────> EXEMPT  │ pollAnswered                   │
///              │                               └──────────────> RESTING ────────┘
///              └─ refused                                         interval over
///
/// Each of them ends by cancel, deadline or close; what is with the transport also by the
/// transport's end or a lost connection; RUNNING and EXEMPT by time-out, WAITING by a time-out
/// that is charged for waiting. An ended request has no row any more; what still arrives for it
/// finds the generation changed and is dropped.
public enum RequestPhase: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// The row is not used.
  case free
  /// The request is in line for a slot.
  case waiting
  /// The request is with the transport, and holds a slot.
  case running
  /// The request is beyond the limit, and no connection is for it.
  case frozen
  /// The request is with the transport and needs no slot.
  case exempt
  /// A stream made of short requests is between two of them.
  case resting
  /// The request has ended; only a dispatcher that never forgets keeps its row (U84).
  case ended
}

/// What a request puts on the limits of its endpoint.
enum RequestLoad: UInt8, Hashable, Sendable {
  /// That of a short request, or none.
  case short
  /// That of a long request, which counts against the long limit too.
  case long
  /// That of a stream made of short requests: as one of them, from time to time.
  case polls
}

/// One request in the dispatcher's table.
struct RequestRow: Hashable, Sendable {
  var generation: UInt32 = 0
  var endpoint = noRow
  /// The neighbours in its line; in a free row, `next` is the row that is used after it.
  var next: UInt32
  var previous = noRow
  /// The line it stands in; `noRow` where it rests.
  var line = noRow
  var kind = RequestKind.short
  var phase = RequestPhase.free
  var load = RequestLoad.short
  /// Whether it froze beyond the long limit and the transport has nothing of it.
  var isHeld = false
  /// Its place in the order of arrival, over all lines; a poll arrives anew each time.
  var arrival: UInt64 = 0
  /// When it ends wherever it stands.
  var deadline = Instant.never
  /// When its time-out passes, or its rest is over.
  var timer = Instant.never
  /// When it was handed to the transport last.
  var started = Instant.zero
  var timeout = Interval.zero
  /// The rest between two polls.
  var pollInterval = Interval.zero

  /// Makes this the row of a request that arrives.
  ///
  /// It is changed where it lies. What belongs to a line or to a phase is written by whoever moves
  /// the request there, and read of nobody who is not there.
  @inline(__always)
  mutating func arrive(on endpoint: UInt32, _ settings: RequestSettings) {
    self.endpoint = endpoint
    kind = settings.kind
    load = settings.kind == .long ? .long : .short
    isHeld = false
    deadline = settings.deadline
    timer = .never
    timeout = settings.timeout
  }

  /// Whether it counts against the long limit.
  var isLong: Bool { load == .long }

  /// Whether it is a stream that is made of short requests.
  var isPolling: Bool { load == .polls }

  /// Whether its time-out only bounds the time to the first response (U42).
  var isTimedToResponse: Bool { isLong || kind == .exempt }
}

/// The dispatcher's requests, in rows that are used again, and the lines in which they stand.
@usableFromInline
struct RequestTable: Hashable, Sendable {
  var rows = Rows<RequestRow>()
  /// Those of one endpoint after those of the other; see ``RequestLine/Name``.
  var lines = Rows<RequestLine>()
  /// How many have not ended.
  private(set) var liveCount = 0
  /// The identifier that the next request will have: of the row freed last, or one behind the
  /// others.
  @usableFromInline private(set) var nextID = RequestID(index: 0, generation: 0)

  subscript(index: UInt32) -> RequestRow {
    @inline(__always) get { rows[Int(index)] }
    @inline(__always) _modify { yield &rows[Int(index)] }
  }

  @inline(__always)
  func id(_ index: UInt32) -> RequestID {
    RequestID(index: index, generation: rows[Int(index)].generation)
  }

  /// Whether the row of the request is its own, or will be as the next one to arrive.
  @inline(__always)
  func holds(_ request: RequestID) -> Bool {
    request.index < rows.count && rows[Int(request.index)].generation == request.generation
  }

  /// Whether the request has not ended.
  @inline(__always)
  func isLive(_ request: RequestID) -> Bool {
    holds(request) && isLive(request.index)
  }

  @inline(__always)
  func isLive(_ index: UInt32) -> Bool {
    rows[Int(index)].phase != .free && rows[Int(index)].phase != .ended
  }

  /// Whether the row of the next request is there already.
  var hasFreeRow: Bool {
    @inline(__always) get { nextID.index < rows.count }
  }

  /// Adds the row of the next request, where there is none.
  mutating func addRow() {
    rows.append(RequestRow(next: nextID.index + 1))
  }

  /// Gives the next request its row; it has yet to enter a phase.
  @inline(__always)
  mutating func insert(_ request: UInt32, on endpoint: UInt32, _ settings: RequestSettings) {
    let free = self[request].next
    nextID = RequestID(
      index: free, generation: free < rows.count ? rows[Int(free)].generation : 0)
    liveCount &+= 1
    self[request].arrive(on: endpoint, settings)
  }

  /// Ends a request; its row is used before all others.
  @inline(__always)
  mutating func free(_ index: UInt32) {
    rows[Int(index)].phase = .free
    rows[Int(index)].generation &+= 1
    rows[Int(index)].next = nextID.index
    nextID = id(index)
    liveCount &-= 1
  }

  /// Gives this table rows of its own; see ``Rows/detach()``.
  mutating func detach() {
    rows.detach()
    lines.detach()
  }

  /// Ends a request and keeps its row, as a dispatcher does that never forgets (U84).
  mutating func keep(_ index: UInt32) {
    rows[Int(index)].phase = .ended
    liveCount &-= 1
  }
}
