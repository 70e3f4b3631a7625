package import HandoverCore
package import HandoverTrace

/// How a run stands after some of its records: device, monitor, channels, connections, calls,
/// chains, requests and threads.
///
/// The judge, its rules, the time line, the page, `explain` and `replay` look at this and rebuild
/// nothing, so that every backend is judged and told of by the same eyes. It is a value in flat
/// rows; what a record names that the script does not have is passed over.
///
/// It has some forty properties and 700 lines: each is one thing that a record changes and somebody
/// asks for, and most records change several that would lie in different parts.
///
/// Its tables ask nobody whether they are shared. It asks once for all of them, before it takes in
/// one record or many (``own()``).
package struct RunProjection {
  /// What was played.
  var script = Script()
  /// The calls, by their places in the script.
  package internal(set) var calls = Rows<Call>()
  /// The newest channel of each key.
  package internal(set) var channels = Rows<Channel>()
  /// Every connection so far, in the order of opening.
  package internal(set) var connections = Rows<Connection>()
  var hosts = Rows<Host>()
  /// All hosts together.
  var allHosts = Host()
  /// The hosts of which something changed, in order; only where somebody wants to know it.
  var notesHosts = false
  var hostChanges: ContiguousArray<UInt32> = []
  /// Whether the states of channels and the paths of connections are counted; nobody pays for it
  /// who does not ask for ``commonState(of:)`` or ``commonPath(of:)``.
  var countsChannels = true
  /// The chains of the calls; empty where the script has no interceptors.
  var chains: ContiguousArray<ChainState> = []
  /// What all calls did together with each link of the script.
  var links: ContiguousArray<LinkSum> = []
  /// The requests; empty where the script has none.
  package internal(set) var requests = RequestStates()
  var notifications = 0
  /// The flags that the last entry gave the device.
  package internal(set) var flags: ReachabilityFlags = []
  /// The path the device is on since it moved last; that of the script before.
  package internal(set) var path: PathIndex?
  package internal(set) var app = AppState.foreground
  /// Whether the monitor has read or heard anything, and the flags it heard last.
  package internal(set) var monitorHasBegun = false
  package internal(set) var heardFlags: ReachabilityFlags?
  var lastReturn: Instant?
  var wentToBackground = Instant.zero
  /// The clock of the client's timers.
  var clientClock = ClientClock()
  /// From a move of the device to the end of each call that it ended.
  var figures = ReusedArray<Interval>()
  /// When the device moved last; nil before.
  package internal(set) var lastMovedAt: Instant?
  /// How many calls a move of the device met that had no end when the run was over.
  var neverEnded = 0
  /// Why the run is over; what follows is the closing of the client.
  package internal(set) var runEnd: RunEnd?
  /// Faults that had an effect, by their places in the timeline.
  package internal(set) var effectiveFaults = ReusedArray<UInt32>()
  /// How far from its instant a thing may happen: nothing in virtual time.
  var tolerance = Interval.zero
  /// Whether the backend shows its channels.
  var seesChannels = true
  /// What facts of chains refer to.
  var texts: ContiguousArray<String> = []
  /// What clients elsewhere say of the ends of calls.
  var endTexts = EndTexts()
  /// What changed chains, in order; only where somebody wants to know it.
  var notesChains = false
  var chainChanges: ContiguousArray<ChainFact> = []
  /// How many channels were made.
  var channelCount = 0
  /// The connections by the rows of their identifiers.
  var connectionPlaces = Rows<UInt32>()
  /// The places of calls by the rows of their identifiers.
  var places = Rows<UInt32>()
  /// The same of calls whose rows other calls have had since.
  var formerCalls = FormerCalls()
  /// How many channels there are, how many unfinished calls are bound or run, and how many of these
  /// are bound to a channel that is no more; each spares a walk through all of them.
  var existing = 0
  var attached = 0
  var orphans = 0
  /// Calls that a move of the device may meet; some have ended since, or stand here twice.
  var movable = Rows<UInt32>()
  /// How many channels of each host are in each state, and how many of its open connections were
  /// made on each path, of which the last is none; after the hosts all of them together.
  var stateCounts: ContiguousArray<Int> = []
  var pathCounts: ContiguousArray<Int> = []
  /// What servers have seen, where somebody asks for more than their sums.
  var servers = ServerSights()
  /// The connection that what a server reads next came over; nil where nobody says it.
  var readOver: ConnectionID?
  /// What the device's kernel had counted when the run was over; nil before, and in virtual time.
  var kernel: KernelCounts?

  /// What copies have in common that still share their tables.
  private var sharing = Sharing()

  package init() {}

  /// A run of which no record was taken in.
  package init(_ script: Script, of trace: Trace) {
    begin(script, of: trace)
  }

  /// Forgets everything of the run before; its room is used again.
  ///
  /// - Parameters:
  ///   - script: what is played.
  ///   - trace: what the records refer to beside themselves.
  ///   - tolerance: how far from its instant a thing may happen.
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
    connectionPlaces.removeAll()
    places.removeAll()
    formerCalls.removeAll()
    chainChanges.empty()
    existing = 0
    attached = 0
    orphans = 0
    movable.removeAll()
    if countsChannels {
      stateCounts.fill(0, count: (script.hosts.count + 1) * Self.stateCount)
      pathCounts.fill(0, count: (script.hosts.count + 1) * pathPlaces)
    }
    notifications = 0
    flags = script.initial.flags
    path = script.initial.path
    app = .foreground
    monitorHasBegun = false
    heardFlags = nil
    lastReturn = nil
    clientClock = ClientClock(script.configuration.clock)
    figures.removeAll()
    lastMovedAt = nil
    neverEnded = 0
    runEnd = nil
    effectiveFaults.removeAll()
  }

  /// Gives it tables of its own where a copy shares them; before anything is changed.
  @inline(__always)
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
    connectionPlaces.detach()
    places.detach()
    movable.detach()
  }

  /// Takes up what further records refer to, where the trace grew since the beginning.
  mutating func refer(to trace: Trace) {
    own()
    texts = trace.texts
    endTexts = trace.endTexts
    addChannels(of: trace)
  }

  /// Forgets what became of the channels of the run before; mostly there are as many in this one.
  private mutating func beginChannels(of trace: Trace) {
    guard channels.count == trace.endpointHosts.count else {
      channels.removeAll()
      addChannels(of: trace)
      return
    }
    for index in channels.indices {
      let host = trace.endpointHosts[index]
      guard host < hosts.count else { return channels.removeLast(channels.count - index) }
      channels[index] = Channel(host: host)
    }
  }

  /// Adds the channels that the trace names and that are not known yet, up to one whose host no
  /// script has.
  private mutating func addChannels(of trace: Trace) {
    for host in trace.endpointHosts.dropFirst(channels.count) {
      guard host < hosts.count else { return }
      channels.append(Channel(host: host))
    }
  }

  /// The place in the script of a call; nil for one that nobody introduced.
  @inline(__always)
  package func index(of call: CallID) -> Int? {
    if call.index < places.count {
      let index = Int(places[Int(call.index)])
      if index < calls.count, calls[index].id == call { return index }
    }
    guard !formerCalls.isEmpty, let former = formerCalls.index(of: call), calls[former].id == call
    else { return nil }
    return former
  }

  @inline(__always)
  func connection(_ id: ConnectionID) -> Connection? { index(of: id).map { connections[$0] } }

  /// The place of a connection; nil where another has its row since.
  @inline(__always)
  func index(of id: ConnectionID) -> Int? {
    guard id.index < connectionPlaces.count else { return nil }
    let index = Int(connectionPlaces[Int(id.index)])
    return connections[index].id == id ? index : nil
  }

  /// Notes how each call has ended, nil where it has not.
  ///
  /// A function that may change the run, because one that only looked would be handed a copy.
  mutating func takeEnds(into ends: inout ReusedArray<End?>) {
    ends.removeAll()
    for index in calls.indices {
      ends.append(outcome(of: index).map { End(end: $0.end, at: $0.at) })
    }
  }

  /// Whether a short request waits beside a free slot; only what changed is looked at.
  mutating func someRequestStarves() -> Bool {
    let hosts = script.hosts
    let total = script.configuration.requests.limits.total
    return requests.someUsageStarves { usage, host in
      usage.running < Int(hosts[host].streams ?? total)
    }
  }

  var pathPlaces: Int { script.paths.count + 1 }

  func pathPlace(_ path: PathIndex?) -> Int {
    min(path.map { Int($0.index) } ?? .max, pathPlaces - 1)
  }
}
