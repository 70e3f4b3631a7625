import Testing

@testable import HandoverCore

/// A state machine with simulated threads, and a clock that a test advances.
///
/// Operations are numbers. Started operations are recorded in `begun`, and end only on request.
struct MachineRun {
  typealias Machine = ThreadPoolMachine<Int>

  var machine: Machine
  var now = Duration.zero
  /// The operations in the order in which they started.
  var begun: [Int] = []
  /// The operation that each thread runs.
  var running: [Int: Int] = [:]
  /// The threads that were started or woken, and have not looked for work yet.
  var coming: [Int] = []
  /// The numbers of started and of woken threads.
  var started = 0
  var woken = 0

  init(
    threads: Int = 4, bound: Int? = nil, idleTime: Duration = .seconds(10),
    period: Duration = .seconds(15)
  ) {
    machine = Machine(
      Machine.Limits(
        threads: threads, maximumQueueLength: bound, idleTime: idleTime, collectionPeriod: period))
  }

  var numbers: ThreadPoolCounts { machine.numbers }

  @discardableResult
  mutating func submit(_ operation: Int) -> Machine.Submission {
    let submission = machine.submit(operation)
    if case .accepted(_, let help) = submission { call(help) }
    return submission
  }

  private mutating func call(_ help: Machine.Help?) {
    switch help {
    case .wake(let index):
      woken += 1
      coming.append(index)
    case .start(let index, _):
      started += 1
      coming.append(index)
    case nil: break
    }
  }

  /// Lets a thread look for work until it runs, sleeps or has ended.
  mutating func nextWork(_ index: Int) {
    coming.removeAll { $0 == index }
    switch machine.nextWork(index) {
    case .run(let operation, let help):
      begun.append(operation)
      running[index] = operation
      call(help)
    case .rest: machine.rest(index, at: now)
    case .leave: break
    }
  }

  /// Lets all awake threads look for work.
  mutating func runUntilIdle() {
    while let index = coming.first { nextWork(index) }
  }

  /// Ends the operation of a thread, and lets the thread look for work.
  mutating func end(_ index: Int, hasFailed: Bool = false) {
    running[index] = nil
    machine.ended(index, hasFailed: hasFailed)
    nextWork(index)
  }

  /// Submits operations and runs them to their end, one after the other.
  mutating func runToTheEnd(_ operations: Range<Int>) {
    for operation in operations { submit(operation) }
    runUntilIdle()
    while let index = running.keys.min() {
      end(index)
      runUntilIdle()
    }
  }

  /// Submits simultaneous operations, so that each needs a thread, and ends them.
  mutating func fill(_ count: Int) {
    for operation in 0..<count { submit(operation) }
    runUntilIdle()
    for index in running.keys.sorted() { end(index) }
    runUntilIdle()
  }

  /// Advances the clock to each collection in a period, and to its end.
  mutating func pass(_ time: Duration) {
    let end = now + time
    while let due = machine.collectionDue, due <= end {
      now = max(now, due)
      collect()
    }
    now = end
  }

  mutating func collect() {
    coming += machine.collect(at: now).leaving
    runUntilIdle()
  }

  mutating func shutDown(_ manner: ThreadPoolShutdown) -> [Int] {
    let closing = machine.shutDown(manner)
    coming += closing.leaving
    return closing.refused
  }
}

/// Expects a value whose computation mutates something, which `#expect` does not accept.
func expect<Value: Equatable>(
  _ value: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value == expected, sourceLocation: sourceLocation)
}

@Suite("The decisions of a thread pool")
struct ThreadPoolMachineTests {
  @Test("U66: A pool has no thread before its first operation")
  func noThreadAtFirst() {
    let run = MachineRun()
    #expect(run.numbers == ThreadPoolCounts())
    #expect(run.machine.collectionDue == nil)
  }

  @Test("U67: An operation creates a thread if none is idle, numbered from one, up to the limit")
  func threadsAreMade() {
    var run = MachineRun(threads: 2)
    expect(run.machine.submit(0), is: .accepted(Ticket(), .start(0, number: 1)))
    run.nextWork(0)
    expect(run.machine.submit(1), is: .accepted(Ticket().next, .start(1, number: 2)))
    run.nextWork(1)
    expect(run.machine.submit(2), is: .accepted(Ticket().next.next, nil))
    #expect(run.numbers.threads == 2)
    #expect(run.numbers.queued == 1)
  }

  @Test("U67: An idle thread is used before a new one is created, the most recently idle one first")
  func idleThreadsAreTaken() {
    var run = MachineRun()
    run.fill(3)
    #expect(run.machine.idle.map(\.index) == [0, 1, 2])
    expect(run.submit(7), is: .accepted(run.machine.nextTicket.previous, .wake(2)))
    run.runUntilIdle()
    #expect(run.numbers.threads == 3)
    #expect(run.started == 3)
  }

  @Test("U67: Any number of operations may wait, unless a limit is set")
  func unboundedQueue() {
    var run = MachineRun(threads: 1)
    for operation in 0..<100_000 { run.submit(operation) }
    run.runUntilIdle()
    #expect(run.numbers.queued == 99_999)
  }

  @Test(
    "A queue with a limit is full when all threads are busy and that many operations wait",
    arguments: 0...3)
  func boundedQueue(bound: Int) {
    var run = MachineRun(threads: 2, bound: bound)
    // Whether the threads have arrived by then makes no difference.
    for operation in 0..<(2 + bound) {
      guard case .accepted = run.submit(operation) else {
        Issue.record("the operation \(operation) has room")
        return
      }
    }
    expect(run.submit(9), is: .full)
    run.runUntilIdle()
    expect(run.submit(9), is: .full)
    run.end(0)
    guard case .accepted = run.submit(10) else {
      Issue.record("there is room again")
      return
    }
    expect(run.submit(11), is: .full)
  }

  @Test("U36, U69: Operations start in the order of submission, and end in any order")
  func firstInFirstOut() {
    var run = MachineRun(threads: 2)
    for operation in 0..<5 { run.submit(operation) }
    run.runUntilIdle()
    #expect(run.begun == [0, 1])
    run.end(1)
    run.runUntilIdle()
    run.end(1)
    run.runUntilIdle()
    run.end(0)
    run.runUntilIdle()
    #expect(run.begun == [0, 1, 2, 3, 4])
  }

  @Test("U68: Operations in quick succession get a thread each, however late the threads arrive")
  func noThreadIsPromisedTwice() {
    var run = MachineRun()
    run.fill(4)
    for operation in 10..<14 { run.submit(operation) }
    // One thread is started for all; it starts the next before it runs an operation.
    #expect(run.coming.count == 1)
    run.runUntilIdle()
    #expect(run.running.count == 4)
    #expect(run.numbers.queued == 0)
  }

  @Test("U69: An operation that fails does not end its thread")
  func failure() {
    var run = MachineRun(threads: 1)
    run.submit(0)
    run.submit(1)
    run.runUntilIdle()
    run.end(0, hasFailed: true)
    #expect(run.running == [0: 1])
    run.end(0)
    #expect(run.numbers.failed == 1)
    #expect(run.numbers.completed == 1)
    #expect(run.numbers.threads == 1)
    #expect(run.started == 1)
  }

  @Test(
    "U70: Threads that were idle for 10 s end at the collection, 15 s after the first became idle")
  func collection() {
    var run = MachineRun()
    run.fill(4)
    run.pass(.seconds(15) - .nanoseconds(1))
    #expect(run.numbers.threads == 4)
    run.pass(.nanoseconds(1))
    #expect(run.numbers.threads == 0)
    #expect(run.machine.collectionDue == nil)
  }

  @Test("U70: A thread that was idle for less than 10 s stays until the next collection")
  func youngThreadsStay() {
    var run = MachineRun()
    run.fill(2)
    run.pass(.seconds(5) + .nanoseconds(1))
    run.runToTheEnd(0..<1)
    run.pass(.seconds(10))
    #expect(run.numbers.threads == 1)
    run.pass(.seconds(14))
    #expect(run.numbers.threads == 1)
    run.pass(.seconds(1))
    #expect(run.numbers.threads == 0)
  }

  @Test("U70: An operation before the collection uses an existing thread")
  func reuse() {
    var run = MachineRun()
    run.runToTheEnd(0..<1)
    run.pass(.seconds(9))
    run.runToTheEnd(1..<2)
    #expect(run.started == 1)
    #expect(run.woken == 1)
  }

  @Test("U70: Busy threads are never collected, and are collected after they were idle")
  func workingThreadsStay() {
    var run = MachineRun()
    run.submit(0)
    run.runUntilIdle()
    run.pass(.seconds(100))
    #expect(run.numbers.threads == 1)
    run.end(0)
    run.pass(.seconds(14))
    #expect(run.numbers.threads == 1)
    run.pass(.seconds(1))
    #expect(run.numbers.threads == 0)
  }

  @Test("U71: A steady stream of operations does not keep unneeded threads")
  func steadyWork() {
    var run = MachineRun()
    run.fill(4)
    for second in 0..<15 {
      run.pass(.seconds(1))
      run.runToTheEnd(second..<(second + 1))
    }
    #expect(run.numbers.threads == 1)
    #expect(run.started == 4)
  }

  @Test("U72: A thread that must end keeps its slot until its end, and takes work if there is any")
  func leavingThreads() {
    var run = MachineRun(threads: 1)
    run.runToTheEnd(0..<1)
    run.now = .seconds(20)
    expect(run.machine.collect(at: run.now), is: ThreadPoolMachine.Collection(leaving: [0]))
    #expect(run.numbers.threads == 1)
    expect(run.submit(1), is: .accepted(run.machine.nextTicket.previous, nil))
    run.nextWork(0)
    #expect(run.running == [0: 1])
    run.end(0)
    #expect(run.machine.isIdle(0))
    #expect(run.machine.collectionDue == .seconds(35))
  }

  @Test("One idle thread keeps the timer, and passes it on when it ends")
  func timekeeper() {
    var run = MachineRun(threads: 2)
    run.fill(2)
    #expect(run.machine.alarm(0) == .seconds(15))
    #expect(run.machine.alarm(1) == nil)
    run.now = .seconds(6)
    run.runToTheEnd(0..<1)
    run.now = .seconds(15)
    expect(
      run.machine.collect(at: run.now),
      is: ThreadPoolMachine.Collection(leaving: [0], timekeeper: 1))
    #expect(run.machine.alarm(1) == .seconds(30))
  }

  @Test("A collection that is too early, or is repeated, has no effect")
  func collectingTooOften() {
    var run = MachineRun()
    run.fill(2)
    run.now = .seconds(14)
    expect(run.machine.collect(at: run.now), is: ThreadPoolMachine.Collection())
    run.now = .seconds(15)
    expect(run.machine.collect(at: run.now).leaving, is: [0, 1])
    expect(run.machine.collect(at: run.now), is: ThreadPoolMachine.Collection())
  }

  @Test("U73: An orderly shutdown runs what was accepted, and accepts nothing more")
  func orderly() {
    var run = MachineRun(threads: 1)
    for operation in 0..<3 { run.submit(operation) }
    run.runUntilIdle()
    expect(run.shutDown(.orderly), is: [])
    expect(run.submit(3), is: .closed)
    for _ in 0..<3 { run.end(0) }
    #expect(run.begun == [0, 1, 2])
    #expect(run.machine.isTerminated)
  }

  @Test("U73: An immediate shutdown refuses waiting operations, and lets running ones finish")
  func immediate() {
    var run = MachineRun(threads: 1)
    for operation in 0..<3 { run.submit(operation) }
    run.runUntilIdle()
    expect(run.shutDown(.immediate), is: [1, 2])
    #expect(run.numbers.refused == 2)
    expect(run.submit(3), is: .closed)
    #expect(!run.machine.isTerminated)
    run.end(0)
    #expect(run.begun == [0])
    #expect(run.machine.isTerminated)
  }

  @Test("A shutdown may be requested twice, and an orderly one may become immediate")
  func shutdownTwice() {
    var run = MachineRun(threads: 1)
    for operation in 0..<2 { run.submit(operation) }
    run.runUntilIdle()
    expect(run.shutDown(.orderly), is: [])
    expect(run.shutDown(.orderly), is: [])
    expect(run.shutDown(.immediate), is: [1])
    expect(run.shutDown(.orderly), is: [])
    run.end(0)
    #expect(run.machine.isTerminated)
    expect(run.shutDown(.immediate), is: [])
  }

  @Test("Idle threads end at a shutdown, and a pool without threads is shut down immediately")
  func idleThreadsLeave() {
    var run = MachineRun()
    run.fill(3)
    _ = run.shutDown(.orderly)
    #expect(run.coming == [0, 1, 2])
    run.runUntilIdle()
    #expect(run.machine.isTerminated)
    var unused = MachineRun()
    _ = unused.shutDown(.immediate)
    #expect(unused.machine.isTerminated)
  }

  @Test("U74: A running operation is not counted as queued")
  func queuedNumber() {
    var run = MachineRun(threads: 2)
    for operation in 0..<5 { run.submit(operation) }
    run.runUntilIdle()
    #expect(run.numbers.queued == 3)
    #expect(run.numbers.running == 2)
    #expect(run.numbers.threads - run.numbers.running == 0)
  }

  @Test("U75: A ticket is complete exactly when all operations before it have ended")
  func waitingForTickets() {
    var run = MachineRun(threads: 2)
    for operation in 0..<3 { run.submit(operation) }
    run.runUntilIdle()
    let ticket = run.machine.nextTicket
    run.submit(3)
    run.end(1)
    run.end(1)
    #expect(run.begun == [0, 1, 2, 3])
    #expect(!run.machine.haveEnded(before: ticket))
    run.end(0)
    // The later operation is still running.
    #expect(run.machine.haveEnded(before: ticket))
    #expect(!run.machine.haveEnded(before: run.machine.nextTicket))
  }

  @Test("U82: A waiting operation can be cancelled; one that runs or has ended cannot")
  func cancelling() {
    var run = MachineRun(threads: 1)
    var tickets: [Ticket] = []
    for operation in 0..<3 {
      tickets.append(run.machine.nextTicket)
      run.submit(operation)
    }
    run.runUntilIdle()
    expect(run.machine.cancel(tickets[0]), is: nil)
    expect(run.machine.cancel(tickets[1]), is: 1)
    expect(run.machine.cancel(tickets[1]), is: nil)
    run.end(0)
    run.end(0)
    #expect(run.begun == [0, 2])
    expect(run.machine.cancel(tickets[2]), is: nil)
    #expect(run.numbers.cancelled == 1)
  }

  @Test(
    "U81: An operation whose thread cannot be started is rejected if no other thread can run it")
  func noThread() {
    var run = MachineRun(threads: 2)
    run.submit(0)
    expect(run.machine.failedToStart(0), is: true)
    #expect(run.numbers == ThreadPoolCounts())
    run.coming = []
    run.submit(1)
    run.runUntilIdle()
    run.submit(2)
    expect(run.machine.failedToStart(1), is: false)
    run.coming = []
    run.end(0)
    #expect(run.begun == [1, 2])
  }

  @Test("One thread at a time lingers, while nothing waits and no thread has to end")
  func lingering() {
    var run = MachineRun(threads: 2)
    for operation in 0..<2 { run.submit(operation) }
    run.runUntilIdle()
    run.machine.ended(0, hasFailed: false)
    #expect(run.machine.mayLinger(0))
    run.machine.ended(1, hasFailed: false)
    #expect(!run.machine.mayLinger(0))
    run.nextWork(1)
    #expect(run.machine.mayLinger(0))
    // The lingering thread counts as arriving, so no thread is woken.
    expect(run.submit(2), is: .accepted(run.machine.nextTicket.previous, nil))
    #expect(!run.machine.mayLinger(0))
    run.nextWork(0)
    run.machine.ended(0, hasFailed: false)
    _ = run.machine.shutDown(.orderly)
    #expect(!run.machine.mayLinger(0))
  }
}

extension Ticket {
  /// The ticket before this one.
  fileprivate var previous: Ticket {
    var ticket = Ticket()
    while ticket.next < self { ticket = ticket.next }
    return ticket
  }
}
