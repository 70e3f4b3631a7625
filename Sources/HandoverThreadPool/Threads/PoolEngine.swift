import HandoverCore

/// The threads of a pool: the event loop around `ThreadPoolMachine`, under one lock.
///
/// Threads retain the engine and not the pool, so that an unreferenced pool is destroyed. The
/// engine never calls, resumes or releases foreign code while it holds the lock, so operations,
/// tasks and deinitializers may use the pool freely.
final class PoolEngine: @unchecked Sendable {
  /// The source of time.
  enum TimeSource: Sendable {
    /// The system's monotonic clock.
    case system
    /// An external clock, whose owner must report when time has passed.
    case manual(@Sendable () -> Duration)
  }

  /// The slot of a thread, with the current thread if there is one.
  private struct Worker {
    let condition = Condition()
    /// The thread, or `nil` if the slot is empty.
    var thread: SystemThread.ID?
  }

  /// An operation that a thread must run, with its work.
  private struct Assignment {
    var operation: OperationRecord
    var work: OperationRecord.Work
  }

  /// An operation that has ended, with its outcome.
  private struct Ended {
    var operation: OperationRecord
    var outcome: ThreadPoolOperation.Outcome
  }

  /// The state that the lock protects.
  private struct State {
    var machine: ThreadPoolMachine<OperationRecord>
    var workers: [Worker]
    /// The waiters for all operations before a ticket, in ticket order.
    var submittedWaiters: [(before: Ticket, waiter: Waiter)] = []
    /// The waiters for the end of the last thread.
    var terminationWaiters: [Waiter] = []
  }

  let name: String
  private let time: TimeSource
  private let lock = Lock()
  // All accesses hold the lock: each function that uses this private property acquires the lock or
  // requires its caller to hold it.
  private var state: State

  init(name: String, limits: ThreadPoolMachine<OperationRecord>.Limits, time: TimeSource) {
    self.name = name
    self.time = time
    state = State(
      machine: ThreadPoolMachine(limits),
      workers: (0..<limits.threads).map { _ in Worker() })
  }

  private func now() -> Duration {
    switch time {
    case .system: monotonicTime()
    case .manual(let now): now()
    }
  }
}

// MARK: - Calls of the user

extension PoolEngine {
  var numbers: ThreadPoolStatistics {
    lock.lock()
    defer { lock.unlock() }
    return ThreadPoolStatistics(state.machine.numbers)
  }

  /// The number of sleeping threads without work.
  var sleepingThreads: Int {
    lock.lock()
    defer { lock.unlock() }
    return state.machine.idle.count
  }

  /// Whether the calling thread belongs to the pool.
  var isOwnThread: Bool {
    let current = SystemThread.current
    lock.lock()
    defer { lock.unlock() }
    return state.workers.contains { $0.thread == current }
  }

  /// The event that all operations accepted so far have ended.
  var allSubmitted: Awaited {
    lock.lock()
    defer { lock.unlock() }
    return .operations(before: state.machine.nextTicket)
  }

  @discardableResult
  func submit(
    _ work: OperationRecord.Work, isBounded: Bool
  ) throws(ThreadPoolError) -> ThreadPoolOperation {
    let operation = OperationRecord(work)
    lock.lock()
    switch state.machine.submit(operation, isBounded: isBounded) {
    case .accepted(let ticket, let help):
      operation.state.ticket = ticket
      try unlock(giving: help)
    case .full:
      lock.unlock()
      throw ThreadPoolError(.full, of: name, "its queue is full")
    case .closed:
      lock.unlock()
      throw ThreadPoolError(.shutDown, of: name, "it is shut down and accepts nothing more")
    }
    return ThreadPoolOperation(engine: self, record: operation)
  }

  func cancel(_ operation: OperationRecord) -> Bool {
    lock.lock()
    guard state.machine.cancel(operation.state.ticket) != nil else {
      lock.unlock()
      return false
    }
    let work = operation.state.work.take()
    let tasks = end(operation, .cancelled)
    lock.unlock()
    for task in tasks { task.resume() }
    withExtendedLifetime(work) {}
    return true
  }

  func outcome(of operation: OperationRecord) -> ThreadPoolOperation.Outcome? {
    lock.lock()
    defer { lock.unlock() }
    return operation.state.outcome
  }

  func shutDown(_ manner: ThreadPool.Shutdown) {
    lock.lock()
    let closing = state.machine.shutDown(manner.ofMachine)
    var tasks = releaseAwaited()
    var works: [OperationRecord.Work] = []
    for operation in closing.refused {
      if let work = operation.state.work.take() { works.append(work) }
      tasks += end(operation, .refused)
    }
    signal(closing.leaving)
    lock.unlock()
    for task in tasks { task.resume() }
    for case .part(let part) in works { part.runOutsidePool() }
  }

  func collect() {
    lock.lock()
    carryOutCollection()
    lock.unlock()
  }
}

// MARK: - Waiting

extension PoolEngine {
  func wait(
    for operation: OperationRecord, timeout: Duration?
  ) throws(ThreadPoolError) -> ThreadPoolOperation.Outcome {
    try block(until: .operation(operation), timeout: timeout)
    return ended(operation)
  }

  func wait(for operation: OperationRecord) async -> ThreadPoolOperation.Outcome {
    await suspend(until: .operation(operation))
    return ended(operation)
  }

  private func ended(_ operation: OperationRecord) -> ThreadPoolOperation.Outcome {
    guard let outcome = outcome(of: operation) else {
      preconditionFailure("the wait ended before its condition was true")
    }
    return outcome
  }

  /// Blocks the calling thread until an event has occurred.
  func block(until awaited: Awaited, timeout: Duration?) throws(ThreadPoolError) {
    let deadline = timeout.map { monotonicTime() + $0.bounded }
    if isOwnThread {
      throw ThreadPoolError(
        .wouldDeadlock, of: name, "one of its own threads would wait for it")
    }
    lock.lock()
    defer { lock.unlock() }
    guard !isOver(awaited) else { return }
    let condition = Condition()
    add(.thread(condition), to: awaited)
    while !isOver(awaited) {
      if let deadline, monotonicTime() >= deadline {
        remove(condition, from: awaited)
        throw ThreadPoolError(.timedOut, of: name, "the awaited event did not occur in time")
      }
      condition.wait(lock, until: deadline)
    }
  }

  /// Suspends the calling task until an event has occurred.
  func suspend(until awaited: Awaited) async {
    await withCheckedContinuation { continuation in
      lock.lock()
      let isOver = isOver(awaited)
      if !isOver { add(.task(continuation), to: awaited) }
      lock.unlock()
      if isOver { continuation.resume() }
    }
  }

  // The callers of the following methods must hold the lock.

  private func isOver(_ awaited: Awaited) -> Bool {
    switch awaited {
    case .operation(let operation): operation.state.outcome != nil
    case .operations(let ticket): state.machine.haveEnded(before: ticket)
    case .termination: state.machine.isTerminated
    }
  }

  private func add(_ waiter: Waiter, to awaited: Awaited) {
    switch awaited {
    case .operation(let operation): operation.state.waiters.append(waiter)
    case .operations(let ticket):
      // Another waiter may have read a later ticket number but registered earlier.
      let earlier = state.submittedWaiters.lastIndex { $0.before <= ticket }
      state.submittedWaiters.insert((ticket, waiter), at: earlier.map { $0 + 1 } ?? 0)
    case .termination: state.terminationWaiters.append(waiter)
    }
  }

  private func remove(_ condition: Condition, from awaited: Awaited) {
    func isSame(_ waiter: Waiter) -> Bool {
      if case .thread(let other) = waiter { other === condition } else { false }
    }
    switch awaited {
    case .operation(let operation): operation.state.waiters.removeAll(where: isSame)
    case .operations: state.submittedWaiters.removeAll { isSame($0.waiter) }
    case .termination: state.terminationWaiters.removeAll(where: isSame)
    }
  }

  /// Stores the outcome of an operation.
  ///
  /// - Returns: The tasks to resume after the lock is released.
  private func end(
    _ operation: OperationRecord, _ outcome: ThreadPoolOperation.Outcome
  ) -> [CheckedContinuation<Void, Never>] {
    operation.state.outcome = outcome
    let waiters = operation.state.waiters
    if waiters.isEmpty, state.submittedWaiters.isEmpty { return [] }
    operation.state.waiters = []
    return release(waiters) + releaseAwaited()
  }

  /// Releases the waiters for events of the pool that have occurred now.
  private func releaseAwaited() -> [CheckedContinuation<Void, Never>] {
    let over = state.submittedWaiters.prefix { isOver(.operations(before: $0.before)) }
    var waiters = over.map(\.waiter)
    state.submittedWaiters.removeFirst(over.count)
    if isOver(.termination) {
      waiters += state.terminationWaiters
      state.terminationWaiters = []
    }
    return release(waiters)
  }

  private func release(_ waiters: [Waiter]) -> [CheckedContinuation<Void, Never>] {
    var tasks: [CheckedContinuation<Void, Never>] = []
    for waiter in waiters {
      switch waiter {
      case .thread(let condition): condition.signal()
      case .task(let task): tasks.append(task)
      }
    }
    return tasks
  }
}

// MARK: - Threads

extension PoolEngine {
  /// The main function of a thread.
  private func serve(_ index: Int) {
    lock.lock()
    state.workers[index].thread = SystemThread.current
    lock.unlock()
    var ended: Ended?
    while true {
      if let assignment = next(index, after: ended) {
        ended = run(assignment)
      } else if ended != nil {
        // Release the ended operation before the thread sleeps.
        ended = nil
      } else {
        return
      }
    }
  }

  /// Runs an operation; its captured values are released before its outcome is available.
  private func run(_ assignment: consuming Assignment) -> Ended {
    let operation = assignment.operation
    switch assignment.work {
    case .body(let body):
      do {
        try body()
        return Ended(operation: operation, outcome: .completed)
      } catch {
        return Ended(operation: operation, outcome: .failed(error))
      }
    case .part(let part):
      part.run()
      return Ended(operation: operation, outcome: .completed)
    }
  }

  /// Stores the outcome of the operation that a thread ran, and returns the next assignment.
  ///
  /// The caller retains the ended operation during the whole call, so that nothing of it is
  /// released under the lock.
  ///
  /// - Returns: `nil` if an operation has ended and there is no more work. If no operation has
  ///   ended, `nil` means that the thread must end.
  private func next(_ index: Int, after ended: Ended?) -> Assignment? {
    lock.lock()
    if let ended {
      let hasFailed = if case .failed = ended.outcome { true } else { false }
      state.machine.ended(index, hasFailed: hasFailed)
      let tasks = end(ended.operation, ended.outcome)
      if !tasks.isEmpty {
        lock.unlock()
        for task in tasks { task.resume() }
        lock.lock()
      }
      if state.machine.numbers.queued == 0 {
        lock.unlock()
        return nil
      }
    }
    return nextWork(index)
  }

  /// Waits for the next assignment of a thread and returns it, or `nil` if the thread must end;
  /// releases the lock.
  private func nextWork(_ index: Int) -> Assignment? {
    while true {
      linger(index)
      switch state.machine.nextWork(index) {
      case .run(let operation, let help):
        guard let work = operation.state.work.take() else {
          preconditionFailure("an operation must run only once")
        }
        // If the other thread cannot start, this one does all the work.
        try? unlock(giving: help)
        return Assignment(operation: operation, work: work)
      case .rest:
        state.machine.rest(index, at: now())
        sleep(index)
      case .leave:
        state.workers[index].thread = nil
        let tasks = releaseAwaited()
        lock.unlock()
        for task in tasks { task.resume() }
        return nil
      }
    }
  }

  /// Yields to other threads for a short time, because they may submit work.
  private func linger(_ index: Int) {
    // This takes about as long as it takes a thread to fall asleep and wake up again.
    for _ in 0..<20 {
      guard state.machine.mayLinger(index) else { return }
      lock.unlock()
      SystemThread.yield()
      lock.lock()
    }
  }

  /// Puts an idle thread to sleep until it is needed or must end.
  private func sleep(_ index: Int) {
    let condition = state.workers[index].condition
    while state.machine.isIdle(index) {
      let alarm = state.machine.alarm(index)
      switch time {
      case .manual: condition.wait(lock, until: nil)
      case .system:
        condition.wait(lock, until: alarm)
        if let alarm, monotonicTime() >= alarm { carryOutCollection() }
      }
    }
  }

  private func carryOutCollection() {
    let collection = state.machine.collect(at: now())
    signal(collection.leaving)
    if let timekeeper = collection.timekeeper { signal([timekeeper]) }
  }

  private func signal(_ positions: [Int]) {
    for index in positions { state.workers[index].condition.signal() }
  }

  /// Releases the lock, and wakes or starts the thread that an operation needs.
  ///
  /// - Throws: An error if no thread can start and no other thread can run the operation, which is
  ///   removed from the queue again.
  private func unlock(
    giving help: ThreadPoolMachine<OperationRecord>.Help?
  ) throws(ThreadPoolError) {
    switch help {
    case nil: lock.unlock()
    case .wake(let index):
      let condition = state.workers[index].condition
      // The woken thread needs the lock, so the lock is released first. This is safe because the
      // state machine already counts the thread as coming.
      lock.unlock()
      condition.signal()
    case .start(let index, let number):
      let name = ThreadName(pool: name, number: number)
      let errno = SystemThread.start(name) { self.serve(index) }
      let isTakenBack = errno != 0 && state.machine.failedToStart(index)
      lock.unlock()
      if isTakenBack {
        throw ThreadPoolError(
          .noThread, of: self.name, "the system has no thread for it (errno \(errno))")
      }
    }
  }
}

// MARK: - Operations

/// The record of an operation in the pool: its work while it waits, and its outcome afterward.
///
/// The record has no reference to its pool. A reference count that all threads update would cost
/// more than all their other work for an operation.
final class OperationRecord: @unchecked Sendable {
  /// The work of an operation.
  enum Work: Sendable {
    case body(@Sendable () throws -> Void)
    case part(TaskPart)
  }

  /// The mutable state.
  fileprivate struct State {
    var ticket = Ticket()
    /// The work, or `nil` once the operation runs or has ended.
    var work: Work?
    var outcome: ThreadPoolOperation.Outcome?
    var waiters: [Waiter] = []
  }

  // All accesses hold the engine's lock.
  fileprivate var state: State

  init(_ work: Work) {
    state = State(work: work)
  }
}
