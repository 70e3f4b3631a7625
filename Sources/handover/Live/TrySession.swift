#if os(Linux)
  import HandoverCore
  import HandoverLab
  import HandoverLinux
  import HandoverReport
  import HandoverTry
  import Synchronization

  /// What came of one move.
  struct TriedMove: Sendable {
    var move: TryMove
    var outcome: TryRun.Outcome
  }

  /// Runs of one program in labs beside each other.
  struct TrySession {
    private let runs: [TryRun]
    private let jobs: Int
    private let interruption: Interruption

    /// How far apart labs begin, in microseconds: many at once would disturb each other.
    private static let stagger: Int64 = 1_000_000

    init(_ runs: [TryRun], jobs: Int, _ interruption: Interruption) {
      self.runs = runs
      self.jobs = jobs
      self.interruption = interruption
    }

    private struct Course: Sendable {
      var next = 0
      var nextStart: Int64 = 0
      var outcomes: [TryRun.Outcome?]
      var failure: LinuxError?
    }

    /// The outcomes of all runs that were begun, in their order.
    func outcomes() throws -> [TriedMove] {
      let course = Mutex(Course(outcomes: runs.map { _ in nil }))
      do throws(LinuxError) {
        let stop = try Wakening()
        interruption.whenReceived { stop.signal() }
        _ = try OSThread.runAll(min(jobs, runs.count)) { (_) throws(LinuxError) in
          try Self.work(runs, course, stop)
        }
      } catch {
        printError("The lab broke down: \(error)")
        throw Leave(.breakdown)
      }
      return course.withLock { course in
        zip(runs, course.outcomes).compactMap { run, outcome in
          outcome.map { TriedMove(move: run.move, outcome: $0) }
        }
      }
    }

    private static func work(
      _ runs: [TryRun], _ course: borrowing Mutex<Course>, _ stop: Wakening
    ) throws(LinuxError) {
      while true {
        let (place, start) = course.withLock { course in
          defer { course.next += 1 }
          let start = max(monotonicMicroseconds(), course.nextStart)
          course.nextStart = start + stagger
          return (course.next, start)
        }
        guard place < runs.count else { return }
        if try waitReadable([stop.descriptor], atMost: start - monotonicMicroseconds())[0] {
          return
        }
        let outcome = try runs[place].run(interruption: stop)
        let done = course.withLock { course in
          course.outcomes[place] = outcome
          return course.outcomes.count { $0 != nil }
        }
        if !outcome.isInterrupted {
          printError("\(done) of \(runs.count): \(runs[place].move.title)")
        }
      }
    }
  }

  extension TryResult {
    /// Judges what came of a program's runs by its own rhythm; those that were cut short are left.
    init(_ command: [String], _ tries: [TriedMove], _ gates: TryGates) {
      let whole = tries.filter { !$0.outcome.isInterrupted }
      let still = whole.filter { $0.move == .nothing }.map(\.outcome)
      let rhythm = ProgramRhythm(still.map(\.observation))
      let judge = rhythm.map(TryJudge.init)
      var rows: [TryRow] = []
      for move in TryMove.all {
        let outcomes = whole.filter { $0.move == move }.map(\.outcome)
        guard let judge, !outcomes.isEmpty else { continue }
        rows.append(
          TryRow(
            name: move.name, title: move.title,
            verdicts: outcomes.map { judge.verdict(on: $0.observation, $0.traits) },
            lastWords: outcomes.lazy.compactMap(\.lastWords).first))
      }
      self.init(
        command: command, rhythm: rhythm, rows: rows, gates: gates,
        output: still.first?.output ?? "")
    }
  }

  extension TryRun.Outcome {
    /// The last line of a program that ended by itself, as far as it fits on a line.
    fileprivate var lastWords: String? {
      guard observation.programEnd != nil else { return nil }
      let line = output.split(whereSeparator: \.isNewline).last.map(String.init)
      return line.map { $0.count > 80 ? $0.prefix(77) + "..." : $0 }
    }
  }
#endif
