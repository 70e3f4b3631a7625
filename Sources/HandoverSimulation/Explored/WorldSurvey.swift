package import HandoverCore

/// What decides how a world without times goes on, as plain values in lists.
///
/// An exploration tells worlds apart by it and makes worlds from it. Connections and calls are
/// those that the client has, in the order of its own survey; what the network still does for
/// others reaches nobody, and is left out. What is under way stands in queues, one for each
/// connection, because nothing else orders it where no time passes.
package struct WorldSurvey: ~Copyable, Sendable {
  /// A connection as the network knows it.
  package struct Connection: BitwiseCopyable, Hashable, Sendable {
    package var phase = LinkPhase.dead
    /// The path of its socket; nil while it has none.
    package var path: PathIndex?
    package var stall: StallCauses = []
    /// Whether something written is not acknowledged, so that TCP may give up.
    package var isUnacknowledged = false
    /// The handshake was due while nothing passed, or is under way.
    package var handshakeIsDue = false
    package var handshakeIsScheduled = false
    /// Where the ping is that the client sent last.
    package var ping = Carriage.none

    package init() {}
  }

  /// How far something written has come.
  package enum Carriage: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// It was not written, or has arrived.
    case none
    /// It waits for the connection to go on.
    case buffered
    /// The server's kernel has it, and the server does not read.
    case unread
  }

  /// A call as its server knows it.
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    package var request = Carriage.none
    package var finish = Carriage.none
    /// Whether the server has read the request and not ended the answer.
    package var isOpen = false
    package var answerIsScheduled = false
    /// The end of the answer was due while the server was silent.
    package var answerIsDue = false
    package var tokenIsScheduled = false

    package init() {}
  }

  /// A queue that something on its way to the client stands in.
  package enum Queue: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// It reaches the client next, unless the application is suspended.
    case arriving
    /// It waits for its connection to go on.
    case stalled
    /// It waits for the application to run.
    case held
    /// The application runs again, and hears it next.
    case released
  }

  /// Something on its way to the client.
  package struct Fact: BitwiseCopyable, Hashable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
      case connected, attemptFailed, connectionLost, draining, pong
      case message, ended, token
    }

    package var queue: Queue
    package var kind: Kind
    /// The place of the connection whose queue it is; zero where there is one for all.
    package var owner: UInt8
    /// The place of the connection or of the call that it is about.
    package var subject: UInt8
    /// The raw value of a failure or of a status.
    package var detail: UInt8

    /// Whether its subject is a call.
    var isOfCall: Bool {
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

  /// What stands in ``callbacks`` for flags that are read afresh.
  package static let freshRead = UInt8.max

  package var client = ClientSurvey()
  package var device = Device(InitialState())
  /// Whether the server of each host is silent.
  package var silent = Rows<Bool>()
  package var connections = Rows<Connection>()
  /// The calls that are bound to a channel, then those that wait for their tokens.
  package var calls = Rows<Call>()
  /// The facts of each queue behind each other.
  package var facts = Rows<Fact>()
  /// The callbacks under way, as raw values of their categories.
  package var callbacks = Rows<UInt8>()
  /// Whether the flags that were delivered last are of the category that the monitor holds: only
  /// then an exploration lets them come again.
  package var canDouble = false
  /// Whether there was a callback while the application was suspended.
  package var holdsCallback = false

  package init() {}

  /// Forgets everything in the lists, and keeps their room.
  package mutating func removeAll() {
    silent.removeAll()
    connections.removeAll()
    calls.removeAll()
    facts.removeAll()
    callbacks.removeAll()
  }

  /// Puts the calls that wait for their tokens in an order that does not depend on their rows: of
  /// each host first those whose token is on its way, then the others as they will hear of it.
  mutating func sortAwaiting() {
    let first = client.calls.count
    func rank(_ place: Int) -> Int {
      let call = client.call(place)
      let heard = facts.firstIndex { $0.kind == .token && Int($0.subject) == place }
      return call.host << 16 | (calls[place].tokenIsScheduled ? 0 : 1 + (heard ?? 0))
    }
    let order = (first..<client.callCount).sorted { (rank($0), $0) < (rank($1), $1) }
    guard order != Array(first..<client.callCount) else { return }
    let awaiting = (first..<client.callCount).map { client.call($0) }
    let states = Array(calls)
    var moved: [Int: Int] = [:]  // lookup only
    for (offset, place) in order.enumerated() {
      client.awaitingTokens[offset] = awaiting[place - first]
      calls[first + offset] = states[place]
      moved[place] = first + offset
    }
    for place in facts.indices where facts[place].kind == .token {
      if let to = moved[Int(facts[place].subject)] {
        facts[place].subject = UInt8(truncatingIfNeeded: to)
      }
    }
  }

  /// Puts the calls of each host in an order that does not depend on who started first: that says
  /// in which order several calls end or are sent at once, and nothing else.
  mutating func sortCalls() {
    for host in 0..<client.hosts.count where client.hosts[host].calls.count > 1 {
      let range = client.hosts[host].calls
      // They are few, and mostly in order.
      for place in range.dropFirst() {
        var place = place
        while place > range.lowerBound, rank(place) < rank(place - 1) {
          swapCalls(place - 1, place)
          place -= 1
        }
      }
    }
  }

  private func rank(_ place: Int) -> UInt64 {
    let (known, one) = (client.calls[place], calls[place])
    let traits: UInt64 =
      (known.failsFast ? 1 : 0) | (known.isJustStarted ? 2 : 0)
      | (known.deadline != .never ? 4 : 0) | (known.requestIsComplete ? 8 : 0)
      | (one.isOpen ? 16 : 0) | (one.answerIsScheduled ? 32 : 0) | (one.answerIsDue ? 64 : 0)
    let carried = UInt64(one.request.rawValue) << 2 | UInt64(one.finish.rawValue)
    var heard = 0
    for fact in 0..<facts.count
    where heard == 0 && facts[fact].isOfCall && Int(facts[fact].subject) == place {
      heard = fact + 1
    }
    return UInt64(known.connection + 1) << 32 | traits << 24 | carried << 16
      | UInt64(known.queuedMessages & 0xFF) << 8 | UInt64(heard)
  }

  private mutating func swapCalls(_ one: Int, _ other: Int) {
    let known = client.calls[one]
    client.calls[one] = client.calls[other]
    client.calls[other] = known
    calls.swapAt(one, other)
    for place in facts.indices where facts[place].isOfCall {
      let subject = Int(facts[place].subject)
      if subject == one { facts[place].subject = UInt8(truncatingIfNeeded: other) }
      if subject == other { facts[place].subject = UInt8(truncatingIfNeeded: one) }
    }
  }

  /// How much of this instant is still on its way to the client.
  package var underWay: Int {
    var count = callbacks.count
    for place in 0..<facts.count {
      switch facts[place].queue {
      case .arriving, .released: count += 1
      case .stalled, .held: break
      }
    }
    return count
  }

  /// Takes out a fact; those behind it close up.
  mutating func removeFact(at place: Int) {
    for next in place + 1..<facts.count { facts[next - 1] = facts[next] }
    _ = facts.removeLast()
  }

  /// Adds a fact behind the others of its queue.
  package mutating func append(_ fact: Fact) {
    func order(_ fact: Fact) -> Int { Int(fact.queue.rawValue) << 8 | Int(fact.owner) }
    var place = facts.count
    facts.append(fact)
    while place > 0, order(facts[place - 1]) > order(fact) {
      facts[place] = facts[place - 1]
      place -= 1
    }
    facts[place] = fact
  }
}

extension ClientSurvey {
  /// The place of a connection; nil where the client has no such connection.
  @inline(__always)
  package func place(of id: ConnectionID) -> Int? {
    for place in 0..<connections.count where connections[place].id == id { return place }
    return nil
  }

  /// The place of a call among those that are bound and those that wait for their tokens.
  @inline(__always)
  package func place(of id: CallID) -> Int? {
    for place in 0..<calls.count where calls[place].id == id { return place }
    for place in 0..<awaitingTokens.count where awaitingTokens[place].id == id {
      return calls.count + place
    }
    return nil
  }

  /// The call at a place.
  @inline(__always)
  package func call(_ place: Int) -> Call {
    place < calls.count ? calls[place] : awaitingTokens[place - calls.count]
  }

  /// How many calls there are.
  package var callCount: Int { calls.count + awaitingTokens.count }
}
