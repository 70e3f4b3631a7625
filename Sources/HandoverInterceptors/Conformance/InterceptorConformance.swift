public import HandoverCore

/// Tests an interceptor with every order of events that its state chart allows, up to a length.
///
/// The test finds the shortest order that violates a rule. The kit simulates both neighbors of the
/// interceptor and its environment. As the caller, it starts, writes, finishes, requests messages
/// and cancels. As the transport, it answers after the start. As the environment, it answers
/// questions or leaves them unanswered, and lets deadlines expire. If the call that reaches the
/// next interceptor has flow control, messages arrive only on request. See ``InterceptorRule`` for
/// the rules.
///
/// Limits: the test checks that everything was forwarded only if both the next interceptor and the
/// caller get a close with OK. Losses before a failure are not detected. The contents of messages
/// and duplicate headers are not checked.
public struct InterceptorConformance: Sendable {
  /// The options of a test.
  public struct Options: Hashable, Sendable {
    /// The maximum length of an order in events, from 1 to 12.
    public var length = 7
    /// The maximum number of messages that each side sends and that the caller requests, from 0 to
    /// 9.
    public var messages = 2
    /// The statuses with which the next interceptor may close; at least one.
    ///
    /// Include every status that the interceptor reacts to. For example, test an interceptor that
    /// renews tokens with UNAUTHENTICATED.
    public var closes: [CallStatus] = [.ok, .connectivityLost]
    /// The items that the interceptor may keep: `write`, `message`, `metadata`, `writeDone`.
    ///
    /// For example, a filter of messages may keep `message`. An interceptor that only forwards may
    /// keep nothing.
    public var retainableSteps: [ChainStep] = []
    /// The answer to every question that is answered.
    public var answer = "answer"
    /// The number of calls that the interceptors of the factory complete before each order.
    ///
    /// Each of them is the same call, with one message in each direction, answered questions, and
    /// the first status of ``closes``. These calls give a cache an entry, and a token interceptor a
    /// token.
    public var earlierCalls = 0
    /// The maximum number of states to check.
    public var maximumStates = 2_000_000

    /// Creates options for orders of up to seven events with up to two messages in each direction.
    public init() {}
  }

  private let options: Options
  private let start: CallStart
  private let make: @Sendable () -> any InterceptorFactory

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - start: the call for which the interceptor is created, with or without flow control.
  ///   - options: the options of the test.
  ///   - make: creates the factory. If the interceptors of a factory share state, `make` is called
  ///     for each order, so that no order affects another one. ``InterceptorFactory/sharesState``
  ///     must declare this.
  /// - Precondition: the options are within their limits.
  public init(
    for start: CallStart = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C")),
    options: Options = Options(), make: @escaping @Sendable () -> any InterceptorFactory
  ) {
    precondition((1...12).contains(options.length), "the length must be between 1 and 12 events")
    precondition(
      (0...9).contains(options.messages), "the number of messages must be between 0 and 9")
    precondition(!options.closes.isEmpty, "at least one way to close is required")
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
          // The node's own state is used for its first event only, because with shared state the
          // event may change it.
          if factory.sharesState, position > 0 { reached.state = replay(node.order) }
          reached.order.append(event)
          report.orders = report.orders.adding(orders: node.ways)
          if let rule = reached.state.handle(event, options) {
            report.violation = ConformanceReport.Violation(
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

  /// Returns a factory whose interceptors have completed the earlier calls.
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

  /// Returns the state after an order, which shares nothing with the state of any other order.
  private func replay(_ order: [ConformanceEvent]) -> ConformanceState {
    guard var state = state(of: makeFactory()) else {
      preconditionFailure(
        "the factory created an interceptor for the same call before, but not this time")
    }
    for event in order { _ = state.handle(event, options) }
    return state
  }
}

/// A state, and the orders that lead to it.
private struct Node {
  var state: ConformanceState
  /// The first order that leads to the state.
  var order: [ConformanceEvent]
  /// The number of orders of this length that lead to the state.
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

  /// Adds an order that leads to a state.
  ///
  /// - Parameters:
  ///   - node: the state and the order.
  ///   - isNew: whether the state is known to differ from all others.
  /// - Returns: whether no earlier order led to the state.
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
