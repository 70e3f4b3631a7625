import ArgumentParser
import Dispatch
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverSimulation
import HandoverTrace
import Synchronization

/// Runs scenarios on a number of threads and hands the results over in the order of the plan.
///
/// The threads share nothing that a run changes, so that a fault costs one case: the thread ends
/// where it stands, the case is an ERROR with the signal's name, and a fresh thread goes on with
/// what is left of the scenario. Likewise where a thread ends that worked for the case, such as an
/// event loop: then the thread of the case may wait for ever, and is left where it stands. Whoever
/// calls collects the results, and runs nothing itself.
struct ParallelRun: Sendable {
  var backend: any Backend
  /// What reports need of the runs.
  var keeps: Worker.Kept
  var jobs: Int
  /// How often each scenario is run; more than one must give the same trace each time.
  var repeatCount: Int
  var failsFast: Bool
  /// The variants of the transport that each case is played on besides.
  var variants: [TransportVariant] = []
  /// What each case must keep besides.
  var gates = Gates()
  /// Which cases are known to fail.
  var known = KnownFailures([])
  /// Takes each case whose trace is long as soon as it is over.
  var takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)?
  var interruption: Interruption
  /// What has broken before, by the places of scenarios and profiles; that is not run.
  var brokenBefore: Faults = [:]
  /// Whether people are told how far the work has come, and what stands before that.
  var progress = ProgressChoice.auto
  var progressLabel: String?
  /// Which part of the work it is, for faults that are asked for.
  var part = Provocation.Part.run

  /// Faults, by the places of scenarios in a plan and of profiles in a scenario.
  typealias Faults = [Int: [Int: Fault]]

  /// How many faults are survived; each leaves behind what its thread held.
  static let maximumFaults = 1_000
  /// How long cases that are under way may go on after a signal, in microseconds.
  fileprivate static let grace: Int64 = 200_000

  /// Refuses a number of threads that nobody can mean.
  static func validate(jobs: Int) throws {
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to 256.")
    }
  }

  /// Simulations that go before runs in real time.
  static func rehearsal(
    jobs: Int, variants: [TransportVariant], _ interruption: Interruption,
    _ progress: ProgressChoice
  ) -> ParallelRun {
    ParallelRun(
      backend: SimulatedBackend(), keeps: .traces, jobs: jobs, repeatCount: 1, failsFast: false,
      variants: variants, interruption: interruption, progress: progress,
      progressLabel: "in virtual time first", part: .simulation)
  }

  /// Plays scenarios in the simulation for what is told of them, one after the other.
  ///
  /// - Parameters:
  ///   - plan: what to run.
  ///   - keeps: what is needed of the runs.
  ///   - takeLongTrace: takes each case whose trace is long as soon as it is over.
  ///   - take: is called with each result.
  /// - Throws: ``Leave`` where a signal came, or where something broke, which has been told then.
  static func simulate(
    _ plan: [PlannedScenario], keeps: Worker.Kept,
    takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)? = nil,
    _ take: @escaping (ScenarioResult) -> Void
  ) throws {
    let interruption = Interruption()
    try interruption.listen()
    let run = ParallelRun(
      backend: SimulatedBackend(), keeps: keeps, jobs: 1, repeatCount: 1, failsFast: false,
      takeLongTrace: takeLongTrace, interruption: interruption)
    let outcome = run(plan) { result in
      take(result)
      return true
    }
    for breakdown in outcome.breakdowns { printError("error: \(breakdown)") }
    if let status = interruption.exitStatus { throw Leave(status) }
    if !outcome.breakdowns.isEmpty { throw Leave(.breakdown) }
  }

  /// What became of a plan.
  struct Outcome {
    /// Whether everything of it was run.
    var isComplete = true
    /// What broke beside the cases, in words.
    var breakdowns: [String] = []
    /// The faults of cases, by the places of scenarios and profiles.
    var faults: Faults = [:]
  }

  /// What threads that are left where they stand may still write to.
  private static let kept = Mutex<[Wakening]>([])

  /// Runs the plan.
  ///
  /// - Parameters:
  ///   - plan: what to run.
  ///   - report: is called with each result, in the order of the plan, by this thread; answers
  ///     whether anybody wants to know more.
  /// - Returns: what became of it.
  func callAsFunction(
    _ plan: [PlannedScenario], report: @escaping (ScenarioResult) -> Bool
  ) -> Outcome {
    let wakening: Wakening
    do throws(LinuxError) {
      wakening = try Wakening()
    } catch {
      // Reports agree with the exit status: no case has a verdict.
      let reason = "no thread can be waited for: \(error)"
      for planned in plan { _ = report(broken(planned, reason)) }
      return Outcome(isComplete: false, breakdowns: [reason])
    }
    interruption.whenReceived { wakening.signal() }
    defer { interruption.whenReceived {} }
    // Few results wait for those before them; alone, none but the one that is being reported.
    let threads = max(1, min(jobs, plan.count))
    let room = threads == 1 ? 2 : max(64, 4 * threads)
    var collector = Collector(
      run: self, board: Board(plan, brokenBefore, room: room, wakening), report: report)
    let outcome = collector.collect(threads: threads)
    if collector.leavesThreads { Self.kept.withLock { $0.append(wakening) } }
    return outcome
  }

  /// One scenario on a thread, without the profiles on which it has ended threads before.
  fileprivate func run(
    _ planned: PlannedScenario, without faults: [Int: Fault], with worker: inout Worker
  ) -> ScenarioResult {
    let profiles = planned.profiles.indices.filter { faults[$0] == nil }.map {
      planned.profiles[$0]
    }
    let digests = LongTraceDigests()
    worker.takeLongTrace = taker(of: digests, andOf: takeLongTrace)
    var result = worker.run(planned.scenario, on: profiles)
    let first = digests.takeAll()
    worker.takeLongTrace = taker(of: digests, andOf: nil)
    var runs = [result]
    for _ in 1..<max(1, repeatCount) {
      let again = worker.run(planned.scenario, on: profiles)
      if isLive {
        runs.append(again)
      } else {
        compare(&result, with: again, first, digests.takeAll())
      }
    }
    for index in result.cases.indices where isLive {
      result.cases[index] = CaseResult(repeated: runs.map { $0.cases[index] })
    }
    for index in faults.keys.sorted() {
      guard let fault = faults[index] else { continue }
      result.cases.insert(
        CaseResult(
          of: planned.scenario, on: planned.profiles[index],
          brokenBy: "the harness broke down: \(fault) ended the run"), at: index)
    }
    known.apply(to: &result)
    return result
  }

  /// The result of a scenario that no thread could run.
  fileprivate func broken(_ planned: PlannedScenario, _ reason: String) -> ScenarioResult {
    var worker = Worker(SimulatedBackend(), keeps: [])
    var result = worker.run(planned.scenario, on: [])
    result.cases = planned.profiles.map {
      CaseResult(of: planned.scenario, on: $0, brokenBy: reason)
    }
    known.apply(to: &result)
    return result
  }

  /// Whether time is the kernel's, in which no two runs are the same.
  private var isLive: Bool {
    switch backend.description.time {
    case .real: true
    case .virtual: false
    }
  }

  /// Convicts the cases that were others the second time.
  private func compare(
    _ result: inout ScenarioResult, with again: ScenarioResult, _ first: LongTraceDigests.All,
    _ second: LongTraceDigests.All
  ) {
    for index in result.cases.indices {
      let profile = result.cases[index].profile
      guard first[profile] != second[profile] || differs(result, again, at: index) else { continue }
      result.cases[index].verdict = .error
      result.cases[index].findings.append(
        Finding(
          kind: .breakdown, verdict: .error, expected: "every repetition is the same",
          seen: "the backend did something else; in virtual time nothing may differ",
          at: nil, position: nil))
    }
  }

  /// Who takes long traces as soon as their cases are over; nil where they are all needed longer.
  ///
  /// Repetitions are compared by the digests of these, so that they are not all in memory.
  private func taker(
    of digests: LongTraceDigests, andOf other: (@Sendable (Scenario, CaseResult) -> Void)?
  ) -> (@Sendable (Scenario, CaseResult) -> Void)? {
    guard !isLive, repeatCount <= 1 || variants.isEmpty else { return nil }
    guard repeatCount > 1 else { return other }
    return { scenario, one in
      other?(scenario, one)
      digests.note(one, of: scenario)
    }
  }

  /// Whether a case, or a variant of it, was another one the second time.
  private func differs(_ one: ScenarioResult, _ other: ScenarioResult, at index: Int) -> Bool {
    let profile = one.cases[index].profile
    func traces(_ result: ScenarioResult) -> [Trace?] {
      [result.cases[index].trace]
        + result.variants.filter { $0.profile == profile }.map(\.trace)
    }
    return zip(traces(one), traces(other)).contains { $0?.records != $1?.records }
  }
}

/// The digests of the long traces of a run, by profiles.
private final class LongTraceDigests: Sendable {
  typealias All = [String: Digest]  // lookup only

  private let digests = Mutex<All>([:])

  func note(_ one: CaseResult, of scenario: Scenario) {
    guard let trace = one.trace else { return }
    let digest = TraceWriter.digest(
      of: trace, script: scenario.script,
      header: TraceHeader(scenario: one.id, profile: one.profile, backend: ""))
    digests.withLock { $0[one.profile] = digest }
  }

  /// All that were noted; then there is none.
  func takeAll() -> All {
    digests.withLock { all in
      defer { all = [:] }
      return all
    }
  }
}

/// What the threads share; none holds its lock while it runs anything.
private final class Board: Sendable {
  struct Progress {
    var nextToRun = 0
    var finished: [ScenarioResult?]
    /// The faults of scenarios so far, by their places and the places of the profiles.
    var faults: ParallelRun.Faults = [:]
    /// What threads wait for that have finished a long result: until it is collected.
    var collections: [Int: DispatchSemaphore] = [:]
    var mayGoOn = true
  }

  /// Up to how many records the traces of a result may have while others wait beside it.
  private static let shortRecords = 10_000

  let plan: [PlannedScenario]
  let progress: Mutex<Progress>
  /// How many results there may be that nobody has collected.
  let room: DispatchSemaphore
  let wakening: Wakening

  init(
    _ plan: [PlannedScenario], _ faults: ParallelRun.Faults, room: Int, _ wakening: Wakening
  ) {
    self.plan = plan
    progress = Mutex(
      Progress(finished: Array(repeating: nil, count: plan.count), faults: faults))
    // One that holds less at its end than at its beginning is taken for a mistake.
    self.room = DispatchSemaphore(value: 0)
    self.wakening = wakening
    for _ in 0..<room { self.room.signal() }
  }

  /// The place of the next scenario, which the thread has from now on; nil where there is none.
  func take(for seat: Seat) -> Int? {
    room.wait()
    return progress.withLock { progress in
      guard !seat.isAbandoned.load(ordering: .relaxed) else {
        room.signal()
        return nil
      }
      guard progress.mayGoOn, progress.nextToRun < plan.count else { return nil }
      defer { progress.nextToRun += 1 }
      seat.index.store(progress.nextToRun, ordering: .relaxed)
      return progress.nextToRun
    }
  }

  func faults(of index: Int) -> [Int: Fault] {
    progress.withLock { $0.faults[index] ?? [:] }
  }

  /// Takes the result of a thread in, unless somebody else has its scenario by now.
  ///
  /// A thread that has made a long one waits until it is collected, so that no more of them are in
  /// memory than there are threads.
  func finish(_ index: Int, _ result: ScenarioResult, by seat: Seat) {
    let isLong = result.recordCount > Self.shortRecords
    let collection = progress.withLock { progress -> DispatchSemaphore? in
      guard !seat.isAbandoned.load(ordering: .relaxed) else { return nil }
      progress.finished[index] = result
      seat.index.store(-1, ordering: .relaxed)
      seat.profile.store(-1, ordering: .relaxed)
      guard isLong, progress.mayGoOn else { return nil }
      let collection = DispatchSemaphore(value: 0)
      progress.collections[index] = collection
      return collection
    }
    wakening.signal()
    collection?.wait()
  }

  /// Takes a result that is finished.
  func collect(_ index: Int) -> ScenarioResult? {
    progress.withLock { progress in
      defer { progress.finished[index] = nil }
      progress.collections.removeValue(forKey: index)?.signal()
      return progress.finished[index]
    }
  }

  /// Takes a thread's scenario away from it, whatever the thread still does.
  func abandon(_ seat: Seat) {
    progress.withLock { _ in seat.isAbandoned.store(true, ordering: .relaxed) }
  }

  func stop() {
    progress.withLock { progress in
      progress.mayGoOn = false
      for collection in progress.collections.values { collection.signal() }
      progress.collections = [:]
    }
  }
}

extension ScenarioResult {
  /// How many records its traces have together.
  fileprivate var recordCount: Int {
    (cases + variants).reduce(0) { $0 + ($1.trace?.count ?? 0) }
  }
}

/// A thread, and what it is at.
private final class Seat: Sendable {
  /// The place of the scenario that runs, and below it that of the profile; -1 where none runs.
  let index = Atomic(-1)
  let profile = Atomic(-1)
  let hasEnded = Atomic(false)
  /// Whether nobody wants to know any more what it does.
  let isAbandoned = Atomic(false)
}

/// Collects the results of threads, and replaces those that end by a fault.
private struct Collector {
  let run: ParallelRun
  let board: Board
  let report: (ScenarioResult) -> Bool
  private var seats: [(seat: Seat, thread: GuardedThread)] = []
  private var nextToReport = 0
  private var faultCount = 0
  /// How many scenarios failed, of those that were reported.
  private var failedCount = 0
  private var progress: Progress?
  /// Whether a failure has ended the reporting.
  private var isOver = false
  /// Why the last thread that was wanted could not be started.
  private var startProblem: LinuxError?
  /// Whether threads are left that may still do something.
  private(set) var leavesThreads = false
  private var outcome = ParallelRun.Outcome()

  init(run: ParallelRun, board: Board, report: @escaping (ScenarioResult) -> Bool) {
    self.run = run
    self.board = board
    self.report = report
    progress = Progress(
      run.progress,
      of: ProgressText(total: board.plan.count, noun: "scenario", label: run.progressLabel))
  }

  mutating func collect(threads: Int) -> ParallelRun.Outcome {
    for _ in 0..<threads where startProblem == nil { start() }
    if let startProblem, !seats.isEmpty {
      printError(
        "note: only \(seats.count) of \(threads) threads could be started: \(startProblem)")
    }
    defer { StandardStream.clearPassing() }
    var limit: Int64?
    while !seats.isEmpty {
      board.wakening.clear()
      // First who has ended, then what is finished: what a thread finishes before it ends is seen.
      replaceBroken()
      dismissEnded()
      reportFinished()
      if run.interruption.received != nil, limit == nil {
        board.stop()
        limit = monotonicMicroseconds() + ParallelRun.grace
      }
      if let limit, monotonicMicroseconds() >= limit {
        // Whatever is still under way ends with the process.
        outcome.isComplete = false
        leavesThreads = true
        return outcome
      }
      guard !seats.isEmpty else { break }
      showProgress()
      let waits = [limit.map { $0 - monotonicMicroseconds() }, progress?.wait]
      _ = try? waitReadable([board.wakening.descriptor], atMost: waits.compactMap(\.self).min())
    }
    reportFinished()
    if let startProblem, run.interruption.received == nil, !isOver {
      breakRest("no thread can be started: \(startProblem)")
    }
    outcome.isComplete = nextToReport == board.plan.count
    outcome.faults = board.progress.withLock { $0.faults }
    return outcome
  }

  /// Starts a thread; it begins with a scenario that another one could not finish.
  private mutating func start(with first: Int? = nil) {
    let seat = Seat()
    if let first { seat.index.store(first, ordering: .relaxed) }
    let (run, board) = (run, board)
    do throws(LinuxError) {
      let thread = try GuardedThread.start(wakening: board.wakening.signallingDescriptor) {
        Self.work(run, board, seat, first)
        seat.hasEnded.store(true, ordering: .releasing)
        board.wakening.signal()
      }
      seats.append((seat, thread))
    } catch {
      startProblem = error
    }
  }

  /// Reports all that no thread is left to run.
  private mutating func breakRest(_ reason: String) {
    let mayGoOn = board.progress.withLock { $0.mayGoOn }
    guard mayGoOn, nextToReport < board.plan.count else { return }
    outcome.breakdowns.append(reason)
    while nextToReport < board.plan.count {
      let index = nextToReport
      nextToReport += 1
      let result = board.collect(index) ?? run.broken(board.plan[index], reason)
      guard report(result) else { return }
    }
  }

  private static func work(_ run: ParallelRun, _ board: Board, _ seat: Seat, _ first: Int?) {
    // Repetitions are compared by their traces.
    var worker = Worker(
      run.backend, keeps: run.repeatCount > 1 ? run.keeps.union(.traces) : run.keeps,
      variants: run.variants, gates: run.gates)
    worker.microseconds = { monotonicMicroseconds() }
    let provocation = Provocation.wanted
    var next = first ?? board.take(for: seat)
    while let index = next {
      let planned = board.plan[index]
      let faults = board.faults(of: index)
      let left = planned.profiles.indices.filter { faults[$0] == nil }
      worker.beforeCase = { profile in
        // What it would play now is played by another one.
        if seat.isAbandoned.load(ordering: .relaxed) { Provocation.hang() }
        seat.profile.store(left[profile], ordering: .relaxed)
        provocation?.meet(planned.scenario.id, on: planned.profiles[left[profile]], in: run.part)
      }
      let result = run.run(planned, without: faults, with: &worker)
      board.finish(index, result, by: seat)
      next = board.take(for: seat)
    }
  }

  // MARK: Threads that end

  private mutating func replaceBroken() {
    // Each is asked once: what comes meanwhile is seen the next time.
    let all = seats.map { (seat: $0.seat, thread: $0.thread, end: Self.end(of: $0.thread)) }
    seats = all.filter { $0.end == nil }.map { ($0.seat, $0.thread) }
    for (seat, thread, end) in all {
      guard let end else { continue }
      if end.isOfHelper {
        board.abandon(seat)
        leavesThreads = true
      } else {
        thread.join()
      }
      replace(seat, after: end.fault)
    }
  }

  /// How a thread broke, by its own fault or by that of one that worked for it; nil where it did
  /// not.
  private static func end(of thread: GuardedThread) -> (fault: Fault, isOfHelper: Bool)? {
    if let fault = thread.fault { return (fault, false) }
    return thread.helperFault.map { ($0, true) }
  }

  private mutating func replace(_ seat: Seat, after fault: Fault) {
    faultCount += 1
    let index = seat.index.load(ordering: .relaxed)
    let profile = seat.profile.load(ordering: .relaxed)
    if index >= 0, profile >= 0 {
      board.progress.withLock { $0.faults[index, default: [:]][profile] = fault }
    } else {
      outcome.breakdowns.append("\(fault) ended a thread between two cases")
    }
    guard faultCount < ParallelRun.maximumFaults else {
      board.stop()
      outcome.breakdowns.append("after \(faultCount) faults nothing more is run")
      return
    }
    start(with: index >= 0 ? index : nil)
  }

  private mutating func dismissEnded() {
    let (all, ends) = (seats, seats.map { $0.seat.hasEnded.load(ordering: .acquiring) })
    seats = zip(all, ends).filter { !$1 }.map(\.0)
    for (one, hasEnded) in zip(all, ends) where hasEnded { one.thread.join() }
  }

  // MARK: Results

  /// Results wait for those before them, so that reports never depend on the threads.
  private mutating func reportFinished() {
    // What ran beside a failure that ends all is not told: that would depend on the threads.
    while !isOver, nextToReport < board.plan.count, let result = board.collect(nextToReport) {
      nextToReport += 1
      let isWanted = report(result)
      if result.cases.contains(where: { $0.verdict >= .failed }) { failedCount += 1 }
      isOver = run.failsFast && result.cases.contains { $0.verdict >= .failed }
      if isOver || !isWanted { board.stop() }
      board.room.signal()
    }
    if board.progress.withLock({ !$0.mayGoOn || $0.nextToRun == $0.finished.count }) {
      endWaiting()
    }
  }

  private mutating func showProgress() {
    guard let wait = progress?.wait, wait == 0 else { return }
    // What is finished and waits for its turn is done, too.
    let done = nextToReport + board.progress.withLock { $0.finished.count { $0 != nil } }
    progress?.show(
      done: done, running: seats.count { $0.seat.index.load(ordering: .relaxed) >= 0 },
      failed: failedCount)
  }

  /// Threads that wait for room see that there is nothing left for them.
  private func endWaiting() {
    for _ in seats { board.room.signal() }
  }
}
