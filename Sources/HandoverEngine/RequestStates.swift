import HandoverCore
import HandoverTrace

/// What can be known of the requests of a run, their questions and their connections.
struct RequestStates {
  struct Request {
    var phase = Phase.notMade
    var admission: Admission?
    /// When it was handed to the platform first.
    var begins: Instant?
    var polls = 0
    var outcome: RequestOutcome?
    var code: Int32?
    var endedAt = Instant.zero
    /// Whether it was handed over and its slot was not told to be free.
    var holdsSlot = false
    /// When the device first moved under it.
    var changedAt: Instant?

    enum Phase {
      case notMade
      case waiting
      case running
      case frozen
      /// Between two of the short requests that it is made of.
      case resting
      case ended
    }

    var isPolling: Bool {
      if case .polls = admission { return true }
      return false
    }

    /// Whether its dispatcher has given it a slot since it froze.
    var hasThawed = false

    /// Whether it went beyond the long limit, and has no slot.
    var isIgnoringTheLimit: Bool { admission == .freezes && !hasThawed }

    var isWithPlatform: Bool { phase == .running || phase == .frozen }
  }

  struct Question {
    var answer: Admission?
    var holders: [Int] = []
  }

  struct Connection {
    var host: Int
    var isOpen = true
    /// The platform's limit concerns it.
    var isLimited = true
  }

  struct Host {
    var opened = 0
    var ended = 0
    var limitReached = 0
    var most = 0
  }

  private(set) var requests: [Request] = []
  private(set) var questions: [Question] = []
  private(set) var connections: [Connection] = []
  private(set) var hosts: [Host] = []
  /// The most connections that were open at once, to whatever host.
  private var most = 0
  /// The long limit of each pool's dispatcher.
  private(set) var longLimits: [UInt32] = []
  /// The first host of the endpoint of each host; what limits requests are endpoints.
  private(set) var endpoints: [Int] = []
  /// Whether a dispatcher stands before the platform.
  private(set) var isDispatched = false
  private var script = Script()

  var isEmpty: Bool { requests.isEmpty && questions.isEmpty }

  mutating func begin(_ script: Script) {
    guard !isEmpty || !script.requests.isEmpty || !script.questions.isEmpty else { return }
    self.script = script
    requests = Array(repeating: Request(), count: script.requests.count)
    questions = Array(repeating: Question(), count: script.questions.count)
    connections = []
    hosts = Array(repeating: Host(), count: script.hosts.count)
    longLimits = Array(
      repeating: script.configuration.requests.limits.long, count: script.pools.count)
    endpoints = Self.endpoints(of: script.hosts)
    isDispatched = false
    most = 0
  }

  private static func endpoints(of hosts: [ScriptHost]) -> [Int] {
    var places: [EndpointKey: Int] = [:]  // lookup only
    return hosts.enumerated().map { place, host in
      guard let key = host.endpointKey() else { return place }
      if let first = places[key] { return first }
      places[key] = place
      return place
    }
  }

  /// How many requests to a host, or all, are in a phase.
  func count(_ selector: HostSelector, in phase: Request.Phase) -> Int {
    requests.indices.count {
      selector.includes(script.requests[$0].host) && requests[$0].phase == phase
    }
  }

  /// How many connections to a host, or all, are open.
  func openConnections(_ selector: HostSelector) -> Int {
    connections.count { $0.isOpen && selector.includes($0.host) }
  }

  /// The most connections to a host, or to all, that were open at once.
  func most(_ selector: HostSelector) -> Int {
    switch selector {
    case .one(let host): hosts[host].most
    case .all: most
    }
  }

  func sum(_ selector: HostSelector, _ part: (Host) -> Int) -> Int {
    hosts.indices.reduce(0) { selector.includes($1) ? $0 + part(hosts[$1]) : $0 }
  }

  // MARK: Taking facts in

  /// The device moved: what runs was met by it.
  mutating func deviceMoved(at now: Instant) {
    for place in requests.indices
    where requests[place].isWithPlatform && requests[place].changedAt == nil {
      requests[place].changedAt = now
    }
  }

  /// Takes a fact in.
  ///
  /// - Returns: how long after a change of the network the request ended; nil where it did not.
  mutating func take(_ fact: RequestFact, at now: Instant) -> Interval? {
    switch fact {
    case .answered(let question, let answer):
      questions[Int(question)].answer = answer
    case .heldSlot(let question, let request):
      questions[Int(question)].holders.append(Int(request))
    case .arrived(let request, let admission):
      arrived(Int(request), admission, at: now)
    case .limitReached(let request):
      hosts[host(request)].limitReached += 1
    case .waits(let request, _):
      requests[Int(request)].phase = .waiting
    case .handedOver(let request):
      requests[Int(request)].phase = .running
      requests[Int(request)].holdsSlot = true
      if requests[Int(request)].begins == nil { requests[Int(request)].begins = now }
    case .froze(let request):
      requests[Int(request)].phase = .frozen
    case .thawed(let request):
      requests[Int(request)].hasThawed = true
    case .connectionOpened(_, let host, _, _):
      connections.append(Connection(host: Int(host)))
      hosts[Int(host)].opened += 1
      noteMost(Int(host))
    case .carried(let request, let connection):
      requests[Int(request)].phase = .running
      connections[Int(connection)].isLimited = script.requests[Int(request)].kind != .exempt
    case .responded(let request), .received(let request):
      requests[Int(request)].changedAt = nil
    case .pollAnswered(let request):
      requests[Int(request)].polls += 1
      requests[Int(request)].phase = .resting
    case .connectionClosed(let connection), .connectionLost(let connection):
      connections[Int(connection)].isOpen = false
    case .slotReleased(let request):
      requests[Int(request)].holdsSlot = false
    case .ended(let request, let end):
      return ended(Int(request), RequestOutcome(end), end.errorCode, at: now)
    case .longLimitChanged(let pool, let long):
      longLimits[Int(pool)] = long
    case .dispatcherClosed:
      break
    }
    return nil
  }

  private func host(_ request: UInt32) -> Int { script.requests[Int(request)].host }

  private mutating func noteMost(_ host: Int) {
    hosts[host].most = max(hosts[host].most, openConnections(.one(host)))
    most = max(most, openConnections(.all))
  }

  private mutating func arrived(_ request: Int, _ admission: Admission?, at now: Instant) {
    requests[request].admission = admission
    requests[request].phase = .running
    guard let admission else { return }
    isDispatched = true
    switch admission {
    case .startsNow, .freezes: break
    case .waits: requests[request].phase = .waiting
    case .polls(let position): if position > 0 { requests[request].phase = .waiting }
    case .refused(let refusal):
      _ = ended(request, .refused, refusal.errorCode, at: now)
    }
  }

  private mutating func ended(
    _ request: Int, _ outcome: RequestOutcome, _ code: Int32?, at now: Instant
  ) -> Interval? {
    guard requests[request].phase != .ended else { return nil }
    requests[request].phase = .ended
    requests[request].outcome = outcome
    requests[request].code = code
    requests[request].endedAt = now
    hosts[script.requests[request].host].ended += 1
    guard outcome != .finished else { return nil }
    return requests[request].changedAt.map { now.since($0) }
  }
}
