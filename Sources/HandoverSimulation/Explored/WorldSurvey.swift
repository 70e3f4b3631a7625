package import HandoverCore

/// The state that determines the future behavior of a world without times, as plain values in
/// lists.
///
/// An exploration compares worlds by their surveys and restores worlds from them. Connections and
/// calls are those of the client, in the order of the client's survey. Connections that the client
/// no longer has are left out, because they cannot affect it. Events in transit are in queues, one
/// per connection, because without times there is no other order between them.
package struct WorldSurvey: ~Copyable, Sendable {
  /// The network's view of a connection.
  package struct Connection: BitwiseCopyable, Hashable, Sendable {
    package var phase = LinkPhase.dead
    /// The path of the socket, or `nil` if the connection has no socket.
    package var path: PathIndex?
    package var stall: StallCauses = []
    /// Whether written data is unacknowledged, so that TCP may time out.
    package var isUnacknowledged = false
    /// Whether the handshake was due during a stall.
    package var handshakeIsDue = false
    /// Whether the handshake is still scheduled.
    package var handshakeIsScheduled = false
    /// The position of the client's last ping.
    package var ping = Carriage.none

    package init() {}
  }

  /// How far written data has traveled.
  package enum Carriage: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// The data was not written, or has arrived.
    case none
    /// The data waits until the connection is no longer stalled.
    case buffered
    /// The server's kernel has the data, but the server does not read it.
    case unread
  }

  /// The server's view of a call.
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    package var request = Carriage.none
    package var finish = Carriage.none
    /// Whether the server has read the request and has not ended the response.
    package var isOpen = false
    package var answerIsScheduled = false
    /// Whether the end of the response was due while the server was silent.
    package var answerIsDue = false
    package var tokenIsScheduled = false

    package init() {}
  }

  /// The queue of an event in transit to the client.
  package enum Queue: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// The event reaches the client next, unless the application is suspended.
    case arriving
    /// The event waits until its connection is no longer stalled.
    case stalled
    /// The event waits until the application runs.
    case held
    /// The application runs again and receives the event next.
    case released
  }

  /// An event in transit to the client.
  package struct Fact: BitwiseCopyable, Hashable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
      case connected, attemptFailed, connectionLost, draining, pong
      case message, ended, token
    }

    package var queue: Queue
    package var kind: Kind
    /// The index of the connection that owns the queue, or zero for queues that no connection owns.
    package var owner: UInt8
    /// The index of the connection or call that is the subject.
    package var subject: UInt8
    /// The raw value of a failure or of a status.
    package var detail: UInt8

    /// Whether the subject is a call.
    var concernsCall: Bool {
      switch kind {
      case .message, .ended, .token: true
      case .connected, .attemptFailed, .connectionLost, .draining, .pong: false
      }
    }

    package init(queue: Queue, kind: Kind, owner: UInt8, subject: UInt8, detail: UInt8) {
      self.queue = queue
      self.kind = kind
      self.owner = owner
      self.subject = subject
      self.detail = detail
    }
  }

  /// The value in ``callbacks`` that represents a new read of the flags.
  package static let freshRead = UInt8.max

  package var client = ClientSurvey()
  package var device = Device(InitialState())
  /// Whether the server of each host is silent.
  package var silent = Rows<Bool>()
  package var connections = Rows<Connection>()
  /// The calls that are bound to a channel, followed by those that wait for their tokens.
  package var calls = Rows<Call>()
  /// The facts of all queues, one queue after the other.
  package var facts = Rows<Fact>()
  /// The callbacks in transit, as raw values of their categories.
  package var callbacks = Rows<UInt8>()
  /// Whether the last delivered flags have the category that the monitor holds.
  ///
  /// Only then does an exploration duplicate the callback.
  package var canDouble = false
  /// Whether a callback arrived while the application was suspended.
  package var holdsCallback = false

  package init() {}

  /// Removes all elements from the lists and keeps their memory.
  package mutating func removeAll() {
    silent.removeAll()
    connections.removeAll()
    calls.removeAll()
    facts.removeAll()
    callbacks.removeAll()
  }

  /// Sorts the calls that wait for their tokens into an order that does not depend on their rows.
  ///
  /// Per host, calls whose token is scheduled come first, followed by the others in the order in
  /// which they will receive their tokens.
  mutating func sortAwaiting() {
    let first = client.calls.count
    func rank(_ position: Int) -> Int {
      let call = client.call(position)
      let received = facts.firstIndex { $0.kind == .token && Int($0.subject) == position }
      return call.host << 16 | (calls[position].tokenIsScheduled ? 0 : 1 + (received ?? 0))
    }
    let order = (first..<client.callCount).sorted { (rank($0), $0) < (rank($1), $1) }
    guard order != Array(first..<client.callCount) else { return }
    let awaiting = (first..<client.callCount).map { client.call($0) }
    let states = Array(calls)
    var moved: [Int: Int] = [:]  // lookup only
    for (offset, position) in order.enumerated() {
      client.awaitingTokens[offset] = awaiting[position - first]
      calls[first + offset] = states[position]
      moved[position] = first + offset
    }
    for position in facts.indices where facts[position].kind == .token {
      if let to = moved[Int(facts[position].subject)] {
        facts[position].subject = UInt8(truncatingIfNeeded: to)
      }
    }
  }

  /// Sorts the calls of each host into an order that does not depend on the order of their starts.
  ///
  /// The order of the starts only decides in which order several calls end or are sent in one
  /// instant.
  mutating func sortCalls() {
    for host in 0..<client.hosts.count where client.hosts[host].calls.count > 1 {
      let range = client.hosts[host].calls
      // An insertion sort, because the calls are few and mostly in order.
      for position in range.dropFirst() {
        var position = position
        while position > range.lowerBound, rank(position) < rank(position - 1) {
          swapCalls(position - 1, position)
          position -= 1
        }
      }
    }
  }

  private func rank(_ position: Int) -> UInt64 {
    let (known, one) = (client.calls[position], calls[position])
    let traits: UInt64 =
      (known.failsFast ? 1 : 0) | (known.isJustStarted ? 2 : 0)
      | (known.deadline != .never ? 4 : 0) | (known.requestIsComplete ? 8 : 0)
      | (one.isOpen ? 16 : 0) | (one.answerIsScheduled ? 32 : 0) | (one.answerIsDue ? 64 : 0)
    let carried = UInt64(one.request.rawValue) << 2 | UInt64(one.finish.rawValue)
    var received = 0
    for fact in 0..<facts.count
    where received == 0 && facts[fact].concernsCall && Int(facts[fact].subject) == position {
      received = fact + 1
    }
    return UInt64(known.connection + 1) << 32 | traits << 24 | carried << 16
      | UInt64(known.queuedMessages & 0xFF) << 8 | UInt64(received)
  }

  private mutating func swapCalls(_ one: Int, _ other: Int) {
    let known = client.calls[one]
    client.calls[one] = client.calls[other]
    client.calls[other] = known
    calls.swapAt(one, other)
    for position in facts.indices where facts[position].concernsCall {
      let subject = Int(facts[position].subject)
      if subject == one { facts[position].subject = UInt8(truncatingIfNeeded: other) }
      if subject == other { facts[position].subject = UInt8(truncatingIfNeeded: one) }
    }
  }

  /// The number of events of this instant that are still in transit to the client.
  package var underWay: Int {
    var count = callbacks.count
    for position in 0..<facts.count {
      switch facts[position].queue {
      case .arriving, .released: count += 1
      case .stalled, .held: break
      }
    }
    return count
  }

  /// Removes a fact and closes the gap.
  mutating func removeFact(at position: Int) {
    for next in position + 1..<facts.count { facts[next - 1] = facts[next] }
    _ = facts.removeLast()
  }

  /// Adds a fact at the end of its queue.
  package mutating func append(_ fact: Fact) {
    func order(_ fact: Fact) -> Int { Int(fact.queue.rawValue) << 8 | Int(fact.owner) }
    var position = facts.count
    facts.append(fact)
    while position > 0, order(facts[position - 1]) > order(fact) {
      facts[position] = facts[position - 1]
      position -= 1
    }
    facts[position] = fact
  }
}

extension ClientSurvey {
  /// Returns the index of a connection, or `nil` if the client has no such connection.
  package func position(of id: ConnectionID) -> Int? {
    for position in 0..<connections.count where connections[position].id == id { return position }
    return nil
  }

  /// Returns the index of a call among the bound calls and those that wait for their tokens, or
  /// `nil` if there is no such call.
  package func position(of id: CallID) -> Int? {
    for position in 0..<calls.count where calls[position].id == id { return position }
    for position in 0..<awaitingTokens.count where awaitingTokens[position].id == id {
      return calls.count + position
    }
    return nil
  }

  /// Returns the call at an index.
  package func call(_ position: Int) -> Call {
    position < calls.count ? calls[position] : awaitingTokens[position - calls.count]
  }

  /// The number of calls.
  package var callCount: Int { calls.count + awaitingTokens.count }
}
