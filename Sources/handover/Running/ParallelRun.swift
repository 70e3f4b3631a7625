import ArgumentParser
import Dispatch
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverTrace
import Synchronization

/// Runs scenarios on a number of threads and hands the results over in the order of the plan.
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
  /// Which cases are known to fail.
  var known = KnownFailures([])
  var interruption: Interruption

  /// Refuses a number of threads that nobody can mean.
  static func validate(jobs: Int) throws {
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to 256.")
    }
  }

  /// What the threads share.
  private struct Progress {
    var nextToRun = 0
    var nextToReport = 0
    var finished: [ScenarioResult?]
    var mayGoOn = true
  }

  /// What the threads share, where all of them can hold it.
  private final class Board: Sendable {
    let progress: Mutex<Progress>

    init(_ progress: Progress) {
      self.progress = Mutex(progress)
    }
  }

  /// Runs the plan.
  ///
  /// - Parameters:
  ///   - plan: what to run.
  ///   - report: is called with each result, in the order of the plan, by one thread at a time.
  /// - Returns: whether everything of the plan was run.
  func callAsFunction(
    _ plan: [PlannedScenario], report: @escaping @Sendable (ScenarioResult) -> Void
  ) -> Bool {
    let board = Board(Progress(finished: Array(repeating: nil, count: plan.count)))
    let threads = max(1, min(jobs, plan.count))
    if threads == 1 {
      work(on: plan, board.progress, report)
    } else if case .real = backend.description.time {
      // Runs in real time wait most of the time: each needs a thread, but hardly a core, and a
      // queue of its own has one at once.
      let group = DispatchGroup()
      for number in 1...threads {
        DispatchQueue(label: "run \(number)").async(group: group) {
          work(on: plan, board.progress, report)
        }
      }
      group.wait()
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        work(on: plan, board.progress, report)
      }
    }
    return board.progress.withLock { $0.nextToReport == plan.count }
  }

  private func work(
    on plan: [PlannedScenario], _ progress: borrowing Mutex<Progress>,
    _ report: @Sendable (ScenarioResult) -> Void
  ) {
    // Repetitions are compared by their traces.
    var worker = Worker(
      backend, keeps: repeatCount > 1 ? keeps.union(.traces) : keeps, variants: variants)
    while let place = take(plan.count, progress) {
      let result = run(plan[place], with: &worker)
      progress.withLock { progress in
        progress.finished[place] = result
        // Results wait for those before them, so that reports never depend on the threads.
        while progress.mayGoOn || progress.nextToReport < place, progress.nextToReport < plan.count,
          let next = progress.finished[progress.nextToReport]
        {
          report(next)
          progress.finished[progress.nextToReport] = nil
          progress.nextToReport += 1
          if failsFast, next.cases.contains(where: { $0.verdict >= .failed }) {
            progress.mayGoOn = false
            break
          }
        }
      }
    }
  }

  private func take(_ count: Int, _ progress: borrowing Mutex<Progress>) -> Int? {
    progress.withLock { progress in
      guard progress.mayGoOn, interruption.received == nil, progress.nextToRun < count else {
        return nil
      }
      defer { progress.nextToRun += 1 }
      return progress.nextToRun
    }
  }

  private func run(_ planned: PlannedScenario, with worker: inout Worker) -> ScenarioResult {
    var result = worker.run(planned.scenario, on: planned.profiles)
    for _ in 1..<max(1, repeatCount) {
      let again = worker.run(planned.scenario, on: planned.profiles)
      for place in result.cases.indices where differs(result, again, at: place) {
        result.cases[place].verdict = .error
        result.cases[place].findings.append(
          Finding(
            kind: .breakdown, verdict: .error, expected: "every repetition is the same",
            seen: "the backend did something else; in virtual time nothing may differ",
            at: nil, position: nil))
      }
    }
    known.apply(to: &result)
    return result
  }

  /// Whether a case, or a variant of it, was another one the second time.
  private func differs(_ one: ScenarioResult, _ other: ScenarioResult, at place: Int) -> Bool {
    let profile = one.cases[place].profile
    func traces(_ result: ScenarioResult) -> [Trace?] {
      [result.cases[place].trace]
        + result.variants.filter { $0.profile == profile }.map(\.trace)
    }
    return zip(traces(one), traces(other)).contains { $0?.records != $1?.records }
  }
}
