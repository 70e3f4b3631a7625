extension ChannelPool {
  /// The party that ended a call; only an end by the client must be reported to the server.
  enum EndedBy {
    case client
    case server
    case connection
  }

  // This function is inlinable, because drivers start calls by the thousand. Most calls find a
  // channel that is connecting, and only have to wait. All rarer cases are in other functions.
  @inlinable
  mutating func start(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let index = index(of: endpoint)
    guard endpoints[index].state == .connecting, !wanted.awaitsToken else {
      startInAnyState(call, on: endpoint, wanted, at: now, into: &effects)
      return
    }
    let last = join(call, endpoint.index, isNew: false, into: &effects)
    calls.insert(endpoint: endpoint.index, phase: .waiting, after: last, wanted)
    armDeadline(of: call, wanted.deadline)
  }

  /// Starts a call on a channel in any state.
  @usableFromInline
  mutating func startInAnyState(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard !wanted.awaitsToken, endpoints[Int(endpoint.index)].hasHost else {
      startUnbound(call, on: endpoint, wanted, into: &effects)
      return
    }
    let last = bind(call, endpoint.index, into: &effects)
    calls.insert(endpoint: endpoint.index, phase: .waiting, after: last, wanted)
    armDeadline(of: call, wanted.deadline)
    proceed(call, endpoint.index, at: now, into: &effects)
  }

  /// Starts several calls with the same settings on one channel at one instant.
  ///
  /// The result is the same as with one step per call, one after the other.
  ///
  /// - Precondition: The tables are not shared with another pool.
  mutating func start(
    _ count: Int, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let index = index(of: endpoint)
    startInAnyState(calls.nextID, on: endpoint, wanted, at: now, into: &effects)
    // If the first call waits for a connection, the others just wait after it. If not, each call is
    // started separately.
    if endpoints[index].state == .connecting, !wanted.awaitsToken, wanted.deadline == .never {
      joinAll(count - 1, endpoint.index, wanted, into: &effects)
    } else {
      for _ in 1..<count {
        startInAnyState(calls.nextID, on: endpoint, wanted, at: now, into: &effects)
      }
    }
  }

  private mutating func joinAll(
    _ count: Int, _ index: UInt32, _ wanted: CallSettings,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let channel = channelID(index)
    let first = endpoints[Int(index)].lastCall
    let last = calls.insert(count, endpoint: index, after: first, wanted) {
      effects.append(.callBound($0, channel, isNew: false))
    }
    endpoints[Int(index)].append(upTo: last, UInt32(truncatingIfNeeded: count))
  }

  /// Starts a call that must wait for its token (C6), or for which no channel can be created (C13).
  @usableFromInline
  mutating func startUnbound(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings,
    into effects: inout EffectLog<ClientEffect>
  ) {
    calls.insert(endpoint: endpoint.index, phase: .awaitingToken, after: noRow, wanted)
    guard wanted.awaitsToken else {
      finish(call.index, .notCreated, into: &effects)
      return
    }
    armDeadline(of: call, wanted.deadline)
    effects.append(.fetchToken(call))
  }

  @inlinable
  mutating func armDeadline(of call: CallID, _ deadline: Instant) {
    guard deadline != .never else { return }
    callDeadlines.arm(call.index, due: deadline, order: nextOrder())
  }

  /// Binds a call that has waited for its token to its channel.
  @usableFromInline
  mutating func takeToken(
    of call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), calls[call.index].phase == .awaitingToken else { return }
    let index = calls[call.index].endpoint
    guard endpoints[Int(index)].hasHost else {
      finish(call.index, .notCreated, into: &effects)
      return
    }
    let last = bind(call, index, into: &effects)
    calls.bind(call.index, after: last)
    proceed(call, index, at: now, into: &effects)
  }

  /// Appends a call to its channel, and creates the channel if necessary (D1, P4).
  ///
  /// - Returns: The previous call, or `noRow` if there is none.
  mutating func bind(
    _ call: CallID, _ index: UInt32, into effects: inout EffectLog<ClientEffect>
  ) -> UInt32 {
    let isNew = !endpoints[Int(index)].exists
    if isNew { createChannel(index, into: &effects) }
    return join(call, index, isNew: isNew, into: &effects)
  }

  /// Appends a call to an existing channel.
  ///
  /// - Returns: The previous call, or `noRow` if there is none.
  @inlinable
  mutating func join(
    _ call: CallID, _ index: UInt32, isNew: Bool, into effects: inout EffectLog<ClientEffect>
  ) -> UInt32 {
    let last = endpoints[Int(index)].append(call.index)
    effects.append(.callBound(call, channelID(index), isNew: isNew))
    if last == noRow { endUnusedDelay(of: index) }
    return last
  }

  /// Continues with a call that has joined its channel, as the state of the channel allows.
  mutating func proceed(
    _ call: CallID, _ index: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    switch endpoints[Int(index)].state {
    case .connecting:
      break
    case .ready:
      run(call.index, on: endpoints[Int(index)].connection, at: now, into: &effects)
    case .idle, .transientFailure:
      // The delay of the last attempt may not have passed; after GOAWAY, the channel is IDLE then.
      // Only in TRANSIENT_FAILURE do calls fail fast (D7).
      if now >= endpoints[Int(index)].notBefore {
        startAttempt(index, at: now, into: &effects)
      } else if calls[call.index].failsFast, endpoints[Int(index)].state == .transientFailure {
        end(call.index, .failedFast, by: .client, at: now, into: &effects)
      } else {
        armBackoff(index)
      }
    case .shutdown:
      preconditionFailure("the call is bound to a channel that does not exist")
    }
  }

  /// Passes a waiting call to an established connection.
  mutating func run(
    _ call: UInt32, on connection: UInt32, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    endpoints[Int(calls[call].endpoint)].waitingCount &-= 1
    calls[call].run(on: connection)
    connections[connection].callCount &+= 1
    Self.send(calls[call], call, on: connections.id(connection), into: &effects)
    noteSent(connection, at: now)
  }

  /// Sends everything that a call has to send when it is passed to a connection.
  static func send(
    _ row: CallRow, _ call: UInt32, on connection: ConnectionID,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let id = CallID(index: call, generation: row.generation)
    effects.append(.startStream(id, connection))
    if row.queuedMessages > 0 {
      effects.append(
        .sendMessages(id, connection, count: row.queuedMessages, bytes: row.queuedBytes))
    }
    if row.isFinished { effects.append(.finishStream(id, connection)) }
  }

  @usableFromInline
  mutating func queueMessage(
    _ call: CallID, bytes: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), !calls[call.index].isFinished else { return }
    switch calls[call.index].phase {
    case .awaitingToken, .waiting:
      calls[call.index].queuedMessages &+= 1
      let (sum, overflow) = calls[call.index].queuedBytes.addingReportingOverflow(bytes)
      calls[call.index].queuedBytes = overflow ? .max : sum
    case .running:
      let connection = calls[call.index].connection
      effects.append(.sendMessages(call, connections.id(connection), count: 1, bytes: bytes))
      noteSent(connection, at: now)
    case .free:
      preconditionFailure("the call has no row")
    }
  }

  @usableFromInline
  mutating func finishRequest(
    _ call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), !calls[call.index].isFinished else { return }
    calls[call.index].isFinished = true
    guard calls[call.index].phase == .running else { return }
    let connection = calls[call.index].connection
    effects.append(.finishStream(call, connections.id(connection)))
    noteSent(connection, at: now)
  }

  @usableFromInline
  mutating func cancel(
    _ call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call) else { return }
    end(call.index, .cancelled, by: .client, at: now, into: &effects)
  }

  @usableFromInline
  mutating func receive(
    _ call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), calls[call.index].phase == .running else { return }
    noteRead(calls[call.index].connection, at: now)
    effects.append(.deliverMessage(call))
  }

  /// Ends a call that the server has ended.
  @usableFromInline
  mutating func endStream(
    of call: CallID, _ code: StatusCode, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), calls[call.index].phase == .running else { return }
    noteRead(calls[call.index].connection, at: now)
    end(call.index, CallEnd(code, .empty), by: .server, at: now, into: &effects)
  }

  /// Ends one call and removes it from its channel.
  mutating func end(
    _ call: UInt32, _ how: CallEnd, by party: EndedBy, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls[call].phase != .awaitingToken else {
      finish(call, how, into: &effects)
      return
    }
    let index = calls[call].endpoint
    let carrier = calls[call].phase == .running ? calls[call].connection : noRow
    if carrier != noRow, party == .client {
      effects.append(.resetStream(calls.id(call), connections.id(carrier)))
    }
    unlink(call, from: index)
    finish(call, how, into: &effects)
    if carrier != noRow, party != .connection {
      release(carrier, into: &effects)
    }
    markUnusedIfEmpty(index, at: now)
  }

  /// Ends a call and all calls after it, as ``finish(_:_:into:)`` ends one.
  ///
  /// The next free row is stored only once, which saves instructions.
  mutating func finishAll(
    from first: UInt32, _ how: CallEnd, into effects: inout EffectLog<ClientEffect>
  ) {
    guard first != noRow else { return }
    if callDeadlines.earliest != .never { disarmAll(from: first) }
    var free = calls.nextID.index
    calls.rows.walk { rows in
      var call = first
      while call != noRow {
        let next = rows[call].next
        effects.append(.endCall(CallID(index: call, generation: rows[call].generation), how))
        rows[call].markFree(before: free)
        free = call
        call = next
      }
    }
    calls.nextID = calls.id(free)
  }

  /// Disarms the deadlines of a call and of all calls after it.
  @inline(never)
  private mutating func disarmAll(from first: UInt32) {
    var call = first
    while call != noRow {
      callDeadlines.disarm(call)
      call = calls[call].next
    }
  }

  /// Reports the end of a call and frees its row.
  ///
  /// No other function does either, except when all calls of a channel end together.
  mutating func finish(
    _ call: UInt32, _ how: CallEnd, into effects: inout EffectLog<ClientEffect>
  ) {
    effects.append(.endCall(calls.id(call), how))
    callDeadlines.disarm(call)
    calls.free(call)
  }

  private mutating func unlink(_ call: UInt32, from index: UInt32) {
    let (previous, next) = (calls[call].previous, calls[call].next)
    if previous == noRow {
      endpoints[Int(index)].firstCall = next
    } else {
      calls[previous].next = next
    }
    if next == noRow {
      endpoints[Int(index)].lastCall = previous
    } else {
      calls[next].previous = previous
    }
    endpoints[Int(index)].callCount -= 1
    if calls[call].phase == .waiting {
      endpoints[Int(index)].waitingCount -= 1
      // Without waiting calls, the backoff needs no timer: the next call starts the attempt (D4).
      if endpoints[Int(index)].waitingCount == 0, endpoints[Int(index)].state != .connecting {
        attemptDeadlines.disarm(index)
      }
    }
  }
}
