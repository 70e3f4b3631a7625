import HandoverMachines

/// Requests of one endpoint in the order in which they joined, linked through their rows.
struct RequestLine: Hashable, Sendable {
  /// Which line of its endpoint it is.
  enum Name: UInt32 {
    /// The requests that hold a slot.
    case holders
    /// Short and synchronous requests, and polls, that wait.
    case short
    /// Long requests that wait.
    case long
    /// Requests that are frozen at the platform.
    case frozen
    /// Requests that are frozen beyond the long limit, which the platform has not.
    case held
    /// Requests that run without a slot.
    case exempt

    /// How many lines an endpoint has.
    static var count: Int { Int(exempt.rawValue) + 1 }
  }

  var first = noRow
  var last = noRow
  /// How many stand in it, and how many places in it leaked.
  var count: UInt32 = 0
}

// The lines of an endpoint lie side by side, and a row knows its own, so that a request is taken
// out of its line without a look at what it is and where it goes. Counts cannot overflow: a line
// holds no more requests than there are rows, and rows are numbered in as many bits.
extension RequestTable {
  /// Makes the lines of the next endpoint.
  mutating func addLines() {
    for _ in 0..<RequestLine.Name.count { lines.append(RequestLine()) }
  }

  @inline(__always)
  func line(_ name: RequestLine.Name, on endpoint: UInt32) -> RequestLine {
    lines[Self.index(of: name, on: endpoint)]
  }

  /// The place of a line in the table.
  @inline(__always)
  private static func index(of name: RequestLine.Name, on endpoint: UInt32) -> Int {
    Int(endpoint) * RequestLine.Name.count + Int(name.rawValue)
  }

  /// Counts a place in a line as taken for ever, as a dispatcher does that leaks slots (U81).
  mutating func leakPlace(in name: RequestLine.Name, on endpoint: UInt32) {
    lines[Self.index(of: name, on: endpoint)].count &+= 1
  }

  /// Moves a request to the phase in which it rests, in no line.
  mutating func rest(_ request: UInt32) {
    self[request].phase = .resting
    self[request].line = noRow
  }

  /// Moves a request to another phase, at the end of a line.
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

  /// Takes the first request out of a line that has one.
  @inline(__always)
  mutating func leaveFirst(of name: RequestLine.Name, on endpoint: UInt32) -> UInt32 {
    let line = Self.index(of: name, on: endpoint)
    let first = lines[line].first
    let next = self[first].next
    lines[line].first = next
    if next == noRow { lines[line].last = noRow } else { self[next].previous = noRow }
    lines[line].count &-= 1
    return first
  }

  /// Takes a request out of the line it stands in, as its row says.
  @inline(__always)
  mutating func leaveLine(as row: RequestRow) {
    guard row.line != noRow else { return }
    let line = Int(row.line)
    let (previous, next) = (row.previous, row.next)
    if previous == noRow { lines[line].first = next } else { self[previous].next = next }
    if next == noRow { lines[line].last = previous } else { self[next].previous = previous }
    lines[line].count &-= 1
  }
}
