extension ChannelPool {
  /// Who ended a call: only an end of the client's own must be told to the server.
  enum EndedBy {
    case client
    case server
    case connection
  }

  mutating func start(
    _ call: CallID, on endpoint: EndpointID, _ wanted: CallSettings, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    precondition(call == calls.nextID, "a call starts with the identifier that nextCallID gives")
    precondition(endpoint.index < endpoints.count, "an endpoint is registered before it is used")
    calls.insert(
      endpoint: endpoint.index, failsFast: wanted.failsFast, isFinished: wanted.requestIsComplete,
      at: now)
    if wanted.deadline != .never {
      callDeadlines.arm(call.index, due: wanted.deadline, order: nextOrder())
    }
    if wanted.awaitsToken {
      effects.append(.fetchToken(call))
    } else {
      bind(call.index, at: now, into: &effects)
    }
  }

  /// Binds a call to its channel, which is made here if there is none (D1, P4).
  mutating func bind(
    _ call: UInt32, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    let index = calls[call].endpoint
    guard endpoints[Int(index)].settings != noRow else {
      calls[call].phase = .waiting
      finish(call, .notCreated, into: &effects)
      return
    }
    let isNew = !endpoints[Int(index)].exists
    if isNew { createChannel(index, into: &effects) }
    unusedDeadlines.disarm(index)
    link(call, to: index)
    effects.append(.callBound(calls.id(call), channelID(index), isNew: isNew))
    switch endpoints[Int(index)].state {
    case .idle:
      // After GOAWAY the last attempt's delay may still run; the call waits for it in IDLE.
      if now >= endpoints[Int(index)].notBefore {
        startAttempt(index, at: now, into: &effects)
      } else {
        armBackoff(index)
      }
    case .connecting:
      break
    case .ready:
      run(call, on: endpoints[Int(index)].connection, at: now, into: &effects)
    case .transientFailure:
      if now >= endpoints[Int(index)].notBefore {
        startAttempt(index, at: now, into: &effects)
      } else if calls[call].failsFast {
        end(call, .failedFast, by: .client, at: now, into: &effects)
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
    let id = calls.id(call)
    let carrier = connections.id(connection)
    endpoints[Int(calls[call].endpoint)].waitingCount -= 1
    calls[call].phase = .running
    calls[call].connection = connection
    connections[connection].callCount += 1
    effects.append(.startStream(id, carrier))
    if calls[call].queuedMessages > 0 {
      effects.append(
        .sendMessages(
          id, carrier, count: calls[call].queuedMessages, bytes: calls[call].queuedBytes))
    }
    if calls[call].isFinished { effects.append(.finishStream(id, carrier)) }
    noteSent(connection, at: now)
  }

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

  mutating func finishRequest(_ call: CallID, into effects: inout EffectLog<ClientEffect>) {
    guard calls.isLive(call), !calls[call.index].isFinished else { return }
    calls[call.index].isFinished = true
    guard calls[call.index].phase == .running else { return }
    effects.append(.finishStream(call, connections.id(calls[call.index].connection)))
  }

  mutating func cancel(
    _ call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call) else {
      rearmByStaleCall(call, at: now)
      return
    }
    end(call.index, .cancelled, by: .client, at: now, into: &effects)
  }

  mutating func receive(
    _ call: CallID, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    guard calls.isLive(call), calls[call.index].phase == .running else { return }
    noteRead(calls[call.index].connection, at: now)
    effects.append(.deliverMessage(call))
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
      noteSent(carrier, at: now)
    }
    unlink(call, from: index)
    finish(call, how, into: &effects)
    if carrier != noRow, whom != .connection {
      release(carrier, into: &effects)
    }
    becomeUnusedIfEmpty(index, at: now)
  }

  /// Reports the one end of a call and frees its row: the only place that does either.
  mutating func finish(
    _ call: UInt32, _ how: CallEnd, into effects: inout EffectLog<ClientEffect>
  ) {
    effects.append(.endCall(calls.id(call), how))
    callDeadlines.disarm(call)
    calls.free(call)
  }

  private mutating func link(_ call: UInt32, to index: UInt32) {
    calls[call].phase = .waiting
    calls[call].previous = endpoints[Int(index)].lastCall
    calls[call].next = noRow
    if endpoints[Int(index)].lastCall == noRow {
      endpoints[Int(index)].firstCall = call
    } else {
      calls[endpoints[Int(index)].lastCall].next = call
    }
    endpoints[Int(index)].lastCall = call
    endpoints[Int(index)].callCount += 1
    endpoints[Int(index)].waitingCount += 1
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
