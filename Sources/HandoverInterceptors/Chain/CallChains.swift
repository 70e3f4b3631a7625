public import HandoverCore

/// The chains of all calls of a client, and the queues between their links.
///
/// Every hop from link to link waits in the queue of the link it goes to. Which queue runs next is
/// an input, so that one and the same machine is driven in order by a simulation, in every order by
/// an exploration, and by real serial executors side by side.
///
/// A driver that runs one thing at a time calls ``run(_:at:into:)``. One that runs links side by
/// side calls ``begin(_:at:)`` and ``complete(_:into:)`` under its lock, and ``LinkRun/run()``
/// between them without: while a link works, it is out of the table.
///
/// Illegal: (a) our bug, and trapped: a queue that does not exist, a run completed twice. (b) The
/// interceptor's fault: dropped, and told as a ``ChainFinding``. (c) Tolerated, dropped: whatever
/// comes for a call that is over, a link that has left, or an attempt that was given up.
public struct CallChains: Hashable, Sendable {
  /// How chains are made.
  public struct Configuration: Hashable, Sendable {
    /// When links are made.
    public enum Creation: String, Hashable, Sendable, CaseIterable {
      /// The first with the call, and each other when the one before first forwards a request, as
      /// in the later code (I4).
      case lazy
      /// All when the call starts, from last to first, as the proposal has it (L17); what its user
      /// asks for before the start makes them too.
      case eager
    }

    /// What the base interceptor does with a cancel.
    public enum Cancel: String, Hashable, Sendable, CaseIterable {
      /// It forwards the cancel and does nothing else, as the proposal has it (L50).
      case forward
      /// It also closes towards the user and leaves, as in the later code (I18).
      case close
    }

    /// When links are made.
    public var creation = Creation.eager
    /// What the base interceptor does with a cancel.
    public var cancel = Cancel.forward
    /// Whether writes are told without flow control too; documents and code disagree (I39).
    public var tellsEveryWrite = true
    /// The global interceptor: behind the user's, before the transport's (I1, I33).
    public var global: (any InterceptorFactory)? {
      get { erasedGlobal?.factory }
      set { erasedGlobal = newValue.map(AnyFactory.init) }
    }
    /// Whether each thing that a link takes is told, as ``ChainEffect/took(_:_:_:)``.
    public var tellsSteps = false
    /// The transports there are.
    public var transports = TransportRegistry.core
    private var erasedGlobal: AnyFactory?

    /// What the proposal says, no global interceptor, the core's transports.
    public init() {}
  }

  let configuration: Configuration
  var chains: [Chain] = []
  private var freeChains: [Int] = []
  var queues = ChainQueues()
  /// When links of the chains have waited long enough.
  private var deadlines = ChainDeadlines()
  /// What the end of a chain at work decides; empty between tasks.
  var reaction = TransportLink.Reaction()

  /// Makes a machine without calls.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }
}

/// A call as its chain knows it.
public struct ChainID: Hashable, Sendable {
  /// The place in the table.
  public let index: UInt32
  /// Which owner of the place, counted from 0.
  public let generation: UInt32
}

/// What is left of a call that was forgotten.
public struct ChainRemains: Sendable {
  let chain: Chain
}

/// An order of the chains to the world, or a report of their doings.
///
/// Each hop makes one or two, so that what else there is lies apart and these stay small.
public enum ChainEffect: Hashable, Sendable {
  /// A task waits on the queue, which must be run once for each of these; in their order, if one
  /// thing is done at a time.
  case queueFilled(QueueID)
  /// A link takes something; told only where it was asked for.
  case took(ChainID, LinkID, ChainStep)
  /// The user is told something.
  case user(ChainID, ChainResponse)
  /// The transport is to do something for an attempt of the call.
  case transport(ChainID, attempt: UInt32, TransportOrder)
  /// The world is asked something; the answer goes to the link.
  indirect case asked(ChainID, LinkID, String)
  /// An interceptor tells something.
  indirect case noted(ChainID, link: String, InterceptorNote)
  /// A link was made.
  indirect case linkMade(ChainID, LinkID, name: String)
  /// A factory made no link for the call (I5).
  indirect case linkSkipped(ChainID, name: String)
  /// A link left the chain.
  case linkReleased(ChainID, LinkID)
  /// The transport's end of the chain was made.
  indirect case transportMade(ChainID, attempt: UInt32, TransportIdentifier, isSubstitute: Bool)
  /// A link broke a rule.
  indirect case finding(ChainID, ChainFinding)
}

/// Why a call could not be opened (I10, R3).
public enum CallOpenError: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is empty.
  case emptyHost
  /// The path is empty.
  case emptyPath
  /// The transport is not known, and there is no default in its place (R3).
  case noDefaultTransport

  /// What to do.
  public var description: String {
    switch self {
    case .emptyHost: "a call needs a host, such as `api.example:443`"
    case .emptyPath: "a call needs a path, such as `/package.Service/Method`"
    case .noDefaultTransport: TransportRegistry.NoDefaultTransport().description
    }
  }
}

extension CallChains.Configuration {
  /// Finds out what a call is made of, for drivers that ask factories outside of their lock.
  ///
  /// - Parameters:
  ///   - start: whom the call asks, and how.
  ///   - isLegacy: whether it is a call of the older interface, which knows no interceptors (I35).
  /// - Returns: the call before its first links are made.
  /// - Throws: ``CallOpenError`` where host or path is empty (I10), or no transport is found (R3).
  public func prepare(
    _ start: CallStart, isLegacy: Bool = false
  ) throws(CallOpenError) -> CallOpening {
    guard !start.request.host.isEmpty else { throw .emptyHost }
    guard !start.request.path.isEmpty else { throw .emptyPath }
    guard let found = try? transports.find(start.options.transport) else {
      throw .noDefaultTransport
    }
    var factories: [any InterceptorFactory] = []
    if !isLegacy {
      factories = start.options.interceptorFactories
      if let global = global { factories.append(global) }
      // Only a transport that was asked for brings its interceptors along (I2).
      if start.options.transport != nil {
        factories += found.factory.interceptorFactories
      }
    }
    return CallOpening(
      ChainPlan(start, factories, found, creation, cancel, tellsEveryWrite: tellsEveryWrite),
      isDue: creation == .lazy)
  }
}

// MARK: Opening and closing calls

extension CallChains {
  /// Opens a call: its interceptors are those of the options now, whatever becomes of them later.
  ///
  /// ``Configuration/creation`` says which of them are made now.
  ///
  /// - Throws: ``CallOpenError`` where host or path is empty (I10), or no transport is found (R3).
  public mutating func open(
    _ start: CallStart, into effects: inout [ChainEffect]
  ) throws(CallOpenError) -> ChainID {
    var opening = try configuration.prepare(start)
    opening.run()
    return open(opening, into: &effects)
  }

  /// Opens a call whose first links were made.
  public mutating func open(
    _ opening: consuming CallOpening, into effects: inout [ChainEffect]
  ) -> ChainID {
    let index = freeChains.popLast() ?? chains.count
    let generation = index < chains.count ? chains[index].id.generation &+ 1 : 0
    let id = ChainID(index: UInt32(truncatingIfNeeded: index), generation: generation)
    var chain = Chain(id, opening.plan, userQueue: queues.make(.user(id)))
    if let made = opening.made { chain.begin(with: made, &queues, into: &effects) }
    if index < chains.count { chains[index] = chain } else { chains.append(chain) }
    noteDeadlines(of: index)
    return id
  }

  /// Takes on the making of a call's links, for drivers that ask factories outside of their lock.
  ///
  /// What is asked of the call meanwhile waits.
  ///
  /// - Returns: what is to be run and handed to ``complete(_:of:into:)``; nil where the links are
  ///   made already, somebody else makes them, or nobody knows the call.
  public mutating func beginLinks(of id: ChainID) -> CallOpening? {
    guard let index = position(of: id), chains[index].making == .due else { return nil }
    chains[index].making = .underWay
    return CallOpening(chains[index].plan, isDue: true)
  }

  /// The links of a call were made; what was asked of it meanwhile goes to the first.
  public mutating func complete(
    _ opening: consuming CallOpening, of id: ChainID, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), let made = opening.made else { return }
    chains[index].begin(with: made, &queues, into: &effects)
    noteDeadlines(of: index)
  }

  /// What the links of a call still owe, to be asked when nothing is under way (I24).
  public func audit(_ id: ChainID) -> [ChainFinding] {
    guard let index = position(of: id) else { return [] }
    return chains[index].links.compactMap { $0.obligation }
  }

  /// Forgets a call whose user has heard the end, or does not want to hear it.
  ///
  /// What still waits for its links is dropped, a cancel on its way to the transport too: a driver
  /// removes a call when its queues have run, or cancels the transport itself.
  ///
  /// - Returns: what is left of the call, for drivers that let go of it outside of their lock: it
  ///   holds the user's objects.
  @discardableResult
  public mutating func remove(_ id: ChainID) -> ChainRemains? {
    guard let index = position(of: id) else { return nil }
    let remains = ChainRemains(chain: chains[index])
    for link in chains[index].links { queues.free(link.requests, link.responses) }
    if let queue = chains[index].transportQueue { queues.free(queue, queue) }
    queues.free(chains[index].userQueue, chains[index].userQueue)
    chains[index].isGone = true
    chains[index].links = []
    chains[index].attempt = nil
    chains[index].transport = nil
    deadlines.set(.never, of: index)
    freeChains.append(index)
    return remains
  }

  /// Whether the user has heard the end of a call; true where nobody knows it.
  public func hasEnded(_ id: ChainID) -> Bool {
    position(of: id).map { chains[$0].userHasHeardEnd } ?? true
  }

  /// The names of the links that were made for a call, first to last; those that left too.
  public func linkNames(of id: ChainID) -> [String] {
    position(of: id).map { chains[$0].links.map(\.name) } ?? []
  }

  /// The name of a link that is part of a call's chain, or was until it left.
  public func name(of link: LinkID, in id: ChainID) -> String? {
    guard let index = position(of: id), let position = chains[index].position(of: link) else {
      return nil
    }
    return chains[index].links[position].name
  }

  /// The link of a name; nil where none was made.
  public func link(named name: String, in id: ChainID) -> LinkID? {
    position(of: id).flatMap { chains[$0].links.first { $0.name == name }?.id }
  }

  // What only looks is inlined: called, it would be handed a copy of what it looks at.
  @inline(__always)
  func position(of id: ChainID) -> Int? {
    let index = Int(id.index)
    guard index < chains.count, chains[index].id == id, !chains[index].isGone else { return nil }
    return index
  }
}

// MARK: Facts

extension CallChains {
  /// The user of a call asks for something.
  public mutating func request(
    _ request: ChainRequest, of id: ChainID, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id) else { return }
    chains[index].ask(request, &queues, into: &effects)
    noteDeadlines(of: index)
  }

  /// The transport tells something of an attempt of a call.
  public mutating func transport(
    _ event: TransportEvent, of id: ChainID, attempt: UInt32, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), chains[index].attempt == attempt else { return }
    chains[index].runTransport(.event(event), &reaction, &queues, into: &effects)
  }

  /// The world answers a link's question; nil where it has no answer.
  public mutating func answer(
    _ answer: String?, to question: String, of id: ChainID, _ link: LinkID,
    into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), let position = chains[index].position(of: link) else {
      return
    }
    // An answer that nobody asked for is a command, and settles no question.
    if chains[index].links[position].openQuestions > 0 {
      chains[index].links[position].openQuestions -= 1
    }
    queues.append(
      ChainTask(chain: id, link: link, work: .answer(answer, question: question)),
      to: chains[index].links[position].responses, into: &effects)
  }

  /// The earliest deadline of any link; nil where there is none.
  public var nextDeadline: Instant? {
    deadlines.earliest == .never ? nil : deadlines.earliest
  }

  /// A chain may have other deadlines than it had.
  @inline(__always)
  mutating func noteDeadlines(of index: Int) {
    if chains[index].hasDeadlines { updateDeadlines(of: index) }
  }

  @inline(never)
  private mutating func updateDeadlines(of index: Int) {
    let earliest = chains[index].links.reduce(Instant.never) { min($0, $1.deadline ?? .never) }
    chains[index].hasDeadlines = earliest != .never
    if deadlines.deadline(of: index) != earliest { deadlines.set(earliest, of: index) }
  }

  /// Time has passed: the links whose deadlines are due are told.
  public mutating func timeElapsed(at now: Instant, into effects: inout [ChainEffect]) {
    for index in deadlines.due(by: now) {
      defer { noteDeadlines(of: index) }
      for position in chains[index].links.indices {
        guard let deadline = chains[index].links[position].deadline, deadline <= now else {
          continue
        }
        chains[index].links[position].deadlinePassed()
        let link = chains[index].links[position]
        queues.append(
          ChainTask(chain: chains[index].id, link: link.id, work: .timeElapsed),
          to: link.responses, into: &effects)
      }
    }
  }
}

// MARK: Queues

extension CallChains {
  /// The queues whose next task could run now, in the order of their places.
  public var readyQueues: [QueueID] { queues.rows.indices.filter(isReady).map(queues.id(at:)) }

  /// The queue at a place, where its next task could run now; nil where it could not.
  package func readyQueue(at index: Int) -> QueueID? {
    isReady(index) ? queues.id(at: index) : nil
  }

  /// From now on queues are noted that lose their tasks without running them.
  package mutating func noteEmptiedQueues() { queues.emptied.areNoted = true }

  /// The places of the queues that lost their tasks since this was asked last.
  package mutating func takeEmptiedQueues() -> [Int] {
    guard !queues.emptied.places.isEmpty else { return [] }
    defer { queues.emptied.places = [] }
    return queues.emptied.places
  }

  private func isReady(_ index: Int) -> Bool {
    let queue = queues.rows[index]
    guard !queue.isBusy, let task = queue.tasks.first else { return false }
    guard let chain = position(of: task.chain), let link = chains[chain].position(of: task.link)
    else {
      return true
    }
    return !chains[chain].links[link].isWorking
  }

  /// Takes the next task of a queue, and with it the link that is to do it.
  ///
  /// - Returns: the work to run; nil where the machine did it itself, the task or the queue's turn
  ///   came too late, or its link works for another queue; the queue is told again then.
  public mutating func begin(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) -> LinkRun? {
    let position = queue.index
    guard queues.isInUse(queue) else { return nil }
    precondition(!queues.rows[position].isBusy, "a queue runs one task at a time")
    guard let task = queues.rows[position].tasks.first else { return nil }
    guard let index = self.position(of: task.chain) else {
      _ = queues.rows[position].tasks.popFirst()
      return nil
    }
    guard task.link != LinkID.user else {
      _ = queues.rows[position].tasks.popFirst()
      if case .response(let response) = task.work {
        chains[index].notifyUser(response, into: &effects)
      }
      return nil
    }
    guard let link = chains[index].position(of: task.link) else {
      if case .transport = queues.rows[position].use {
        guard var run = beginTransport(queue) else { return nil }
        run.run()
        complete(run, into: &effects)
      } else {
        _ = queues.rows[position].tasks.popFirst()
      }
      return nil
    }
    guard !chains[index].links[link].isWorking else {
      queues.rows[position].turnsWaiting += 1
      return nil
    }
    _ = queues.rows[position].tasks.popFirst()
    guard let interceptor = chains[index].links[link].takeOut(for: task.work, at: now) else {
      return nil
    }
    queues.rows[position].isBusy = true
    if configuration.tellsSteps { effects.append(.took(task.chain, task.link, task.work.step)) }
    return LinkRun(
      chain: task.chain, link: task.link, queue: queue, work: task.work, plan: chains[index].plan,
      factory: chains[index].links[link].factory, hasNext: chains[index].hasNext(after: task.link),
      interceptor: interceptor.interceptor, manager: chains[index].links[link].manager)
  }

  /// Puts a link back that has done its work, and forwards what it decided.
  public mutating func complete(_ run: consuming LinkRun, into effects: inout [ChainEffect]) {
    queues.ended(run.queue)
    guard let index = position(of: run.chain), let link = chains[index].position(of: run.link)
    else {
      return
    }
    var supply = LinkSupply(run.made)
    while let decision = run.manager.outbox.popFirst() {
      chains[index].carryOut(decision, from: run.link, &supply, &queues, into: &effects)
    }
    chains[index].links[link].putBack(run)
    if chains[index].links[link].deadline != nil { chains[index].hasDeadlines = true }
    noteDeadlines(of: index)
    if chains[index].links[link].isReleased {
      effects.append(.linkReleased(run.chain, run.link))
    }
    queues.wake(chains[index].links[link].requests, into: &effects)
    queues.wake(chains[index].links[link].responses, into: &effects)
  }
}
