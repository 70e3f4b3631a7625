import Foundation
import HandoverDispatcher
import HandoverMachines
import HandoverThreadPool
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The dull loop around `EndpointDispatcher`: it tells the machine what happens, under one lock,
/// and does what it orders, under none.
///
/// The orders of all steps are carried out in one row, by one thread at a time, whichever it is:
/// two threads cannot change their order.
final class DispatcherEngine: Sendable {
  /// Something to do that the machine has ordered.
  enum Order {
    case begin(Start)
    case abandon(InFlightRequest)
    case notify(URLDispatcherOperation, URLDispatcherEvent)
    case limitReached(LongLimitReached)
    case shutDown(telling: [CheckedContinuation<Void, Never>])
  }

  /// What the lock guards.
  struct State: ~Copyable {
    var machine: EndpointDispatcher
    /// The settings of the machine.
    var settings: DispatcherConfiguration
    /// The endpoints that the machine knows: those something was dispatched to.
    var endpoints: [EndpointKey: EndpointID] = [:]  // lookup only
    var effects = EffectLog<DispatcherEffect>()
    var operations: [RequestID: URLDispatcherOperation] = [:]  // lookup only
    /// How many connections an endpoint has.
    let connections: Int
    /// What hands requests to the transport that need no slot, or share a connection.
    let common: ThreadPool
    /// The endpoints that have something to do, each with threads of its own that hand its requests
    /// to the transport.
    var gates: [EndpointKey: ConnectionGate] = [:]  // lookup only
    /// The threads of the others.
    var idlePools = IdlePools()
    /// The endpoints whose connections carry several requests each.
    var multiplexed: Set<EndpointKey> = []  // lookup only
    var orders: [Order] = []
    /// Whether a thread carries out orders.
    var isCarryingOut = false
    /// The alarm that was asked for last, unless it has gone off.
    var alarm: Instant?
    var isClosing = false
    var isShutDown = false
    /// The requests whose delegates have not returned from their end.
    var untold = 0
    var numbers = URLDispatcherNumbers()
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let configuration: URLDispatcher.Configuration
  let transport: any HTTPTransport
  /// What tells delegates, so that none of them keeps a request from beginning (U38).
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
    callbackPool = Self.pool("URL delegates", threads: ThreadPool.Configuration.mostThreads)
    let settings = DispatcherConfiguration(
      limits: configuration.limits, policy: configuration.policy,
      chargesWaiting: configuration.chargesWaiting)
    state = Mutex(
      State(
        machine: EndpointDispatcher(settings), settings: settings,
        connections: Int(configuration.limits.total),
        common: Self.pool("URL dispatcher", threads: ThreadPool.Configuration.mostThreads)))
  }

  static func pool(_ name: String, threads: Int) -> ThreadPool {
    do throws(ThreadPoolError) {
      return try ThreadPool(ThreadPool.Configuration(name: name, threads: threads))
    } catch {
      preconditionFailure("the configuration was checked: \(error)")
    }
  }
}

extension DispatcherEngine {
  /// Tells the machine that something has happened, and does what it orders.
  func step(_ event: EndpointDispatcher.Event) {
    change { state in
      guard !state.isShutDown else { return }
      state.step(event, at: Instant(configuration.clock.now))
    }
  }

  /// Changes what the lock guards, and does what that leads to, in its order.
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
          self.change { $0.untold -= 1 }
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

// MARK: - What the lock guards

extension DispatcherEngine.State {
  /// Steps the machine and notes what it orders.
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
      orders.append(
        .begin(
          Start(
            operation: operation, inFlight: operation.nextCarriage(), isFrozen: true, pool: common))
      )
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
    case .tell(let request, let end):
      notify(request, end, isFrozen: isFrozen)
    case .wait, .becomePolls, .slotReleased:
      // Its admission and its state say so.
      break
    }
  }

  /// Lets a request begin that needs no connection of its endpoint, or has a slot there.
  private mutating func begin(_ operation: URLDispatcherOperation) {
    let inFlight = operation.nextCarriage()
    guard operation.kind != .exempt else {
      orders.append(.begin(Start(operation: operation, inFlight: inFlight, pool: common)))
      return
    }
    let key = operation.endpoint
    let pool = pool(of: key)
    gates[key, default: ConnectionGate()].add(
      Start(operation: operation, inFlight: inFlight, pool: pool))
    openGate(of: key)
  }

  /// The threads that hand the requests of an endpoint to the transport: its own where each has a
  /// connection of its own.
  private mutating func pool(of key: EndpointKey) -> ThreadPool {
    guard !multiplexed.contains(key) else { return common }
    if let pool = gates[key]?.pool { return pool }
    let pool =
      idlePools.take(key) ?? DispatcherEngine.pool("\(key)", threads: connections)
    gates[key, default: ConnectionGate()].pool = pool
    return pool
  }

  /// Lets those begin that may; an endpoint that has nothing to do needs no gate.
  private mutating func openGate(of key: EndpointKey) {
    let slots = ask(of: key) { $0.usage(of: $1).total }
    while let start = gates[key]?.next(of: slots) { orders.append(.begin(start)) }
    guard let gate = gates[key], gate.isIdle else { return }
    gates[key] = nil
    if let pool = gate.pool { idlePools.add(pool, of: key) }
  }

  /// The transport has nothing of a request any more: it failed to begin, or has told its end.
  mutating func letGo(of inFlight: InFlightRequest, to key: EndpointKey) {
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
    untold += 1
    orders.append(.notify(operation, .failed(error)))
  }

  private mutating func notify(_ request: RequestID, _ end: RequestEnd, isFrozen: Bool) {
    let operation = operation(request)
    operations[request] = nil
    untold += 1
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
      preconditionFailure("the machine names live requests only")
    }
    return operation
  }

  /// Whether the caller is to carry out orders until there are none.
  fileprivate mutating func takeOverOrders() -> Bool {
    guard !isCarryingOut, !orders.isEmpty else { return false }
    isCarryingOut = true
    return true
  }

  /// What there is to carry out; nil, once, where there is nothing.
  fileprivate mutating func nextOrders() -> [DispatcherEngine.Order]? {
    guard !orders.isEmpty else {
      isCarryingOut = false
      return nil
    }
    defer { orders = [] }
    return orders
  }

  /// When the clock is to call; nil where it will in time.
  fileprivate mutating func nextAlarm() -> Instant? {
    guard let due = machine.nextDeadline, due < alarm ?? .never else { return nil }
    alarm = due
    return due
  }

  /// Lets the transport go, once, when nothing will use it again.
  fileprivate mutating func shutDownIfOver() {
    guard isClosing, !isShutDown, machine.unfinishedCount == 0, untold == 0 else { return }
    isShutDown = true
    idlePools = IdlePools()
    orders.append(.shutDown(telling: waiters))
    waiters = []
  }
}

extension Instant {
  /// A time of a dispatcher's clock.
  init(_ time: Duration) {
    self = .zero + Interval(time)
  }
}

extension Interval {
  /// The interval that is next to a length of time, saturating.
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
  /// The time of an instant.
  init(_ instant: Instant) {
    self = .microseconds(instant.microseconds)
  }
}
