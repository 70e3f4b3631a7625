// Timeouts, deadlines, and the pauses of polled streams.
extension EndpointDispatcher {
  /// The instant from which the passing of time would change the state, or `nil` if there is none.
  public var nextDeadline: Instant? { deadlines.first?.due }

  /// Returns whether the timeout of a request starts when the request arrives (U41, U87).
  @inline(__always)
  func isChargedForWaiting(_ kind: RequestKind) -> Bool {
    guard kind == .synchronous else { return configuration.chargesWaiting }
    return !configuration.defects.has(.unboundedBlocking)
  }

  @inline(__always)
  mutating func startTimer(_ request: UInt32, at now: Instant) {
    let timeout = requests[request].timeout
    if timeout > .zero { requests[request].timer = now + timeout }
  }

  /// Arms the earliest timer or deadline of a request and replaces the armed one.
  ///
  /// If the request has neither, the caller must ensure that nothing is armed.
  @inline(__always)
  mutating func arm(_ request: UInt32) {
    let due = due(of: request)
    guard due < .never else { return }
    armed &+= 1
    deadlines.arm(request, due: due, order: armed)
  }

  /// Returns the earliest time at which the timer or deadline of a request expires.
  @inline(__always)
  private func due(of request: UInt32) -> Instant {
    let timer = requests[request].timer
    return isDeaf(request) ? timer : min(timer, requests[request].deadline)
  }

  /// Returns whether a defect makes a waiting request ignore its deadline.
  @inline(__always)
  func isDeaf(_ request: UInt32) -> Bool {
    let defects = configuration.defects
    guard !defects.isEmpty, requests[request].phase == .waiting else { return false }
    return defects.has(.deafQueue)
      || (defects.has(.unboundedBlocking) && requests[request].kind == .synchronous)
  }

  @usableFromInline
  mutating func responded(_ request: RequestID) {
    guard requests.isLive(request), requests[request.index].isWithTransport,
      requests[request.index].isTimedToResponse
    else { return }
    requests[request.index].timer = .never
    deadlines.disarm(request.index)
    arm(request.index)
  }

  /// Handles the answer to a poll, whose slot is free until the next poll.
  @usableFromInline
  mutating func pollAnswered(
    _ request: RequestID, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    guard requests.isLive(request), requests[request.index].isPolling,
      requests[request.index].phase == .running
    else { return }
    rest(request.index, at: now, into: &effects)
  }

  /// Fires expired deadlines one by one, ordered by due time and then by the order of arming.
  @usableFromInline
  mutating func fireDueDeadlines(
    at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    while let entry = deadlines.first, entry.due <= now {
      fire(entry.row, at: now, into: &effects)
    }
  }

  private mutating func fire(
    _ request: UInt32, at now: Instant, into effects: inout EffectLog<DispatcherEffect>
  ) {
    let row = requests[request]
    if row.phase == .resting, row.deadline > now {
      pollAgain(request, at: now, into: &effects)
      return
    }
    let how = row.endOfTime
    let ended = requests.id(request)
    guard
      let endpoint = remove(ended, how, by: .dispatcher, at: now, into: &effects)
    else { return }
    for line in [RequestLine.Name.short, .long, .frozen, .held] {
      endOverdue(line, on: endpoint, at: now, into: &effects)
    }
    slotsFreed(on: endpoint, at: now, into: &effects)
  }

  /// Ends the requests at the head of a line whose time has also expired.
  ///
  /// Otherwise a slot that is free now would go to a request that ends at the same instant.
  private mutating func endOverdue(
    _ line: RequestLine.Name, on endpoint: UInt32, at now: Instant,
    into effects: inout EffectLog<DispatcherEffect>
  ) {
    while true {
      let first = requests.line(line, on: endpoint).first
      guard first != noRow, due(of: first) <= now else { return }
      let how = requests[first].endOfTime
      _ = remove(requests.id(first), how, by: .dispatcher, at: now, into: &effects)
    }
  }
}

extension RequestRow {
  /// The way the request ends when its time expires.
  fileprivate var endOfTime: RequestEnd {
    let isDeadline = deadline <= timer
    switch phase {
    case .waiting: return .queueTimeout
    case .frozen where isHeld && !isDeadline: return .failed(code: RequestErrorCode.timedOut)
    case .running, .exempt, .frozen: return isDeadline ? .deadlineExceeded : .timedOut
    case .resting: return .deadlineExceeded
    case .free, .ended: preconditionFailure("a request that has ended still has a deadline")
    }
  }
}
