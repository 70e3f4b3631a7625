#if os(Linux)
  import HandoverBackend
  import HandoverCore
  import HandoverEngine
  import HandoverNIO
  import HandoverReport
  import HandoverScenario
  import HandoverSimulation
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
    init<Failure: Error>(
      _ plan: [PlannedScenario], _ variants: [TransportVariant],
      in networks: any LiveNetworkMaker, _ options: RealTime.Options, comparing compares: Bool,
      _ makeBackend: (RealTime) throws(Failure) -> any Backend
    ) throws(Failure) {
      var worker = Worker(SimulatedBackend(), keeps: .traces, variants: variants)
      var simulated: [Key: Simulated] = [:]
      var played: [PlannedScenario] = []
      var shortenedCount = 0
      func play(_ planned: PlannedScenario) -> ScenarioResult {
        let result = worker.run(planned.scenario, on: planned.profiles)
        for one in result.cases + result.variants {
          guard let profile = Profile.named(one.profile), let trace = one.trace else { continue }
          let scenario = one.variant?.applied(to: planned.scenario) ?? planned.scenario
          simulated[Key(script: scenario.script, profile: profile)] = Simulated(
            end: one.endedAt, trace: trace)
        }
        return result
      }
      let limit = Instant.zero + options.longest
      for planned in plan {
        let result = play(planned)
        let lasting = result.cases.count { $0.endedAt > limit }
        // The shortest that changes nothing but the length of the wait.
        let shortened = RealTime.countedTimeouts.lazy.compactMap { timeout in
          ShortenedTimeout.applied(to: planned.scenario, timeout: timeout)
            .map { PlannedScenario(scenario: $0, profiles: planned.profiles) }
        }.first { candidate in
          let short = play(candidate)
          return short.cases.map(\.verdict) == result.cases.map(\.verdict)
            && short.cases.count { $0.endedAt > limit } < lasting
        }
        if lasting > 0, let shortened {
          shortenedCount += 1
          played.append(shortened)
        } else {
          played.append(planned)
        }
      }
      self.plan = played
      self.shortenedCount = shortenedCount
      let ends = simulated.mapValues(\.end)
      self.simulated = simulated
      tolerance = options.tolerance
      self.compares = compares
      backend = try makeBackend(
        RealTime(in: networks, options: options) { script, profile in
          ends[Key(script: script, profile: profile)] ?? .never
        })
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
        + "\(tolerance.text) of its instant).\n"
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
