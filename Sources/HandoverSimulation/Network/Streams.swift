import HandoverCore

/// The server's view of a call or a request, in the row of its script index.
struct Stream: Hashable, Sendable {
  var call: CallID?
  var connection: ConnectionID?
  var callHasEnded = false
  /// Whether the server has read the request and has not ended the response.
  var isOpen = false
  /// Whether the stream began on a connection after GOAWAY, so that the server ignores it.
  var isIgnored = false
  /// Whether the request is one of the polls that replace a stream.
  var isPoll = false
  /// Whether the start of the response was due while the server was silent.
  var beginIsDue = false
  /// Whether the end of the response was due while the server was silent.
  var answerIsDue = false
  /// The scheduled start of the response.
  var begin: Agenda<ScheduledEvent>.Handle?
  var end: Agenda<ScheduledEvent>.Handle?
  var message: Agenda<ScheduledEvent>.Handle?
  /// The streams that were opened on the same connection before and after this one.
  var older = UInt32.max
  var newer = UInt32.max
}

/// The streams of a simulated network, one per call or request of the script, and the servers that
/// respond to them.
///
/// The streams of a connection form a linked list, so that they are found when the connection ends.
struct Streams {
  private(set) var rows: ContiguousArray<Stream> = []
  private(set) var traits = ConnectionTraits(of: .sockets)
  /// The script index of the call that last used each row of the client's table.
  private var callIndices: ContiguousArray<UInt32> = []
  /// The calls whose rows were reused by other calls, in the order of reuse.
  ///
  /// An array instead of a dictionary, because rows are reused all the time and a lookup usually
  /// concerns one of the last entries.
  private var formerCalls: ContiguousArray<FormerCall> = []

  /// A call whose row in the client's table was reused.
  private struct FormerCall: Hashable {
    var id: CallID
    /// The script index of the call.
    var index: UInt32
  }

  /// Begins a run with `calls` streams, and reuses the memory of the previous run.
  mutating func open(count calls: Int, _ traits: ConnectionTraits) {
    self.traits = traits
    rows.fill(Stream(), count: calls)
    callIndices.empty()
    formerCalls.empty()
  }

  var count: Int { rows.count }

  subscript(call: UInt32) -> Stream {
    get { rows[Int(call)] }
    _modify { yield &rows[Int(call)] }
  }

  /// Adds a stream for another call.
  mutating func append() {
    rows.append(Stream())
  }

  /// Returns whether a fact is about a call that has ended.
  func isLate(_ fact: NetworkFact) -> Bool {
    switch fact {
    case .message(let id), .ended(let id, _):
      let stream = rows[Int(index(of: id))]
      return stream.call != id || stream.callHasEnded
    case .connected, .attemptFailed, .connectionLost, .draining, .pong, .headers: return false
    }
  }

  // MARK: Identifiers

  /// Returns the script index of a call.
  ///
  /// Also finds an ended call whose row was not reused.
  @inline(__always)
  func index(of call: CallID) -> UInt32 {
    let candidate = callIndices[Int(call.index)]
    return rows[Int(candidate)].call == call ? candidate : formerIndex(of: call) ?? candidate
  }

  /// Returns the script index of a call whose row was reused, or `nil` if that call has had a new
  /// attempt since.
  @inline(never)
  private func formerIndex(of call: CallID) -> UInt32? {
    guard let former = formerCalls.last(where: { $0.id == call }),
      rows[Int(former.index)].call == call
    else { return nil }
    return former.index
  }

  /// Assigns an identifier to a call of the script.
  ///
  /// An earlier attempt of the call is abandoned.
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

  /// Clears a stream that its client has released.
  ///
  /// Data in transit for it is dropped.
  mutating func abandon(_ call: UInt32, _ links: inout Links, _ context: inout Context) {
    close(call, &context)
    unlink(call, &links)
    rows[Int(call)] = Stream()
  }

  // MARK: Streams of a connection

  mutating func link(_ call: UInt32, to connection: ConnectionID, _ links: inout Links) {
    if rows[Int(call)].connection != nil { unlink(call, &links) }
    rows[Int(call)].connection = connection
    guard links.isCurrent(connection) else { return }
    let newest = links.connections[Int(connection.index)].newestStream
    rows[Int(call)].older = newest
    if newest != .max { rows[Int(newest)].newer = call }
    links.connections[Int(connection.index)].newestStream = call
  }

  /// Removes a stream from the list of its connection, if the connection still exists.
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
    if let begin = rows[Int(call)].begin { context.agenda.cancel(begin) }
    if let end = rows[Int(call)].end { context.agenda.cancel(end) }
    if let message = rows[Int(call)].message { context.periodic.cancel(message) }
    rows[Int(call)].begin = nil
    rows[Int(call)].end = nil
    rows[Int(call)].message = nil
  }

  /// Closes the streams on a connection that has ended.
  ///
  /// The streams are removed from the connection's list, so that a repeated end does not close them
  /// again.
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
