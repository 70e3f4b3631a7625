/// Runs one call through a chain in every possible order of its queues, its server and a network
/// change.
///
/// A device on cellular gets WiFi at any moment of the call, or not before its end. The channel
/// pool and the monitor are the real ones. A state that several orders reach is explored once, so
/// the number of orders is exact however large it is.
///
/// The exploration checks each order, whatever the interceptors do:
/// - At most one attempt exists at a time.
/// - The caller is notified of one end and of nothing after it.
/// - Nothing is sent after that end, unless a cancel follows closely.
/// - No interceptor violates a rule of ``ChainFinding``.
/// - Nothing remains at the end.
///
/// Limits: questions of interceptors are not answered. The server ends each attempt that it
/// receives completely with OK. Attempts fail only because of the network change.
public struct OrderExploration: Sendable {
  private let factories: [any InterceptorFactory]
  private let configuration: CallChains.Configuration
  private let requests: [ChainRequest]
  private let maximumStates: Int

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - factories: the factories of the chain. Their interceptors must not share state, because a
  ///     copy of a state would share it with the original; see ``InterceptorFactory/sharesState``.
  ///   - configuration: the settings for creating chains.
  ///   - requests: the operations of the caller in order, possibly with a cancel, or `nil` for one
  ///     unary call.
  ///   - maximumStates: the maximum number of states to explore.
  public init(
    of factories: [any InterceptorFactory],
    configuration: CallChains.Configuration = CallChains.Configuration(),
    requests: [ChainRequest]? = nil, maximumStates: Int = 1_000_000
  ) {
    precondition(
      !factories.contains(where: \.sharesState), "interceptors that share state cannot be copied")
    self.factories = factories
    self.configuration = configuration
    self.requests =
      requests ?? [.start(Self.unaryStart), .write(Message("request")), .finish]
    self.maximumStates = maximumStates
  }

  /// The destination of the call.
  public static let unaryStart = CallStart(
    RequestOptions(host: "api.example:443", path: "/example.Service/Unary"))

  /// Explores all orders.
  public func run() -> OrderReport {
    var search = OrderSearch(requests: requests, maximumStates: maximumStates)
    var state = OrderState(configuration)
    state.open(factories)
    let orders = search.orders(from: state)
    return OrderReport(
      orders: orders, states: search.known.count, maximumLength: search.longest,
      isComplete: search.isComplete, violation: search.violation)
  }
}

/// The result of an exploration.
public struct OrderReport: Hashable, Sendable, CustomStringConvertible {
  /// A violation, and the order in which it occurred.
  public struct Violation: Hashable, Sendable {
    /// The description of the violation.
    public var text: String
    /// The steps, in order.
    public var order: [String]
  }

  /// The number of orders; `UInt64.max` means that number or more.
  public var orders: UInt64
  /// The number of different states in these orders.
  public var states: Int
  /// The number of steps in the longest order.
  public var maximumLength: Int
  /// Whether all states were explored.
  public var isComplete: Bool
  /// The first violation, or `nil` if there is none.
  public var violation: Violation?

  /// The report in readable form.
  public var description: String {
    guard let violation else {
      return "\(orders) orders through \(states) states, \(maximumLength) steps at most: "
        + (isComplete ? "no violation" : "no violation so far; there are more states")
    }
    var text = "\(violation.text), in this order:"
    for (position, step) in violation.order.enumerated() { text += "\n  \(position + 1). \(step)" }
    return text
  }
}

/// A depth-first search that explores every state once.
private struct OrderSearch {
  let requests: [ChainRequest]
  let maximumStates: Int
  /// The number of orders that continue from each state, and the length of the longest one.
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

  private mutating func record(_ text: String) {
    guard violation == nil else { return }
    violation = OrderReport.Violation(text: text, order: path.map { $0.text(requests) })
  }
}
