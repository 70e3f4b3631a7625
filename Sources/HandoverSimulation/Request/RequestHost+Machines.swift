import HandoverCore
import HandoverTrace

// Requests: their user, the dispatcher where the profile has one, and the platform.
extension RequestHost {
  func tracePlace(_ place: Int) -> UInt32 { UInt32(truncatingIfNeeded: place) }

  mutating func note(_ fact: RequestFact, _ context: inout Context) {
    context.trace.append(.request(fact), at: context.now)
  }

  // MARK: The user

  mutating func make(_ request: Int, _ network: inout Network, _ context: inout Context) {
    let wanted = context.script.requests[request]
    let pool = wanted.pool
    guard !dispatchers.isEmpty else {
      note(.arrived(request: tracePlace(request), nil), &context)
      handOver(request, timeout: wanted.timeout, &context)
      work(&network, &context)
      return
    }
    let id = dispatchers[pool].nextRequestID
    let endpoint = endpoints[wanted.host]
    let admission = dispatchers[pool].prediction(
      for: wanted.kind, on: endpoint, policy: wanted.policy)
    introduce(request, as: id, in: pool)
    switch admission {
    case .refused:
      // Told after the user has heard of the limit.
      break
    case .polls:
      requests[request].isPolling = true
      note(.arrived(request: tracePlace(request), admission), &context)
    case .startsNow, .waits, .freezes:
      note(.arrived(request: tracePlace(request), admission), &context)
    }
    let settings = RequestSettings(
      wanted.kind, timeout: wanted.timeout,
      deadline: wanted.deadline.map { context.now + $0 } ?? .never,
      policy: wanted.policy)
    notify(.dispatcher(pool: pool, .requestArrived(id, endpoint, settings)), &network, &context)
  }

  mutating func cancel(_ request: Int, _ network: inout Network, _ context: inout Context) {
    let pool = context.script.requests[request].pool
    if let id = requests[request].id {
      notify(.dispatcher(pool: pool, .cancelled(id)), &network, &context)
    } else if requests[request].isWithPlatform {
      takeBack(request, &network, &context)
      note(.ended(request: tracePlace(request), .cancelled), &context)
      work(&network, &context)
    }
  }

  mutating func ask(_ question: Int, _ context: inout Context) {
    let asked = context.script.questions[question]
    guard !dispatchers.isEmpty else { return }
    let endpoint = endpoints[asked.host]
    let dispatcher = dispatchers[asked.pool]
    note(
      .answered(
        question: tracePlace(question),
        dispatcher.prediction(for: asked.kind, on: endpoint, policy: asked.policy)), &context)
    for holder in dispatcher.holders(of: endpoint) {
      let request = place(of: holder, in: asked.pool)
      note(.heldSlot(question: tracePlace(question), request: tracePlace(request)), &context)
    }
  }

  mutating func command(
    _ pool: Int, _ command: DispatcherCommand, _ network: inout Network, _ context: inout Context
  ) {
    guard !dispatchers.isEmpty else { return }
    switch command {
    case .setLongLimit(let long):
      // The reader has seen to it that no more may be long than may run.
      guard let limits = try? context.configuration.requests.limits.settingLong(long) else {
        return
      }
      note(.longLimitChanged(pool: tracePlace(pool), long), &context)
      notify(.dispatcher(pool: pool, .limitsChanged(limits)), &network, &context)
    case .close:
      note(.dispatcherClosed(pool: tracePlace(pool)), &context)
      notify(.dispatcher(pool: pool, .closed), &network, &context)
    }
  }

  // MARK: The machines

  mutating func notify(
    _ fact: RequestHost.MachineFact, _ network: inout Network, _ context: inout Context
  ) {
    pending.append(fact)
    work(&network, &context)
  }

  /// Lets the machines take every fact that waits, and those that follow from their orders.
  ///
  /// The platform hears of nothing before everything is taken back that dispatchers gave up, so
  /// that nothing of it gets a connection that becomes free at the same instant.
  mutating func work(_ network: inout Network, _ context: inout Context) {
    var next = 0
    while true {
      if next < pending.count,
        case .dispatcher(let pool, let event) = pending[next]
      {
        next += 1
        step(pool, event, &network, &context)
      } else if !abandoned.isEmpty {
        let given = abandoned
        abandoned.removeAll(keepingCapacity: true)
        stepLoader(.cancelled(given), &network, &context)
      } else if next < pending.count, case .loader(let event) = pending[next] {
        next += 1
        stepLoader(event, &network, &context)
      } else {
        break
      }
    }
    pending.removeAll(keepingCapacity: true)
    refreshDeadline(&context)
  }

  private mutating func step(
    _ pool: Int, _ event: EndpointDispatcher.Event, _ network: inout Network,
    _ context: inout Context
  ) {
    var effects = EffectLog<DispatcherEffect>()
    dispatchers[pool].step(event, at: context.now, into: &effects)
    takeBack(effects.elements, of: pool, &network, &context)
    for place in 0..<effects.count { carryOut(effects[place], of: pool, &network, &context) }
    if event == .closed { endThreads(of: pool) }
    restThreads(&context)
  }

  private mutating func stepLoader(
    _ event: URLLoader.Event, _ network: inout Network, _ context: inout Context
  ) {
    var effects = EffectLog<URLLoader.Effect>()
    loader.step(event, at: context.now, into: &effects)
    for place in 0..<effects.count { carryOut(effects[place], &network, &context) }
    // One that fails at once does so after it was told what it carries.
    for place in 0..<effects.count {
      if case .open(let connection, _, _) = effects[place] {
        network.beginAttempt(ConnectionID(connection), &context)
      }
    }
  }

  private mutating func carryOut(
    _ effect: DispatcherEffect, of pool: Int, _ network: inout Network, _ context: inout Context
  ) {
    switch effect {
    case .start(let id), .startPoll(let id):
      let request = place(of: id, in: pool)
      occupyThread(request, &context)
      // The dispatcher has a time-out of its own, and the platform is not trusted with one (U40).
      handOver(request, timeout: .zero, &context)
    case .freeze(let id):
      let request = place(of: id, in: pool)
      handOver(request, timeout: context.script.requests[request].timeout, &context)
    case .hold(let id):
      let request = place(of: id, in: pool)
      note(.handedOver(request: tracePlace(request)), &context)
      note(.froze(request: tracePlace(request)), &context)
      requests[request].isHeld = true
      requests[request].began = context.now
    case .thaw(let id):
      let request = place(of: id, in: pool)
      note(.thawed(request: tracePlace(request)), &context)
      occupyThread(request, &context)
      guard requests[request].isHeld else { return }
      requests[request].isHeld = false
      begin(request, timeout: .zero, &context)
    case .limitReached(let id, _):
      note(.limitReached(request: tracePlace(place(of: id, in: pool))), &context)
    case .abandon:
      // Taken back together with all others of the step.
      break
    case .slotReleased(let id):
      let request = place(of: id, in: pool)
      note(.slotReleased(request: tracePlace(request)), &context)
      leaveThread(request, &context)
    case .tell(let id, let end):
      note(.ended(request: tracePlace(place(of: id, in: pool)), end), &context)
    case .wait(let id, let position):
      let request = place(of: id, in: pool)
      // The first wait is told with the arrival.
      guard requests[request].began != nil else { return }
      note(.waits(request: tracePlace(request), position: position), &context)
    case .refuse(let id, let refusal):
      note(
        .arrived(request: tracePlace(place(of: id, in: pool)), .refused(refusal)), &context)
    case .becomePolls:
      // Told with the arrival.
      break
    }
  }

  private mutating func handOver(_ request: Int, timeout: Interval, _ context: inout Context) {
    note(.handedOver(request: tracePlace(request)), &context)
    if requests[request].began == nil { requests[request].began = context.now }
    begin(request, timeout: timeout, &context)
  }

  /// Lets the platform begin a request.
  private mutating func begin(_ request: Int, timeout: Interval, _ context: inout Context) {
    requests[request].isWithPlatform = true
    let wanted = context.script.requests[request]
    guard context.script.hosts[wanted.host].endpointKey() != nil else {
      return refuseToBegin(request, &context)
    }
    pending.append(
      .loader(
        .begun(
          URLLoader.Load(
            id: tracePlace(request), endpoint: endpoints[wanted.host].index,
            pool: tracePlace(wanted.pool), timeout: timeout, isExempt: wanted.kind == .exempt))))
  }

  /// The platform can make nothing of the request's host (U81).
  private mutating func refuseToBegin(_ request: Int, _ context: inout Context) {
    requests[request].isWithPlatform = false
    guard let id = requests[request].id else {
      note(.ended(request: tracePlace(request), .notStarted), &context)
      return
    }
    pending.append(.dispatcher(pool: context.script.requests[request].pool, .notStarted(id)))
  }

  /// Takes back from the platform what a step of a dispatcher abandons.
  private mutating func takeBack(
    _ effects: [DispatcherEffect], of pool: Int, _ network: inout Network,
    _ context: inout Context
  ) {
    for case .abandon(let id) in effects {
      takeBack(place(of: id, in: pool), &network, &context)
    }
  }

  private mutating func takeBack(
    _ request: Int, _ network: inout Network, _ context: inout Context
  ) {
    leavePlatform(request, &network, &context)
    abandoned.append(tracePlace(request))
  }

  /// The platform has nothing more to do with a request: what is on its way reaches nobody.
  private mutating func leavePlatform(
    _ request: Int, _ network: inout Network, _ context: inout Context
  ) {
    requests[request].isWithPlatform = false
    network.streams.abandon(tracePlace(request), &network.links, &context)
  }

  private mutating func carryOut(
    _ effect: URLLoader.Effect, _ network: inout Network, _ context: inout Context
  ) {
    switch effect {
    case .open(let connection, let endpoint, let pool):
      let host = tracePlace(endpointHosts[Int(endpoint)])
      note(
        .connectionOpened(connection.index, host: host, pool: pool, context.device.path), &context)
      network.register(ConnectionID(connection), host: host, context)
    case .close(let connection):
      note(.connectionClosed(connection.index), &context)
      network.close(ConnectionID(connection), &context)
    case .send(let id, let connection):
      note(.carried(request: id, connection: connection.index), &context)
      send(id, over: ConnectionID(connection), &network, &context)
    case .freeze(let id):
      note(.froze(request: id), &context)
    case .fail(let id, let code):
      fail(Int(id), code, &network, &context)
    }
  }

  /// Sends a request, which is whole at once.
  private mutating func send(
    _ request: UInt32, over connection: ConnectionID, _ network: inout Network,
    _ context: inout Context
  ) {
    let stream = CallID(index: request, generation: 0)
    network.streams.introduce(request, as: stream, &network.links, &context)
    network.streams[request].isPoll = requests[Int(request)].isPolling
    network.write(.request, of: request, to: connection, &context)
    network.write(.finish, of: request, to: connection, &context)
  }

  /// The platform gives a request up.
  private mutating func fail(
    _ request: Int, _ code: Int32, _ network: inout Network, _ context: inout Context
  ) {
    leavePlatform(request, &network, &context)
    guard let id = requests[request].id else {
      note(.ended(request: tracePlace(request), .failed(code: code)), &context)
      return
    }
    guard failed == nil else {
      failed?.append(request)
      return
    }
    pending.append(
      .dispatcher(pool: context.script.requests[request].pool, .failed(id, code: code)))
  }

  /// Time has passed for dispatchers and the platform.
  mutating func timeElapsed(_ network: inout Network, _ context: inout Context) {
    for pool in dispatchers.indices
    where dispatchers[pool].nextDeadline.map({ $0 <= context.now }) ?? false {
      pending.append(.dispatcher(pool: pool, .timeElapsed))
    }
    pending.append(.loader(.timeElapsed))
    work(&network, &context)
    collectThreads(&context)
  }

  /// The client is closed, and everything of it ends.
  mutating func close(_ network: inout Network, _ context: inout Context) {
    for pool in dispatchers.indices {
      pending.append(.dispatcher(pool: pool, .closed))
    }
    pending.append(.loader(.closed))
    work(&network, &context)
  }

  /// When something will still end of itself before a limit; the limit where nothing will.
  ///
  /// The time-out of a request whose data comes again and again begins anew each time.
  func nextForeground(
    before limit: Instant, _ network: borrowing Network, _ context: borrowing Context
  ) -> Instant {
    var due = limit
    for pool in dispatchers.indices {
      due = dispatchers[pool].nextDeadline(before: due) {
        !restsForEver(place(of: $0, in: pool), network, context)
      }
    }
    due = loader.nextTimeout(before: due) { !isFed($0, network, context) }
    return min(due, nextPressingCollection())
  }

  /// Whether the next poll of a stream that rests, and has a slot for it, is answered like the one
  /// before, and so for ever, as long as nothing changes.
  private func restsForEver(
    _ request: Int, _ network: borrowing Network, _ context: borrowing Context
  ) -> Bool {
    let wanted = context.script.requests[request]
    let endpoint = endpoints[wanted.host]
    let host = network.links.hosts[endpointHosts[Int(endpoint.index)]]
    guard wanted.takes == nil, context.device.path != nil, host.server == .accept,
      host.names == .resolve, !host.isBlackhole,
      // The connection of the one before may be closed meanwhile.
      wanted.timeout <= .zero || host.connect + Self.pollTime <= wanted.timeout
    else { return false }
    switch loader.carrier(on: endpoint.index, of: tracePlace(wanted.pool)) {
    case .open(let connection):
      return network.links.connections[Int(connection.index)].stall.isEmpty
    case .new: return true
    case nil: return false
    }
  }

  /// Whether data comes on a request before its time-out passes, as long as nothing changes.
  private func isFed(_ request: UInt32, _ network: borrowing Network, _ context: borrowing Context)
    -> Bool
  {
    let wanted = context.script.requests[Int(request)]
    guard let every = wanted.every, every < wanted.timeout,
      let connection = loader.connection(of: request)
    else { return false }
    let carrier = network.links.connections[Int(connection.index)]
    return carrier.phase == .established && carrier.stall.isEmpty
      && network.links.hosts[Int(carrier.host)].server != .silent
  }

  // MARK: What arrives

  /// Something of the network reached the platform.
  mutating func hear(
    _ fact: NetworkFact, _ network: inout Network, _ context: inout Context
  ) {
    switch fact {
    case .connected, .pong:
      // The platform sends as soon as that can be done, and asks nobody.
      break
    case .draining(let connection):
      notify(.loader(.draining(LoadConnectionID(connection.index))), &network, &context)
    case .headers(let request):
      arrive(.headers(request.index), &network, &context)
    case .message(let request):
      arrive(.data(request.index), &network, &context)
    case .ended(let request, _):
      arrive(.end(request.index), &network, &context)
    case .attemptFailed(_, let failure), .connectionLost(_, let failure):
      let code = RequestErrorCode.code(of: failure)
      let lost = network.takeLosses { RequestErrorCode.code(of: $0) == code }
      guard !lost.isEmpty else { return }
      arrive(.lost(lost.map { LoadConnectionID($0.index) }, code: code), &network, &context)
    }
  }

  /// The application runs again, and hears what it missed.
  mutating func releaseHeld(_ network: inout Network, _ context: inout Context) {
    let missed = held
    held = []
    for arrived in missed { arrive(arrived, &network, &context) }
  }

  /// Something reached the device; an application that does not run hears of it later.
  mutating func arrive(
    _ arrived: RequestHost.Arrived, _ network: inout Network, _ context: inout Context
  ) {
    guard context.device.app.runs else {
      held.append(arrived)
      context.trace.append(.world(.heldBack(.transportEvent)), at: context.now)
      return
    }
    switch arrived {
    case .headers(let request):
      guard requests[Int(request)].isWithPlatform else { return }
      note(.responded(request: request), &context)
      pending.append(.loader(.received(request)))
      if let (id, pool) = dispatched(request, context) {
        pending.append(.dispatcher(pool: pool, .responded(id)))
      }
    case .data(let request):
      guard requests[Int(request)].isWithPlatform else { return }
      note(.received(request: request), &context)
      pending.append(.loader(.received(request)))
    case .end(let request):
      guard requests[Int(request)].isWithPlatform else { return }
      finish(Int(request), &network, &context)
    case .lost(let connections, let code):
      lose(connections, code, &network, &context)
    }
    work(&network, &context)
  }

  private func dispatched(_ request: UInt32, _ context: borrowing Context) -> (RequestID, Int)? {
    requests[Int(request)].id.map { ($0, context.script.requests[Int(request)].pool) }
  }

  private mutating func finish(
    _ request: Int, _ network: inout Network, _ context: inout Context
  ) {
    leavePlatform(request, &network, &context)
    let place = tracePlace(request)
    pending.append(.loader(.finished(place)))
    guard let (id, pool) = dispatched(place, context) else {
      note(.ended(request: place, .finished), &context)
      return
    }
    guard requests[request].isPolling else {
      pending.append(.dispatcher(pool: pool, .finished(id)))
      return
    }
    note(.pollAnswered(request: place), &context)
    let began = requests[request].began ?? context.now
    let isOver = context.script.requests[request].takes.map { began + $0 <= context.now } ?? false
    pending.append(
      .dispatcher(pool: pool, isOver ? .finished(id) : .pollAnswered(id)))
  }

  /// Connections are lost; whoever held a slot over them is told when all of them are known, so
  /// that nobody starts on one of them in between.
  private mutating func lose(
    _ connections: [LoadConnectionID], _ code: Int32, _ network: inout Network,
    _ context: inout Context
  ) {
    failed = []
    for connection in connections {
      pending.append(.loader(.connectionLost(connection, code: code)))
    }
    work(&network, &context)
    let together = failed ?? []
    failed = nil
    for together in bySlots(together, context) {
      let (pool, endpoint) = slot(of: together[0], context)
      tell(together, failed: code, on: endpoint, of: pool)
    }
  }

  /// Requests in groups: those of one pool and endpoint together, in the order of their first ones.
  private func bySlots(_ failed: [Int], _ context: borrowing Context) -> [[Int]] {
    var groups: [[Int]] = []
    var places: [Int: Int] = [:]  // lookup only
    for request in failed {
      let (pool, endpoint) = slot(of: request, context)
      let key = pool * endpoints.count + Int(endpoint.index)
      if let place = places[key] {
        groups[place].append(request)
      } else {
        places[key] = groups.count
        groups.append([request])
      }
    }
    return groups
  }

  /// The pool whose dispatcher a request has its slot of, and the endpoint.
  private func slot(of request: Int, _ context: borrowing Context) -> (Int, EndpointID) {
    let wanted = context.script.requests[request]
    return (wanted.pool, endpoints[wanted.host])
  }

  /// Tells a dispatcher of requests that failed together: with one fact where it is left with none.
  private mutating func tell(
    _ failed: [Int], failed code: Int32, on endpoint: EndpointID, of pool: Int
  ) {
    let usage = dispatchers[pool].usage(of: endpoint)
    let isAll = failed.count == Int(usage.running + usage.exempt)
    if isAll, code == RequestErrorCode.connectionLost {
      pending.append(.dispatcher(pool: pool, .connectionsLost(endpoint)))
    } else {
      for id in failed.compactMap({ requests[$0].id }) {
        pending.append(.dispatcher(pool: pool, .failed(id, code: code)))
      }
    }
  }
}

extension ConnectionID {
  /// A connection of the platform in the network: its number is its row, and nobody else's ever.
  fileprivate init(_ connection: LoadConnectionID) {
    self.init(index: connection.index, generation: 0)
  }
}

extension RequestErrorCode {
  /// What the platform calls the loss of a connection.
  fileprivate static func code(of failure: ConnectionFailure) -> Int32 {
    switch failure {
    case .networkUnreachable: notConnected
    case .nameResolutionFailed: cannotFindHost
    case .refused, .connectTimedOut: cannotConnect
    case .aborted, .reset, .timedOut, .closed, .keepaliveTimeout, .streamAborted, .streamReset,
      .streamTimedOut:
      connectionLost
    }
  }
}
