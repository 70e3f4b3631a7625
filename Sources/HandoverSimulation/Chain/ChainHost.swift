import HandoverCore
import HandoverInterceptors

/// The chains of a run's calls, and what is on its way between them, their users and the client.
struct ChainHost {
  /// The chains themselves; made anew for each run, so that no link knows of the run before.
  var chains: CallChains
  /// The factories of the calls' own links; what their links share lasts for the run.
  let factories: [any InterceptorFactory]
  /// Which call of the pool carries which attempt.
  var attempts = ChainAttempts()
  /// What chains ordered, and how much of it is carried out.
  var effects: [ChainEffect] = []
  private var carriedOut = 0
  /// What attempts have to tell that no chain has heard.
  private var reports: [Report] = []
  /// Questions under way to the world, by the places that the agenda holds.
  var questions: [Question] = []
  /// Answers that came while the application did not run.
  var heldAnswers: [UInt32] = []
  /// Calls whose links' debts were told.
  var toldDebts: Set<Int> = []  // lookup only
  /// Queues that have something to do; the next one is drawn where turns are by lot.
  var waiting: [QueueID] = []
  /// Draws whose turn it is; nil where the turns are in the order of the tasks.
  var lot: SeededGenerator?
  /// The chain of each call of the script.
  private(set) var ids: [ChainID?]
  private var places: [UInt32] = []

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
  }

  init(_ script: Script) {
    var configuration = CallChains.Configuration()
    configuration.creation = script.configuration.chain.isEager ? .eager : .lazy
    let scripted = ScriptedChain(script)
    factories = scripted.factories
    configuration.global = scripted.global
    configuration.tellsSteps = true
    chains = CallChains(configuration)
    ids = Array(repeating: nil, count: script.calls.count)
    if script.configuration.chain.isShuffled {
      // A label of its own, so that no draw of the client moves.
      lot = SeededGenerator(seed: script.configuration.seed).forked(label: 0x636861696e)
    }
  }

  mutating func began(_ id: ChainID, call: Int) {
    ids[call] = id
    while places.count <= id.index { places.append(0) }
    places[Int(id.index)] = UInt32(truncatingIfNeeded: call)
  }

  mutating func ended(call: Int) {
    ids[call] = nil
  }

  /// The call of a chain, by its place in the script.
  func call(of id: ChainID) -> Int { Int(places[Int(id.index)]) }

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

  mutating func nextReport() -> Report? {
    reports.isEmpty ? nil : reports.removeFirst()
  }

  mutating func hear(_ report: Report) {
    chains.transport(
      report.event, of: report.attempt.chain, attempt: report.attempt.number, into: &effects)
  }

  mutating func nextEffect() -> ChainEffect? {
    guard carriedOut < effects.count else {
      effects.removeAll(keepingCapacity: true)
      carriedOut = 0
      return nil
    }
    carriedOut += 1
    return effects[carriedOut - 1]
  }

  /// The queue whose turn it is; nil where none has anything to do.
  mutating func drawQueue() -> QueueID? {
    guard lot != nil else { return waiting.isEmpty ? nil : waiting.removeFirst() }
    waiting.removeAll(keepingCapacity: true)
    let ready = chains.readyQueues
    guard !ready.isEmpty, let draw = lot?.next(upToAndIncluding: UInt64(ready.count - 1)) else {
      return nil
    }
    return ready[Int(draw)]
  }

  /// Runs a queue whose turn it is; where turns are in the order of the tasks and no other one
  /// waits, an event goes all the way through links that only hand it on.
  mutating func run(_ queue: QueueID, at now: Instant) {
    if lot == nil, waiting.isEmpty {
      chains.runThrough(queue, at: now, into: &effects)
    } else {
      chains.run(queue, at: now, into: &effects)
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
    let question = questions[Int(place)]
    chains.answer(
      question.answer, to: question.text, of: question.chain, question.link, into: &effects)
  }

  mutating func timeElapsed(at now: Instant) {
    chains.timeElapsed(at: now, into: &effects)
  }

  /// Whether nobody waits for an answer any more.
  func isStale(_ place: UInt32) -> Bool {
    let question = questions[Int(place)]
    return chains.name(of: question.link, in: question.chain) == nil
  }
}
