import HandoverCore

// Requests: their user, the dispatcher if the profile has one, and the platform.
extension RequestHost {
  private func traceIndex(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index) }

  // MARK: Facts

  mutating func handle(
    _ fact: SimulatedClient.Fact, _ network: inout Network, _ context: inout Context
  ) {
    switch fact {
    case .requestMade(let request): make(request, &network, &context)
    case .requestCancelled(let request): cancel(request, &network, &context)
    case .asked(let question): ask(question, &context)
    case .dispatcherCommanded(let pool, let action): command(pool, action, &network, &context)
    case .resumed: releaseHeld(&network, &context)
    case .timeElapsed: timeElapsed(&network, &context)
    case .closed: close(&network, &context)
    }
  }

  // MARK: The user

  private mutating func make(_ request: Int, _ network: inout Network, _ context: inout Context) {
    let wanted = context.script.requests[request]
    let pool = wanted.pool
    guard !dispatchers.isEmpty else {
      context.record(.arrived(request: traceIndex(request), nil))
      handOver(request, timeout: context.timeout(of: request), &context)
      work(&network, &context)
      return
    }
    let id = dispatchers[pool].nextRequestID
    let endpoint = table.endpoints[wanted.host]
    let admission = dispatchers[pool].prediction(
      for: wanted.kind, on: endpoint, policy: wanted.policy)
    table.introduce(request, as: id, in: pool)
    switch admission {
    case .refused:
      // The dispatcher's step records the arrival, after the limit was reported to the user.
      break
    case .polls:
      table[request].isPolling = true
      context.record(.arrived(request: traceIndex(request), admission))
    case .startsNow, .waits, .freezes:
      context.record(.arrived(request: traceIndex(request), admission))
    }
    let settings = RequestSettings(
      wanted.kind, timeout: context.timeout(of: request),
      deadline: wanted.deadline.map { context.now + $0 } ?? .never,
      policy: wanted.policy)
    notify(.dispatcher(pool: pool, .requestArrived(id, endpoint, settings)), &network, &context)
  }

  private mutating func cancel(_ request: Int, _ network: inout Network, _ context: inout Context) {
    let pool = context.script.requests[request].pool
    if let id = table[request].id {
      notify(.dispatcher(pool: pool, .cancelled(id)), &network, &context)
    } else if table[request].isWithPlatform {
      platform.takeBack(request, &table, &network, &context)
      context.record(.ended(request: traceIndex(request), .cancelled))
      work(&network, &context)
    }
  }

  private mutating func ask(_ question: Int, _ context: inout Context) {
    let asked = context.script.questions[question]
    guard !dispatchers.isEmpty else { return }
    let endpoint = table.endpoints[asked.host]
    let dispatcher = dispatchers[asked.pool]
    context.record(
      .answered(
        question: traceIndex(question),
        dispatcher.prediction(for: asked.kind, on: endpoint, policy: asked.policy)))
    for holder in dispatcher.holders(of: endpoint) {
      let request = table.index(of: holder, in: asked.pool)
      context.record(.heldSlot(question: traceIndex(question), request: traceIndex(request)))
    }
  }

  private mutating func command(
    _ pool: Int, _ command: DispatcherCommand, _ network: inout Network, _ context: inout Context
  ) {
    guard !dispatchers.isEmpty else { return }
    switch command {
    case .setLongLimit(let long):
      // The scenario parser has checked that the long limit does not exceed the total limit.
      guard let limits = try? context.configuration.requests.limits.settingLong(long) else {
        return
      }
      context.record(.longLimitChanged(pool: traceIndex(pool), long))
      notify(.dispatcher(pool: pool, .limitsChanged(limits)), &network, &context)
    case .close:
      context.record(.dispatcherClosed(pool: traceIndex(pool)))
      notify(.dispatcher(pool: pool, .closed), &network, &context)
    }
  }

  // MARK: The state machines

  private mutating func notify(
    _ fact: RequestHost.MachineFact, _ network: inout Network, _ context: inout Context
  ) {
    pending.append(fact)
    work(&network, &context)
  }

  /// Processes all pending facts, and the facts that result from their orders.
  ///
  /// The platform receives a fact only after all requests that dispatchers gave up were canceled.
  /// Otherwise such a request could get a connection that becomes free at the same instant.
  mutating func work(_ network: inout Network, _ context: inout Context) {
    var next = 0
    while true {
      if next < pending.count,
        case .dispatcher(let pool, let event) = pending[next]
      {
        next += 1
        step(pool, event, &network, &context)
      } else if let takenBack = platform.takeTakenBack() {
        stepPlatform(.cancelled(takenBack), &network, &context)
      } else if next < pending.count, case .carrier(let event) = pending[next] {
        next += 1
        stepPlatform(event, &network, &context)
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
    for index in 0..<effects.count { carryOut(effects[index], of: pool, &network, &context) }
    if event == .closed { threads?.close(pool: pool, endpoints: table.keys.count) }
    threads?.rest(&context)
  }

  private mutating func stepPlatform(
    _ event: CarrierEvent, _ network: inout Network, _ context: inout Context
  ) {
    for failure in platform.step(event, &table, &network, &context) {
      guard failed == nil else {
        failed?.append(failure.request)
        continue
      }
      guard let id = table[failure.request].id else { continue }
      pending.append(
        .dispatcher(
          pool: context.script.requests[failure.request].pool, .failed(id, code: failure.code)))
    }
  }

  private mutating func carryOut(
    _ effect: DispatcherEffect, of pool: Int, _ network: inout Network, _ context: inout Context
  ) {
    switch effect {
    case .start(let id), .startPoll(let id):
      let request = table.index(of: id, in: pool)
      occupyThread(request, &context)
      // The dispatcher has its own timeout, and does not rely on the platform's timeout (U40).
      handOver(request, timeout: .zero, &context)
    case .freeze(let id):
      let request = table.index(of: id, in: pool)
      handOver(request, timeout: context.timeout(of: request), &context)
    case .hold(let id):
      let request = table.index(of: id, in: pool)
      context.record(.handedOver(request: traceIndex(request)))
      context.record(.froze(request: traceIndex(request)))
      table[request].isHeld = true
      table[request].began = context.now
    case .thaw(let id):
      let request = table.index(of: id, in: pool)
      context.record(.thawed(request: traceIndex(request)))
      occupyThread(request, &context)
      guard table[request].isHeld else { return }
      table[request].isHeld = false
      begin(request, timeout: .zero, &context)
    case .limitReached(let id, _):
      context.record(.limitReached(request: traceIndex(table.index(of: id, in: pool))))
    case .abandon:
      // Requests are canceled together with all others of the step.
      break
    case .slotReleased(let id):
      let request = table.index(of: id, in: pool)
      context.record(.slotReleased(request: traceIndex(request)))
      threads?.release(request, in: table.threadPool(of: request, context))
    case .notify(let id, let end):
      context.record(.ended(request: traceIndex(table.index(of: id, in: pool)), end))
    case .wait(let id, let position):
      let request = table.index(of: id, in: pool)
      // The first wait is recorded together with the arrival.
      guard table[request].began != nil else { return }
      context.record(.waits(request: traceIndex(request), position: position))
    case .refuse(let id, let refusal):
      context.record(
        .arrived(request: traceIndex(table.index(of: id, in: pool)), .refused(refusal)))
    case .replaceByPolls:
      // Recorded together with the arrival.
      break
    }
  }

  /// Assigns a thread to a request that has taken a slot, if the run has threads.
  private mutating func occupyThread(_ request: Int, _ context: inout Context) {
    guard threads != nil else { return }
    let (pool, endpoint) = table.slot(of: request, context)
    let slots = dispatchers[pool].usage(of: endpoint).total
    threads?.occupy(request, slots: slots, table, &context)
  }

  private mutating func handOver(_ request: Int, timeout: Interval, _ context: inout Context) {
    context.record(.handedOver(request: traceIndex(request)))
    if table[request].began == nil { table[request].began = context.now }
    begin(request, timeout: timeout, &context)
  }

  /// Makes the platform begin a request.
  private mutating func begin(_ request: Int, timeout: Interval, _ context: inout Context) {
    table[request].isWithPlatform = true
    let wanted = context.script.requests[request]
    guard context.script.hosts[wanted.host].endpointKey() != nil else {
      return refuseStart(request, &context)
    }
    pending.append(
      .carrier(
        .started(
          CarriedRequest(
            id: traceIndex(request), endpoint: table.endpoints[wanted.host].index,
            pool: traceIndex(wanted.pool), timeout: timeout, isExempt: wanted.kind == .exempt,
            body: wanted.body))))
  }

  /// Ends a request whose host the platform cannot use (U81).
  private mutating func refuseStart(_ request: Int, _ context: inout Context) {
    table[request].isWithPlatform = false
    guard let id = table[request].id else {
      context.record(.ended(request: traceIndex(request), .notStarted))
      return
    }
    pending.append(.dispatcher(pool: context.script.requests[request].pool, .notStarted(id)))
  }

  /// Cancels the requests that a step of a dispatcher abandons.
  private mutating func takeBack(
    _ effects: [DispatcherEffect], of pool: Int, _ network: inout Network,
    _ context: inout Context
  ) {
    for case .abandon(let id) in effects {
      platform.takeBack(table.index(of: id, in: pool), &table, &network, &context)
    }
  }

  /// Notifies the dispatchers and the platform that time has passed.
  private mutating func timeElapsed(_ network: inout Network, _ context: inout Context) {
    guard deadline <= context.now else { return }
    for pool in dispatchers.indices
    where dispatchers[pool].nextDeadline.map({ $0 <= context.now }) ?? false {
      pending.append(.dispatcher(pool: pool, .timeElapsed))
    }
    pending.append(.carrier(.timeElapsed))
    work(&network, &context)
    threads?.collect(&context)
    refreshDeadline(&context)
  }

  /// Closes the client and ends all requests.
  private mutating func close(_ network: inout Network, _ context: inout Context) {
    for pool in dispatchers.indices {
      pending.append(.dispatcher(pool: pool, .closed))
    }
    pending.append(.carrier(.closed))
    work(&network, &context)
  }

  // MARK: Arrivals

  /// Passes a fact of the network to the platform.
  mutating func receive(
    _ fact: NetworkFact, _ network: inout Network, _ context: inout Context
  ) {
    switch fact {
    case .connected(let connection):
      // The platform sends as soon as it can, without waiting for an event.
      network.clientConnects(connection)
      notify(.carrier(.connected(HTTPConnectionID(connection.index))), &network, &context)
    case .pong:
      break
    case .draining(let connection):
      network.clientReadsGoAway(on: connection)
      notify(.carrier(.draining(HTTPConnectionID(connection.index))), &network, &context)
    case .headers(let request):
      arrive(.headers(request.index), &network, &context)
    case .message(let request):
      arrive(.data(request.index), &network, &context)
    case .ended(let request, _):
      arrive(.end(request.index), &network, &context)
    case .attemptFailed(_, let failure), .connectionLost(_, let failure):
      guard let loss = platform.losses(like: failure, &network) else { return }
      arrive(.lost(loss), &network, &context)
    }
  }

  /// Delivers the facts that were held while the application was suspended.
  private mutating func releaseHeld(_ network: inout Network, _ context: inout Context) {
    let missed = held
    held = []
    for arrived in missed { arrive(arrived, &network, &context) }
  }

  /// Delivers data that reached the device.
  ///
  /// A suspended application receives it later.
  private mutating func arrive(
    _ arrived: RequestHost.Arrived, _ network: inout Network, _ context: inout Context
  ) {
    guard context.device.app.runs else {
      held.append(arrived)
      context.record(.deferred(.transportEvent))
      return
    }
    switch arrived {
    case .headers(let request):
      guard table[Int(request)].isWithPlatform else { return }
      context.record(.responded(request: request))
      pending.append(.carrier(.received(request)))
      if let (id, pool) = dispatched(request, context) {
        pending.append(.dispatcher(pool: pool, .responded(id)))
      }
    case .data(let request):
      guard table[Int(request)].isWithPlatform else { return }
      context.record(.received(request: request))
      pending.append(.carrier(.received(request)))
    case .end(let request):
      guard table[Int(request)].isWithPlatform else { return }
      finish(Int(request), &network, &context)
    case .lost(let loss):
      lose(loss.connections, loss.code, &network, &context)
    }
    work(&network, &context)
  }

  private func dispatched(_ request: UInt32, _ context: borrowing Context) -> (RequestID, Int)? {
    table[Int(request)].id.map { ($0, context.script.requests[Int(request)].pool) }
  }

  private mutating func finish(
    _ request: Int, _ network: inout Network, _ context: inout Context
  ) {
    platform.leave(request, &table, &network, &context)
    let index = traceIndex(request)
    pending.append(.carrier(.finished(index)))
    guard let (id, pool) = dispatched(index, context) else {
      context.record(.ended(request: index, .finished))
      return
    }
    guard table[request].isPolling else {
      pending.append(.dispatcher(pool: pool, .finished(id)))
      return
    }
    context.record(.pollAnswered(request: index))
    let began = table[request].began ?? context.now
    let isOver = context.script.requests[request].takes.map { began + $0 <= context.now } ?? false
    pending.append(
      .dispatcher(pool: pool, isOver ? .finished(id) : .pollAnswered(id)))
  }

  /// Loses connections, and notifies the owners of their slots once all lost connections are known.
  ///
  /// Otherwise a request could start on a lost connection in between.
  private mutating func lose(
    _ connections: [HTTPConnectionID], _ code: Int32, _ network: inout Network,
    _ context: inout Context
  ) {
    failed = []
    for connection in connections {
      pending.append(.carrier(.connectionLost(connection, code: code)))
    }
    work(&network, &context)
    let failures = failed ?? []
    failed = nil
    for group in table.bySlots(failures, context) {
      let (pool, endpoint) = table.slot(of: group[0], context)
      notify(group, failed: code, on: endpoint, of: pool)
    }
  }

  /// Notifies a dispatcher of requests that failed together.
  ///
  /// If no other request of the endpoint is running, it uses a single fact.
  private mutating func notify(
    _ failed: [Int], failed code: Int32, on endpoint: EndpointID, of pool: Int
  ) {
    let usage = dispatchers[pool].usage(of: endpoint)
    let isAll = failed.count == Int(usage.running + usage.exempt)
    if isAll, code == RequestErrorCode.connectionLost {
      pending.append(.dispatcher(pool: pool, .connectionsLost(endpoint)))
    } else {
      for id in failed.compactMap({ table[$0].id }) {
        pending.append(.dispatcher(pool: pool, .failed(id, code: code)))
      }
    }
  }
}
