import HandoverBackend
import HandoverCore

// The next scheduled event, and the passage of time.
extension World {
  /// The times of the next scheduled event of each kind, or `never` if there is none.
  struct Upcoming {
    var event: Instant
    var message: Instant
    var deadline: Instant

    var instant: Instant { min(event, instantOutsideAgenda) }
    var instantOutsideAgenda: Instant { min(message, deadline) }
  }

  mutating func upcoming() -> Upcoming {
    // An overdue deadline is due now. A suspended client has no deadline.
    Upcoming(
      event: context.agenda.nextInstant ?? .never,
      message: context.periodic.nextInstant ?? .never,
      deadline: context.device.app.runs
        ? max(context.now, min(client.deadline, chainDeadline)) : .never)
  }

  /// Returns the time of the next event that keeps the run from ending, which excludes periodic
  /// events.
  ///
  /// If no entry follows, the agenda may advance past events that have no effect, which is faster.
  /// Otherwise an entry may come before such an event and schedule an event in between.
  mutating func nextForeground(isAfterEntries: Bool = false) -> Instant? {
    var ofClient = nextForegroundDeadline()
    if context.turns != nil { ofClient = min(ofClient, nextCallback()) }
    while true {
      let next = context.agenda.nextInstant ?? .never
      let deadline = min(
        ofClient,
        client.nextForegroundOfRequests(before: min(ofClient, next), network, context))
      // An event without effect is removed, unless it is after the deadline. A periodic event may
      // precede the removed event and schedule an event in between.
      guard next <= deadline, next != .never else { return deadline == .never ? nil : deadline }
      guard let event = context.agenda.first, isStale(event) else { return next }
      if isAfterEntries, next <= upcoming().instantOutsideAgenda {
        _ = context.agenda.popFirst()
      } else {
        context.agenda.dropFirst()
      }
    }
  }

  /// Returns the next deadline of a running client or chain that matters, or `never` if there is
  /// none.
  private func nextForegroundDeadline() -> Instant {
    guard context.device.app.runs else { return .never }
    var due = chainDeadline
    if client.calls.deadline != .never {
      var kinds: DeadlineKinds = [.calls, .attempts]
      // A healthy connection answers its ping in time. Any other ping may end its connection.
      if client.calls.nextDeadline(among: .keepalive) != nil, !pingsAreAnswered() {
        kinds.insert(.keepalive)
      }
      due = min(due, client.calls.nextDeadline(among: kinds) ?? .never)
    }
    return due == .never ? due : max(context.now, due)
  }

  private func pingsAreAnswered() -> Bool {
    transport?.transport.deadlines.answersPings ?? network.answersPings
  }

  // MARK: Passage of time

  /// Runs all events up to a limit.
  mutating func advance(until limit: Instant, inclusive: Bool) {
    if context.turns != nil { return advanceInTurns(until: limit, inclusive: inclusive) }
    while canContinue, step(until: limit, inclusive: inclusive) {}
  }

  /// Runs all events until none is left that keeps the run from ending.
  mutating func runUntilIdle(through limit: Instant) {
    while canContinue, let due = nextForeground(isAfterEntries: true) {
      context.steps += 1
      advance(until: min(due, limit), inclusive: true)
      guard due <= limit else {
        context.now = max(context.now, limit)
        return
      }
    }
    if hasChains { auditChains() }
  }

  /// Whether the run is within its limits and has no internal error.
  var canContinue: Bool { context.isWithinLimits && failure == nil }

  // MARK: Single events

  /// Runs the next event that is due by a limit, in the usual order within an instant.
  ///
  /// - Returns: whether there was an event.
  mutating func step(until limit: Instant, inclusive: Bool) -> Bool {
    let next = upcoming()
    guard inclusive ? next.instant <= limit : next.instant < limit, next.instant != .never else {
      return false
    }
    dispatch(next)
    return true
  }

  /// Runs the next event.
  ///
  /// Within an instant, callbacks come first, then transports, then deadlines.
  mutating func dispatch(_ next: Upcoming) {
    context.steps += 1
    if hasChains, next.instant > context.now { settleCalls() }
    guard min(next.event, next.message) <= next.deadline else {
      return fireDeadlines(at: next.deadline)
    }
    dispatchEvent(next)
  }

  mutating func fireDeadlines(at instant: Instant) {
    context.now = instant
    if client.calls.deadline <= context.now { deliver(.pool(.timeElapsed)) }
    if chainDeadline <= context.now { chains?.timeElapsed(at: context.now) }
    client.handle(.timeElapsed, &network, &context)
    if hasChains { workChains() }
  }

  @inline(__always)
  mutating func dispatchEvent(_ next: Upcoming) {
    // A message that is due together with the end of its response comes first.
    let messageIsFirst =
      next.message < next.event
      || (next.message == next.event && context.agenda.firstPhase == .transport)
    context.now = max(context.now, min(next.event, next.message))
    let event = messageIsFirst ? context.periodic.popFirst() : context.agenda.popFirst()
    if let event { dispatch(event) }
    if hasChains { workChains() }
  }

  mutating func dispatch(_ event: ScheduledEvent) {
    switch event {
    case .callback(let flags, let overruns):
      deliver(monitor.callbackArrives(flags, sentAfter: overruns, &context))
    case .freshRead:
      deliver(monitor.readAgain(&context))
    case .nameAnswer(let connection):
      network.nameIsAnswered(connection, &context)
    case .handshake(let connection):
      receive(network.handshake(connection, &context))
    case .news(let connection, let fact):
      if network.apply(fact, to: connection, &context) { receive(fact, on: connection) }
    case .tcpTimeout(let connection):
      receive(network.tcpTimedOut(connection, &context))
    case .arrival(let connection, let fact):
      receive(network.reply(fact, on: connection, &context), on: connection)
    case .transportTurn:
      transport?.turnArrived(at: context.now)
      sendToTransport(.timeElapsed)
    case .heldEvent(let event):
      deliver(.pool(event))
    case .answerBegins(let request):
      receive(network.answerBegins(request, &context))
    case .answerEnds(let call):
      let connection = network.streams[call].connection
      receive(network.answerEnds(call, &context), on: connection)
    case .answerMessage(let call):
      let connection = network.streams[call].connection
      receive(network.answerMessage(call, &context), on: connection)
    case .token(let call):
      if let id = network.streams[call].call { deliver(.pool(.tokenArrived(id))) }
    case .chainAnswer(let question):
      chainAnswer(question)
    case .heldOrders:
      releaseHeldOrders()
    case .networkChange(let change):
      perform(change)
    case .writeArrives(let connection):
      network.writeArrives(connection, &context)
    case .factArrives(let connection):
      receive(network.factArrives(connection, &context), on: connection)
    case .idleTimeout(let connection):
      receive(network.idleTimedOut(connection, &context))
    case .challengeArrives(let connection, let number):
      network.challengeArrives(connection, number, &context)
    case .responseArrives(let connection, let number):
      network.responseArrives(connection, number, &context)
    case .validationTimer(let connection, let number):
      network.validationTimer(connection, number, &context)
    case .addressAnswers(let connection, let number):
      network.addressAnswers(connection, number, &context)
    }
  }

  @inline(__always)
  private mutating func receive(_ fact: NetworkFact?, on connection: ConnectionID? = nil) {
    guard let fact else { return }
    let isLate = countsLateData && network.streams.isLate(fact)
    if let event = client.event(for: fact, &network, &context) { deliver(.pool(event)) }
    // No running call reports these bytes to the connection, but its keepalive counts them.
    if isLate, let connection { deliver(.pool(.dataReceived(connection))) }
  }

  @inline(__always)
  private mutating func deliver(_ event: ClientCore.Event?) {
    if let event { deliver(event) }
  }

  /// Returns whether an event will have no effect.
  @inline(__always)
  func isStale(_ event: ScheduledEvent) -> Bool {
    switch event {
    case .callback(_, let overruns):
      monitor.isLost(sentAfter: overruns)
    case .news(let connection, _):
      !network.links.isReported(connection)
    case .nameAnswer(let connection), .handshake(let connection), .tcpTimeout(let connection),
      .arrival(let connection, _), .writeArrives(let connection), .factArrives(let connection),
      .idleTimeout(let connection):
      !network.links.isAlive(connection)
    case .challengeArrives(let connection, let number),
      .responseArrives(let connection, let number), .validationTimer(let connection, let number):
      !network.awaits(number, on: connection)
    case .addressAnswers(let connection, let number):
      !network.awaitsAddress(number, on: connection)
    case .answerBegins(let call), .answerEnds(let call), .answerMessage(let call):
      !network.streams.isAnswering(call, network.links)
    case .token(let call):
      network.streams[call].callHasEnded
    case .chainAnswer(let question):
      chains?.isStale(question) ?? true
    case .freshRead, .heldEvent, .heldOrders, .transportTurn, .networkChange:
      false
    }
  }

  // MARK: Choices

  /// The events that may happen next: all at one instant, one per kind.
  struct Choices: Equatable {
    var instant: Instant
    /// The kinds of the due events, in their usual order.
    var kinds: [InstantOrder.Kind]
  }

  /// Returns the events that may happen next, or `nil` if no event is due by the limit.
  ///
  /// If the limit is the instant of an entry and excluded, the entry is one of the choices; a
  /// caller that selects it runs it. Events of the same kind keep their order.
  ///
  /// - Precondition: callbacks are on a separate agenda, as ``Context/turns`` requires.
  mutating func choices(until limit: Instant, inclusive: Bool) -> Choices? {
    let next = upcoming()
    let callback = context.callbacks.nextInstant ?? .never
    let transport = min(next.event, next.message)
    let instant = min(callback, transport, next.deadline)
    guard instant <= limit, instant != .never else { return nil }
    var choices = Choices(instant: instant, kinds: [])
    if instant == limit, !inclusive { choices.kinds.append(.entries) }
    if callback == instant { choices.kinds.append(.callbacks) }
    if transport == instant { choices.kinds.append(.transport) }
    if next.deadline == instant { choices.kinds.append(.deadlines) }
    return choices
  }

  /// Runs one of the choices.
  ///
  /// The caller runs entries itself.
  mutating func dispatch(_ kind: InstantOrder.Kind, at instant: Instant) {
    context.steps += 1
    if hasChains, instant > context.now { settleCalls() }
    switch kind {
    case .entries: break
    case .deadlines: fireDeadlines(at: instant)
    case .transport: dispatchEvent(upcoming())
    case .callbacks:
      context.now = max(context.now, instant)
      if let event = context.callbacks.popFirst() { dispatch(event) }
      if hasChains { workChains() }
    }
  }

  /// Runs all events up to a limit, in the order that the scenario selects.
  mutating func advanceInTurns(until limit: Instant, inclusive: Bool) {
    while canContinue, let choices = choices(until: limit, inclusive: inclusive),
      let kind = context.turns?.next(among: choices.kinds), kind != .entries
    {
      dispatch(kind, at: choices.instant)
    }
  }

  /// Returns the time of the next callback that is not lost, or `never` if there is none.
  private mutating func nextCallback() -> Instant {
    while let event = context.callbacks.first, isStale(event) { context.callbacks.dropFirst() }
    return context.callbacks.nextInstant ?? .never
  }
}
