import HandoverCore

@testable import HandoverInterceptors

/// A client of chains for tests: runs everything in the order of its arrival, and keeps what came
/// out at both ends.
struct ChainWorld {
  var chains: CallChains
  var now = Instant.zero
  private(set) var user: [ChainResponse] = []
  private(set) var orders: [TransportOrder] = []
  private(set) var findings: [ChainFinding] = []
  private(set) var made: [String] = []
  private(set) var skipped: [String] = []
  private(set) var notes: [InterceptorNote] = []
  private(set) var questions: [(ChainID, LinkID, String)] = []
  private(set) var attempts: [UInt32] = []
  private(set) var released = 0
  /// Everything in the order in which it happened.
  private(set) var effects: [ChainEffect] = []

  init(_ configuration: CallChains.Configuration = CallChains.Configuration()) {
    chains = CallChains(configuration)
  }

  mutating func open(
    _ factories: [any InterceptorFactory], _ change: (inout CallOptions) -> Void = { _ in }
  ) throws -> ChainID {
    var options = CallOptions()
    options.interceptorFactories = factories
    change(&options)
    var effects: [ChainEffect] = []
    let call = try chains.open(
      CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C"), options), into: &effects)
    drain(&effects)
    return call
  }

  /// The start that ``open(_:_:)`` opened the call with, without its factories.
  static let start = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C"))

  mutating func ask(_ call: ChainID, _ requests: ChainRequest...) {
    for request in requests {
      var effects: [ChainEffect] = []
      chains.request(request, of: call, into: &effects)
      drain(&effects)
    }
  }

  /// A unary call, up to the end of its requests.
  mutating func askUnary(_ call: ChainID, _ message: String = "hello") {
    ask(call, .start(Self.start), .write(Message(message)), .finish)
  }

  mutating func tell(_ call: ChainID, _ events: TransportEvent...) {
    for event in events {
      var effects: [ChainEffect] = []
      chains.transport(event, of: call, attempt: attempts.last ?? 0, into: &effects)
      drain(&effects)
    }
  }

  mutating func answer(_ answer: String?) {
    guard !questions.isEmpty else { return }
    let (call, link, question) = questions.removeFirst()
    var effects: [ChainEffect] = []
    chains.answer(answer, to: question, of: call, link, into: &effects)
    drain(&effects)
  }

  mutating func wait(until instant: Instant) {
    now = instant
    var effects: [ChainEffect] = []
    chains.timeElapsed(at: now, into: &effects)
    drain(&effects)
  }

  private mutating func drain(_ effects: inout [ChainEffect]) {
    var place = 0
    while place < effects.count {
      take(effects[place], &effects)
      place += 1
    }
    self.effects += effects
  }

  private mutating func take(_ effect: ChainEffect, _ effects: inout [ChainEffect]) {
    switch effect {
    case .queueFilled(let queue): chains.run(queue, at: now, into: &effects)
    case .user(_, let response): user.append(response)
    case .took: break
    case .transport(_, _, let order): orders.append(order)
    case .asked(let call, let link, let question): questions.append((call, link, question))
    case .noted(_, _, let note): notes.append(note)
    case .linkMade(_, _, let name): made.append(name)
    case .linkSkipped(_, let name): skipped.append(name)
    case .linkReleased: released += 1
    case .transportMade(_, let attempt, _, _): attempts.append(attempt)
    case .finding(_, let finding): findings.append(finding)
    }
  }
}

/// Makes links of one kind under a name; none where there is no link to copy.
struct Plain: InterceptorFactory {
  var name: String
  var queues = InterceptorQueues.own
  var link: AnyInterceptor?

  init(
    _ name: String, _ link: (any Interceptor)? = ForwardingInterceptor(),
    queues: InterceptorQueues = .own
  ) {
    self.name = name
    self.link = link.map(AnyInterceptor.init)
    self.queues = queues
  }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { link?.interceptor }
}
