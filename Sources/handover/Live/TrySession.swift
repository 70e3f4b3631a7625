import HandoverCore
import HandoverLab
import HandoverLinux
import HandoverReport
import HandoverTry
import Synchronization

/// The outcome of one network change.
struct TriedMove: Sendable {
  var move: TryMove
  var outcome: TryRun.Outcome
  /// The index of the run among all runs of the session.
  var position: Int
}

/// Runs of one program in parallel labs.
struct TrySession {
  private let runs: [TryRun]
  private let jobs: Int
  private let interruption: Interruption
  private let verdicts: EarlyVerdicts

  /// The time between the starts of two labs in microseconds, because simultaneous starts disturb
  /// each other.
  private static let stagger: Int64 = 750_000

  init(_ runs: [TryRun], jobs: Int, _ interruption: Interruption) {
    self.runs = runs
    self.jobs = jobs
    self.interruption = interruption
    verdicts = EarlyVerdicts(on: runs.map(\.move))
  }

  private struct Course: Sendable {
    var next = 0
    var nextStart: Int64 = 0
    var outcomes: [TryRun.Outcome?]
    /// The number of threads that are still working.
    var working: Int
  }

  /// Returns the outcomes of all runs that were begun, in order.
  func outcomes() throws -> [TriedMove] {
    let workers = min(jobs, runs.count)
    let verdicts = verdicts
    let course = Mutex(Course(outcomes: runs.map { _ in nil }, working: workers))
    do throws(LinuxError) {
      let stop = try WakeupPipe()
      interruption.whenReceived { stop.signal() }
      let news = try WakeupPipe()
      // An additional thread shows the progress.
      _ = try OSThread.runAll(workers + 1) { (number) throws(LinuxError) in
        guard number < workers else { return Self.showProgress(runs.count, course, news) }
        defer {
          course.withLock { $0.working -= 1 }
          news.signal()
        }
        do throws(LinuxError) {
          try Self.work(runs, course, verdicts, stop)
        } catch {
          // No thread starts a further lab.
          course.withLock { $0.next = runs.count }
          throw error
        }
      }
    } catch {
      throw Self.failure(error, of: runs.first?.command ?? [])
    }
    return course.withLock { course in
      zip(runs, course.outcomes).enumerated().compactMap { position, pair in
        pair.1.map { TriedMove(move: pair.0.move, outcome: $0, position: position) }
      }
    }
  }

  /// Prints why a lab or its program could not be started, and returns the error to throw.
  static func failure(_ error: LinuxError, of command: [String]) -> ExitError {
    if let complaint = ProgramName.complaint(about: error, of: command.first ?? "") {
      return ExitError(printing: "Error: \(complaint)")
    }
    return ExitError(.breakdown, printing: "The lab failed: \(error)")
  }

  /// Returns the outcomes of all runs that were begun.
  ///
  /// Runs whose verdict depends on a pause of the machine are repeated once.
  ///
  /// - Returns: The outcomes, in the order of the runs.
  /// - Throws: ``ExitError`` if a lab cannot be created, after an error message.
  func outcomesWithRepetition() throws -> [TriedMove] {
    var tries = try outcomes()
    let positions = tries.indices.filter { Self.wasDisturbed(tries[$0], among: tries) }
    guard !positions.isEmpty, interruption.received == nil else { return tries }
    printError(
      "The machine was suspended or overloaded during \(counted(positions.count, "run")), which "
        + (positions.count == 1 ? "is" : "are") + " repeated once.")
    let again = TrySession(
      positions.map { runs[tries[$0].position] }, jobs: jobs, interruption)
    for tried in try again.outcomes() where !tried.outcome.isInterrupted {
      tries[positions[tried.position]].outcome = tried.outcome
    }
    return tries
  }

  /// Returns whether a pause of the machine may have changed the verdict on a run.
  private static func wasDisturbed(_ tried: TriedMove, among tries: [TriedMove]) -> Bool {
    guard !tried.outcome.isInterrupted, !tried.outcome.observation.standstills.isEmpty else {
      return false
    }
    guard tried.move != .nothing else { return true }
    let still = tries.filter { $0.move == .nothing }.map(\.outcome.observation)
    guard let rhythm = ProgramRhythm(still) else { return false }
    let verdict = TryJudge(rhythm).verdict(
      on: tried.outcome.observation, tried.outcome.traits)
    if case .machinePaused? = verdict.inconclusiveReason { return true }
    return false
  }

  private static func showProgress(
    _ total: Int, _ course: borrowing Mutex<Course>, _ news: WakeupPipe
  ) {
    var progress = Progress(.auto, of: ProgressText(total: total, noun: "lab"))
    defer { StandardStream.clearTransient() }
    while true {
      news.clear()
      let (done, working) = course.withLock { course in
        (course.outcomes.count { $0 != nil }, course.working)
      }
      guard working > 0 else { return }
      progress?.show(done: done, running: working, failed: 0)
      _ = try? waitReadable([news.descriptor], atMost: progress?.wait)
    }
  }

  private static func work(
    _ runs: [TryRun], _ course: borrowing Mutex<Course>, _ verdicts: EarlyVerdicts,
    _ stop: WakeupPipe
  ) throws(LinuxError) {
    while true {
      let (index, start) = course.withLock { course in
        defer { course.next += 1 }
        let start = max(monotonicMicroseconds(), course.nextStart)
        course.nextStart = start + stagger
        return (course.next, start)
      }
      guard index < runs.count else { return }
      if try waitReadable([stop.descriptor], atMost: start - monotonicMicroseconds())[0] {
        return
      }
      var run = runs[index]
      run.endsWatch = { [move = run.move] observation, traits in
        if let line = verdicts.line(observation, traits, of: move, at: index) { printError(line) }
        return false
      }
      let outcome = try run.run(interruption: stop)
      course.withLock { $0.outcomes[index] = outcome }
      guard !outcome.isInterrupted else { continue }
      let lines = verdicts.lines(afterEndOf: run.move, outcome.observation, outcome.traits)
      for line in lines { printError(line) }
    }
  }
}

extension TryResult {
  /// Creates the result of a program's runs, which are compared with its own rhythm.
  ///
  /// Interrupted runs are left out.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - moves: The network changes, in the order of the report.
  ///   - tries: The outcomes of the runs.
  ///   - gates: The thresholds for the program.
  ///   - progress: A function that returns whether a line of the program belongs on the timeline.
  init(
    _ command: [String], _ moves: [TryMove], _ tries: [TriedMove], _ gates: TryGates,
    _ progress: (String) -> Bool
  ) {
    let whole = tries.filter { !$0.outcome.isInterrupted }
    let still = whole.filter { $0.move == .nothing }.map(\.outcome)
    let rhythm = ProgramRhythm(still.map(\.observation))
    let judge = rhythm.map(TryJudge.init)
    var rows: [TryRow] = []
    for move in moves where move != .nothing {
      let outcomes = whole.filter { $0.move == move }.map(\.outcome)
      guard let judge, !outcomes.isEmpty else { continue }
      var row = TryRow(
        name: move.name, title: move.title,
        verdicts: outcomes.map { judge.verdict(on: $0.observation, $0.traits) },
        lastOutput: outcomes.lazy.compactMap(\.lastOutput).first)
      row.timeline = row.worstIndex.map { outcomes[$0].timeline(progress) }
      rows.append(row)
    }
    self.init(
      command: command, rhythm: rhythm, rows: rows, gates: gates,
      output: still.first?.output ?? "")
    baselineTimeline = still.first?.timeline(progress)
  }
}

extension TryResult {
  /// Adds the outcomes of runs on a kernel that gives up early.
  mutating func add(afterTimeout tries: [TriedMove]) {
    guard let judge = rhythm.map(TryJudge.init) else { return }
    for tried in tries where !tried.outcome.isInterrupted {
      for index in rows.indices where rows[index].name == tried.move.name {
        rows[index].afterTimeout = judge.verdict(
          on: tried.outcome.observation, tried.outcome.traits)
      }
    }
  }
}

extension TryRun.Outcome {
  /// Records the numbers of the messages that the program printed while it was observed.
  mutating func notePrinted(_ numbers: [String: Int]) {
    observation.printed = lines.filter { $0.at <= observation.end }.compactMap { numbers[$0.text] }
  }

  fileprivate func timeline(_ progress: (String) -> Bool) -> TryTimeline {
    func marks(_ lines: [TimestampedLine]) -> [TryTimeline.Mark] {
      lines.map { TryTimeline.Mark(at: $0.at, text: $0.text, frame: $0.frame) }
    }
    return observation.timeline(
      changes: marks(changes), lines: marks(lines.filter { progress($0.text) }),
      networks: marks(networks), serverLines: marks(serverLines))
  }

  /// The most informative line of a program that ended by itself, shortened to 80 characters.
  ///
  /// This is the last line that mentions an error, or else the last line.
  fileprivate var lastOutput: String? {
    guard observation.programEnd != nil else { return nil }
    let lines = output.split(whereSeparator: \.isNewline).map(String.init)
    let line = lines.last { $0.contains("rror") } ?? lines.last
    return line.map { $0.count > 80 ? $0.prefix(77) + "..." : $0 }
  }
}
