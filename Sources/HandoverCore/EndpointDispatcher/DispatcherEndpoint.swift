/// What the dispatcher knows of one endpoint.
struct DispatcherEndpoint: Hashable, Sendable {
  /// The requests that hold a slot.
  var holders = RequestLine()
  /// Short and synchronous requests, and polls, that wait.
  var short = RequestLine()
  /// Long requests that wait.
  var long = RequestLine()
  /// Requests that are frozen at the platform.
  var frozen = RequestLine()
  /// Requests that run without a slot.
  var exempt = RequestLine()
  /// Slots that are taken.
  var held: UInt32 = 0
  /// Those of them that long requests take.
  var heldByLong: UInt32 = 0
  /// How many streams its HTTP/2 connection carries; nil where there is none.
  var budget: UInt32?
  /// When a request began to wait last, for a defective dispatcher (U80).
  var latestWait: Instant?

  subscript(name: RequestLine.Name) -> RequestLine {
    get {
      switch name {
      case .holders: holders
      case .short: short
      case .long: long
      case .frozen: frozen
      case .exempt: exempt
      }
    }
    @inline(__always) _modify {
      switch name {
      case .holders: yield &holders
      case .short: yield &short
      case .long: yield &long
      case .frozen: yield &frozen
      case .exempt: yield &exempt
      }
    }
  }
}

/// Requests of one endpoint in the order in which they joined, linked through their rows.
struct RequestLine: Hashable, Sendable {
  /// Which line of its endpoint it is.
  enum Name {
    case holders
    case short
    case long
    case frozen
    case exempt
  }

  private(set) var first = noRow
  private(set) var last = noRow
  private(set) var count: UInt32 = 0

  /// A request joins at the end.
  ///
  /// - Returns: the one before it; `noRow` where it is the first.
  mutating func append(_ request: UInt32) -> UInt32 {
    let before = last
    if before == noRow { first = request }
    last = request
    count += 1
    return before
  }

  /// The request between two neighbours leaves.
  mutating func remove(between previous: UInt32, and next: UInt32) {
    if previous == noRow { first = next }
    if next == noRow { last = previous }
    count -= 1
  }
}

extension EndpointDispatcher {
  /// The line that a request stands in; nil for one that rests.
  private func lineOfRequest(_ request: UInt32) -> RequestLine.Name? {
    switch requests[request].phase {
    case .waiting: requests[request].isLong ? .long : .short
    case .running: .holders
    case .frozen: .frozen
    case .exempt: .exempt
    case .resting: nil
    case .free, .ended: preconditionFailure("only a live request stands anywhere")
    }
  }

  /// Moves a request to another phase, at the end of the line that goes with it.
  mutating func enter(_ phase: RequestPhase, _ request: UInt32) {
    requests[request].phase = phase
    guard let name = lineOfRequest(request) else { return }
    let endpoint = Int(requests[request].endpoint)
    let last = endpoints[endpoint][name].append(request)
    requests[request].previous = last
    requests[request].next = noRow
    if last != noRow { requests[last].next = request }
  }

  /// Takes a request out of the line it stands in.
  mutating func leaveLine(_ request: UInt32) {
    guard let name = lineOfRequest(request) else { return }
    let row = requests[request]
    endpoints[Int(row.endpoint)][name].remove(between: row.previous, and: row.next)
    if row.previous != noRow { requests[row.previous].next = row.next }
    if row.next != noRow { requests[row.next].previous = row.previous }
  }
}
