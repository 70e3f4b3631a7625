/// What the dispatcher knows of one endpoint.
@usableFromInline
struct DispatcherEndpoint: Hashable, Sendable, BitwiseCopyable {
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

  /// A request joins a line at its end.
  ///
  /// - Returns: the one before it; `noRow` where it is the first.
  @inline(__always)
  mutating func append(_ request: UInt32, to name: RequestLine.Name) -> UInt32 {
    switch name {
    case .holders: holders.append(request)
    case .short: short.append(request)
    case .long: long.append(request)
    case .frozen: frozen.append(request)
    case .exempt: exempt.append(request)
    }
  }

  /// The request between two neighbours leaves a line.
  @inline(__always)
  mutating func remove(between previous: UInt32, and next: UInt32, from name: RequestLine.Name) {
    switch name {
    case .holders: holders.remove(between: previous, and: next)
    case .short: short.remove(between: previous, and: next)
    case .long: long.remove(between: previous, and: next)
    case .frozen: frozen.remove(between: previous, and: next)
    case .exempt: exempt.remove(between: previous, and: next)
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

  @inline(__always)
  mutating func append(_ request: UInt32) -> UInt32 {
    let before = last
    if before == noRow { first = request }
    last = request
    count += 1
    return before
  }

  @inline(__always)
  mutating func remove(between previous: UInt32, and next: UInt32) {
    if previous == noRow { first = next }
    if next == noRow { last = previous }
    count -= 1
  }
}

extension EndpointDispatcher {
  /// The line that goes with a phase of a request; nil where it rests.
  @inline(__always)
  private static func line(_ phase: RequestPhase, isLong: Bool) -> RequestLine.Name? {
    switch phase {
    case .waiting: isLong ? .long : .short
    case .running: .holders
    case .frozen: .frozen
    case .exempt: .exempt
    case .resting: nil
    case .free, .ended: preconditionFailure("only a live request stands anywhere")
    }
  }

  /// Moves a request to another phase, at the end of the line that goes with it.
  @inline(__always)
  mutating func enter(_ phase: RequestPhase, _ request: UInt32) {
    requests[request].phase = phase
    guard let name = Self.line(phase, isLong: requests[request].isLong) else { return }
    let endpoint = Int(requests[request].endpoint)
    let last = endpoints[endpoint].append(request, to: name)
    requests[request].previous = last
    requests[request].next = noRow
    if last != noRow { requests[last].next = request }
  }

  /// Takes a request out of the line it stands in.
  @inline(__always)
  mutating func leaveLine(_ request: UInt32) {
    let isLong = requests[request].isLong
    guard let name = Self.line(requests[request].phase, isLong: isLong) else { return }
    let endpoint = Int(requests[request].endpoint)
    let previous = requests[request].previous
    let next = requests[request].next
    endpoints[endpoint].remove(between: previous, and: next, from: name)
    if previous != noRow { requests[previous].next = next }
    if next != noRow { requests[next].previous = previous }
  }
}
