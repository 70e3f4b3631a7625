extension ChannelPool {
  @inlinable
  func channelID(_ index: UInt32) -> ChannelID {
    ChannelID(
      endpoint: EndpointID(index: index), generation: endpoints[Int(index)].generation)
  }

  @inline(__always)
  func backoffSettings(_ index: UInt32) -> BackoffConfiguration {
    settings[Int(endpoints[Int(index)].settings)].backoff
  }

  @inline(__always)
  mutating func createChannel(_ index: UInt32, into effects: inout EffectLog<ClientEffect>) {
    endpoints[Int(index)].createChannel(backoffSettings(index))
    effects.append(.channelCreated(channelID(index)))
  }

  /// The only place where a living channel changes its state.
  @inline(__always)
  mutating func move(
    _ index: UInt32, to next: ChannelState, into effects: inout EffectLog<ClientEffect>
  ) {
    let state = endpoints[Int(index)].state
    precondition(state.canMove(to: next), "the move is none of those of B8")
    endpoints[Int(index)].state = next
    effects.append(.channelMoved(channelID(index), from: state, to: next))
  }

  /// The category of the network changed, and no channel outlives that (D9, M11).
  mutating func loseNetwork(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    ownTables()
    if callsHearFirst() { endBoundCalls(at: now, into: &effects) }
    destroyAll(.transition, at: now, into: &effects)
  }

  /// Whether the calls are told of a change before the pool is (M15).
  private mutating func callsHearFirst() -> Bool {
    switch configuration.observers {
    case .pool: false
    case .calls: true
    case .drawn: observerLot?.next(upToAndIncluding: 1) == 1
    }
  }

  /// The calls on channels cancel what they have under way and end (C2), before their channels do.
  private mutating func endBoundCalls(
    at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    for index in 0..<endpoints.count {
      var call = endpoints[index].firstCall
      while call != noRow {
        let next = calls[call].next
        if configuration.defects.isEmpty {
          end(call, .connectivityLost, by: .client, at: now, into: &effects)
        } else {
          endDefectively(call, at: now, into: &effects)
        }
        call = next
      }
    }
  }

  /// Destroys every existing channel, in the order of registration (P11).
  @usableFromInline
  mutating func destroyAll(
    _ reason: DestroyReason, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    for index in 0..<UInt32(truncatingIfNeeded: endpoints.count)
    where endpoints[Int(index)].exists && !survives(index, reason) {
      destroy(index, reason, at: now, into: &effects)
    }
  }

  /// The user disconnects a pooled channel; without a real one there is nothing to disconnect
  /// (P10).
  @usableFromInline
  mutating func disconnect(
    _ endpoint: EndpointID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard endpoints[index(of: endpoint)].exists else { return }
    destroy(endpoint.index, .disconnected, at: now, into: &effects)
  }

  /// Destroys a channel: its connections are closed first, then its calls are told (C4).
  @inline(__always)
  mutating func destroy(
    _ index: UInt32, _ reason: DestroyReason, endingCalls how: CallEnd? = nil, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    closeConnections(of: index, into: &effects)
    attemptDeadlines.disarm(index)
    unusedDeadlines.disarm(index)
    let count = endpoints[Int(index)].callCount
    var call = endpoints[Int(index)].firstCall
    endpoints[Int(index)].forgetChannel()
    effects.append(.channelDestroyed(channelID(index), reason))
    let end = how ?? reason.callEnd
    guard configuration.defects.isEmpty else {
      while call != noRow {
        let next = calls[call].next
        finishDefectively(call, end, reason, at: now, into: &effects)
        call = next
      }
      return
    }
    finishAll(count, from: call, end, into: &effects)
  }

  /// The user closes the client: everything ends, also calls that never got a channel.
  @usableFromInline
  mutating func close(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    destroyAll(.clientClosed, at: now, into: &effects)
    for call in 0..<UInt32(truncatingIfNeeded: calls.rows.count)
    where calls[call].phase == .awaitingToken {
      finish(call, .clientClosed, into: &effects)
    }
  }

  /// Ends the destroy delay of a channel that has a call again (P6).
  @usableFromInline
  @inline(__always)
  mutating func endUnusedDelay(of index: UInt32) {
    guard unusedDeadlines.isArmed(index) else { return }
    endArmedUnusedDelay(of: index)
  }

  @inline(never)
  private mutating func endArmedUnusedDelay(of index: UInt32) {
    guard !configuration.defects.contains(.keptUnusedDelay) else { return }
    unusedDeadlines.disarm(index)
  }

  /// Starts the destroy delay of a channel whose last call ended (P6).
  mutating func becomeUnusedIfEmpty(_ index: UInt32, at now: Instant) {
    guard endpoints[Int(index)].exists, endpoints[Int(index)].callCount == 0,
      var delay = configuration.policy.unusedChannelLifetime
    else { return }
    if configuration.defects.contains(.truncatedDestroyDelay) {
      delay = Interval(microseconds: delay.microseconds / 1_000_000 * 1_000_000)
    }
    unusedDeadlines.arm(index, due: now + delay, order: nextOrder())
  }
}

// The defects that stand in the way of calls and channels, kept apart from the rules.
extension ChannelPool {
  private mutating func finishDefectively(
    _ call: UInt32, _ end: CallEnd, _ reason: DestroyReason, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let defects = configuration.defects
    let row = calls[call]
    if reason == .transition, isUntold(call, at: now) {
      callDeadlines.disarm(call)
      calls.free(call)
      return
    }
    if reason == .disconnected, defects.contains(.cancelledByDisconnect) {
      guard row.phase == .running else {
        callDeadlines.disarm(call)
        calls.free(call)
        return
      }
      finish(call, CallEnd(.cancelled, .channelDisconnected), into: &effects)
      return
    }
    if reason == .transition, defects.contains(.overtakenByCancel), row.phase == .running {
      finish(call, CallEnd(.cancelled, .channelDisconnected), into: &effects)
      return
    }
    if reason == .transition, defects.contains(.lateSend) { noteLateSend(call) }
    finish(call, end, into: &effects)
  }

  /// A call that hears of a transition before its channel does.
  private mutating func endDefectively(
    _ call: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // It observes nothing yet, whoever is told first.
    if isUntold(call, at: now) { return }
    let isSentLate = configuration.defects.contains(.lateSend)
    if isSentLate { noteLateSend(call) }
    // What is not cancelled is not reset either.
    end(call, .connectivityLost, by: isSentLate ? .server : .client, at: now, into: &effects)
  }

  /// Whether a call is not told of a transition because it started in the same instant (C10).
  private func isUntold(_ call: UInt32, at now: Instant) -> Bool {
    configuration.defects.contains(.lostCall) && latestStarts.instant == now
      && latestStarts.calls.contains(calls.id(call))
  }

  /// Remembers a call that ends with its network and is not cancelled (#10302).
  private mutating func noteLateSend(_ call: UInt32) {
    lateSends.append(LateSend(call: calls.id(call), endpoint: calls[call].endpoint))
  }

  /// Remembers a call that is lost where a transition comes in the instant of its start.
  @usableFromInline
  mutating func noteStart(_ call: CallID, at now: Instant) {
    guard configuration.defects.contains(.lostCall) else { return }
    if latestStarts.instant != now { latestStarts = LatestStarts(instant: now) }
    latestStarts.calls.append(call)
  }

  /// Whether a channel wrongly outlives the end of all, because it connects anew while another
  /// connection of it drains.
  private func survives(_ index: UInt32, _ reason: DestroyReason) -> Bool {
    guard !configuration.defects.isEmpty, reason == .transition else { return false }
    if configuration.defects.contains(.keptAtLongest),
      endpoints[Int(index)].backoff.mean >= backoffSettings(index).maximum
    {
      return true
    }
    return configuration.defects.contains(.keptWhileConnecting)
      && endpoints[Int(index)].state == .connecting && endpoints[Int(index)].draining != noRow
  }

  /// Whether a success wrongly leaves the delays as long as they are.
  func keepsBackoff(_ index: UInt32) -> Bool {
    configuration.defects.contains(.keptBackoff)
      || configuration.defects.contains(.keptLongBackoff)
        && endpoints[Int(index)].backoff.mean > .seconds(5)
  }

  /// Wrongly begins anew with the first delay after a long one.
  mutating func wrapBackoff(_ index: UInt32) {
    guard configuration.defects.contains(.wrappedBackoff),
      endpoints[Int(index)].backoff.mean > .seconds(30)
    else { return }
    endpoints[Int(index)].backoff.attemptSucceeded(backoffSettings(index))
  }

  /// Wrongly forgets the third of the connections of a channel that drain, and does not close it.
  mutating func forgetThirdDraining(of index: UInt32) {
    guard configuration.defects.contains(.thirdDraining) else { return }
    var third = endpoints[Int(index)].draining
    for _ in 0..<2 where third != noRow { third = connections[third].next }
    if third != noRow { removeDraining(third, from: index) }
  }

  /// Whether a change of category is wrongly taken for a recovery that ends nothing.
  func ignores(_ change: CategoryChange) -> Bool {
    configuration.defects.contains(.ignoredRecovery) && change.from == .noNetwork
      && change.to == .wifi
  }

  /// Wrongly ends the call once more that has just left its row.
  func endAgain(into effects: inout EffectLog<ClientEffect>) {
    guard configuration.defects.contains(.doubleEnd) else { return }
    let next = calls.nextID
    effects.append(
      .endCall(CallID(index: next.index, generation: next.generation &- 1), .disconnected))
  }

  /// What the original does when the object of an ended call goes away late (P8).
  mutating func rearmByStaleCall(_ call: CallID, at now: Instant) {
    guard configuration.defects.contains(.rearmedDestroyDelay), call.index < calls.rows.count
    else { return }
    let index = calls[call.index].endpoint
    guard unusedDeadlines.isArmed(index) else { return }
    becomeUnusedIfEmpty(index, at: now)
  }

  /// What the original does when the network of a failed call returns (#10302).
  mutating func sendLate(_ index: UInt32, into effects: inout EffectLog<ClientEffect>) {
    let connection = connections.id(endpoints[Int(index)].connection)
    for late in lateSends where late.endpoint == index {
      effects.append(.startStream(late.call, connection))
    }
    lateSends.removeAll { $0.endpoint == index }
  }
}
