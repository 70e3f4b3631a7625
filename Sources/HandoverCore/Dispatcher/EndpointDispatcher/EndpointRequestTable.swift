/// The phase of a request between its arrival and its end.
///
///     arrival ─┬─ slot free ──────────────> RUNNING <── slot freed ── WAITING <─┐
///              │                               │                         ^      │
///              ├─ no slot, or long limit ──────┼─────────────────────────┘      │
///              ├─ beyond the limit ──> FROZEN ─┤ (slot freed: RUNNING)          │
///              ├─ exempt ────────────> EXEMPT  │ pollAnswered                   │
///              │                               └──────────────> RESTING ────────┘
///              └─ refused                                         interval over
///
/// A cancellation, a deadline or a close ends a request in any phase. The transport can end a
/// request that it has, and a lost connection ends it too. A timeout ends RUNNING and EXEMPT
/// requests, FROZEN requests that the transport does not have, and WAITING requests if the timeout
/// includes the wait. An ended request has no row; events that still arrive for it find a changed
/// generation and are dropped.
public enum RequestPhase: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// The row is unused.
  case free
  /// The request waits in a line for a slot.
  case waiting
  /// The request is with the transport and holds a slot.
  case running
  /// The request exceeds the limit and has no connection.
  case frozen
  /// The request is with the transport and needs no slot.
  case exempt
  /// A polled stream is between two of its short requests.
  case resting
  /// The request has ended; only a dispatcher that never removes records keeps its row (U84).
  case ended
}

/// The load of a request on the limits of its endpoint.
enum RequestLoad: UInt8, Hashable, Sendable {
  /// The load of a short request, or no load.
  case short
  /// The load of a long request, which also counts toward the long limit.
  case long
  /// The load of a polled stream: one short request at a time, with pauses.
  case polls
}

/// A request in the dispatcher's table.
struct RequestRow: Hashable, Sendable {
  var generation: UInt32 = 0
  var endpoint = noRow
  /// The next row in the line; in a free row, the row to use after this one.
  var next: UInt32
  var previous = noRow
  /// The line that contains the request, or `noRow` if the request rests.
  var line = noRow
  var kind = RequestKind.short
  var phase = RequestPhase.free
  var load = RequestLoad.short
  /// Whether the request froze beyond the long limit, so that the transport has no part of it.
  var isHeld = false
  /// The position in the arrival order over all lines; each poll counts as a new arrival.
  var arrival: UInt64 = 0
  /// The time at which the request ends in any phase.
  var deadline = Instant.never
  /// The time at which the timeout expires or the pause ends.
  var timer = Instant.never
  /// The time at which the request was last passed to the transport.
  var started = Instant.zero
  var timeout = Interval.zero
  /// The pause between two polls.
  var pollInterval = Interval.zero

  /// Initializes this row for an arriving request.
  ///
  /// The row is changed in place. Fields that belong to a line or a phase keep their old values.
  /// The code that moves the request to that line or phase sets them before any code reads them.
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

  /// Whether the request counts toward the long limit.
  var isLong: Bool { load == .long }

  /// Whether the request is a polled stream.
  var isPolling: Bool { load == .polls }

  /// Whether the timeout limits only the time to the first response (U42).
  var isTimedToResponse: Bool { isLong || kind == .exempt }
}

/// The requests of a dispatcher in reusable rows, and the lines that contain them.
@usableFromInline
struct EndpointRequestTable: Hashable, Sendable {
  var rows = Rows<RequestRow>()
  /// The lines of all endpoints, grouped by endpoint; see ``RequestLine/Name``.
  var lines = Rows<RequestLine>()
  /// The number of requests that have not ended.
  private(set) var liveCount = 0
  /// The identifier of the next request, which uses the row freed last or a new row at the end.
  @usableFromInline private(set) var nextID = RequestID(index: 0, generation: 0)

  subscript(index: UInt32) -> RequestRow {
    @inline(__always) get { rows[Int(index)] }
    @inline(__always) _modify { yield &rows[Int(index)] }
  }

  @inline(__always)
  func id(_ index: UInt32) -> RequestID {
    RequestID(index: index, generation: rows[Int(index)].generation)
  }

  /// Returns whether the row has the generation of the request; also true for the next request.
  @inline(__always)
  func holds(_ request: RequestID) -> Bool {
    request.index < rows.count && rows[Int(request.index)].generation == request.generation
  }

  /// Returns whether the request has not ended.
  @inline(__always)
  func isLive(_ request: RequestID) -> Bool {
    holds(request) && isLive(request.index)
  }

  @inline(__always)
  func isLive(_ index: UInt32) -> Bool {
    rows[Int(index)].phase != .free && rows[Int(index)].phase != .ended
  }

  /// Whether the row of the next request already exists.
  var hasFreeRow: Bool {
    @inline(__always) get { nextID.index < rows.count }
  }

  /// Adds the row of the next request; call only if ``hasFreeRow`` is `false`.
  mutating func addRow() {
    rows.append(RequestRow(next: nextID.index + 1))
  }

  /// Assigns the next request its row; the caller must then move it to a phase.
  @inline(__always)
  mutating func insert(_ request: UInt32, on endpoint: UInt32, _ settings: RequestSettings) {
    let free = self[request].next
    nextID = RequestID(
      index: free, generation: free < rows.count ? rows[Int(free)].generation : 0)
    liveCount &+= 1
    self[request].arrive(on: endpoint, settings)
  }

  /// Ends a request; its row is the next one to be reused.
  @inline(__always)
  mutating func free(_ index: UInt32) {
    rows[Int(index)].phase = .free
    rows[Int(index)].generation &+= 1
    rows[Int(index)].next = nextID.index
    nextID = id(index)
    liveCount &-= 1
  }

  /// Gives this table its own rows; see ``Rows/detach()``.
  mutating func detach() {
    rows.detach()
    lines.detach()
  }

  /// Ends a request and keeps its row, as a dispatcher that never removes records does (U84).
  mutating func keep(_ index: UInt32) {
    rows[Int(index)].phase = .ended
    liveCount &-= 1
  }
}
