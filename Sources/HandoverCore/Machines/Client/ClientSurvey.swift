/// The state of a client as plain values in lists: everything that affects its future behavior.
///
/// Explorations distinguish states by surveys and restore clients from them. The tables with their
/// free rows and links are not included. Calls are ordered by host, and then by start. Connections
/// are ordered by host: first the channel's current connection, then the draining ones, of which
/// the one that started to drain last comes first.
///
/// An exploration creates a survey in each of millions of steps. A survey is therefore never
/// copied, so that its lists need no check for sharing. Its parts have a separate allocation,
/// because a large value that is borrowed would be copied first.
@frozen
@usableFromInline
package struct ClientSurvey: ~Copyable, @unchecked Sendable {
  /// A pooled channel with its real channel.
  @frozen
  @usableFromInline
  package struct Host: BitwiseCopyable, Hashable, Sendable {
    /// The state of the real channel; SHUTDOWN if there is none.
    @usableFromInline package var state = ChannelState.shutdown
    /// The mean of the next delay.
    @usableFromInline package var mean = Interval.zero
    /// The earliest start of the next attempt.
    @usableFromInline package var notBefore = Instant.zero
    /// The timeout of the attempt, or the end of the backoff for which a call waits; `never` if
    /// neither is armed.
    @usableFromInline package var attemptDue = Instant.never
    /// The instant at which the unused channel is destroyed; `never` if that is not armed.
    @usableFromInline package var unusedDue = Instant.never
    /// The ranges of its connections and of its calls in the lists.
    @inlinable package var connections: Range<Int> {
      get { firstConnection..<endOfConnections }
      set {
        (firstConnection, endOfConnections) = (newValue.lowerBound, newValue.upperBound)
      }
    }
    @inlinable package var calls: Range<Int> {
      get { firstCall..<endOfCalls }
      set { (firstCall, endOfCalls) = (newValue.lowerBound, newValue.upperBound) }
    }
    /// Whether one of its calls waits for a connection.
    @usableFromInline package var hasWaiting = false
    /// The number of calls that a decorated client will still send after their end.
    @usableFromInline package var lateSends = 0

    // Ranges are not bitwise copyable.
    @usableFromInline var firstConnection = 0
    @usableFromInline var endOfConnections = 0
    @usableFromInline var firstCall = 0
    @usableFromInline var endOfCalls = 0

    @inlinable
    package init() {}

    @inlinable package var hasNoCalls: Bool { firstCall == endOfCalls }

    /// Whether there is a real channel.
    @inlinable package var exists: Bool { state != .shutdown }
  }

  /// A connection.
  @frozen
  @usableFromInline
  package struct Connection: BitwiseCopyable, Hashable, Sendable {
    /// The phase of a connection.
    @frozen
    @usableFromInline
    package enum Phase: UInt8, BitwiseCopyable, Hashable, Sendable {
      case connecting
      case established
      case draining
    }

    @usableFromInline package var id: ConnectionID
    /// The next ping, or the timeout of its answer; `never` if neither is armed.
    @usableFromInline package var keepaliveDue = Instant.never
    @usableFromInline var hostIndex: UInt16
    @usableFromInline package var phase: Phase
    @usableFromInline package var awaitsPong = false
    @usableFromInline var pings: UInt8 = 0

    /// The number of pings since the client last sent data; at most 255.
    @inlinable package var pingsWithoutData: Int {
      get { Int(pings) }
      set { pings = UInt8(clamping: newValue) }
    }
    @inlinable package var host: Int { Int(hostIndex) }

    /// Creates a connection; the index of the host must be below 65,536, which every exploration
    /// ensures.
    @inlinable
    package init(id: ConnectionID, host: Int, phase: Phase) {
      self.id = id
      hostIndex = UInt16(truncatingIfNeeded: host)
      self.phase = phase
    }
  }

  /// A call.
  @frozen
  @usableFromInline
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    /// Properties of a call, one bit each.
    @frozen
    @usableFromInline
    package struct Traits: OptionSet, BitwiseCopyable, Hashable, Sendable {
      @usableFromInline package var rawValue: UInt8

      @inlinable
      package init(rawValue: UInt8) { self.rawValue = rawValue }

      @inlinable package static var failsFast: Traits { Traits(rawValue: 1) }
      /// The call was started at the present instant; only a decorated client records it.
      @inlinable package static var isJustStarted: Traits { Traits(rawValue: 2) }
      @inlinable package static var hasDeadline: Traits { Traits(rawValue: 4) }
      /// The user may send more messages.
      @inlinable package static var sends: Traits { Traits(rawValue: 8) }
    }

    @usableFromInline package var id: CallID
    @usableFromInline var due = Instant.never
    /// The number of messages that wait for the connection.
    @usableFromInline package var queuedMessages: UInt32 = 0
    @usableFromInline package var queuedBytes: UInt32 = 0
    @usableFromInline var hostIndex: UInt16
    @usableFromInline var carrier: Int16 = -1
    @usableFromInline package var traits: Traits = []

    /// Creates a call; the index of the host must be below 65,536, which every exploration ensures.
    @inlinable
    package init(id: CallID, host: Int) {
      self.id = id
      hostIndex = UInt16(truncatingIfNeeded: host)
    }

    @inlinable package var host: Int { Int(hostIndex) }
    /// The index of the connection that carries the call; -1 while the call waits.
    @inlinable package var connection: Int {
      get { Int(carrier) }
      set { carrier = Int16(truncatingIfNeeded: newValue) }
    }
    /// The deadline of the call; `never` if it has none.
    @inlinable package var deadline: Instant {
      get { due }
      set {
        due = newValue
        set(.hasDeadline, newValue != .never)
      }
    }
    @inlinable package var failsFast: Bool {
      get { traits.contains(.failsFast) }
      set { set(.failsFast, newValue) }
    }
    @inlinable package var isJustStarted: Bool {
      get { traits.contains(.isJustStarted) }
      set { set(.isJustStarted, newValue) }
    }
    @inlinable package var requestIsComplete: Bool {
      get { !traits.contains(.sends) }
      set { set(.sends, !newValue) }
    }

    @inlinable
    mutating func set(_ trait: Traits, _ isTrue: Bool) {
      traits.rawValue =
        traits.rawValue & ~trait.rawValue | (isTrue ? trait.rawValue : 0)
    }
  }

  /// The content of the survey.
  @frozen
  @usableFromInline
  struct Parts: ~Copyable {
    @usableFromInline var category = NetworkCategory.unknown
    @usableFromInline var hosts = Rows<Host>()
    @usableFromInline var connections = Rows<Connection>()
    @usableFromInline var calls = Rows<Call>()
    @usableFromInline var awaitingTokens = Rows<Call>()
    @usableFromInline var callsInUse = 0
    @usableFromInline var connectionsInUse = 0
    @usableFromInline var connectionRows: UInt64 = 0
    @usableFromInline var callRows: UInt64 = 0
    @usableFromInline var awaitingRows: UInt64 = 0

    @inlinable
    init() {}
  }

  @usableFromInline let parts: Fixed<Parts>

  @inlinable
  package init() {
    parts = Fixed(Parts())
  }

  /// The current category of the monitor.
  @inlinable package var category: NetworkCategory {
    get { parts.value.category }
    set { parts.value.category = newValue }
  }
  @inlinable package var hosts: Rows<Host> {
    _read { yield parts.value.hosts }
    _modify { yield &parts.value.hosts }
  }
  @inlinable package var connections: Rows<Connection> {
    _read { yield parts.value.connections }
    _modify { yield &parts.value.connections }
  }
  /// The calls that have a channel.
  @inlinable package var calls: Rows<Call> {
    _read { yield parts.value.calls }
    _modify { yield &parts.value.calls }
  }
  /// The calls that wait for their tokens, in the order of their hosts.
  @inlinable package var awaitingTokens: Rows<Call> {
    _read { yield parts.value.awaitingTokens }
    _modify { yield &parts.value.awaitingTokens }
  }
  /// The number of table rows in use; if the lists have fewer entries, rows leak.
  @inlinable package var callsInUse: Int {
    get { parts.value.callsInUse }
    set { parts.value.callsInUse = newValue }
  }
  @inlinable package var connectionsInUse: Int {
    get { parts.value.connectionsInUse }
    set { parts.value.connectionsInUse = newValue }
  }
  /// The rows of the listed objects, one bit per row for the first 64 rows.
  @inlinable package var connectionRows: UInt64 { parts.value.connectionRows }
  @inlinable package var callRows: UInt64 { parts.value.callRows }
  @inlinable package var awaitingRows: UInt64 { parts.value.awaitingRows }

  /// Returns the bit of a row, or 0 for a row beyond the first 64.
  @inlinable
  package static func bit(_ row: UInt32) -> UInt64 {
    row < 64 ? 1 &<< UInt64(row) : 0
  }

  @inlinable
  package mutating func append(_ connection: Connection) {
    parts.value.connectionRows |= Self.bit(connection.id.index)
    connections.append(connection)
  }

  @inlinable
  package mutating func append(_ call: Call) {
    parts.value.callRows |= Self.bit(call.id.index)
    calls.append(call)
  }

  @inlinable
  package mutating func append(awaiting call: Call) {
    parts.value.awaitingRows |= Self.bit(call.id.index)
    awaitingTokens.append(call)
  }

  /// Removes the content but keeps the memory of the lists.
  @inlinable
  package mutating func removeAll() {
    category = .unknown
    hosts.removeAll()
    connections.removeAll()
    calls.removeAll()
    awaitingTokens.removeAll()
    callsInUse = 0
    connectionsInUse = 0
    parts.value.connectionRows = 0
    parts.value.callRows = 0
    parts.value.awaitingRows = 0
  }

  /// Makes the survey equal to another one, and reuses its memory.
  ///
  /// - Parameter other: The survey to copy; not changed.
  package mutating func assign(from other: inout ClientSurvey) {
    category = other.category
    hosts.assign(from: &other.hosts)
    connections.assign(from: &other.connections)
    calls.assign(from: &other.calls)
    awaitingTokens.assign(from: &other.awaitingTokens)
    callsInUse = other.callsInUse
    connectionsInUse = other.connectionsInUse
    parts.value.connectionRows = other.connectionRows
    parts.value.callRows = other.callRows
    parts.value.awaitingRows = other.awaitingRows
  }

  /// Whether a call was started at the present instant, as far as the client records it.
  package var hasJustStarted: Bool {
    for position in 0..<calls.count where calls[position].isJustStarted { return true }
    return false
  }
}
