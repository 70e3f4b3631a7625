/// Predicts requests to one endpoint from the specifications alone, without any state machine.
///
/// The sources are the article about connection parallelism and the list of connection limits. The
/// oracle predicts which requests run, which wait, and how each ends. It searches one list for
/// everything. Comments name the requirements that the code follows.
struct RequestOracle {
  enum Kind: String {
    case short, long, synchronous, websocket
  }

  enum Policy: Equatable {
    case `throw`, fail, enqueue, ignore
    case poll(every: Int)
  }

  struct Request {
    var id: String
    var at: Int
    var kind: Kind
    /// The time from the start until the server has read the request.
    var connect: Int
    var responds: Int
    var takes: Int?
    /// The interval between parts of the response, or `nil` if there are none.
    var every: Int?
    var timeout: Int?
    var deadline: Int?
    var policy: Policy
  }

  enum Event {
    case request(Request)
    case cancel(String)
    case limit(Int)
    case close
    case ask(String, Kind, Policy)
  }

  struct Outcome: Equatable {
    var outcome: String
    var code: Int?
    var at: Int
  }

  enum Answer: Equatable {
    case starts, waits(Int), refused, polls, freezes

    var word: String {
      switch self {
      case .starts: "starts-now"
      case .waits: "waits"
      case .refused: "refused"
      case .polls: "polls"
      case .freezes: "freezes"
      }
    }
  }

  /// The prediction for one request.
  struct Fate {
    var answer: Answer?
    var begins: Int?
    var polls = 0
    var end: Outcome?
  }

  private enum State {
    case waiting, running, resting
  }

  private struct Live {
    var request: Request
    var state: State
    /// The time at which the request joined the queue.
    ///
    /// Each poll joins again.
    var joined: Int
    /// The time at which the request was last handed over.
    var began = 0
    var timer: Int?
    /// Whether it exceeded the long limit, and has had no slot.
    var isFrozen = false
    /// The time of the next part of the response, or `nil` if none comes.
    var part: Int?
    var hasResponded = false
    var polls: Int?
    var rest = 0

    var isLong: Bool { request.kind == .long && polls == nil }
    var deadline: Int { request.deadline.map { request.at + $0 } ?? .max }
  }

  /// The maximum number of connections to the endpoint, or of streams of its one connection.
  let total: Int
  /// The maximum number of connections.
  ///
  /// The part that long requests may not use is reserved for short ones.
  let connections: Int
  var long: Int
  let isDispatched: Bool
  let chargesWaiting: Bool
  private(set) var fates: [String: Fate] = [:]
  private(set) var answers: [String: Answer] = [:]
  private var live: [Live] = []
  private var isClosed = false
  private var arrivals = 0
  /// The instants with a new maximum of occupied slots, and the maxima.
  private var peaks: [(at: Int, count: Int)] = []

  init(total: Int, connections: Int, long: Int, isDispatched: Bool, chargesWaiting: Bool) {
    self.total = total
    self.connections = connections
    self.long = long
    self.isDispatched = isDispatched
    self.chargesWaiting = chargesWaiting
  }

  /// Predicts everything until an instant.
  mutating func run(_ events: [(at: Int, event: Event)], until: Int) {
    for (at, event) in events {
      pass(to: at)
      handle(event, at)
    }
    pass(to: until)
  }

  /// Returns the maximum number of threads by an instant.
  ///
  /// Each running request has one (A14), and no other thread is created (A18).
  func mostThreads(by instant: Int) -> Int {
    peaks.last { $0.at <= instant }?.count ?? 0
  }

  // MARK: Limits

  /// The number of streams reserved on a connection equals the number of reserved connections
  /// (U86).
  private var longLimit: Int { max(0, total - (connections - long)) }

  private func count(_ state: State, isLong: Bool? = nil) -> Int {
    live.filter {
      $0.state == state && $0.request.kind != .websocket && (isLong == nil || $0.isLong == isLong)
    }.count
  }

  private var isFull: Bool { count(.running) >= total }

  /// Returns the admission of a request that arrives now (U19 to U27, U30).
  private func answer(_ kind: Kind, _ policy: Policy) -> Answer {
    if isClosed { return .refused }
    if kind == .websocket { return .starts }
    let shorts = count(.waiting, isLong: false)
    guard kind == .long else { return isFull || shorts > 0 ? .waits(shorts + 1) : .starts }
    let frozen = live.filter(\.isFrozen).count
    let longs = count(.waiting, isLong: true) - frozen
    guard count(.running, isLong: true) + longs + frozen >= longLimit else {
      return isFull || longs > 0 ? .waits(longs + 1) : .starts
    }
    switch policy {
    case .throw, .fail: return .refused
    case .enqueue: return .waits(longs + 1)
    case .ignore: return .freezes
    case .poll: return .polls
    }
  }

  // MARK: Events

  private mutating func handle(_ event: Event, _ now: Int) {
    switch event {
    case .request(let request): arrive(request, now)
    case .cancel(let id): end(id, "cancelled", -999, now)
    case .limit(let long):
      guard isDispatched else { return }
      self.long = long
      fill(now)
    case .close:
      guard isDispatched else { return }
      isClosed = true
      for request in live {
        fates[request.request.id]?.end = Outcome(outcome: "closed", code: -1705, at: now)
      }
      live = []
    case .ask(let id, let kind, let policy):
      if isDispatched { answers[id] = answer(kind, policy) }
    }
  }

  private mutating func arrive(_ request: Request, _ now: Int) {
    arrivals += 1
    var live = Live(request: request, state: .waiting, joined: arrivals)
    fates[request.id] = Fate()
    guard isDispatched else {
      // The platform's timeout starts immediately, even for a frozen request (the article's -1001).
      live.timer = request.timeout.map { now + $0 }
      self.live.append(live)
      fill(now)
      return
    }
    let answer = answer(request.kind, request.policy)
    fates[request.id]?.answer = answer
    switch answer {
    case .refused:
      fates[request.id]?.end = Outcome(
        outcome: "refused", code: isClosed ? -1705 : -1702, at: now)
      return
    case .polls:
      live.polls = 0
      if case .poll(let every) = request.policy { live.rest = every }
    case .freezes:
      // To the user, the request has started. Only the platform knows what it waits for.
      live.isFrozen = true
      fates[request.id]?.begins = now
    case .starts, .waits:
      break
    }
    if chargesWaiting || request.kind == .synchronous || live.isFrozen {
      live.timer = request.timeout.map { now + $0 }
    }
    self.live.append(live)
    fill(now)
  }

  /// Assigns every free slot to the first request that may use it (U33, U39).
  private mutating func fill(_ now: Int) {
    while let index = nextToStart() { start(index, now) }
  }

  private func nextToStart() -> Int? {
    let candidates = live.indices.filter { index in
      guard live[index].state == .waiting else { return false }
      if live[index].request.kind == .websocket { return true }
      if isFull { return false }
      return !isDispatched || !live[index].isLong || count(.running, isLong: true) < longLimit
    }
    return candidates.min { live[$0].joined < live[$1].joined }
  }

  private mutating func start(_ index: Int, _ now: Int) {
    live[index].state = .running
    live[index].isFrozen = false
    live[index].began = now
    let running = count(.running)
    if running > peaks.last?.count ?? 0 { peaks.append((now, running)) }
    let request = live[index].request
    if fates[request.id]?.begins == nil { fates[request.id]?.begins = now }
    if live[index].timer == nil { live[index].timer = request.timeout.map { now + $0 } }
    if live[index].polls == nil, let every = request.every {
      live[index].part = now + request.connect + every
    }
  }

  // MARK: Time

  private enum Due {
    case part, response, end, time, poll
  }

  /// Returns the next event of a request and its time.
  ///
  /// Arrivals come before timeouts.
  private func due(_ live: Live) -> (Int, Due) {
    var next: (Int, Due) = (min(live.timer ?? .max, isDispatched ? live.deadline : .max), .time)
    func offer(_ at: Int?, _ due: Due) {
      if let at, at <= next.0 { next = (at, due) }
    }
    switch live.state {
    case .waiting: break
    case .resting: offer(live.rest + live.began, .poll)
    case .running:
      let read = live.began + live.request.connect
      if live.polls != nil {
        offer(read + milliseconds(10), .end)
      } else {
        offer(live.request.takes.map { read + $0 }, .end)
        offer(live.part, .part)
        if !live.hasResponded { offer(read + live.request.responds, .response) }
      }
    }
    return next
  }

  private mutating func pass(to instant: Int) {
    while let index = live.indices.min(by: { due(live[$0]).0 < due(live[$1]).0 }) {
      let (now, what) = due(live[index])
      guard now < instant else { return }
      switch what {
      case .response: respond(index, now)
      case .part:
        live[index].part = live[index].request.every.map { now + $0 }
        if !isDispatched { live[index].timer = live[index].request.timeout.map { now + $0 } }
      case .end: answered(index, now)
      case .poll:
        arrivals += 1
        live[index].joined = arrivals
        live[index].state = .waiting
        live[index].timer = nil
        if chargesWaiting { live[index].timer = live[index].request.timeout.map { now + $0 } }
        fill(now)
      case .time: timeIsUp(index, now)
      }
    }
  }

  /// Handles a response: it ends the timeout of a long request (U42), and restarts the platform's
  /// timeout.
  private mutating func respond(_ index: Int, _ now: Int) {
    live[index].hasResponded = true
    let request = live[index].request
    if !isDispatched {
      live[index].timer = request.timeout.map { now + $0 }
    } else if request.kind == .long || request.kind == .websocket {
      live[index].timer = nil
      if request.timeout != nil { live[index].request.timeout = nil }
    }
  }

  private mutating func answered(_ index: Int, _ now: Int) {
    let id = live[index].request.id
    guard live[index].polls != nil else { return end(id, "finished", nil, now) }
    fates[id]?.polls += 1
    let began = fates[id]?.begins ?? now
    if let takes = live[index].request.takes, began + takes <= now {
      return end(id, "finished", nil, now)
    }
    live[index].state = .resting
    live[index].began = now
    live[index].timer = nil
    fill(now)
  }

  private mutating func timeIsUp(_ index: Int, _ now: Int) {
    let live = live[index]
    let id = live.request.id
    if !isDispatched {
      end(id, "failed", -1001, now)
    } else if live.isFrozen, live.deadline > live.timer ?? .max {
      end(id, "failed", -1001, now)
    } else if live.state == .waiting, !live.isFrozen {
      end(id, "held-back", -1703, now)
    } else if live.deadline <= now {
      end(id, "deadline-exceeded", -1704, now)
    } else {
      end(id, "timed-out", -1001, now)
    }
  }

  private mutating func end(_ id: String, _ outcome: String, _ code: Int?, _ now: Int) {
    guard let index = live.firstIndex(where: { $0.request.id == id }) else { return }
    live.remove(at: index)
    fates[id]?.end = Outcome(outcome: outcome, code: code, at: now)
    fill(now)
  }
}
