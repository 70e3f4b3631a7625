import HandoverCore
import HandoverTrace

/// A call, or a request, as its server knows it, in the row of its index in the script.
struct Stream: Hashable, Sendable {
  var call: CallID?
  var connection: ConnectionID?
  var callHasEnded = false
  /// Whether the server has read the request and not ended the answer.
  var isOpen = false
  /// Whether it began on a connection after GOAWAY, so that the server ignores it.
  var isIgnored = false
  /// Whether a request is one of those that a stream is made of.
  var isPoll = false
  /// The begin of the answer was due while the server was silent.
  var beginIsDue = false
  /// The end of the answer was due while the server was silent.
  var answerIsDue = false
  var end: Agenda<ScheduledEvent>.Handle?
  var message: Agenda<ScheduledEvent>.Handle?
  /// The streams that were opened on the connection before it, and after it.
  var older = UInt32.max
  var newer = UInt32.max
}

/// The streams of a simulated network, one for each call of the script, or for each request, and
/// the servers that answer them.
///
/// Those of a connection stand in a list, so that those of one that ends are found.
struct Streams {
  private(set) var rows: ContiguousArray<Stream> = []
  private(set) var traits = ConnectionTraits.calls
  /// The index in the script of the call that last had a row of the client's table.
  private var callIndices: ContiguousArray<UInt32> = []
  /// The calls whose rows other calls have had since, in the order in which they lost them.
  ///
  /// A list, and no dictionary: calls lose their rows all the time, and who asks for one of them
  /// asks for one of the last.
  private var formerCalls: ContiguousArray<FormerCall> = []

  /// A call whose row of the client's table another has had since.
  private struct FormerCall: Hashable {
    var id: CallID
    /// Its index in the script.
    var index: UInt32
  }

  /// Begins a run with so many streams; the room of the run before is used again.
  mutating func open(count calls: Int, _ traits: ConnectionTraits) {
    self.traits = traits
    rows.fill(Stream(), count: calls)
    callIndices.empty()
    formerCalls.empty()
  }

  var count: Int { rows.count }

  @inline(__always)
  subscript(call: UInt32) -> Stream {
    get { rows[Int(call)] }
    _modify { yield &rows[Int(call)] }
  }

  /// Makes room for another call.
  mutating func append() {
    rows.append(Stream())
  }

  /// Whether the server sent something for a call that has ended.
  func isLate(_ fact: NetworkFact) -> Bool {
    switch fact {
    case .message(let id), .ended(let id, _):
      let stream = rows[Int(index(of: id))]
      return stream.call != id || stream.callHasEnded
    case .connected, .attemptFailed, .connectionLost, .draining, .pong, .headers: return false
    }
  }

  // MARK: Identifiers

  /// The index in the script of a call; also of one that ended, as long as nobody has its row.
  @inline(__always)
  func index(of call: CallID) -> UInt32 {
    let candidate = callIndices[Int(call.index)]
    return rows[Int(candidate)].call == call ? candidate : formerIndex(of: call) ?? candidate
  }

  /// The index of a call whose row another has had since; nil where it has had another attempt.
  @inline(never)
  private func formerIndex(of call: CallID) -> UInt32? {
    guard let former = formerCalls.last(where: { $0.id == call }),
      rows[Int(former.index)].call == call
    else { return nil }
    return former.index
  }

  /// A call of the script is known by an identifier from now on; an attempt before is over.
  mutating func introduce(
    _ call: UInt32, as id: CallID, _ links: inout Links, _ context: inout Context
  ) {
    while callIndices.count <= id.index { callIndices.append(.max) }
    let former = callIndices[Int(id.index)]
    if former != .max, let other = rows[Int(former)].call, other.index == id.index {
      formerCalls.append(FormerCall(id: other, index: former))
    }
    callIndices[Int(id.index)] = call
    if rows[Int(call)].call != nil {
      abandon(call, &links, &context)
    }
    rows[Int(call)].call = id
  }

  /// Whoever had a stream let go of it: what is still on its way reaches nobody.
  mutating func abandon(_ call: UInt32, _ links: inout Links, _ context: inout Context) {
    close(call, &context)
    unlink(call, &links)
    rows[Int(call)] = Stream()
  }

  // MARK: Those of a connection

  mutating func link(_ call: UInt32, to connection: ConnectionID, _ links: inout Links) {
    if rows[Int(call)].connection != nil { unlink(call, &links) }
    rows[Int(call)].connection = connection
    guard links.isCurrent(connection) else { return }
    let newest = links.connections[Int(connection.index)].newestStream
    rows[Int(call)].older = newest
    if newest != .max { rows[Int(newest)].newer = call }
    links.connections[Int(connection.index)].newestStream = call
  }

  /// Takes a stream out of the list of its connection, which may be no more.
  mutating func unlink(_ call: UInt32, _ links: inout Links) {
    let (older, newer) = (rows[Int(call)].older, rows[Int(call)].newer)
    if older != .max { rows[Int(older)].newer = newer }
    if newer != .max {
      rows[Int(newer)].older = older
    } else if let connection = rows[Int(call)].connection, links.isCurrent(connection),
      links.connections[Int(connection.index)].newestStream == call
    {
      links.connections[Int(connection.index)].newestStream = older
    }
    rows[Int(call)].older = .max
    rows[Int(call)].newer = .max
  }

  mutating func close(_ call: UInt32, _ context: inout Context) {
    rows[Int(call)].isOpen = false
    if let end = rows[Int(call)].end { context.agenda.cancel(end) }
    if let message = rows[Int(call)].message { context.periodic.cancel(message) }
    rows[Int(call)].end = nil
    rows[Int(call)].message = nil
  }

  /// Closes the streams on a connection that has ended; they leave its list, so that an end that is
  /// told again meets none of them.
  mutating func closeAll(on index: Int, _ links: inout Links, _ context: inout Context) {
    var call = links.connections[index].newestStream
    links.connections[index].newestStream = .max
    while call != .max {
      let older = rows[Int(call)].older
      rows[Int(call)].older = .max
      rows[Int(call)].newer = .max
      close(call, &context)
      call = older
    }
  }
}
