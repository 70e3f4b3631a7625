extension ChannelPool {
  /// Who ended a call: only an end of the client's own must be told to the server.
  enum EndedBy {
    case client
    case server
    case connection
  }

  // Inlined with all that most starts need, because drivers start calls by the thousand: they find
  // a channel that connects, and must only wait. What only some need is called.
  @inlinable
  mutating func start(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let index = index(of: endpoint)
    guard endpoints[index].state == .connecting, !wanted.awaitsToken,
      configuration.defects.isEmpty
    else {
      startOtherwise(call, on: endpoint, wanted, at: now, into: &effects)
      return
    }
    let last = join(call, endpoint.index, isNew: false, into: &effects)
    calls.insert(endpoint: endpoint.index, phase: .waiting, after: last, wanted)
    armDeadline(of: call, wanted.deadline)
  }

  /// Starts a call, whatever it finds.
  @usableFromInline
  @inline(never)
  mutating func startOtherwise(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    startUsually(call, on: endpoint, wanted, at: now, into: &effects)
  }

  @inline(__always)
  private mutating func startUsually(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    if !configuration.defects.isEmpty { noteStart(call, at: now) }
    guard !wanted.awaitsToken, endpoints[Int(endpoint.index)].hasHost else {
      startUnbound(call, on: endpoint, wanted, into: &effects)
      return
    }
    let last = bind(call, endpoint.index, into: &effects)
    calls.insert(endpoint: endpoint.index, phase: .waiting, after: last, wanted)
    armDeadline(of: call, wanted.deadline)
    proceed(call, endpoint.index, at: now, into: &effects)
  }

  /// Starts several calls of the same settings on one channel at one instant: the same as one step
  /// for each, one after the other.
  ///
  /// - Precondition: the tables are the pool's own.
  @inline(__always)
  mutating func start(
    _ count: Int, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let index = index(of: endpoint)
    startUsually(calls.nextID, on: endpoint, wanted, at: now, into: &effects)
    // The others find what the first one left: they wait behind it, and nothing else happens; or
    // each is a start of its own.
    if endpoints[index].state == .connecting, !wanted.awaitsToken, configuration.defects.isEmpty,
      wanted.deadline == .never
    {
      joinAll(count - 1, endpoint.index, wanted, into: &effects)
    } else {
      for _ in 1..<count {
        startOtherwise(calls.nextID, on: endpoint, wanted, at: now, into: &effects)
      }
    }
  }

  @inline(__always)
  private mutating func joinAll(
    _ count: Int, _ index: UInt32, _ wanted: CallSettings,
    into effects: inout EffectLog<ClientEffect>
  ) {
    let channel = channelID(index)
    let first = endpoints[Int(index)].lastCall
    effects.append(upTo: count) { effects in
      let last = calls.insert(count, endpoint: index, after: first, wanted) {
        effects.append(.callBound($0, channel, isNew: false))
      }
      endpoints[Int(index)].append(upTo: last, UInt32(truncatingIfNeeded: count))
    }
  }

  /// Starts a call that must wait for its token (C6), or one that no channel can be made for (C13).
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
  @inline(__always)
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

  /// Puts a call behind the others of its channel, which is made where there is none (D1, P4).
  ///
  /// - Returns: the call before it; `noRow` where it is the first.
  @inline(__always)
  mutating func bind(
    _ call: CallID, _ index: UInt32, into effects: inout EffectLog<ClientEffect>
  ) -> UInt32 {
    let isNew = !endpoints[Int(index)].exists
    if isNew { createChannel(index, into: &effects) }
    return join(call, index, isNew: isNew, into: &effects)
  }

  /// Puts a call behind the others of a channel that exists.
  ///
  /// - Returns: the call before it; `noRow` where it is the first.
  @inlinable
  @inline(__always)
  mutating func join(
    _ call: CallID, _ index: UInt32, isNew: Bool, into effects: inout EffectLog<ClientEffect>
  ) -> UInt32 {
    let last = endpoints[Int(index)].append(call.index)
    effects.append(.callBound(call, channelID(index), isNew: isNew))
    if last == noRow { endUnusedDelay(of: index) }
    return last
  }

  /// Does for a call that has joined its channel what the channel's state allows.
  @inline(__always)
  mutating func proceed(
    _ call: CallID, _ index: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    switch endpoints[Int(index)].state {
    case .connecting:
      break
    case .ready:
      run(call.index, on: endpoints[Int(index)].connection, at: now, into: &effects)
    case .idle, .transientFailure:
      // The last attempt's delay may still run, in IDLE after GOAWAY. Only TRANSIENT_FAILURE is a
      // reason to fail fast (D7).
      if now >= endpoints[Int(index)].notBefore {
        startAttempt(index, at: now, into: &effects)
      } else if calls[call.index].failsFast, endpoints[Int(index)].state == .transientFailure {
        end(call.index, .failedFast, by: .client, at: now, into: &effects)
      } else {
        armBackoff(index)
      }
    case .shutdown:
      preconditionFailure("a call was bound to a channel that does not exist")
    }
  }

  /// Hands a waiting call to an established connection.
  mutating func run(
    _ call: UInt32, on connection: UInt32, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    endpoints[Int(calls[call].endpoint)].waitingCount &-= 1
    calls[call].run(on: connection)
    connections[connection].callCount &+= 1
    let (row, id) = (calls[call], connections.id(connection))
    effects.append(upTo: Self.maximumSent) { Self.send(row, call, on: id, into: &$0) }
    noteSent(connection, at: now)
  }

  /// How many orders ``send(_:_:on:into:)`` gives at most.
  static var maximumSent: Int { 3 }

  /// Sends what a call has to send when it is handed to a connection.
  @inline(__always)
  static func send(
    _ row: CallRow, _ call: UInt32, on connection: ConnectionID,
    into effects: inout EffectLog<ClientEffect>.Appending
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
      preconditionFailure("a live call has a row")
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
    guard calls.isLive(call) else {
      rearmByStaleCall(call, at: now)
      return
    }
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

  /// The server ended a call.
  @usableFromInline
  mutating func endStream(
    of call: CallID, _ code: StatusCode, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), calls[call.index].phase == .running else { return }
    noteRead(calls[call.index].connection, at: now)
    end(call.index, CallEnd(code, .empty), by: .server, at: now, into: &effects)
  }

  /// Ends one call for good and takes it out of its channel's table.
  mutating func end(
    _ call: UInt32, _ how: CallEnd, by whom: EndedBy, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls[call].phase != .awaitingToken else {
      finish(call, how, into: &effects)
      return
    }
    let index = calls[call].endpoint
    let carrier = calls[call].phase == .running ? calls[call].connection : noRow
    if carrier != noRow, whom == .client {
      effects.append(.resetStream(calls.id(call), connections.id(carrier)))
    }
    unlink(call, from: index)
    finish(call, how, into: &effects)
    if carrier != noRow, whom != .connection {
      release(carrier, into: &effects)
    }
    becomeUnusedIfEmpty(index, at: now)
  }

  /// Ends a call and all behind it, as ``finish(_:_:into:)`` ends one.
  ///
  /// Nothing is called in the loop, and the row that is free next is written down once: that saves
  /// some twenty instructions for each call.
  @inline(__always)
  mutating func finishAll(
    _ count: UInt32, from first: UInt32, _ how: CallEnd,
    into effects: inout EffectLog<ClientEffect>
  ) {
    guard first != noRow else { return }
    if callDeadlines.earliest != .never { disarmAll(from: first) }
    var free = calls.nextID.index
    effects.append(upTo: Int(count)) { effects in
      calls.rows.walk { rows in
        var call = first
        while call != noRow {
          let next = rows[call].next
          effects.append(
            .endCall(CallID(index: call, generation: rows[call].generation), how))
          rows[call].becomeFree(before: free)
          free = call
          call = next
        }
      }
    }
    calls.nextID = calls.id(free)
  }

  /// Disarms the deadlines of a call and of all behind it.
  @inline(never)
  private mutating func disarmAll(from first: UInt32) {
    var call = first
    while call != noRow {
      callDeadlines.disarm(call)
      call = calls[call].next
    }
  }

  /// Reports the one end of a call and frees its row; nothing else does either, but for all calls
  /// of a channel at once.
  @inline(__always)
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
      // A backoff nobody waits for wakes nobody: the next call starts the attempt (D4).
      if endpoints[Int(index)].waitingCount == 0, endpoints[Int(index)].state != .connecting {
        attemptDeadlines.disarm(index)
      }
    }
  }
}
