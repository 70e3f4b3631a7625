/// What decides how a client goes on, as plain values in lists.
///
/// Whoever explores every state tells states apart by it and makes clients from it; the tables,
/// with their free rows and links, stay the client's own. Calls stand in the order of their hosts
/// and of their starts, connections in that of their hosts: the channel's own first, then those
/// that drain, the one that drains since last before the others.
///
/// One is made for each step of millions, so that its lists ask nobody whether they are shared: a
/// survey is never copied.
@frozen
@usableFromInline
package struct ClientSurvey: ~Copyable, Sendable {
  /// A pooled channel with its real one.
  @frozen
  @usableFromInline
  package struct Host: BitwiseCopyable, Hashable, Sendable {
    /// The state of the real channel; SHUTDOWN where there is none.
    @usableFromInline package var state = ChannelState.shutdown
    /// The mean of the delay that goes with the next attempt.
    @usableFromInline package var mean = Interval.zero
    /// The earliest start of the next attempt.
    @usableFromInline package var notBefore = Instant.zero
    /// The end of the attempt, or of the backoff that a call waits for; `never` where none is
    /// armed.
    @usableFromInline package var attemptDue = Instant.never
    /// When the channel is destroyed for want of calls; `never` where that is not armed.
    @usableFromInline package var unusedDue = Instant.never
    /// The places of its connections and of its calls in the lists.
    @inlinable package var connections: Range<Int> {
      @inline(__always) get { firstConnection..<endOfConnections }
      @inline(__always) set {
        (firstConnection, endOfConnections) = (newValue.lowerBound, newValue.upperBound)
      }
    }
    @inlinable package var calls: Range<Int> {
      @inline(__always) get { firstCall..<endOfCalls }
      @inline(__always) set { (firstCall, endOfCalls) = (newValue.lowerBound, newValue.upperBound) }
    }
    /// How many calls a client with the defect of late sends still owes it.
    @usableFromInline package var lateSends = 0

    // Ranges are no plain values.
    @usableFromInline var firstConnection = 0
    @usableFromInline var endOfConnections = 0
    @usableFromInline var firstCall = 0
    @usableFromInline var endOfCalls = 0

    @inlinable
    package init() {}

    /// Whether there is a real channel.
    @inlinable package var exists: Bool {
      @inline(__always) get { state != .shutdown }
    }
  }

  /// A connection.
  @frozen
  @usableFromInline
  package struct Connection: BitwiseCopyable, Hashable, Sendable {
    /// Where it stands.
    @frozen
    @usableFromInline
    package enum Phase: UInt8, BitwiseCopyable, Hashable, Sendable {
      case connecting
      case established
      case draining
    }

    @usableFromInline package var id: ConnectionID
    @usableFromInline package var host: Int
    @usableFromInline package var phase: Phase
    @usableFromInline package var awaitsPong = false
    /// Pings sent since the client last sent data.
    @usableFromInline package var pingsWithoutData = 0
    /// The next ping, or the end of the wait for its answer; `never` where none is armed.
    @usableFromInline package var keepaliveDue = Instant.never

    @inlinable
    package init(id: ConnectionID, host: Int, phase: Phase) {
      self.id = id
      self.host = host
      self.phase = phase
    }
  }

  /// A call.
  @frozen
  @usableFromInline
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    @usableFromInline package var id: CallID
    @usableFromInline package var host: Int
    /// The place of the connection that carries it; -1 while it waits.
    @usableFromInline package var connection = -1
    @usableFromInline package var failsFast = false
    @usableFromInline package var requestIsComplete = true
    /// Messages that wait for the connection.
    @usableFromInline package var queuedMessages: UInt32 = 0
    @usableFromInline package var queuedBytes: UInt32 = 0
    /// When it gives up; `never` where it does not.
    @usableFromInline package var deadline = Instant.never
    /// Whether it was started in this instant, which a client with a defect forgets none of.
    @usableFromInline package var isJustStarted = false

    @inlinable
    package init(id: CallID, host: Int) {
      self.id = id
      self.host = host
    }
  }

  /// What the monitor holds.
  @usableFromInline package var category = NetworkCategory.unknown
  @usableFromInline package var hosts = Rows<Host>()
  @usableFromInline package var connections = Rows<Connection>()
  /// The calls that are bound to a channel.
  @usableFromInline package var calls = Rows<Call>()
  /// The calls that wait for their tokens, in the order of their hosts.
  @usableFromInline package var awaitingTokens = Rows<Call>()
  /// How many rows of the tables are in use; more than what stands in the lists is a leak.
  @usableFromInline package var callsInUse = 0
  @usableFromInline package var connectionsInUse = 0

  @inlinable
  package init() {}

  /// Forgets what it holds, and keeps the room of its lists.
  @inlinable
  package mutating func removeAll() {
    category = .unknown
    hosts.removeAll()
    connections.removeAll()
    calls.removeAll()
    awaitingTokens.removeAll()
    callsInUse = 0
    connectionsInUse = 0
  }

  /// Becomes what another survey is, in its own room.
  ///
  /// - Parameter other: is not changed.
  package mutating func become(_ other: inout ClientSurvey) {
    category = other.category
    hosts.become(&other.hosts)
    connections.become(&other.connections)
    calls.become(&other.calls)
    awaitingTokens.become(&other.awaitingTokens)
    callsInUse = other.callsInUse
    connectionsInUse = other.connectionsInUse
  }

  /// Whether a call was started in this instant, as far as a client remembers it.
  package var hasJustStarted: Bool {
    for place in 0..<calls.count where calls[place].isJustStarted { return true }
    return false
  }

  /// Whether another survey holds the same.
  package func isSame(as other: borrowing ClientSurvey) -> Bool {
    category == other.category && hosts == other.hosts && connections == other.connections
      && calls == other.calls && awaitingTokens == other.awaitingTokens
      && callsInUse == other.callsInUse && connectionsInUse == other.connectionsInUse
  }
}
