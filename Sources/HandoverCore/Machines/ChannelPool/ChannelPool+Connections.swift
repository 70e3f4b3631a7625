extension ChannelPool {
  /// Starts a connection attempt (B1).
  mutating func startAttempt(
    _ index: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    move(index, to: .connecting, into: &effects)
    let settings = settings[Int(endpoints[Int(index)].settings)]
    let connection = connections.insert(
      endpoint: index, hasKeepalive: settings.keepalive != nil, at: now)
    let notBefore = endpoints[Int(index)].beginAttempt(on: connection, settings.backoff, at: now)
    effects.append(.openConnection(connections.id(connection), channelID(index)))
    attemptDeadlines.arm(
      index, due: max(notBefore, now + settings.backoff.minimumConnectTimeout),
      order: nextOrder())
  }

  /// Wakes the channel at the end of its backoff, because a call waits for it (D4, D5).
  mutating func armBackoff(_ index: UInt32) {
    guard !attemptDeadlines.isArmed(index) else { return }
    attemptDeadlines.arm(index, due: endpoints[Int(index)].notBefore, order: nextOrder())
  }

  /// Resets the backoff and runs the waiting calls, because the connection is usable (D5a, D6).
  @usableFromInline
  mutating func connected(
    _ connection: ConnectionID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard connections.isLive(connection), connections[connection.index].phase == .connecting
    else { return }
    let index = connections[connection.index].endpoint
    attemptDeadlines.disarm(index)
    connections[connection.index].markEstablished(at: now)
    endpoints[Int(index)].backoff.recordSuccess(using: backoffSettings(index))
    move(index, to: .ready, into: &effects)
    runAll(of: index, on: connection, into: &effects)
    armKeepalive(connection.index, at: now)
  }

  /// Passes every waiting call to an established connection, in one pass over the calls.
  private mutating func runAll(
    of index: UInt32, on connection: ConnectionID, into effects: inout EffectLog<ClientEffect>
  ) {
    let count = endpoints[Int(index)].waitingCount
    guard count > 0 else { return }
    let first = endpoints[Int(index)].firstCall
    calls.rows.walk { rows in
      var call = first
      while call != noRow {
        if rows[call].phase == .waiting {
          rows[call].run(on: connection.index)
          Self.send(rows[call], call, on: connection, into: &effects)
        }
        call = rows[call].next
      }
    }
    endpoints[Int(index)].waitingCount = 0
    connections[connection.index].callCount &+= count
  }

  /// Handles the transport's report that an attempt failed.
  @usableFromInline
  mutating func connectFailed(
    _ connection: ConnectionID, _ failure: ConnectionFailure, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard connections.isLive(connection) else { return }
    attemptFailed(connection.index, failure, at: now, into: &effects)
  }

  /// Handles the transport's report that a connection was lost.
  @usableFromInline
  mutating func connectionBroke(
    _ connection: ConnectionID, _ failure: ConnectionFailure, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard connections.isLive(connection) else { return }
    broken(connection.index, failure, at: now, into: &effects)
  }

  /// Ends the calls that wait for a failed attempt (D5b), and increases the backoff.
  mutating func attemptFailed(
    _ connection: UInt32, _ failure: ConnectionFailure, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard connections[connection].phase == .connecting else { return }
    let index = connections[connection].endpoint
    connections.free(connection)
    endpoints[Int(index)].connection = noRow
    attemptDeadlines.disarm(index)
    endpoints[Int(index)].backoff.recordFailure(using: backoffSettings(index))
    move(index, to: .transientFailure, into: &effects)
    guard failure != .nameResolutionFailed || configuration.policy.nameFailureEndsCalls else {
      // This is the known issue of the 2017 network-transition doc: no call is notified, and the
      // lookup is repeated (#13627).
      if endpoints[Int(index)].waitingCount > 0 { armBackoff(index) }
      return
    }
    endCalls(of: index, failure.callEnd, at: now, into: &effects) { $0.phase == .waiting }
  }

  /// Ends the calls on a lost connection, and handles its channel as the policy requires.
  mutating func broken(
    _ connection: UInt32, _ failure: ConnectionFailure, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let index = connections[connection].endpoint
    switch connections[connection].phase {
    case .free, .connecting:
      attemptFailed(connection, failure, at: now, into: &effects)
      return
    case .established:
      drop(connection)
      endpoints[Int(index)].connection = noRow
    case .draining:
      removeDraining(connection, from: index)
      drop(connection)
    }
    if configuration.policy.brokenConnectionDestroysChannel {
      destroy(index, .broken, endingCalls: failure.callEnd, at: now, into: &effects)
    } else {
      // If the lost connection was only draining, the state of the channel does not change.
      if endpoints[Int(index)].state == .ready, endpoints[Int(index)].connection == noRow {
        move(index, to: .transientFailure, into: &effects)
      }
      endCalls(of: index, failure.callEnd, at: now, into: &effects) {
        $0.phase == .running && $0.connection == connection
      }
    }
  }

  /// Handles a server that accepts no new calls: the channel becomes idle, its calls continue (B8).
  @usableFromInline
  mutating func drain(_ connection: ConnectionID, into effects: inout EffectLog<ClientEffect>) {
    guard connections.isLive(connection), connections[connection.index].phase == .established
    else { return }
    let index = connections[connection.index].endpoint
    connections[connection.index].phase = .draining
    connections[connection.index].next = endpoints[Int(index)].draining
    endpoints[Int(index)].draining = connection.index
    endpoints[Int(index)].connection = noRow
    move(index, to: .idle, into: &effects)
    if connections[connection.index].callCount == 0 {
      closeDraining(connection.index, of: index, into: &effects)
    }
  }

  /// Removes a call from a connection; a draining connection is closed with its last call.
  mutating func release(_ connection: UInt32, into effects: inout EffectLog<ClientEffect>) {
    connections[connection].callCount -= 1
    guard connections[connection].callCount == 0 else { return }
    if connections[connection].phase == .draining {
      closeDraining(connection, of: connections[connection].endpoint, into: &effects)
    } else {
      disarmKeepaliveWithoutCalls(connection)
    }
  }

  mutating func closeConnections(of index: UInt32, into effects: inout EffectLog<ClientEffect>) {
    if endpoints[Int(index)].connection != noRow {
      effects.append(.closeConnection(connections.id(endpoints[Int(index)].connection)))
      drop(endpoints[Int(index)].connection)
    }
    while endpoints[Int(index)].draining != noRow {
      closeDraining(endpoints[Int(index)].draining, of: index, into: &effects)
    }
  }

  /// Ends the matching calls of a channel, in the order of their start.
  private mutating func endCalls(
    of index: UInt32, _ how: CallEnd, at now: Instant, into effects: inout EffectLog<ClientEffect>,
    where matches: (CallRow) -> Bool
  ) {
    var call = endpoints[Int(index)].firstCall
    while call != noRow {
      let next = calls[call].next
      if matches(calls[call]) {
        end(call, how, by: .connection, at: now, into: &effects)
      }
      call = next
    }
  }

  private mutating func closeDraining(
    _ connection: UInt32, of index: UInt32, into effects: inout EffectLog<ClientEffect>
  ) {
    effects.append(.closeConnection(connections.id(connection)))
    removeDraining(connection, from: index)
    drop(connection)
  }

  mutating func removeDraining(_ connection: UInt32, from index: UInt32) {
    let next = connections[connection].next
    var previous = endpoints[Int(index)].draining
    if previous == connection {
      endpoints[Int(index)].draining = next
    } else {
      while previous != noRow, connections[previous].next != connection {
        previous = connections[previous].next
      }
      if previous != noRow { connections[previous].next = next }
    }
  }

  private mutating func drop(_ connection: UInt32) {
    keepaliveDeadlines.disarm(connection)
    connections.free(connection)
  }
}
