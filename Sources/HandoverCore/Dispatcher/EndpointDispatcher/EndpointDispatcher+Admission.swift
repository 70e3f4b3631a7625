// The admission of arriving requests.
extension EndpointDispatcher {
  /// Returns the outcome of a request if it arrived now, without changing any state.
  ///
  /// Short requests count as well: a long request below the long limit waits if short requests use
  /// the rest of the total.
  ///
  /// - Parameters:
  ///   - kind: the kind of the request.
  ///   - endpoint: the registered endpoint of the request.
  ///   - policy: the policy at the long limit, or `nil` for the policy of the dispatcher.
  /// - Returns: the admission that an arrival in this state would get.
  public func prediction(
    for kind: RequestKind, on endpoint: EndpointID, policy: LongLimitPolicy? = nil
  ) -> Admission {
    admission(of: kind, on: endpoint, policy)
  }

  // Read-only functions on the path of a step are inlined, because a call would copy the whole
  // dispatcher.
  @inline(__always)
  private func admission(
    of kind: RequestKind, on endpoint: EndpointID, _ policy: LongLimitPolicy?
  ) -> Admission {
    guard !isClosed else { return .refused(.closed) }
    let index = index(of: endpoint)
    switch kind {
    case .exempt:
      return .startsNow
    case .synchronous, .short:
      return Self.admission(at: position(joining: .short, on: index))
    case .long:
      guard isAtLongLimit(index) else {
        return Self.admission(at: position(joining: .long, on: index))
      }
      return atLongLimit(policy ?? configuration.policy, on: index)
    }
  }

  /// Returns the 1-based position that a request would get in a line, or 0 if a slot is free for
  /// it.
  @inline(__always)
  private func position(joining line: RequestLine.Name, on endpoint: UInt32) -> UInt32 {
    let count = requests.line(line, on: endpoint).count
    return count == 0 && hasFreeSlot(endpoint) ? 0 : count + 1
  }

  @inline(__always)
  private static func admission(at position: UInt32) -> Admission {
    position == 0 ? .startsNow : .waits(position: position)
  }

  @inline(__always)
  private func atLongLimit(_ policy: LongLimitPolicy, on endpoint: UInt32) -> Admission {
    switch policy {
    case .throw:
      return .refused(.longLimitThrowing)
    case .fail:
      return .refused(.longLimitFailing)
    case .enqueue:
      return .waits(position: requests.line(.long, on: endpoint).count + 1)
    case .ignore:
      return .freezes
    case .takeSpare:
      return hasFreeSlot(endpoint) ? .startsNow : .freezes
    case .poll:
      return .polls(position: position(joining: .short, on: endpoint))
    }
  }

  @usableFromInline
  mutating func admit(
    _ request: RequestID, on endpoint: EndpointID, _ settings: RequestSettings, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    precondition(request == requests.nextID, "the identifier must be nextRequestID")
    if settings.kind == .long, !isClosed, isAtLongLimit(index(of: endpoint)) {
      effects.append(.limitReached(request, endpoint))
    }
    if !requests.hasFreeRow { addRow() }
    requests.insert(request.index, on: endpoint.index, settings)
    switch admission(of: settings.kind, on: endpoint, settings.policy) {
    case .startsNow:
      begin(request, on: endpoint.index, at: now, into: &effects)
    case .waits(let position):
      let line: RequestLine.Name = settings.kind == .long ? .long : .short
      wait(request, in: line, on: endpoint.index, at: position, now, into: &effects)
    case .refused(let refusal):
      refuse(request, refusal, into: &effects)
    case .freezes:
      let isHeld = settings.policy ?? configuration.policy == .ignore
      freeze(request, isHeld: isHeld, on: endpoint.index, at: now, into: &effects)
    case .polls(let position):
      replaceByPolls(request, settings.policy ?? configuration.policy, into: &effects)
      joinPolls(request, on: endpoint.index, at: position, now, into: &effects)
    }
  }

  // Not inlined: growing is rare, and inlining it would cost registers on every admission.
  @inline(never)
  private mutating func addRow() {
    requests.addRow()
    deadlines.makeRoom(for: rowCount)
  }

  private mutating func refuse(
    _ request: RequestID, _ refusal: RequestRefusal,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    requests.free(request.index)
    effects.append(.refuse(request, refusal))
  }

  private mutating func freeze(
    _ request: RequestID, isHeld: Bool, on endpoint: UInt32, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    let index = request.index
    arrivals &+= 1
    requests[index].arrival = arrivals
    requests[index].isHeld = isHeld
    requests.enter(.frozen, index, in: isHeld ? .held : .frozen, on: endpoint)
    if isHeld { startTimer(index, at: now) }
    arm(index)
    effects.append(isHeld ? .hold(request) : .freeze(request))
  }

  private mutating func replaceByPolls(
    _ request: RequestID, _ policy: LongLimitPolicy,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard case .poll(let interval) = policy else { return }
    requests[request.index].load = .polls
    requests[request.index].pollInterval = interval
    effects.append(.replaceByPolls(request, every: interval))
  }

  /// Puts a request in a line to wait for a slot.
  @inline(__always)
  private mutating func wait(
    _ request: RequestID, in line: RequestLine.Name, on endpoint: UInt32, at position: UInt32,
    _ now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    let index = request.index
    arrivals &+= 1
    requests[index].arrival = arrivals
    requests.enter(.waiting, index, in: line, on: endpoint)
    if isChargedForWaiting(requests[index].kind) { startTimer(index, at: now) }
    noteWait(on: endpoint, at: now)
    effects.append(.wait(request, position: position))
    // Arming the timer comes last, here and below, because few values are still live at that call.
    arm(index)
  }

  /// Passes a request to the transport, in a slot unless the request is exempt.
  private mutating func begin(
    _ request: RequestID, on endpoint: UInt32, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    if requests[request.index].kind == .exempt {
      requests.enter(.exempt, request.index, in: .exempt, on: endpoint)
    } else {
      takeSlot(request.index, on: endpoint)
    }
    handOver(request.index, at: now, into: &effects)
  }

  /// Passes a request to the transport.
  @inline(__always)
  mutating func handOver(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    requests[request].started = now
    if requests[request].timer == .never { startTimer(request, at: now) }
    let id = requests.id(request)
    effects.append(requests[request].isPolling ? .startPoll(id) : .start(id))
    arm(request)
  }

  /// Starts the next poll of a stream, which waits for a slot like any other short request.
  mutating func pollAgain(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    requests[request].timer = .never
    deadlines.disarm(request)
    let endpoint = requests[request].endpoint
    let position = position(joining: .short, on: endpoint)
    joinPolls(requests.id(request), on: endpoint, at: position, now, into: &effects)
  }

  /// Puts a poll in the line for a slot, or starts the poll if its position is 0.
  private mutating func joinPolls(
    _ request: RequestID, on endpoint: UInt32, at position: UInt32, _ now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    if position == 0 {
      begin(request, on: endpoint, at: now, into: &effects)
    } else {
      wait(request, in: .short, on: endpoint, at: position, now, into: &effects)
    }
  }
}
