/// The decisions of a thread pool as a pure state machine: events go in and orders come out.
///
/// The machine starts no thread, takes no lock and reads no clock. Its driver holds a lock during
/// each call and executes the returned orders. Times are durations since an arbitrary fixed
/// instant.
///
/// Each thread has an *index* from 0 to one below the limit. Its states are:
///
/// ```
///            start                look: queue has work
///   absent ────────> coming ─────────────────────────────> running
///     ^                │ ^ ^                                  │
///     │   look: leave  │ │ │              ended               │
///     └────────────────┘ │ └──────────────────────────────────┘
///                        │   look: rest, then rest
///                        │ <───────────────────────> idle
///                             wake, or asked to leave
/// ```
///
/// A *coming* thread is awake, or was requested to wake, and will look at the queue. While
/// operations wait, at least one thread is coming, unless all permitted threads are running. If no
/// thread is coming, a submission requests one. A thread that takes an operation and leaves others
/// in the queue requests the next thread before it runs the operation. Therefore no operation
/// depends on a thread that was promised to another operation (U68), and a burst of short
/// operations does not wake all threads.
///
/// A thread keeps its index until its last look, so the limit holds while threads end (U72). A
/// thread that was asked to leave but finds work does the work instead.
///
/// Calls for a thread in a state that the diagram does not allow are programming errors of the
/// driver and crash.
@usableFromInline
package struct ThreadPoolMachine<Operation: Sendable>: Sendable {
  /// The limits of a pool.
  @usableFromInline
  package struct Limits: Hashable, Sendable {
    /// The maximum number of concurrent threads, at least one.
    @usableFromInline package var threads: Int
    /// The maximum number of waiting operations while all permitted threads are busy, or `nil` for
    /// no limit.
    @usableFromInline package var maximumQueueLength: Int?
    /// The time for which a thread must be idle before a collection ends it.
    @usableFromInline package var idleTime: Duration
    /// The interval between collections.
    @usableFromInline package var collectionPeriod: Duration

    /// Creates limits.
    package init(
      threads: Int, maximumQueueLength: Int? = nil, idleTime: Duration, collectionPeriod: Duration
    ) {
      self.threads = threads
      self.maximumQueueLength = maximumQueueLength
      self.idleTime = idleTime
      self.collectionPeriod = collectionPeriod
    }
  }

  /// The phase of the pool, which never goes back.
  @usableFromInline
  package enum Phase: Hashable, Sendable {
    case accepting
    /// No new operations are accepted.
    case closed
  }

  /// The state of a thread.
  @usableFromInline
  package enum ThreadState: Hashable, Sendable {
    case absent
    case coming(mayLeave: Bool)
    case running(Ticket)
    case idle
  }

  /// An idle thread, with the time at which it became idle.
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

  /// A request for a thread that an operation needs.
  @usableFromInline
  package enum Help: Hashable, Sendable {
    /// The idle thread with this index must wake.
    case wake(Int)
    /// A thread with this index must be started; `number` counts the threads of the pool from 1.
    case start(Int, number: Int)
  }

  /// The result of submitting an operation.
  @usableFromInline
  package enum Submission: Hashable, Sendable {
    case accepted(Ticket, Help?)
    case full
    case closed
  }

  /// The instruction for a thread that looks at the queue.
  @usableFromInline
  package enum NextWork: Sendable {
    /// Run the operation, after requesting the thread that the next operation needs.
    case run(Operation, Help?)
    /// There is no work: the driver must call `rest` and let the thread sleep.
    case rest
    /// There is no work, and the thread has lost its index and must end.
    case leave
  }

  /// The decisions of a collection.
  @usableFromInline
  package struct Collection: Hashable, Sendable {
    /// The threads that must wake and look in order to leave.
    @usableFromInline package var leaving: [Int] = []
    /// The idle thread that must watch the time from now on, or `nil` if it is unchanged.
    @usableFromInline package var timekeeper: Int?

    @inlinable
    package init(leaving: [Int] = [], timekeeper: Int? = nil) {
      self.leaving = leaving
      self.timekeeper = timekeeper
    }
  }

  /// The decisions of a shutdown.
  @usableFromInline
  package struct Closing: Sendable {
    /// The operations that will never run.
    @usableFromInline package var refused: [Operation] = []
    /// The threads that must wake and look in order to leave.
    @usableFromInline package var leaving: [Int] = []

    @inlinable
    package init() {}
  }

  @usableFromInline package let limits: Limits
  @usableFromInline package internal(set) var phase = Phase.accepting
  @usableFromInline package internal(set) var threads: [ThreadState] = []
  @usableFromInline var queue = TicketQueue<Operation>()
  /// The idle threads, longest idle first.
  ///
  /// The last one is woken first, so that unneeded threads stay idle and are collected.
  @usableFromInline package internal(set) var idle: [IdleThread] = []
  @usableFromInline var startingCount = 0
  @usableFromInline package internal(set) var startedCount = 0
  /// The time of the next collection, or `nil` if there are no threads to collect.
  @usableFromInline package internal(set) var collectionDue: Duration?
  @usableFromInline package internal(set) var numbers = ThreadPoolCounts()

  package init(_ limits: Limits) {
    self.limits = limits
  }

  /// The waiting operations in order.
  package var waiting: [(ticket: Ticket, operation: Operation)] { queue.waiting }
}

// MARK: - Operations

extension ThreadPoolMachine {
  /// Adds an operation to the queue, with or without checking the queue bound.
  @inlinable
  package mutating func submit(_ operation: Operation, isBounded: Bool = true) -> Submission {
    switch phase {
    case .closed: return .closed
    case .accepting: break
    }
    if isBounded, let bound = limits.maximumQueueLength,
      numbers.queued + numbers.running >= limits.threads + bound
    {
      return .full
    }
    let ticket = queue.append(operation)
    numbers.queued += 1
    return .accepted(ticket, help())
  }

  /// Removes and returns an operation that still waits, or returns `nil`.
  @inlinable
  package mutating func cancel(_ ticket: Ticket) -> Operation? {
    guard let operation = queue.remove(ticket) else { return nil }
    numbers.queued -= 1
    numbers.cancelled += 1
    return operation
  }

  /// The ticket of the next operation; all operations accepted so far have lower tickets.
  @inlinable
  package var nextTicket: Ticket { queue.nextTicket }

  /// Returns whether all operations with lower tickets have ended.
  @inlinable
  package func haveEnded(before ticket: Ticket) -> Bool {
    if let first = queue.first, first < ticket { return false }
    return !threads.contains { state in
      if case .running(let running) = state { running < ticket } else { false }
    }
  }

  @inlinable
  mutating func help() -> Help? {
    guard queue.count > 0, startingCount == 0 else { return nil }
    if let thread = idle.popLast() {
      threads[thread.index] = .coming(mayLeave: false)
      startingCount += 1
      return .wake(thread.index)
    }
    guard numbers.threads < limits.threads else { return nil }
    let index = freeIndex()
    threads[index] = .coming(mayLeave: false)
    startingCount += 1
    startedCount += 1
    numbers.threads += 1
    return .start(index, number: startedCount)
  }

  /// Returns the first index without a thread, and adds an index if necessary.
  @inlinable
  mutating func freeIndex() -> Int {
    if let index = threads.firstIndex(of: .absent) { return index }
    threads.append(.absent)
    return threads.count - 1
  }
}

// MARK: - Threads

extension ThreadPoolMachine {
  /// Returns the instruction for a thread that is awake.
  @inlinable
  package mutating func nextWork(_ index: Int) -> NextWork {
    guard case .coming(let mayLeave) = threads[index] else {
      preconditionFailure("work was assigned to a thread that is not awake")
    }
    startingCount -= 1
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

  /// Returns whether a thread without work may stay awake for a short time.
  ///
  /// Operations often arrive in quick succession, and falling asleep and waking up costs more than
  /// most of them. Only one thread at a time may stay awake, and it must not have been asked to
  /// leave.
  @inlinable
  package func mayLinger(_ index: Int) -> Bool {
    threads[index] == .coming(mayLeave: false) && startingCount == 1 && queue.count == 0
      && phase == .accepting
  }

  /// Records that a thread has finished its operation and will look again.
  @inlinable
  package mutating func ended(_ index: Int, hasFailed: Bool) {
    guard case .running = threads[index] else {
      preconditionFailure("the operation is not running")
    }
    threads[index] = .coming(mayLeave: false)
    startingCount += 1
    numbers.running -= 1
    if hasFailed { numbers.failed += 1 } else { numbers.completed += 1 }
  }

  /// Records that a thread found no work and sleeps until it is no longer idle.
  @inlinable
  package mutating func rest(_ index: Int, at now: Duration) {
    precondition(threads[index] == .idle, "only an idle thread can go to sleep")
    // No thread watches the time while none is idle; a collection in that period would have found
    // no idle thread.
    if idle.isEmpty, collectionDue.map({ $0 <= now }) ?? true {
      collectionDue = now + limits.collectionPeriod
    }
    idle.append(IdleThread(index: index, since: now))
  }

  /// Returns whether a thread is idle.
  @inlinable
  package func isIdle(_ index: Int) -> Bool { threads[index] == .idle }

  /// Returns the time at which a thread must call `collect`, or `nil` if it is not the longest-idle
  /// thread.
  @inlinable
  package func alarm(_ index: Int) -> Duration? {
    idle.first?.index == index ? collectionDue : nil
  }

  /// Records that a thread could not be started.
  ///
  /// Other running threads will look at the queue later. If there are none, the operation that
  /// requested the thread is the only waiting one. It is removed and counts as never accepted,
  /// because it would wait forever (U81).
  ///
  /// - Returns: Whether the operation was removed.
  @inlinable
  package mutating func failedToStart(_ index: Int) -> Bool {
    precondition(
      threads[index] == .coming(mayLeave: false), "the start of this thread was not requested")
    threads[index] = .absent
    startingCount -= 1
    startedCount -= 1
    numbers.threads -= 1
    guard numbers.threads == 0, queue.popFirst() != nil else { return false }
    numbers.queued -= 1
    return true
  }

  /// Decides which idle threads end, if a collection is due.
  ///
  /// Operations do not postpone a collection (U71). Calling this method too often or too late is
  /// harmless.
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
  mutating func askToLeave(_ positions: [Int]) {
    for index in positions { threads[index] = .coming(mayLeave: true) }
    startingCount += positions.count
  }
}

// MARK: - The end

extension ThreadPoolMachine {
  /// Stops accepting operations; an immediate shutdown also refuses waiting operations.
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

  /// Whether the pool is shut down and has no threads left.
  @inlinable
  package var isTerminated: Bool { phase == .closed && numbers.threads == 0 }
}
