public import HandoverCore

/// Runs an interceptor through every order of events that its state chart allows, up to a length,
/// and finds the shortest one that breaks a rule.
///
/// The kit is both neighbours of the interceptor and the world: it starts, writes, finishes, asks
/// for messages and cancels as a user may, answers as a transport may once it is started, answers
/// questions with and without an answer, and lets deadlines pass. Where the call that reaches the
/// next link has flow control, messages come only as they are asked for. See ``InterceptorRule``
/// for what is a breach.
///
/// Limits: that everything was handed on is asked when the next link closes OK and the user hears
/// OK; what is lost on the way to a failure is not missed. What is in a message, and headers that
/// come twice, are not looked at.
public struct InterceptorConformance: Sendable {
  /// What the interceptor is tested with.
  public struct Options: Hashable, Sendable {
    /// The longest order tried, in events; from 1 to 12.
    public var length = 7
    /// How many messages each side may send, and the user may ask for; from 0 to 9.
    public var messages = 2
    /// How the next link may close; at least one.
    ///
    /// An interceptor that does something about a status is tested with it: one that renews tokens
    /// with UNAUTHENTICATED.
    public var closes: [CallStatus] = [.ok, .connectivityLost]
    /// What the interceptor may keep to itself: `write`, `message`, `metadata`, `writeDone`.
    ///
    /// A filter of messages names `message`. One that only forwards names nothing.
    public var mayKeep: [ChainStep] = []
    /// What every question is answered with, where it is answered.
    public var answer = "answer"
    /// How many calls the links of the factory have made before each order.
    ///
    /// They are the same call, with one message each way, questions that are answered, and the
    /// first of ``closes``: with them a cache has something to hit, and a token is there.
    public var earlierCalls = 0
    /// How many states are looked at, at most.
    public var maximumStates = 2_000_000

    /// Orders of up to seven events with up to two messages each way.
    public init() {}
  }

  private let options: Options
  private let start: CallStart
  private let make: @Sendable () -> any InterceptorFactory

  /// Prepares a test.
  ///
  /// - Parameters:
  ///   - start: the call that the interceptor is made for; with flow control or without.
  ///   - options: how far to go.
  ///   - make: makes the factory; it is called for each order anew where the links of one factory
  ///     share what they know, so that no order changes what another finds. That it is so is what
  ///     ``InterceptorFactory/sharesState`` must say.
  /// - Precondition: the options are within their limits.
  public init(
    for start: CallStart = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C")),
    options: Options = Options(), make: @escaping @Sendable () -> any InterceptorFactory
  ) {
    precondition((1...12).contains(options.length), "orders have 1 to 12 events")
    precondition((0...9).contains(options.messages), "each side sends 0 to 9 messages")
    precondition(!options.closes.isEmpty, "the next link needs a way to close")
    self.start = start
    self.options = options
    self.make = make
  }

  /// Tries every order.
  public func run() -> ConformanceReport {
    let factory = makeFactory()
    var report = ConformanceReport(name: factory.name)
    guard let first = state(of: factory) else { return report }
    report.states = 1
    var level = Level(first)
    while !level.nodes.isEmpty, report.length < options.length {
      var next = Level()
      for node in level.nodes {
        for (position, event) in node.state.allowedEvents(options).enumerated() {
          var reached = node
          // What the state shares is its own: the first event may change it.
          if factory.sharesState, position > 0 { reached.state = replay(node.order) }
          reached.order.append(event)
          report.orders = report.orders.adding(orders: node.ways)
          if let rule = reached.state.handle(event, options) {
            report.breach = ConformanceReport.Breach(
              rule: rule, order: reached.order.map { $0.text(options) })
            return report
          }
          guard next.add(reached, isNew: factory.sharesState) else { continue }
          guard report.states < options.maximumStates else {
            report.isComplete = false
            return report
          }
          report.states += 1
        }
      }
      level = next
      report.length += 1
    }
    return report
  }

  /// A factory whose links have made the earlier calls.
  private func makeFactory() -> any InterceptorFactory {
    let factory = make()
    for _ in 0..<options.earlierCalls {
      guard var state = state(of: factory) else { break }
      for event in ConformanceEvent.unaryCall(options)
      where state.allowedEvents(options).contains(event) {
        _ = state.handle(event, options)
      }
    }
    return factory
  }

  private func state(of factory: any InterceptorFactory) -> ConformanceState? {
    factory.makeInterceptor(for: start).map {
      ConformanceState($0, name: factory.name, start: start)
    }
  }

  /// The state after an order, with nothing shared with any other order.
  private func replay(_ order: [ConformanceEvent]) -> ConformanceState {
    guard var state = state(of: makeFactory()) else {
      preconditionFailure("a factory that made a link for a call makes one again")
    }
    for event in order { _ = state.handle(event, options) }
    return state
  }
}

/// A state, and how it was reached.
private struct Node {
  var state: ConformanceState
  /// The first of the orders that lead to it.
  var order: [ConformanceEvent]
  /// How many orders of the same length lead to it.
  var ways: UInt64
}

/// The states that orders of one length lead to.
private struct Level {
  private(set) var nodes: [Node] = []
  private var places: [ConformanceState: Int] = [:]  // lookup only

  init() {}

  init(_ first: ConformanceState) {
    nodes = [Node(state: first, order: [], ways: 1)]
  }

  /// Adds a way to a state.
  ///
  /// - Parameters:
  ///   - node: the state and the way.
  ///   - isNew: whether it is known to be like no other.
  /// - Returns: whether no other way led there before.
  mutating func add(_ node: Node, isNew: Bool) -> Bool {
    if !isNew {
      if let position = places[node.state] {
        nodes[position].ways = nodes[position].ways.adding(orders: node.ways)
        return false
      }
      places[node.state] = nodes.count
    }
    nodes.append(node)
    return true
  }
}
