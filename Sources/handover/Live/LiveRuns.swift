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

  /// Runs in real time beside their simulation: what both came to is compared case by case.
  final class LiveRuns: Sendable {
    /// The backend that plays on real sockets.
    let backend: NIOBackend
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
    init(
      _ plan: [PlannedScenario], in networks: any LiveNetworkMaker, _ options: NIOBackend.Options
    ) {
      var worker = Worker(SimulatedBackend(), keeps: .traces)
      var simulated: [Key: Simulated] = [:]
      for planned in plan {
        for result in worker.run(planned.scenario, on: planned.profiles).cases {
          guard let profile = Profile.named(result.profile), let trace = result.trace else {
            continue
          }
          simulated[Key(script: planned.scenario.script, profile: profile)] = Simulated(
            end: result.endedAt, trace: trace)
        }
      }
      let ends = simulated.mapValues(\.end)
      self.simulated = simulated
      tolerance = options.tolerance
      backend = NIOBackend(in: networks, options: options) { script, profile in
        ends[Key(script: script, profile: profile)] ?? .never
      }
    }

    /// Compares what a scenario came to with its simulation.
    func compare(_ result: ScenarioResult) {
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
      guard !told.isEmpty else { return "" }
      var text = "\nOn the kernel and in the simulation\n"
      for one in told where told.count <= Self.fullyTold || !one.agreement.isFull {
        let words = AgreementText(one.script, style: style)
        text += "\n  \(one.name): \(words.sum(one.agreement))\n"
        for line in words.lines(one.agreement) { text += "    \(line)\n" }
      }
      let full = told.count { $0.agreement.isFull }
      let consequences = told.reduce(0) { $0 + $1.agreement.count }
      let agreeing = told.reduce(0) { $0 + $1.agreement.agreeing }
      return text
        + "\n\(full) of \(counted(told.count, "case")) came to the same in everything "
        + "(\(agreeing) of \(counted(consequences, "consequence")), each within "
        + "\(tolerance.text) of its instant).\n"
    }

    private static let fullyTold = 4
  }
#endif
