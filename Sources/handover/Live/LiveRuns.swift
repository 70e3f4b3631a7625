#if os(Linux)
  import HandoverBackend
  import HandoverCore
  import HandoverEngine
  import HandoverLinux
  import HandoverReport
  import HandoverScenario
  import HandoverTrace
  import Synchronization

  /// Runs in real time beside their simulation: it tells how long they take, and what the built-in
  /// client came to is compared with it case by case.
  final class LiveRuns: Sendable {
    /// What is played: scenarios that would wait for a quarter of an hour are shortened.
    let plan: [PlannedScenario]
    /// How many scenarios are shortened.
    private let shortenedCount: Int
    /// The backend that plays on real sockets.
    let backend: any Backend
    /// Whether the backend is to come to the same as the simulation.
    private let compares: Bool
    /// What broke in the simulation, by the places of scenarios and profiles: it is not played.
    let brokenBefore: ParallelRun.Faults
    /// What broke in the simulation beside the cases, in words.
    let breakdowns: [String]
    private let simulated: [Key: Simulated]
    private let tolerance: Interval
    private let told = Mutex<[Told]>([])

    private struct Key: Hashable {
      var script: Script
      var profile: Profile
    }

    private struct Simulated {
      var end: Instant
      var trace: Trace
    }

    /// How far one case agreed.
    private struct Told {
      var name: String
      var script: Script
      var agreement: Agreement
    }

    /// Plays a plan in virtual time first: that tells how long it takes, and what to compare with.
    ///
    /// - Parameters:
    ///   - plan: what is to be run.
    ///   - rehearsal: how the simulation is run: on how many threads, and what ends it early.
    ///   - gates: what the runs must keep, which nothing may hide.
    ///   - networks: makes the network of each run.
    ///   - options: what can be chosen.
    ///   - compares: whether the backend is to come to the same as the simulation.
    ///   - makeBackend: makes the backend.
    /// - Throws: what `makeBackend` throws.
    init<Failure: Error>(
      _ plan: [PlannedScenario], _ rehearsal: ParallelRun, _ gates: Gates,
      in networks: any LiveNetworkMaker, _ options: RealTime.Options, comparing compares: Bool,
      _ makeBackend: (RealTime) throws(Failure) -> any Backend
    ) throws(Failure) {
      var simulation = Simulation(limit: .zero + options.maxDuration)
      let (outcome, first) = simulation.play(plan, rehearsal)
      // One that ends calls before they hang for too long would hide that they do.
      let timeouts = RealTime.countedTimeouts.filter { $0 > gates.maxHang ?? .zero }
      let candidates = simulation.candidates(of: plan, first, waiting: timeouts)
      let (_, second) = simulation.play(candidates.map(\.planned), rehearsal)
      var played = plan
      // The shortest that changes nothing but the length of the wait comes last, and stays.
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
      time.adoption = { GuardedThread.adoption() }
      backend = try makeBackend(time)
    }

    /// The simulations before the runs.
    private struct Simulation {
      /// How long a run may be.
      let limit: Instant
      private(set) var known: [Key: Simulated] = [:]

      init(limit: Instant) {
        self.limit = limit
      }

      /// What a scenario came to.
      struct Outcome {
        var verdicts: [Verdict]
        /// How many of its cases last longer than runs may.
        var lasting: Int

        /// Whether it came to the same in less time.
        func isAsGood(as other: Outcome) -> Bool {
          lasting < other.lasting && verdicts == other.verdicts
        }
      }

      /// A scenario that waits for a shorter time in the place of another one.
      struct Candidate {
        var index: Int
        var planned: PlannedScenario
      }

      /// Plays a plan; where it was interrupted, the first part of it.
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

      /// What could be played in the place of scenarios that last too long, the shortest first.
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

    /// Compares what a scenario came to with its simulation.
    func compare(_ result: ScenarioResult) {
      guard compares else { return }
      for one in result.cases {
        guard let profile = Profile.named(one.profile), let live = one.trace,
          one.verdict != .unsupported, one.verdict != .error,
          let simulated = simulated[Key(script: result.scenario.script, profile: profile)]
        else { continue }
        let agreement = Agreement(
          result.scenario.script, simulated: simulated.trace, live: live, tolerance: tolerance)
        told.withLock {
          $0.append(Told(name: one.name, script: result.scenario.script, agreement: agreement))
        }
      }
    }

    /// What the comparisons came to, for people: few cases entry by entry, of many only those that
    /// do not agree in everything.
    func text(style: Style) -> String {
      let told = told.withLock { $0 }
      guard !told.isEmpty else { return shortening }
      var text = "\nOn the kernel and in the simulation\n"
      for one in told where told.count <= Self.fullyTold || !one.agreement.isFull {
        let words = AgreementText(one.script, style: style)
        text += "\n  \(one.name): \(words.sum(one.agreement))\n"
        for line in words.lines(one.agreement) { text += "    \(line)\n" }
      }
      let full = told.count { $0.agreement.isFull }
      let consequences = told.reduce(0) { $0 + $1.agreement.count }
      let agreeing = told.reduce(0) { $0 + $1.agreement.agreeing }
      return text + shortening
        + "\n\(full) of \(counted(told.count, "case")) came to the same in everything "
        + "(\(agreeing) of \(counted(consequences, "consequence")), each within "
        + "\(tolerance.told) of its instant).\n"
    }

    private static let fullyTold = 4

    /// What is said of scenarios that would have waited for TCP's own time-out.
    private var shortening: String {
      guard shortenedCount > 0 else { return "" }
      return "\nIn \(counted(shortenedCount, "scenario")) TCP gives up after some seconds instead "
        + "of 15min (tcp_retries2), and what is expected after it is expected that much earlier.\n"
    }
  }
#endif
