import HandoverCore
import HandoverThreadPoolMachine
import HandoverTrace

/// The threads of a run: a pool for each endpoint of each dispatcher, made when it is first needed.
///
/// What a pool decides stands in `ThreadPoolMachine`, which real threads follow too. Here a thread
/// that is called, or has ended its request, looks at the queue before anything else happens.
struct ThreadHost {
  private typealias Machine = ThreadPoolMachine<UInt32>

  private struct Pool {
    var machine: Machine
    /// What names the pool in the trace.
    var host: UInt32
    var pool: UInt32
    /// The number of the thread at each place.
    var numbers: [UInt32] = []
    /// The places of the threads that have yet to look, in the order of their waking.
    var awake: [Int] = []
    /// When the next collection is due, as the agenda knows it.
    var alarm: (due: Instant, handle: Agenda<UInt32>.Handle)?
  }

  private let settings: ThreadConfiguration
  private var pools: [Pool?]
  /// The place of the thread that each request of the script has.
  private var places: [Int?]
  /// The pools with threads that have yet to look.
  private var stirred: [Int] = []
  /// How many threads there are.
  private(set) var count = 0
  /// What has happened and was not recorded.
  private var facts: [RequestFact] = []

  init(_ settings: ThreadConfiguration, pools: Int, requests: Int) {
    self.settings = settings
    self.pools = Array(repeating: nil, count: pools)
    places = Array(repeating: nil, count: requests)
  }

  /// Records what has happened, and lets the agenda know when idle threads of some pools are looked
  /// at next.
  private mutating func record(changing pools: [Int], _ context: inout Context) {
    for fact in facts { context.record(fact) }
    facts.removeAll(keepingCapacity: true)
    for pool in pools { schedule(pool, in: &context.collections) }
  }

  // MARK: Requests

  /// A request has taken a slot, of so many of its endpoint: a thread runs it.
  mutating func occupy(
    _ request: Int, slots: UInt32, _ table: RequestTable, _ context: inout Context
  ) {
    let wanted = context.script.requests[request]
    // What needs no slot needs no thread of the pool.
    guard wanted.kind != .exempt else { return }
    let place = table.threadPool(of: request, context)
    let host = table.endpointHosts[Int(table.endpoints[wanted.host].index)]
    open(
      place, host: UInt32(truncatingIfNeeded: host), pool: UInt32(truncatingIfNeeded: wanted.pool),
      threads: slots)
    run(UInt32(truncatingIfNeeded: request), in: place)
    record(changing: [place], &context)
  }

  /// Makes the pool at a place, where there is none.
  private mutating func open(_ place: Int, host: UInt32, pool: UInt32, threads: UInt32) {
    guard pools[place] == nil else { return }
    let limits = Machine.Limits(
      threads: Int(threads), idleTime: settings.idle.duration,
      collectionPeriod: settings.collect.duration)
    pools[place] = Pool(machine: Machine(limits), host: host, pool: pool)
  }

  /// Lets a thread of a pool run a request.
  private mutating func run(_ request: UInt32, in place: Int) {
    guard case .accepted(_, let help)? = pools[place]?.machine.submit(request) else { return }
    heed(help, in: place)
    // Who was called looks; a pool whose threads are all taken lets the request wait.
    if pools[place]?.machine.numbers.queued ?? 0 > 0 { _ = look(place) }
  }

  /// The thread of a request has nothing more to do with it.
  mutating func release(_ request: Int, in place: Int) {
    guard let thread = places[request].take() else { return }
    pools[place]?.machine.ended(thread, hasFailed: false)
    pools[place]?.awake.append(thread)
    stirred.append(place)
  }

  /// Carries out what a pool wants done for an operation.
  private mutating func heed(_ help: Machine.Help?, in place: Int) {
    switch help {
    case .wake(let thread): pools[place]?.awake.append(thread)
    case .start(let thread, let number):
      count += 1
      let number = UInt32(truncatingIfNeeded: number)
      if thread == pools[place]?.numbers.count { pools[place]?.numbers.append(number) }
      pools[place]?.numbers[thread] = number
      pools[place]?.awake.append(thread)
      tell(.made, thread, in: place)
    case nil: break
    }
  }

  /// Lets the thread that is awake longest look at the queue.
  ///
  /// - Returns: the thread that has found nothing, and rests or leaves.
  private mutating func look(_ place: Int) -> (thread: Int, leaves: Bool)? {
    guard pools[place]?.awake.isEmpty == false, let thread = pools[place]?.awake.removeFirst()
    else { return nil }
    switch pools[place]?.machine.look(thread) {
    case .run(let request, let help)?:
      places[Int(request)] = thread
      if let number = pools[place]?.numbers[thread] {
        facts.append(.runsOn(request: request, thread: number))
      }
      heed(help, in: place)
      return nil
    case .rest?: return (thread, false)
    case .leave?:
      count -= 1
      return (thread, true)
    case nil: return nil
    }
  }

  private mutating func tell(_ change: ThreadChange, _ thread: Int, in place: Int) {
    guard let pool = pools[place] else { return }
    facts.append(.thread(change, pool.numbers[thread], host: pool.host, pool: pool.pool))
  }

  // MARK: Idle threads

  /// Lets all threads that are awake look, and rest where there is nothing for them.
  mutating func rest(_ context: inout Context) {
    for place in stirred { lookAll(place, ending: .ended, at: context.now) }
    record(changing: stirred, &context)
    stirred.removeAll(keepingCapacity: true)
  }

  private mutating func lookAll(_ place: Int, ending change: ThreadChange, at now: Instant) {
    while pools[place]?.awake.isEmpty == false {
      guard let (thread, leaves) = look(place) else { continue }
      tell(leaves ? change : .rests, thread, in: place)
      if !leaves { pools[place]?.machine.rest(thread, at: now.duration) }
    }
  }

  /// Ends the idle threads of the pools whose time has come.
  mutating func collect(_ context: inout Context) {
    while let due = context.collections.nextInstant, due <= context.now,
      let place = context.collections.popFirst()
    {
      collect(Int(place), at: context.now)
      record(changing: [Int(place)], &context)
    }
  }

  private mutating func collect(_ place: Int, at now: Instant) {
    pools[place]?.alarm = nil
    guard let collection = pools[place]?.machine.collect(at: now.duration) else { return }
    pools[place]?.awake += collection.leaving
    lookAll(place, ending: .collected, at: now)
  }

  /// Ends the pools of a dispatcher, one for each endpoint, and those of their threads that run
  /// nothing.
  mutating func close(pool: Int, endpoints: Int) {
    for endpoint in 0..<endpoints { close(pool * endpoints + endpoint) }
  }

  private mutating func close(_ place: Int) {
    guard let closing = pools[place]?.machine.shutDown(.orderly) else { return }
    pools[place]?.awake += closing.leaving
    stirred.append(place)
  }

  /// When the idle threads of a pool must be looked at; nil while none is idle.
  private func due(_ place: Int) -> Instant? {
    guard let machine = pools[place]?.machine, let first = machine.idle.first else { return nil }
    return machine.alarm(first.place).map(Instant.init)
  }

  /// Lets an agenda know when the next collection of a pool is due.
  private mutating func schedule(_ place: Int, in agenda: inout Agenda<UInt32>) {
    let due = due(place)
    guard due != pools[place]?.alarm?.due else { return }
    if let alarm = pools[place]?.alarm { agenda.cancel(alarm.handle) }
    pools[place]?.alarm = due.map {
      ($0, agenda.schedule(UInt32(truncatingIfNeeded: place), at: $0, .transport))
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
