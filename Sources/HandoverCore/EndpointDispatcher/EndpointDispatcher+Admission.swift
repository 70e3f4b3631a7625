// What becomes of a request that arrives.
extension EndpointDispatcher {
  /// What would become of a request if it arrived now; asking changes nothing.
  ///
  /// Short load counts too: a long request below the long limit waits where short ones take the
  /// rest of the total.
  ///
  /// - Parameters:
  ///   - kind: what the request is.
  ///   - endpoint: where it goes; must have been registered.
  ///   - policy: what becomes of it at the long limit; nil for the dispatcher's own policy.
  /// - Returns: what an arrival in this state would lead to.
  public func prediction(
    for kind: RequestKind, on endpoint: EndpointID, policy: LongLimitPolicy? = nil
  ) -> Admission {
    admission(of: kind, on: endpoint, policy)
  }

  // What only looks is inlined, here and wherever a step asks: called, it would be handed a copy of
  // the whole dispatcher.
  @inline(__always)
  private func admission(
    of kind: RequestKind, on endpoint: EndpointID, _ policy: LongLimitPolicy?
  ) -> Admission {
    guard !isClosed else { return .refused(.closed) }
    let place = place(of: endpoint)
    switch kind {
    case .exempt:
      return .startsNow
    case .synchronous, .short:
      return Self.admission(at: position(joining: endpoints[Int(place)].short, on: place))
    case .long:
      guard isAtLongLimit(place) else {
        return Self.admission(at: position(joining: endpoints[Int(place)].long, on: place))
      }
      return atLongLimit(policy ?? configuration.policy, on: place)
    }
  }

  /// The place that a request would get in a line; 0 where it need not stand there.
  @inline(__always)
  private func position(joining line: RequestLine, on endpoint: UInt32) -> UInt32 {
    line.count == 0 && hasFreeSlot(endpoint) ? 0 : line.count + 1
  }

  @inline(__always)
  private static func admission(at position: UInt32) -> Admission {
    position == 0 ? .startsNow : .waits(position: position)
  }

  @inline(__always)
  private func atLongLimit(_ policy: LongLimitPolicy, on endpoint: UInt32) -> Admission {
    switch policy {
    case .throw:
      return .refused(.heldBackThrowing)
    case .fail:
      return .refused(.heldBackFailing)
    case .enqueue:
      return .waits(position: endpoints[Int(endpoint)].long.count + 1)
    case .ignore:
      return hasFreeSlot(endpoint) ? .startsNow : .freezes
    case .poll:
      return .polls(position: position(joining: endpoints[Int(endpoint)].short, on: endpoint))
    }
  }

  @usableFromInline
  mutating func admit(
    _ request: RequestID, on endpoint: EndpointID, _ settings: RequestSettings, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    precondition(request == requests.nextID, "identifiers are handed out by nextRequestID")
    let admission = admission(of: settings.kind, on: endpoint, settings.policy)
    if settings.kind == .long, !isClosed, isAtLongLimit(endpoint.index) {
      effects.append(.limitReached(request, endpoint))
    }
    requests.insert(endpoint: endpoint.index, settings)
    switch admission {
    case .startsNow:
      join(request.index, at: 0, now, into: &effects)
    case .waits(let position):
      join(request.index, at: position, now, into: &effects)
    case .refused(let refusal):
      requests.free(request.index)
      effects.append(.refuse(request, refusal))
    case .freezes:
      enter(.frozen, request.index)
      arm(request.index)
      effects.append(.freeze(request))
    case .polls(let position):
      becomePolls(request.index, settings.policy ?? configuration.policy, into: &effects)
      join(request.index, at: position, now, into: &effects)
    }
  }

  private mutating func becomePolls(
    _ request: UInt32, _ policy: LongLimitPolicy, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard case .poll(let interval) = policy else { return }
    requests[request].isPolling = true
    requests[request].pollInterval = interval
    effects.append(.becomePolls(requests.id(request), every: interval))
  }

  /// Puts a request in line for a slot, or begins it where its place is 0.
  @inline(__always)
  private mutating func join(
    _ request: UInt32, at position: UInt32, _ now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard position > 0 else {
      begin(request, at: now, into: &effects)
      return
    }
    arrivals += 1
    requests[request].arrival = arrivals
    enter(.waiting, request)
    if isChargedForWaiting(requests[request].kind) { startTimer(request, at: now) }
    arm(request)
    effects.append(.wait(requests.id(request), position: position))
    noteWait(on: requests[request].endpoint, at: now)
  }

  /// Hands a request to the transport, in a slot where it needs one.
  mutating func begin(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    if requests[request].kind == .exempt {
      enter(.exempt, request)
    } else {
      takeSlot(request)
    }
    requests[request].started = now
    if requests[request].timer == .never { startTimer(request, at: now) }
    arm(request)
    let id = requests.id(request)
    effects.append(requests[request].isPolling ? .startPoll(id) : .start(id))
  }

  /// The next poll of a stream is due, and stands in line like any other short request.
  mutating func pollAgain(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    requests[request].timer = .never
    let endpoint = requests[request].endpoint
    let position = position(joining: endpoints[Int(endpoint)].short, on: endpoint)
    join(request, at: position, now, into: &effects)
  }
}
