/// Runs an interceptor through every order of events that its state chart allows, up to a length,
/// and finds the shortest one that breaks a rule.
///
/// The kit is both neighbours of the interceptor and the world: it starts, writes, finishes and
/// cancels as a user may, answers as a transport may once it is started, answers questions with and
/// without an answer, and lets deadlines pass. See ``InterceptorRule`` for what is a breach.
public struct InterceptorConformance: Sendable {
  /// What the interceptor is tested with.
  public struct Options: Hashable, Sendable {
    /// The longest order tried, in events; from 1 to 12.
    public var length = 7
    /// How many messages each side may send.
    public var messages = 2
    /// Whether the interceptor may forward fewer messages than it was given.
    public var mayDropMessages = false
    /// What every question is answered with, where it is answered.
    public var answer = "answer"
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
  ///   - start: the call that the interceptor is made for.
  ///   - options: how far to go.
  ///   - make: makes the factory; it is called for each order anew where the links of one factory
  ///     share what they know.
  public init(
    for start: CallStart = CallStart(RequestOptions(host: "api.example:443", path: "/a.B/C")),
    options: Options = Options(), make: @escaping @Sendable () -> any InterceptorFactory
  ) {
    self.start = start
    self.options = options
    self.make = make
  }

  /// Tries every order.
  public func run() -> ConformanceReport {
    let factory = make()
    guard let first = state(of: factory) else {
      return ConformanceReport(name: factory.name, states: 0, length: 0, breach: nil)
    }
    var known: Set<ConformanceState> = [first]  // lookup only
    var level: [Node] = [Node(state: first, order: [])]
    var states = 1
    var length = 0
    while !level.isEmpty, length < min(options.length, 12) {
      var next: [Node] = []
      for node in level {
        for event in node.state.allowedEvents(options) {
          var reached = Node(
            state: factory.sharesState ? replay(node.order) : node.state,
            order: node.order + [event])
          let rule = reached.state.take(event, options)
          states += 1
          if let rule {
            return ConformanceReport(
              name: factory.name, states: states, length: length + 1,
              breach: ConformanceReport.Breach(
                rule: rule, order: reached.order.map { $0.text(options) }))
          }
          guard states < options.maximumStates else {
            return ConformanceReport(
              name: factory.name, states: states, length: length, breach: nil)
          }
          if factory.sharesState || known.insert(reached.state).inserted { next.append(reached) }
        }
      }
      level = next
      length += 1
    }
    return ConformanceReport(name: factory.name, states: states, length: length, breach: nil)
  }

  private struct Node {
    var state: ConformanceState
    var order: [ConformanceEvent]
  }

  private func state(of factory: any InterceptorFactory) -> ConformanceState? {
    factory.makeInterceptor(for: start).map {
      ConformanceState($0, name: factory.name, start: start)
    }
  }

  /// The state after an order, with nothing shared with any other order.
  private func replay(_ order: [ConformanceEvent]) -> ConformanceState {
    guard var state = state(of: make()) else {
      preconditionFailure("a factory that made a link for a call makes one again")
    }
    for event in order { _ = state.take(event, options) }
    return state
  }
}

/// What an interceptor must not do, or must do in the end.
public enum InterceptorRule: Hashable, Sendable, CustomStringConvertible {
  /// Something the manager refuses; see ``ChainFinding``.
  case manager(ChainFinding.Kind)
  /// Messages were forwarded in another order than they came in.
  case reordered
  /// A message was never forwarded, although the call went on to its end without it.
  case messageHeld
  /// The user has sent everything, nothing is waited for, and the call goes nowhere.
  case callStuck

  /// The rule as a sentence about the interceptor.
  public var description: String {
    switch self {
    case .manager(let kind): ChainFinding(link: "the interceptor", kind).description
    case .reordered: "the interceptor forwards messages in another order than they came in"
    case .messageHeld: "the interceptor holds a message for ever"
    case .callStuck: "the interceptor waits for nothing, and the call goes nowhere"
    }
  }
}

/// What became of a conformance test.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// A rule that was broken, and the shortest order of events that breaks it.
  public struct Breach: Hashable, Sendable {
    /// The rule.
    public var rule: InterceptorRule
    /// The events in words, in order.
    public var order: [String]
  }

  /// The name of the interceptor.
  public var name: String
  /// How many events were tried in how many states.
  public var states: Int
  /// The length of the longest orders that were tried whole.
  public var length: Int
  /// The breach; nil where every order is as it should be.
  public var breach: Breach?

  /// Whether every order is as it should be.
  public var passes: Bool { breach == nil && states > 0 }

  /// The report as a person reads it.
  public var description: String {
    guard let breach else {
      return states == 0
        ? "\(name): its factory makes no interceptor for this call, so nothing was tried"
        : "\(name): as it should be in every order of up to \(length) events (\(states) tried)"
    }
    var text = "\(name): \(breach.rule)\n  the shortest order (\(breach.order.count) events):"
    for (place, event) in breach.order.enumerated() { text += "\n  \(place + 1). \(event)" }
    return text
  }
}
