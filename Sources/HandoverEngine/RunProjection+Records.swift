package import HandoverCore

// The changes that each record makes.
extension RunProjection {
  // MARK: Counting

  /// Changes the counts of a host and the totals over all hosts.
  mutating func change(host: Int, _ change: (inout Host) -> Void) {
    change(&hosts[host])
    change(&allHosts)
    noteChange(ofHost: host)
  }

  mutating func noteChange(ofHost host: Int) {
    if notesHosts { hostChanges.append(UInt32(truncatingIfNeeded: host)) }
  }

  /// The number of channel states; SHUTDOWN is the last state.
  ///
  /// The constant is computed from the last state, because counting `allCases` would create the
  /// list at each change of a channel.
  static var stateCount: Int { Int(ChannelState.shutdown.rawValue) + 1 }

  /// Adds a channel to the counts of a host's state, or removes it if `sign` is negative.
  @inline(__always)
  mutating func count(_ state: ChannelState, ofHost host: Int, _ sign: Int) {
    noteChange(ofHost: host)
    guard countsChannels else { return }
    let states = Self.stateCount
    stateCounts[host * states + Int(state.rawValue)] += sign
    stateCounts[hosts.count * states + Int(state.rawValue)] += sign
  }

  /// Changes a call and updates the totals over all calls.
  mutating func change(_ index: Int, _ change: (inout Call) -> Void) {
    if calls[index].isAttached { count(index, -1) }
    change(&calls[index])
    if calls[index].isAttached { count(index, 1) }
  }

  /// Records a call that a device move would affect for the first time.
  mutating func noteMovable(_ index: Int) {
    if isMovable(index) { movable.append(UInt32(truncatingIfNeeded: index)) }
  }

  /// Returns whether a device move would affect a call for the first time.
  func isMovable(_ index: Int) -> Bool {
    calls[index].changedAt == nil && calls[index].isUnfinished
      && (calls[index].isBound || !seesChannels)
  }

  /// Adds a call that is bound or running to the totals, or removes it if `sign` is negative.
  @inline(__always)
  mutating func count(_ index: Int, _ sign: Int) {
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

  /// Changes the state of a channel, and its generation if a new channel replaces the old one.
  mutating func change(
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
    // All changes to the row happen in one access.
    let (current, unbound) = channels[index].become(state, generation: generation)
    orphans += unbound
    if current != .shutdown {
      existing += 1
      count(current, ofHost: host, 1)
    }
  }

  /// Adds an open connection to the counts of its host, or removes it if `sign` is negative.
  @inline(__always)
  mutating func countOpen(_ connection: Int, _ sign: Int) {
    guard connections[connection].phase == .open else { return }
    let host = Int(connections[connection].host)
    noteChange(ofHost: host)
    guard countsChannels else { return }
    let index = pathSlot(connections[connection].path)
    pathCounts[host * pathSlotCount + index] += sign
    pathCounts[hosts.count * pathSlotCount + index] += sign
  }

  // MARK: Applying records

  mutating func apply(_ fact: RequestFact, at now: Instant) {
    if notesHosts { for host in requests.hosts(concernedBy: fact) { noteChange(ofHost: host) } }
    if let figure = requests.apply(fact, at: now), runEnd == nil { figures.append(figure) }
  }

  /// Applies the next record.
  package mutating func apply(_ record: TraceRecord) {
    own()
    switch record.body {
    case .event(let event): apply(event, at: record.at)
    case .effect(let effect): apply(effect, at: record.at)
    case .world(let fact): apply(fact, at: record.at)
    case .chain(let fact): apply(fact, at: record.at)
    case .request(let fact): apply(fact, at: record.at)
    }
  }

  private mutating func apply(_ event: ClientCore.Event, at now: Instant) {
    switch event {
    case .reachability(.initialRead(let flags)):
      monitorHasBegun = true
      receivedFlags = flags
    case .reachability(.callback(let flags)), .reachability(.resynchronized(let flags)):
      monitorHasBegun = true
      receivedFlags = flags
    case .pool(.callStarted(let id, let endpoint, let settings)):
      guard let index = index(of: id), knows(endpoint) else { return }
      change(index) { $0.start(on: endpoint, settings) }
      channels[Int(endpoint.index)].anyCall = UInt32(truncatingIfNeeded: index)
    case .pool(.connected(let id)):
      setPhase(of: id, .open, at: now)
    case .pool(.connectFailed(let id, _)), .pool(.connectionBroken(let id, _)):
      setPhase(of: id, .closed, at: now)
    case .pool(.connectionDraining(let id)):
      if let index = self.index(of: id) { connections[index].isDraining = true }
    case .pool(.streamEnded(let id, _)):
      if let index = self.index(of: id) { calls[index].note(endOf: .answer) }
    case .pool:
      break
    }
  }

  private mutating func apply(_ effect: ClientEffect, at now: Instant) {
    switch effect {
    case .notify: notifications += 1
    case .channelCreated(let channel): created(channel)
    case .channelMoved(let channel, _, let state): moved(channel, to: state)
    case .channelDestroyed(let channel, let reason): destroyed(channel, reason, at: now)
    case .callBound(let id, let channel, let isNew): bound(id, to: channel, isNew: isNew)
    case .openConnection(let id, let channel): opened(id, for: channel, at: now)
    case .closeConnection(let id): setPhase(of: id, .closed, at: now)
    case .startStream(let id, let connection): started(id, on: connection)
    case .endCall(let id, let end): ended(id, end, at: now)
    case .deliverMessage(let id): delivered(to: id, at: now)
    case .finishStream(let id, _): finished(id)
    case .fetchToken, .sendMessages, .resetStream, .sendPing: break
    }
  }

  private mutating func created(_ channel: ChannelID) {
    guard knows(channel.endpoint) else { return }
    let index = Int(channel.endpoint.index)
    change(channel: index, to: .idle, generation: channel.generation)
    channelCount += 1
    channels[index].number = channelCount
    change(host: Int(channels[index].host)) { $0.alive += 1 }
  }

  private mutating func moved(_ channel: ChannelID, to state: ChannelState) {
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

  private mutating func destroyed(_ channel: ChannelID, _ reason: DestroyReason, at now: Instant) {
    let index = Int(channel.endpoint.index)
    guard knows(channel.endpoint), channels[index].exists else { return }
    change(channel: index, to: .shutdown)
    channels[index].reason = reason
    channels[index].destroyedAt = now
    change(host: Int(channels[index].host)) { $0.loseChannel() }
  }

  private mutating func bound(_ id: CallID, to channel: ChannelID, isNew: Bool) {
    guard let index = index(of: id), knows(channel.endpoint) else { return }
    change(index) { $0.bind(to: channel, isNew: isNew) }
    if seesChannels { noteMovable(index) }
  }

  private mutating func opened(_ id: ConnectionID, for channel: ChannelID, at now: Instant) {
    guard knows(channel.endpoint) else { return }
    channels[Int(channel.endpoint.index)].attempt(id, at: now)
    openedConnection(id, of: channel)
  }

  private mutating func started(_ id: CallID, on connection: ConnectionID) {
    if let index = index(of: id) { change(index) { $0.run(on: connection) } }
  }

  /// Records that the client has sent the end of the requests of a call.
  private mutating func finished(_ id: CallID) {
    if let index = index(of: id) { calls[index].note(endOf: .requests) }
  }

  private mutating func delivered(to id: CallID, at now: Instant) {
    // The call survived this network change, whatever ends it later. In real time a message may
    // have been in transit during the change. Entries in quick succession count as one change that
    // starts with the first entry.
    guard let index = index(of: id), calls[index].changedAt != nil,
      now >= (lastMovedAt ?? .zero) + tolerance
    else { return }
    calls[index].changedAt = nil
    noteMovable(index)
  }

  private mutating func ended(_ id: CallID, _ end: CallEnd, at now: Instant) {
    guard let index = index(of: id), calls[index].end == nil else { return }
    change(index) { $0.finish(end, at: now) }
    if !isIntercepted(index) { noteFigure(index, end, at: now) }
  }

  /// Records the time from a network change to the end of a call for its caller.
  private mutating func noteFigure(_ index: Int, _ end: CallEnd, at now: Instant) {
    // A cancellation by the caller ends the wait too; the closing of the client does not.
    if let changedAt = calls[index].changedAt, end.code != .ok, runEnd == nil {
      figures.append(now.since(changedAt))
    }
  }

  private mutating func apply(_ fact: WorldFact, at now: Instant) {
    switch fact {
    case .callIntroduced(let index, let id): introduced(index, as: id)
    case .attemptBegan(let id, let host, let path):
      guard host < hosts.count else { return }
      change(host: Int(host)) { $0.attempts += 1 }
      moveAttempt(id, to: path)
    case .attemptMoved(let id, let path), .connectionPath(let id, let path, .migrated):
      moveAttempt(id, to: path)
    case .addressAnswered(let id, _, let address):
      if servers.isAsked, let index = self.index(of: id) {
        connections[index].address = UInt16(clamping: address)
      }
    case .connectionStalled(let id):
      if let index = self.index(of: id) { connections[index].isStalled = true }
    case .connectionResumed(let id):
      guard let index = self.index(of: id) else { return }
      connections[index].isStalled = false
      connections[index].isFull = false
    case .sendBufferFull(let id):
      if let index = self.index(of: id) { connections[index].isFull = true }
    case .cameOver(let id): readOver = id
    case .serverReadRequest(let host, let call):
      guard host < hosts.count else { return }
      if servers.isAsked { noteReading(of: call, at: host, now) }
      change(host: Int(host)) { $0.received += 1 }
    case .serverReadMessages(let host, let call, let count):
      guard host < hosts.count else { return }
      if servers.isAsked { noteReading(messages: Int(count), of: call, at: host, now) }
      change(host: Int(host)) { $0.received += Int(count) }
    case .kernelCounted(let retransmitted, let resets, let sockets):
      kernel = KernelCounts(
        retransmitted: Int(retransmitted), resets: Int(resets), sockets: Int(sockets))
    case .deviceMoved(let path):
      self.path = path
      lastMovedAt = now
      for position in movable.indices {
        let index = Int(movable[position])
        if isMovable(index) { calls[index].changedAt = now }
      }
      movable.removeAll()
      if !requests.isEmpty { requests.deviceMoved(at: now) }
    case .appMoved(let app):
      // An application that leaves in the instant of its return received nothing in between.
      if !app.runs, lastReturn != now { backgroundStart = now }
      if app.runs, isSuspended { lastReturn = now }
      self.app = app
    case .deviceSlept: clientClock.sleep(at: now)
    case .deviceWoke:
      let slept = clientClock.wake(at: now)
      guard slept > .zero else { return }
      for index in calls.indices { calls[index].postponeDeadline(by: slept) }
    case .faultTookEffect(let entry): effectiveFaults.append(entry)
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
    // All other facts are only reported and change no state.
    default:
      break
    }
  }

  /// Records that a server read the request or messages of a call.
  ///
  /// The connection is the one that the trace recorded last, or else the connection of the call.
  private mutating func noteReading(
    messages: Int? = nil, of call: UInt32, at host: UInt32, _ now: Instant
  ) {
    var id = readOver
    readOver = nil
    if id == nil, call < calls.count { id = calls[Int(call)].connection }
    let sighting = ServerSights.Sighting(
      host: Int(host), path: id.flatMap { connection($0)?.path })
    if let messages {
      servers.read(messages, sighting, at: now)
    } else {
      servers.readRequest(of: call, sighting, at: now)
    }
  }

  private mutating func introduced(_ index: UInt32, as id: CallID) {
    guard index < calls.count else { return }
    change(Int(index)) { $0.introduce(as: id) }
    if !seesChannels { noteMovable(Int(index)) }
    while positions.count <= id.index { positions.append(.max) }
    let former = positions[Int(id.index)]
    if former < calls.count, let other = calls[Int(former)].id, other.index == id.index {
      formerCalls.append(other, former)
    }
    positions[Int(id.index)] = index
  }

  mutating func apply(_ fact: ChainFact, at now: Instant) {
    let index = Int(fact.call)
    guard index < chains.count else { return }
    chains[index].apply(fact, texts, script.hosts, at: now)
    addUp(fact)
    if notesChains { chainChanges.append(fact) }
    switch fact {
    case .received:
      // The call survived the change, like a call without interceptors that receives a message.
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

  /// Adds a fact to the totals of its interceptor.
  private mutating func addUp(_ fact: ChainFact) {
    switch fact {
    case .linkMade(_, let link):
      if link < links.count { links[Int(link)].isMade = true }
    case .took(let call, let link, _):
      guard link < links.count, chains[Int(call)].link(Int(link)) != nil else { return }
      links[Int(link)].steps.add(in: Int(call))
    case .broke(let call, let link, _):
      guard link < links.count, chains[Int(call)].link(Int(link)) != nil else { return }
      links[Int(link)].violations.add(in: Int(call))
    case .linkSkipped, .linkLeft, .noted, .attempted, .sentHeader, .sentMessage, .received, .closed,
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
    if id.index < connectionPositions.count {
      // The connection that had the row before is closed, even if no record reports this.
      let former = Int(connectionPositions[Int(id.index)])
      countOpen(former, -1)
      connections[former].phase = .closed
      connectionPositions[Int(id.index)] = index
    } else {
      // Rows are assigned in order, so an index beyond the next row is invalid.
      guard id.index == connectionPositions.count else { return }
      connectionPositions.append(index)
    }
    connections.append(
      Connection(
        id: id, channel: channel, host: channels[Int(channel.endpoint.index)].host, path: nil,
        phase: .attempted))
  }

  private mutating func noteAccepted(_ index: Int, at now: Instant) {
    let connection = connections[index]
    servers.accepted(
      ServerSights.Sighting(
        host: Int(connection.host), path: connection.path,
        address: connection.address == .max ? nil : Int(connection.address)), at: now)
  }

  mutating func setPhase(of id: ConnectionID, _ phase: Connection.Phase, at now: Instant) {
    // A closed connection stays closed, whatever late events follow.
    guard let index = index(of: id), connections[index].phase != .closed else { return }
    let former = connections[index].phase
    let host = Int(connections[index].host)
    countOpen(index, -1)
    connections[index].phase = phase
    if phase == .open { connections[index].wasOpen = true }
    countOpen(index, 1)
    switch (former, phase) {
    case (.attempted, .open):
      if servers.isAsked { noteAccepted(index, at: now) }
      change(host: host) {
        $0.open += 1
        $0.accepted += 1
      }
    case (.open, .closed): change(host: host) { $0.open -= 1 }
    case (.attempted, .closed): channels[Int(connections[index].endpoint)].failures += 1
    case (.attempted, .attempted), (.open, _), (.closed, _): break
    }
  }
}
