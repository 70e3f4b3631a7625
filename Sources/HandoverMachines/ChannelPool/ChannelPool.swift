/// The channel manager: which call runs on which channel, when a connection is made, and what ends.
///
/// A pooled channel stands for one key (host and options) and lives for ever; its *real* channel is
/// made by the first call (D1, P4), destroyed by a transition, a disconnect or disuse, and made
/// anew by the next call (P3, P7, P12). See ``ChannelState`` for the states of a real channel and
/// their chart.
///
/// Illegal events: (a) our bug, and trapped: a call with an identifier that ``nextCallID`` did not
/// give, an endpoint that was not registered. (b) The peer's fault: none reaches this machine; the
/// transport turns them into broken connections. (c) Tolerated and dropped, because the two sides
/// cannot know of each other in time: anything about a connection that was closed, or a call that
/// has ended (C5).
public struct ChannelPool: StateMachine {
  /// A fact the pool is told of.
  public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// The user starts a call.
    case callStarted(CallID, EndpointID, CallSettings)
    /// The auth token of a call is there (C6).
    case tokenArrived(CallID)
    /// The user sends a message.
    case messageQueued(CallID, bytes: UInt32)
    /// The user ends the requests of a call.
    case requestFinished(CallID)
    /// The user cancels a call.
    case callCancelled(CallID)
    /// The connection is usable: the server's SETTINGS arrived (B4).
    case connected(ConnectionID)
    /// The attempt to connect failed.
    case connectFailed(ConnectionID, ConnectionFailure)
    /// The connection is no more.
    case connectionBroken(ConnectionID, ConnectionFailure)
    /// The server takes no new calls on the connection (GOAWAY).
    case connectionDraining(ConnectionID)
    /// A ping was answered.
    case pongReceived(ConnectionID)
    /// Bytes were read from a connection that belong to no running call, such as a message of a
    /// cancelled one.
    case dataReceived(ConnectionID)
    /// A message of the server arrived.
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

  /// The pool's orders are the client's.
  public typealias Effect = ClientEffect

  @usableFromInline var configuration: PoolConfiguration
  @usableFromInline var endpoints = Rows<Endpoint>()
  var settings: ContiguousArray<EndpointSettings> = []
  @usableFromInline var calls = CallTable()
  var connections = ConnectionTable()
  @usableFromInline var callDeadlines = DeadlineQueue()
  /// The end of an attempt, or of a backoff while a call waits; one row for each endpoint.
  @usableFromInline var attemptDeadlines = DeadlineQueue()
  /// The destruction of an unused channel; one row for each endpoint (P6).
  @usableFromInline var unusedDeadlines = DeadlineQueue()
  /// The next ping, or the end of the wait for its answer; one row for each connection (B7).
  @usableFromInline var keepaliveDeadlines = DeadlineQueue()
  /// Copies of a pool share their tables, and with them this, until one of them changes.
  @usableFromInline var sharing = Sharing()
  /// Counts what is armed, so that what began first is due first at one instant.
  var armed: UInt64 = 0
  /// The calls of one instant, for a defective pool that loses them (C10).
  var latestStarts = LatestStarts()
  /// Calls that a defective pool will send although they ended (#10302).
  var lateSends: ContiguousArray<LateSend> = []
  /// Draws who hears first of a change of category; nil where that is settled.
  var observerLot: SeededGenerator?
  private var keys: [ChannelKey: EndpointID] = [:]  // lookup only
  private var settingsPlaces: [EndpointSettings: UInt32] = [:]  // lookup only

  /// Makes a pool without channels.
  public init(_ configuration: PoolConfiguration) {
    self.configuration = configuration
    observerLot = Self.observerLot(configuration)
  }

  private static func observerLot(_ configuration: PoolConfiguration) -> SeededGenerator? {
    guard configuration.observers == .drawn else { return nil }
    // A label of its own, so that no draw of the jitter moves.
    return SeededGenerator(seed: configuration.seed).forked(label: 0x6F627365)
  }

  /// The pooled channel of a key; made where it is asked for first, without a real channel.
  public mutating func register(_ key: ChannelKey) -> EndpointID {
    if let known = keys[key] { return known }
    ownTables()
    let wanted = configuration.settings(for: key.options)
    let index = settingsPlaces[wanted] ?? UInt32(truncatingIfNeeded: settings.count)
    if index == settings.count {
      settings.append(wanted)
      settingsPlaces[wanted] = index
    }
    let id = EndpointID(index: UInt32(truncatingIfNeeded: endpoints.count))
    endpoints.append(endpoint(id, settings: index))
    if key.host == nil { endpoints[Int(id.index)].settings = noRow }
    keys[key] = id
    return id
  }

  /// A pooled channel as it is registered.
  private func endpoint(_ id: EndpointID, settings index: UInt32) -> Endpoint {
    let generator = SeededGenerator(seed: configuration.seed).forked(label: UInt64(id.index))
    return Endpoint(
      settings: index, backoff: Backoff(settings[Int(index)].backoff, generator: generator))
  }

  /// Starts over with some of its keys, in the room of its tables.
  mutating func restart(keeping count: Int) {
    ownTables()
    if count < endpoints.count { forgetKeys(from: count) }
    // Nothing becomes of a key without a host.
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
    if !configuration.defects.isEmpty {
      latestStarts = LatestStarts()
      lateSends.removeAll(keepingCapacity: true)
    }
    observerLot = Self.observerLot(configuration)
  }

  /// Forgets the keys that were registered last, and the settings that only they have.
  private mutating func forgetKeys(from count: Int) {
    keys = keys.filter { $0.value.index < count }
    while endpoints.count > count { _ = endpoints.removeLast() }
    let wanted = Set(keys.keys.map { configuration.settings(for: $0.options) })  // lookup only
    settings.removeAll { !wanted.contains($0) }
    settingsPlaces = settingsPlaces.filter { wanted.contains($0.key) }
  }

  /// The identifier that the next call must be started with.
  @inlinable
  public var nextCallID: CallID { calls.nextID }

  /// The state of a pooled channel's real channel; SHUTDOWN where there is none.
  public func state(of endpoint: EndpointID) -> ChannelState {
    endpoints[index(of: endpoint)].state
  }

  /// The place of an endpoint that the world names.
  @inlinable
  @inline(__always)
  func index(of endpoint: EndpointID) -> Int {
    precondition(endpoint.index < endpoints.count, "an endpoint is registered before it is used")
    return Int(endpoint.index)
  }

  /// Takes one fact and gives the orders that follow.
  @inlinable
  public mutating func step(  // long: a flat switch, one line for each event
    _ event: Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // Compared before anything is called, which costs nothing where the caller has just asked.
    if case .callStarted(let call, _, _) = event {
      precondition(call == calls.nextID, "a call starts with the identifier that nextCallID gives")
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
      readSomething(from: connection, at: now)
      drain(connection, into: &effects)
    case .pongReceived(let connection), .dataReceived(let connection):
      readSomething(from: connection, at: now)
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

  /// Starts several calls of the same settings on one channel at one instant.
  ///
  /// The same as one ``Event/callStarted(_:_:_:)`` for each, one after the other; what concerns the
  /// channel is done once. Which calls they are is told by the effects.
  ///
  /// - Parameters:
  ///   - count: how many calls; none where it is not above zero.
  ///   - endpoint: their pooled channel, which was registered.
  ///   - settings: what each of them brings along.
  ///   - now: the instant.
  ///   - effects: where the orders are added.
  public mutating func startCalls(
    _ count: Int, on endpoint: EndpointID, _ settings: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard count > 0 else { return }
    ownTables()
    start(count, on: endpoint, settings, at: now, into: &effects)
  }
}

/// What a call brings along when it starts.
@frozen
public struct CallSettings: Hashable, Sendable {
  /// When the call gives up; ``Instant/never`` where it does not.
  public var deadline: Instant
  /// Whether the call ends at once where its channel is in TRANSIENT_FAILURE (D7).
  public var failsFast: Bool
  /// Whether the call must wait for an auth token before it is bound to a channel (C6).
  public var awaitsToken: Bool
  /// Whether its request is complete at the start.
  public var requestIsComplete: Bool

  /// Makes settings; without arguments, those of a plain unary call.
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

/// The calls that were started last, all in one instant.
struct LatestStarts: Hashable, Sendable {
  var instant = Instant.zero
  var calls: ContiguousArray<CallID> = []
}

/// A call that a defective pool sends after its end.
struct LateSend: Hashable, Sendable {
  var call: CallID
  var endpoint: UInt32
}
