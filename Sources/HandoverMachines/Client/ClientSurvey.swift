/// What decides how a client goes on, as plain values in lists.
///
/// Whoever explores every state tells states apart by it and makes clients from it; the tables,
/// with their free rows and links, stay the client's own. Calls stand in the order of their hosts
/// and of their starts, connections in that of their hosts: the channel's own first, then those
/// that drain, the one that drains since last before the others.
package struct ClientSurvey: Hashable, Sendable {
  /// A pooled channel with its real one.
  package struct Host: Hashable, Sendable {
    /// The state of the real channel; SHUTDOWN where there is none.
    package var state = ChannelState.shutdown
    /// The mean of the delay that goes with the next attempt.
    package var mean = Interval.zero
    /// The earliest start of the next attempt.
    package var notBefore = Instant.zero
    /// The end of the attempt, or of the backoff that a call waits for; `never` where none is
    /// armed.
    package var attemptDue = Instant.never
    /// When the channel is destroyed for want of calls; `never` where that is not armed.
    package var unusedDue = Instant.never
    /// The places of its connections and of its calls in the lists.
    package var connections = 0..<0
    package var calls = 0..<0
    /// How many calls a client with the defect of late sends still owes it.
    package var lateSends = 0

    package init() {}

    /// Whether there is a real channel.
    package var exists: Bool { state != .shutdown }
  }

  /// A connection.
  package struct Connection: Hashable, Sendable {
    /// Where it stands.
    package enum Phase: UInt8, Hashable, Sendable {
      case connecting
      case established
      case draining
    }

    package var id: ConnectionID
    package var host: Int
    package var phase: Phase
    package var awaitsPong = false
    /// Pings sent since the client last sent data.
    package var pingsWithoutData = 0
    /// The next ping, or the end of the wait for its answer; `never` where none is armed.
    package var keepaliveDue = Instant.never

    package init(id: ConnectionID, host: Int, phase: Phase) {
      self.id = id
      self.host = host
      self.phase = phase
    }
  }

  /// A call.
  package struct Call: Hashable, Sendable {
    package var id: CallID
    package var host: Int
    /// The place of the connection that carries it; -1 while it waits.
    package var connection = -1
    package var failsFast = false
    package var requestIsComplete = true
    /// Messages that wait for the connection.
    package var queuedMessages: UInt32 = 0
    package var queuedBytes: UInt32 = 0
    /// When it gives up; `never` where it does not.
    package var deadline = Instant.never
    /// Whether it was started in this instant, which a client with a defect forgets none of.
    package var isJustStarted = false

    package init(id: CallID, host: Int) {
      self.id = id
      self.host = host
    }
  }

  /// What the monitor holds.
  package var category = NetworkCategory.unknown
  package var hosts: ContiguousArray<Host> = []
  package var connections: ContiguousArray<Connection> = []
  /// The calls that are bound to a channel.
  package var calls: ContiguousArray<Call> = []
  /// The calls that wait for their tokens, in the order of their hosts.
  package var awaitingTokens: ContiguousArray<Call> = []
  /// How many rows of the tables are in use; more than what stands in the lists is a leak.
  package var callsInUse = 0
  package var connectionsInUse = 0

  package init() {}

  /// Whether a call was started in this instant, as far as a client remembers it.
  package var hasJustStarted: Bool { calls.contains { $0.isJustStarted } }
}
