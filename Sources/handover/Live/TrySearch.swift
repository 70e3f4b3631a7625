import HandoverCore
import HandoverExploration
import HandoverLab
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverTry
import Synchronization

/// A timeline at which a program fails.
struct SearchFinding: Sendable {
  /// The number of the draw.
  var draw: Int
  /// The timeline as it was drawn.
  var drawn: SearchTimeline
  /// The shortest timeline that shows the failure.
  var timeline: SearchTimeline
  /// The results of the runs that confirm the shortest timeline.
  var row: TryRow
}

/// A search for network timelines at which a program fails.
///
/// The search draws timelines until one fails, repeats that one, and shortens it.
final class TrySearch: Sendable {
  /// A timeline with its verdict.
  struct Trial: Sendable {
    var draw: SearchCourse.Draw
    var result: SearchResult
    /// Whether the program fails or exceeds a limit.
    var isBad: Bool
    var evidence: String
  }

  /// The number of further runs that must fail at a drawn timeline.
  static let confirmations = 3
  /// The number of further runs that must fail at a shortened timeline, whose gaps may be just
  /// long enough.
  private static let lastConfirmations = 5
  /// The number of runs without a change, which determine the program's rhythm.
  private static let stillRuns = 2

  let seed: UInt64
  let time: Interval
  let gates: TryGates
  let command: [String]
  let jobs: Int
  private let labs: SearchLabs
  private let interruption: Interruption
  private let makeRun: @Sendable (TryMove) -> TryRun
  private let trialSeen: @Sendable (Trial) -> Void
  private let begin = monotonicMicroseconds()
  private let state: Mutex<State>

  private struct State: Sendable {
    var course: SearchCourse
    var running: [Int: SearchTimeline] = [:]  // lookup only
    var failure: Trial?
    var words: [TryOutcome] = []
    var shown: Int64 = 0
    /// The failures that did not occur again.
    var unsteady = 0
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
  ///   - trialSeen: Receives each timeline with its verdict, in the order of the verdicts.
  /// - Throws: ``LinuxError`` if the system refuses a descriptor.
  init(
    _ command: [String], seed: UInt64, time: Interval, jobs: Int, gates: TryGates,
    _ interruption: Interruption, makeRun: @escaping @Sendable (TryMove) -> TryRun,
    trialSeen: @escaping @Sendable (Trial) -> Void
  ) throws(LinuxError) {
    self.command = command
    self.seed = seed
    self.time = time
    self.jobs = jobs
    self.gates = gates
    self.interruption = interruption
    self.makeRun = makeRun
    self.trialSeen = trialSeen
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
  /// Whether at least one timeline has a conclusive verdict.
  var isDecided: Bool { state.withLock { $0.words.contains { $0 != .inconclusive } } }
  /// The number of timelines with each verdict, the worst verdict first.
  var words: [(word: TryOutcome, count: Int)] {
    let words = state.withLock { $0.words }
    return TryOutcome.fromWorst.compactMap { word in
      let count = words.count { $0 == word }
      return count == 0 ? nil : (word, count)
    }
  }
  /// The number of failures that did not occur again.
  var unsteadyCount: Int { state.withLock { $0.unsteady } }

  // MARK: The rhythm

  /// Returns the rhythm of the program, or the reason why a search is not possible.
  func rhythm() throws(LinuxError) -> (rhythm: ProgramRhythm?, reason: String) {
    let runs = Array(repeating: makeRun(.nothing), count: Self.stillRuns)
    let outcomes = try labs.outcomes(of: runs).compactMap(\.self)
    guard let rhythm = ProgramRhythm(outcomes.map(\.observation)) else {
      return (nil, "the search was interrupted")
    }
    if let end = rhythm.programEnd {
      return (nil, "the program ends by itself (\(end.words)), and a search needs one that runs on")
    }
    guard rhythm.payloadCount > 0 else {
      return (nil, "the program receives no data, so no timeline could be judged")
    }
    guard rhythm.payloadCount >= Self.leastPayloads, rhythm.longestGap <= Self.longestGap else {
      return (
        nil,
        "the program receives data too rarely: \(rhythm.words); a search needs data every "
          + "\(Self.longestGap.readable)"
      )
    }
    return (rhythm, "")
  }

  /// The rhythm that is needed to judge short timelines.
  private static let leastPayloads = 3
  private static let longestGap = Interval.seconds(5)

  // MARK: The search

  /// Searches until a failure is confirmed or the time is over.
  ///
  /// - Parameter rhythm: The program's rhythm.
  /// - Returns: The shortest timeline at which the program fails, or `nil` if none was found.
  /// - Throws: ``LinuxError`` if a lab cannot be created.
  func finding(_ rhythm: ProgramRhythm) throws(LinuxError) -> SearchFinding? {
    while !isOver {
      guard let failure = try firstFailure(rhythm) else { break }
      printError(
        "\(failure.result.word.rawValue) at timeline \(failure.draw.number); repeating it "
          + "\(Self.confirmations) times.")
      if let row = try confirmed(failure.draw.timeline, Self.confirmations, rhythm) {
        return try shortened(failure, row, rhythm)
      }
      state.withLock { $0.unsteady += 1 }
      if interruption.received == nil { printError("It does not fail each time; continuing.") }
    }
    return nil
  }

  /// Draws timelines until one fails, and returns it.
  private func firstFailure(_ rhythm: ProgramRhythm) throws(LinuxError) -> Trial? {
    let halt = try WakeupPipe()
    interruption.whenReceived { [labs] in
      halt.signal()
      labs.stop.signal()
    }
    state.withLock { $0.failure = nil }
    let labs = SearchLabs(jobs: jobs, stop: halt)
    try labs.run { [self] in
      guard !isOver else {
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
      if note(outcome, ofDraw: number, rhythm) { halt.signal() }
    }
    abandonRunning()
    return state.withLock { $0.failure }
  }

  /// Records the verdict on a draw, and returns whether the program fails.
  private func note(_ outcome: TryRun.Outcome, ofDraw number: Int, _ rhythm: ProgramRhythm) -> Bool
  {
    guard let timeline = state.withLock({ $0.running.removeValue(forKey: number) }) else {
      return false
    }
    let row = row(timeline, [outcome], rhythm)
    let result = SearchResult(
      phases: phases(timeline, outcome, rhythm), word: row.verdicts[0].word)
    let trial = Trial(
      draw: .init(number: number, timeline: timeline), result: result, isBad: isBad(row),
      evidence: evidence(row))
    record(trial)
    guard trial.isBad else { return false }
    state.withLock { $0.failure = $0.failure ?? trial }
    return true
  }

  private func record(_ trial: Trial, hasVerdict: Bool = true) {
    let progress: String? = state.withLock { state in
      state.course.record(trial.result, ofDraw: trial.draw.number)
      if hasVerdict { state.words.append(trial.result.word) }
      let now = monotonicMicroseconds()
      guard now - state.shown >= Self.progressPeriod else { return nil }
      state.shown = now
      let course = state.course
      return "\(elapsed.readable): \(counted(state.words.count, "timeline")), "
        + "\(counted(course.combinations.count, "combination")) covered, "
        + "\(course.keptCount) kept"
    }
    trialSeen(trial)
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
          result: SearchResult(phases: [], word: .inconclusive), isBad: false,
          evidence: "the run was ended early"), hasVerdict: false)
    }
  }

  // MARK: Confirmation and reduction

  /// Returns the results of repeated runs, or `nil` if the program does not fail in each.
  private func confirmed(
    _ timeline: SearchTimeline, _ count: Int, _ rhythm: ProgramRhythm
  ) throws(LinuxError) -> TryRow? {
    let runs = Array(repeating: run(timeline, rhythm), count: count)
    let outcomes = try labs.outcomes(of: runs).compactMap(\.self)
    guard outcomes.count == count,
      outcomes.allSatisfy({ isBad(row(timeline, [$0], rhythm)) })
    else { return nil }
    return row(timeline, outcomes, rhythm)
  }

  private func shortened(
    _ failure: Trial, _ row: TryRow, _ rhythm: ProgramRhythm
  ) throws(LinuxError) -> SearchFinding {
    var finding = SearchFinding(
      draw: failure.draw.number, drawn: failure.draw.timeline, timeline: failure.draw.timeline,
      row: row)
    var reducer = TimelineReducer(failure.draw.timeline)
    var shorter: [SearchTimeline] = []
    while !isOver {
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
          (timeline, outcome.map { shows(row, timeline, $0, rhythm) } ?? false)
        })
      if reducer.best != best { shorter.append(reducer.best) }
    }
    // The shortest one that fails each time counts.
    while interruption.received == nil, let timeline = shorter.popLast() {
      guard let row = try confirmed(timeline, Self.lastConfirmations, rhythm) else { continue }
      (finding.timeline, finding.row) = (timeline, row)
      break
    }
    return finding
  }

  /// Returns whether a timeline shows the failure of a row, or a worse one.
  private func shows(
    _ wanted: TryRow, _ timeline: SearchTimeline, _ outcome: TryRun.Outcome,
    _ rhythm: ProgramRhythm
  ) -> Bool {
    let row = row(timeline, [outcome], rhythm)
    let mildest = wanted.verdicts.map(\.word.rank).max() ?? 0
    return isBad(row) && row.verdicts[0].word.rank <= mildest
  }

  // MARK: Runs

  private func run(_ timeline: SearchTimeline, _ rhythm: ProgramRhythm) -> TryRun {
    var run = makeRun(Self.move(timeline, id: "search"))
    let judge = TryJudge(rhythm)
    run.isDecided = { judge.isSettled($0, $1) }
    return run
  }

  private static func move(_ timeline: SearchTimeline, id: String) -> TryMove {
    let scenario = timeline.scenario(id: id, title: timeline.words)
    guard let move = try? TryMove(name: id, title: timeline.words, scenario.script) else {
      preconditionFailure("a timeline is not a move: \(timeline.words)")
    }
    return move
  }

  private func row(
    _ timeline: SearchTimeline, _ outcomes: [TryRun.Outcome], _ rhythm: ProgramRhythm
  ) -> TryRow {
    let judge = TryJudge(rhythm)
    return TryRow(
      name: "search", title: timeline.words,
      verdicts: outcomes.map { judge.verdict(on: $0.observation, $0.traits) })
  }

  private func result(_ row: TryRow) -> TryResult {
    TryResult(command: command, rhythm: nil, rows: [row], gates: gates, output: "")
  }

  private func isBad(_ row: TryRow) -> Bool { result(row).isBad }

  /// The evidence of the worst verdict of a row.
  func evidence(_ row: TryRow) -> String { result(row).evidence(of: row) }

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
