/// Runs one call through a chain in every order in which its queues, its server and a change of the
/// network can take turns.
///
/// A device on cellular gets WiFi at any moment of the call, or never before its end; the channel
/// pool and the monitor are the real ones. States that come up on several ways are looked at once,
/// so that the number of orders is exact however large it is.
///
/// In every order, whatever the links do: one attempt lives at a time, the user hears one end and
/// nothing after it, nothing is sent after that end unless a cancel is close behind, no link breaks
/// a rule of ``ChainFinding``, and at last nothing is left that lives.
///
/// Limits: nobody answers the links' questions, and the server ends each attempt that it hears to
/// the end with OK; attempts fail by the change of the network alone.
public struct OrderExploration: Sendable {
  private let factories: [any InterceptorFactory]
  private let configuration: CallChains.Configuration
  private let requests: [ChainRequest]
  private let maximumStates: Int

  /// Prepares an exploration.
  ///
  /// - Parameters:
  ///   - factories: the chain; none of its links may share what it knows, because a copy of a state
  ///     would share it with the original: see ``InterceptorFactory/sharesState``.
  ///   - configuration: how chains are made.
  ///   - requests: what the user does, in order, a cancel too; nil is one unary call.
  ///   - maximumStates: how many states are looked at, at most.
  public init(
    of factories: [any InterceptorFactory],
    configuration: CallChains.Configuration = CallChains.Configuration(),
    requests: [ChainRequest]? = nil, maximumStates: Int = 1_000_000
  ) {
    precondition(
      !factories.contains(where: \.sharesState), "links that share state cannot be copied")
    self.factories = factories
    self.configuration = configuration
    self.requests =
      requests ?? [.start(Self.unaryStart), .write(Message("request")), .finish]
    self.maximumStates = maximumStates
  }

  /// Whom the call asks.
  public static let unaryStart = CallStart(
    RequestOptions(host: "api.example:443", path: "/example.Service/Unary"))

  /// Goes through all orders.
  public func run() -> OrderReport {
    var search = OrderSearch(requests: requests, maximumStates: maximumStates)
    var state = OrderState(configuration)
    state.open(factories)
    let orders = search.orders(from: state)
    return OrderReport(
      orders: orders, states: search.known.count, longest: search.longest,
      isComplete: search.isComplete, violation: search.violation)
  }
}

/// What an exploration found.
public struct OrderReport: Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, and the order in which it did.
  public struct Violation: Hashable, Sendable {
    /// What went wrong.
    public var what: String
    /// What happened, in order.
    public var order: [String]
  }

  /// How many orders there are; `UInt64.max` stands for as many or more.
  public var orders: UInt64
  /// How many different states they come through.
  public var states: Int
  /// How many steps the longest of them has.
  public var longest: Int
  /// Whether all states were looked at.
  public var isComplete: Bool
  /// The first thing that went wrong; nil where nothing did.
  public var violation: Violation?

  /// The report as a person reads it.
  public var description: String {
    guard let violation else {
      return "\(orders) orders through \(states) states, \(longest) steps at most: "
        + (isComplete ? "no violation" : "no violation so far; there are more states")
    }
    var text = "\(violation.what), in this order:"
    for (position, step) in violation.order.enumerated() { text += "\n  \(position + 1). \(step)" }
    return text
  }
}

/// Looks at every state once, depth first.
private struct OrderSearch {
  let requests: [ChainRequest]
  let maximumStates: Int
  /// How many orders go on from a state, and how long the longest is.
  var known: [OrderState: (orders: UInt64, length: Int)] = [:]  // lookup only
  var longest = 0
  var isComplete = true
  var violation: OrderReport.Violation?
  private var path: [OrderStep] = []

  init(requests: [ChainRequest], maximumStates: Int) {
    self.requests = requests
    self.maximumStates = maximumStates
  }

  mutating func orders(from state: OrderState) -> UInt64 {
    let found = explore(state)
    longest = found.length
    return found.orders
  }

  private mutating func explore(_ state: OrderState) -> (orders: UInt64, length: Int) {
    if let found = known[state] { return found }
    guard known.count < maximumStates else {
      isComplete = false
      return (0, 0)
    }
    let steps = state.steps(requests)
    guard !steps.isEmpty else {
      if let what = state.obligation { record(what) }
      known[state] = (1, 0)
      return (1, 0)
    }
    var orders: UInt64 = 0
    var length = 0
    for step in steps where violation == nil {
      var next = state
      path.append(step)
      if let what = next.handle(step, requests) { record(what) }
      let found = violation == nil ? explore(next) : (orders: 0, length: 0)
      path.removeLast()
      orders = orders.adding(orders: found.orders)
      length = max(length, found.length + 1)
    }
    known[state] = (orders, length)
    return (orders, length)
  }

  private mutating func record(_ what: String) {
    guard violation == nil else { return }
    violation = OrderReport.Violation(what: what, order: path.map { $0.text(requests) })
  }
}
