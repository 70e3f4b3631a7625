import HandoverCore

/// One possible next step.
enum OrderStep: Hashable, Sendable {
  case user(Int)
  case queue(QueueID)
  case connected(ConnectionID)
  case server(TransportEvent)
  case deadline
  case transition

  func text(_ requests: [ChainRequest]) -> String {
    switch self {
    case .user(let position): "the user: \(requests[position].step.rawValue)"
    case .queue(let queue): "queue \(queue.index) runs its next task"
    case .connected: "the connection is established"
    case .server(.headers): "the server's headers arrive"
    case .server(.message): "the server's message arrives"
    case .server: "the server ends the call"
    case .deadline: "an interceptor has waited long enough"
    case .transition: "WiFi appears"
    }
  }
}

/// A call in a chain, with the client below it and its environment.
///
/// The type does not use `World` of the simulation, because that module depends on this one. It
/// also tries all orders of the queues, which are a single kind of action in a `World`.
struct OrderState: Hashable {
  private var chains: CallChains
  private var client: ClientCore
  private var attempts = ChainAttempts()
  private var call: ChainID?
  private var asked = 0
  private var isOnWiFi = false
  /// The connection attempt in progress.
  private var connecting: ConnectionID?
  /// The remaining events from the server, in order.
  private var answers: [TransportEvent] = []
  /// The call of the pool that the server answers.
  private var served: CallID?
  private var rules = OrderRules()
  private var now = Instant.zero

  init(_ configuration: CallChains.Configuration) {
    chains = CallChains(configuration)
    client = ClientCore(PoolConfiguration(policy: Profile.socketsMonitor.policy))
    _ = client.register(Self.key)
    var effects = EffectLog<ClientEffect>()
    client.step(
      .reachability(.initialRead([.reachable, .isWWAN])), at: .zero, into: &effects)
  }

  private static let key = ChannelKey(
    host: HostName(OrderExploration.unaryStart.request.host), options: ChannelOptions())

  mutating func open(_ factories: [any InterceptorFactory]) {
    var start = OrderExploration.unaryStart
    start.options.interceptorFactories = factories
    var effects: [ChainEffect] = []
    call = try? chains.open(start, into: &effects)
  }

  /// Returns all possible next steps.
  func steps(_ requests: [ChainRequest]) -> [OrderStep] {
    var steps = chains.readyQueues.map(OrderStep.queue)
    if asked < requests.count { steps.append(.user(asked)) }
    if let connecting { steps.append(.connected(connecting)) }
    if let answer = answers.first { steps.append(.server(answer)) }
    if chains.nextDeadline != nil { steps.append(.deadline) }
    // A network change after everything is over has no effect.
    if !isOnWiFi, !steps.isEmpty { steps.append(.transition) }
    return steps
  }

  /// Applies a step.
  ///
  /// - Returns: the description of a violation that the step caused, or `nil` if there is none.
  mutating func handle(_ step: OrderStep, _ requests: [ChainRequest]) -> String? {
    guard let call else { return "the call was not opened" }
    var effects: [ChainEffect] = []
    switch step {
    case .user(let position):
      asked = position + 1
      chains.request(requests[position], of: call, into: &effects)
    case .queue(let queue):
      chains.run(queue, at: now, into: &effects)
    case .connected(let connection):
      connecting = nil
      send(.pool(.connected(connection)), into: &effects)
    case .server(let event):
      answers.removeFirst()
      serve(event, into: &effects)
    case .deadline:
      now = max(now, chains.nextDeadline ?? now)
      chains.timeElapsed(at: now, into: &effects)
    case .transition:
      isOnWiFi = true
      send(.reachability(.callback([.reachable])), into: &effects)
    }
    var position = 0
    while position < effects.count {
      if let what = carryOut(effects[position], into: &effects) { return what }
      position += 1
    }
    return nil
  }

  /// Passes an event of the server to the client, which forwards it.
  private mutating func serve(_ event: TransportEvent, into effects: inout [ChainEffect]) {
    guard let served else { return }
    switch event {
    case .headers:
      if let attempt = attempts.attempt(carriedBy: served) {
        chains.transport(event, of: attempt.chain, attempt: attempt.number, into: &effects)
      }
    case .message: send(.pool(.messageReceived(served)), into: &effects)
    case .written: break
    case .ended(let status, _):
      send(.pool(.streamEnded(served, status.code)), into: &effects)
    }
  }

  private mutating func send(_ event: ClientCore.Event, into effects: inout [ChainEffect]) {
    var orders = EffectLog<ClientEffect>()
    client.step(event, at: now, into: &orders)
    for position in 0..<orders.count { carryOut(orders[position], into: &effects) }
  }

  private mutating func carryOut(_ order: ClientEffect, into effects: inout [ChainEffect]) {
    switch order {
    case .openConnection(let connection, _):
      connecting = connection
    case .closeConnection:
      connecting = nil
      answers = []
    case .finishStream(let id, _):
      served = id
      answers = [.headers(["a": "1"]), .message([1]), .ended(.ok, trailers: nil)]
    case .resetStream:
      answers = []
    case .deliverMessage(let id):
      guard let attempt = attempts.attempt(carriedBy: id) else { return }
      chains.transport(.message([1]), of: attempt.chain, attempt: attempt.number, into: &effects)
    case .endCall(let id, let end):
      guard let attempt = attempts.attempt(carriedBy: id) else { return }
      attempts.end(id)
      rules.attemptEnded(attempt.number)
      chains.transport(
        .ended(CallStatus(end), trailers: nil), of: attempt.chain, attempt: attempt.number,
        into: &effects)
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .fetchToken,
      .startStream, .sendMessages, .sendPing:
      break
    }
  }

  private mutating func carryOut(
    _ effect: ChainEffect, into effects: inout [ChainEffect]
  ) -> String? {
    if let what = rules.violation(
      of: effect, cancelIsUnderWay: call.map(chains.hasCancelUnderWay) ?? false)
    {
      return what
    }
    guard case .transport(let chain, let attempt, let order) = effect else { return nil }
    if case .start = order {
      begin(chain, attempt, into: &effects)
    } else if let fact = attempts.fact(for: order, of: chain, attempt: attempt) {
      send(.pool(fact), into: &effects)
    }
    return nil
  }

  private mutating func begin(
    _ chain: ChainID, _ attempt: UInt32, into effects: inout [ChainEffect]
  ) {
    let id = client.nextCallID
    attempts.begin(id, for: chain, attempt: attempt)
    let settings = CallSettings(
      deadline: .never, failsFast: false, awaitsToken: false, requestIsComplete: false)
    send(.pool(.callStarted(id, client.register(Self.key), settings)), into: &effects)
  }

  /// The unmet obligation when nothing more can happen, or `nil` if there is none.
  var obligation: String? {
    guard let call else { return "the call was not opened" }
    if let finding = chains.audit(call).first { return finding.description }
    return rules.obligation
  }
}
