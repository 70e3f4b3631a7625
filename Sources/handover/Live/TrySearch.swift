import HandoverCore
import HandoverExploration
import HandoverLab
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverTry
import Synchronization

/// A search for network timelines at which a program fails.
///
/// The search draws timelines, repeats each failure that is worse than the earlier ones, and
/// shortens the worst one.
final class TrySearch: Sendable {
  /// A timeline with its verdict.
  struct Trial: Sendable {
    var draw: SearchCourse.Draw
    var result: SearchResult
    /// The severity of the failure, or `nil` if there is none.
    var severity: SearchSeverity?
    var evidence: String
  }

  /// The number of further runs that must fail at a drawn timeline.
  static let confirmations = 3
  /// The number of further runs that must fail at a shortened timeline, whose gaps may be just
  /// long enough.
  private static let lastConfirmations = 5
  /// The minimum time for shortening a timeline.
  static let leastShortening = Interval.seconds(90)
  /// The number of runs without a change, which determine the program's rhythm.
  private static let baselineRunCount = 2

  let time: Interval
  let gates: TryGates
  let command: [String]
  let jobs: Int
  private let labs: SearchLabs
  private let interruption: Interruption
  private let makeRun: @Sendable (TryMove) -> TryRun
  private let trialEnded: @Sendable (Trial) -> Void
  private let begin = monotonicMicroseconds()
  private let state: Mutex<State>

  private struct State: Sendable {
    var course: SearchCourse
    var running: [Int: SearchTimeline] = [:]  // lookup only
    var failure: Trial?
    var outcomes: [TryOutcome] = []
    var shown: Int64 = 0
    /// The failures that did not occur again.
    var unsteady = 0
    /// Whether the search was interrupted while it repeated a failure.
    var isUnrepeated = false
  }

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - seed: The seed of the timelines.
  ///   - time: The time of the whole search.
  ///   - jobs: The number of parallel labs.
  ///   - gates: The limits of the program.
  ///   - interruption: Ends the search.
  ///   - makeRun: Returns the run of a network change.
  ///   - trialEnded: Receives each timeline with its verdict, in the order of the verdicts.
  /// - Throws: ``LinuxError`` if the system refuses a descriptor.
  init(
    _ command: [String], seed: UInt64, time: Interval, jobs: Int, gates: TryGates,
    _ interruption: Interruption, makeRun: @escaping @Sendable (TryMove) -> TryRun,
    trialEnded: @escaping @Sendable (Trial) -> Void
  ) throws(LinuxError) {
    self.command = command
    self.time = time
    self.jobs = jobs
    self.gates = gates
    self.interruption = interruption
    self.makeRun = makeRun
    self.trialEnded = trialEnded
    let stop = try WakeupPipe()
    interruption.whenReceived { stop.signal() }
    labs = SearchLabs(jobs: jobs, stop: stop)
    state = Mutex(State(course: SearchCourse(seed: seed, lag: Self.lag(jobs))))
  }

  /// Returns how many draws may be unfinished, so that no lab waits for the slowest one.
  static func lag(_ jobs: Int) -> Int { 2 * jobs }

  private var elapsed: Interval { Interval(microseconds: monotonicMicroseconds() - begin) }
  private var isOver: Bool { elapsed >= time || interruption.received != nil }

  /// The draws and their coverage.
  var course: SearchCourse { state.withLock { $0.course } }
  /// The verdicts on the timelines.
  var outcomes: [TryOutcome] { state.withLock { $0.outcomes } }
  /// The number of failures that did not occur again.
  var unconfirmedCount: Int { state.withLock { $0.unsteady } }

  /// Whether the search was interrupted while it repeated a failure.
  var hasUnrepeatedFailure: Bool { state.withLock { $0.isUnrepeated } }

  // MARK: The rhythm

  /// Returns the rhythm of the program, or the reason why a search is not possible.
  func rhythm() throws(LinuxError) -> (rhythm: ProgramRhythm?, reason: String) {
    let runs = Array(repeating: makeRun(.nothing), count: Self.baselineRunCount)
    let outcomes = try labs.outcomes(of: runs).compactMap(\.self)
    guard let rhythm = ProgramRhythm(outcomes.map(\.observation)) else {
      return (nil, "the search was interrupted")
    }
    if let end = rhythm.programEnd {
      return (
        nil, "the program ends by itself (\(end.phrase)), and a search needs one that runs on"
      )
    }
    guard rhythm.payloadCount > 0 else {
      return (nil, "the program receives no data, so no timeline could be judged")
    }
    guard rhythm.payloadCount >= Self.leastPayloads, rhythm.longestGap <= Self.longestGap else {
      return (
        nil,
        "the program receives data too rarely: \(rhythm.phrase); a search needs data every "
          + "\(Self.longestGap.readable)"
      )
    }
    return (rhythm, "")
  }

  /// The rhythm that is needed to judge short timelines.
  private static let leastPayloads = 3
  private static let longestGap = Interval.seconds(5)

  // MARK: The search

  /// Searches until the time of ``SearchSeverity/drawingTime(of:after:)`` is over, and shortens the
  /// timeline with the worst failure.
  ///
  /// - Parameter rhythm: The program's rhythm.
  /// - Returns: The failures, each worse than the next one.
  /// - Throws: ``LinuxError`` if a lab cannot be created.
  func findings(_ rhythm: ProgramRhythm) throws(LinuxError) -> [SearchFinding] {
    var findings: [SearchFinding] = []
    while let trial = try failure(worseThan: findings.first?.severity, rhythm) {
      printError(
        "\(trial.result.outcome.rawValue) at timeline \(trial.draw.number); repeating it "
          + "\(Self.confirmations) times.")
      let finding = try confirmed(trial.draw, as: trial.draw.timeline, Self.confirmations, rhythm)
      if let finding, finding.severity.isWorse(than: findings.first?.severity) {
        findings.insert(finding, at: 0)
        if !isDrawn(after: finding.severity) { printError("It fails each time; continuing.") }
      } else if interruption.received != nil {
        state.withLock { $0.isUnrepeated = true }
      } else {
        state.withLock { $0.unsteady += 1 }
        printError("It does not fail each time; continuing.")
      }
    }
    if let worst = findings.first { findings[0] = try shortened(worst, rhythm) }
    return findings
  }

  /// Returns whether no timeline is drawn any more after a failure of a severity.
  private func isDrawn(after worst: SearchSeverity?) -> Bool {
    isOver || elapsed >= SearchSeverity.drawingTime(of: time, after: worst)
  }

  /// Draws timelines until one shows a worse failure, and returns it.
  private func failure(
    worseThan worst: SearchSeverity?, _ rhythm: ProgramRhythm
  ) throws(LinuxError) -> Trial? {
    guard !isDrawn(after: worst) else { return nil }
    let halt = try WakeupPipe()
    interruption.whenReceived { [labs] in
      halt.signal()
      labs.stop.signal()
    }
    state.withLock { $0.failure = nil }
    let labs = SearchLabs(jobs: jobs, stop: halt)
    try labs.run { [self] in
      guard !isDrawn(after: worst) else {
        halt.signal()
        return .end
      }
      return state.withLock { state in
        guard state.failure == nil else { return .end }
        guard let draw = state.course.next() else { return .later }
        state.running[draw.number] = draw.timeline
        return .run(draw.number, run(draw.timeline, rhythm))
      }
    } _: { [self] number, outcome in
      if note(outcome, ofDraw: number, rhythm, worst) { halt.signal() }
    }
    abandonRunning()
    return state.withLock { $0.failure }
  }

  /// Records the verdict on a draw, and returns whether it is worse than the worst one so far.
  private func note(
    _ outcome: TryRun.Outcome, ofDraw number: Int, _ rhythm: ProgramRhythm,
    _ worst: SearchSeverity?
  ) -> Bool {
    guard let timeline = state.withLock({ $0.running.removeValue(forKey: number) }) else {
      return false
    }
    let row = row(timeline, [outcome], rhythm)
    let result = SearchResult(
      phases: phases(timeline, outcome, rhythm), outcome: row.verdicts[0].outcome)
    let trial = Trial(
      draw: .init(number: number, timeline: timeline), result: result, severity: severity(row),
      evidence: evidence(row))
    record(trial)
    guard let severity = trial.severity, severity.isWorse(than: worst) else { return false }
    state.withLock { $0.failure = $0.failure ?? trial }
    return true
  }

  private func record(_ trial: Trial, hasVerdict: Bool = true) {
    let progress: String? = state.withLock { state in
      state.course.record(trial.result, ofDraw: trial.draw.number)
      if hasVerdict { state.outcomes.append(trial.result.outcome) }
      let now = monotonicMicroseconds()
      guard now - state.shown >= Self.progressPeriod else { return nil }
      state.shown = now
      let course = state.course
      return "\(elapsed.readable): \(counted(state.outcomes.count, "timeline")), "
        + "\(counted(course.combinations.count, "combination")) covered, "
        + "\(course.keptCount) kept"
    }
    trialEnded(trial)
    if let progress { printError(progress) }
  }

  /// The time between two lines of progress in microseconds.
  private static let progressPeriod: Int64 = 10_000_000

  /// Records that the unfinished draws have no verdict, because later draws depend on them.
  private func abandonRunning() {
    let abandoned = state.withLock { state in
      defer { state.running = [:] }
      return state.running.sorted { $0.key < $1.key }
    }
    for (number, timeline) in abandoned {
      record(
        Trial(
          draw: .init(number: number, timeline: timeline),
          result: SearchResult(phases: [], outcome: .inconclusive), severity: nil,
          evidence: "the run was ended early"), hasVerdict: false)
    }
  }

  // MARK: Confirmation and reduction

  /// Returns the failure that all repeated runs of a timeline show, or `nil` if one shows none.
  private func confirmed(
    _ draw: SearchCourse.Draw, as timeline: SearchTimeline, _ count: Int, _ rhythm: ProgramRhythm
  ) throws(LinuxError) -> SearchFinding? {
    let runs = Array(repeating: run(timeline, rhythm), count: count)
    let outcomes = try labs.outcomes(of: runs).compactMap(\.self)
    let severities = outcomes.compactMap { severity(row(timeline, [$0], rhythm)) }
    guard severities.count == count, let leastSevere = severities.min() else { return nil }
    let results = row(timeline, outcomes, rhythm)
    return SearchFinding(
      draw: draw, timeline: timeline, severity: leastSevere,
      outcomes: results.verdicts.map(\.outcome),
      evidence: evidence(results))
  }

  private func shortened(
    _ finding: SearchFinding, _ rhythm: ProgramRhythm
  ) throws(LinuxError) -> SearchFinding {
    var reducer = TimelineReducer(finding.timeline)
    var shorter: [SearchTimeline] = []
    // A failure that is found at the end is shortened too.
    let end = max(time, elapsed + Self.leastShortening)
    while elapsed < end, interruption.received == nil {
      let candidates = reducer.candidates(atMost: jobs)
      guard !candidates.isEmpty else { break }
      printError(
        "Shortening \(counted(reducer.best.entries.count, "entry", "entries")): "
          + "\(counted(candidates.count, "shorter timeline")) to try.")
      let outcomes = try labs.outcomes(of: candidates.map { run($0, rhythm) })
      guard interruption.received == nil else { break }
      let best = reducer.best
      reducer.record(
        zip(candidates, outcomes).map { timeline, outcome in
          let shown = outcome.flatMap { severity(row(timeline, [$0], rhythm)) }
          return (timeline, shown.map { $0 >= finding.severity } ?? false)
        })
      if reducer.best != best { shorter.append(reducer.best) }
    }
    // The shortest one that fails each time counts.
    while interruption.received == nil, let timeline = shorter.popLast() {
      let shortest = try confirmed(finding.draw, as: timeline, Self.lastConfirmations, rhythm)
      if let shortest, shortest.severity >= finding.severity { return shortest }
    }
    return finding
  }

  // MARK: Runs

  private func run(_ timeline: SearchTimeline, _ rhythm: ProgramRhythm) -> TryRun {
    var run = makeRun(Self.move(timeline, id: "search"))
    let judge = TryJudge(rhythm)
    run.endsWatch = { judge.isSettled($0, $1) }
    return run
  }

  private static func move(_ timeline: SearchTimeline, id: String) -> TryMove {
    let scenario = timeline.scenario(id: id, title: timeline.phrase)
    guard let move = try? TryMove(name: id, title: timeline.phrase, scenario.script) else {
      preconditionFailure("the timeline is not a valid network change: \(timeline.phrase)")
    }
    return move
  }

  private func row(
    _ timeline: SearchTimeline, _ outcomes: [TryRun.Outcome], _ rhythm: ProgramRhythm
  ) -> TryRow {
    let judge = TryJudge(rhythm)
    return TryRow(
      name: "search", title: timeline.phrase,
      verdicts: outcomes.map { judge.verdict(on: $0.observation, $0.traits) })
  }

  private func result(_ row: TryRow) -> TryResult {
    TryResult(command: command, rhythm: nil, rows: [row], gates: gates, output: "")
  }

  /// Returns the severity of a run's failure, or `nil` if the program does not fail.
  private func severity(_ row: TryRow) -> SearchSeverity? {
    row.verdicts.first.flatMap { SearchSeverity($0, exceedsLimit: result(row).isBad) }
  }

  private func evidence(_ row: TryRow) -> String { result(row).evidence(of: row) }

  /// Returns the phases of the connections at the entries of a timeline.
  private func phases(
    _ timeline: SearchTimeline, _ outcome: TryRun.Outcome, _ rhythm: ProgramRhythm
  ) -> [ConnectionPhase] {
    guard let moved = outcome.observation.moved else { return [] }
    var at = moved
    var phases: [ConnectionPhase] = []
    for (index, entry) in timeline.entries.enumerated() {
      // The first change begins the observation of the timeline.
      if index > 0 { at = at + entry.gap }
      guard at <= outcome.observation.lastLife else { break }
      phases.append(outcome.observation.phase(at: at, rhythm))
    }
    return phases
  }
}
