import HandoverCore
import HandoverTrace

// Requests: their user, the dispatcher where the profile has one, and the platform.
extension SimulatedRun {
  func tracePlace(_ place: Int) -> UInt32 { UInt32(truncatingIfNeeded: place) }

  mutating func note(_ fact: RequestFact) {
    trace.append(.request(fact), at: now)
  }

  // MARK: The user

  mutating func make(_ request: Int) {
    let script = script.requests[request]
    let pool = script.pool
    guard !requests.dispatchers.isEmpty else {
      note(.arrived(request: tracePlace(request), nil))
      handOver(request, timeout: script.timeout)
      workRequests()
      return
    }
    let id = requests.dispatchers[pool].nextRequestID
    let endpoint = requests.endpoints[script.host]
    let admission = requests.dispatchers[pool].prediction(
      for: script.kind, on: endpoint, policy: script.policy)
    requests.introduce(request, as: id, in: pool)
    switch admission {
    case .refused:
      // Told after the user has heard of the limit.
      break
    case .polls:
      requests.requests[request].isPolling = true
      note(.arrived(request: tracePlace(request), admission))
    case .startsNow, .waits, .freezes:
      note(.arrived(request: tracePlace(request), admission))
    }
    let settings = RequestSettings(
      script.kind, timeout: script.timeout, deadline: script.deadline.map { now + $0 } ?? .never,
      policy: script.policy)
    tellMachine(.dispatcher(pool: pool, .requestArrived(id, endpoint, settings)))
  }

  mutating func cancelRequest(_ request: Int) {
    let pool = script.requests[request].pool
    if let id = requests.requests[request].id {
      tellMachine(.dispatcher(pool: pool, .cancelled(id)))
    } else if requests.requests[request].isWithPlatform {
      takeBack(request)
      note(.ended(request: tracePlace(request), .cancelled))
      workRequests()
    }
  }

  mutating func ask(_ question: Int) {
    let asked = script.questions[question]
    guard !requests.dispatchers.isEmpty else { return }
    let endpoint = requests.endpoints[asked.host]
    let dispatcher = requests.dispatchers[asked.pool]
    note(
      .answered(
        question: tracePlace(question),
        dispatcher.prediction(for: asked.kind, on: endpoint, policy: asked.policy)))
    for holder in dispatcher.holders(of: endpoint) {
      let request = requests.place(of: holder, in: asked.pool)
      note(.heldSlot(question: tracePlace(question), request: tracePlace(request)))
    }
  }

  mutating func command(_ pool: Int, _ command: DispatcherCommand) {
    guard !requests.dispatchers.isEmpty else { return }
    switch command {
    case .setLongLimit(let long):
      // The reader has seen to it that no more may be long than may run.
      guard let limits = try? configuration.requests.limits.settingLong(long) else { return }
      note(.longLimitChanged(pool: tracePlace(pool), long))
      tellMachine(.dispatcher(pool: pool, .limitsChanged(limits)))
    case .close:
      note(.dispatcherClosed(pool: tracePlace(pool)))
      tellMachine(.dispatcher(pool: pool, .closed))
    }
  }

  // MARK: The machines

  mutating func tellMachine(_ fact: RequestHost.MachineFact) {
    requests.pending.append(fact)
    workRequests()
  }

  /// Lets the machines take every fact that waits, and those that follow from their orders.
  ///
  /// The platform hears of nothing before everything is taken back that dispatchers gave up, so
  /// that nothing of it gets a connection that becomes free at the same instant.
  mutating func workRequests() {
    var next = 0
    while true {
      if next < requests.pending.count,
        case .dispatcher(let pool, let event) = requests.pending[next]
      {
        next += 1
        step(pool, event)
      } else if !requests.abandoned.isEmpty {
        let abandoned = requests.abandoned
        requests.abandoned.removeAll(keepingCapacity: true)
        stepLoader(.cancelled(abandoned))
      } else if next < requests.pending.count, case .loader(let event) = requests.pending[next] {
        next += 1
        stepLoader(event)
      } else {
        break
      }
    }
    requests.pending.removeAll(keepingCapacity: true)
    refreshRequestDeadline()
  }

  private mutating func step(_ pool: Int, _ event: EndpointDispatcher.Event) {
    var effects = EffectLog<DispatcherEffect>()
    requests.dispatchers[pool].step(event, at: now, into: &effects)
    takeBack(effects.elements, of: pool)
    for place in 0..<effects.count { carryOut(effects[place], of: pool) }
    if event == .closed { endThreads(of: pool) }
    restThreads()
  }

  private mutating func stepLoader(_ event: URLLoader.Event) {
    var effects = EffectLog<URLLoader.Effect>()
    requests.loader.step(event, at: now, into: &effects)
    for place in 0..<effects.count { carryOut(effects[place]) }
    // One that fails at once does so after it was told what it carries.
    for place in 0..<effects.count {
      if case .open(let connection, _, _) = effects[place] { beginConnection(connection) }
    }
  }

  private mutating func carryOut(_ effect: DispatcherEffect, of pool: Int) {
    switch effect {
    case .start(let id), .startPoll(let id):
      let request = requests.place(of: id, in: pool)
      occupyThread(request)
      // The dispatcher has a time-out of its own, and the platform is not trusted with one (U40).
      handOver(request, timeout: .zero)
    case .freeze(let id):
      let request = requests.place(of: id, in: pool)
      handOver(request, timeout: script.requests[request].timeout)
    case .hold(let id):
      let request = requests.place(of: id, in: pool)
      note(.handedOver(request: tracePlace(request)))
      note(.froze(request: tracePlace(request)))
      requests.requests[request].isHeld = true
      requests.requests[request].began = now
    case .thaw(let id):
      let request = requests.place(of: id, in: pool)
      note(.thawed(request: tracePlace(request)))
      occupyThread(request)
      guard requests.requests[request].isHeld else { return }
      requests.requests[request].isHeld = false
      begin(request, timeout: .zero)
    case .limitReached(let id, _):
      note(.limitReached(request: tracePlace(requests.place(of: id, in: pool))))
    case .abandon:
      // Taken back together with all others of the step.
      break
    case .slotReleased(let id):
      let request = requests.place(of: id, in: pool)
      note(.slotReleased(request: tracePlace(request)))
      leaveThread(request)
    case .tell(let id, let end):
      note(.ended(request: tracePlace(requests.place(of: id, in: pool)), end))
    case .wait(let id, let position):
      let request = requests.place(of: id, in: pool)
      // The first wait is told with the arrival.
      guard requests.requests[request].began != nil else { return }
      note(.waits(request: tracePlace(request), position: position))
    case .refuse(let id, let refusal):
      note(
        .arrived(request: tracePlace(requests.place(of: id, in: pool)), .refused(refusal)))
    case .becomePolls:
      // Told with the arrival.
      break
    }
  }

  private mutating func handOver(_ request: Int, timeout: Interval) {
    note(.handedOver(request: tracePlace(request)))
    if requests.requests[request].began == nil { requests.requests[request].began = now }
    begin(request, timeout: timeout)
  }

  /// Lets the platform begin a request.
  private mutating func begin(_ request: Int, timeout: Interval) {
    requests.requests[request].isWithPlatform = true
    let wanted = script.requests[request]
    guard script.hosts[wanted.host].endpointKey() != nil else { return refuseToBegin(request) }
    requests.pending.append(
      .loader(
        .begun(
          URLLoader.Load(
            id: tracePlace(request), endpoint: requests.endpoints[wanted.host].index,
            pool: tracePlace(wanted.pool), timeout: timeout, isExempt: wanted.kind == .exempt))))
  }

  /// The platform can make nothing of the request's host (U81).
  private mutating func refuseToBegin(_ request: Int) {
    requests.requests[request].isWithPlatform = false
    guard let id = requests.requests[request].id else {
      note(.ended(request: tracePlace(request), .notStarted))
      return
    }
    requests.pending.append(.dispatcher(pool: script.requests[request].pool, .notStarted(id)))
  }

  /// Takes back from the platform what a step of a dispatcher abandons.
  private mutating func takeBack(_ effects: [DispatcherEffect], of pool: Int) {
    for case .abandon(let id) in effects { takeBack(requests.place(of: id, in: pool)) }
  }

  private mutating func takeBack(_ request: Int) {
    requests.requests[request].isWithPlatform = false
    requests.abandoned.append(tracePlace(request))
  }

  private mutating func carryOut(_ effect: URLLoader.Effect) {
    switch effect {
    case .open(let connection, let endpoint, let pool):
      openConnection(connection, endpoint: endpoint, pool: pool)
    case .close(let connection):
      note(.connectionClosed(connection.index))
      requests.connections[Int(connection.index)].phase = .gone
    case .send(let id, let connection):
      note(.carried(request: id, connection: connection.index))
      send(Sending(request: id), over: connection)
    case .freeze(let id):
      note(.froze(request: id))
    case .fail(let id, let code):
      fail(Int(id), code)
    }
  }

  /// The platform gives a request up.
  private mutating func fail(_ request: Int, _ code: Int32) {
    requests.requests[request].isWithPlatform = false
    guard let id = requests.requests[request].id else {
      note(.ended(request: tracePlace(request), .failed(code: code)))
      return
    }
    guard requests.failed == nil else {
      requests.failed?.append(request)
      return
    }
    requests.pending.append(
      .dispatcher(pool: script.requests[request].pool, .failed(id, code: code)))
  }

  /// Time has passed for dispatchers and the platform.
  mutating func elapseRequests() {
    for pool in requests.dispatchers.indices
    where requests.dispatchers[pool].nextDeadline.map({ $0 <= now }) ?? false {
      requests.pending.append(.dispatcher(pool: pool, .timeElapsed))
    }
    requests.pending.append(.loader(.timeElapsed))
    workRequests()
    collectThreads()
  }

  /// The client is closed, and everything of it ends.
  mutating func closeRequests() {
    for pool in requests.dispatchers.indices {
      requests.pending.append(.dispatcher(pool: pool, .closed))
    }
    requests.pending.append(.loader(.closed))
    workRequests()
  }

  /// When something will still end of itself before a limit; the limit where nothing will.
  ///
  /// The time-out of a request whose data comes again and again begins anew each time.
  func nextPressingRequestDeadline(before limit: Instant) -> Instant {
    var due = limit
    for pool in requests.dispatchers.indices {
      due = requests.dispatchers[pool].nextDeadline(before: due) {
        !restsForEver(requests.place(of: $0, in: pool))
      }
    }
    due = requests.loader.nextTimeout(before: due) { !isFed($0) }
    return min(due, nextPressingCollection())
  }

  /// Whether the next poll of a stream that rests, and has a slot for it, is answered like the one
  /// before, and so for ever, as long as nothing changes.
  private func restsForEver(_ request: Int) -> Bool {
    let wanted = script.requests[request]
    let endpoint = requests.endpoints[wanted.host]
    let host = hosts[requests.endpointHosts[Int(endpoint.index)]]
    guard wanted.takes == nil, device.path != nil, host.server == .accept,
      host.names == .resolve, !host.isBlackhole,
      // The connection of the one before may be closed meanwhile.
      wanted.timeout <= .zero || host.connect + Self.pollTime <= wanted.timeout
    else { return false }
    switch requests.loader.carrier(on: endpoint.index, of: tracePlace(wanted.pool)) {
    case .open(let connection): return requests.connections[Int(connection.index)].stall.isEmpty
    case .new: return true
    case nil: return false
    }
  }

  /// Whether data comes on a request before its time-out passes, as long as nothing changes.
  private func isFed(_ request: UInt32) -> Bool {
    let wanted = script.requests[Int(request)]
    guard let every = wanted.every, every < wanted.timeout,
      let connection = requests.loader.connection(of: request)
    else { return false }
    let carrier = requests.connections[Int(connection.index)]
    return carrier.phase == .established && carrier.stall.isEmpty
      && hosts[Int(carrier.host)].server != .silent
  }

  // MARK: What arrives

  /// The application runs again, and hears what it missed.
  mutating func releaseHeldRequests() {
    let held = requests.held
    requests.held = []
    for arrived in held { arrive(arrived) }
  }

  /// Something reached the device; an application that does not run hears of it later.
  mutating func arrive(_ arrived: RequestHost.Arrived) {
    guard device.app.runs else {
      requests.held.append(arrived)
      trace.append(.world(.heldBack(.transportEvent)), at: now)
      return
    }
    switch arrived {
    case .headers(let sending):
      guard requests.isCurrent(sending) else { return }
      note(.responded(request: sending.request))
      requests.pending.append(.loader(.received(sending.request)))
      if let (id, pool) = dispatched(sending) {
        requests.pending.append(.dispatcher(pool: pool, .responded(id)))
      }
    case .data(let sending):
      guard requests.isCurrent(sending) else { return }
      note(.received(request: sending.request))
      requests.pending.append(.loader(.received(sending.request)))
    case .end(let sending):
      guard requests.isCurrent(sending) else { return }
      finish(sending)
    case .lost(let connections, let code):
      lose(connections, code)
    }
    workRequests()
  }

  private func dispatched(_ sending: Sending) -> (RequestID, Int)? {
    requests.requests[Int(sending.request)].id.map {
      ($0, script.requests[Int(sending.request)].pool)
    }
  }

  private mutating func finish(_ sending: Sending) {
    let request = Int(sending.request)
    requests.requests[request].isWithPlatform = false
    requests.pending.append(.loader(.finished(sending.request)))
    guard let (id, pool) = dispatched(sending) else {
      note(.ended(request: sending.request, .finished))
      return
    }
    guard requests.requests[request].isPolling else {
      requests.pending.append(.dispatcher(pool: pool, .finished(id)))
      return
    }
    note(.pollAnswered(request: sending.request))
    let began = requests.requests[request].began ?? now
    let isOver = script.requests[request].takes.map { began + $0 <= now } ?? false
    requests.pending.append(
      .dispatcher(pool: pool, isOver ? .finished(id) : .pollAnswered(id)))
  }

  /// Connections are lost; whoever held a slot over them is told when all of them are known, so
  /// that nobody starts on one of them in between.
  private mutating func lose(_ connections: [LoadConnectionID], _ code: Int32) {
    requests.failed = []
    for connection in connections {
      requests.pending.append(.loader(.connectionLost(connection, code: code)))
    }
    workRequests()
    let failed = requests.failed ?? []
    requests.failed = nil
    for together in bySlots(failed) {
      let (pool, endpoint) = slot(of: together[0])
      tell(together, failed: code, on: endpoint, of: pool)
    }
  }

  /// Requests in groups: those of one pool and endpoint together, in the order of their first ones.
  private func bySlots(_ failed: [Int]) -> [[Int]] {
    var groups: [[Int]] = []
    var places: [Int: Int] = [:]  // lookup only
    for request in failed {
      let (pool, endpoint) = slot(of: request)
      let key = pool * requests.endpoints.count + Int(endpoint.index)
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
  private func slot(of request: Int) -> (Int, EndpointID) {
    let wanted = script.requests[request]
    return (wanted.pool, requests.endpoints[wanted.host])
  }

  /// Tells a dispatcher of requests that failed together: with one fact where it is left with none.
  private mutating func tell(
    _ failed: [Int], failed code: Int32, on endpoint: EndpointID, of pool: Int
  ) {
    let usage = requests.dispatchers[pool].usage(of: endpoint)
    let isAll = failed.count == Int(usage.running + usage.exempt)
    if isAll, code == RequestErrorCode.connectionLost {
      requests.pending.append(.dispatcher(pool: pool, .connectionsLost(endpoint)))
    } else {
      for id in failed.compactMap({ requests.requests[$0].id }) {
        requests.pending.append(.dispatcher(pool: pool, .failed(id, code: code)))
      }
    }
  }
}
