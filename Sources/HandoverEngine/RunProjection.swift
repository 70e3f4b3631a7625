package import HandoverCore

/// The state of a run after some of its records: device, monitor, channels, connections, calls,
/// chains, requests and threads.
///
/// The checker, its invariants, the timeline, the report page, `explain` and `replay` all read this
/// state and derive nothing themselves. Every backend is therefore judged and described in the same
/// way. The state is a value in flat rows. Records that name objects outside the script are
/// ignored.
///
/// The type has many properties. Each property is changed by records and read by other code. The
/// type is not divided, because most records change several properties that would be in different
/// parts.
///
/// The tables do not check whether they are shared. Each record checks once for all tables
/// (``own()``).
package struct RunProjection {
  /// The script of the run.
  var script = Script()
  /// The calls, indexed by their positions in the script.
  package internal(set) var calls = Rows<Call>()
  /// The newest channel of each key.
  package internal(set) var channels = Rows<Channel>()
  /// All connections so far, in the order of opening.
  package internal(set) var connections = Rows<Connection>()
  var hosts = Rows<Host>()
  /// The totals over all hosts.
  var allHosts = Host()
  /// The hosts that changed, in order; recorded only if `notesHosts` is set.
  var notesHosts = false
  var hostChanges: ContiguousArray<UInt32> = []
  /// Whether the states of channels and the networks of connections are counted.
  ///
  /// The counts are needed only for ``commonState(of:)`` and ``commonPath(of:)``; other users avoid
  /// their cost.
  var countsChannels = true
  /// The chains of the calls; empty if the script has no interceptors.
  var chains: ContiguousArray<ChainState> = []
  /// The totals over all calls for each interceptor of the script.
  var links: ContiguousArray<LinkSum> = []
  /// The requests; empty if the script has none.
  package internal(set) var requests = RequestStates()
  var notifications = 0
  /// The flags that the last entry gave the device.
  package internal(set) var flags: ReachabilityFlags = []
  /// The network of the device after its last move, or the initial network of the script.
  package internal(set) var path: PathIndex?
  package internal(set) var app = AppState.foreground
  /// Whether the monitor has received any flags, and the flags that it received last.
  package internal(set) var monitorHasBegun = false
  package internal(set) var receivedFlags: ReachabilityFlags?
  var lastReturn: Instant?
  var backgroundStart = Instant.zero
  /// The clock of the client's timers.
  var clientClock = ClientClock()
  /// The times from a device move to the end of each call that it ended.
  var figures = ReusedArray<Interval>()
  /// The time of the last device move, or `nil` before the first move.
  package internal(set) var lastMovedAt: Instant?
  /// The number of calls that a device move affected and that had not ended when the run was over.
  var neverEnded = 0
  /// The reason why the run ended; the following records only close the client.
  package internal(set) var runEnd: RunEnd?
  /// The faults that took effect, by their positions in the timeline.
  package internal(set) var effectiveFaults = ReusedArray<UInt32>()
  /// The maximum deviation of an event from its instant; zero in virtual time.
  var tolerance = Interval.zero
  /// Whether the backend shows its channels.
  var seesChannels = true
  /// The texts that facts about chains refer to.
  var texts: ContiguousArray<String> = []
  /// The status messages that external clients reported for the ends of calls.
  var endTexts = EndTexts()
  /// The facts that changed chains, in order; recorded only if `notesChains` is set.
  var notesChains = false
  var chainChanges: ContiguousArray<ChainFact> = []
  /// The number of channels created so far.
  var channelCount = 0
  /// The positions of connections, indexed by the rows of their identifiers.
  var connectionPositions = Rows<UInt32>()
  /// The positions of calls, indexed by the rows of their identifiers.
  var positions = Rows<UInt32>()
  /// The positions of calls whose identifier rows later calls have reused.
  var formerCalls = FormerCalls()
  /// The number of live channels, of unfinished calls that are bound or running, and of such calls
  /// whose channel was destroyed.
  ///
  /// Each count avoids a walk through all rows.
  var existing = 0
  var attached = 0
  var orphans = 0
  /// The calls that a device move may affect; entries may be ended calls or duplicates.
  var movable = Rows<UInt32>()
  /// The number of channels per host and state, and of open connections per host and network.
  ///
  /// The last network index means no network. The rows after those of the hosts are the totals over
  /// all hosts.
  var stateCounts: ContiguousArray<Int> = []
  var pathCounts: ContiguousArray<Int> = []
  /// The server values that expectations need in addition to the totals.
  var servers = ServerSights()
  /// The connection of the server's next read, or `nil` if the trace does not record it.
  var readOver: ConnectionID?
  /// The kernel counters at the end of the run, or `nil` before the end and in virtual time.
  var kernel: KernelCounts?

  /// The token that copies share as long as they share their tables.
  private var sharing = Sharing()

  package init() {}

  /// Creates the state of a run before its first record.
  package init(_ script: Script, of trace: Trace) {
    begin(script, of: trace)
  }

  /// Resets the state for a new run; reuses the memory of the previous run.
  ///
  /// - Parameters:
  ///   - script: the script of the run.
  ///   - trace: the trace that contains the data that the records refer to.
  ///   - tolerance: the maximum deviation of an event from its instant.
  ///   - seesChannels: whether the backend shows its channels.
  mutating func begin(
    _ script: Script, of trace: Trace, tolerance: Interval = .zero, seesChannels: Bool = true
  ) {
    own()
    self.script = script
    if !texts.isEmpty || !trace.texts.isEmpty { texts = trace.texts }
    if !endTexts.isEmpty || !trace.endTexts.isEmpty { endTexts = trace.endTexts }
    self.tolerance = tolerance
    self.seesChannels = seesChannels
    chains.empty()
    if !script.configuration.chain.links.isEmpty {
      chains.append(contentsOf: repeatElement(ChainState(), count: script.calls.count))
    }
    links.fill(LinkSum(), count: script.configuration.chain.links.count)
    requests.begin(script)
    calls.fill(with: Call(), count: script.calls.count)
    hosts.fill(with: Host(), count: script.hosts.count)
    allHosts = Host()
    hostChanges.empty()
    servers.begin()
    readOver = nil
    kernel = nil
    beginChannels(of: trace)
    channelCount = 0
    connections.removeAll()
    connectionPositions.removeAll()
    positions.removeAll()
    formerCalls.removeAll()
    chainChanges.empty()
    existing = 0
    attached = 0
    orphans = 0
    movable.removeAll()
    if countsChannels {
      stateCounts.fill(0, count: (script.hosts.count + 1) * Self.stateCount)
      pathCounts.fill(0, count: (script.hosts.count + 1) * pathSlotCount)
    }
    notifications = 0
    flags = script.initial.flags
    path = script.initial.path
    app = .foreground
    monitorHasBegun = false
    receivedFlags = nil
    lastReturn = nil
    clientClock = ClientClock(script.configuration.clock)
    figures.removeAll()
    lastMovedAt = nil
    neverEnded = 0
    runEnd = nil
    effectiveFaults.removeAll()
  }

  /// Makes the tables unique if a copy shares them; call this before any change.
  mutating func own() {
    if !isKnownUniquelyReferenced(&sharing) { detachTables() }
  }

  @inline(never)
  private mutating func detachTables() {
    sharing = Sharing()
    calls.detach()
    channels.detach()
    connections.detach()
    hosts.detach()
    connectionPositions.detach()
    positions.detach()
    movable.detach()
  }

  /// Resets the channels, up to the first one whose host is not in the script.
  ///
  /// Most runs have as many channels as the previous one.
  private mutating func beginChannels(of trace: Trace) {
    guard channels.count == trace.endpointHosts.count else {
      channels.removeAll()
      for host in trace.endpointHosts {
        guard host < hosts.count else { return }
        channels.append(Channel(host: host))
      }
      return
    }
    for index in channels.indices {
      let host = trace.endpointHosts[index]
      guard host < hosts.count else { return channels.removeLast(channels.count - index) }
      channels[index] = Channel(host: host)
    }
  }

  /// Returns the position of a call in the script, or `nil` if no record introduced the call.
  @inline(__always)
  package func index(of call: CallID) -> Int? {
    if call.index < positions.count {
      let index = Int(positions[Int(call.index)])
      if index < calls.count, calls[index].id == call { return index }
    }
    guard !formerCalls.isEmpty, let former = formerCalls.index(of: call), calls[former].id == call
    else { return nil }
    return former
  }

  @inline(__always)
  func connection(_ id: ConnectionID) -> Connection? { index(of: id).map { connections[$0] } }

  /// Returns the index of a connection, or `nil` if another connection has reused its row.
  @inline(__always)
  func index(of id: ConnectionID) -> Int? {
    guard id.index < connectionPositions.count else { return nil }
    let index = Int(connectionPositions[Int(id.index)])
    return connections[index].id == id ? index : nil
  }

  /// Copies the end of each call, or `nil` for an unfinished call.
  ///
  /// The function is mutating, because a nonmutating function would receive a copy.
  mutating func takeEnds(into ends: inout ReusedArray<End?>) {
    ends.removeAll()
    for index in calls.indices {
      ends.append(outcome(of: index).map { End(end: $0.end, at: $0.at) })
    }
  }

  /// Returns whether a short request waits although a slot is free; checks only what changed.
  mutating func someRequestStarves() -> Bool {
    let hosts = script.hosts
    let total = script.configuration.requests.limits.total
    return requests.someUsageStarves { usage, host in
      usage.running < Int(hosts[host].streams ?? total)
    }
  }

  var pathSlotCount: Int { script.paths.count + 1 }

  func pathSlot(_ path: PathIndex?) -> Int {
    min(path.map { Int($0.index) } ?? .max, pathSlotCount - 1)
  }
}
