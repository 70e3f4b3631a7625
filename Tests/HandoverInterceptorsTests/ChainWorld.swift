import HandoverCore
import Testing

@testable import HandoverInterceptors

/// A client of chains for tests, which runs everything in the order of arrival and records both
/// ends.
///
/// The simulation's `World` cannot be used, because it has a client and a network at the end of a
/// chain. These tests act as the transport themselves.
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
  /// All effects, in order.
  private(set) var effects: [ChainEffect] = []
  /// Violations of the contract between a chain and its transport, whatever the interceptors do.
  private(set) var offences: [String] = []
  /// Whether an event that is only forwarded passes all interceptors immediately.
  private let goesThrough: Bool
  private var latest: [ChainID: UInt32] = [:]
  private var running: Set<Attempt> = []

  private struct Attempt: Hashable {
    var call: ChainID
    var attempt: UInt32
  }

  init(
    _ configuration: CallChains.Configuration = CallChains.Configuration.laterCode,
    goesThrough: Bool = false
  ) {
    chains = CallChains(configuration)
    self.goesThrough = goesThrough
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

  /// The start with which ``open(_:_:)`` opened the call, without its factories.
  static let start = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C"))

  /// Returns the start with other options.
  static func start(_ change: (inout CallOptions) -> Void) -> CallStart {
    var start = Self.start
    change(&start.options)
    return start
  }

  mutating func ask(_ call: ChainID, _ requests: ChainRequest...) {
    for request in requests {
      var effects: [ChainEffect] = []
      chains.request(request, of: call, into: &effects)
      drain(&effects)
    }
  }

  /// Makes a unary call, up to the end of its requests.
  mutating func askUnary(_ call: ChainID, _ message: String = "hello", _ start: CallStart = start) {
    ask(call, .start(start), .write(Message(message)), .finish)
  }

  mutating func send(_ call: ChainID, _ events: TransportEvent...) {
    for event in events {
      let attempt = latest[call] ?? 0
      if case .ended = event { running.remove(Attempt(call: call, attempt: attempt)) }
      var effects: [ChainEffect] = []
      chains.transport(event, of: call, attempt: attempt, into: &effects)
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

  mutating func wait(_ interval: Interval) {
    wait(until: now + interval)
  }

  /// Returns the responses that the user of one call received.
  func reported(_ call: ChainID) -> [ChainResponse] {
    effects.compactMap {
      if case .user(call, let response) = $0 { response } else { nil }
    }
  }

  /// Clears the recorded orders of the transport.
  mutating func forgetOrders() {
    orders = []
  }

  private mutating func drain(_ effects: inout [ChainEffect]) {
    var position = 0
    while position < effects.count {
      handle(effects[position], isLast: position == effects.count - 1, &effects)
      position += 1
    }
    self.effects += effects
  }

  private mutating func handle(
    _ effect: ChainEffect, isLast: Bool, _ effects: inout [ChainEffect]
  ) {
    switch effect {
    case .queueFilled(let queue) where goesThrough && isLast:
      chains.runThrough(queue, at: now, into: &effects)
    case .queueFilled(let queue): chains.run(queue, at: now, into: &effects)
    case .user(_, let response): user.append(response)
    case .took: break
    case .transport(let call, let attempt, let order):
      orders.append(order)
      check(order, Attempt(call: call, attempt: attempt))
    case .asked(let call, let link, let question): questions.append((call, link, question))
    case .noted(_, _, let note): notes.append(note)
    case .linkMade(_, _, let name): made.append(name)
    case .linkSkipped(_, let name): skipped.append(name)
    case .linkReleased: released += 1
    case .transportMade(let call, let attempt, _, _):
      attempts.append(attempt)
      latest[call] = attempt
    case .finding(_, let finding): findings.append(finding)
    }
  }

  private mutating func check(_ order: TransportOrder, _ attempt: Attempt) {
    guard case .start = order else {
      if !running.contains(attempt) { offences.append("\(order) for an attempt that is over") }
      if order == .cancel { running.remove(attempt) }
      return
    }
    if running.contains(where: { $0.call == attempt.call }) {
      offences.append("two attempts of one call live at once")
    }
    running.insert(attempt)
  }
}

/// Makes interceptors of one kind under a name, or none if there is no interceptor to copy.
struct Plain: InterceptorFactory, CustomTestStringConvertible {
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

  var testDescription: String { name }

  func makeInterceptor(for call: CallStart) -> (any Interceptor)? { link?.interceptor }
}

extension CallChains.Configuration {
  /// The behavior of the later code, which most of the requirements I1 to I40 describe.
  static var laterCode: Self {
    var configuration = Self()
    configuration.creation = .lazy
    configuration.cancel = .close
    return configuration
  }
}
