import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import Synchronization

/// Runs in real time, prepared by a simulation.
///
/// The simulation determines how long the runs take. The results of the built-in client are also
/// compared with it case by case.
final class LiveRuns: Sendable {
  /// The scenarios to run; those that would wait for a quarter of an hour are shortened.
  let plan: [PlannedScenario]
  /// The number of scenarios that are shortened.
  private let shortenedCount: Int
  /// The backend with real sockets.
  let backend: any Backend
  /// Whether the results of the backend are compared with the simulation.
  private let compares: Bool
  /// The crashes of the simulation by the indices of scenarios and profiles; these cases are not
  /// run.
  let brokenBefore: ParallelRun.Faults
  /// The errors of the simulation that concern no particular case.
  let breakdowns: [String]
  private let simulated: [Key: Simulated]
  private let tolerance: Interval
  private let reported = Mutex<[Reported]>([])

  private struct Key: Hashable {
    var script: Script
    var profile: Profile
  }

  private struct Simulated {
    var end: Instant
    var trace: Trace
  }

  /// The agreement of one case.
  private struct Reported {
    var name: String
    var script: Script
    var agreement: Agreement
  }

  /// Runs a plan in virtual time first, to determine its duration and the results to compare
  /// with.
  ///
  /// - Parameters:
  ///   - plan: The scenarios to run.
  ///   - settings: The settings of the simulation, such as its number of threads.
  ///   - gates: The thresholds of the runs, which shortened timeouts must not hide.
  ///   - networks: The factory of the network of each run.
  ///   - options: The settings of real-time runs.
  ///   - compares: Whether the results are compared with the simulation.
  ///   - makeBackend: A closure that creates the backend.
  /// - Throws: The error that `makeBackend` throws.
  init<Failure: Error>(
    _ plan: [PlannedScenario], _ settings: ParallelRun, _ gates: Gates,
    in networks: any LiveNetworkFactory, _ options: RealTime.Options, comparing compares: Bool,
    _ makeBackend: (RealTime) throws(Failure) -> any Backend
  ) throws(Failure) {
    var simulation = Simulation(limit: .zero + options.maxDuration)
    let (outcome, first) = simulation.play(plan, settings)
    // A timeout below the threshold would end calls before they count as hanging.
    let timeouts = RealTime.countedTimeouts.filter { $0 > gates.maxHang ?? .zero }
    let candidates = simulation.candidates(of: plan, first, waiting: timeouts)
    let (_, second) = simulation.play(candidates.map(\.planned), settings)
    var played = plan
    // The last candidate assigned is the shortest one that changes only the length of the wait.
    for (candidate, short) in zip(candidates, second).reversed()
    where short.isAsGood(as: first[candidate.index]) {
      played[candidate.index] = candidate.planned
    }
    self.plan = played
    shortenedCount = zip(plan, played).count { $0.scenario.script != $1.scenario.script }
    (brokenBefore, breakdowns) = (outcome.faults, outcome.breakdowns)
    let known = simulation.known
    simulated = known
    tolerance = options.tolerance
    self.compares = compares
    var time = RealTime(in: networks, options: options) { script, profile in
      known[Key(script: script, profile: profile)]?.end ?? .never
    }
    time.makeThreadAdopter = { GuardedThread.makeThreadAdopter() }
    backend = try makeBackend(time)
  }

  /// The simulations before the runs.
  private struct Simulation {
    /// The end of the longest run allowed.
    let limit: Instant
    private(set) var known: [Key: Simulated] = [:]

    init(limit: Instant) {
      self.limit = limit
    }

    /// The outcome of a scenario.
    struct Outcome {
      var verdicts: [Verdict]
      /// The number of cases that last longer than allowed.
      var lasting: Int

      /// Returns whether the verdicts are equal and fewer cases last too long.
      func isAsGood(as other: Outcome) -> Bool {
        lasting < other.lasting && verdicts == other.verdicts
      }
    }

    /// A scenario with a shorter timeout that can replace another one.
    struct Candidate {
      var index: Int
      var planned: PlannedScenario
    }

    /// Runs a plan, or its first part if it is interrupted.
    mutating func play(
      _ plan: [PlannedScenario], _ run: ParallelRun
    ) -> (ParallelRun.Outcome, [Outcome]) {
      var (copy, outcomes) = (self, [Outcome]())
      let outcome = run(plan) { result in
        outcomes.append(copy.note(result))
        return true
      }
      self = copy
      return (outcome, outcomes)
    }

    private mutating func note(_ result: ScenarioResult) -> Outcome {
      for one in result.cases + result.variants {
        guard let profile = Profile.named(one.profile), let trace = one.trace else { continue }
        let scenario = one.variant?.applied(to: result.scenario) ?? result.scenario
        known[Key(script: scenario.script, profile: profile)] = Simulated(
          end: one.endedAt, trace: trace)
      }
      return Outcome(
        verdicts: result.cases.map(\.verdict),
        lasting: result.cases.count { $0.endedAt > limit })
    }

    /// Returns possible replacements of scenarios that last too long, the shortest first.
    func candidates(
      of plan: [PlannedScenario], _ outcomes: [Outcome], waiting timeouts: [Interval]
    ) -> [Candidate] {
      zip(plan.indices, outcomes).filter { $1.lasting > 0 }.flatMap { index, _ in
        timeouts.compactMap { timeout in
          ShortenedTimeout.applied(to: plan[index].scenario, timeout: timeout).map {
            let planned = PlannedScenario(scenario: $0, profiles: plan[index].profiles)
            return Candidate(index: index, planned: planned)
          }
        }
      }
    }
  }

  /// Compares the results of a scenario with its simulation.
  func compare(_ result: ScenarioResult) {
    guard compares else { return }
    for one in result.cases {
      guard let profile = Profile.named(one.profile), let live = one.trace,
        one.verdict != .unsupported, one.verdict != .error,
        let simulated = simulated[Key(script: result.scenario.script, profile: profile)]
      else { continue }
      let agreement = Agreement(
        result.scenario.script, simulated: simulated.trace, live: live, tolerance: tolerance)
      reported.withLock {
        $0.append(Reported(name: one.name, script: result.scenario.script, agreement: agreement))
      }
    }
  }

  /// Returns the results of the comparisons, for people.
  ///
  /// A few cases are shown entry by entry. Of many cases, only those that differ are shown.
  func text(style: Style) -> String {
    let reported = reported.withLock { $0 }
    guard !reported.isEmpty else { return shortening }
    var text = "\nKernel compared with simulation\n"
    for one in reported where reported.count <= Self.detailCount || !one.agreement.isFull {
      let agreement = AgreementText(one.script, style: style)
      text += "\n  \(one.name): \(agreement.sum(one.agreement))\n"
      for line in agreement.lines(one.agreement) { text += "    \(line)\n" }
    }
    let full = reported.count { $0.agreement.isFull }
    let consequences = reported.reduce(0) { $0 + $1.agreement.count }
    let agreeing = reported.reduce(0) { $0 + $1.agreement.agreeing }
    return text + shortening
      + "\n\(full) of \(counted(reported.count, "case")) \(full == 1 ? "matches" : "match") the "
      + "simulation "
      + "(\(agreeing) of \(counted(consequences, "event")), each within "
      + "\(tolerance.exactText)).\n"
  }

  private static let detailCount = 4

  /// The note about scenarios that would have waited for TCP's default timeout.
  private var shortening: String {
    guard shortenedCount > 0 else { return "" }
    return "\nIn \(counted(shortenedCount, "scenario")) TCP gives up after some seconds instead "
      + "of 15min (tcp_retries2). Later expectations are evaluated earlier by the difference.\n"
  }
}
