// Who holds a slot, who gets one next, and how a request ends.
extension EndpointDispatcher {
  // MARK: Limits

  /// How many requests may run at once on an endpoint: what its HTTP/2 connection takes, or the
  /// limit of connections.
  @inline(__always)
  func totalLimit(of endpoint: UInt32) -> UInt32 {
    endpoints[Int(endpoint)].budget ?? configuration.limits.total
  }

  /// How many of them may be long; of a budget as many slots are kept as of the total.
  @inline(__always)
  func longLimit(of endpoint: UInt32) -> UInt32 {
    let limits = configuration.limits
    guard let budget = endpoints[Int(endpoint)].budget else { return limits.long }
    return budget > limits.keptForShort ? budget - limits.keptForShort : 0
  }

  @inline(__always)
  func hasFreeSlot(_ endpoint: UInt32) -> Bool {
    endpoints[Int(endpoint)].held < totalLimit(of: endpoint)
  }

  /// The long requests that were admitted and have not ended, those in line included (U20).
  @inline(__always)
  func longCount(_ endpoint: UInt32) -> UInt32 {
    endpoints[Int(endpoint)].heldByLong + endpoints[Int(endpoint)].long.count
      + endpoints[Int(endpoint)].frozen.count
  }

  @inline(__always)
  func isAtLongLimit(_ endpoint: UInt32) -> Bool {
    longCount(endpoint) >= longLimit(of: endpoint)
  }

  @usableFromInline
  mutating func change(
    _ limits: ConnectionLimits, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    precondition(limits.total == configuration.limits.total, "the transport keeps its total")
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
    endpoints[Int(endpoint)].budget = streams
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  // MARK: Slots

  @inline(__always)
  mutating func takeSlot(_ request: UInt32) {
    enter(.running, request)
    let endpoint = Int(requests[request].endpoint)
    endpoints[endpoint].held += 1
    if requests[request].isLong { endpoints[endpoint].heldByLong += 1 }
  }

  /// Takes a request out of its line, and its slot from it where it has one.
  ///
  /// - Returns: whether a slot is free now.
  @inline(__always)
  private mutating func release(
    _ request: UInt32, into effects: inout EffectLog<DispatcherEffect>
  ) -> Bool {
    leaveLine(request)
    guard requests[request].phase == .running else { return false }
    let endpoint = Int(requests[request].endpoint)
    endpoints[endpoint].held -= 1
    if requests[request].isLong { endpoints[endpoint].heldByLong -= 1 }
    effects.append(.slotReleased(requests.id(request)))
    return true
  }

  /// Slots of an endpoint may be free: whoever may take them starts.
  @inline(__always)
  mutating func slotsFreed(
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

  private mutating func startWaiting(
    on endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    while hasFreeSlot(endpoint), let request = nextForSlot(on: endpoint) {
      let isWithPlatform = requests[request].phase == .frozen
      leaveLine(request)
      if isWithPlatform {
        takeSlot(request)
      } else {
        begin(request, at: now, into: &effects)
      }
    }
  }

  /// The request that a free slot goes to.
  ///
  /// The platform gives a connection first to those it has already; whatever was started beside
  /// them would freeze in their place.
  @inline(__always)
  private func nextForSlot(on endpoint: UInt32) -> UInt32? {
    let frozen = endpoints[Int(endpoint)].frozen.first
    guard frozen == noRow else { return frozen }
    let short = endpoints[Int(endpoint)].short.first
    let isLongAllowed = endpoints[Int(endpoint)].heldByLong < longLimit(of: endpoint)
    let long = isLongAllowed ? endpoints[Int(endpoint)].long.first : noRow
    guard short != noRow else { return long == noRow ? nil : long }
    guard long != noRow else { return short }
    return requests[short].arrival < requests[long].arrival ? short : long
  }

  // MARK: The one condition of a defective dispatcher

  @inline(__always)
  mutating func noteWait(on endpoint: UInt32, at now: Instant) {
    let defects = configuration.defects
    if defects.has(.lostRelease) { endpoints[Int(endpoint)].latestWait = now }
    if defects.has(.sharedCondition), !sleepers.contains(endpoint) {
      sleepers.append(endpoint)
    }
  }

  private mutating func wakeOneSleeper(
    at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard !sleepers.isEmpty else { return }
    let woken = sleepers.removeFirst()
    startWaiting(on: woken, at: now, into: &effects)
    let row = endpoints[Int(woken)]
    let isAsleep = row.short.count + row.long.count > 0
    if isAsleep { sleepers.append(woken) }
  }

  // MARK: Ends

  /// Ends a request that the caller has told of, and lets others start in its place.
  mutating func end(
    _ request: UInt32, _ how: RequestEnd, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    let endpoint = requests[request].endpoint
    if remove(request, how, at: now, into: &effects) {
      slotsFreed(on: endpoint, at: now, into: &effects)
    }
  }

  /// Ends a request for good, and lets nobody start in its place yet.
  ///
  /// This is the only place that takes a request back from the transport, frees its row and tells
  /// its end, in this order.
  ///
  /// - Returns: whether a slot is free now.
  private mutating func remove(
    _ request: UInt32, _ how: RequestEnd, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) -> Bool {
    let id = requests.id(request)
    let defects = configuration.defects
    deadlines.disarm(request)
    if defects.has(.missingTimer), requests[request].timeout <= .zero,
      requests[request].phase == .running
    {
      return false
    }
    if how.isDecidedHere, requests[request].isWithTransport { effects.append(.abandon(id)) }
    let isSlotFree = release(request, into: &effects)
    if defects.has(.keptOperations) { requests.keep(request) } else { requests.free(request) }
    let misses =
      defects.has(.missedWakeUp) && isSlotFree && requests[request].kind == .synchronous
      && requests[request].started == now
    if !misses { effects.append(.tell(id, how)) }
    return isSlotFree
  }

  @usableFromInline
  mutating func endedByTransport(
    _ request: RequestID, _ how: RequestEnd, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard requests.isLive(request), requests[request.index].isWithTransport else { return }
    end(request.index, how, at: now, into: &effects)
  }

  @usableFromInline
  mutating func notStarted(
    _ request: RequestID, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard configuration.defects.has(.leakedSlot) else {
      endedByTransport(request, .notStarted, at: now, into: &effects)
      return
    }
    guard requests.isLive(request), requests[request.index].isWithTransport else { return }
    leaveLine(request.index)
    deadlines.disarm(request.index)
    requests.free(request.index)
    effects.append(.tell(request, .notStarted))
  }

  /// Takes the slot of a stream that is made of short requests, until the next one is due.
  mutating func rest(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    _ = release(request, into: &effects)
    enter(.resting, request)
    requests[request].timer = now + requests[request].pollInterval
    arm(request)
    slotsFreed(on: requests[request].endpoint, at: now, into: &effects)
  }

  @usableFromInline
  mutating func cancel(
    _ request: RequestID, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard requests.isLive(request) else { return }
    let isDeaf = configuration.defects.has(.deafQueue)
    if isDeaf, requests[request.index].phase == .waiting { return }
    end(request.index, .cancelled, at: now, into: &effects)
  }

  /// Every connection is lost at once, so that nobody starts on one of them in between.
  @usableFromInline
  mutating func loseConnections(
    of endpoint: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    let lost = endpoints[Int(endpoint)]
    for first in [lost.holders.first, lost.exempt.first] {
      var request = first
      while request != noRow {
        let next = requests[request].next
        _ = remove(request, .connectionLost, at: now, into: &effects)
        request = next
      }
    }
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  /// Ends everything and starts nothing.
  @usableFromInline
  mutating func close(at now: Instant, into effects: inout EffectLog<DispatcherEffect>) {
    isClosed = true
    for index in 0..<requests.rows.count {
      let request = UInt32(truncatingIfNeeded: index)
      guard requests.isLive(request) else { continue }
      _ = remove(request, .closed, at: now, into: &effects)
    }
  }
}

extension RequestRow {
  /// Whether something of it was handed over.
  var isWithTransport: Bool {
    switch phase {
    case .running, .frozen, .exempt: true
    case .free, .waiting, .resting, .ended: false
    }
  }
}

extension RequestEnd {
  /// Whether the transport does not know of it yet.
  var isDecidedHere: Bool {
    switch self {
    case .timedOut, .heldBack, .deadlineExceeded, .cancelled, .closed: true
    case .finished, .failed, .notStarted, .connectionLost: false
    }
  }
}
