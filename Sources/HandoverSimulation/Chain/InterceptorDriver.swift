import HandoverCore
import HandoverInterceptors

/// The chains of a run's calls, and the messages in transit between them, their users and the
/// client.
///
/// Functions that run at every step are `mutating` even if they change nothing. A nonmutating
/// function would receive a copy, which costs more than a hop.
struct InterceptorDriver {
  /// The chains.
  ///
  /// They are recreated for each run, so that no interceptor keeps state from an earlier run.
  var chains: CallChains
  /// The factories of the calls' own interceptors.
  ///
  /// State that their interceptors share lasts for the run.
  let factories: [any InterceptorFactory]
  /// Whether interceptors share state by reference, in which case a copy is not independent.
  let sharesState: Bool
  /// Maps calls of the pool to the attempts that they carry.
  var attempts = ChainAttempts()
  /// The effects that the chains returned; `carriedOut` of them have been carried out.
  var effects: [ChainEffect] = []
  private var carriedOut = 0
  /// The reports of attempts that no chain has received yet.
  private var reports = WaitingLine<Report>()
  /// The questions in transit to the world, by the indices that the agenda holds.
  var questions: [Question] = []
  /// The answers that arrived while the application was suspended.
  var heldAnswers: [UInt32] = []
  /// The orders that were given to the client while the application was suspended.
  private var heldOrders = HeldOrders()
  /// The calls whose interceptors' unmet obligations were already reported.
  private var callsWithReportedObligations: Set<Int> = []  // lookup only
  private var turns: QueueTurns
  private(set) var table: ChainTable
  /// The calls that were created and not yet started.
  var unstarted: [Int] = []
  /// The calls whose users have received the end and that are not yet forgotten.
  private var ended: [Int] = []

  /// An event that an attempt reports to its chain.
  struct Report {
    var attempt: ChainAttempts.Attempt
    var event: TransportEvent
  }

  /// A question of an interceptor, and the answer that it will receive.
  struct Question {
    var chain: ChainID
    var link: LinkID
    var text: String
    var answer: String?
    var isAnswered = false
  }

  /// An order of a chain, and the time at which it was given.
  struct GivenOrder {
    var order: TransportOrder
    var chain: ChainID
    var call: UInt32
    var attempt: UInt32
    var at: Instant
  }

  init(_ script: Script) {
    var configuration = CallChains.Configuration()
    configuration.creation = script.configuration.chain.isEager ? .eager : .lazy
    let scripted = ScriptedChain(script)
    factories = scripted.factories
    sharesState =
      factories.contains(where: \.sharesState) || scripted.global?.sharesState ?? false
    configuration.cancel = script.configuration.chain.closesOnCancel ? .close : .forward
    configuration.global = scripted.global
    configuration.reportsSteps = true
    chains = CallChains(configuration)
    table = ChainTable(
      calls: script.calls.count, links: script.configuration.chain.links.map(\.name))
    turns = QueueTurns(script.configuration)
    if script.configuration.chain.isShuffled { chains.noteEmptiedQueues() }
  }

  // MARK: The users of calls

  /// Creates a call for a user without starting it.
  mutating func make(_ call: Int, of script: Script) {
    let start = CallStart(of: script.calls[call], in: script, through: factories)
    guard let id = try? chains.open(start, into: &effects) else { return }
    table.began(id, call: call)
    unstarted.append(call)
  }

  /// Starts a call for a user, and sends its chain everything that this kind of call sends at its
  /// start.
  ///
  /// If the call was not created earlier, its chain is opened first.
  mutating func start(_ call: Int, of script: Script) {
    unstarted.removeAll { $0 == call }
    let start = CallStart(of: script.calls[call], in: script, through: factories)
    if table.ids[call] == nil, let id = try? chains.open(start, into: &effects) {
      table.began(id, call: call)
    }
    guard let id = table.ids[call] else { return }
    chains.request(.start(start), of: id, into: &effects)
    guard script.calls[call].kind.requestIsCompleteAtStart else { return }
    // With a marshaller, which converts values to bytes, the request is a value.
    let isValue = script.calls[call].marshaller != nil
    let request: Message = isValue ? .value(TextMessage("request")) : Message("request")
    chains.request(.write(request), of: id, into: &effects)
    chains.request(.finish, of: id, into: &effects)
  }

  /// Records what the user of a call receives.
  private static func record(
    _ response: ChainResponse, of call: UInt32, in trace: inout Trace, at now: Instant
  ) {
    func receive(_ step: ChainStep, _ text: String) {
      trace.append(.chain(.received(call: call, step, text: trace.store(text))), at: now)
    }
    switch response {
    case .initialMetadata(let metadata): receive(.metadata, metadata.map(\.text) ?? "")
    case .message(let message): receive(.message, message.text)
    case .rawMessage(let bytes): receive(.rawMessage, Message.bytes(bytes).text)
    case .writeDone: receive(.writeDone, "")
    case .close(let close):
      for entry in close.trailers?.entries ?? [] {
        trace.append(.chain(.trailer(call: call, text: trace.store(entry.text))), at: now)
      }
      let end = CallEnd(close.status.code, StatusText(nearest: close.status.message))
      trace.append(.chain(.closed(call: call, end)), at: now)
    }
  }

  // MARK: Messages in transit

  /// Queues an event that the client reported for a call.
  ///
  /// The chain receives it after the client's step.
  mutating func report(_ call: CallID, _ event: TransportEvent) {
    guard let attempt = attempts.attempt(carriedBy: call) else { return }
    reports.append(Report(attempt: attempt, event: event))
    if case .ended = event { attempts.end(call) }
  }

  /// Queues an event about an attempt that does not involve the client.
  mutating func report(_ attempt: UInt32, of chain: ChainID, _ event: TransportEvent) {
    reports.append(
      Report(attempt: ChainAttempts.Attempt(chain: chain, number: attempt), event: event))
  }

  /// Holds an order until the application runs again.
  mutating func hold(_ given: GivenOrder) { heldOrders.append(given) }

  /// Returns whether any held order will be carried out.
  mutating func holdsOrders() -> Bool { !heldOrders.isEmpty }

  /// Removes and returns the held orders that will be carried out.
  mutating func takeHeldOrders() -> [GivenOrder] { heldOrders.takeAll() }

  mutating func nextReport() -> Report? {
    reports.popFirst()
  }

  mutating func receive(_ report: Report) {
    chains.transport(
      report.event, of: report.attempt.chain, attempt: report.attempt.number, into: &effects)
  }

  /// Records the chains' effects in the trace, up to the next one that needs the rest of the run.
  ///
  /// Returns `nil` if no such effect is left.
  mutating func nextIntent(into trace: inout Trace, at now: Instant) -> ChainIntent? {
    while carriedOut < effects.count {
      carriedOut += 1
      if let wish = handle(effects[carriedOut - 1], into: &trace, at: now) { return wish }
    }
    effects.removeAll(keepingCapacity: true)
    carriedOut = 0
    return nil
  }

  private mutating func handle(
    _ effect: ChainEffect, into trace: inout Trace, at now: Instant
  ) -> ChainIntent? {
    switch effect {
    case .queueFilled(let queue):
      turns.append(queue)
    case .took(let id, let link, let step):
      trace.append(
        .chain(.took(call: table.call(of: id), link: table.position(of: link, in: id), step)),
        at: now)
    case .user(let id, let response):
      if case .close = response { ended.append(Int(table.call(of: id))) }
      Self.record(response, of: table.call(of: id), in: &trace, at: now)
    case .transport(let id, let attempt, let order):
      return .order(order, of: id, call: table.call(of: id), attempt: attempt)
    case .asked(let id, let link, let question):
      return .ask(question, id, link)
    case .noted(let id, let name, let note):
      let text = trace.store(note.text)
      trace.append(
        .chain(.noted(call: table.call(of: id), link: table.position(named: name), text: text)),
        at: now)
    case .linkMade(let id, let link, let name):
      table.learn(name, of: link, in: id)
      trace.append(
        .chain(.linkMade(call: table.call(of: id), link: table.position(named: name))), at: now)
    case .linkSkipped(let id, let name):
      trace.append(
        .chain(.linkSkipped(call: table.call(of: id), link: table.position(named: name))), at: now)
    case .linkReleased(let id, let link):
      trace.append(
        .chain(.linkLeft(call: table.call(of: id), link: table.position(of: link, in: id))), at: now
      )
    case .transportMade:
      break
    case .finding(let id, let finding):
      trace.append(.chain(fact(finding, of: table.call(of: id))), at: now)
    }
    return nil
  }

  /// Converts a finding to a fact for the trace.
  private func fact(_ finding: ChainFinding, of call: UInt32) -> ChainFact {
    .broke(call: call, link: table.position(named: finding.link), finding.kind)
  }

  /// Returns the queue that runs next, or `nil` if no queue has a task.
  mutating func drawQueue() -> QueueID? { turns.next(of: &chains) }

  /// Runs a task of a queue.
  ///
  /// If queues run in task order and no other queue waits, an event passes through all interceptors
  /// that only forward it.
  mutating func run(_ queue: QueueID, at now: Instant) {
    if turns.letThrough {
      chains.runThrough(queue, at: now, into: &effects)
    } else {
      chains.run(queue, at: now, into: &effects)
      turns.noteTurn(of: queue, in: chains)
    }
  }

  mutating func request(_ request: ChainRequest, of id: ChainID) {
    chains.request(request, of: id, into: &effects)
  }

  /// Sends a command to an interceptor of the kind `gate`.
  ///
  /// Does nothing if the interceptor is not there.
  mutating func command(_ command: String, named name: String, of id: ChainID) {
    guard let link = chains.link(named: name, in: id) else { return }
    chains.answer(command, to: GateInterceptor.question, of: id, link, into: &effects)
  }

  /// Sends an interceptor's question to the world.
  ///
  /// A question for a token is answered when the token is ready.
  mutating func ask(_ question: String, _ id: ChainID, _ link: LinkID, _ context: inout Context) {
    let name = chains.name(of: link, in: id)
    let kind = context.configuration.chain.links.first { $0.name == name }?.kind
    guard case .token(let token, let takes, let expires) = kind else { return }
    let answer = token.map { token in
      expires.map { "\(token);expires=\($0.microseconds / 1_000_000)s" } ?? token
    }
    let index = UInt32(truncatingIfNeeded: questions.count)
    questions.append(Question(chain: id, link: link, text: question, answer: answer))
    context.schedule(.chainAnswer(index), after: takes)
  }

  mutating func answer(_ position: UInt32) {
    questions[Int(position)].isAnswered = true
    let question = questions[Int(position)]
    chains.answer(
      question.answer, to: question.text, of: question.chain, question.link, into: &effects)
  }

  /// Answers all open questions with `nil`, because the client was closed.
  mutating func answerNothingMore() {
    for question in questions where !question.isAnswered {
      chains.answer(nil, to: question.text, of: question.chain, question.link, into: &effects)
    }
  }

  mutating func timeElapsed(at now: Instant) {
    chains.timeElapsed(at: now, into: &effects)
  }

  /// Returns the next deadline of an interceptor, or `never` if none waits.
  mutating func nextDeadline() -> Instant { chains.nextDeadline ?? .never }

  /// Forgets the calls whose users have received the end and whose interceptors are done, and
  /// reports unmet obligations once.
  ///
  /// Call this when the instant is over, because interceptors may meet their obligations until
  /// then.
  mutating func settleCalls(into trace: inout Trace, at now: Instant) {
    guard !ended.isEmpty else { return }
    let ended = ended.sorted()
    self.ended.removeAll(keepingCapacity: true)
    for call in ended {
      guard let id = table.ids[call], chains.hasEnded(id) else { continue }
      guard chains.isSettled(id) else {
        self.ended.append(call)
        continue
      }
      reportPending(of: call, id, into: &trace, at: now)
      chains.remove(id)
      table.forget(call)
    }
  }

  /// Reports all unmet obligations.
  ///
  /// No more events are due, so they will never be met.
  mutating func audit(into trace: inout Trace, at now: Instant) {
    settleCalls(into: &trace, at: now)
    for call in table.ids.indices {
      if let id = table.ids[call], chains.isSettled(id) {
        reportPending(of: call, id, into: &trace, at: now)
      }
    }
  }

  /// Reports the unmet obligations of a call's interceptors once.
  private mutating func reportPending(
    of call: Int, _ id: ChainID, into trace: inout Trace, at now: Instant
  ) {
    let findings = chains.audit(id)
    guard !findings.isEmpty, callsWithReportedObligations.insert(call).inserted else { return }
    for finding in findings {
      trace.append(.chain(fact(finding, of: UInt32(truncatingIfNeeded: call))), at: now)
    }
  }

  /// Removes calls that their users never started.
  ///
  /// This produces no event.
  mutating func forgetUnstarted() {
    for call in unstarted {
      if let id = table.ids[call] { chains.remove(id) }
      table.forget(call)
    }
    unstarted = []
  }

  /// Cancels every call that has not ended, on behalf of its user.
  mutating func cancelAll() {
    for id in table.ids.compactMap(\.self) { request(.cancel, of: id) }
  }

  /// Returns whether the interceptor that waited for the answer has left its chain.
  func isStale(_ position: UInt32) -> Bool {
    let question = questions[Int(position)]
    return chains.name(of: question.link, in: question.chain) == nil
  }
}

/// A request of a chain to the rest of the run.
enum ChainIntent {
  /// The client must carry out an order for an attempt of a call.
  case order(TransportOrder, of: ChainID, call: UInt32, attempt: UInt32)
  /// An interceptor asks a question.
  case ask(String, ChainID, LinkID)
}

extension CallStart {
  /// Creates the start of a call from its description in the script.
  fileprivate init(
    of wanted: ScriptCall, in script: Script, through factories: [any InterceptorFactory]
  ) {
    var options = CallOptions()
    options.metadata = Metadata(wanted.metadata.map { Metadata.Entry($0.key, $0.value) })
    options.flowControl = wanted.hasFlowControl
    options.timeout = wanted.deadline
    options.failsFast = wanted.failFast
    options.channel = wanted.options
    options.marshaller = wanted.marshaller.map(TextMarshaller.init)
    options.interceptorFactories = factories
    self.init(
      RequestOptions(
        host: script.hosts[wanted.host].written, path: wanted.path, safety: wanted.safety),
      options)
  }
}
