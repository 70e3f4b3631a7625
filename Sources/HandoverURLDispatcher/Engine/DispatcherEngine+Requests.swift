import Dispatch
import Foundation
import HandoverCore
import HandoverThreadPool
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The arguments of a dispatch call.
struct Arrival {
  var request: URLRequest
  var kind: RequestKind
  var options: URLDispatcher.Options
  var delegate: any URLDispatcherDelegate
  /// The semaphore on which a blocked caller waits, or `nil` if callbacks run on a pool.
  var caller: DispatchSemaphore?

  init(
    _ request: URLRequest, _ kind: RequestKind, _ options: URLDispatcher.Options,
    _ delegate: any URLDispatcherDelegate, caller: DispatchSemaphore? = nil
  ) {
    self.request = request
    self.kind = kind
    self.options = options
    self.delegate = delegate
    self.caller = caller
  }
}

// MARK: - Calls of the application

extension DispatcherEngine {
  /// Admits or refuses a request in one atomic step (U23).
  ///
  /// - Returns: The operation, which may already have failed under the policy `fail`.
  func dispatch(_ arrival: Arrival) throws(URLDispatcherError) -> URLDispatcherOperation {
    let key = try Self.key(of: arrival.request)
    if let poll = arrival.options.poll, try Self.key(of: poll) != key {
      throw URLDispatcherError(
        .invalidRequest, of: key, "its polls go to a different endpoint than the stream itself")
    }
    let operation = change { state in
      let admission = state.prediction(for: arrival.kind, on: key, policy: arrival.options.policy)
      let operation = URLDispatcherOperation(
        arrival, key, queue: SerialQueue(arrival.caller.map { .caller($0) } ?? .pool(callbackPool)),
        engine: self)
      guard !state.isClosing else {
        state.numbers.refused += 1
        operation.refuse(URLDispatcherError(refusal: .closed, key))
        return operation
      }
      let endpoint = state.register(key)
      let now = Instant(configuration.clock.now)
      let request = state.machine.nextRequestID
      operation.admit(as: request, admission)
      state.operations[request] = operation
      state.step(
        .requestArrived(request, endpoint, RequestSettings(arrival, operation.sent, at: now)),
        at: now)
      return operation
    }
    if let refusal = operation.refusal { throw refusal }
    return operation
  }

  /// Returns what would happen to a request if it arrived now (U19).
  func prediction(
    for kind: RequestKind, on key: EndpointKey, policy: LongLimitPolicy?
  ) -> URLDispatcherAdmission {
    state.withLock { $0.prediction(for: kind, on: key, policy: policy) }
  }

  func usage(of key: EndpointKey) -> EndpointUsage {
    state.withLock { $0.ask(of: key) { $0.usage(of: $1) } }
  }

  func state(of request: RequestID) -> URLDispatcherOperation.State {
    state.withLock { state in
      switch state.machine.phase(of: request) {
      case .waiting: .waiting(position: Int(state.machine.position(of: request) ?? 0))
      case .running, .exempt: .running
      case .frozen: .frozen
      case .resting: .resting
      case .ended, .free, nil: .ended
      }
    }
  }

  var numbers: URLDispatcherStatistics {
    state.withLock { state in
      var numbers = state.numbers
      numbers.unfinished = state.machine.unfinishedCount
      return numbers
    }
  }

  /// Changes the long limit (U10).
  func setLongLimit(_ long: UInt32) throws(ConnectionLimitsError) {
    let limits = try configuration.limits.settingLong(long)
    change { state in
      state.settings.limits = limits
      state.step(.limitsChanged(limits), at: Instant(configuration.clock.now))
    }
  }

  /// Sets the number of streams on the connection of an endpoint; `nil` means one request per
  /// connection.
  func setStreams(_ streams: UInt32?, for key: EndpointKey) {
    change { state in
      guard streams != nil || state.multiplexed.contains(key) else { return }
      let endpoint = state.register(key)
      let now = Instant(configuration.clock.now)
      if let streams {
        state.multiplexed.insert(key)
        state.step(.streamBudgetAnnounced(endpoint, streams: streams), at: now)
      } else {
        state.multiplexed.remove(key)
        state.step(.streamBudgetWithdrawn(endpoint), at: now)
      }
    }
  }

  func delegateThrew() { state.withLock { $0.numbers.delegateErrors += 1 } }

  /// Cancels every request without starting any waiting one.
  func cancelAll() {
    change { state in
      let now = Instant(configuration.clock.now)
      // Waiting and frozen requests are canceled first, because a canceled running request would
      // start them.
      let requests = state.operations.keys.sorted { $0.index < $1.index }
      let waiting = requests.filter {
        [.waiting, .frozen].contains(state.machine.phase(of: $0))
      }
      for request in waiting + requests { state.step(.cancelled(request), at: now) }
    }
  }

  func close(_ manner: URLDispatcher.Closing) {
    change { state in
      state.isClosing = true
      if manner == .immediate { state.step(.closed, at: Instant(configuration.clock.now)) }
    }
  }

  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Waits until the dispatcher is closed and every delegate has been notified.
  func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isShutDown { state.waiters.append(continuation) }
        return state.isShutDown
      }
      if isOver { continuation.resume() }
    }
  }

  static func key(of request: URLRequest) throws(URLDispatcherError) -> EndpointKey {
    guard let url = request.url else {
      throw URLDispatcherError(.invalidRequest, "the request has no URL")
    }
    return try key(of: url)
  }

  static func key(of url: URL) throws(URLDispatcherError) -> EndpointKey {
    guard let key = EndpointKey(url: url.absoluteString) else {
      throw URLDispatcherError(
        .invalidRequest, "\(url.absoluteString) has no host, or its port is unknown")
    }
    return key
  }
}

extension DispatcherEngine.State {
  /// Returns the endpoint of a key, and registers it with the state machine if necessary.
  mutating func register(_ key: EndpointKey) -> EndpointID {
    if let known = endpoints[key] { return known }
    let endpoint = machine.register(key)
    endpoints[key] = endpoint
    return endpoint
  }

  /// Queries an endpoint without changing the state.
  ///
  /// For an endpoint that is not registered yet, the query goes to a new state machine with the
  /// same settings.
  func ask<Answer>(
    of key: EndpointKey, _ question: (EndpointDispatcher, EndpointID) -> Answer
  ) -> Answer {
    if let known = endpoints[key] { return question(machine, known) }
    var empty = EndpointDispatcher(settings)
    let endpoint = empty.register(key)
    return question(empty, endpoint)
  }

  /// Returns what would happen to a request, by the rule that also decides its admission.
  func prediction(
    for kind: RequestKind, on key: EndpointKey, policy: LongLimitPolicy?
  ) -> URLDispatcherAdmission {
    if isClosing { return .refused(URLDispatcherError(refusal: .closed, key)) }
    switch ask(of: key, { $0.prediction(for: kind, on: $1, policy: policy) }) {
    case .startsNow: return .startsNow
    case .waits(let position):
      return .waits(position: Int(position), holders: holders(of: key))
    case .refused(let refusal): return .refused(URLDispatcherError(refusal: refusal, key))
    case .freezes: return .freezes(holders: holders(of: key))
    case .polls(let position):
      return .polls(position: Int(position), holders: holders(of: key))
    }
  }

  private func holders(of key: EndpointKey) -> [URLDispatcherHolder] {
    ask(of: key) { $0.holders(of: $1) }.compactMap { operations[$0] }.map {
      URLDispatcherHolder(request: $0.request, kind: $0.kind)
    }
  }
}

// MARK: - Events of the transport

extension DispatcherEngine {
  /// Passes a request to the transport.
  func begin(_ start: Start) {
    let (operation, inFlight) = (start.operation, start.inFlight)
    guard let id = operation.id else { return letGo(of: inFlight, operation) }
    let request = operation.sent
    do {
      let isBegun = try inFlight.begin {
        try transport.begin(
          request, as: operation.kind,
          timeout: start.isFrozen ? request.limitedTimeout.map { .seconds($0) } : nil
        ) { self.received($0, of: operation, id, by: inFlight) }
      }
      if !isBegun { letGo(of: inFlight, operation) }
    } catch {
      letGo(of: inFlight, operation)
      operation.note(cause: error)
      step(.notStarted(id))
    }
  }

  private func letGo(of inFlight: InFlightRequest, _ operation: URLDispatcherOperation) {
    change { $0.letGo(of: inFlight, to: operation.endpoint) }
  }

  private func received(
    _ event: HTTPTransportEvent, of operation: URLDispatcherOperation, _ id: RequestID,
    by inFlight: InFlightRequest
  ) {
    switch event {
    case .finished, .failed: letGo(of: inFlight, operation)
    case .response, .data, .challenge: break
    }
    // Ignore further events of an earlier poll.
    guard operation.inFlight === inFlight else { return }
    switch event {
    case .response(let response):
      step(.responded(id))
      operation.queue.add(.step { operation.notify(.response(response)) })
    case .data(let data):
      operation.queue.add(.step { operation.notify(.data(data)) })
    case .challenge(let challenge, let answer):
      guard let ask = operation.options.answer else { return answer(.performDefault) }
      Task { answer(await ask(challenge)) }
    case .finished where operation.isPolling:
      operation.queue.add(.step { operation.notify(.answered) })
      step(.pollAnswered(id))
    case .finished:
      step(.finished(id))
    case .failed(let code, let cause):
      operation.note(cause: cause)
      step(.failed(id, code: code))
    }
  }
}

extension URLRequest {
  /// The timeout in seconds, or `nil` if the request has none.
  ///
  /// At most 1e9, because an infinite number of seconds has no `Duration`.
  fileprivate var limitedTimeout: Double? {
    timeoutInterval > 0 ? min(timeoutInterval, 1e9) : nil
  }
}

extension RequestSettings {
  /// Creates the settings for the state machine, with the timeout of the request that is actually
  /// sent.
  fileprivate init(_ arrival: Arrival, _ sent: URLRequest, at now: Instant) {
    self.init(
      arrival.kind, timeout: sent.limitedTimeout.map { Interval(.seconds($0)) } ?? .zero,
      deadline: arrival.options.deadline.map { now + Interval($0) } ?? .never,
      policy: arrival.options.policy)
  }
}
