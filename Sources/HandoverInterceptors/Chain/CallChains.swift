import DequeModule
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
      /// Each when the one before first forwards a request (I4).
      case lazy
      /// All when the call is opened, from last to first, as the proposal has it (L50, I4).
      case eager
    }

    /// When links are made.
    public var creation = Creation.lazy
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

    /// Lazy creation, no global interceptor, the core's transports.
    public init() {}
  }

  let configuration: Configuration
  var chains: [Chain] = []
  var queues: [TaskQueue] = []
  private var freeChains: [Int] = []
  var freeQueues: [Int] = []
  /// What the link at work decides; empty between tasks.
  var decisions: ContiguousArray<InterceptorManager.Outgoing> = []
  var sharedQueues: [String: Int] = [:]  // lookup only

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

/// A queue of tasks for links.
public struct QueueID: Hashable, Sendable {
  /// The place in the table.
  public let index: Int
  /// Which owner of the place, counted from 0.
  public let generation: UInt32

  /// Makes an identifier.
  init(index: Int, generation: UInt32 = 0) {
    self.index = index
    self.generation = generation
  }
}

/// What a queue is for, so that a driver knows where to run it.
public enum QueueUse: Hashable, Sendable {
  /// What the user of a call is told.
  case user(ChainID)
  /// What the transport of a call is asked for.
  case transport(ChainID)
  /// The work of one link.
  case link
  /// The work of one link, on the threads of the concurrent queue named.
  case concurrent(String)
  /// The work of all links whose factories name it.
  case shared(String)

  var isShared: Bool {
    switch self {
    case .shared: true
    case .user, .transport, .link, .concurrent: false
    }
  }
}

/// An order of the chains to the world, or a report of their doings.
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
  case asked(ChainID, LinkID, String)
  /// An interceptor tells something.
  case noted(ChainID, link: String, InterceptorNote)
  /// A link was made.
  case linkMade(ChainID, LinkID, name: String)
  /// A factory made no link for the call (I5).
  case linkSkipped(ChainID, name: String)
  /// A link left the chain.
  case linkReleased(ChainID, LinkID)
  /// The transport's end of the chain was made.
  case transportMade(ChainID, attempt: UInt32, TransportIdentifier, isSubstitute: Bool)
  /// A link broke a rule.
  case finding(ChainID, ChainFinding)
}

/// Why a call could not be opened (I10).
public enum CallOpenError: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is empty.
  case emptyHost
  /// The path is empty.
  case emptyPath

  /// What to do.
  public var description: String {
    switch self {
    case .emptyHost: "a call needs a host, such as `api.example:443`"
    case .emptyPath: "a call needs a path, such as `/package.Service/Method`"
    }
  }
}

/// One hop: something that a link, the user or the transport's end is to take.
struct ChainTask: Hashable, Sendable {
  var chain: ChainID
  var link: LinkID
  var work: Work
}

/// What a link is told.
enum Work: Hashable, Sendable {
  case request(ChainRequest)
  case response(ChainResponse)
  case answer(String?, question: String)
  case timeElapsed
}

/// Tasks in the order of their arrival.
struct TaskQueue: Hashable, Sendable {
  /// Tells those apart who own the place in the table one after another.
  var generation: UInt32 = 0
  var use: QueueUse
  var tasks = Deque<ChainTask>()
  /// Whether a task of the queue is being run.
  var isBusy = false
  /// How often it was told to run while its next task waited for a link that another queue runs.
  var turnsWaiting = 0
}

extension CallChains.Configuration {
  /// Finds out what a call is made of, for drivers that ask factories outside of their lock.
  ///
  /// - Parameters:
  ///   - start: whom the call asks, and how.
  ///   - isLegacy: whether it is a call of the older interface, which knows no interceptors (I35).
  /// - Returns: the call before its first links are made.
  /// - Throws: ``CallOpenError`` where host or path is empty (I10).
  public func prepare(
    _ start: CallStart, isLegacy: Bool = false
  ) throws(CallOpenError) -> CallOpening {
    guard !start.request.host.isEmpty else { throw .emptyHost }
    guard !start.request.path.isEmpty else { throw .emptyPath }
    let found = try? transports.find(start.options.transport)
    var factories: [any InterceptorFactory] = []
    if !isLegacy {
      factories = start.options.interceptorFactories
      if let global = global { factories.append(global) }
      // Only a transport that was asked for brings its interceptors along (I2).
      if start.options.transport != nil, let found {
        factories += found.factory.interceptorFactories
      }
    }
    return CallOpening(ChainPlan(start, factories, found, creation))
  }
}

// MARK: Opening and closing calls

extension CallChains {
  /// Opens a call: its interceptors are those of the options now, whatever becomes of them later.
  ///
  /// - Throws: ``CallOpenError`` where host or path is empty (I10).
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
    let chain = Chain(id, opening.plan, userQueue: makeQueue(.user(id)))
    if index < chains.count { chains[index] = chain } else { chains.append(chain) }
    append(opening.made, in: index, after: .user, into: &effects)
    return id
  }

  /// What the links of a call still owe, to be asked when nothing is under way (I24).
  public func audit(_ id: ChainID) -> [ChainFinding] {
    guard let index = place(of: id) else { return [] }
    return chains[index].links.compactMap { $0.debt }
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
    guard let index = place(of: id) else { return nil }
    let remains = ChainRemains(chain: chains[index])
    for link in chains[index].links { free(link.requests, link.responses) }
    if let queue = chains[index].transportQueue { free(queue, queue) }
    free(chains[index].userQueue, chains[index].userQueue)
    chains[index].isGone = true
    chains[index].links = []
    chains[index].attempt = nil
    chains[index].transport = nil
    freeChains.append(index)
    return remains
  }

  /// Whether the user has heard the end of a call; true where nobody knows it.
  public func hasEnded(_ id: ChainID) -> Bool {
    place(of: id).map { chains[$0].userHasHeardEnd } ?? true
  }

  /// The names of the links that were made for a call, first to last; those that left too.
  public func linkNames(of id: ChainID) -> [String] {
    place(of: id).map { chains[$0].links.map(\.name) } ?? []
  }

  /// The name of a link that is part of a call's chain, or was until it left.
  public func name(of link: LinkID, in id: ChainID) -> String? {
    guard let index = place(of: id), let place = chains[index].place(of: link) else { return nil }
    return chains[index].links[place].name
  }

  /// The link of a name; nil where none was made.
  public func link(named name: String, in id: ChainID) -> LinkID? {
    place(of: id).flatMap { chains[$0].links.first { $0.name == name }?.id }
  }

  // What only looks is inlined: called, it would be handed a copy of what it looks at.
  @inline(__always)
  func place(of id: ChainID) -> Int? {
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
    guard let index = place(of: id) else { return }
    forward(request, in: index, after: LinkID.user, into: &effects)
  }

  /// The transport tells something of an attempt of a call.
  public mutating func transport(
    _ event: TransportEvent, of id: ChainID, attempt: UInt32, into effects: inout [ChainEffect]
  ) {
    guard var run = beginTransport(event, of: id, attempt: attempt) else { return }
    run.run()
    complete(run, into: &effects)
  }

  /// The world answers a link's question; nil where it has no answer.
  public mutating func answer(
    _ answer: String?, to question: String, of id: ChainID, _ link: LinkID,
    into effects: inout [ChainEffect]
  ) {
    guard let index = place(of: id), let place = chains[index].place(of: link) else { return }
    // An answer that nobody asked for is a command, and settles no question.
    if chains[index].links[place].openQuestions > 0 {
      chains[index].links[place].openQuestions -= 1
    }
    enqueue(
      .answer(answer, question: question), for: link, of: id,
      on: chains[index].links[place].responses, into: &effects)
  }

  /// The earliest deadline of any link; nil where there is none.
  public var nextDeadline: Instant? {
    var earliest: Instant?
    for chain in chains where chain.hasDeadlines {
      for link in chain.links {
        if let deadline = link.deadline { earliest = min(earliest ?? deadline, deadline) }
      }
    }
    return earliest
  }

  /// Time has passed: the links whose deadlines are due are told.
  public mutating func timeElapsed(at now: Instant, into effects: inout [ChainEffect]) {
    for index in chains.indices where chains[index].hasDeadlines {
      for place in chains[index].links.indices {
        guard let deadline = chains[index].links[place].deadline, deadline <= now else { continue }
        chains[index].links[place].deadlinePassed()
        let link = chains[index].links[place]
        enqueue(
          .timeElapsed, for: link.id, of: chains[index].id, on: link.responses, into: &effects)
      }
    }
  }
}

// MARK: Queues

extension CallChains {
  /// The queues whose next task could run now, in the order of their places.
  public var readyQueues: [QueueID] { queues.indices.filter(isReady).map(queue(at:)) }

  func queue(at index: Int) -> QueueID {
    QueueID(index: index, generation: queues[index].generation)
  }

  private func isReady(_ index: Int) -> Bool {
    guard !queues[index].isBusy, let task = queues[index].tasks.first else { return false }
    guard let chain = place(of: task.chain), let link = chains[chain].place(of: task.link) else {
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
    let place = queue.index
    guard queues[place].generation == queue.generation else { return nil }
    precondition(!queues[place].isBusy, "a queue runs one task at a time")
    guard let task = queues[place].tasks.first else { return nil }
    guard let index = self.place(of: task.chain) else {
      queues[place].tasks.removeFirst()
      return nil
    }
    guard task.link != LinkID.user else {
      queues[place].tasks.removeFirst()
      tellUser(task.work, in: index, into: &effects)
      return nil
    }
    guard let link = chains[index].place(of: task.link) else {
      if case .transport = queues[place].use {
        guard var run = beginTransport(queue) else { return nil }
        run.run()
        complete(run, into: &effects)
      } else {
        queues[place].tasks.removeFirst()
      }
      return nil
    }
    guard !chains[index].links[link].isWorking else {
      queues[place].turnsWaiting += 1
      return nil
    }
    queues[place].tasks.removeFirst()
    guard let interceptor = chains[index].links[link].takeOut(for: task.work, at: now) else {
      return nil
    }
    queues[place].isBusy = true
    if configuration.tellsSteps { effects.append(.took(task.chain, task.link, task.work.step)) }
    return LinkRun(
      chain: task.chain, link: task.link, queue: queue, work: task.work, plan: chains[index].plan,
      factory: chains[index].links[link].factory, hasNext: chains[index].hasNext(after: task.link),
      interceptor: interceptor.interceptor, manager: chains[index].links[link].manager)
  }

  /// Puts a link back that has done its work, and forwards what it decided.
  public mutating func complete(_ run: consuming LinkRun, into effects: inout [ChainEffect]) {
    if queues[run.queue.index].generation == run.queue.generation {
      queues[run.queue.index].isBusy = false
    }
    guard let index = place(of: run.chain), let link = chains[index].place(of: run.link) else {
      return
    }
    var outbox = ContiguousArray<InterceptorManager.Outgoing>()
    swap(&outbox, &run.manager.outbox)
    var made = run.made[...]
    for item in outbox { carryOut(item, in: index, from: run.link, &made, into: &effects) }
    outbox.removeAll(keepingCapacity: true)
    swap(&outbox, &run.manager.outbox)
    chains[index].links[link].putBack(run)
    if chains[index].links[link].deadline != nil { chains[index].hasDeadlines = true }
    if chains[index].links[link].isReleased {
      effects.append(.linkReleased(run.chain, run.link))
    }
    wake(chains[index].links[link].requests, into: &effects)
    wake(chains[index].links[link].responses, into: &effects)
  }

  /// Tells a queue again, as often as it was told in vain while its next task waited for a link.
  private mutating func wake(_ queue: Int, into effects: inout [ChainEffect]) {
    for _ in 0..<queues[queue].turnsWaiting {
      effects.append(.queueFilled(self.queue(at: queue)))
    }
    queues[queue].turnsWaiting = 0
  }
}
