extension ChannelPool {
  @inlinable
  func channelID(_ index: UInt32) -> ChannelID {
    ChannelID(
      endpoint: EndpointID(index: index), generation: endpoints[Int(index)].generation)
  }

  func backoffSettings(_ index: UInt32) -> BackoffConfiguration {
    settings[Int(endpoints[Int(index)].settings)].backoff
  }

  mutating func createChannel(_ index: UInt32, into effects: inout EffectLog<ClientEffect>) {
    endpoints[Int(index)].createChannel(backoffSettings(index))
    effects.append(.channelCreated(channelID(index)))
  }

  /// Changes the state of an existing channel; no other function does so.
  mutating func move(
    _ index: UInt32, to next: ChannelState, into effects: inout EffectLog<ClientEffect>
  ) {
    let state = endpoints[Int(index)].state
    precondition(state.canMove(to: next), "requirement B8 does not allow this state transition")
    endpoints[Int(index)].state = next
    effects.append(.channelMoved(channelID(index), from: state, to: next))
  }

  /// Destroys all channels after a category change, because none outlives the change (D9, M11).
  mutating func loseNetwork(at now: Instant, into effects: inout EffectLog<ClientEffect>) {
    ownTables()
    if notifiesCallsFirst() { endBoundCalls(at: now, into: &effects) }
    destroyAll(.transition, at: now, into: &effects)
  }

  /// Returns whether the calls are notified of a change before the pool (M15).
  private mutating func notifiesCallsFirst() -> Bool {
    switch configuration.observers {
    case .pool: false
    case .calls: true
    case .random: observerGenerator?.next(upToAndIncluding: 1) == 1
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
        end(call, .connectivityLost, by: .client, at: now, into: &effects)
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
    where endpoints[Int(index)].exists {
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
  mutating func destroy(
    _ index: UInt32, _ reason: DestroyReason, endingCalls how: CallEnd? = nil, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    closeConnections(of: index, into: &effects)
    attemptDeadlines.disarm(index)
    unusedDeadlines.disarm(index)
    let call = endpoints[Int(index)].firstCall
    endpoints[Int(index)].forgetChannel()
    effects.append(.channelDestroyed(channelID(index), reason))
    finishAll(from: call, how ?? reason.callEnd, into: &effects)
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
  mutating func endUnusedDelay(of index: UInt32) {
    guard unusedDeadlines.isArmed(index) else { return }
    disarmUnused(index)
  }

  @inline(never)
  private mutating func disarmUnused(_ index: UInt32) { unusedDeadlines.disarm(index) }

  /// Starts the destroy delay of a channel whose last call ended (P6).
  mutating func markUnusedIfEmpty(_ index: UInt32, at now: Instant) {
    guard endpoints[Int(index)].exists, endpoints[Int(index)].callCount == 0,
      let delay = configuration.policy.unusedChannelLifetime
    else { return }
    unusedDeadlines.arm(index, due: now + delay, order: nextOrder())
  }
}
