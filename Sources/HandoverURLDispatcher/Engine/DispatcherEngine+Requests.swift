import Dispatch
import Foundation
import HandoverDispatcher
import HandoverMachines
import HandoverThreadPool
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request as its caller brings it.
struct Arrival {
  var request: URLRequest
  var kind: RequestKind
  var options: URLDispatcher.Options
  var delegate: any URLDispatcherDelegate
  /// What the thread waits at that gathers the response; nil where a delegate is told of it.
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

// MARK: - What callers do

extension DispatcherEngine {
  /// Admits a request or not, in one step (U23).
  ///
  /// - Returns: the operation; with the policy to fail it may have failed already.
  func dispatch(_ arrival: Arrival) throws(URLDispatcherError) -> URLDispatcherOperation {
    let key = try Self.key(of: arrival.request)
    if let poll = arrival.options.poll, try Self.key(of: poll) != key {
      throw URLDispatcherError(
        .invalidRequest, of: key, "its polls would go to another endpoint than it is charged to")
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

  /// What would become of a request if it arrived now (U19).
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

  var numbers: URLDispatcherNumbers {
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

  /// An endpoint takes so many requests on one connection; nil for one each.
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

  /// Cancels every request; none starts because another is gone.
  func cancelAll() {
    change { state in
      let now = Instant(configuration.clock.now)
      // What waits or is frozen goes first, or it would start in the place of what runs.
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

  /// Waits until the dispatcher is closed and every delegate has been told.
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
        .invalidRequest, "\(url.absoluteString) has no host, or no port can be told")
    }
    return key
  }
}

extension DispatcherEngine.State {
  /// The endpoint of a key, which the machine knows from now on.
  mutating func register(_ key: EndpointKey) -> EndpointID {
    if let known = endpoints[key] { return known }
    let endpoint = machine.register(key)
    endpoints[key] = endpoint
    return endpoint
  }

  /// Asks for something of an endpoint, which changes nothing: of one that the machine does not
  /// know, a new machine with the same settings is asked.
  func ask<Answer>(
    of key: EndpointKey, _ question: (EndpointDispatcher, EndpointID) -> Answer
  ) -> Answer {
    if let known = endpoints[key] { return question(machine, known) }
    var empty = EndpointDispatcher(settings)
    let endpoint = empty.register(key)
    return question(empty, endpoint)
  }

  /// What would become of a request, by the rule by which it is admitted.
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

// MARK: - What the transport tells

extension DispatcherEngine {
  /// Hands a request to the transport.
  func begin(_ start: Start) {
    let (operation, inFlight) = (start.operation, start.inFlight)
    guard let id = operation.id else { return }
    let request = operation.sent
    let timeout = request.timeoutInterval
    do {
      let isBegun = try inFlight.begin {
        try transport.begin(
          request, as: operation.kind,
          timeout: start.isFrozen && timeout > 0 ? .seconds(timeout) : nil
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
    // An earlier poll has nothing more to say.
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

extension RequestSettings {
  /// What the machine has to know of a request, whose time-out is that of what is sent.
  fileprivate init(_ arrival: Arrival, _ sent: URLRequest, at now: Instant) {
    let timeout = sent.timeoutInterval
    self.init(
      arrival.kind, timeout: timeout > 0 ? Interval(.seconds(min(timeout, 1e9))) : .zero,
      deadline: arrival.options.deadline.map { now + Interval($0) } ?? .never,
      policy: arrival.options.policy)
  }
}
