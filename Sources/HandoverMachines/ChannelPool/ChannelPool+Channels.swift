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

  /// Changes the state of an existing channel; no other function does so.
  @inline(__always)
  mutating func move(
    _ index: UInt32, to next: ChannelState, into effects: inout EffectLog<ClientEffect>
  ) {
    let state = endpoints[Int(index)].state
    precondition(state.canMove(to: next), "the move is none of those of B8")
    endpoints[Int(index)].state = next
    effects.append(.channelMoved(channelID(index), from: state, to: next))
  }

  /// Destroys all channels after a category change, because none outlives the change (D9, M11).
  mutating func loseNetwork(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    ownTables()
    if callsHearFirst() { endBoundCalls(at: now, into: &effects) }
    destroyAll(.transition, at: now, into: &effects)
  }

  /// Returns whether the calls are notified of a change before the pool (M15).
  private mutating func callsHearFirst() -> Bool {
    switch configuration.observers {
    case .pool: false
    case .calls: true
    case .drawn: observerLot?.next(upToAndIncluding: 1) == 1
    }
  }

  /// Cancels and ends the calls on channels (C2) before their channels end.
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

  /// Disconnects a pooled channel for the user; without a real channel, there is nothing to do
  /// (P10).
  @usableFromInline
  mutating func disconnect(
    _ endpoint: EndpointID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard endpoints[index(of: endpoint)].exists else { return }
    destroy(endpoint.index, .disconnected, at: now, into: &effects)
  }

  /// Destroys a channel: first closes its connections, then ends its calls (C4).
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

  /// Closes the client for the user: ends everything, including calls that never had a channel.
  @usableFromInline
  mutating func close(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    destroyAll(.clientClosed, at: now, into: &effects)
    for call in 0..<UInt32(truncatingIfNeeded: calls.rows.count)
    where calls[call].phase == .awaitingToken {
      finish(call, .clientClosed, into: &effects)
    }
  }

  /// Cancels the destroy delay of a channel that has a call again (P6).
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

// The injected bugs that affect calls and channels are kept separate from the normal behavior.
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

  /// Ends a call that is notified of a category change before its channel.
  private mutating func endDefectively(
    _ call: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    // With this bug, the call does not observe changes yet, in either order of notification.
    if isUntold(call, at: now) { return }
    let isSentLate = configuration.defects.contains(.lateSend)
    if isSentLate { noteLateSend(call) }
    // A call that is not cancelled is not reset either.
    end(call, .connectivityLost, by: isSentLate ? .server : .client, at: now, into: &effects)
  }

  /// Whether a call misses a category change because it started at the same instant (C10).
  private func isUntold(_ call: UInt32, at now: Instant) -> Bool {
    configuration.defects.contains(.lostCall) && latestStarts.instant == now
      && latestStarts.calls.contains(calls.id(call))
  }

  /// Records a call that ends with its network and is not cancelled (#10302).
  private mutating func noteLateSend(_ call: UInt32) {
    lateSends.append(LateSend(call: calls.id(call), endpoint: calls[call].endpoint))
  }

  /// Records a call, which is lost if a category change follows at the instant of its start.
  @usableFromInline
  mutating func noteStart(_ call: CallID, at now: Instant) {
    guard configuration.defects.contains(.lostCall) else { return }
    if latestStarts.instant != now { latestStarts = LatestStarts(instant: now) }
    latestStarts.calls.append(call)
  }

  /// Whether a channel wrongly outlives a category change.
  ///
  /// The possible reasons are that its delay is the longest one, or that it reconnects while
  /// another of its connections drains.
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

  /// Whether a success wrongly keeps the present delay.
  func keepsBackoff(_ index: UInt32) -> Bool {
    configuration.defects.contains(.keptBackoff)
      || configuration.defects.contains(.keptLongBackoff)
        && endpoints[Int(index)].backoff.mean > .seconds(5)
  }

  /// Wrongly resets the delay after a long one.
  mutating func wrapBackoff(_ index: UInt32) {
    guard configuration.defects.contains(.wrappedBackoff),
      endpoints[Int(index)].backoff.mean > .seconds(30)
    else { return }
    endpoints[Int(index)].backoff.attemptSucceeded(backoffSettings(index))
  }

  /// Wrongly forgets the third draining connection of a channel without closing it.
  mutating func forgetThirdDraining(of index: UInt32) {
    guard configuration.defects.contains(.thirdDraining) else { return }
    var third = endpoints[Int(index)].draining
    for _ in 0..<2 where third != noRow { third = connections[third].next }
    if third != noRow { removeDraining(third, from: index) }
  }

  /// Whether a category change is wrongly considered a recovery that ends nothing.
  func ignores(_ change: CategoryChange) -> Bool {
    configuration.defects.contains(.ignoredRecovery) && change.from == .noNetwork
      && change.to == .wifi
  }

  /// Wrongly ends the call whose row was just freed again.
  func endAgain(into effects: inout EffectLog<ClientEffect>) {
    guard configuration.defects.contains(.doubleEnd) else { return }
    let next = calls.nextID
    effects.append(
      .endCall(CallID(index: next.index, generation: next.generation &- 1), .disconnected))
  }

  /// Restarts the destroy delay, as the original client does when the object of an ended call is
  /// released late (P8).
  mutating func rearmByStaleCall(_ call: CallID, at now: Instant) {
    guard configuration.defects.contains(.rearmedDestroyDelay), call.index < calls.rows.count
    else { return }
    let index = calls[call.index].endpoint
    guard unusedDeadlines.isArmed(index) else { return }
    becomeUnusedIfEmpty(index, at: now)
  }

  /// Sends failed calls when their network returns, as the original client does (#10302).
  mutating func sendLate(_ index: UInt32, into effects: inout EffectLog<ClientEffect>) {
    let connection = connections.id(endpoints[Int(index)].connection)
    for late in lateSends where late.endpoint == index {
      effects.append(.startStream(late.call, connection))
    }
    lateSends.removeAll { $0.endpoint == index }
  }
}
