import Foundation
import HandoverBackend
import HandoverCore
import HandoverScenario
import Testing

@testable import HandoverEngine
@testable import HandoverSimulation

/// Every bundled case, run with a fork of the world before each step.
///
/// The original then does something else, and the run continues with the fork. The result must
/// equal that of a straight run.
@Suite("Every bundled case on forks of forks")
struct ForkCorpusTests {
  /// Runs scripts on worlds that are forked before each step.
  final class ForkingSession: BackendSession {
    private var world = World()
    /// The number of forks, and the number of times that no fork was possible.
    private(set) var forks = 0
    private(set) var refusals = 0

    func open(_ script: Script, profile: Profile, into trace: inout Trace) {
      _ = world.recording(&trace) { $0.open(script, profile: profile) }
      if !world.canFork { refusals += 1 }
    }

    /// Continues with a fork.
    ///
    /// Sometimes the original runs to a different end before it is dropped.
    private func change(_ trace: inout Trace) {
      guard let fork = world.fork() else { return }
      forks += 1
      guard forks % 8 == 0 else {
        world = fork
        return
      }
      // The records are many, so those of the original go to a separate trace.
      var other = Trace()
      _ = world.recording(&other) {
        _ = $0.step(until: .zero + .seconds(100_000), inclusive: true)
        $0.follow($0.context.device.apply([], path: nil, up: [], down: []))
        $0.close(at: $0.context.now)
      }
      world = fork
    }

    private func advance(until limit: Instant, inclusive: Bool, into trace: inout Trace) {
      change(&trace)
      var shouldContinue = true
      while shouldContinue, world.canContinue {
        _ = world.recording(&trace) { world in
          if world.context.turns != nil {
            world.advance(until: limit, inclusive: inclusive)
            shouldContinue = false
          } else {
            shouldContinue = world.step(until: limit, inclusive: inclusive)
          }
        }
        if shouldContinue { change(&trace) }
      }
    }

    func advance(before instant: Instant, into trace: inout Trace) {
      advance(until: instant, inclusive: false, into: &trace)
    }

    func advance(through instant: Instant, into trace: inout Trace) {
      advance(until: instant, inclusive: true, into: &trace)
    }

    func play(_ entry: Int, into trace: inout Trace) {
      change(&trace)
      _ = world.recording(&trace) { $0.play(entry) }
    }

    func runUntilIdle(through limit: Instant, into trace: inout Trace) -> Instant {
      while world.canContinue, let due = world.nextForeground() {
        advance(until: min(due, limit), inclusive: true, into: &trace)
        guard due <= limit else { break }
      }
      return world.recording(&trace) { $0.runUntilIdle(through: limit) }.now
    }

    func close(at instant: Instant, into trace: inout Trace) -> [String] {
      change(&trace)
      var leaks: [String] = []
      _ = world.recording(&trace) {
        $0.close(at: instant)
        leaks = $0.leaks()
      }
      return leaks
    }
  }

  /// A backend with one session, which counts its forks.
  ///
  /// Only one thread uses it at a time.
  struct Forking: Backend, @unchecked Sendable {
    let session: ForkingSession

    var description: BackendDescription { SimulatedBackend().description }
    func makeSession() -> any BackendSession { session }
  }

  @Test("A fork that runs gives the result of a straight run")
  func equal() throws {
    let kept = Set(
      String(
        decoding: try Data(
          contentsOf: Bundled.root.appending(path: "Fixtures/Digests/bundled.tsv")),
        as: UTF8.self
      ).split(separator: "\n").map(String.init))
    let session = ForkingSession()
    var worker = Worker(Forking(session: session), retaining: .digests)
    var different: [String] = []
    // Interceptors that share state by reference cannot be copied.
    var sharing = 0
    for scenario in Bundled.scenarios {
      let shares = scenario.script.configuration.chain.links.contains {
        switch $0.kind {
        case .token, .cache: true
        default: false
        }
      }
      if shares { sharing += scenario.profiles.count }
      for result in worker.run(scenario).cases {
        let line = "\(scenario.file)\t\(result.profile)\t\(result.digest?.text ?? "-")"
        if !kept.contains(line) { different.append(line) }
      }
    }
    #expect(different.isEmpty)
    #expect(session.refusals == sharing)
    #expect(session.forks > 40_000)
  }
}
