public import HandoverCore

/// The chains of all calls of a client, and the queues between their interceptors.
///
/// Every hop between interceptors waits in the queue of the receiving interceptor. The driver
/// chooses the queue that runs next. The same state machine can therefore be driven in order by a
/// simulation, in every order by an exploration, and in parallel by real serial executors.
///
/// A driver that runs one task at a time calls ``run(_:at:into:)``. A driver that runs interceptors
/// in parallel calls ``begin(_:at:)`` and ``complete(_:into:)`` with its lock held. Between them it
/// calls ``LinkRun/run()`` without the lock, because a working interceptor is not in the table.
///
/// Illegal events:
/// - (a) Our bug, trapped: a queue that does not exist, or a run that is completed twice.
/// - (b) The interceptor's fault, dropped and reported as a ``ChainFinding``.
/// - (c) Tolerated and dropped: events of a call that is over, of an interceptor that has left, or
///   of an abandoned attempt.
public struct CallChains: Hashable, Sendable {
  /// The settings for creating chains.
  public struct Configuration: Hashable, Sendable {
    /// The time at which interceptors are created.
    public enum Creation: String, Hashable, Sendable, CaseIterable {
      /// The first interceptor is created with the call, and each further one when its predecessor
      /// first forwards a request.
      ///
      /// Later gRPC code does this (I4).
      case lazy
      /// All interceptors are created at the start of the call, from last to first.
      ///
      /// The proposal specifies this (L17). An operation of the caller before the start also
      /// creates them.
      case eager
    }

    /// The behavior of the base interceptor on a cancel.
    public enum Cancel: String, Hashable, Sendable, CaseIterable {
      /// The base interceptor only forwards the cancel, as the proposal specifies (L50).
      case forward
      /// The base interceptor also closes toward the caller and leaves the chain, as in later gRPC
      /// code (I18).
      case close
    }

    /// The time at which interceptors are created.
    public var creation = Creation.eager
    /// The behavior of the base interceptor on a cancel.
    public var cancel = Cancel.forward
    /// Whether completed writes are reported without flow control; specification and code differ
    /// (I39).
    public var reportsEveryWrite = true
    /// The factory of the global interceptor, between the caller's and the transport's (I1, I33).
    public var global: (any InterceptorFactory)? {
      get { erasedGlobal?.factory }
      set { erasedGlobal = newValue.map(AnyFactory.init) }
    }
    /// Whether each event that an interceptor receives is reported as ``ChainEffect/took(_:_:_:)``.
    public var reportsSteps = false
    /// The registered transports.
    public var transports = TransportRegistry.core
    private var erasedGlobal: AnyFactory?

    /// Creates the settings of the proposal, without a global interceptor and with the core's
    /// transports.
    public init() {}
  }

  let configuration: Configuration
  var chains: [Chain] = []
  private var freeChains: [Int] = []
  var queues = ChainQueues()
  /// The deadlines of the interceptors.
  private var deadlines = ChainDeadlines()
  /// The decisions of the transport end that is working; empty between tasks.
  var reaction = TransportLink.Reaction()

  /// Creates a state machine without calls.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }
}

/// The ID of a call's chain.
public struct ChainID: Hashable, Sendable {
  /// The index in the table.
  public let index: UInt32
  /// The number of earlier owners of the index.
  public let generation: UInt32
}

/// The remains of a removed call.
public struct RemovedCall: Sendable {
  let chain: Chain
}

/// An effect of the chains on the environment, or a report of their actions.
///
/// Each hop creates one or two effects, so rare cases are indirect to keep the type small.
public enum ChainEffect: Hashable, Sendable {
  /// A task waits on the queue, which must be run once for each of these effects.
  ///
  /// A driver that runs one task at a time must run the queues in the order of these effects.
  case queueFilled(QueueID)
  /// An interceptor received something; reported only if `reportsSteps` is set.
  case took(ChainID, LinkID, ChainStep)
  /// The caller receives an event.
  case user(ChainID, ChainResponse)
  /// The transport must do something for an attempt of the call.
  case transport(ChainID, attempt: UInt32, TransportOrder)
  /// An interceptor asks the environment a question; the answer goes to the interceptor.
  indirect case asked(ChainID, LinkID, String)
  /// An interceptor reports a note.
  indirect case noted(ChainID, link: String, InterceptorNote)
  /// An interceptor was created.
  indirect case linkMade(ChainID, LinkID, name: String)
  /// A factory created no interceptor for the call (I5).
  indirect case linkSkipped(ChainID, name: String)
  /// An interceptor left the chain.
  case linkReleased(ChainID, LinkID)
  /// The transport end of the chain was created.
  indirect case transportMade(ChainID, attempt: UInt32, TransportIdentifier, isSubstitute: Bool)
  /// An interceptor violated a chain rule.
  indirect case finding(ChainID, ChainFinding)
}

/// The reason why a call could not be opened (I10, R3).
public enum CallOpenError: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is empty.
  case emptyHost
  /// The path is empty.
  case emptyPath
  /// The transport is unknown, and there is no default transport to replace it (R3).
  case noDefaultTransport

  /// The error and its remedy.
  public var description: String {
    switch self {
    case .emptyHost: "a call needs a host, such as `api.example:443`"
    case .emptyPath: "a call needs a path, such as `/package.Service/Method`"
    case .noDefaultTransport: TransportRegistry.NoDefaultTransport().description
    }
  }
}

extension CallChains.Configuration {
  /// Determines the parts of a call, for drivers that use factories outside of their lock.
  ///
  /// - Parameters:
  ///   - start: the destination and the options of the call.
  ///   - isLegacy: whether the call uses the older interface, which has no interceptors (I35).
  /// - Returns: the call before its first interceptors are created.
  /// - Throws: ``CallOpenError`` if the host or the path is empty (I10), or no transport is found
  ///   (R3).
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
      // Only an explicitly selected transport contributes its interceptors (I2).
      if start.options.transport != nil {
        factories += found.factory.interceptorFactories
      }
    }
    return CallOpening(
      ChainPlan(start, factories, found, creation, cancel, reportsEveryWrite: reportsEveryWrite),
      isDue: creation == .lazy)
  }
}

// MARK: Opening and closing calls

extension CallChains {
  /// Opens a call with the interceptors in its options; later changes to the options have no
  /// effect.
  ///
  /// ``Configuration/creation`` determines which interceptors are created now.
  ///
  /// - Throws: ``CallOpenError`` if the host or the path is empty (I10), or no transport is found
  ///   (R3).
  public mutating func open(
    _ start: CallStart, into effects: inout [ChainEffect]
  ) throws(CallOpenError) -> ChainID {
    var opening = try configuration.prepare(start)
    opening.run()
    return open(opening, into: &effects)
  }

  /// Opens a call whose first interceptors have been created.
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

  /// Begins the creation of a call's interceptors, for drivers that use factories outside of their
  /// lock.
  ///
  /// Operations of the caller wait until the creation is complete.
  ///
  /// - Returns: the opening to run and to pass to ``complete(_:of:into:)``. The result is `nil` if
  ///   the interceptors exist, if their creation is already in progress, or if the call is unknown.
  public mutating func beginLinks(of id: ChainID) -> CallOpening? {
    guard let index = position(of: id), chains[index].making == .due else { return nil }
    chains[index].making = .underWay
    return CallOpening(chains[index].plan, isDue: true)
  }

  /// Adds the created interceptors of a call, and forwards the operations that waited for them.
  public mutating func complete(
    _ opening: consuming CallOpening, of id: ChainID, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), let made = opening.made else { return }
    chains[index].begin(with: made, &queues, into: &effects)
    noteDeadlines(of: index)
  }

  /// Returns the unmet obligations of a call's interceptors; meaningful when nothing is in progress
  /// (I24).
  public func audit(_ id: ChainID) -> [ChainFinding] {
    guard let index = position(of: id) else { return [] }
    return chains[index].links.compactMap { $0.obligation }
  }

  /// Removes a call whose caller has received the end, or does not need it.
  ///
  /// Tasks that still wait for its interceptors are dropped, including a cancel on its way to the
  /// transport. A driver therefore removes a call when its queues have run, or cancels the
  /// transport itself.
  ///
  /// - Returns: the remains of the call, which contain objects of the caller. A driver can release
  ///   them outside of its lock.
  @discardableResult
  public mutating func remove(_ id: ChainID) -> RemovedCall? {
    guard let index = position(of: id) else { return nil }
    let remains = RemovedCall(chain: chains[index])
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

  /// Returns whether the caller has received the end of a call; true for an unknown call.
  public func hasEnded(_ id: ChainID) -> Bool {
    position(of: id).map { chains[$0].userReceivedEnd } ?? true
  }

  /// Returns the names of the interceptors created for a call, first to last, including those that
  /// left.
  public func linkNames(of id: ChainID) -> [String] {
    position(of: id).map { chains[$0].links.map(\.name) } ?? []
  }

  /// Returns the name of an interceptor of a call, which may have left the chain.
  public func name(of link: LinkID, in id: ChainID) -> String? {
    guard let index = position(of: id), let position = chains[index].position(of: link) else {
      return nil
    }
    return chains[index].links[position].name
  }

  /// Returns the interceptor with a name, or `nil` if none was created.
  public func link(named name: String, in id: ChainID) -> LinkID? {
    position(of: id).flatMap { chains[$0].links.first { $0.name == name }?.id }
  }

  func position(of id: ChainID) -> Int? {
    let index = Int(id.index)
    guard index < chains.count, chains[index].id == id, !chains[index].isGone else { return nil }
    return index
  }
}

// MARK: Events

extension CallChains {
  /// Handles an operation of the caller.
  public mutating func request(
    _ request: ChainRequest, of id: ChainID, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id) else { return }
    chains[index].ask(request, &queues, into: &effects)
    noteDeadlines(of: index)
  }

  /// Handles an event of the transport for an attempt of a call.
  public mutating func transport(
    _ event: TransportEvent, of id: ChainID, attempt: UInt32, into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), chains[index].attempt == attempt else { return }
    chains[index].runTransport(.event(event), &reaction, &queues, into: &effects)
  }

  /// Handles the answer to an interceptor's question, or `nil` if the environment has no answer.
  public mutating func answer(
    _ answer: String?, to question: String, of id: ChainID, _ link: LinkID,
    into effects: inout [ChainEffect]
  ) {
    guard let index = position(of: id), let position = chains[index].position(of: link) else {
      return
    }
    // An unsolicited answer is a command and settles no question.
    if chains[index].links[position].openQuestions > 0 {
      chains[index].links[position].openQuestions -= 1
    }
    queues.append(
      ChainTask(chain: id, link: link, work: .answer(answer, question: question)),
      to: chains[index].links[position].responses, into: &effects)
  }

  /// The earliest deadline of all interceptors, or `nil` if there is none.
  public var nextDeadline: Instant? {
    deadlines.earliest == .never ? nil : deadlines.earliest
  }

  /// Updates the deadlines after a change to a chain.
  mutating func noteDeadlines(of index: Int) {
    if chains[index].hasDeadlines { updateDeadlines(of: index) }
  }

  @inline(never)
  private mutating func updateDeadlines(of index: Int) {
    let earliest = chains[index].links.reduce(Instant.never) { min($0, $1.deadline ?? .never) }
    chains[index].hasDeadlines = earliest != .never
    if deadlines.deadline(of: index) != earliest { deadlines.set(earliest, of: index) }
  }

  /// Notifies the interceptors whose deadlines have expired.
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
  /// The queues whose next task could run now, in table order.
  public var readyQueues: [QueueID] { queues.rows.indices.filter(isReady).map(queues.id(at:)) }

  /// Returns the queue at an index if its next task could run now, or `nil` otherwise.
  package func readyQueue(at index: Int) -> QueueID? {
    isReady(index) ? queues.id(at: index) : nil
  }

  /// Starts recording the queues that lose their tasks without running them.
  package mutating func noteEmptiedQueues() { queues.emptied.areNoted = true }

  /// Returns the indices of the queues that have lost their tasks since the last call.
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

  /// Takes the next task of a queue, together with the interceptor that handles it.
  ///
  /// - Returns: the work to run. The result is `nil` if the task needed no interceptor, or if the
  ///   task or the queue's turn came too late. It is also `nil` if the interceptor is working for
  ///   another queue. In the last case the queue is reported as filled again when the interceptor
  ///   is free.
  public mutating func begin(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) -> LinkRun? {
    let position = queue.index
    guard queues.isInUse(queue) else { return nil }
    precondition(!queues.rows[position].isBusy, "the queue already runs a task")
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
    if configuration.reportsSteps { effects.append(.took(task.chain, task.link, task.work.step)) }
    return LinkRun(
      chain: task.chain, link: task.link, queue: queue, work: task.work, plan: chains[index].plan,
      factory: chains[index].links[link].factory, hasNext: chains[index].hasNext(after: task.link),
      interceptor: interceptor.interceptor, manager: chains[index].links[link].manager)
  }

  /// Puts an interceptor back after its work, and forwards its decisions.
  public mutating func complete(_ run: consuming LinkRun, into effects: inout [ChainEffect]) {
    queues.ended(run.queue)
    guard let index = position(of: run.chain), let link = chains[index].position(of: run.link)
    else {
      return
    }
    var supply = LinkProvider(run.made)
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
