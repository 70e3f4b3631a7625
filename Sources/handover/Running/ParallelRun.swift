import ArgumentParser
import Dispatch
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

/// A parallel run of scenarios, which reports the results in the order of the plan.
///
/// The threads share no state that a run changes, so a crash costs only one case. The thread stops
/// where it crashed, the case is an ERROR with the signal's name, and a new thread continues with
/// the rest of the scenario. The same happens if a helper thread of the case crashes, such as an
/// event loop. In that case the thread of the case may wait forever, so it is abandoned. The
/// calling thread collects the results, and runs nothing itself.
struct ParallelRun: Sendable {
  var backend: any Backend
  /// The data that reports require of the runs.
  var retainedData: Worker.RetainedData
  var jobs: Int
  /// The number of runs of each scenario; in virtual time, all must have the same trace.
  var repeatCount: Int
  var failsFast: Bool
  /// The transport variants on which each case is also run.
  var variants: [TransportVariant] = []
  /// The thresholds for each case, in addition to its expectations.
  var gates = Gates()
  /// The cases that are known to fail.
  var known = KnownFailures([])
  /// A closure that receives each case with a long trace as soon as the case ends.
  var takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)?
  var interruption: Interruption
  /// Previous crashes, by the indices of scenarios and profiles; these cases are not run.
  var brokenBefore: Faults = [:]
  /// Whether to show the progress, and its label.
  var progress = ProgressChoice.auto
  var progressLabel: String?
  /// The part of the work, for requested crashes.
  var part = InjectedCrash.Part.run

  /// Crashes, by the indices of scenarios in a plan and of profiles in a scenario.
  typealias Faults = [Int: [Int: Fault]]

  /// The maximum number of crashes, because each leaks what its thread held.
  static let maximumFaults = 1_000
  /// The time that running cases have to end after a signal, in microseconds.
  fileprivate static let grace: Int64 = 200_000

  /// Rejects an invalid number of threads.
  static func validate(jobs: Int) throws {
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs must be an integer from 1 to 256, such as --jobs 8.")
    }
  }

  /// Returns the simulation that precedes runs in real time.
  static func simulation(
    jobs: Int, variants: [TransportVariant], _ interruption: Interruption,
    _ progress: ProgressChoice
  ) -> ParallelRun {
    ParallelRun(
      backend: SimulatedBackend(), retainedData: .traces, jobs: jobs, repeatCount: 1,
      failsFast: false,
      variants: variants, interruption: interruption, progress: progress,
      progressLabel: "in virtual time first", part: .simulation)
  }

  /// Simulates scenarios one after the other, for commands that describe the results.
  ///
  /// - Parameters:
  ///   - plan: The scenarios to run.
  ///   - retainedData: The required data of the runs.
  ///   - takeLongTrace: A closure that receives each case with a long trace as soon as the case
  ///     ends.
  ///   - take: A closure that receives each result.
  /// - Throws: ``ExitError`` after a signal, or after an internal error that has been printed.
  static func simulate(
    _ plan: [PlannedScenario], retaining retainedData: Worker.RetainedData,
    takeLongTrace: (@Sendable (Scenario, CaseResult) -> Void)? = nil,
    _ take: @escaping (ScenarioResult) -> Void
  ) throws {
    let interruption = Interruption()
    try interruption.listen()
    let run = ParallelRun(
      backend: SimulatedBackend(), retainedData: retainedData, jobs: 1, repeatCount: 1,
      failsFast: false,
      takeLongTrace: takeLongTrace, interruption: interruption)
    let outcome = run(plan) { result in
      take(result)
      return true
    }
    for breakdown in outcome.breakdowns { printError("error: \(breakdown)") }
    if let status = interruption.exitStatus { throw ExitError(status) }
    if !outcome.breakdowns.isEmpty { throw ExitError(.breakdown) }
  }

  /// The outcome of a plan.
  struct Outcome {
    /// Whether the whole plan was run.
    var isComplete = true
    /// The errors that concern no particular case.
    var breakdowns: [String] = []
    /// The crashes of cases, by the indices of scenarios and profiles.
    var faults: Faults = [:]
  }

  /// The wakeups that abandoned threads may still signal.
  private static let kept = Mutex<[WakeupPipe]>([])

  /// The minimum length of a standstill after which a failed case is repeated, in microseconds.
  ///
  /// Most entries of a timeline are further apart.
  private static let shortestStandstill: Int64 = 200_000

  /// Runs the plan.
  ///
  /// - Parameters:
  ///   - plan: The scenarios to run.
  ///   - report: A closure that receives each result in the order of the plan, on this thread. It
  ///     returns whether further results are wanted.
  /// - Returns: The outcome of the plan.
  func callAsFunction(
    _ plan: [PlannedScenario], report: @escaping (ScenarioResult) -> Bool
  ) -> Outcome {
    let wakeup: WakeupPipe
    do throws(LinuxError) {
      wakeup = try WakeupPipe()
    } catch {
      // The reports must agree with the exit status: no case has a verdict.
      let reason = "cannot wait for threads: \(error)"
      for planned in plan { _ = report(broken(planned, reason)) }
      return Outcome(isComplete: false, breakdowns: [reason])
    }
    interruption.whenReceived { wakeup.signal() }
    defer { interruption.whenReceived {} }
    // The number of waiting results is limited; with one thread, only the one being reported waits.
    let threads = max(1, min(jobs, plan.count))
    let room = threads == 1 ? 2 : max(64, 4 * threads)
    // Without its thread, a run is only not repeated.
    let standstills = isLive ? try? StandstillWatch(shortest: Self.shortestStandstill) : nil
    defer { standstills?.close() }
    var collector = Collector(
      run: self, board: RunQueue(plan, brokenBefore, room: room, wakeup, standstills),
      report: report)
    let outcome = collector.collect(threads: threads)
    if collector.leavesThreads { Self.kept.withLock { $0.append(wakeup) } }
    return outcome
  }

  /// Runs one scenario on a thread, without the profiles on which it has crashed before.
  fileprivate func run(
    _ planned: PlannedScenario, without faults: [Int: Fault], with worker: inout Worker
  ) -> ScenarioResult {
    let profiles = planned.profiles.indices.filter { faults[$0] == nil }.map {
      planned.profiles[$0]
    }
    let digests = LongTraceDigests()
    worker.takeLongTrace = traceHandler(of: digests, andOf: takeLongTrace)
    var result = worker.run(planned.scenario, on: profiles)
    let first = digests.takeAll()
    worker.takeLongTrace = traceHandler(of: digests, andOf: nil)
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
          brokenBy: "internal error: \(fault) ended the run"), at: index)
    }
    known.apply(to: &result)
    return result
  }

  /// Returns the result of a scenario that no thread could run.
  fileprivate func broken(_ planned: PlannedScenario, _ reason: String) -> ScenarioResult {
    var worker = Worker(SimulatedBackend())
    var result = worker.run(planned.scenario, on: [])
    result.cases = planned.profiles.map {
      CaseResult(of: planned.scenario, on: $0, brokenBy: reason)
    }
    known.apply(to: &result)
    return result
  }

  /// Whether the backend runs in real time, in which no two runs are the same.
  private var isLive: Bool {
    switch backend.description.time {
    case .real: true
    case .virtual: false
    }
  }

  /// Marks cases as errors if their repetition differs.
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
          kind: .breakdown, verdict: .error, expected: "all repetitions give the same result",
          seen: "a repetition gave a different result, which is an error in virtual time",
          at: nil, position: nil))
    }
  }

  /// Returns the closure for long traces, or `nil` if all traces are needed until the end.
  ///
  /// Repetitions are compared by digests of the traces, so that not all traces are in memory.
  private func traceHandler(
    of digests: LongTraceDigests, andOf other: (@Sendable (Scenario, CaseResult) -> Void)?
  ) -> (@Sendable (Scenario, CaseResult) -> Void)? {
    guard !isLive, repeatCount <= 1 || variants.isEmpty else { return nil }
    guard repeatCount > 1 else { return other }
    return { scenario, one in
      other?(scenario, one)
      digests.note(one, of: scenario)
    }
  }

  /// Returns whether a case, or a variant of it, differs in its repetition.
  private func differs(_ one: ScenarioResult, _ other: ScenarioResult, at index: Int) -> Bool {
    let profile = one.cases[index].profile
    func traces(_ result: ScenarioResult) -> [Trace?] {
      [result.cases[index].trace]
        + result.variants.filter { $0.profile == profile }.map(\.trace)
    }
    return zip(traces(one), traces(other)).contains { $0?.records != $1?.records }
  }
}

/// The digests of the long traces of a run, by profile.
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

  /// Removes and returns all digests.
  func takeAll() -> All {
    digests.withLock { all in
      defer { all = [:] }
      return all
    }
  }
}

/// The state that the threads share; no thread holds its lock while it runs a scenario.
private final class RunQueue: Sendable {
  struct Progress {
    var nextToRun = 0
    var finished: [ScenarioResult?]
    /// The crashes so far, by the indices of scenarios and profiles.
    var faults: ParallelRun.Faults = [:]
    /// The semaphores of threads that wait until their long result is collected.
    var collections: [Int: DispatchSemaphore] = [:]
    var canContinue = true
  }

  /// The maximum number of records in a result that may wait to be collected together with others.
  private static let shortRecords = 10_000

  let plan: [PlannedScenario]
  let progress: Mutex<Progress>
  /// A semaphore that limits the number of results that have not been collected.
  let room: DispatchSemaphore
  let wakeup: WakeupPipe
  /// The standstills of the machine, or `nil` in virtual time.
  let standstills: StandstillWatch?

  init(
    _ plan: [PlannedScenario], _ faults: ParallelRun.Faults, room: Int, _ wakeup: WakeupPipe,
    _ standstills: StandstillWatch?
  ) {
    self.plan = plan
    progress = Mutex(
      Progress(finished: Array(repeating: nil, count: plan.count), faults: faults))
    // A semaphore must not be destroyed with a lower value than it was created with.
    self.room = DispatchSemaphore(value: 0)
    self.wakeup = wakeup
    self.standstills = standstills
    for _ in 0..<room { self.room.signal() }
  }

  /// Assigns the next scenario to a thread and returns its index, or `nil` if there is none.
  func take(for slot: WorkerSlot) -> Int? {
    room.wait()
    return progress.withLock { progress in
      guard !slot.isAbandoned.load(ordering: .relaxed) else {
        room.signal()
        return nil
      }
      guard progress.canContinue, progress.nextToRun < plan.count else { return nil }
      defer { progress.nextToRun += 1 }
      slot.index.store(progress.nextToRun, ordering: .relaxed)
      return progress.nextToRun
    }
  }

  func faults(of index: Int) -> [Int: Fault] {
    progress.withLock { $0.faults[index] ?? [:] }
  }

  /// Stores the result of a thread, unless its scenario has been assigned to another thread.
  ///
  /// A thread with a long result waits until that is collected. Therefore the number of long
  /// results in memory is at most the number of threads.
  func finish(_ index: Int, _ result: ScenarioResult, by slot: WorkerSlot) {
    let isLong = result.recordCount > Self.shortRecords
    let collection = progress.withLock { progress -> DispatchSemaphore? in
      guard !slot.isAbandoned.load(ordering: .relaxed) else { return nil }
      progress.finished[index] = result
      slot.index.store(-1, ordering: .relaxed)
      slot.profile.store(-1, ordering: .relaxed)
      guard isLong, progress.canContinue else { return nil }
      let collection = DispatchSemaphore(value: 0)
      progress.collections[index] = collection
      return collection
    }
    wakeup.signal()
    collection?.wait()
  }

  /// Removes and returns a finished result.
  func collect(_ index: Int) -> ScenarioResult? {
    progress.withLock { progress in
      defer { progress.finished[index] = nil }
      progress.collections.removeValue(forKey: index)?.signal()
      return progress.finished[index]
    }
  }

  /// Takes a thread's scenario away from the thread, whatever the thread still does.
  func abandon(_ slot: WorkerSlot) {
    progress.withLock { _ in slot.isAbandoned.store(true, ordering: .relaxed) }
  }

  func stop() {
    progress.withLock { progress in
      progress.canContinue = false
      for collection in progress.collections.values { collection.signal() }
      progress.collections = [:]
    }
  }
}

extension ScenarioResult {
  /// The total number of records in its traces.
  fileprivate var recordCount: Int {
    (cases + variants).reduce(0) { $0 + ($1.trace?.count ?? 0) }
  }
}

/// The state of a thread.
private final class WorkerSlot: Sendable {
  /// The indices of the current scenario and of its current profile, or -1 if there is none.
  let index = Atomic(-1)
  let profile = Atomic(-1)
  let hasEnded = Atomic(false)
  /// Whether the results of the thread are discarded.
  let isAbandoned = Atomic(false)
}

/// The collector of results, which also replaces threads that crash.
private struct Collector {
  let run: ParallelRun
  let board: RunQueue
  let report: (ScenarioResult) -> Bool
  private var slots: [(slot: WorkerSlot, thread: GuardedThread)] = []
  private var nextToReport = 0
  private var faultCount = 0
  /// The number of reported scenarios that failed.
  private var failedCount = 0
  private var progress: Progress?
  /// Whether a failure has ended the reports.
  private var isOver = false
  /// The error of the last attempt to start a thread, if it failed.
  private var startProblem: LinuxError?
  /// Whether threads have been left running.
  private(set) var leavesThreads = false
  private var outcome = ParallelRun.Outcome()

  init(run: ParallelRun, board: RunQueue, report: @escaping (ScenarioResult) -> Bool) {
    self.run = run
    self.board = board
    self.report = report
    progress = Progress(
      run.progress,
      of: ProgressText(total: board.plan.count, noun: "scenario", label: run.progressLabel))
  }

  mutating func collect(threads: Int) -> ParallelRun.Outcome {
    for _ in 0..<threads where startProblem == nil { start() }
    if let startProblem, !slots.isEmpty {
      printError(
        "note: only \(slots.count) of \(threads) threads could be started: \(startProblem)")
    }
    defer { StandardStream.clearTransient() }
    var limit: Int64?
    while !slots.isEmpty {
      board.wakeup.clear()
      // Check for ended threads first, so that everything that they finished before is seen.
      replaceBroken()
      dismissEnded()
      reportFinished()
      if run.interruption.received != nil, limit == nil {
        board.stop()
        limit = monotonicMicroseconds() + ParallelRun.grace
      }
      if let limit, monotonicMicroseconds() >= limit {
        // Everything that is still running ends with the process.
        outcome.isComplete = false
        leavesThreads = true
        return outcome
      }
      guard !slots.isEmpty else { break }
      showProgress()
      let waits = [limit.map { $0 - monotonicMicroseconds() }, progress?.wait]
      _ = try? waitReadable([board.wakeup.descriptor], atMost: waits.compactMap(\.self).min())
    }
    reportFinished()
    if let startProblem, run.interruption.received == nil, !isOver {
      failRemaining("cannot start a thread: \(startProblem)")
    }
    outcome.isComplete = nextToReport == board.plan.count
    outcome.faults = board.progress.withLock { $0.faults }
    return outcome
  }

  /// Starts a thread, optionally with a scenario that another thread could not finish.
  private mutating func start(with first: Int? = nil) {
    let slot = WorkerSlot()
    if let first { slot.index.store(first, ordering: .relaxed) }
    let (run, board) = (run, board)
    do throws(LinuxError) {
      let thread = try GuardedThread.start(wakeup: board.wakeup.signallingDescriptor) {
        Self.work(run, board, slot, first)
        slot.hasEnded.store(true, ordering: .releasing)
        board.wakeup.signal()
      }
      slots.append((slot, thread))
    } catch {
      startProblem = error
    }
  }

  /// Reports an error for every remaining scenario, because no thread can run them.
  private mutating func failRemaining(_ reason: String) {
    let canContinue = board.progress.withLock { $0.canContinue }
    guard canContinue, nextToReport < board.plan.count else { return }
    outcome.breakdowns.append(reason)
    while nextToReport < board.plan.count {
      let index = nextToReport
      nextToReport += 1
      let result = board.collect(index) ?? run.broken(board.plan[index], reason)
      guard report(result) else { return }
    }
  }

  private static func work(_ run: ParallelRun, _ board: RunQueue, _ slot: WorkerSlot, _ first: Int?)
  {
    // Repetitions are compared by their traces.
    var worker = Worker(
      run.backend,
      retaining: run.repeatCount > 1 ? run.retainedData.union(.traces) : run.retainedData,
      variants: run.variants, gates: run.gates)
    worker.microseconds = { monotonicMicroseconds() }
    if let standstills = board.standstills {
      worker.standstillCount = { standstills.count }
    }
    let provocation = InjectedCrash.wanted
    var next = first ?? board.take(for: slot)
    while let index = next {
      let planned = board.plan[index]
      let faults = board.faults(of: index)
      let left = planned.profiles.indices.filter { faults[$0] == nil }
      worker.beforeCase = { profile in
        // Another thread now runs this scenario.
        if slot.isAbandoned.load(ordering: .relaxed) { InjectedCrash.hang() }
        slot.profile.store(left[profile], ordering: .relaxed)
        provocation?.meet(planned.scenario.id, on: planned.profiles[left[profile]], in: run.part)
      }
      let result = run.run(planned, without: faults, with: &worker)
      board.finish(index, result, by: slot)
      next = board.take(for: slot)
    }
  }

  // MARK: Crashed threads

  private mutating func replaceBroken() {
    // Check each thread once, because its state may change at any time.
    let all = slots.map { (slot: $0.slot, thread: $0.thread, end: Self.end(of: $0.thread)) }
    slots = all.filter { $0.end == nil }.map { ($0.slot, $0.thread) }
    for (slot, thread, end) in all {
      guard let end else { continue }
      if end.isOfHelper {
        board.abandon(slot)
        leavesThreads = true
      } else {
        thread.join()
      }
      replace(slot, after: end.fault)
    }
  }

  /// Returns the crash of a thread or of its helper thread, or `nil` if neither crashed.
  private static func end(of thread: GuardedThread) -> (fault: Fault, isOfHelper: Bool)? {
    if let fault = thread.fault { return (fault, false) }
    return thread.helperFault.map { ($0, true) }
  }

  private mutating func replace(_ slot: WorkerSlot, after fault: Fault) {
    faultCount += 1
    let index = slot.index.load(ordering: .relaxed)
    let profile = slot.profile.load(ordering: .relaxed)
    if index >= 0, profile >= 0 {
      board.progress.withLock { $0.faults[index, default: [:]][profile] = fault }
    } else {
      outcome.breakdowns.append("\(fault) ended a thread between two cases")
    }
    guard faultCount < ParallelRun.maximumFaults else {
      board.stop()
      outcome.breakdowns.append("stopped after \(faultCount) crashes")
      return
    }
    start(with: index >= 0 ? index : nil)
  }

  private mutating func dismissEnded() {
    let (all, ends) = (slots, slots.map { $0.slot.hasEnded.load(ordering: .acquiring) })
    slots = zip(all, ends).filter { !$1 }.map(\.0)
    for (one, hasEnded) in zip(all, ends) where hasEnded { one.thread.join() }
  }

  // MARK: Results

  /// Reports results in the order of the plan, so that reports do not depend on the threads.
  private mutating func reportFinished() {
    // Results after a failure that ends the run are dropped, because they depend on the threads.
    while !isOver, nextToReport < board.plan.count, let result = board.collect(nextToReport) {
      nextToReport += 1
      let isWanted = report(result)
      if result.cases.contains(where: { $0.verdict >= .failed }) { failedCount += 1 }
      isOver = run.failsFast && result.cases.contains { $0.verdict >= .failed }
      if isOver || !isWanted { board.stop() }
      board.room.signal()
    }
    if board.progress.withLock({ !$0.canContinue || $0.nextToRun == $0.finished.count }) {
      endWaiting()
    }
  }

  private mutating func showProgress() {
    guard let wait = progress?.wait, wait == 0 else { return }
    // Finished results that wait for their turn count as done.
    let done = nextToReport + board.progress.withLock { $0.finished.count { $0 != nil } }
    progress?.show(
      done: done, running: slots.count { $0.slot.index.load(ordering: .relaxed) >= 0 },
      failed: failedCount)
  }

  /// Wakes the threads that wait for room, so that they see that no work is left.
  private func endWaiting() {
    for _ in slots { board.room.signal() }
  }
}
