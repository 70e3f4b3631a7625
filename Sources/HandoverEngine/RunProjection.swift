package import HandoverCore
package import HandoverTrace

/// How a run stands after some of its records: device, monitor, channels, connections, calls,
/// chains, requests and threads.
///
/// The judge, its rules, the time line, the page, `explain` and `replay` look at this and rebuild
/// nothing, so that every backend is judged and told of by the same eyes. It is a value in flat
/// rows; what a record names that the script does not have is passed over.
///
/// It has some forty properties and 600 lines: each is one thing that a record changes and somebody
/// asks for, and most records change several that would lie in different parts.
package struct RunProjection {
  /// What was played.
  private(set) var script = Script()
  /// The calls, by their places in the script.
  package private(set) var calls: ContiguousArray<Call> = []
  /// The newest channel of each key.
  package private(set) var channels: ContiguousArray<Channel> = []
  /// Every connection so far, in the order of opening.
  package private(set) var connections = ReusedArray<Connection>()
  private(set) var hosts: ContiguousArray<Host> = []
  /// All hosts together.
  private(set) var allHosts = Host()
  /// The hosts of which something changed, in order; only where somebody wants to know it.
  var notesHosts = false
  private(set) var hostChanges: ContiguousArray<UInt32> = []
  /// Whether the states of channels and the paths of connections are counted; nobody pays for it
  /// who does not ask for ``commonState(of:)`` or ``commonPath(of:)``.
  var countsChannels = true
  /// The chains of the calls; empty where the script has no interceptors.
  private(set) var chains: ContiguousArray<ChainState> = []
  /// What all calls did together with each link of the script.
  private(set) var links: ContiguousArray<LinkSum> = []
  /// The requests; empty where the script has none.
  package private(set) var requests = RequestStates()
  private(set) var notifications = 0
  /// The flags that the last entry gave the device.
  package internal(set) var flags: ReachabilityFlags = []
  /// The path the device is on since it moved last; that of the script before.
  package private(set) var path: PathIndex?
  package private(set) var app = AppState.foreground
  /// Whether the monitor has read or heard anything, and the flags it heard last.
  package private(set) var monitorHasBegun = false
  package private(set) var heardFlags: ReachabilityFlags?
  private(set) var lastReturn: Instant?
  private(set) var wentToBackground = Instant.zero
  /// From a move of the device to the end of each call that it ended.
  private(set) var figures = ReusedArray<Interval>()
  /// When the device moved last; nil before.
  package private(set) var lastMovedAt: Instant?
  /// How many calls a move of the device met that had no end when the run was over.
  private(set) var neverEnded = 0
  /// Why the run is over; what follows is the closing of the client.
  package private(set) var runEnd: RunEnd?
  /// Faults that had an effect, by their places in the timeline.
  package private(set) var effectiveFaults = ReusedArray<UInt32>()
  /// How far from its instant a thing may happen: nothing in virtual time.
  private var tolerance = Interval.zero
  /// Whether the backend shows its channels.
  private var seesChannels = true
  /// What facts of chains refer to.
  private var texts: ContiguousArray<String> = []
  /// What clients elsewhere say of the ends of calls.
  private(set) var endTexts = EndTexts()
  /// What changed chains, in order; only where somebody wants to know it.
  var notesChains = false
  private(set) var chainChanges: ContiguousArray<ChainFact> = []
  /// How many channels were made.
  private var channelCount = 0
  /// The connections by the rows of their identifiers.
  private var connectionPlaces = ReusedArray<UInt32>()
  /// The places of calls by the rows of their identifiers.
  private var places = ReusedArray<UInt32>()
  /// The same of calls whose rows other calls have had since.
  private var formerCalls = FormerCalls()
  /// How many channels there are, how many unfinished calls are bound or run, and how many of these
  /// are bound to a channel that is no more; each spares a walk through all of them.
  private(set) var existing = 0
  private(set) var attached = 0
  private(set) var orphans = 0
  /// Calls that a move of the device may meet; some have ended since, or stand here twice.
  private var movable = ReusedArray<UInt32>()
  /// How many channels of each host are in each state, and how many of its open connections were
  /// made on each path, of which the last is none; after the hosts all of them together.
  private(set) var stateCounts: ContiguousArray<Int> = []
  private(set) var pathCounts: ContiguousArray<Int> = []

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
    calls.fill(Call(), count: script.calls.count)
    hosts.fill(Host(), count: script.hosts.count)
    allHosts = Host()
    hostChanges.empty()
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
    figures.removeAll()
    lastMovedAt = nil
    neverEnded = 0
    runEnd = nil
    effectiveFaults.removeAll()
  }

  /// Takes up what further records refer to, where the trace grew since the beginning.
  mutating func refer(to trace: Trace) {
    texts = trace.texts
    endTexts = trace.endTexts
    addChannels(of: trace)
  }

  /// Forgets what became of the channels of the run before; mostly there are as many in this one.
  private mutating func beginChannels(of trace: Trace) {
    guard channels.count == trace.endpointHosts.count else {
      channels.empty()
      addChannels(of: trace)
      return
    }
    for index in channels.indices {
      let host = trace.endpointHosts[index]
      guard host < hosts.count else { return channels.removeSubrange(index...) }
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

  private func pathPlace(_ path: PathIndex?) -> Int {
    min(path.map { Int($0.index) } ?? .max, pathPlaces - 1)
  }

  // MARK: Counting

  /// Changes a host by what it has more or less, and all hosts together likewise.
  @inline(__always)
  private mutating func change(host: Int, _ change: (inout Host) -> Void) {
    change(&hosts[host])
    change(&allHosts)
    noteChange(ofHost: host)
  }

  @inline(__always)
  private mutating func noteChange(ofHost host: Int) {
    if notesHosts { hostChanges.append(UInt32(truncatingIfNeeded: host)) }
  }

  /// How many states there are, of which the last is SHUTDOWN; asked for at each change of a
  /// channel, where to count the list of all is to make it.
  @inline(__always)
  private static var stateCount: Int { Int(ChannelState.shutdown.rawValue) + 1 }

  /// Adds a channel to those of a host that are in a state, or takes it away.
  @inline(__always)
  private mutating func count(_ state: ChannelState, ofHost host: Int, _ sign: Int) {
    noteChange(ofHost: host)
    guard countsChannels else { return }
    let states = Self.stateCount
    stateCounts[host * states + Int(state.rawValue)] += sign
    stateCounts[hosts.count * states + Int(state.rawValue)] += sign
  }

  /// Changes a call, and what is counted of all of them.
  @inline(__always)
  private mutating func change(_ index: Int, _ change: (inout Call) -> Void) {
    if calls[index].isAttached { count(index, -1) }
    change(&calls[index])
    if calls[index].isAttached { count(index, 1) }
  }

  /// Adds a call to those that a move of the device would meet for the first time, if it is one.
  @inline(__always)
  private mutating func noteMovable(_ index: Int) {
    if isMovable(index) { movable.append(UInt32(truncatingIfNeeded: index)) }
  }

  /// Whether a move of the device would meet a call for the first time.
  @inline(__always)
  private func isMovable(_ index: Int) -> Bool {
    calls[index].changedAt == nil && calls[index].isUnfinished
      && (calls[index].isBound || !seesChannels)
  }

  /// Adds an unfinished call that is bound or runs to those that are counted, or takes it away.
  @inline(__always)
  private mutating func count(_ index: Int, _ sign: Int) {
    attached += sign
    guard let channel = calls[index].channel else { return }
    let endpoint = Int(calls[index].endpoint)
    if endpoint < channels.count, !calls[index].isRunning { channels[endpoint].waiting += sign }
    if isAlive(channel) {
      channels[Int(channel.endpoint.index)].bound += sign
    } else {
      orphans += sign
    }
  }

  /// Changes whether a channel is there, its state and its generation.
  private mutating func change(
    channel index: Int, to state: ChannelState, generation: UInt32? = nil
  ) {
    let (former, formerGeneration) = (channels[index].state, channels[index].generation)
    let host = Int(channels[index].host)
    if former != .shutdown {
      existing -= 1
      count(former, ofHost: host, -1)
    } else if formerGeneration == 0, generation != nil {
      change(host: host) { $0.made += 1 }
    }
    // One access to the row for all that changes in it.
    let (current, unbound) = channels[index].become(state, generation: generation)
    orphans += unbound
    if current != .shutdown {
      existing += 1
      count(current, ofHost: host, 1)
    }
  }

  /// Adds an open connection to those of its host, or takes it away.
  @inline(__always)
  private mutating func countOpen(_ connection: Int, _ sign: Int) {
    guard connections[connection].phase == .open else { return }
    let host = Int(connections[connection].host)
    noteChange(ofHost: host)
    guard countsChannels else { return }
    let index = pathPlace(connections[connection].path)
    pathCounts[host * pathPlaces + index] += sign
    pathCounts[hosts.count * pathPlaces + index] += sign
  }

  // MARK: Taking records in

  mutating func apply(_ fact: RequestFact, at now: Instant) {
    if notesHosts { for host in requests.hosts(concernedBy: fact) { noteChange(ofHost: host) } }
    if let figure = requests.apply(fact, at: now), runEnd == nil { figures.append(figure) }
  }

  /// Takes the next record.
  package mutating func apply(_ record: TraceRecord) {
    switch record.body {
    case .event(let event): apply(event, at: record.at)
    case .effect(let effect): apply(effect, at: record.at)
    case .world(let fact): apply(fact, at: record.at)
    case .chain(let fact): apply(fact, at: record.at)
    case .request(let fact): apply(fact, at: record.at)
    }
  }

  @inline(__always)
  mutating func apply(_ event: ClientCore.Event, at now: Instant) {
    switch event {
    case .reachability(.initialRead(let flags)):
      monitorHasBegun = true
      heardFlags = flags
    case .reachability(.callback(let flags)), .reachability(.resynchronised(let flags)):
      monitorHasBegun = true
      heardFlags = flags
    case .pool(.callStarted(let id, let endpoint, let settings)):
      guard let index = index(of: id), knows(endpoint) else { return }
      change(index) { $0.start(on: endpoint, settings) }
      channels[Int(endpoint.index)].anyCall = UInt32(truncatingIfNeeded: index)
    case .pool(.connected(let id)):
      setPhase(of: id, .open)
    case .pool(.connectFailed(let id, _)), .pool(.connectionBroken(let id, _)):
      setPhase(of: id, .closed)
    case .pool(.connectionDraining(let id)):
      if let index = self.index(of: id) { connections[index].isDraining = true }
    case .pool:
      break
    }
  }

  mutating func apply(_ effect: ClientEffect, at now: Instant) {
    switch effect {
    case .notify:
      notifications += 1
    case .channelCreated(let channel):
      guard knows(channel.endpoint) else { return }
      let index = Int(channel.endpoint.index)
      change(channel: index, to: .idle, generation: channel.generation)
      channelCount += 1
      channels[index].number = channelCount
      change(host: Int(channels[index].host)) { $0.alive += 1 }
    case .channelMoved(let channel, _, let state):
      apply(channel, movedTo: state)
    case .channelDestroyed(let channel, let reason):
      let index = Int(channel.endpoint.index)
      guard knows(channel.endpoint), channels[index].exists else { return }
      change(channel: index, to: .shutdown)
      channels[index].reason = reason
      channels[index].destroyedAt = now
      change(host: Int(channels[index].host)) { $0.loseChannel() }
    case .callBound(let id, let channel, let isNew):
      guard let index = index(of: id), knows(channel.endpoint) else { return }
      change(index) { $0.bind(to: channel, isNew: isNew) }
      if seesChannels { noteMovable(index) }
    case .openConnection(let id, let channel):
      guard knows(channel.endpoint) else { return }
      let index = Int(channel.endpoint.index)
      channels[index].attempt(at: now)
      openedConnection(id, of: channel)
    case .closeConnection(let id):
      setPhase(of: id, .closed)
    case .startStream(let id, let connection):
      if let index = index(of: id) { change(index) { $0.run(on: connection) } }
    case .endCall(let id, let end):
      apply(id, end, at: now)
    case .deliverMessage(let id):
      // The call lived on: whatever ends it later, this change did not. In real time a message that
      // was under way says nothing yet, and entries that follow each other so closely are one move,
      // which begins with the first of them.
      if let index = index(of: id), calls[index].changedAt != nil,
        now >= (lastMovedAt ?? .zero) + tolerance
      {
        calls[index].changedAt = nil
        noteMovable(index)
      }
    case .fetchToken, .sendMessages, .finishStream, .resetStream, .sendPing:
      break
    }
  }

  @inline(__always)
  private mutating func apply(_ channel: ChannelID, movedTo state: ChannelState) {
    guard knows(channel.endpoint) else { return }
    let index = Int(channel.endpoint.index)
    let former = channels[index].state
    if former == .shutdown || state == .shutdown {
      change(channel: index, to: state)
    } else {
      channels[index].state = state
      let host = Int(channels[index].host)
      count(former, ofHost: host, -1)
      count(state, ofHost: host, 1)
    }
    switch state {
    case .ready: channels[index].failures = 0
    case .transientFailure, .idle, .connecting, .shutdown: break
    }
  }

  private mutating func apply(_ id: CallID, _ end: CallEnd, at now: Instant) {
    guard let index = index(of: id), calls[index].end == nil else { return }
    change(index) { $0.finish(end, at: now) }
    if !isIntercepted(index) { noteFigure(index, end, at: now) }
  }

  /// Keeps how long a change of the network took to end a call for its user.
  private mutating func noteFigure(_ index: Int, _ end: CallEnd, at now: Instant) {
    // A user who has had enough ends the wait too; the closing of the client does not.
    if let changedAt = calls[index].changedAt, end.code != .ok, runEnd == nil {
      figures.append(now.since(changedAt))
    }
  }

  mutating func apply(_ fact: WorldFact, at now: Instant) {
    switch fact {
    case .callIntroduced(let index, let id):
      guard index < calls.count else { return }
      change(Int(index)) { $0.introduce(as: id) }
      if !seesChannels { noteMovable(Int(index)) }
      while places.count <= id.index { places.append(.max) }
      let former = places[Int(id.index)]
      if former < calls.count, let other = calls[Int(former)].id, other.index == id.index {
        formerCalls.append(other, former)
      }
      places[Int(id.index)] = index
    case .attemptBegan(let id, let host, let path):
      guard host < hosts.count else { return }
      change(host: Int(host)) { $0.attempts += 1 }
      moveAttempt(id, to: path)
    case .attemptMoved(let id, let path):
      moveAttempt(id, to: path)
    case .connectionStalled(let id):
      if let index = self.index(of: id) { connections[index].isStalled = true }
    case .connectionResumed(let id):
      guard let index = self.index(of: id) else { return }
      connections[index].isStalled = false
      connections[index].isFull = false
    case .sendBufferFull(let id):
      if let index = self.index(of: id) { connections[index].isFull = true }
    case .serverReadRequest(let host, _):
      guard host < hosts.count else { return }
      change(host: Int(host)) { $0.received += 1 }
    case .serverReadMessages(let host, _, let count):
      guard host < hosts.count else { return }
      change(host: Int(host)) { $0.received += Int(count) }
    case .deviceMoved(let path):
      self.path = path
      lastMovedAt = now
      for place in movable.indices {
        let index = Int(movable[place])
        if isMovable(index) { calls[index].changedAt = now }
      }
      movable.removeAll()
      if !requests.isEmpty { requests.deviceMoved(at: now) }
    case .appMoved(let app):
      // Who leaves in the instant of the return heard nothing in between.
      if !app.runs, lastReturn != now { wentToBackground = now }
      if app.runs, isSuspended { lastReturn = now }
      self.app = app
    case .faultTookEffect(let entry):
      effectiveFaults.append(entry)
    case .runEnded(let reason):
      runEnd = reason
      neverEnded = calls.indices.count { outcome(of: $0) == nil && calls[$0].changedAt != nil }
    case .entryPlayed(let entry):
      if entry < script.entries.count,
        case .flags(let flags, _, _, _) = script.entries[Int(entry)].action
      {
        self.flags = flags
      }
    case .networkChanged(let network, let event): apply(event, of: network)
    case .callUnfinished(let index):
      if index < calls.count { calls[Int(index)].wasUnfinished = true }
    // What is only told changes nothing of how a run stands.
    default:
      break
    }
  }

  mutating func apply(_ fact: ChainFact, at now: Instant) {
    let index = Int(fact.call)
    guard index < chains.count else { return }
    chains[index].apply(fact, texts, at: now)
    addUp(fact)
    if notesChains { chainChanges.append(fact) }
    switch fact {
    case .heard:
      // The call lived on, as one without interceptors that gets a message.
      if calls[index].changedAt != nil {
        calls[index].changedAt = nil
        noteMovable(index)
      }
    case .closed(_, let end):
      noteFigure(index, end, at: now)
    case .linkMade, .linkSkipped, .linkLeft, .took, .noted, .broke, .attempted, .sentHeader,
      .sentMessage, .trailer:
      break
    }
  }

  /// Adds a fact to what all calls did with its link.
  private mutating func addUp(_ fact: ChainFact) {
    switch fact {
    case .linkMade(_, let link):
      if link < links.count { links[Int(link)].isMade = true }
    case .took(let call, let link, _):
      guard link < links.count, chains[Int(call)].link(Int(link)) != nil else { return }
      links[Int(link)].steps.add(in: Int(call))
    case .broke(let call, let link, _):
      guard link < links.count, chains[Int(call)].link(Int(link)) != nil else { return }
      links[Int(link)].breaches.add(in: Int(call))
    case .linkSkipped, .linkLeft, .noted, .attempted, .sentHeader, .sentMessage, .heard, .closed,
      .trailer:
      break
    }
  }

  private mutating func moveAttempt(_ id: ConnectionID, to path: PathIndex?) {
    guard let index = index(of: id) else { return }
    countOpen(index, -1)
    connections[index].path = path
    countOpen(index, 1)
  }

  private mutating func openedConnection(_ id: ConnectionID, of channel: ChannelID) {
    let index = UInt32(truncatingIfNeeded: connections.count)
    if id.index < connectionPlaces.count {
      // Who had the row before is gone, told or not.
      let former = Int(connectionPlaces[Int(id.index)])
      countOpen(former, -1)
      connections[former].phase = .closed
      connectionPlaces[Int(id.index)] = index
    } else {
      // Rows are given out in order: one beyond the next is nobody's.
      guard id.index == connectionPlaces.count else { return }
      connectionPlaces.append(index)
    }
    connections.append(
      Connection(
        id: id, channel: channel, host: channels[Int(channel.endpoint.index)].host, path: nil,
        phase: .attempted))
  }

  private mutating func setPhase(of id: ConnectionID, _ phase: Connection.Phase) {
    // What was closed stays closed, whatever is heard of it late.
    guard let index = index(of: id), connections[index].phase != .closed else { return }
    let former = connections[index].phase
    let host = Int(connections[index].host)
    countOpen(index, -1)
    connections[index].phase = phase
    if phase == .open { connections[index].wasOpen = true }
    countOpen(index, 1)
    switch (former, phase) {
    case (.attempted, .open): change(host: host) { $0.open += 1 }
    case (.open, .closed): change(host: host) { $0.open -= 1 }
    case (.attempted, .closed): channels[Int(connections[index].endpoint)].failures += 1
    case (.attempted, .attempted), (.open, _), (.closed, _): break
    }
  }
}
