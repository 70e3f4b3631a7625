import HandoverCore

/// The threads of a run: one pool per endpoint and dispatcher, created when it is first needed.
///
/// `ThreadPoolMachine` makes the decisions of a pool, as it does for real threads. In the
/// simulation, a thread that is woken or has finished its request checks the queue before anything
/// else happens.
struct ThreadHost {
  private typealias Machine = ThreadPoolMachine<UInt32>

  private struct Pool {
    var machine: Machine
    /// The host and the pool that identify this pool in the trace.
    var host: UInt32
    var pool: UInt32
    /// The number of the thread at each index.
    var numbers: [UInt32] = []
    /// The indices of the threads that must still check the queue, in the order in which they woke
    /// up.
    var awake: [Int] = []
    /// The next scheduled collection of idle threads.
    var alarm: (due: Instant, handle: Agenda<UInt32>.Handle)?
  }

  private let settings: ThreadConfiguration
  private var pools: [Pool?]
  /// The index of the thread that runs each request of the script.
  private var positions: [Int?]
  /// The pools with threads that must still check the queue.
  private var stirred: [Int] = []
  /// The number of threads.
  private(set) var count = 0
  /// The facts that were not yet recorded.
  private var facts: [RequestFact] = []

  init(_ settings: ThreadConfiguration, pools: Int, requests: Int) {
    self.settings = settings
    self.pools = Array(repeating: nil, count: pools)
    positions = Array(repeating: nil, count: requests)
  }

  /// Records the pending facts, and reschedules the collection of idle threads of some pools.
  private mutating func record(changing pools: [Int], _ context: inout Context) {
    for fact in facts { context.record(fact) }
    facts.removeAll(keepingCapacity: true)
    for pool in pools { schedule(pool, in: &context.collections) }
  }

  // MARK: The digest

  /// Adds to a digest the state that determines the future of the threads.
  ///
  /// A ticket is represented by the number of tickets that were issued after it.
  func combine(into digest: inout StateDigest) {
    digest.combine(pools.count)
    for pool in pools {
      digest.combine(pool != nil)
      if let pool { combine(pool, into: &digest) }
    }
    for thread in positions { digest.combine(thread.map { UInt64($0) } ?? .max) }
    digest.combine(stirred.count)
    for pool in stirred { digest.combine(pool) }
    assert(facts.isEmpty, "facts must be recorded immediately")
  }

  private func combine(_ pool: Pool, into digest: inout StateDigest) {
    let machine = pool.machine
    let next = machine.nextTicket.number
    digest.combine(machine.phase == .closed)
    digest.combine(machine.startedCount)
    digest.combine(machine.threads.count)
    for thread in machine.threads {
      switch thread {
      case .absent: digest.combine(0)
      case .coming(let mayLeave): digest.combine(mayLeave ? 2 : 1)
      case .running(let ticket): digest.combine(4 + (next - ticket.number))
      case .idle: digest.combine(3)
      }
    }
    digest.combine(machine.numbers.queued)
    for (ticket, request) in machine.waiting {
      digest.combine(next - ticket.number)
      digest.combine(request)
    }
    digest.combine(machine.idle.count)
    for idle in machine.idle {
      digest.combine(idle.index)
      digest.combine(Instant(idle.since))
    }
    digest.combine(machine.collectionDue.map { Instant($0) } ?? .never)
    for number in pool.numbers { digest.combine(number) }
    digest.combine(pool.awake.count)
    for thread in pool.awake { digest.combine(thread) }
    digest.combine(pool.alarm?.due ?? .never)
  }

  // MARK: Requests

  /// Runs a request that has taken a slot on a thread.
  ///
  /// `slots` is the number of used slots of its endpoint.
  mutating func occupy(
    _ request: Int, slots: UInt32, _ table: SimulatedRequestTable, _ context: inout Context
  ) {
    let wanted = context.script.requests[request]
    // A request that needs no slot needs no thread of the pool.
    guard wanted.kind != .exempt else { return }
    let index = table.threadPool(of: request, context)
    let host = table.endpointHosts[Int(table.endpoints[wanted.host].index)]
    open(
      index, host: UInt32(truncatingIfNeeded: host), pool: UInt32(truncatingIfNeeded: wanted.pool),
      threads: slots)
    run(UInt32(truncatingIfNeeded: request), in: index)
    record(changing: [index], &context)
  }

  /// Creates the pool at an index, if there is none.
  private mutating func open(_ index: Int, host: UInt32, pool: UInt32, threads: UInt32) {
    guard pools[index] == nil else { return }
    let limits = Machine.Limits(
      threads: Int(threads), idleTime: settings.idle.duration,
      collectionPeriod: settings.collect.duration)
    pools[index] = Pool(machine: Machine(limits), host: host, pool: pool)
  }

  /// Submits a request to a pool.
  private mutating func run(_ request: UInt32, in index: Int) {
    guard case .accepted(_, let help)? = pools[index]?.machine.submit(request) else { return }
    apply(help, in: index)
    // A woken thread checks the queue. If all threads of the pool are busy, the request waits.
    if pools[index]?.machine.numbers.queued ?? 0 > 0 { _ = assignWork(index) }
  }

  /// Releases the thread of a request.
  mutating func release(_ request: Int, in index: Int) {
    guard let thread = positions[request].take() else { return }
    pools[index]?.machine.ended(thread, hasFailed: false)
    pools[index]?.awake.append(thread)
    stirred.append(index)
  }

  /// Wakes or starts the thread that a pool requests.
  private mutating func apply(_ help: Machine.Help?, in index: Int) {
    switch help {
    case .wake(let thread): pools[index]?.awake.append(thread)
    case .start(let thread, let number):
      count += 1
      let number = UInt32(truncatingIfNeeded: number)
      if thread == pools[index]?.numbers.count { pools[index]?.numbers.append(number) }
      pools[index]?.numbers[thread] = number
      pools[index]?.awake.append(thread)
      record(.made, thread, in: index)
    case nil: break
    }
  }

  /// Makes the thread that woke up first check the queue.
  ///
  /// - Returns: the thread that found no request, and whether it leaves instead of resting.
  private mutating func assignWork(_ index: Int) -> (thread: Int, leaves: Bool)? {
    guard pools[index]?.awake.isEmpty == false, let thread = pools[index]?.awake.removeFirst()
    else { return nil }
    switch pools[index]?.machine.nextWork(thread) {
    case .run(let request, let help)?:
      positions[Int(request)] = thread
      if let number = pools[index]?.numbers[thread] {
        facts.append(.runsOn(request: request, thread: number))
      }
      apply(help, in: index)
      return nil
    case .rest?: return (thread, false)
    case .leave?:
      count -= 1
      return (thread, true)
    case nil: return nil
    }
  }

  private mutating func record(_ change: ThreadChange, _ thread: Int, in index: Int) {
    guard let pool = pools[index] else { return }
    facts.append(.thread(change, pool.numbers[thread], host: pool.host, pool: pool.pool))
  }

  // MARK: Idle threads

  /// Makes all woken threads check the queue.
  ///
  /// Threads that find no request rest or leave.
  mutating func rest(_ context: inout Context) {
    for index in stirred { recordThreadChanges(index, ending: .ended, at: context.now) }
    record(changing: stirred, &context)
    stirred.removeAll(keepingCapacity: true)
  }

  private mutating func recordThreadChanges(
    _ index: Int, ending change: ThreadChange, at now: Instant
  ) {
    while pools[index]?.awake.isEmpty == false {
      guard let (thread, leaves) = assignWork(index) else { continue }
      record(leaves ? change : .rests, thread, in: index)
      if !leaves { pools[index]?.machine.rest(thread, at: now.duration) }
    }
  }

  /// Ends idle threads of the pools whose collection is due.
  mutating func collect(_ context: inout Context) {
    while let due = context.collections.nextInstant, due <= context.now,
      let index = context.collections.popFirst()
    {
      collect(Int(index), at: context.now)
      record(changing: [Int(index)], &context)
    }
  }

  private mutating func collect(_ index: Int, at now: Instant) {
    pools[index]?.alarm = nil
    guard let collection = pools[index]?.machine.collect(at: now.duration) else { return }
    pools[index]?.awake += collection.leaving
    recordThreadChanges(index, ending: .collected, at: now)
  }

  /// Closes the pools of a dispatcher, one per endpoint, and ends their idle threads.
  mutating func close(pool: Int, endpoints: Int) {
    for endpoint in 0..<endpoints { close(pool * endpoints + endpoint) }
  }

  private mutating func close(_ index: Int) {
    guard let closing = pools[index]?.machine.shutDown(.orderly) else { return }
    pools[index]?.awake += closing.leaving
    stirred.append(index)
  }

  /// Returns when the idle threads of a pool must be collected, or `nil` if no thread is idle.
  private func due(_ index: Int) -> Instant? {
    guard let machine = pools[index]?.machine, let first = machine.idle.first else { return nil }
    return machine.alarm(first.index).map(Instant.init)
  }

  /// Schedules the next collection of a pool.
  private mutating func schedule(_ index: Int, in agenda: inout Agenda<UInt32>) {
    let due = due(index)
    guard due != pools[index]?.alarm?.due else { return }
    if let alarm = pools[index]?.alarm { agenda.cancel(alarm.handle) }
    pools[index]?.alarm = due.map {
      ($0, agenda.schedule(UInt32(truncatingIfNeeded: index), at: $0, .transport))
    }
  }
}

extension Interval {
  fileprivate var duration: Duration { .microseconds(microseconds) }
}

extension Instant {
  fileprivate var duration: Duration { .microseconds(microseconds) }

  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
