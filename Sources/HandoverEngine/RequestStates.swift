package import HandoverCore
import HandoverScenario
import HandoverTrace

/// What can be known of the requests of a run, their questions and their connections.
package struct RequestStates {
  package struct Request {
    package var phase = Phase.notMade
    package var admission: Admission?
    /// When it was handed to the platform first.
    var begins: Instant?
    var polls = 0
    /// The thread that took it last, counted from 1 in the pool of its endpoint.
    package var thread: Int?
    /// The connection that carries it.
    package var connection: UInt32?
    /// Since which of all waits it waits, counted from 1.
    package var wait = 0
    package var outcome: RequestOutcome?
    package var code: Int32?
    package var endedAt = Instant.zero
    /// Whether it was handed over and its slot was not told to be free.
    var holdsSlot = false
    /// When the device first moved under it.
    var changedAt: Instant?

    package enum Phase {
      case notMade
      case waiting
      case running
      case frozen
      /// Between two of the short requests that it is made of.
      case resting
      case ended
    }

    package var isPolling: Bool {
      if case .polls = admission { return true }
      return false
    }

    /// Whether its dispatcher has given it a slot since it froze.
    var hasThawed = false

    /// Whether it went beyond the long limit, and has no slot.
    var isIgnoringTheLimit: Bool { admission == .freezes && !hasThawed }

    /// Whether it has a slot of its dispatcher's.
    package var isInSlot: Bool { holdsSlot && !isIgnoringTheLimit && phase != .ended }

    var isWithPlatform: Bool { phase == .running || phase == .frozen }

    /// Whether a move of the device would meet it for the first time.
    var isMovable: Bool { isWithPlatform && changedAt == nil }
  }

  struct Question {
    var answer: Admission?
    var holders: [Int] = []
  }

  package struct Connection {
    package var host: Int
    package var path: PathIndex?
    package var isOpen = true
    /// The platform's limit concerns it.
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
    /// Those that are open and that the platform's limit concerns.
    var openLimited = 0
  }

  /// What the requests of one endpoint and pool come to, as far as limits concern them.
  struct Usage {
    var running = 0
    var runningLong = 0
    /// Short requests, and polls, that wait.
    var waitingShort = 0
    /// Whether it is listed among those that changed.
    var isListed = false
  }

  package private(set) var requests: [Request] = []
  private(set) var questions: [Question] = []
  package private(set) var connections: [Connection] = []
  private(set) var hosts: [Host] = []
  package private(set) var threads = ThreadStates()
  /// The most connections that were open at once, to whatever host.
  private var most = 0
  /// The long limit of each pool's dispatcher.
  private(set) var longLimits: [UInt32] = []
  /// The first host of the endpoint of each host; what limits requests are endpoints.
  private(set) var endpoints: [Int] = []
  /// The usage of each endpoint, pool after pool.
  private var usages: [Usage] = []
  /// The usages that changed since somebody asked.
  private var changedUsages: [Int] = []
  /// How many connections are open.
  private var open = 0
  /// Requests that a move of the device may meet; some have ended since, or stand here twice.
  private var movable: [Int] = []
  /// How many waits there were.
  private var waits = 0
  /// Whether a dispatcher stands before the platform.
  private(set) var isDispatched = false
  private var script = Script()

  var isEmpty: Bool { requests.isEmpty && questions.isEmpty }

  mutating func begin(_ script: Script) {
    // Without requests every number stays zero, so that tables of the right size can stay.
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
    var places: [EndpointKey: Int] = [:]  // lookup only
    return hosts.enumerated().map { index, host in
      guard let key = host.endpointKey() else { return index }
      if let first = places[key] { return first }
      places[key] = index
      return index
    }
  }

  /// The most connections to a host, or to all, that were open at once.
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

  /// Every number that can be expected of the requests to a host, or all.
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

  // MARK: What limits concern

  /// What the requests beside one come to, itself included, as its dispatcher counts them.
  func usage(beside request: Int) -> Usage { usages[index(ofUsage: request)] }

  /// A request, by its place, counts against the limits of its endpoint.
  func counts(_ request: Int) -> Bool {
    script.requests[request].kind != .exempt && requests[request].isWithPlatform
      && !requests[request].isIgnoringTheLimit
  }

  /// Whether a request is a short one that waits, or a poll.
  func waitsShort(_ request: Int) -> Bool {
    requests[request].phase == .waiting
      && (script.requests[request].kind != .long || requests[request].isPolling)
  }

  /// Whether a short request waits where it need not, on an endpoint given by its first host.
  ///
  /// Only usages that changed since the last time are looked at, and those that starved then.
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

  /// Adds what a request comes to, or takes it away.
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

  // MARK: Taking facts in

  /// The device moved: what runs was met by it.
  mutating func deviceMoved(at now: Instant) {
    for index in movable where requests[index].isWithPlatform && requests[index].changedAt == nil {
      requests[index].changedAt = now
    }
    movable.removeAll(keepingCapacity: true)
  }

  /// Takes a fact in.
  ///
  /// - Returns: how long after a change of the network the request ended; nil where it did not.
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
    case .connectionOpened(_, let host, _, let path):
      guard host < hosts.count else { break }
      connections.append(Connection(host: Int(host), path: path))
      hosts[Int(host)].opened += 1
      opened(Int(host))
    case .carried(let request, let connection):
      requests[Int(request)].phase = .running
      requests[Int(request)].connection = connection
      limit(Int(connection), script.requests[Int(request)].kind != .exempt)
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

  /// The thread of a number in the pool that a request belongs to.
  package func thread(of request: Int, _ number: Int) -> ThreadStates.Name {
    let wanted = script.requests[request]
    return ThreadStates.Name(
      number: number, host: endpoints[wanted.host], pool: wanted.pool)
  }

  /// The hosts of which a fact changes something that is counted.
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
      .carried, .runsOn, .responded, .received, .pollAnswered, .slotReleased, .ended,
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

  /// Whether the platform's limit concerns a connection shows when it carries a request.
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
