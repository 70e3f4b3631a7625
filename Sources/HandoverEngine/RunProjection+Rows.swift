package import HandoverCore
import HandoverScenario

// The state of one call, channel, connection and host.
extension RunProjection {
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    package fileprivate(set) var id: CallID?
    var endpoint = UInt32.max
    package fileprivate(set) var deadline = Instant.never
    var failsFast = false
    package fileprivate(set) var awaitsToken = false
    /// The channel of the call, or `nil` before the call is bound.
    package fileprivate(set) var channel: ChannelID?
    var channelIsNew = false
    /// The connection on which the request was sent, or `nil` before that.
    package fileprivate(set) var connection: ConnectionID?
    /// The sides that have ended their part of the call.
    private(set) var endedSides: Sides = []
    /// The time of the first device move after the call was bound.
    var changedAt: Instant?
    package fileprivate(set) var end: CallEnd?
    package fileprivate(set) var endedAt = Instant.zero
    /// Whether the call had not ended when the run was over.
    package var wasUnfinished = false

    // Mutating functions, because a record changes several fields of a row in one access to the
    // table.

    mutating func start(on endpoint: EndpointID, _ settings: CallSettings) {
      self.endpoint = endpoint.index
      deadline = settings.deadline
      failsFast = settings.failsFast
      awaitsToken = settings.awaitsToken
    }

    /// Moves the deadline by the time for which the clock of the client's timers was stopped.
    mutating func postponeDeadline(by slept: Interval) {
      if deadline != .never { deadline = deadline + slept }
    }

    mutating func bind(to channel: ChannelID, isNew: Bool) {
      self.channel = channel
      channelIsNew = isNew
    }

    /// Introduces the call, or starts another attempt with a new identifier.
    mutating func introduce(as id: CallID) {
      guard self.id != nil else {
        self.id = id
        return
      }
      let changedAt = self.changedAt
      self = Call()
      self.id = id
      self.changedAt = changedAt
    }

    mutating func finish(_ end: CallEnd, at now: Instant) {
      self.end = end
      endedAt = now
    }

    mutating func run(on connection: ConnectionID) { self.connection = connection }

    mutating func note(endOf side: Sides) { endedSides.insert(side) }

    /// The two sides of a call.
    struct Sides: OptionSet, BitwiseCopyable, Hashable, Sendable {
      let rawValue: UInt8

      /// The client has sent the end of the requests.
      static let requests = Sides(rawValue: 1)
      /// The server has ended the answer, and the client has received that end.
      static let answer = Sides(rawValue: 2)
    }

    package var isStarted: Bool { endpoint != .max }
    var isUnfinished: Bool { id != nil && end == nil }
    package var isBound: Bool { channel != nil }
    package var isRunning: Bool { connection != nil }
    /// Whether the call is bound or running and has not ended.
    var isAttached: Bool { isUnfinished && (isBound || isRunning) }

    /// Returns whether the call is bound to the channel of a key and has no connection yet.
    func waits(on endpoint: UInt32) -> Bool {
      isUnfinished && isBound && !isRunning && self.endpoint == endpoint
    }
  }

  package struct Channel: BitwiseCopyable, Hashable, Sendable {
    package var host: UInt32
    package var generation: UInt32 = 0
    package var state: ChannelState = .shutdown
    /// The 1-based number of the channel among all channels created so far; 0 before its creation.
    package var number = 0
    /// The number of channels that the key has had.
    package var made = 0
    /// The reason for the destruction and its time, or `nil` while the channel is alive.
    package var reason: DestroyReason?
    package var destroyedAt = Instant.zero
    /// The connection that was last opened for the channel.
    var latest: ConnectionID?
    /// The start of the last connection attempt, and the number of consecutive failures before it.
    var lastAttempt: Instant?
    var failuresBeforeIt = 0
    /// The number of failed attempts since the last success.
    var failures = 0
    /// A call of the script with this key, used for its options.
    var anyCall: UInt32 = .max
    /// The number of unfinished calls bound to the channel, and of calls of the key without a
    /// connection.
    var bound = 0
    var waiting = 0

    package var exists: Bool { state != .shutdown }

    mutating func begin(generation: UInt32) {
      self.generation = generation
      state = .idle
      made += 1
      reason = nil
      latest = nil
      lastAttempt = nil
      failures = 0
    }

    /// Changes the state, and the generation if a new channel replaces the old one.
    ///
    /// - Returns: the new state, and the number of calls that are bound to a destroyed channel.
    mutating func become(
      _ state: ChannelState, generation: UInt32?
    ) -> (state: ChannelState, unbound: Int) {
      let (existed, former) = (exists, self.generation)
      self.state = state
      if let generation { begin(generation: generation) }
      guard former != self.generation || existed != exists else { return (self.state, 0) }
      let unbound = bound
      bound = 0
      return (self.state, unbound)
    }

    mutating func attempt(_ connection: ConnectionID, at now: Instant) {
      latest = connection
      lastAttempt = now
      failuresBeforeIt = failures
    }
  }

  package struct Connection: BitwiseCopyable, Hashable, Sendable {
    package var id: ConnectionID
    package var channel: ChannelID
    var host: UInt32
    package var path: PathIndex?
    package var phase: Phase
    /// Whether the connection was ever established.
    package var wasOpen = false
    package var isDraining = false
    package var isStalled = false
    package var isFull = false
    /// The address of the connection, if its host has several addresses and an expectation needs
    /// it.
    var address = UInt16.max

    var endpoint: UInt32 { channel.endpoint.index }

    package enum Phase: BitwiseCopyable, Hashable, Sendable {
      case attempted
      case open
      case closed
    }
  }

  /// The end of a call, and its time.
  struct End: BitwiseCopyable {
    var end: CallEnd
    var at: Instant
  }

  /// The kernel counters of the device at the end of the run.
  struct KernelCounts: BitwiseCopyable, Hashable {
    var retransmitted: Int
    var resets: Int
    var sockets: Int
  }

  struct Host: BitwiseCopyable, Hashable, Sendable {
    var alive = 0
    var destroyed = 0
    var attempts = 0
    var open = 0
    var received = 0
    /// The number of connections that were established.
    var accepted = 0
    /// The number of the host's keys that ever had a channel.
    var made = 0

    mutating func loseChannel() {
      alive -= 1
      destroyed += 1
    }
  }
}

/// The positions of calls whose rows in the client's table later calls have reused.
///
/// The latest calls are in a short list, because most lookups are for one of them and most runs
/// have few such calls. Older calls are in a dictionary.
struct FormerCalls {
  private var latest = ReusedArray<Former>()
  private var older: [CallID: UInt32] = [:]  // lookup only
  /// Whether `older` has entries; checking the dictionary itself is slower.
  private var hasOlder = false
  private static let most = 16

  private struct Former: BitwiseCopyable {
    var id: CallID
    var index: UInt32
  }

  var isEmpty: Bool { latest.count == 0 }

  mutating func removeAll() {
    latest.removeAll()
    guard hasOlder else { return }
    older.removeAll(keepingCapacity: true)
    hasOlder = false
  }

  /// Adds a call that has lost its row; the call may have lost a row before, in an earlier attempt.
  mutating func append(_ id: CallID, _ index: UInt32) {
    if latest.count == Self.most {
      for call in latest { older[call.id] = call.index }
      hasOlder = true
      latest.removeAll()
    }
    latest.append(Former(id: id, index: index))
  }

  @inline(never)
  func index(of id: CallID) -> Int? {
    if let known = latest.last(where: { $0.id == id }) { return Int(known.index) }
    return hasOlder ? older[id].map { Int($0) } : nil
  }
}

// Queries on the rows.
extension RunProjection {
  /// The category that the monitor received last.
  var heldCategory: NetworkCategory { receivedFlags.map(NetworkCategory.init) ?? .unknown }

  /// Whether the application is suspended.
  var isSuspended: Bool { !app.runs }

  /// Returns whether the client has the key of a channel; a backend may report any key.
  func knows(_ endpoint: EndpointID) -> Bool { endpoint.index < channels.count }

  /// Returns whether a connection was ever established.
  package func wasOpen(_ id: ConnectionID) -> Bool {
    let number = number(of: id)
    return number <= connections.count && connections[number - 1].wasOpen
  }

  /// Returns the newest channel of a key if it has the given identifier, or `nil` otherwise.
  package func channel(_ id: ChannelID) -> Channel? {
    guard knows(id.endpoint) else { return nil }
    let known = channels[Int(id.endpoint.index)]
    return known.number > 0 && known.generation == id.generation ? known : nil
  }

  /// Returns whether a call has interceptors between its caller and the client.
  func isIntercepted(_ index: Int) -> Bool {
    !chains.isEmpty && script.calls[index].isIntercepted(by: script.configuration.chain)
  }

  /// Returns the end of a call as its caller saw it, or `nil` if the call has not ended.
  @inline(__always)
  func outcome(of index: Int) -> (end: CallEnd, at: Instant)? {
    if isIntercepted(index) { return chains[index].end.map { ($0, chains[index].endedAt) } }
    return calls[index].end.map { ($0, calls[index].endedAt) }
  }

  /// Returns the states of the live channels, or SHUTDOWN if all channels were destroyed.
  func channelStates(of selector: HostSelector) -> [ChannelState] {
    let made = channels.filter { selector.includes(Int($0.host)) && $0.generation > 0 }
    let alive = made.filter(\.exists).map(\.state)
    return alive.isEmpty && !made.isEmpty ? [.shutdown] : alive
  }

  /// Returns whether a channel has not been destroyed.
  @inline(__always)
  func isAlive(_ channel: ChannelID) -> Bool {
    guard knows(channel.endpoint) else { return false }
    let known = channels[Int(channel.endpoint.index)]
    return known.exists && known.generation == channel.generation
  }

  /// Returns the phase of a connection, or `nil` if another connection has reused its row.
  func phase(of id: ConnectionID) -> Connection.Phase? {
    index(of: id).map { connections[$0].phase }
  }

  /// Returns whether a channel has a connection that accepts new calls.
  ///
  /// The function is mutating, because a nonmutating function would receive a copy.
  mutating func hasUsableConnection(_ channel: ChannelID) -> Bool {
    guard let latest = channels[Int(channel.endpoint.index)].latest, let index = index(of: latest)
    else { return false }
    return connections[index].phase == .open && !connections[index].isDraining
  }

  /// Returns the key of a connection attempt in progress, or `nil` if there is none.
  func endpointAttempted(by id: ConnectionID) -> UInt32? {
    guard let index = index(of: id), connections[index].phase == .attempted else { return nil }
    return connections[index].endpoint
  }

  /// Returns the 1-based number of a connection, even if another connection has reused its row.
  ///
  /// For a connection that was never opened, the result is the next number.
  package func number(of id: ConnectionID) -> Int {
    let known = index(of: id) ?? connections.lastIndex { $0.id == id }
    return (known ?? connections.count) + 1
  }

  /// Returns the status message of a call, or an empty string if there is none.
  package func message(of index: Int) -> String {
    outcome(of: index).map { message(of: index, endedAs: $0.end) } ?? ""
  }

  /// Returns the status message for an end of a call.
  func message(of index: Int, endedAs end: CallEnd) -> String {
    guard !isIntercepted(index), let id = calls[index].id else { return end.text.text }
    return endTexts.text(of: id, end)
  }

  /// Returns a total of one host or of all hosts.
  func sum(_ selector: HostSelector, _ part: (Host) -> Int) -> Int {
    switch selector {
    case .one(let host): part(hosts[host])
    case .all: part(allHosts)
    }
  }

  /// Returns the server counts that an expectation refers to, for one host or for all hosts.
  func counts(of selector: HostSelector, _ wanted: ServerExpectation) -> ServerSights.Counts {
    guard servers.isAsked else {
      return ServerSights.Counts(
        received: sum(selector, \.received), accepted: sum(selector, \.accepted))
    }
    return servers.counts(selector, wanted)
  }

  /// Returns the state that all live channels of a host share.
  ///
  /// If all channels were destroyed, the result is SHUTDOWN. It is `nil` if the states differ, no
  /// channel was ever created, or channels are not counted.
  func commonState(of selector: HostSelector) -> ChannelState? {
    guard countsChannels else { return nil }
    let states = ChannelState.allCases
    let first = row(of: selector) * states.count
    let found = states.indices.filter { stateCounts[first + $0] > 0 }
    if found.count == 1 { return states[found[0]] }
    return found.isEmpty && sum(selector, \.made) > 0 ? .shutdown : nil
  }

  /// Returns the network that all open connections of a host share.
  ///
  /// The result is `nil` if the networks differ, no connection is open, the connections have no
  /// network, or connections are not counted.
  func commonPath(of selector: HostSelector) -> PathIndex? {
    guard countsChannels else { return nil }
    let first = row(of: selector) * pathSlotCount
    let found = (0..<pathSlotCount).filter { pathCounts[first + $0] > 0 }
    guard found.count == 1, found[0] < pathSlotCount - 1 else { return nil }
    return PathIndex(UInt8(truncatingIfNeeded: found[0]))
  }

  /// Returns the row of a host, or of the totals over all hosts, in the count tables.
  private func row(of selector: HostSelector) -> Int {
    switch selector {
    case .one(let host): host
    case .all: hosts.count
    }
  }
}
