/// The channel manager: assigns calls to channels, opens connections, and ends both.
///
/// A pooled channel represents one key (host and options) and is removed only by a restart. Its
/// *real* channel is created by the first call (D1, P4). A category change, a disconnect or disuse
/// destroys the real channel, and the next call creates a new one (P3, P7, P12). See
/// ``ChannelState`` for the states of a real channel and their diagram.
///
/// Illegal events: (a) A bug in the driver is a crash: a call with an identifier other than
/// ``nextCallID``, or an endpoint that was not registered. (b) Errors of the peer never reach this
/// state machine, because the transport turns them into broken connections. (c) Late events are
/// tolerated and dropped, because neither side can know in time what the other one did: events
/// about a connection that was closed, or about a call that has ended (C5).
public struct ChannelPool: StateMachine {
  /// An event for the pool.
  public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// The user starts a call.
    case callStarted(CallID, EndpointID, CallSettings)
    /// The auth token of a call has arrived (C6).
    case tokenArrived(CallID)
    /// The user sends a message.
    case messageQueued(CallID, bytes: UInt32)
    /// The user finishes the request of a call.
    case requestFinished(CallID)
    /// The user cancels a call.
    case callCancelled(CallID)
    /// The connection is usable: the server's SETTINGS arrived (B4).
    case connected(ConnectionID)
    /// The connection attempt failed.
    case connectFailed(ConnectionID, ConnectionFailure)
    /// The connection was lost.
    case connectionBroken(ConnectionID, ConnectionFailure)
    /// The server accepts no new calls on the connection (GOAWAY).
    case connectionDraining(ConnectionID)
    /// A ping was answered.
    case pongReceived(ConnectionID)
    /// Bytes were read from a connection that belong to no running call, such as a message of a
    /// cancelled call.
    case dataReceived(ConnectionID)
    /// A message from the server arrived.
    case messageReceived(CallID)
    /// The server ended the call.
    case streamEnded(CallID, StatusCode)
    /// The user disconnects a pooled channel (P10).
    case disconnectRequested(EndpointID)
    /// The user disconnects all pooled channels (P11).
    case disconnectAllRequested
    /// Time passed; deadlines may be due.
    case timeElapsed
    /// The user closes the client.
    case closed
  }

  /// The effects of the pool are those of the client.
  public typealias Effect = ClientEffect

  @usableFromInline var configuration: PoolConfiguration
  @usableFromInline var endpoints = Rows<Endpoint>()
  var settings: ContiguousArray<EndpointSettings> = []
  @usableFromInline var calls = CallTable()
  var connections = ConnectionTable()
  @usableFromInline var callDeadlines = DeadlineQueue()
  /// The timeout of an attempt, or the end of a backoff for which a call waits; one row per
  /// endpoint.
  @usableFromInline var attemptDeadlines = DeadlineQueue()
  /// The destruction of an unused channel; one row per endpoint (P6).
  @usableFromInline var unusedDeadlines = DeadlineQueue()
  /// The next ping, or the timeout of its answer; one row per connection (B7).
  @usableFromInline var keepaliveDeadlines = DeadlineQueue()
  /// The object that copies of a pool share together with their tables, until one of them changes.
  @usableFromInline var sharing = Sharing()
  /// The number of deadlines armed so far; of those due together, the one armed first fires first.
  var armed: UInt64 = 0
  /// Decides at random which part is notified first of a category change, or `nil` if the order is
  /// fixed.
  var observerGenerator: SeededGenerator?
  private var keys: [ChannelKey: EndpointID] = [:]  // lookup only
  private var settingsIndices: [EndpointSettings: UInt32] = [:]  // lookup only

  /// Creates a pool without channels.
  public init(_ configuration: PoolConfiguration) {
    self.configuration = configuration
    observerGenerator = Self.observerGenerator(configuration)
  }

  private static func observerGenerator(_ configuration: PoolConfiguration) -> SeededGenerator? {
    guard configuration.observers == .random else { return nil }
    // A separate label keeps the random numbers of the jitter unchanged.
    return SeededGenerator(seed: configuration.seed).forked(label: 0x6F627365)
  }

  /// Returns the pooled channel of a key; the first call creates it, without a real channel.
  public mutating func register(_ key: ChannelKey) -> EndpointID {
    if let known = keys[key] { return known }
    ownTables()
    let wanted = configuration.settings(for: key.options)
    let index = settingsIndices[wanted] ?? UInt32(truncatingIfNeeded: settings.count)
    if index == settings.count {
      settings.append(wanted)
      settingsIndices[wanted] = index
    }
    let id = EndpointID(index: UInt32(truncatingIfNeeded: endpoints.count))
    endpoints.append(endpoint(id, settings: index))
    if key.host == nil { endpoints[Int(id.index)].settings = noRow }
    keys[key] = id
    return id
  }

  /// Returns a pooled channel in its initial state.
  private func endpoint(_ id: EndpointID, settings index: UInt32) -> Endpoint {
    let generator = SeededGenerator(seed: configuration.seed).forked(label: UInt64(id.index))
    return Endpoint(
      settings: index, backoff: Backoff(settings[Int(index)].backoff, generator: generator))
  }

  /// Resets the pool, keeps its first keys, and reuses the memory of its tables.
  mutating func restart(keeping count: Int) {
    ownTables()
    if count < endpoints.count { forgetKeys(from: count) }
    // An endpoint without a host never changes.
    for index in 0..<endpoints.count where endpoints[index].hasHost {
      let id = EndpointID(index: UInt32(truncatingIfNeeded: index))
      endpoints[index] = endpoint(id, settings: endpoints[index].settings)
    }
    calls.removeAll()
    connections.removeAll()
    callDeadlines.removeAll()
    attemptDeadlines.removeAll()
    unusedDeadlines.removeAll()
    keepaliveDeadlines.removeAll()
    armed = 0
    observerGenerator = Self.observerGenerator(configuration)
  }

  /// Removes the last keys, and the settings that only they have.
  private mutating func forgetKeys(from count: Int) {
    keys = keys.filter { $0.value.index < count }
    while endpoints.count > count { _ = endpoints.removeLast() }
    let wanted = Set(keys.keys.map { configuration.settings(for: $0.options) })  // lookup only
    settings.removeAll { !wanted.contains($0) }
    settingsIndices = settingsIndices.filter { wanted.contains($0.key) }
  }

  /// The identifier with which the next call must start.
  @inlinable
  public var nextCallID: CallID { calls.nextID }

  /// Returns the state of a pooled channel's real channel, or SHUTDOWN if there is none.
  public func state(of endpoint: EndpointID) -> ChannelState {
    endpoints[index(of: endpoint)].state
  }

  /// Returns the index of an endpoint from outside, after checking it.
  @inlinable
  func index(of endpoint: EndpointID) -> Int {
    precondition(endpoint.index < endpoints.count, "the endpoint was not registered")
    return Int(endpoint.index)
  }

  /// Handles one event and appends the resulting effects.
  @inlinable
  public mutating func step(  // long: a flat switch with a line per event
    _ event: Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // This comparison precedes all calls, so that it costs nothing if the caller has just read
    // `nextCallID`.
    if case .callStarted(let call, _, _) = event {
      precondition(call == calls.nextID, "the identifier must be nextCallID")
    }
    ownTables()
    switch event {
    case .callStarted(let call, let endpoint, let settings):
      start(call, on: endpoint, settings, at: now, into: &effects)
    case .tokenArrived(let call):
      takeToken(of: call, at: now, into: &effects)
    case .messageQueued(let call, let bytes):
      queueMessage(call, bytes: bytes, at: now, into: &effects)
    case .requestFinished(let call):
      finishRequest(call, at: now, into: &effects)
    case .callCancelled(let call):
      cancel(call, at: now, into: &effects)
    case .connected(let connection):
      connected(connection, at: now, into: &effects)
    case .connectFailed(let connection, let failure):
      connectFailed(connection, failure, at: now, into: &effects)
    case .connectionBroken(let connection, let failure):
      connectionBroke(connection, failure, at: now, into: &effects)
    case .connectionDraining(let connection):
      receiveData(from: connection, at: now)
      drain(connection, into: &effects)
    case .pongReceived(let connection), .dataReceived(let connection):
      receiveData(from: connection, at: now)
    case .messageReceived(let call):
      receive(call, at: now, into: &effects)
    case .streamEnded(let call, let code):
      endStream(of: call, code, at: now, into: &effects)
    case .disconnectRequested(let endpoint):
      disconnect(endpoint, at: now, into: &effects)
    case .disconnectAllRequested:
      destroyAll(.disconnected, at: now, into: &effects)
    case .timeElapsed:
      fireDueDeadlines(at: now, into: &effects)
    case .closed:
      close(at: now, into: &effects)
    }
  }

  /// Starts several calls with the same settings on one channel at one instant.
  ///
  /// The result is the same as one ``Event/callStarted(_:_:_:)`` per call, one after the other, but
  /// the work for the channel is done once. The effects contain the identifiers of the calls.
  ///
  /// - Parameters:
  ///   - count: How many calls to start; nothing happens if it is not positive.
  ///   - endpoint: Their registered pooled channel.
  ///   - settings: The settings of each call.
  ///   - now: The present instant.
  ///   - effects: Receives the effects.
  public mutating func startCalls(
    _ count: Int, on endpoint: EndpointID, _ settings: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard count > 0 else { return }
    ownTables()
    start(count, on: endpoint, settings, at: now, into: &effects)
  }
}

/// The settings with which a call starts.
@frozen
public struct CallSettings: Hashable, Sendable {
  /// The deadline of the call, or ``Instant/never``.
  public var deadline: Instant
  /// Whether the call ends immediately if its channel is in TRANSIENT_FAILURE (D7).
  public var failsFast: Bool
  /// Whether the call must wait for an auth token before it gets a channel (C6).
  public var awaitsToken: Bool
  /// Whether the request is complete at the start of the call.
  public var requestIsComplete: Bool

  /// Creates settings, by default those of a unary call without a deadline.
  public init(
    deadline: Instant = .never, failsFast: Bool = false, awaitsToken: Bool = false,
    requestIsComplete: Bool = true
  ) {
    self.deadline = deadline
    self.failsFast = failsFast
    self.awaitsToken = awaitsToken
    self.requestIsComplete = requestIsComplete
  }
}
