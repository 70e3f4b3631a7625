/// A line of requests of one endpoint in the order of joining, linked through their rows.
struct RequestLine: Hashable, Sendable {
  /// The name of a line of an endpoint.
  enum Name: UInt32 {
    /// The requests that hold a slot.
    case holders
    /// Waiting short requests, synchronous requests and polls.
    case short
    /// Waiting long requests.
    case long
    /// Requests that are frozen in the OS.
    case frozen
    /// Requests that are frozen beyond the long limit and were not passed to the OS.
    case held
    /// Requests that run without a slot.
    case exempt

    /// The number of lines of an endpoint.
    static var count: Int { Int(exempt.rawValue) + 1 }
  }

  var first = noRow
  var last = noRow
  /// The number of requests in the line plus the number of leaked places.
  var count: UInt32 = 0
}

// The lines of an endpoint are adjacent, and a row stores its line. A request can therefore be
// removed from its line without checking its kind or its endpoint. Counts cannot overflow, because
// a line has at most one entry per row and row numbers have the same width.
extension EndpointRequestTable {
  /// Adds the lines of the next endpoint.
  mutating func addLines() {
    for _ in 0..<RequestLine.Name.count { lines.append(RequestLine()) }
  }

  @inline(__always)
  func line(_ name: RequestLine.Name, on endpoint: UInt32) -> RequestLine {
    lines[Self.index(of: name, on: endpoint)]
  }

  /// Returns the index of a line in the table.
  @inline(__always)
  private static func index(of name: RequestLine.Name, on endpoint: UInt32) -> Int {
    Int(endpoint) * RequestLine.Name.count + Int(name.rawValue)
  }

  /// Marks a place in a line as taken forever, as a dispatcher that leaks slots does (U81).
  mutating func leakSlot(in name: RequestLine.Name, on endpoint: UInt32) {
    lines[Self.index(of: name, on: endpoint)].count &+= 1
  }

  /// Moves a request to the resting phase, which has no line.
  mutating func rest(_ request: UInt32) {
    self[request].phase = .resting
    self[request].line = noRow
  }

  /// Moves a request to another phase and appends it to a line.
  @inline(__always)
  mutating func enter(
    _ phase: RequestPhase, _ request: UInt32, in name: RequestLine.Name, on endpoint: UInt32
  ) {
    let line = Self.index(of: name, on: endpoint)
    let last = lines[line].last
    self[request].phase = phase
    self[request].line = UInt32(truncatingIfNeeded: line)
    self[request].previous = last
    self[request].next = noRow
    if last == noRow { lines[line].first = request } else { self[last].next = request }
    lines[line].last = request
    lines[line].count &+= 1
  }

  /// Removes and returns the first request of a line, which must not be empty.
  @inline(__always)
  mutating func removeFirst(of name: RequestLine.Name, on endpoint: UInt32) -> UInt32 {
    let line = Self.index(of: name, on: endpoint)
    let first = lines[line].first
    let next = self[first].next
    lines[line].first = next
    if next == noRow { lines[line].last = noRow } else { self[next].previous = noRow }
    lines[line].count &-= 1
    return first
  }

  /// Removes a request from the line that its row names.
  @inline(__always)
  mutating func removeFromLine(as row: RequestRow) {
    guard row.line != noRow else { return }
    let line = Int(row.line)
    let (previous, next) = (row.previous, row.next)
    if previous == noRow { lines[line].first = next } else { self[previous].next = next }
    if next == noRow { lines[line].last = previous } else { self[next].previous = previous }
    lines[line].count &-= 1
  }
}
