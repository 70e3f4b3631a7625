/// What a thread pool decides, as a value: facts go in, orders come out, nothing else happens.
///
/// It starts no thread, takes no lock and reads no clock; whoever drives it holds one lock around
/// each call and carries out what it is told. Time is told as the length since some fixed moment.
///
/// The life of a thread, which has a *place* from 0 to one below the limit:
///
/// ```
///            start                look: queue has work
///   absent ────────> coming ─────────────────────────────> running
///     ^                │ ^ ^                                  │
///     │   look: leave  │ │ │              ended               │
///     └────────────────┘ │ └──────────────────────────────────┘
///                        │   look: rest, then rest
///                        │ <───────────────────────> idle
///                             wake, or told to leave
/// ```
///
/// *Coming* is a thread that is awake, or has been told to wake, and will look at the queue. While
/// operations wait there is always one, unless all threads that may be are running: where none is
/// coming, a submission calls one, and a thread that takes an operation and leaves others behind
/// calls the next before it begins. So nothing ever counts on a thread that has been promised to
/// somebody else (U68), and a burst of short operations does not wake everybody.
///
/// A thread keeps its place until its last look, so that the limit holds while threads end (U72);
/// one that was told to leave and finds work does it instead.
///
/// Calls that name a thread in another state than the chart allows are mistakes of the driver, and
/// trap.
@usableFromInline
package struct ThreadPoolMachine<Operation: Sendable>: Sendable {
  /// What the pool may do.
  @usableFromInline
  package struct Limits: Hashable, Sendable {
    /// How many threads there may be at once, at least one.
    @usableFromInline package var threads: Int
    /// How many operations may wait while all threads that may be are busy; nil if any number.
    @usableFromInline package var queueBound: Int?
    /// How long a thread must have been idle before a collection ends it.
    @usableFromInline package var idleTime: Duration
    /// How far apart collections are.
    @usableFromInline package var collectionPeriod: Duration

    /// Makes limits.
    package init(
      threads: Int, queueBound: Int? = nil, idleTime: Duration, collectionPeriod: Duration
    ) {
      self.threads = threads
      self.queueBound = queueBound
      self.idleTime = idleTime
      self.collectionPeriod = collectionPeriod
    }
  }

  /// How far the pool is from its end; it never goes back.
  @usableFromInline
  package enum Phase: Hashable, Sendable {
    case accepting
    /// Nothing new is accepted.
    case closed
  }

  /// What a thread is doing.
  @usableFromInline
  package enum ThreadState: Hashable, Sendable {
    case absent
    case coming(mayLeave: Bool)
    case running(Ticket)
    case idle
  }

  /// A thread without work, and since when.
  @usableFromInline
  package struct IdleThread: Hashable, Sendable {
    @usableFromInline package var index: Int
    @usableFromInline package var since: Duration

    @inlinable
    package init(index: Int, since: Duration) {
      self.index = index
      self.since = since
    }
  }

  /// A thread that an operation needs.
  @usableFromInline
  package enum Help: Hashable, Sendable {
    /// The thread at the place is idle and must wake.
    case wake(Int)
    /// A thread must be started for the place; it is the pool's thread of this number, from 1 on.
    case start(Int, number: Int)
  }

  /// What becomes of an operation that is submitted.
  @usableFromInline
  package enum Submission: Hashable, Sendable {
    case accepted(Ticket, Help?)
    case full
    case closed
  }

  /// What a thread that looks at the queue has to do.
  @usableFromInline
  package enum Look: Sendable {
    /// It runs the operation, and before that it calls the thread that the next one needs.
    case run(Operation, Help?)
    /// There is no work: the driver calls `rest` and lets the thread sleep.
    case rest
    /// There is no work, and the thread has no place any more.
    case leave
  }

  /// What a collection has decided.
  @usableFromInline
  package struct Collection: Hashable, Sendable {
    /// The threads that must wake and look, in order to leave.
    @usableFromInline package var leaving: [Int] = []
    /// The idle thread that has to keep the time from now on, where it is another.
    @usableFromInline package var timekeeper: Int?

    @inlinable
    package init(leaving: [Int] = [], timekeeper: Int? = nil) {
      self.leaving = leaving
      self.timekeeper = timekeeper
    }
  }

  /// What shutting down has decided.
  @usableFromInline
  package struct Closing: Sendable {
    /// The operations that nobody will run.
    @usableFromInline package var refused: [Operation] = []
    /// The threads that must wake and look, in order to leave.
    @usableFromInline package var leaving: [Int] = []

    @inlinable
    package init() {}
  }

  @usableFromInline package let limits: Limits
  @usableFromInline package internal(set) var phase = Phase.accepting
  @usableFromInline package internal(set) var threads: [ThreadState] = []
  @usableFromInline var queue = TicketQueue<Operation>()
  /// Those that have been idle longest stand first; the last is the first to be woken, so that
  /// threads that are not needed grow old.
  @usableFromInline package internal(set) var idle: [IdleThread] = []
  @usableFromInline var comingCount = 0
  @usableFromInline package internal(set) var startedCount = 0
  /// When the next collection is due; nil while there are no threads to collect.
  @usableFromInline package internal(set) var collectionDue: Duration?
  @usableFromInline package internal(set) var numbers = ThreadPoolCounts()

  package init(_ limits: Limits) {
    self.limits = limits
  }

  /// The operations that wait for a thread, in their order.
  package var waiting: [(ticket: Ticket, operation: Operation)] { queue.waiting }
}

// MARK: - Operations

extension ThreadPoolMachine {
  /// Takes an operation into the queue, whose bound counts for it or not.
  @inlinable
  package mutating func submit(_ operation: Operation, isBounded: Bool = true) -> Submission {
    switch phase {
    case .closed: return .closed
    case .accepting: break
    }
    if isBounded, let bound = limits.queueBound,
      numbers.queued + numbers.running >= limits.threads + bound
    {
      return .full
    }
    let ticket = queue.append(operation)
    numbers.queued += 1
    return .accepted(ticket, help())
  }

  /// Withdraws an operation that still waits.
  @inlinable
  package mutating func cancel(_ ticket: Ticket) -> Operation? {
    guard let operation = queue.remove(ticket) else { return nil }
    numbers.queued -= 1
    numbers.cancelled += 1
    return operation
  }

  /// The ticket of the next operation: those of all accepted so far are lower.
  @inlinable
  package var nextTicket: Ticket { queue.nextTicket }

  /// Whether all operations with lower tickets have ended.
  @inlinable
  package func haveEnded(before ticket: Ticket) -> Bool {
    if let first = queue.first, first < ticket { return false }
    return !threads.contains { state in
      if case .running(let running) = state { running < ticket } else { false }
    }
  }

  @inlinable
  mutating func help() -> Help? {
    guard queue.count > 0, comingCount == 0 else { return nil }
    if let thread = idle.popLast() {
      threads[thread.index] = .coming(mayLeave: false)
      comingCount += 1
      return .wake(thread.index)
    }
    guard numbers.threads < limits.threads else { return nil }
    let index = freePlace()
    threads[index] = .coming(mayLeave: false)
    comingCount += 1
    startedCount += 1
    numbers.threads += 1
    return .start(index, number: startedCount)
  }

  /// The first place without a thread; places are made as they are needed.
  @inlinable
  mutating func freePlace() -> Int {
    if let index = threads.firstIndex(of: .absent) { return index }
    threads.append(.absent)
    return threads.count - 1
  }
}

// MARK: - Threads

extension ThreadPoolMachine {
  /// Tells a thread that is awake what to do.
  @inlinable
  package mutating func look(_ index: Int) -> Look {
    guard case .coming(let mayLeave) = threads[index] else {
      preconditionFailure("only a thread that is awake looks")
    }
    comingCount -= 1
    if let (ticket, operation) = queue.popFirst() {
      threads[index] = .running(ticket)
      numbers.queued -= 1
      numbers.running += 1
      return .run(operation, help())
    }
    if mayLeave || phase == .closed {
      threads[index] = .absent
      numbers.threads -= 1
      return .leave
    }
    threads[index] = .idle
    return .rest
  }

  /// Whether a thread that is awake may stay so for a moment although there is nothing to do.
  ///
  /// Work often comes in quick succession, and falling asleep and being woken costs more than most
  /// of it. One thread at a time may; who has to leave may not.
  @inlinable
  package func mayLinger(_ index: Int) -> Bool {
    threads[index] == .coming(mayLeave: false) && comingCount == 1 && queue.count == 0
      && phase == .accepting
  }

  /// The thread has run its operation to the end, and will look again.
  @inlinable
  package mutating func ended(_ index: Int, hasFailed: Bool) {
    guard case .running = threads[index] else {
      preconditionFailure("only what runs can end")
    }
    threads[index] = .coming(mayLeave: false)
    comingCount += 1
    numbers.running -= 1
    if hasFailed { numbers.failed += 1 } else { numbers.completed += 1 }
  }

  /// The thread found no work and goes to sleep until it is no longer idle.
  @inlinable
  package mutating func rest(_ index: Int, at now: Duration) {
    precondition(threads[index] == .idle, "only a thread that found no work rests")
    // Nobody keeps the time while no thread is idle; a collection missed meanwhile would have
    // found nothing.
    if idle.isEmpty, collectionDue.map({ $0 <= now }) ?? true {
      collectionDue = now + limits.collectionPeriod
    }
    idle.append(IdleThread(index: index, since: now))
  }

  /// Whether the thread has nothing to look for.
  @inlinable
  package func isIdle(_ index: Int) -> Bool { threads[index] == .idle }

  /// When an idle thread has to call `collect`: only the one that has been idle longest has to.
  @inlinable
  package func alarm(_ index: Int) -> Duration? {
    idle.first?.index == index ? collectionDue : nil
  }

  /// The thread could not be started.
  ///
  /// Others that run will look when they are done. Where there are none, the operation that asked
  /// for the thread is the only one that waits; it is taken back and counts as never accepted, for
  /// otherwise it would wait for ever (U81).
  ///
  /// - Returns: whether the operation was taken back.
  @inlinable
  package mutating func failedToStart(_ index: Int) -> Bool {
    precondition(threads[index] == .coming(mayLeave: false), "only what was asked for can fail")
    threads[index] = .absent
    comingCount -= 1
    startedCount -= 1
    numbers.threads -= 1
    guard numbers.threads == 0, queue.popFirst() != nil else { return false }
    numbers.queued -= 1
    return true
  }

  /// Decides which idle threads end, when the time for it has come.
  ///
  /// Operations do not put it off (U71), and it may be called too often or too late.
  @inlinable
  package mutating func collect(at now: Duration) -> Collection {
    guard let due = collectionDue, due <= now else { return Collection() }
    let count = idle.prefix { $0.since + limits.idleTime <= now }.count
    let leaving = idle.prefix(count).map(\.index)
    idle.removeFirst(count)
    askToLeave(leaving)
    collectionDue = numbers.threads > count ? now + limits.collectionPeriod : nil
    return Collection(leaving: leaving, timekeeper: count > 0 ? idle.first?.index : nil)
  }

  @inlinable
  mutating func askToLeave(_ places: [Int]) {
    for index in places { threads[index] = .coming(mayLeave: true) }
    comingCount += places.count
  }
}

// MARK: - The end

extension ThreadPoolMachine {
  /// Accepts nothing more; immediately, what waits is refused too.
  @inlinable
  package mutating func shutDown(_ manner: ThreadPoolShutdown) -> Closing {
    phase = .closed
    var closing = Closing()
    switch manner {
    case .orderly: break
    case .immediate:
      closing.refused = queue.removeAll()
      numbers.refused += closing.refused.count
      numbers.queued = 0
    }
    closing.leaving = idle.map(\.index)
    idle.removeAll()
    collectionDue = nil
    askToLeave(closing.leaving)
    return closing
  }

  /// Whether it is shut down and has no thread left.
  @inlinable
  package var isTerminated: Bool { phase == .closed && numbers.threads == 0 }
}
