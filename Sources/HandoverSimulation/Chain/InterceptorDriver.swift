import HandoverCore
import HandoverInterceptors
import HandoverTrace

/// The chains of a run's calls, and what is on its way between them, their users and the client.
///
/// Whatever is asked of it at every step is asked by mutating methods, which find it where it is;
/// others would be handed a copy, which costs more than a hop.
struct InterceptorDriver {
  /// The chains themselves; made anew for each run, so that no link knows of the run before.
  var chains: CallChains
  /// The factories of the calls' own links; what their links share lasts for the run.
  let factories: [any InterceptorFactory]
  /// Whether links share what they know by reference, so that no copy is a chain of its own.
  let sharesState: Bool
  /// Which call of the pool carries which attempt.
  var attempts = ChainAttempts()
  /// What chains ordered, and how much of it is carried out.
  var effects: [ChainEffect] = []
  private var carriedOut = 0
  /// What attempts have to tell that no chain has heard.
  private var reports = WaitingLine<Report>()
  /// Questions under way to the world, by the places that the agenda holds.
  var questions: [Question] = []
  /// Answers that came while the application did not run.
  var heldAnswers: [UInt32] = []
  /// Orders for the client from while the application did not run.
  private var heldOrders = HeldOrders()
  /// Calls whose links' obligations were reported.
  private var toldDebts: Set<Int> = []  // lookup only
  private var turns: QueueTurns
  private(set) var table: ChainTable
  /// Calls that were made and have not started.
  var unstarted: [Int] = []
  /// The calls whose users heard the end and that are not yet forgotten.
  private var ended: [Int] = []

  /// Something that an attempt has to tell its chain.
  struct Report {
    var attempt: ChainAttempts.Attempt
    var event: TransportEvent
  }

  /// A question of a link, and the answer it will have.
  struct Question {
    var chain: ChainID
    var link: LinkID
    var text: String
    var answer: String?
    var isAnswered = false
  }

  /// An order of a chain, and when it was given.
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
    configuration.tellsSteps = true
    chains = CallChains(configuration)
    table = ChainTable(
      calls: script.calls.count, links: script.configuration.chain.links.map(\.name))
    turns = QueueTurns(script.configuration)
    if script.configuration.chain.isShuffled { chains.noteEmptiedQueues() }
  }

  // MARK: The users of calls

  /// A user makes a call and does not start it.
  mutating func make(_ call: Int, of script: Script) {
    let start = CallStart(of: script.calls[call], in: script, through: factories)
    guard let id = try? chains.open(start, into: &effects) else { return }
    table.began(id, call: call)
    unstarted.append(call)
  }

  /// A user starts a call: the chain is told of everything that a call of its kind does at once,
  /// and opened where the call was not made before.
  mutating func start(_ call: Int, of script: Script) {
    unstarted.removeAll { $0 == call }
    let start = CallStart(of: script.calls[call], in: script, through: factories)
    if table.ids[call] == nil, let id = try? chains.open(start, into: &effects) {
      table.began(id, call: call)
    }
    guard let id = table.ids[call] else { return }
    chains.request(.start(start), of: id, into: &effects)
    guard script.calls[call].kind.requestIsCompleteAtStart else { return }
    // A value where a marshaller makes bytes of it.
    let isValue = script.calls[call].marshaller != nil
    let request: Message = isValue ? .value(TextMessage("request")) : Message("request")
    chains.request(.write(request), of: id, into: &effects)
    chains.request(.finish, of: id, into: &effects)
  }

  /// Records what the user of a call hears.
  private static func record(
    _ response: ChainResponse, of call: UInt32, in trace: inout Trace, at now: Instant
  ) {
    func hear(_ step: ChainStep, _ text: String) {
      trace.append(.chain(.heard(call: call, step, text: trace.keep(text))), at: now)
    }
    switch response {
    case .initialMetadata(let metadata): hear(.metadata, metadata.map(\.text) ?? "")
    case .message(let message): hear(.message, message.text)
    case .rawMessage(let bytes): hear(.rawMessage, Message.bytes(bytes).text)
    case .writeDone: hear(.writeDone, "")
    case .close(let close):
      for entry in close.trailers?.entries ?? [] {
        trace.append(.chain(.trailer(call: call, text: trace.keep(entry.text))), at: now)
      }
      let end = CallEnd(close.status.code, StatusText(nearest: close.status.message))
      trace.append(.chain(.closed(call: call, end)), at: now)
    }
  }

  // MARK: What is on its way

  /// The client reported something of a call; a chain hears of it when the client's step is over.
  mutating func report(_ call: CallID, _ event: TransportEvent) {
    guard let attempt = attempts.attempt(carriedBy: call) else { return }
    reports.append(Report(attempt: attempt, event: event))
    if case .ended = event { attempts.end(call) }
  }

  /// Something is to be told of an attempt that the client has nothing to do with.
  mutating func report(_ attempt: UInt32, of chain: ChainID, _ event: TransportEvent) {
    reports.append(
      Report(attempt: ChainAttempts.Attempt(chain: chain, number: attempt), event: event))
  }

  /// An order waits for the application to run.
  mutating func hold(_ given: GivenOrder) { heldOrders.append(given) }

  /// Whether any order is held that will be carried out.
  mutating func holdsOrders() -> Bool { !heldOrders.isEmpty }

  /// The orders that are held and will be carried out; none is held then.
  mutating func takeHeldOrders() -> [GivenOrder] { heldOrders.takeAll() }

  mutating func nextReport() -> Report? {
    reports.popFirst()
  }

  mutating func hear(_ report: Report) {
    chains.transport(
      report.event, of: report.attempt.chain, attempt: report.attempt.number, into: &effects)
  }

  /// Tells the trace what chains did, up to the next thing that they want of the rest of the run;
  /// nil where that is nothing.
  mutating func nextWish(telling trace: inout Trace, at now: Instant) -> ChainWish? {
    while carriedOut < effects.count {
      carriedOut += 1
      if let wish = handle(effects[carriedOut - 1], telling: &trace, at: now) { return wish }
    }
    effects.removeAll(keepingCapacity: true)
    carriedOut = 0
    return nil
  }

  private mutating func handle(
    _ effect: ChainEffect, telling trace: inout Trace, at now: Instant
  ) -> ChainWish? {
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
      let text = trace.keep(note.text)
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

  /// A finding as a fact of the trace.
  private func fact(_ finding: ChainFinding, of call: UInt32) -> ChainFact {
    .broke(call: call, link: table.position(named: finding.link), finding.kind)
  }

  /// The queue whose turn it is; nil where none has anything to do.
  mutating func drawQueue() -> QueueID? { turns.next(of: &chains) }

  /// Runs a queue whose turn it is; where turns are in the order of the tasks and no other one
  /// waits, an event goes all the way through links that only hand it on.
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

  /// Tells a link of the kind `gate` what to do; one that is not there does nothing.
  mutating func command(_ command: String, named name: String, of id: ChainID) {
    guard let link = chains.link(named: name, in: id) else { return }
    chains.answer(command, to: GateInterceptor.question, of: id, link, into: &effects)
  }

  /// A link has a question for the world, which answers one for a token when that is ready.
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

  /// The client is closed: whoever still waits for an answer waits no more.
  mutating func answerNothingMore() {
    for question in questions where !question.isAnswered {
      chains.answer(nil, to: question.text, of: question.chain, question.link, into: &effects)
    }
  }

  mutating func timeElapsed(at now: Instant) {
    chains.timeElapsed(at: now, into: &effects)
  }

  /// When an interceptor will have waited long enough; `never` where none waits.
  mutating func nextDeadline() -> Instant { chains.nextDeadline ?? .never }

  /// Forgets the calls whose users have heard the end and whose links are done; tells once what
  /// these owe.
  ///
  /// Links may pay at any time of the instant, so this is done when it is over.
  mutating func settleCalls(telling trace: inout Trace, at now: Instant) {
    guard !ended.isEmpty else { return }
    let ended = ended.sorted()
    self.ended.removeAll(keepingCapacity: true)
    for call in ended {
      guard let id = table.ids[call], chains.hasEnded(id) else { continue }
      guard chains.isSettled(id) else {
        self.ended.append(call)
        continue
      }
      reportPending(of: call, id, telling: &trace, at: now)
      chains.remove(id)
      table.forget(call)
    }
  }

  /// Nothing is due any more: what links owe now they will never pay.
  mutating func audit(telling trace: inout Trace, at now: Instant) {
    settleCalls(telling: &trace, at: now)
    for call in table.ids.indices {
      if let id = table.ids[call], chains.isSettled(id) {
        reportPending(of: call, id, telling: &trace, at: now)
      }
    }
  }

  /// Tells once what the links of a call owe.
  private mutating func reportPending(
    of call: Int, _ id: ChainID, telling trace: inout Trace, at now: Instant
  ) {
    let findings = chains.audit(id)
    guard !findings.isEmpty, toldDebts.insert(call).inserted else { return }
    for finding in findings {
      trace.append(.chain(fact(finding, of: UInt32(truncatingIfNeeded: call))), at: now)
    }
  }

  /// Users let go of calls that they never started; nobody hears of it.
  mutating func forgetUnstarted() {
    for call in unstarted {
      if let id = table.ids[call] { chains.remove(id) }
      table.forget(call)
    }
    unstarted = []
  }

  /// Every user lets go of a call that has not ended.
  mutating func cancelAll() {
    for id in table.ids.compactMap(\.self) { request(.cancel, of: id) }
  }

  /// Whether nobody waits for an answer any more.
  func isStale(_ position: UInt32) -> Bool {
    let question = questions[Int(position)]
    return chains.name(of: question.link, in: question.chain) == nil
  }
}

/// Something that a chain wants of the rest of the run.
enum ChainWish {
  /// The client is to do something for an attempt of a call.
  case order(TransportOrder, of: ChainID, call: UInt32, attempt: UInt32)
  /// A link has a question.
  case ask(String, ChainID, LinkID)
}

extension CallStart {
  /// Whom a call asks for what, and how.
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
