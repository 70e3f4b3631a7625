import HandoverCore
import HandoverInterceptors
import HandoverTrace

/// The chains of a run's calls, and what is on its way between them, their users and the client.
///
/// Whatever is asked of it at every step is asked by mutating methods, which find it where it is;
/// others would be handed a copy, which costs more than a hop.
struct ChainHost {
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
  ///
  /// A start among them gets its call's identifier when it reaches the client: another one may
  /// come before it.
  private var heldOrders: [GivenOrder] = []
  /// How many of them will be carried out.
  private var heldCount = 0
  /// What is held of each attempt, and the attempts that were cancelled before their starts.
  private var heldAttempts: [ChainAttempts.Attempt: HeldAttempt] = [:]  // lookup only
  private var cancelledAttempts: Set<ChainAttempts.Attempt> = []  // lookup only
  /// Calls whose links' debts were told.
  private var toldDebts: Set<Int> = []  // lookup only
  /// Queues that have something to do; where turns are by lot, those that may have it newly.
  private var waiting = WaitingLine<QueueID>()
  /// All queues that have something to do, where turns are by lot.
  private var ready = RankedSet()
  /// Draws whose turn it is; nil where the turns are in the order of the tasks.
  var lot: SeededGenerator?
  /// The chain of each call of the script.
  private(set) var ids: [ChainID?]
  /// The call of each chain, and the names of the links of the script.
  private var calls: [UInt32] = []
  private let names: [String]
  /// The places in the script of the links of each chain, by their serial numbers.
  private var linkPlaces: [[UInt16]] = []
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

  /// How many orders of an attempt are held, and whether its start is the first of them.
  private struct HeldAttempt {
    var count = 0
    var beginsWithStart: Bool
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
    ids = Array(repeating: nil, count: script.calls.count)
    names = script.configuration.chain.links.map(\.name)
    if script.configuration.chain.isShuffled {
      // A label of its own, so that no draw of the client moves.
      chains.noteEmptiedQueues()
      lot = SeededGenerator(seed: script.configuration.seed).forked(label: 0x636861696e)
    }
  }

  mutating func began(_ id: ChainID, call: Int) {
    ids[call] = id
    while calls.count <= id.index {
      calls.append(0)
      linkPlaces.append([])
    }
    calls[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    linkPlaces[Int(id.index)] = []
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

  /// An order waits for the application to run; a start that is cancelled before it has been
  /// carried out never is.
  mutating func hold(_ given: GivenOrder) {
    let attempt = ChainAttempts.Attempt(chain: given.chain, number: given.attempt)
    if case .cancel = given.order, let held = heldAttempts[attempt], held.beginsWithStart {
      heldAttempts[attempt] = nil
      heldCount -= held.count
      cancelledAttempts.insert(attempt)
      return
    }
    var isStart = false
    if case .start = given.order { isStart = true }
    heldAttempts[attempt, default: HeldAttempt(beginsWithStart: isStart)].count += 1
    heldOrders.append(given)
    heldCount += 1
  }

  /// Whether any order is held that will be carried out.
  mutating func holdsOrders() -> Bool { heldCount > 0 }

  /// The orders that are held, but for those of attempts that were cancelled; none is held then.
  mutating func takeHeldOrders() -> [GivenOrder] {
    guard !heldOrders.isEmpty else { return [] }
    let cancelled = cancelledAttempts
    let orders = heldOrders.filter {
      !cancelled.contains(ChainAttempts.Attempt(chain: $0.chain, number: $0.attempt))
    }
    heldOrders = []
    heldCount = 0
    heldAttempts = [:]
    cancelledAttempts = []
    return orders
  }

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
      if let wish = take(effects[carriedOut - 1], telling: &trace, at: now) { return wish }
    }
    effects.removeAll(keepingCapacity: true)
    carriedOut = 0
    return nil
  }

  private mutating func take(
    _ effect: ChainEffect, telling trace: inout Trace, at now: Instant
  ) -> ChainWish? {
    switch effect {
    case .queueFilled(let queue):
      waiting.append(queue)
    case .took(let id, let link, let step):
      trace.append(.chain(.took(call: call(of: id), link: place(of: link, in: id), step)), at: now)
    case .user(let id, let response):
      if case .close = response { ended.append(Int(call(of: id))) }
      return .tellUser(call(of: id), response)
    case .transport(let id, let attempt, let order):
      return .order(order, of: id, call: call(of: id), attempt: attempt)
    case .asked(let id, let link, let question):
      return .ask(question, id, link)
    case .noted(let id, let name, let note):
      let text = trace.keep(note.text)
      trace.append(
        .chain(.noted(call: call(of: id), link: place(named: name), text: text)), at: now)
    case .linkMade(let id, let link, let name):
      learn(place(named: name), of: link, in: id)
      trace.append(.chain(.linkMade(call: call(of: id), link: place(named: name))), at: now)
    case .linkSkipped(let id, let name):
      trace.append(.chain(.linkSkipped(call: call(of: id), link: place(named: name))), at: now)
    case .linkReleased(let id, let link):
      trace.append(.chain(.linkLeft(call: call(of: id), link: place(of: link, in: id))), at: now)
    case .transportMade:
      break
    case .finding(let id, let finding):
      trace.append(.chain(fact(finding, of: call(of: id))), at: now)
    }
    return nil
  }

  /// A finding as a fact of the trace.
  private func fact(_ finding: ChainFinding, of call: UInt32) -> ChainFact {
    .broke(call: call, link: place(named: finding.link), finding.kind)
  }

  @inline(__always)
  private func call(of id: ChainID) -> UInt32 { calls[Int(id.index)] }

  private func place(named name: String) -> UInt16 {
    names.firstIndex(of: name).map { UInt16(truncatingIfNeeded: $0) } ?? ChainFact.ownLink
  }

  @inline(__always)
  private func place(of link: LinkID, in id: ChainID) -> UInt16 {
    linkPlaces[Int(id.index)][Int(link.serial)]
  }

  private mutating func learn(_ place: UInt16, of link: LinkID, in id: ChainID) {
    while linkPlaces[Int(id.index)].count <= link.serial {
      linkPlaces[Int(id.index)].append(ChainFact.ownLink)
    }
    linkPlaces[Int(id.index)][Int(link.serial)] = place
  }

  /// The queue whose turn it is; nil where none has anything to do.
  mutating func drawQueue() -> QueueID? {
    guard lot != nil else { return waiting.popFirst() }
    while let queue = waiting.popFirst() { noteReadiness(at: queue.index) }
    for place in chains.takeEmptiedQueues() { noteReadiness(at: place) }
    guard ready.count > 0, let draw = lot?.next(upToAndIncluding: UInt64(ready.count - 1)) else {
      return nil
    }
    return chains.readyQueue(at: ready.element(ranked: Int(draw)))
  }

  private mutating func noteReadiness(at place: Int) {
    if chains.readyQueue(at: place) == nil {
      ready.remove(place)
    } else {
      ready.insert(place)
    }
  }

  /// Runs a queue whose turn it is; where turns are in the order of the tasks and no other one
  /// waits, an event goes all the way through links that only hand it on.
  mutating func run(_ queue: QueueID, at now: Instant) {
    if lot == nil, waiting.isEmpty {
      chains.runThrough(queue, at: now, into: &effects)
    } else {
      chains.run(queue, at: now, into: &effects)
      if lot != nil { noteReadiness(at: queue.index) }
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

  mutating func answer(_ place: UInt32) {
    questions[Int(place)].isAnswered = true
    let question = questions[Int(place)]
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
      guard let id = ids[call], chains.hasEnded(id) else { continue }
      guard chains.isSettled(id) else {
        self.ended.append(call)
        continue
      }
      tellDebts(of: call, id, telling: &trace, at: now)
      chains.remove(id)
      ids[call] = nil
    }
  }

  /// Nothing is due any more: what links owe now they will never pay.
  mutating func audit(telling trace: inout Trace, at now: Instant) {
    settleCalls(telling: &trace, at: now)
    for call in ids.indices {
      if let id = ids[call], chains.isSettled(id) {
        tellDebts(of: call, id, telling: &trace, at: now)
      }
    }
  }

  /// Tells once what the links of a call owe.
  private mutating func tellDebts(
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
      if let id = ids[call] { chains.remove(id) }
      ids[call] = nil
    }
    unstarted = []
  }

  /// Every user lets go of a call that has not ended.
  mutating func cancelAll() {
    for id in ids.compactMap(\.self) { request(.cancel, of: id) }
  }

  /// Whether nobody waits for an answer any more.
  func isStale(_ place: UInt32) -> Bool {
    let question = questions[Int(place)]
    return chains.name(of: question.link, in: question.chain) == nil
  }
}

/// Something that a chain wants of the rest of the run.
enum ChainWish {
  /// The user of a call is told something.
  case tellUser(UInt32, ChainResponse)
  /// The client is to do something for an attempt of a call.
  case order(TransportOrder, of: ChainID, call: UInt32, attempt: UInt32)
  /// A link has a question.
  case ask(String, ChainID, LinkID)
}
