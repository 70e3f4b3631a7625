// The slots of endpoints: their holders, their next holders, and the ends of requests.
extension EndpointDispatcher {
  // MARK: Limits

  /// Returns the maximum number of long requests on an endpoint.
  ///
  /// A stream budget reserves as many slots for short requests as the connection limit does.
  @inline(__always)
  func longLimit(of endpoint: UInt32) -> UInt32 {
    let limits = configuration.limits
    guard endpoints[Int(endpoint)].hasBudget else { return limits.long }
    let budget = endpoints[Int(endpoint)].total
    return budget > limits.reservedForShort ? budget - limits.reservedForShort : 0
  }

  /// Returns the number of taken slots, including leaked slots.
  @inline(__always)
  func heldCount(_ endpoint: UInt32) -> UInt32 {
    requests.line(.holders, on: endpoint).count
  }

  @inline(__always)
  func hasFreeSlot(_ endpoint: UInt32) -> Bool {
    heldCount(endpoint) < endpoints[Int(endpoint)].total
  }

  /// Returns the number of long requests that were admitted and have not ended, including waiting
  /// ones (U20).
  @inline(__always)
  func longCount(_ endpoint: UInt32) -> UInt32 {
    endpoints[Int(endpoint)].heldByLong + requests.line(.long, on: endpoint).count
      + frozenCount(endpoint)
  }

  @inline(__always)
  func frozenCount(_ endpoint: UInt32) -> UInt32 {
    requests.line(.frozen, on: endpoint).count + requests.line(.held, on: endpoint).count
  }

  @inline(__always)
  func isAtLongLimit(_ endpoint: UInt32) -> Bool {
    longCount(endpoint) >= longLimit(of: endpoint)
  }

  @usableFromInline
  mutating func change(
    _ limits: ConnectionLimits, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    precondition(
      limits.total == configuration.limits.total, "a transport cannot change its total limit")
    configuration.limits = limits
    for endpoint in 0..<endpoints.count {
      slotsFreed(on: UInt32(truncatingIfNeeded: endpoint), at: now, into: &effects)
    }
  }

  @usableFromInline
  mutating func setBudget(
    _ streams: UInt32?, on endpoint: UInt32, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard !configuration.defects.has(.countedRequests) else { return }
    endpoints[Int(endpoint)].total = streams ?? configuration.limits.total
    endpoints[Int(endpoint)].hasBudget = streams != nil
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  // MARK: Slots

  @inline(__always)
  mutating func takeSlot(_ request: UInt32, on endpoint: UInt32) {
    requests.enter(.running, request, in: .holders, on: endpoint)
    if requests[request].isLong { endpoints[Int(endpoint)].heldByLong += 1 }
  }

  /// Removes a request from its line and releases its slot if it has one.
  ///
  /// - Returns: whether a slot is free now.
  @inline(__always)
  private mutating func release(
    _ request: RequestID, into effects: inout EffectLog<DispatcherEffect>
  ) -> Bool {
    let row = requests[request.index]
    requests.removeFromLine(as: row)
    guard row.phase == .running else { return false }
    if row.isLong { endpoints[Int(row.endpoint)].heldByLong -= 1 }
    effects.append(.slotReleased(request))
    return true
  }

  /// Starts the waiting requests that can take the free slots of an endpoint.
  @inline(__always)
  mutating func slotsFreed(
    on endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    if configuration.defects.isEmpty {
      startWaiting(on: endpoint, at: now, into: &effects)
    } else {
      defectiveSlotsFreed(on: endpoint, at: now, into: &effects)
    }
  }

  @inline(__always)
  private mutating func startWaiting(
    on endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    while hasFreeSlot(endpoint), let line = lineForSlot(on: endpoint) {
      let request = requests.removeFirst(of: line, on: endpoint)
      let wasFrozen = requests[request].phase == .frozen
      takeSlot(request, on: endpoint)
      if wasFrozen {
        requests[request].isHeld = false
        effects.append(.thaw(requests.id(request)))
      } else {
        handOver(request, at: now, into: &effects)
      }
    }
  }

  /// Returns the line whose first request gets a free slot, or `nil` if no request may take it.
  ///
  /// The OS gives a free connection first to the frozen requests that it already has. Any other
  /// request that started now would freeze in their place.
  @inline(__always)
  private func lineForSlot(on endpoint: UInt32) -> RequestLine.Name? {
    guard requests.line(.frozen, on: endpoint).first == noRow else { return .frozen }
    let short = requests.line(.short, on: endpoint).first
    guard endpoints[Int(endpoint)].heldByLong < longLimit(of: endpoint),
      let line = earlier(.long, .held, on: endpoint)
    else { return short == noRow ? nil : .short }
    guard short != noRow else { return line }
    let long = requests.line(line, on: endpoint).first
    return requests[short].arrival < requests[long].arrival ? .short : line
  }

  /// Returns the line whose first request arrived earlier, or `nil` if both lines are empty.
  @inline(__always)
  private func earlier(
    _ one: RequestLine.Name, _ other: RequestLine.Name, on endpoint: UInt32
  ) -> RequestLine.Name? {
    let first = requests.line(one, on: endpoint).first
    let second = requests.line(other, on: endpoint).first
    guard second != noRow else { return first == noRow ? nil : one }
    guard first != noRow else { return other }
    return requests[first].arrival < requests[second].arrival ? one : other
  }

  // MARK: The shared condition of a defective dispatcher

  @inline(__always)
  mutating func noteWait(on endpoint: UInt32, at now: Instant) {
    if !configuration.defects.isEmpty { noteDefectiveWait(on: endpoint, at: now) }
  }

  private mutating func noteDefectiveWait(on endpoint: UInt32, at now: Instant) {
    let defects = configuration.defects
    if defects.has(.lostRelease) { endpoints[Int(endpoint)].latestWait = now }
    if defects.has(.sharedCondition), !sleepers.contains(endpoint) {
      sleepers.append(endpoint)
    }
  }

  // A separate function, so that the rest is small enough to be inlined at the end of a request.
  @inline(never)
  private mutating func defectiveSlotsFreed(
    on endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    let defects = configuration.defects
    if defects.has(.lostRelease), endpoints[Int(endpoint)].latestWait == now { return }
    if defects.has(.sharedCondition) {
      wakeOneSleeper(at: now, into: &effects)
    } else {
      startWaiting(on: endpoint, at: now, into: &effects)
    }
  }

  private mutating func wakeOneSleeper(
    at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard !sleepers.isEmpty else { return }
    let woken = sleepers.removeFirst()
    startWaiting(on: woken, at: now, into: &effects)
    let short = requests.line(.short, on: woken)
    let long = requests.line(.long, on: woken)
    if short.count + long.count > 0 { sleepers.append(woken) }
  }

  // MARK: Ends

  /// Ends a request because of an event, and starts waiting requests in its place.
  @inline(__always)
  mutating func end(
    _ request: RequestID, _ how: RequestEnd, by ender: RequestEnder, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    if let endpoint = remove(request, how, by: ender, at: now, into: &effects) {
      slotsFreed(on: endpoint, at: now, into: &effects)
    }
  }

  /// Ends a request without starting a waiting request in its place.
  ///
  /// This function is the only place that cancels a request at the transport, frees its row and
  /// reports its end, in this order.
  ///
  /// - Returns: the endpoint with the slot that is now free, or `nil` if no slot was released.
  @inline(__always)
  mutating func remove(
    _ request: RequestID, _ how: RequestEnd, by ender: RequestEnder, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) -> UInt32? {
    let index = request.index
    deadlines.disarm(index)
    let endpoint = requests[index].endpoint
    let defects = configuration.defects
    if defects.has(.missingTimer), requests[index].timeout <= .zero,
      requests[index].phase == .running
    {
      return nil
    }
    if ender == .dispatcher, requests[index].isWithTransport { effects.append(.abandon(request)) }
    let isSlotFree = release(request, into: &effects)
    if defects.has(.keptOperations) { requests.keep(index) } else { requests.free(index) }
    let misses =
      defects.has(.missedWakeUp) && isSlotFree && requests[index].kind == .synchronous
      && requests[index].started == now
    if !misses { effects.append(.notify(request, how)) }
    return isSlotFree ? endpoint : nil
  }

  @usableFromInline
  mutating func endedByTransport(
    _ request: RequestID, _ how: RequestEnd, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard requests.holds(request), requests[request.index].isWithTransport else { return }
    end(request, how, by: .transport, at: now, into: &effects)
  }

  @usableFromInline
  mutating func notStarted(
    _ request: RequestID, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard configuration.defects.has(.leakedSlot) else {
      endedByTransport(request, .notStarted, at: now, into: &effects)
      return
    }
    guard requests.holds(request), requests[request.index].isWithTransport else { return }
    let row = requests[request.index]
    requests.removeFromLine(as: row)
    if row.phase == .running { requests.leakSlot(in: .holders, on: row.endpoint) }
    deadlines.disarm(request.index)
    requests.free(request.index)
    effects.append(.notify(request, .notStarted))
  }

  /// Releases the slot of a polled stream until its next short request is due.
  mutating func rest(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    let endpoint = requests[request].endpoint
    _ = release(requests.id(request), into: &effects)
    requests.rest(request)
    requests[request].timer = now + requests[request].pollInterval
    deadlines.disarm(request)
    arm(request)
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  @usableFromInline
  mutating func cancel(
    _ request: RequestID, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard requests.isLive(request) else { return }
    let isDeaf = configuration.defects.has(.deafQueue)
    if isDeaf, requests[request.index].phase == .waiting { return }
    end(request, .cancelled, by: .dispatcher, at: now, into: &effects)
  }

  /// Ends the requests on all lost connections first, so that no waiting request starts in between.
  @usableFromInline
  mutating func loseConnections(
    of endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    for line in [RequestLine.Name.holders, .exempt] {
      var request = requests.line(line, on: endpoint).first
      while request != noRow {
        let next = requests[request].next
        _ = remove(
          requests.id(request), .connectionLost, by: .transport, at: now, into: &effects)
        request = next
      }
    }
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  /// Ends all requests and starts none.
  @usableFromInline
  mutating func close(at now: Instant, into effects: inout EffectLog<DispatcherEffect>) {
    isClosed = true
    for index in 0..<requests.rows.count {
      let request = UInt32(truncatingIfNeeded: index)
      guard requests.isLive(request) else { continue }
      _ = remove(requests.id(request), .closed, by: .dispatcher, at: now, into: &effects)
    }
  }
}

extension RequestRow {
  /// Whether the transport has any part of the request.
  var isWithTransport: Bool {
    switch phase {
    case .running, .frozen, .exempt: !isHeld
    case .free, .waiting, .resting, .ended: false
    }
  }
}

/// The side that ends a request.
enum RequestEnder {
  /// The transport, which no longer has any part of the request.
  case transport
  /// The dispatcher, by itself or for its caller; the transport is not notified of the end yet.
  case dispatcher
}
