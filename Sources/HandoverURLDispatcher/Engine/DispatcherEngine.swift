import Foundation
import HandoverCore
import HandoverThreadPool
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The event loop around `EndpointDispatcher`.
///
/// The engine passes events to the state machine under one lock, and executes the resulting orders
/// without a lock. Only one thread at a time executes orders, so their order cannot change.
final class DispatcherEngine: Sendable {
  /// An action that the state machine has ordered.
  enum Order {
    case begin(Start)
    case abandon(InFlightRequest)
    case notify(URLDispatcherOperation, URLDispatcherEvent)
    case limitReached(LongLimitReached)
    case shutDown(notifying: [CheckedContinuation<Void, Never>])
  }

  /// The state that the lock protects.
  struct State: ~Copyable {
    var machine: EndpointDispatcher
    /// The settings of the state machine.
    var settings: DispatcherConfiguration
    /// The endpoints that are registered with the state machine, because they had requests.
    var endpoints: [EndpointKey: EndpointID] = [:]  // lookup only
    var effects = EffectLog<DispatcherEffect>()
    var operations: [RequestID: URLDispatcherOperation] = [:]  // lookup only
    /// The number of connections of an endpoint.
    let connections: Int
    /// The pool that starts requests that need no slot or share a connection.
    let common: ThreadPool
    /// The gates of endpoints with requests, each with its own pool that starts the requests.
    var gates: [EndpointKey: ConnectionGate] = [:]  // lookup only
    /// The pools of all other endpoints.
    var idlePools = IdlePools()
    /// The endpoints whose connections carry several requests each.
    var multiplexed: Set<EndpointKey> = []  // lookup only
    var orders: [Order] = []
    /// Whether a thread is executing orders.
    var isCarryingOut = false
    /// The time of the last requested alarm, or `nil` if it has fired.
    var alarm: Instant?
    var isClosing = false
    var isShutDown = false
    /// The number of requests whose delegates have not returned from the end event yet.
    var undelivered = 0
    /// The attempts that the transport has or is about to receive, until it reports their ends.
    var attempts: Set<ObjectIdentifier> = []  // lookup only
    var numbers = URLDispatcherStatistics()
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let configuration: URLDispatcher.Configuration
  let transport: any HTTPTransport
  /// The pool that calls delegates, so that a slow delegate never delays the start of a request
  /// (U38).
  let callbackPool: ThreadPool
  let state: Mutex<State>

  init(
    _ configuration: URLDispatcher.Configuration, transport: any HTTPTransport
  ) throws(URLDispatcherError) {
    if let mistake = configuration.mistake {
      throw URLDispatcherError(.invalidConfiguration, mistake)
    }
    self.configuration = configuration
    self.transport = transport
    callbackPool = Self.pool("URL delegates", threads: ThreadPool.Configuration.maximumThreadCount)
    let settings = DispatcherConfiguration(
      limits: configuration.limits, policy: configuration.policy,
      chargesWaiting: configuration.chargesWaiting)
    state = Mutex(
      State(
        machine: EndpointDispatcher(settings), settings: settings,
        connections: Int(configuration.limits.total),
        common: Self.pool("URL dispatcher", threads: ThreadPool.Configuration.maximumThreadCount)))
  }

  static func pool(_ name: String, threads: Int) -> ThreadPool {
    do throws(ThreadPoolError) {
      return try ThreadPool(ThreadPool.Configuration(name: name, threads: threads))
    } catch {
      preconditionFailure("the configuration must be valid: \(error)")
    }
  }
}

extension DispatcherEngine {
  /// Passes an event to the state machine and executes its orders.
  func step(_ event: EndpointDispatcher.Event) {
    change { state in
      guard !state.isShutDown else { return }
      state.step(event, at: Instant(configuration.clock.now))
    }
  }

  /// Changes the protected state and executes the resulting orders in order.
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, alarm, isCarrier) = state.withLock { state in
      let result = body(&state)
      state.shutDownIfOver()
      return (result, state.nextAlarm(), state.takeOverOrders())
    }
    if let alarm { ask(for: alarm) }
    if isCarrier {
      while let orders = state.withLock({ $0.nextOrders() }) { orders.forEach(carryOut) }
    }
    return result
  }

  private func ask(for alarm: Instant) {
    configuration.clock.call(at: Duration(alarm)) { [weak self] in
      guard let self else { return }
      change { state in
        if state.alarm == alarm { state.alarm = nil }
        state.step(.timeElapsed, at: Instant(configuration.clock.now))
      }
    }
  }

  private func carryOut(_ order: Order) {
    switch order {
    case .begin(let start):
      start.pool.run { self.begin(start) }
    case .abandon(let inFlight):
      inFlight.abandon()
    case .notify(let operation, let end):
      operation.queue.add(
        .end {
          operation.notify(end)
          self.change { $0.undelivered -= 1 }
        })
    case .limitReached(let limit):
      guard let notify = configuration.limitReached else { return }
      SerialQueue(.pool(callbackPool)).add(.end { notify(limit) })
    case .shutDown(let waiters):
      transport.shutDown()
      for waiter in waiters { waiter.resume() }
    }
  }
}

// MARK: - The protected state

extension DispatcherEngine.State {
  /// Passes an event to the state machine and collects its orders.
  mutating func step(_ event: EndpointDispatcher.Event, at now: Instant) {
    var isFrozen = false
    if case .failed(let request, _) = event { isFrozen = machine.phase(of: request) == .frozen }
    effects.removeAll()
    machine.step(event, at: now, into: &effects)
    for index in 0..<effects.count { note(effects[index], isFrozen: isFrozen) }
  }

  private mutating func note(_ effect: DispatcherEffect, isFrozen: Bool) {
    switch effect {
    case .start(let request), .startPoll(let request):
      begin(operation(request))
    case .freeze(let request):
      let operation = operation(request)
      pass(
        Start(
          operation: operation, inFlight: operation.nextCarriage(), isFrozen: true, pool: common))
    case .hold(let request):
      let operation = operation(request)
      operation.isHeld = true
    case .thaw(let request):
      let operation = operation(request)
      guard operation.isHeld else { return }
      operation.isHeld = false
      begin(operation)
    case .abandon(let request):
      orders.append(.abandon(operation(request).inFlight))
    case .limitReached(let request, let endpoint):
      let operation = operation(request)
      orders.append(
        .limitReached(
          LongLimitReached(
            request: operation.request, endpoint: operation.endpoint,
            count: Int(machine.usage(of: endpoint).long), admission: operation.admission)))
    case .refuse(let request, let refusal):
      refuse(request, refusal)
    case .notify(let request, let end):
      notify(request, end, isFrozen: isFrozen)
    case .wait, .replaceByPolls, .slotReleased:
      // These effects are visible in the admission and in the state.
      break
    }
  }

  /// Starts a request that has a slot or needs none.
  private mutating func begin(_ operation: URLDispatcherOperation) {
    let inFlight = operation.nextCarriage()
    guard operation.kind != .exempt else {
      return pass(Start(operation: operation, inFlight: inFlight, pool: common))
    }
    let key = operation.endpoint
    let pool = pool(of: key)
    gates[key, default: ConnectionGate()].add(
      Start(operation: operation, inFlight: inFlight, pool: pool))
    openGate(of: key)
  }

  /// Orders that a request is passed to the transport.
  private mutating func pass(_ start: Start) {
    attempts.insert(ObjectIdentifier(start.inFlight))
    orders.append(.begin(start))
  }

  /// Returns the pool that starts the requests of an endpoint.
  ///
  /// An endpoint has its own pool unless its requests share connections.
  private mutating func pool(of key: EndpointKey) -> ThreadPool {
    guard !multiplexed.contains(key) else { return common }
    if let pool = gates[key]?.pool { return pool }
    let pool =
      idlePools.take(key) ?? DispatcherEngine.pool("\(key)", threads: connections)
    gates[key, default: ConnectionGate()].pool = pool
    return pool
  }

  /// Starts all requests that may start, and removes the gate if it is idle.
  private mutating func openGate(of key: EndpointKey) {
    let slots = ask(of: key) { $0.usage(of: $1).total }
    while let start = gates[key]?.next(of: slots) { pass(start) }
    guard let gate = gates[key], gate.isIdle else { return }
    gates[key] = nil
    if let pool = gate.pool { idlePools.add(pool, of: key) }
  }

  /// Frees the connection of a request that failed to begin or whose end the transport has
  /// reported.
  mutating func letGo(of inFlight: InFlightRequest, to key: EndpointKey) {
    attempts.remove(ObjectIdentifier(inFlight))
    gates[key]?.close(inFlight)
    openGate(of: key)
  }

  private mutating func refuse(_ request: RequestID, _ refusal: RequestRefusal) {
    let operation = operation(request)
    operations[request] = nil
    numbers.refused += 1
    let error = URLDispatcherError(refusal: refusal, operation.endpoint)
    guard refusal == .longLimitFailing else { return operation.refuse(error) }
    operation.note(error)
    undelivered += 1
    orders.append(.notify(operation, .failed(error)))
  }

  private mutating func notify(_ request: RequestID, _ end: RequestEnd, isFrozen: Bool) {
    let operation = operation(request)
    operations[request] = nil
    undelivered += 1
    guard
      let error = URLDispatcherError(
        end, operation.endpoint, isFrozen: isFrozen || operation.isHeld, cause: operation.cause)
    else {
      numbers.finished += 1
      orders.append(.notify(operation, .finished))
      return
    }
    numbers.failed += 1
    operation.note(error)
    orders.append(.notify(operation, .failed(error)))
  }

  private func operation(_ request: RequestID) -> URLDispatcherOperation {
    guard let operation = operations[request] else {
      preconditionFailure("the state machine named a request that has ended")
    }
    return operation
  }

  /// Returns whether the caller must execute orders until there are none left.
  fileprivate mutating func takeOverOrders() -> Bool {
    guard !isCarryingOut, !orders.isEmpty else { return false }
    isCarryingOut = true
    return true
  }

  /// Returns the pending orders, or `nil` and ends the execution if there are none.
  fileprivate mutating func nextOrders() -> [DispatcherEngine.Order]? {
    guard !orders.isEmpty else {
      isCarryingOut = false
      return nil
    }
    defer { orders = [] }
    return orders
  }

  /// Returns the time for a new alarm, or `nil` if the current alarm is early enough.
  fileprivate mutating func nextAlarm() -> Instant? {
    guard let due = machine.nextDeadline, due < alarm ?? .never else { return nil }
    alarm = due
    return due
  }

  /// Shuts the transport down once, when no request can use it again.
  fileprivate mutating func shutDownIfOver() {
    // A canceled request has ended for the state machine, but perhaps not for the transport.
    guard isClosing, !isShutDown, machine.unfinishedCount == 0, undelivered == 0, attempts.isEmpty
    else { return }
    isShutDown = true
    idlePools = IdlePools()
    orders.append(.shutDown(notifying: waiters))
    waiters = []
  }
}

extension Instant {
  /// Creates an instant from a time of the dispatcher's clock.
  init(_ time: Duration) {
    self = .zero + Interval(time)
  }
}

extension Interval {
  /// Creates the interval of a duration in whole microseconds, saturating.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let part = Interval(microseconds: attoseconds / 1_000_000_000_000)
    guard !overflow else {
      self = seconds > 0 ? .maximum : .zero
      return
    }
    self = Interval(microseconds: whole) + part
  }
}

extension Duration {
  /// Creates the duration from the clock's zero to an instant.
  init(_ instant: Instant) {
    self = .microseconds(instant.microseconds)
  }
}
