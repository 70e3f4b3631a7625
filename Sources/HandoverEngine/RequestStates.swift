package import HandoverCore
import HandoverScenario

/// The state of the requests, admission queries and connections of a run.
package struct RequestStates {
  package struct Request {
    package var phase = Phase.notMade
    package var admission: Admission?
    /// The time at which the request was first passed to the OS.
    var begins: Instant?
    var polls = 0
    /// The thread that last took the request, counted from 1 in the pool of its endpoint.
    package var thread: Int?
    /// The connection that carries the request.
    package var connection: UInt32?
    /// The 1-based number of the request's current wait among all waits.
    package var wait = 0
    package var outcome: RequestOutcome?
    package var code: Int32?
    package var endedAt = Instant.zero
    /// Whether the request was passed to the OS and its slot has not been released.
    var holdsSlot = false
    /// The time of the first device move while the request was with the OS.
    var changedAt: Instant?

    package enum Phase {
      case notMade
      case waiting
      case running
      case frozen
      /// Between two of the short requests of a polled stream.
      case resting
      case ended
    }

    package var isPolling: Bool {
      if case .polls = admission { return true }
      return false
    }

    /// Whether the dispatcher has given the request a slot since it froze.
    var hasThawed = false

    /// Whether the request exceeded the long limit and has no slot.
    var ignoresLongLimit: Bool { admission == .freezes && !hasThawed }

    /// Whether the request has a slot of its dispatcher.
    package var isInSlot: Bool { holdsSlot && !ignoresLongLimit && phase != .ended }

    var isWithPlatform: Bool { phase == .running || phase == .frozen }

    /// Whether a device move would affect the request for the first time.
    var isMovable: Bool { isWithPlatform && changedAt == nil }
  }

  struct Question {
    var answer: Admission?
    var holders: [Int] = []
  }

  package struct Connection {
    package var host: Int
    /// The pool that opened the connection.
    var pool: Int
    package var path: PathIndex?
    package var isOpen = true
    /// Whether the connection counts toward the OS limit.
    var isLimited = true
  }

  struct Host {
    var opened = 0
    var ended = 0
    var limitReached = 0
    var most = 0
    var running = 0
    var frozen = 0
    var waiting = 0
    var open = 0
    /// The number of open connections that count toward the OS limit.
    var openLimited = 0
  }

  /// The totals of the requests of one endpoint and pool that limits depend on.
  struct Usage {
    var running = 0
    var runningLong = 0
    /// The number of waiting short requests and polls.
    var waitingShort = 0
    /// Whether the usage is listed in `changedUsages`.
    var isListed = false
  }

  package private(set) var requests: [Request] = []
  private(set) var questions: [Question] = []
  package private(set) var connections: [Connection] = []
  private(set) var hosts: [Host] = []
  package private(set) var threads = ThreadStates()
  /// The maximum number of simultaneously open connections to all hosts.
  private var most = 0
  /// The long limit of each pool's dispatcher.
  private(set) var longLimits: [UInt32] = []
  /// The first host with the same endpoint, for each host; limits apply per endpoint.
  private(set) var endpoints: [Int] = []
  /// The usage of each endpoint, pool by pool.
  private var usages: [Usage] = []
  /// The usages that changed since the last check.
  private var changedUsages: [Int] = []
  /// The number of open connections.
  private var open = 0
  /// The requests that a device move may affect; entries may be ended requests or duplicates.
  private var movable: [Int] = []
  /// The number of waits so far.
  private var waits = 0
  /// Whether a dispatcher admits the requests before they reach the OS.
  private(set) var isDispatched = false
  private var script = Script()

  var isEmpty: Bool { requests.isEmpty && questions.isEmpty }

  mutating func begin(_ script: Script) {
    // Without requests all values stay zero, so tables of the right size can be kept.
    let fits = hosts.count == script.hosts.count && longLimits.count == script.pools.count
    guard !fits || !isEmpty || !script.requests.isEmpty || !script.questions.isEmpty else { return }
    self.script = script
    requests = Array(repeating: Request(), count: script.requests.count)
    questions = Array(repeating: Question(), count: script.questions.count)
    connections = []
    hosts = Array(repeating: Host(), count: script.hosts.count)
    longLimits = Array(
      repeating: script.configuration.requests.limits.long, count: script.pools.count)
    endpoints = Self.endpoints(of: script.hosts)
    usages = Array(repeating: Usage(), count: script.pools.count * script.hosts.count)
    changedUsages = []
    threads = ThreadStates(pools: script.pools.count, hosts: script.hosts.count)
    movable = []
    isDispatched = false
    most = 0
    open = 0
    waits = 0
  }

  private static func endpoints(of hosts: [ScriptHost]) -> [Int] {
    var positions: [EndpointKey: Int] = [:]  // lookup only
    return hosts.enumerated().map { index, host in
      guard let key = host.endpointKey() else { return index }
      if let first = positions[key] { return first }
      positions[key] = index
      return index
    }
  }

  /// Returns the maximum number of simultaneously open connections to a host or to all hosts.
  func most(_ selector: HostSelector) -> Int {
    switch selector {
    case .one(let host): hosts[host].most
    case .all: most
    }
  }

  func sum(_ selector: HostSelector, _ part: (Host) -> Int) -> Int {
    switch selector {
    case .one(let host): part(hosts[host])
    case .all: hosts.reduce(0) { $0 + part($1) }
    }
  }

  /// Returns all values that an expectation about the requests to a host, or to all hosts, can
  /// require.
  func numbers(of host: HostSelector) -> RequestsExpectation {
    var numbers = RequestsExpectation()
    numbers.running = sum(host, \.running)
    numbers.waiting = sum(host, \.waiting)
    numbers.frozen = sum(host, \.frozen)
    numbers.ended = sum(host, \.ended)
    numbers.open = sum(host, \.open)
    numbers.opened = sum(host, \.opened)
    numbers.most = most(host)
    numbers.limitReached = sum(host, \.limitReached)
    numbers.threads = threads.sum(host, \.alive)
    numbers.idleThreads = threads.sum(host, \.idle)
    numbers.threadsMade = threads.sum(host, \.made)
    numbers.mostThreads = threads.most(host)
    return numbers
  }

  // MARK: Limits

  /// Returns the totals for the endpoint and pool of a request, including the request itself.
  func usage(of request: Int) -> Usage { usages[index(ofUsage: request)] }

  /// Returns whether a request counts toward the limits of its endpoint.
  func counts(_ request: Int) -> Bool {
    script.requests[request].kind != .exempt && requests[request].isWithPlatform
      && !requests[request].ignoresLongLimit
  }

  /// Returns whether a request waits for a slot as a short request or as a poll.
  func waitsShort(_ request: Int) -> Bool {
    requests[request].phase == .waiting
      && (script.requests[request].kind != .long || requests[request].isPolling)
  }

  /// Returns whether a short request waits although a slot is free.
  ///
  /// Only usages that changed since the last call, or that starved at the last call, are checked.
  /// The endpoint is given by its first host.
  mutating func someUsageStarves(_ isStarving: (Usage, _ host: Int) -> Bool) -> Bool {
    var starving: [Int] = []
    for index in changedUsages {
      if usages[index].waitingShort > 0, isStarving(usages[index], index % hosts.count) {
        starving.append(index)
      } else {
        usages[index].isListed = false
      }
    }
    changedUsages = starving
    return !starving.isEmpty
  }

  private func index(ofUsage request: Int) -> Int {
    let wanted = script.requests[request]
    return wanted.pool * hosts.count + endpoints[wanted.host]
  }

  /// Adds a request to the totals, or removes it if `sign` is negative.
  private mutating func count(_ request: Int, _ sign: Int) {
    let host = script.requests[request].host
    switch requests[request].phase {
    case .running: hosts[host].running += sign
    case .frozen: hosts[host].frozen += sign
    case .waiting: hosts[host].waiting += sign
    case .notMade, .resting, .ended: break
    }
    let index = index(ofUsage: request)
    if counts(request) {
      usages[index].running += sign
      let isLong = script.requests[request].kind == .long && !requests[request].isPolling
      if isLong { usages[index].runningLong += sign }
    }
    if waitsShort(request) { usages[index].waitingShort += sign }
    guard sign > 0, !usages[index].isListed else { return }
    usages[index].isListed = true
    changedUsages.append(index)
  }

  // MARK: Applying facts

  /// Records a device move for the requests that are with the OS.
  mutating func deviceMoved(at now: Instant) {
    for index in movable where requests[index].isWithPlatform && requests[index].changedAt == nil {
      requests[index].changedAt = now
    }
    movable.removeAll(keepingCapacity: true)
  }

  /// Applies a fact to the request state.
  ///
  /// - Returns: the time from a network change to the end of the request, or `nil` if the request
  ///   did not end after a change.
  mutating func apply(_ fact: RequestFact, at now: Instant) -> Interval? {
    guard let request = fact.request else { return change(fact, at: now) }
    let index = Int(request)
    guard index < requests.count else { return nil }
    let couldMove = requests[index].isMovable
    count(index, -1)
    let figure = change(fact, at: now)
    count(index, 1)
    if !couldMove, requests[index].isMovable { movable.append(index) }
    return figure
  }

  private mutating func change(_ fact: RequestFact, at now: Instant) -> Interval? {
    switch fact {
    case .answered(let question, let answer):
      guard question < questions.count else { break }
      questions[Int(question)].answer = answer
    case .heldSlot(let question, let request):
      guard question < questions.count else { break }
      questions[Int(question)].holders.append(Int(request))
    case .arrived(let request, let admission):
      arrived(Int(request), admission, at: now)
    case .limitReached(let request):
      hosts[host(request)].limitReached += 1
    case .waits(let request, _):
      wait(Int(request))
    case .handedOver(let request):
      requests[Int(request)].phase = .running
      requests[Int(request)].holdsSlot = true
      if requests[Int(request)].begins == nil { requests[Int(request)].begins = now }
    case .froze(let request):
      requests[Int(request)].phase = .frozen
    case .thawed(let request):
      requests[Int(request)].hasThawed = true
    case .connectionOpened(_, let host, let pool, let path):
      guard host < hosts.count else { break }
      connections.append(Connection(host: Int(host), pool: Int(pool), path: path))
      hosts[Int(host)].opened += 1
      opened(Int(host))
    case .carried(let request, let connection):
      requests[Int(request)].phase = .running
      requests[Int(request)].connection = connection
      limit(Int(connection), script.requests[Int(request)].kind != .exempt)
    case .retried(let request, _):
      requests[Int(request)].connection = nil
    case .thread(let change, let thread, let host, let pool):
      threads.apply(change, ThreadStates.Name(thread, host: host, pool: pool))
    case .runsOn(let request, let thread):
      requests[Int(request)].thread = Int(thread)
      threads.begin(self.thread(of: Int(request), Int(thread)))
    case .responded(let request), .received(let request):
      requests[Int(request)].changedAt = nil
    case .pollAnswered(let request):
      requests[Int(request)].polls += 1
      requests[Int(request)].phase = .resting
      requests[Int(request)].connection = nil
    case .connectionClosed(let connection), .connectionLost(let connection):
      closed(Int(connection))
    case .slotReleased(let request):
      requests[Int(request)].holdsSlot = false
      if let thread = requests[Int(request)].thread {
        threads.finish(self.thread(of: Int(request), thread))
      }
    case .ended(let request, let end):
      return ended(Int(request), RequestOutcome(end), end.errorCode, at: now)
    case .longLimitChanged(let pool, let long):
      guard pool < longLimits.count else { break }
      longLimits[Int(pool)] = long
    case .dispatcherClosed:
      break
    }
    return nil
  }

  /// Returns the name of a numbered thread in the pool that a request belongs to.
  package func thread(of request: Int, _ number: Int) -> ThreadStates.Name {
    let wanted = script.requests[request]
    return ThreadStates.Name(
      number: number, host: endpoints[wanted.host], pool: wanted.pool)
  }

  /// Returns the hosts whose counts a fact changes.
  func hosts(concernedBy fact: RequestFact) -> [Int] {
    if let request = fact.request {
      guard request < requests.count else { return [] }
      let host = host(request)
      return endpoints[host] == host ? [host] : [host, endpoints[host]]
    }
    return switch fact {
    case .connectionOpened(_, let host, _, _), .thread(_, _, let host, _):
      host < hosts.count ? [Int(host)] : []
    case .connectionClosed(let connection), .connectionLost(let connection):
      connection < connections.count ? [connections[Int(connection)].host] : []
    case .answered, .heldSlot, .arrived, .limitReached, .waits, .handedOver, .froze, .thawed,
      .carried, .retried, .runsOn, .responded, .received, .pollAnswered, .slotReleased, .ended,
      .longLimitChanged, .dispatcherClosed:
      []
    }
  }

  private func host(_ request: UInt32) -> Int { script.requests[Int(request)].host }

  private mutating func opened(_ host: Int) {
    open += 1
    hosts[host].open += 1
    hosts[host].openLimited += 1
    hosts[host].most = max(hosts[host].most, hosts[host].open)
    most = max(most, open)
  }

  /// Records whether a connection counts toward the OS limit, which its first request determines.
  private mutating func limit(_ connection: Int, _ isLimited: Bool) {
    guard connection < connections.count else { return }
    let known = connections[connection]
    connections[connection].isLimited = isLimited
    if known.isLimited != isLimited {
      hosts[known.host].openLimited += isLimited ? 1 : -1
    }
  }

  private mutating func closed(_ connection: Int) {
    guard connection < connections.count, connections[connection].isOpen else { return }
    let known = connections[connection]
    connections[connection].isOpen = false
    open -= 1
    hosts[known.host].open -= 1
    if known.isLimited { hosts[known.host].openLimited -= 1 }
  }

  private mutating func arrived(_ request: Int, _ admission: Admission?, at now: Instant) {
    requests[request].admission = admission
    requests[request].phase = .running
    guard let admission else { return }
    isDispatched = true
    switch admission {
    case .startsNow, .freezes: break
    case .waits: wait(request)
    case .polls(let position): if position > 0 { wait(request) }
    case .refused(let refusal):
      _ = ended(request, .refused, refusal.errorCode, at: now)
    }
  }

  private mutating func wait(_ request: Int) {
    waits += 1
    requests[request].phase = .waiting
    requests[request].connection = nil
    requests[request].wait = waits
  }

  private mutating func ended(
    _ request: Int, _ outcome: RequestOutcome, _ code: Int32?, at now: Instant
  ) -> Interval? {
    guard requests[request].phase != .ended else { return nil }
    requests[request].phase = .ended
    requests[request].connection = nil
    requests[request].outcome = outcome
    requests[request].code = code
    requests[request].endedAt = now
    hosts[script.requests[request].host].ended += 1
    guard outcome != .finished else { return nil }
    return requests[request].changedAt.map { now.since($0) }
  }
}
