import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Checks the records of a run against the article's sentences about thread pools.
///
/// The oracle tracks the operations and the threads, and knows nothing else. An operation is a
/// short request. It is submitted when it arrives, starts when a thread takes it, and is over when
/// its user is notified of the end.
struct ThreadOracle {
  private struct Pool: Hashable {
    var host: UInt32
    var pool: UInt32
  }

  private struct Threads {
    /// The waiting operations, in the order of arrival.
    var queue: [UInt32] = []
    /// The operation that each busy thread runs.
    var running: [UInt32: UInt32] = [:]
    /// The idle threads, and when they became idle.
    var idle: [UInt32: Instant] = [:]
    var made: UInt32 = 0

    var count: Int { running.count + idle.count }
  }

  private let script: Script
  private let limit: Int
  private let settings: ThreadConfiguration
  private var pools: [Pool: Threads] = [:]
  private var now = Instant.zero
  /// The number of times that a thread was reused, and the number of collected threads.
  private(set) var reused = 0
  private(set) var collected = 0
  /// The violated sentences.
  private(set) var complaints: [String] = []

  init?(_ script: Script) {
    guard let settings = script.configuration.requests.threads else { return nil }
    self.script = script
    self.settings = settings
    limit = Int(script.configuration.requests.limits.total)
  }

  mutating func read(_ records: some Sequence<TraceRecord>) {
    for record in records {
      if record.at > now { closeInstant() }
      now = record.at
      switch record.body {
      case .request(let fact): read(fact)
      case .world(.runEnded): closeRun()
      default: break
      }
    }
  }

  private mutating func complain(_ sentence: String) {
    complaints.append("at \(now.text): \(sentence)")
  }

  private func pool(of request: UInt32) -> Pool {
    let wanted = script.requests[Int(request)]
    return Pool(host: UInt32(wanted.host), pool: UInt32(wanted.pool))
  }

  private mutating func read(_ fact: RequestFact) {
    switch fact {
    case .arrived(let request, _): pools[pool(of: request), default: Threads()].queue += [request]
    case .runsOn(let request, let thread): begin(request, on: thread)
    case .ended(let request, _): end(request)
    case .thread(let change, let thread, let host, let pool):
      read(change, of: thread, in: Pool(host: host, pool: pool))
    default: break
    }
  }

  /// "Each time a thread completes an operation, it fetches the next from the queue".
  private mutating func begin(_ request: UInt32, on thread: UInt32) {
    let pool = pool(of: request)
    var threads = pools[pool] ?? Threads()
    if threads.queue.first != request { complain("operation \(request) is not the next") }
    threads.queue.removeAll { $0 == request }
    if threads.running[thread] != nil { complain("thread \(thread) runs two operations") }
    guard let since = threads.idle.removeValue(forKey: thread) else {
      return complain("thread \(thread) does not exist")
    }
    if since > .zero { reused += 1 }
    threads.running[thread] = request
    // "featuring a configurable number of threads that will never be exceeded"
    if threads.running.count > limit { complain("\(threads.running.count) operations run") }
    pools[pool] = threads
  }

  private mutating func end(_ request: UInt32) {
    let pool = pool(of: request)
    pools[pool]?.queue.removeAll { $0 == request }
    for (thread, running) in pools[pool]?.running ?? [:] where running == request {
      pools[pool]?.running[thread] = nil
      pools[pool]?.idle[thread] = now
    }
  }

  private mutating func read(_ change: ThreadChange, of thread: UInt32, in pool: Pool) {
    var threads = pools[pool] ?? Threads()
    switch change {
    case .made:
      // "Add a new operation and the thread will be reused, or a new one will be created."
      if !threads.idle.isEmpty { complain("thread \(thread) is made beside an idle one") }
      if threads.queue.isEmpty { complain("thread \(thread) is made for nothing") }
      threads.made += 1
      if thread != threads.made { complain("the new thread is \(thread)") }
      threads.idle[thread] = .zero
      if threads.count > limit { complain("there are \(threads.count) threads") }
    case .rests:
      if threads.idle[thread] == nil { complain("thread \(thread) rests with work") }
    case .collected:
      // "Once a thread has no more operations to execute, it is scheduled for disposal"
      collected += 1
      guard let since = threads.idle.removeValue(forKey: thread) else {
        return complain("thread \(thread) is collected with work")
      }
      if now < since + settings.idle { complain("thread \(thread) is collected too early") }
    case .ended:
      threads.idle[thread] = nil
    }
    pools[pool] = threads
  }

  /// Checks what must be true when all events of an instant have happened.
  private mutating func closeInstant() {
    for (pool, threads) in pools {
      if !threads.queue.isEmpty, threads.running.count < limit {
        complain("operations wait for \(pool) beside idle threads, or room for more")
      }
      // "and a timed collector will dispose of it soon after"
      for (thread, since) in threads.idle where since + settings.idle + settings.collect < now {
        complain("thread \(thread) of \(pool) was still there")
      }
    }
  }

  private mutating func closeRun() {
    closeInstant()
    for (pool, threads) in pools {
      if !threads.queue.isEmpty { complain("operations wait for \(pool) for ever") }
      if threads.count > 0 { complain("\(threads.count) threads of \(pool) remain") }
    }
  }
}

/// Random operations from a seed: bursts and pauses, failures and cancellations.
struct DrawnOperations {
  private var generator: SeededGenerator
  private(set) var timeline: [String] = []
  private(set) var config = ""
  private var count = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let total = pick(["1", "2", "3", "4", "6"])
    let threads = pick([
      "{}", "{}", #"{"idle": "1s"}"#, #"{"idle": "0s", "collect": "2s"}"#,
      #"{"idle": "7s", "collect": "3s"}"#, #"{"idle": "20s", "collect": "1s"}"#,
    ])
    config = #""requests": {"total": \#(total), "threads": \#(threads)}"#
    for _ in 0..<(5 + draw(40)) { addEntry() }
  }

  private mutating func draw(_ count: UInt64) -> UInt64 {
    generator.next(upToAndIncluding: count - 1)
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int(draw(UInt64(words.count)))]
  }

  private mutating func addEntry() {
    let delay = pick(["0s", "0s", "0s", "10ms", "1s", "1s", "3s", "9s", "10s", "16s", "40s"])
    guard count == 0 || draw(8) > 0 else {
      timeline.append(#"{"at": "+\#(delay)", "cancel": "o\#(draw(UInt64(count)))"}"#)
      return
    }
    var operation = #""id": "o\#(count)", "host": "\#(pick(["a:80", "a:80", "b:80"]))""#
    count += 1
    operation += #", "takes": "\#(pick(["0s", "10ms", "1s", "1s", "4s", "15s", "30s"]))""#
    if draw(5) == 0 { operation += #", "timeout": "\#(pick(["500ms", "2s", "9s"]))""# }
    if draw(8) == 0 { operation += #", "deadline": "\#(pick(["500ms", "5s"]))""# }
    if draw(6) == 0 { operation += #", "kind": "synchronous""# }
    if draw(5) == 0 { operation += #", "pool": "own""# }
    timeline.append(#"{"at": "+\#(delay)", "request": {\#(operation)}}"#)
  }
}

@Suite("Threads checked against the sentences of the article")
struct ThreadOracleTests {
  private static func oracle(
    _ drawn: DrawnOperations, _ form: OrderForm = .file
  ) throws -> ThreadOracle {
    let scenario = try Sample.scenario(
      timeline: drawn.timeline, profiles: [.urlDispatcher], hosts: #""a:80": {}, "b:80": {}"#,
      config: form.config(drawn.config), flags: #"["Reachable"]"#)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    #expect(result.findings == [])
    var oracle = try #require(ThreadOracle(scenario.script))
    oracle.read(try #require(result.trace).records)
    return oracle
  }

  @Test("Random operations satisfy the sentences", arguments: UInt64(1)...400)
  func drawn(_ seed: UInt64) throws {
    let drawn = DrawnOperations(seed: seed)
    let oracle = try Self.oracle(drawn)
    #expect(
      oracle.complaints == [],
      "seed \(seed)\n\(drawn.config)\n\(drawn.timeline.joined(separator: "\n"))")
  }

  @Test(
    "The sentences are satisfied in any order at one instant", arguments: UInt64(1)...20,
    OrderForm.all)
  func order(_ seed: UInt64, _ form: OrderForm) throws {
    let drawn = DrawnOperations(seed: seed)
    let oracle = try Self.oracle(drawn, form)
    #expect(
      oracle.complaints == [],
      "seed \(seed)\n\(form.json)\n\(drawn.config)\n\(drawn.timeline.joined(separator: "\n"))")
  }

  @Test("The random runs reuse and collect threads")
  func reach() throws {
    var (reused, collected) = (0, 0)
    for seed in UInt64(1)...20 {
      let oracle = try Self.oracle(DrawnOperations(seed: seed))
      reused += oracle.reused
      collected += oracle.collected
    }
    #expect(reused > 100)
    #expect(collected > 20)
  }
}
