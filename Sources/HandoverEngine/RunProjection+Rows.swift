package import HandoverCore
import HandoverScenario
import HandoverTrace

// What is known of one call, channel, connection and host.
extension RunProjection {
  package struct Call: BitwiseCopyable, Hashable, Sendable {
    package fileprivate(set) var id: CallID?
    var endpoint = UInt32.max
    package fileprivate(set) var deadline = Instant.never
    var failsFast = false
    package fileprivate(set) var awaitsToken = false
    /// The channel it was bound to; nil before.
    package fileprivate(set) var channel: ChannelID?
    var channelIsNew = false
    /// The connection that its request was sent on; nil before.
    package fileprivate(set) var connection: ConnectionID?
    /// The sides that have ended their part of the call.
    private(set) var endedSides: Sides = []
    /// When the device first moved under the bound call.
    var changedAt: Instant?
    package fileprivate(set) var end: CallEnd?
    package fileprivate(set) var endedAt = Instant.zero
    /// Whether it had no end when the run was over.
    package var wasUnfinished = false

    // A record changes several parts of a row at once; each of these is one access to the table.

    mutating func start(on endpoint: EndpointID, _ settings: CallSettings) {
      self.endpoint = endpoint.index
      deadline = settings.deadline
      failsFast = settings.failsFast
      awaitsToken = settings.awaitsToken
    }

    /// The clock of the client's timers stood still for a time.
    mutating func postponeDeadline(by slept: Interval) {
      if deadline != .never { deadline = deadline + slept }
    }

    mutating func bind(to channel: ChannelID, isNew: Bool) {
      self.channel = channel
      channelIsNew = isNew
    }

    /// It is introduced, or another attempt begins under it, with an identifier of its own.
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
      /// The server has ended the answer, and the client knows it.
      static let answer = Sides(rawValue: 2)
    }

    package var isStarted: Bool { endpoint != .max }
    var isUnfinished: Bool { id != nil && end == nil }
    package var isBound: Bool { channel != nil }
    package var isRunning: Bool { connection != nil }
    /// Whether it is one of those that are bound or run, and have not ended.
    @inline(__always)
    var isAttached: Bool { isUnfinished && (isBound || isRunning) }

    /// Whether it is bound to the channel of a key and has no connection yet.
    func waits(on endpoint: UInt32) -> Bool {
      isUnfinished && isBound && !isRunning && self.endpoint == endpoint
    }
  }

  package struct Channel: BitwiseCopyable, Hashable, Sendable {
    package var host: UInt32
    package var generation: UInt32 = 0
    package var state: ChannelState = .shutdown
    /// Which of all channels it was that were made so far, counted from 1; 0 before.
    package var number = 0
    /// How many channels its key has had.
    package var made = 0
    /// Why it was destroyed, and when; nil while it lives.
    package var reason: DestroyReason?
    package var destroyedAt = Instant.zero
    /// The connection that was opened for it last.
    var latest: ConnectionID?
    /// The start of the last attempt to connect, and how many before it failed in a row.
    var lastAttempt: Instant?
    var failuresBeforeIt = 0
    /// How many attempts failed since the last success.
    var failures = 0
    /// A call of the script that has this key, for its options.
    var anyCall: UInt32 = .max
    /// How many unfinished calls are bound to it, and how many of this key have no connection yet.
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

    /// Changes its state, and its generation where another takes the place of the one before.
    ///
    /// - Returns: the state it has now, and how many calls are bound to a channel that is no more.
    @inline(__always)
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
    /// Whether the attempt to make it succeeded, whatever became of it since.
    package var wasOpen = false
    package var isDraining = false
    package var isStalled = false
    package var isFull = false
    /// The address that it was made to, where its host has several and somebody asks for it.
    var address = UInt16.max

    var endpoint: UInt32 { channel.endpoint.index }

    package enum Phase: BitwiseCopyable, Hashable, Sendable {
      case attempted
      case open
      case closed
    }
  }

  /// How a call ended, and when.
  struct End: BitwiseCopyable {
    var end: CallEnd
    var at: Instant
  }

  /// What the device's kernel had counted when the run was over.
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
    /// How many connections came to stand.
    var accepted = 0
    /// How many of its keys ever had a channel.
    var made = 0

    mutating func loseChannel() {
      alive -= 1
      destroyed += 1
    }
  }
}

/// The calls of a run whose rows of the client's table other calls have had since, with their
/// places in the script.
///
/// The latest stand in a short list, because who asks for one of them asks for one of the last, and
/// most runs have few; whatever is older is looked up.
struct FormerCalls {
  private var latest = ReusedArray<Former>()
  private var older: [CallID: UInt32] = [:]  // lookup only
  /// Whether there are any; to ask the dictionary costs more.
  private var hasOlder = false
  private static let most = 16

  private struct Former: BitwiseCopyable {
    var id: CallID
    var index: UInt32
  }

  @inline(__always)
  var isEmpty: Bool { latest.count == 0 }

  mutating func removeAll() {
    latest.removeAll()
    guard hasOlder else { return }
    older.removeAll(keepingCapacity: true)
    hasOlder = false
  }

  /// A call has lost its row; it may have lost one before, as another attempt.
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

// What is asked of the rows.
extension RunProjection {
  /// The category that the monitor heard last.
  @inline(__always)
  var heldCategory: NetworkCategory { heardFlags.map(NetworkCategory.init) ?? .unknown }

  /// Whether the application does not run.
  @inline(__always)
  var isSuspended: Bool { !app.runs }

  /// Whether a channel is of a key that the client has; a backend may tell of any.
  @inline(__always)
  func knows(_ endpoint: EndpointID) -> Bool { endpoint.index < channels.count }

  /// Whether the attempt to make a connection has succeeded, whatever became of it since.
  package func wasOpen(_ id: ConnectionID) -> Bool {
    let number = number(of: id)
    return number <= connections.count && connections[number - 1].wasOpen
  }

  /// The newest channel of the key of an identifier, where it is that one; nil otherwise.
  package func channel(_ id: ChannelID) -> Channel? {
    guard knows(id.endpoint) else { return nil }
    let known = channels[Int(id.endpoint.index)]
    return known.number > 0 && known.generation == id.generation ? known : nil
  }

  /// Whether interceptors stand between a call's user and the client.
  @inline(__always)
  func isIntercepted(_ index: Int) -> Bool {
    !chains.isEmpty && script.calls[index].isIntercepted(by: script.configuration.chain)
  }

  /// How a call ended for its user, and when; nil where it has not.
  @inline(__always)
  func outcome(of index: Int) -> (end: CallEnd, at: Instant)? {
    if isIntercepted(index) { return chains[index].end.map { ($0, chains[index].endedAt) } }
    return calls[index].end.map { ($0, calls[index].endedAt) }
  }

  /// The states of the channels that live; where none does, one SHUTDOWN if there ever was any.
  func channelStates(of selector: HostSelector) -> [ChannelState] {
    let made = channels.filter { selector.includes(Int($0.host)) && $0.generation > 0 }
    let alive = made.filter(\.exists).map(\.state)
    return alive.isEmpty && !made.isEmpty ? [.shutdown] : alive
  }

  /// Whether a channel has not been destroyed.
  @inline(__always)
  func isAlive(_ channel: ChannelID) -> Bool {
    guard knows(channel.endpoint) else { return false }
    let known = channels[Int(channel.endpoint.index)]
    return known.exists && known.generation == channel.generation
  }

  /// Where a connection stands; nil where another has its row since.
  @inline(__always)
  func phase(of id: ConnectionID) -> Connection.Phase? {
    index(of: id).map { connections[$0].phase }
  }

  /// Whether a channel has a connection that takes new calls.
  func hasUsableConnection(_ channel: ChannelID) -> Bool {
    guard let latest = channels[Int(channel.endpoint.index)].latest, let index = index(of: latest)
    else { return false }
    return connections[index].phase == .open && !connections[index].isDraining
  }

  /// The key of an attempt to make a connection that is under way; nil where it is not.
  @inline(__always)
  func endpointAttempted(by id: ConnectionID) -> UInt32? {
    guard let index = index(of: id), connections[index].phase == .attempted else { return nil }
    return connections[index].endpoint
  }

  /// The number of a connection, counted from 1, though another may have its row since; of one that
  /// nobody opened it is the next number.
  package func number(of id: ConnectionID) -> Int {
    let known = index(of: id) ?? connections.lastIndex { $0.id == id }
    return (known ?? connections.count) + 1
  }

  /// The text beside the end of a call; empty where it has none.
  package func message(of index: Int) -> String {
    outcome(of: index).map { message(of: index, endedAs: $0.end) } ?? ""
  }

  /// The text beside an end of a call.
  func message(of index: Int, endedAs end: CallEnd) -> String {
    guard !isIntercepted(index), let id = calls[index].id else { return end.text.text }
    return endTexts.text(of: id, end)
  }

  /// The sum over one host or all.
  func sum(_ selector: HostSelector, _ part: (Host) -> Int) -> Int {
    switch selector {
    case .one(let host): part(hosts[host])
    case .all: part(allHosts)
    }
  }

  /// What the server of a host, or all, has seen of what an expectation asks for.
  func counts(of selector: HostSelector, _ wanted: ServerExpectation) -> ServerSights.Counts {
    guard servers.isAsked else {
      return ServerSights.Counts(
        received: sum(selector, \.received), accepted: sum(selector, \.accepted))
    }
    return servers.counts(selector, wanted)
  }

  /// The state that all channels of a host are in that live, or SHUTDOWN where none does of those
  /// there were; nil where they differ, there never was any, or nobody counts them.
  func commonState(of selector: HostSelector) -> ChannelState? {
    guard countsChannels else { return nil }
    let states = ChannelState.allCases
    let first = row(of: selector) * states.count
    let found = states.indices.filter { stateCounts[first + $0] > 0 }
    if found.count == 1 { return states[found[0]] }
    return found.isEmpty && sum(selector, \.made) > 0 ? .shutdown : nil
  }

  /// The path that all open connections of a host were made on; nil where they differ, none is
  /// open, they were made on none, or nobody counts them.
  func commonPath(of selector: HostSelector) -> PathIndex? {
    guard countsChannels else { return nil }
    let first = row(of: selector) * pathPlaces
    let found = (0..<pathPlaces).filter { pathCounts[first + $0] > 0 }
    guard found.count == 1, found[0] < pathPlaces - 1 else { return nil }
    return PathIndex(UInt8(truncatingIfNeeded: found[0]))
  }

  /// The row of a host, or of all, in what is counted for each.
  private func row(of selector: HostSelector) -> Int {
    switch selector {
    case .one(let host): host
    case .all: hosts.count
    }
  }
}
