import HandoverBackend
import HandoverCore
import HandoverTrace

// What happens next, and of itself.
extension World {
  /// When the next thing of each kind happens of itself; `never` where there is none.
  struct Upcoming {
    var event: Instant
    var message: Instant
    var deadline: Instant

    var instant: Instant { min(event, instantBesideAgenda) }
    var instantBesideAgenda: Instant { min(message, deadline) }
  }

  mutating func upcoming() -> Upcoming {
    // A deadline that is overdue is due now; a client that does not run has none.
    Upcoming(
      event: context.agenda.nextInstant ?? .never,
      message: context.periodic.nextInstant ?? .never,
      deadline: context.device.app.runs
        ? max(context.now, min(client.deadline, chainDeadline, requests.deadline)) : .never)
  }

  /// The instant of the next thing that keeps the run from being over: what is not periodic.
  ///
  /// Where no entry will be played any more, the agenda may go past events that do nothing, which
  /// is faster; otherwise an entry may come before them, and what it schedules has to stand there.
  mutating func nextForeground(isAfterEntries: Bool = false) -> Instant? {
    var ofClient = nextForegroundDeadline()
    if context.turns != nil { ofClient = min(ofClient, nextCallback()) }
    while true {
      let next = context.agenda.nextInstant ?? .never
      let deadline = min(ofClient, nextForegroundOfRequests(before: min(ofClient, next)))
      // An event that will do nothing is taken out, but none beyond the deadline. What is periodic
      // may come before the event, and bring about what has to stand there.
      guard next <= deadline, next != .never else { return deadline == .never ? nil : deadline }
      guard let event = context.agenda.first, isStale(event) else { return next }
      if isAfterEntries, next <= upcoming().instantBesideAgenda {
        _ = context.agenda.popFirst()
      } else {
        context.agenda.dropFirst()
      }
    }
  }

  /// When somebody who runs will have waited long enough for it to matter; `never` where nobody.
  @inline(__always)
  private func nextForegroundDeadline() -> Instant {
    guard context.device.app.runs else { return .never }
    var due = chainDeadline
    if client.deadline != .never {
      var kinds: DeadlineKinds = [.calls, .attempts]
      // A ping of a healthy connection is answered in time; any other may end its connection.
      if client.nextDeadline(among: .keepalive) != nil, !pingsAreAnswered() {
        kinds.insert(.keepalive)
      }
      due = min(due, client.nextDeadline(among: kinds) ?? .never)
    }
    return due == .never ? due : max(context.now, due)
  }

  /// The same of requests; the limit where nothing matters before it.
  @inline(__always)
  private func nextForegroundOfRequests(before limit: Instant) -> Instant {
    guard hasRequests, context.device.app.runs, requests.deadline < limit else { return limit }
    return max(context.now, requests.nextForeground(before: limit, network, context))
  }

  private func pingsAreAnswered() -> Bool {
    transport?.transport.deadlines.answersPings ?? network.answersPings
  }

  // MARK: Time passes

  /// Lets time pass as far as a limit.
  mutating func advance(until limit: Instant, inclusive: Bool) {
    if context.turns != nil { return advanceInTurns(until: limit, inclusive: inclusive) }
    while mayGoOn, step(until: limit, inclusive: inclusive) {}
  }

  /// Lets time pass until nothing is left that keeps the run from being over.
  mutating func runUntilIdle(through limit: Instant) {
    while mayGoOn, let due = nextForeground(isAfterEntries: true) {
      context.steps += 1
      advance(until: min(due, limit), inclusive: true)
      guard due <= limit else {
        context.now = max(context.now, limit)
        return
      }
    }
    if hasChains { auditChains() }
  }

  /// Whether the run is within its limits, and nobody broke down.
  var mayGoOn: Bool { context.isWithinLimits && failure == nil }

  // MARK: One thing

  /// Lets the next thing happen that is due by a limit, where the order at one instant is the usual
  /// one.
  ///
  /// - Returns: whether there was anything.
  mutating func step(until limit: Instant, inclusive: Bool) -> Bool {
    let next = upcoming()
    guard inclusive ? next.instant <= limit : next.instant < limit, next.instant != .never else {
      return false
    }
    dispatch(next)
    return true
  }

  /// Lets the next thing happen: at one instant callbacks, then transports, then deadlines.
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
    if client.deadline <= context.now { deliver(.pool(.timeElapsed)) }
    if chainDeadline <= context.now { chains?.timeElapsed(at: context.now) }
    if requests.deadline <= context.now { requests.timeElapsed(&network, &context) }
    if hasChains { workChains() }
  }

  @inline(__always)
  mutating func dispatchEvent(_ next: Upcoming) {
    // A message that is due with the end of its answer comes before it.
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
      deliver(monitor.readAfresh(&context))
    case .handshake(let connection):
      hear(network.handshake(connection, &context))
    case .news(let connection, let fact):
      if network.apply(fact, to: connection, &context) { hear(fact, on: connection) }
    case .tcpTimeout(let connection):
      hear(network.tcpTimedOut(connection, &context))
    case .arrival(let connection, let fact):
      hear(network.reply(fact, on: connection, &context), on: connection)
    case .transportTurn:
      transport?.turnCame(at: context.now)
      sendToTransport(.timeElapsed)
    case .heldEvent(let event):
      deliver(.pool(event))
    case .answerBegins(let request):
      hear(network.answerBegins(request, &context))
    case .answerEnds(let call):
      let connection = network.streams[call].connection
      hear(network.answerEnds(call, &context), on: connection)
    case .answerMessage(let call):
      let connection = network.streams[call].connection
      hear(network.answerMessage(call, &context), on: connection)
    case .token(let call):
      if let id = network.streams[call].call { deliver(.pool(.tokenArrived(id))) }
    case .chainAnswer(let question):
      chainAnswer(question)
    case .heldOrders:
      releaseHeldOrders()
    case .lingerEnds(let path, let ending):
      lingerEnds(path, ending)
    case .flowsForgotten(let entry):
      forgetAgain(entry)
    case .uplinkTurns(let entry, let isUp):
      turnUplinkAgain(entry, isUp: isUp)
    case .writeArrives(let connection):
      network.writeArrives(connection, &context)
    case .factArrives(let connection):
      hear(network.factArrives(connection, &context), on: connection)
    case .idleTimeout(let connection):
      hear(network.idleTimedOut(connection, &context))
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
  private mutating func hear(_ fact: NetworkFact?, on connection: ConnectionID? = nil) {
    guard let fact else { return }
    if hasRequests { return requests.hear(fact, &network, &context) }
    let isLate = countsLateData && network.streams.isLate(fact)
    if let event = ChannelPool.Event(fact) { deliver(.pool(event)) }
    // No running call reports these bytes to the connection, whose keepalive counts them.
    if isLate, let connection { deliver(.pool(.dataReceived(connection))) }
  }

  @inline(__always)
  private mutating func deliver(_ event: ClientCore.Event?) {
    if let event { deliver(event) }
  }

  /// Whether an event will do nothing when it happens.
  @inline(__always)
  func isStale(_ event: ScheduledEvent) -> Bool {
    switch event {
    case .callback(_, let overruns):
      monitor.isLost(sentAfter: overruns)
    case .news(let connection, _):
      !network.links.isTold(connection)
    case .handshake(let connection), .tcpTimeout(let connection), .arrival(let connection, _),
      .writeArrives(let connection), .factArrives(let connection), .idleTimeout(let connection):
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
    case .freshRead, .heldEvent, .heldOrders, .transportTurn, .lingerEnds, .flowsForgotten,
      .uplinkTurns:
      false
    }
  }

  // MARK: Choices

  /// What may happen next: of one instant, of one kind each.
  struct Choices: Equatable {
    var instant: Instant
    /// The kinds of what is due, in their usual order.
    var kinds: [InstantOrder.Kind]
  }

  /// What may happen next; nil where nothing is due by a limit.
  ///
  /// Where the limit is the instant of an entry, and not included, the entry is among the choices:
  /// who takes it plays it. What is of one kind keeps its order.
  ///
  /// - Precondition: the world keeps callbacks apart, as ``Context/turns`` says.
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

  /// Lets one of the choices happen; entries are played, and not taken here.
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

  /// Lets time pass as far as a limit, in the order that the scenario has chosen.
  mutating func advanceInTurns(until limit: Instant, inclusive: Bool) {
    while mayGoOn, let choices = choices(until: limit, inclusive: inclusive),
      let kind = context.turns?.next(among: choices.kinds), kind != .entries
    {
      dispatch(kind, at: choices.instant)
    }
  }

  /// When a callback is due that is not lost; `never` where none is.
  private mutating func nextCallback() -> Instant {
    while let event = context.callbacks.first, isStale(event) { context.callbacks.dropFirst() }
    return context.callbacks.nextInstant ?? .never
  }
}
