@testable import HandoverCore

/// The simplest implementation of the dispatcher: one array that is searched for everything.
///
/// A request that changes its state moves to the end of the array. Therefore requests of one state
/// are in the order in which they entered it.
struct NaiveDispatcher {
  enum State {
    case waiting, running, frozen, exempt, resting
  }

  struct Request {
    var id: RequestID
    var host: Int
    var state: State
    var kind: RequestKind
    var timeout: Interval
    var deadline: Instant
    /// The rest between two polls of a stream that is polled.
    var pollsEvery: Interval?
    /// The instant at which its timeout or its rest ends.
    var timer: Instant?
    /// The sequence number of the last timer that was set, counted over all requests.
    var timed = 0
    /// Whether it is frozen by the long limit instead of by the platform.
    var isHeld = false

    var isLong: Bool { kind == .long && pollsEvery == nil }
    var due: Instant { min(timer ?? .never, deadline) }
    var isWithTransport: Bool { state != .waiting && state != .resting && !isHeld }
  }

  private(set) var limits: ConnectionLimits
  private var policy: LongLimitPolicy
  private var chargesWaiting: Bool
  private(set) var requests: [Request] = []
  private var budgets: [Int?]
  private var isClosed = false
  private var counter = 0
  private var effects: [DispatcherEffect] = []

  init(_ configuration: DispatcherConfiguration, endpoints: Int) {
    limits = configuration.limits
    policy = configuration.policy
    chargesWaiting = configuration.chargesWaiting
    budgets = Array(repeating: nil, count: endpoints)
  }

  // MARK: Queries

  func count(_ host: Int, _ state: State, isLong: Bool? = nil) -> Int {
    var count = 0
    for request in requests where request.host == host && request.state == state {
      if isLong == nil || request.isLong == isLong { count += 1 }
    }
    return count
  }

  func total(_ host: Int) -> Int { budgets[host] ?? Int(limits.total) }

  func longLimit(_ host: Int) -> Int {
    guard let budget = budgets[host] else { return Int(limits.long) }
    return max(0, budget - Int(limits.total - limits.long))
  }

  private func longCount(_ host: Int) -> Int {
    var count = 0
    for request in requests where request.host == host && request.isLong { count += 1 }
    return count
  }

  func prediction(for kind: RequestKind, on host: Int, policy own: LongLimitPolicy?) -> Admission {
    if isClosed { return .refused(.closed) }
    if kind == .exempt { return .startsNow }
    let isFull = count(host, .running) >= total(host)
    let shorts = count(host, .waiting, isLong: false)
    let longs = count(host, .waiting, isLong: true)
    if kind != .long {
      return isFull || shorts > 0 ? .waits(position: UInt32(shorts + 1)) : .startsNow
    }
    if longCount(host) < longLimit(host) {
      return isFull || longs > 0 ? .waits(position: UInt32(longs + 1)) : .startsNow
    }
    switch own ?? policy {
    case .throw: return .refused(.longLimitThrowing)
    case .fail: return .refused(.longLimitFailing)
    case .enqueue: return .waits(position: UInt32(longs + 1))
    case .ignore: return .freezes
    case .takeSpare: return isFull ? .freezes : .startsNow
    case .poll: return .polls(position: isFull || shorts > 0 ? UInt32(shorts + 1) : 0)
    }
  }

  func usage(_ host: Int) -> EndpointUsage {
    EndpointUsage(
      total: UInt32(total(host)), longLimit: UInt32(longLimit(host)),
      running: UInt32(count(host, .running)),
      runningLong: UInt32(count(host, .running, isLong: true)),
      waitingShort: UInt32(count(host, .waiting, isLong: false)),
      waitingLong: UInt32(count(host, .waiting, isLong: true)),
      frozen: UInt32(count(host, .frozen)), exempt: UInt32(count(host, .exempt)))
  }

  func holders(_ host: Int) -> [RequestID] {
    requests.filter { $0.host == host && $0.state == .running }.map(\.id)
  }

  func position(of id: RequestID) -> UInt32? {
    guard let request = requests.first(where: { $0.id == id }), request.state == .waiting
    else { return nil }
    let line = requests.filter {
      $0.host == request.host && $0.state == .waiting && $0.isLong == request.isLong
    }
    return line.firstIndex { $0.id == id }.map { UInt32($0 + 1) }
  }

  var nextDeadline: Instant? {
    var first = Instant.never
    for request in requests { first = min(first, request.due) }
    return first == .never ? nil : first
  }

  // MARK: Events

  mutating func step(_ event: EndpointDispatcher.Event, at now: Instant) -> [DispatcherEffect] {
    effects = []
    switch event {
    case .requestArrived(let id, let endpoint, let settings):
      arrive(id, Int(endpoint.index), settings, now)
    case .notStarted(let id):
      transportEnds(id, .notStarted, now)
    case .responded(let id):
      respond(id)
    case .pollAnswered(let id):
      answerPoll(id, now)
    case .finished(let id):
      transportEnds(id, .finished, now)
    case .failed(let id, let code):
      transportEnds(id, .failed(code: code), now)
    case .cancelled(let id):
      end(id, .cancelled, now)
    case .connectionsLost(let endpoint):
      loseConnections(Int(endpoint.index), now)
    case .limitsChanged(let changed):
      limits = changed
      for host in budgets.indices { fill(host, now) }
    case .streamBudgetAnnounced(let endpoint, let streams):
      budgets[Int(endpoint.index)] = Int(streams)
      fill(Int(endpoint.index), now)
    case .streamBudgetWithdrawn(let endpoint):
      budgets[Int(endpoint.index)] = nil
      fill(Int(endpoint.index), now)
    case .timeElapsed:
      passTime(now)
    case .closed:
      isClosed = true
      for request in requests.sorted(by: { $0.id.index < $1.id.index }) {
        handle(request.id, .closed)
      }
    }
    return effects
  }

  private mutating func arrive(
    _ id: RequestID, _ host: Int, _ settings: RequestSettings, _ now: Instant
  ) {
    let admission = prediction(for: settings.kind, on: host, policy: settings.policy)
    if !isClosed, settings.kind == .long, longCount(host) >= longLimit(host) {
      effects.append(.limitReached(id, EndpointID(index: UInt32(host))))
    }
    var request = Request(
      id: id, host: host, state: .waiting, kind: settings.kind, timeout: settings.timeout,
      deadline: settings.deadline)
    switch admission {
    case .startsNow:
      start(request, now)
    case .waits(let position):
      queue(request, position, now)
    case .refused(let refusal):
      effects.append(.refuse(id, refusal))
    case .freezes:
      request.state = .frozen
      request.isHeld = (settings.policy ?? policy) == .ignore
      if request.isHeld, request.timeout > .zero { request.timer = now + request.timeout }
      appendTimed(request)
      effects.append(request.isHeld ? .hold(id) : .freeze(id))
    case .polls(let position):
      guard case .poll(let interval) = settings.policy ?? policy else { return }
      request.pollsEvery = interval
      effects.append(.replaceByPolls(id, every: interval))
      if position == 0 { start(request, now) } else { queue(request, position, now) }
    }
  }

  private mutating func start(_ original: Request, _ now: Instant) {
    var request = original
    if request.timer == nil, request.timeout > .zero { request.timer = now + request.timeout }
    request.state = request.kind == .exempt ? .exempt : .running
    appendTimed(request)
    effects.append(request.pollsEvery == nil ? .start(request.id) : .startPoll(request.id))
  }

  private mutating func queue(_ original: Request, _ position: UInt32, _ now: Instant) {
    var request = original
    let isCharged = chargesWaiting || request.kind == .synchronous
    if isCharged, request.timeout > .zero { request.timer = now + request.timeout }
    request.state = .waiting
    appendTimed(request)
    effects.append(.wait(request.id, position: position))
  }

  /// Assigns every free slot of an endpoint to the next request.
  private mutating func fill(_ host: Int, _ now: Instant) {
    while count(host, .running) < total(host) {
      let isLongAllowed = count(host, .running, isLong: true) < longLimit(host)
      let frozen = requests.firstIndex {
        $0.host == host && $0.state == .frozen && !$0.isHeld
      }
      let next = requests.firstIndex {
        $0.host == host && ($0.state == .waiting || $0.isHeld) && (!$0.isLong || isLongAllowed)
      }
      guard let chosen = frozen ?? next else { return }
      var request = requests.remove(at: chosen)
      guard request.state == .frozen else {
        start(request, now)
        continue
      }
      request.state = .running
      request.isHeld = false
      requests.append(request)
      effects.append(.thaw(request.id))
    }
  }

  private mutating func respond(_ id: RequestID) {
    guard let index = index(of: id), requests[index].isWithTransport,
      requests[index].isLong || requests[index].kind == .exempt
    else { return }
    requests[index].timer = nil
    counter += 1
    requests[index].timed = counter
  }

  private mutating func answerPoll(_ id: RequestID, _ now: Instant) {
    guard let index = index(of: id), requests[index].state == .running,
      let interval = requests[index].pollsEvery
    else { return }
    var request = requests.remove(at: index)
    effects.append(.slotReleased(id))
    request.timer = now + interval
    request.state = .resting
    appendTimed(request)
    fill(request.host, now)
  }

  private mutating func loseConnections(_ host: Int, _ now: Instant) {
    for state in [State.running, .exempt] {
      let lost = requests.filter { $0.host == host && $0.state == state }
      for request in lost { handle(request.id, .connectionLost) }
    }
    fill(host, now)
  }

  private mutating func passTime(_ now: Instant) {
    while let next = requests.filter({ $0.due <= now }).min(by: {
      ($0.due, $0.timed) < ($1.due, $1.timed)
    }) {
      let isDeadline = next.deadline <= next.timer ?? .never
      if next.state == .waiting {
        end(next.id, .queueTimeout, now)
      } else if next.state != .resting {
        handle(next.id, Self.endOfTime(next, isDeadline))
        if next.state == .running { endOverdue(next.host, now) }
        fill(next.host, now)
      } else if next.deadline <= now {
        end(next.id, .deadlineExceeded, now)
      } else {
        requests.removeAll { $0.id == next.id }
        var poll = next
        poll.timer = nil
        switch prediction(for: .short, on: next.host, policy: nil) {
        case .waits(let position): queue(poll, position, now)
        case .startsNow, .refused, .freezes, .polls: start(poll, now)
        }
      }
    }
  }

  /// Ends the requests that would get a slot next but whose time is up.
  private mutating func endOverdue(_ host: Int, _ now: Instant) {
    for isLong in [false, true] {
      while let first = requests.first(where: {
        $0.host == host && $0.state == .waiting && $0.isLong == isLong
      }), first.due <= now {
        handle(first.id, .queueTimeout)
      }
    }
    for isHeld in [false, true] {
      while let first = requests.first(where: {
        $0.host == host && $0.state == .frozen && $0.isHeld == isHeld
      }), first.due <= now {
        handle(first.id, Self.endOfTime(first, first.deadline <= first.timer ?? .never))
      }
    }
  }

  private static func endOfTime(_ request: Request, _ isDeadline: Bool) -> RequestEnd {
    if isDeadline { return .deadlineExceeded }
    return request.isHeld ? .failed(code: -1001) : .timedOut
  }

  // MARK: Ends

  private func index(of id: RequestID) -> Int? { requests.firstIndex { $0.id == id } }

  private mutating func transportEnds(_ id: RequestID, _ how: RequestEnd, _ now: Instant) {
    guard let index = index(of: id), requests[index].isWithTransport else { return }
    end(id, how, now)
  }

  private mutating func end(_ id: RequestID, _ how: RequestEnd, _ now: Instant) {
    guard let index = index(of: id) else { return }
    let host = requests[index].host
    handle(id, how)
    fill(host, now)
  }

  private mutating func handle(_ id: RequestID, _ how: RequestEnd) {
    guard let index = index(of: id) else { return }
    let request = requests.remove(at: index)
    let isOurDecision = [.cancelled, .timedOut, .deadlineExceeded, .closed].contains(how)
    if isOurDecision, request.isWithTransport { effects.append(.abandon(id)) }
    if request.state == .running { effects.append(.slotReleased(id)) }
    effects.append(.notify(id, how))
  }

  private mutating func appendTimed(_ original: Request) {
    var request = original
    counter += 1
    request.timed = counter
    requests.append(request)
  }
}
