// Surveys: the state of a client as an exploration reads and restores it; see ``ClientSurvey``.
extension ClientCore {
  /// Writes everything that affects the future behavior of the client into a survey.
  ///
  /// - Parameters:
  ///   - survey: Receives the result; its memory is reused.
  ///   - now: The present instant.
  package func survey(into survey: inout ClientSurvey, at now: Instant) {
    var copy = self
    copy.surveyInPlace(into: &survey, at: now)
  }

  /// Writes the survey of a client without copying the client.
  ///
  /// The function is mutating although it changes nothing. If a value of this size inside another
  /// value is only read, it is copied first, which costs more than the survey.
  package mutating func surveyInPlace(into survey: inout ClientSurvey, at now: Instant) {
    survey.removeAll()
    survey.category = monitor.category
    channels.survey(into: &survey)
    decoration?.decorator.annotate(&survey, at: now)
  }

  /// Restores the client from a survey, and reuses the memory of its tables.
  ///
  /// - Parameters:
  ///   - survey: The state to restore. Its identifiers are not kept; new ones are assigned in the
  ///     order of the lists.
  ///   - now: The present instant.
  /// - Precondition: The client has registered the hosts of the survey, and no others.
  package mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant) {
    monitor = ConnectivityMonitor()
    _ = monitor.observe(.initialRead(Self.flags(of: survey.category)))
    channels.restore(survey, at: now)
    guard var decorator = decoration?.decorator else { return }
    decorator.restore(survey, at: now)
    decoration = ClientDecoration(decorator)
  }

  /// Makes the client equal to another one, and reuses the memory of its tables.
  ///
  /// The result is the same as an assignment followed by detached tables, but without an
  /// allocation. This serves callers that try many events on one state, one after the other.
  ///
  /// - Parameter other: The client to copy; not changed, but `inout` because a parameter passed by
  ///   value would be copied.
  /// - Precondition: Both clients have the same configuration and hosts, and no copy of this client
  ///   exists.
  package mutating func assign(from other: inout ClientCore) {
    monitor = other.monitor
    channels.assign(from: &other.channels)
    if decoration != nil { decoration = other.decoration }
  }

  /// Returns the flags of a category, or `nil` for the category that only a failed read leaves.
  package static func flags(of category: NetworkCategory) -> ReachabilityFlags? {
    switch category {
    case .unknown: nil
    case .noNetwork: []
    case .cellular: [.reachable, .isWWAN]
    case .wifi: .reachable
    }
  }

  // MARK: Timers

  /// Makes the deadline of a call due now.
  package mutating func expire(_ call: CallID, at now: Instant) {
    channels.ownTables()
    channels.callDeadlines.arm(call.index, due: now, order: channels.nextOrder())
  }

  /// Makes the timeout of an attempt due now, or the end of a backoff for which a call waits.
  package mutating func expireAttempt(of host: Int, at now: Instant) {
    channels.ownTables()
    channels.attemptDeadlines.arm(
      UInt32(truncatingIfNeeded: host), due: now, order: channels.nextOrder())
    // The end of a backoff also allows the next attempt.
    if channels.endpoints[host].state != .connecting { channels.endpoints[host].notBefore = now }
  }

  /// Makes the destroy delay of an unused channel end now.
  package mutating func expireUnused(_ host: Int, at now: Instant) {
    channels.ownTables()
    channels.unusedDeadlines.arm(
      UInt32(truncatingIfNeeded: host), due: now, order: channels.nextOrder())
  }

  /// Makes the ping of a connection due now, or the timeout of its answer.
  package mutating func expireKeepalive(of connection: ConnectionID, at now: Instant) {
    channels.ownTables()
    channels.keepaliveDeadlines.arm(connection.index, due: now, order: channels.nextOrder())
  }

  /// Ends a backoff for which no call waits.
  package mutating func endBackoff(of host: Int, at now: Instant) {
    channels.ownTables()
    channels.endpoints[host].notBefore = now
  }
}

extension ChannelPool {
  fileprivate mutating func survey(into survey: inout ClientSurvey) {
    for index in 0..<endpoints.count { surveyHost(index, into: &survey) }
    var inUse = 0
    for index in 0..<connections.rows.count where connections.rows[index].phase != .free {
      inUse &+= 1
    }
    survey.connectionsInUse = inUse
    inUse = 0
    for index in 0..<calls.rows.count {
      switch calls.rows[index].phase {
      case .free: continue
      case .waiting, .running: break
      case .awaitingToken: surveyAwaiting(UInt32(truncatingIfNeeded: index), into: &survey)
      }
      inUse &+= 1
    }
    survey.callsInUse = inUse
  }

  private mutating func surveyAwaiting(_ row: UInt32, into survey: inout ClientSurvey) {
    let one = call(row, on: Int(calls[row].endpoint))
    var position = survey.awaitingTokens.count
    survey.append(awaiting: one)
    while position > 0, survey.awaitingTokens[position - 1].host > one.host {
      survey.awaitingTokens[position] = survey.awaitingTokens[position - 1]
      position -= 1
    }
    survey.awaitingTokens[position] = one
  }

  @inline(__always)
  private mutating func surveyHost(_ index: Int, into survey: inout ClientSurvey) {
    let row = UInt32(truncatingIfNeeded: index)
    let firstConnection = survey.connections.count
    appendHost(row, into: &survey)
    let own = endpoints[index].connection
    if own != noRow { survey.append(connection(own, of: index)) }
    var draining = endpoints[index].draining
    while draining != noRow {
      survey.append(connection(draining, of: index))
      draining = connections[draining].next
    }
    let endOfConnections = survey.connections.count
    survey.hosts[index].connections = firstConnection..<endOfConnections
    var next = endpoints[index].firstCall
    guard next != noRow else { return }
    let firstCall = survey.calls.count
    var hasWaiting = false
    while next != noRow {
      var one = call(next, on: index)
      if calls[next].phase == .running {
        let carrier = calls[next].connection
        for position in survey.hosts[index].connections
        where survey.connections[position].id.index == carrier {
          one.connection = position
          break
        }
      }
      if one.connection < 0 { hasWaiting = true }
      survey.append(one)
      next = calls[next].next
    }
    survey.hosts[index].hasWaiting = hasWaiting
    survey.hosts[index].calls = firstCall..<survey.calls.count
  }

  /// Adds a host with the data of its channel.
  ///
  /// The host is stored immediately, because a value of this size is expensive to pass on.
  @inline(__always)
  private mutating func appendHost(_ row: UInt32, into survey: inout ClientSurvey) {
    var host = ClientSurvey.Host()
    host.state = endpoints[Int(row)].state
    host.mean = endpoints[Int(row)].backoff.mean
    host.notBefore = endpoints[Int(row)].notBefore
    host.attemptDue = attemptDeadlines.due(of: row)
    host.unusedDue = unusedDeadlines.due(of: row)
    host.calls = survey.calls.count..<survey.calls.count
    survey.hosts.append(host)
  }

  private mutating func connection(_ row: UInt32, of host: Int) -> ClientSurvey.Connection {
    let phase: ClientSurvey.Connection.Phase =
      switch connections[row].phase {
      case .free, .connecting: .connecting
      case .established: .established
      case .draining: .draining
      }
    var one = ClientSurvey.Connection(id: connections.id(row), host: host, phase: phase)
    one.awaitsPong = connections[row].awaitsPong
    one.pingsWithoutData = Int(connections[row].pingsWithoutData)
    one.keepaliveDue = keepaliveDeadlines.due(of: row)
    return one
  }

  private mutating func call(_ row: UInt32, on host: Int) -> ClientSurvey.Call {
    var one = ClientSurvey.Call(id: calls.id(row), host: host)
    one.failsFast = calls[row].failsFast
    one.requestIsComplete = calls[row].isFinished
    one.queuedMessages = calls[row].queuedMessages
    one.queuedBytes = calls[row].queuedBytes
    let due = callDeadlines.due(of: row)
    if due != .never { one.deadline = due }
    return one
  }

  // MARK: From another client

  fileprivate mutating func assign(from other: inout ChannelPool) {
    assert(isKnownUniquelyReferenced(&sharing), "the storage must be unique before it is changed")
    endpoints.assign(from: &other.endpoints)
    calls.rows.assign(from: &other.calls.rows)
    calls.nextID = other.calls.nextID
    connections.assign(from: &other.connections)
    callDeadlines.assign(from: &other.callDeadlines)
    attemptDeadlines.assign(from: &other.attemptDeadlines)
    unusedDeadlines.assign(from: &other.unusedDeadlines)
    keepaliveDeadlines.assign(from: &other.keepaliveDeadlines)
    armed = other.armed
    observerGenerator = other.observerGenerator
  }

  // MARK: From a survey

  fileprivate mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant) {
    precondition(
      survey.hosts.count == endpoints.count,
      "the survey must contain exactly the registered endpoints")
    ownTables()
    calls.removeAll()
    connections.removeAll()
    callDeadlines.removeAll()
    attemptDeadlines.removeAll()
    unusedDeadlines.removeAll()
    keepaliveDeadlines.removeAll()
    armed = 0
    for host in 0..<survey.hosts.count { restoreHost(host, of: survey, at: now) }
    for position in 0..<survey.awaitingTokens.count {
      insert(survey.awaitingTokens[position], phase: .awaitingToken, after: noRow)
    }
  }

  private mutating func restoreHost(
    _ index: Int, of survey: borrowing ClientSurvey, at now: Instant
  ) {
    let host = survey.hosts[index]
    let row = UInt32(truncatingIfNeeded: index)
    endpoints[index].forgetChannel()
    endpoints[index].draining = noRow
    endpoints[index].state = host.state
    endpoints[index].backoff.mean = host.mean
    endpoints[index].backoff.isFirst = host.mean == backoffSettings(row).firstDelay
    endpoints[index].notBefore = host.notBefore
    if host.attemptDue != .never {
      attemptDeadlines.arm(row, due: host.attemptDue, order: nextOrder())
    }
    if host.unusedDue != .never {
      unusedDeadlines.arm(row, due: host.unusedDue, order: nextOrder())
    }
    var last = noRow
    for position in host.connections {
      restore(survey.connections[position], of: row, after: &last, at: now)
    }
    last = noRow
    for position in host.calls {
      let call = survey.calls[position]
      let id = insert(call, phase: .waiting, after: last)
      _ = endpoints[index].append(id.index)
      last = id.index
      if call.connection >= 0 {
        // Connections were restored in the order of the list, so the position is the new row.
        let carrier = UInt32(truncatingIfNeeded: call.connection)
        calls[id.index].run(on: carrier)
        connections[carrier].callCount += 1
        endpoints[index].waitingCount -= 1
      }
    }
  }

  private mutating func restore(
    _ connection: ClientSurvey.Connection, of endpoint: UInt32, after last: inout UInt32,
    at now: Instant
  ) {
    let hasKeepalive = settings[Int(endpoints[Int(endpoint)].settings)].keepalive != nil
    let row = connections.insert(
      endpoint: endpoint, hasKeepalive: hasKeepalive, at: now)
    connections[row].awaitsPong = connection.awaitsPong
    connections[row].pingsWithoutData = UInt8(clamping: connection.pingsWithoutData)
    switch connection.phase {
    case .connecting:
      connections[row].phase = .connecting
      endpoints[Int(endpoint)].connection = row
    case .established:
      connections[row].phase = .established
      endpoints[Int(endpoint)].connection = row
    case .draining:
      connections[row].phase = .draining
      if last == noRow {
        endpoints[Int(endpoint)].draining = row
      } else {
        connections[last].next = row
      }
      last = row
    }
    if connection.keepaliveDue != .never {
      keepaliveDeadlines.arm(row, due: connection.keepaliveDue, order: nextOrder())
    }
  }

  @discardableResult
  private mutating func insert(
    _ call: ClientSurvey.Call, phase: CallPhase, after last: UInt32
  ) -> CallID {
    let id = calls.nextID
    calls.insert(
      endpoint: UInt32(truncatingIfNeeded: call.host), phase: phase, after: last,
      CallSettings(
        deadline: call.deadline, failsFast: call.failsFast,
        requestIsComplete: call.requestIsComplete))
    calls[id.index].queuedMessages = call.queuedMessages
    calls[id.index].queuedBytes = call.queuedBytes
    if call.deadline != .never {
      callDeadlines.arm(id.index, due: call.deadline, order: nextOrder())
    }
    return id
  }
}
