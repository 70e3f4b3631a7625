import Dispatch
import HandoverCore
import Synchronization

/// Drives the chains of a client: handles events under a lock, and executes effects without it.
///
/// The effects keep their order even without the lock, because lines preserve every order that
/// matters. The tasks of a queue wait in the table, and each turn takes the next one. The turn that
/// took a task also delivers its responses to the user. All orders to a transport for one call come
/// from the call's transport line, which also handles the transport's events.
final class ChainRunner: Sendable {
  private struct State {
    var chains: CallChains
    var calls: [ChainID: Call] = [:]
    /// The line of each queue, indexed by queue, with the owner that it was created for.
    var lines: [(owner: QueueID, line: any ChainExecutor)?] = []
    /// The executors of the named queues.
    var places: [String: ExecutionPlace]
    /// The instant to which the timer is set or is about to be set.
    var timerInstant: Instant?
  }

  /// The runner's state of a call.
  private struct Call {
    let handler: ResponseHandler
    let isLegacy: Bool
    let userLine: any ChainExecutor
    let transportLine: any ChainExecutor
    /// Whether the call's object was destroyed.
    var isAbandoned = false
  }

  /// An action to execute without the lock.
  private enum WorkItem {
    case turn(QueueID, on: any ChainExecutor)
    case notify(ResponseHandler, ChainResponse, prefersRaw: Bool)
    case order(TransportOrder, TransportAttempt)
    case ask(String, ChainID, LinkID)
    case report(ChainEffect)
    case setTimer
    /// No action: the call's values, possibly including its own object, are released with this
    /// case.
    case letGo(Call, RemovedCall?)
  }

  private let state: Mutex<State>
  private let transport: any ChainTransport
  private let configuration: InterceptedClient.Configuration
  /// The line that sets the timer; the last work item on it knows the latest instant.
  private let timerExecutor: any ChainExecutor
  /// The timer, created on first use and accessed only on the timer's line.
  private let timer = Mutex<(any ChainTimer)?>(nil)

  init(_ transport: any ChainTransport, _ configuration: InterceptedClient.Configuration) {
    self.transport = transport
    self.configuration = configuration
    state = Mutex(
      State(chains: CallChains(configuration.chains), places: configuration.places))
    timerExecutor = configuration.place.makeSerialExecutor()
  }

  // MARK: Events

  func open(
    _ start: CallStart, _ handler: ResponseHandler, isLegacy: Bool
  ) throws(CallOpenError) -> ChainID {
    var chains = configuration.chains
    chains.global = configuration.global.factory
    var opening = try chains.prepare(start, isLegacy: isLegacy)
    opening.run()
    let opened = opening
    let call = Call(
      handler: handler, isLegacy: isLegacy, userLine: handler.place.makeSerialExecutor(),
      transportLine: configuration.place.makeSerialExecutor())
    return step { state, effects in
      let id = state.chains.open(opened, into: &effects)
      state.calls[id] = call
      return (id, id)
    }
  }

  func handle(_ request: ChainRequest, of id: ChainID) {
    let opening = step { state, effects in
      let opening = state.chains.beginLinks(of: id)
      state.chains.request(request, of: id, into: &effects)
      return (opening, id)
    }
    guard var opening else { return }
    opening.run()
    let opened = opening
    step { state, effects in
      state.chains.complete(opened, of: id, into: &effects)
      return ((), id)
    }
  }

  /// Handles an event of the transport, on the transport line of the call.
  func handle(_ event: TransportEvent, of attempt: TransportAttempt) {
    let begun = step { state, _ in
      let call = attempt.call
      return (state.chains.beginTransport(event, of: call, attempt: attempt.number), call)
    }
    finish(begun)
  }

  private func handle(_ answer: String?, to question: String, of id: ChainID, _ link: LinkID) {
    step { state, effects in
      state.chains.answer(answer, to: question, of: id, link, into: &effects)
      return ((), id)
    }
  }

  func abandon(_ id: ChainID) {
    step { state, _ in
      state.calls[id]?.isAbandoned = true
      return ((), id)
    }
  }

  /// Handles the firing of the timer.
  func timeElapsed() {
    let now = configuration.clock.now
    step { state, effects in
      state.timerInstant = nil
      state.chains.timeElapsed(at: now, into: &effects)
      return ((), nil)
    }
  }

  // MARK: Turns

  /// Runs the next task of a queue, on the queue's line.
  private func runTurn(of queue: QueueID) {
    let now = configuration.clock.now
    let (link, end) = step { state, effects in
      let call = state.chains.nextCall(on: queue)
      if case .transport = state.chains.use(of: queue) {
        return ((LinkRun?.none, state.chains.beginTransport(queue)), call)
      }
      return ((state.chains.begin(queue, at: now, into: &effects), nil), call)
    }
    finish(end)
    guard var run = link else { return }
    run.run()
    let done = run
    step { state, effects in
      state.chains.complete(done, into: &effects)
      return ((), done.chain)
    }
  }

  /// Runs the transport end of a chain, on the transport line of its call.
  private func finish(_ begun: TransportRun?) {
    guard var run = begun else { return }
    run.run()
    let done = run
    step(isOnTransportLine: true) { state, effects in
      state.chains.complete(done, into: &effects)
      return ((), done.chain)
    }
  }

  // MARK: Steps

  /// Handles an event under the lock, and executes its effects without it.
  ///
  /// - Parameters:
  ///   - isOnTransportLine: Whether the caller already runs on the transport line of the call.
  ///   - fact: Changes the state, and returns the call that the event concerns.
  /// - Returns: The result of `fact`.
  private func step<Result: Sendable>(
    isOnTransportLine: Bool = false,
    _ fact: (inout State, inout [ChainEffect]) -> (Result, ChainID?)
  ) -> Result {
    let (result, items) = state.withLock { state in
      var effects: [ChainEffect] = []
      let (result, call) = fact(&state, &effects)
      var items = effects.compactMap { item(for: $0, &state) }
      if let call { items += finish(call, &state) }
      let deadline = state.chains.nextDeadline
      if deadline != state.timerInstant {
        state.timerInstant = deadline
        items.append(.setTimer)
      }
      return (result, items)
    }
    for item in items { carryOut(item, isOnTransportLine: isOnTransportLine) }
    return result
  }

  private func item(for effect: ChainEffect, _ state: inout State) -> WorkItem? {
    switch effect {
    case .queueFilled(let queue):
      return line(of: queue, &state).map { .turn(queue, on: $0) }
    case .user(let id, let response):
      return state.calls[id].map { call in
        let prefersRaw =
          switch configuration.rawMessages {
          case .always: true
          case .withoutInterceptors: state.chains.linkNames(of: id).isEmpty
          }
        return .notify(call.handler, response, prefersRaw: prefersRaw)
      }
    case .transport(let id, let number, let order):
      return state.calls[id].map {
        .order(
          order, TransportAttempt(call: id, number: number, line: $0.transportLine, runner: self))
      }
    case .asked(let id, let link, let question):
      return .ask(question, id, link)
    case .took, .noted, .linkMade, .linkSkipped, .linkReleased, .transportMade, .finding:
      return .report(effect)
    }
  }

  /// Returns the line of a queue, or `nil` if the queue was released.
  private func line(of queue: QueueID, _ state: inout State) -> (any ChainExecutor)? {
    while state.lines.count <= queue.index { state.lines.append(nil) }
    if let known = state.lines[queue.index], known.owner == queue { return known.line }
    guard let line = makeSerialExecutor(for: queue, &state) else { return nil }
    state.lines[queue.index] = (queue, line)
    return line
  }

  private func makeSerialExecutor(for queue: QueueID, _ state: inout State) -> (any ChainExecutor)?
  {
    switch state.chains.use(of: queue) {
    case nil: return nil
    case .user(let id): return state.calls[id]?.userLine
    case .transport(let id): return state.calls[id]?.transportLine
    case .link: return configuration.place.makeSerialExecutor()
    case .concurrent(let name), .shared(let name):
      let place =
        state.places[name] ?? .dispatch(DispatchQueue(label: name, attributes: .concurrent))
      state.places[name] = place
      return place.makeSerialExecutor()
    }
  }

  /// Removes a call that has ended or was abandoned, once it has no pending work.
  private func finish(_ id: ChainID, _ state: inout State) -> [WorkItem] {
    guard let call = state.calls[id], call.isAbandoned || state.chains.hasEnded(id),
      state.chains.isSettled(id)
    else { return [] }
    let findings = state.chains.audit(id).map { WorkItem.report(.finding(id, $0)) }
    state.calls[id] = nil
    return findings + [.letGo(call, state.chains.remove(id))]
  }

  // MARK: Effects

  private func carryOut(_ item: WorkItem, isOnTransportLine: Bool) {
    switch item {
    case .turn(let queue, let line):
      line.execute { self.runTurn(of: queue) }
    case .notify(let handler, let response, let prefersRaw):
      handler.handle(response, prefersRaw: prefersRaw)
    case .order(let order, let attempt):
      // An interceptor cancels an attempt on its own line, while the start of the attempt may be in
      // progress.
      if isOnTransportLine {
        transport.carryOut(order, for: attempt)
      } else {
        attempt.line.execute { self.transport.carryOut(order, for: attempt) }
      }
    case .ask(let question, let id, let link):
      // The answer belongs to the interceptor and not to the line, so the task is unstructured.
      Task {
        let answer = await configuration.services(question)
        handle(answer, to: question, of: id, link)
      }
    case .report(let effect):
      configuration.report(effect)
    case .setTimer:
      timerExecutor.execute { self.setTimer() }
    case .letGo:
      break
    }
  }

  private func setTimer() {
    let timer =
      timer.withLock { $0 } ?? configuration.clock.makeTimer { [weak self] in self?.timeElapsed() }
    self.timer.withLock { $0 = timer }
    timer.set(state.withLock { $0.timerInstant })
  }
}
