import Foundation
import HandoverCore
import Synchronization
import Testing

@testable import HandoverExploration

/// However threads interleave, an exploration by several equals one by a single thread.
@Suite("An exploration by several threads")
struct TeamTests {
  /// System threads that sometimes fall behind.
  private final class Stumbling: WorkerPool {
    let count: Int
    private let seed: UInt64
    private let steps = Atomic<UInt64>(0)

    init(count: Int, seed: UInt64) {
      self.count = count
      self.seed = seed
    }

    func work(_ part: @Sendable (Int) -> Void) {
      withoutActuallyEscaping(part) { part in
        let shared = SharedWork(count, part)
        for worker in 0..<count { Thread { shared.run(worker) }.start() }
        shared.wait()
      }
    }

    func pause(_ worker: Int) {
      var generator = SeededGenerator(
        seed: seed &+ steps.wrappingAdd(1, ordering: .relaxed).newValue)
      // Mostly no delay, and sometimes a long one.
      guard generator.below(3) == 0 else { return }
      for _ in 0..<generator.below(50_000) { _ = steps.load(ordering: .acquiring) }
    }
  }

  /// Work for several threads, and a wait until all have finished.
  private final class SharedWork: @unchecked Sendable {
    // Sendable, because all changes happen under the lock of the condition.

    private let condition = NSCondition()
    private var part: (@Sendable (Int) -> Void)?
    private var left: Int

    init(_ count: Int, _ part: @escaping @Sendable (Int) -> Void) {
      left = count
      self.part = part
    }

    func run(_ worker: Int) {
      do { condition.withLock { part }?(worker) }
      condition.withLock {
        left -= 1
        // The work is dropped as soon as no thread needs it.
        if left == 0 { part = nil }
        condition.signal()
      }
    }

    func wait() {
      condition.withLock { while left > 0 { condition.wait() } }
    }
  }

  /// The result of an exploration: the verdict, the figures, and the path to each state.
  private struct Outcome<Verdict: Equatable>: Equatable {
    var verdict: Verdict
    var figures: ExplorationFigures
    var ways: [ParentLinks.Link]

    init(_ verdict: Verdict, _ exploration: ExplorationState) {
      self.init(verdict, exploration.figures, exploration.ways)
    }

    init(_ verdict: Verdict, _ figures: ExplorationFigures, _ ways: ParentLinks) {
      self.verdict = verdict
      self.figures = figures
      self.ways = (0..<UInt32(ways.count)).map { ways[$0] }
    }
  }

  /// Segments of few states, so that small models have many segments.
  private static let sizes = [60, 150, 400, 2_000]

  private static func draw(_ generator: inout SeededGenerator) -> ExplorationSetup {
    let profiles = [Profile.sockets, .socketsMonitor, .cfStreamMonitor, .linuxSockets]
    let extras: [ExplorationSetup.Extras] = [
      .plain, .deadlines, .tokens, .rereads, .keepalive, [.deadlines, .tokens],
    ]
    var setup = ExplorationSetup(
      profiles[generator.below(profiles.count)], calls: 1 + generator.below(2),
      extras: extras[generator.below(extras.count)])
    // Every other setup has a mutant.
    let defects = Defect.allCases
    if generator.below(2) == 0 {
      let defect = defects[generator.below(defects.count)]
      setup.alter { $0.inject(defect) }
    }
    return setup
  }

  @Test("A random exploration of a client has the same result with several threads")
  func clients() throws {
    // HANDOVER_TEAM_SEED selects another seed.
    let seed =
      ProcessInfo.processInfo.environment["HANDOVER_TEAM_SEED"].flatMap(UInt64.init) ?? 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let setup = Self.draw(&generator)
      let size = Self.sizes[generator.below(Self.sizes.count)]
      var limits = ExplorationLimits()
      if generator.below(4) == 0 { limits.states = 1 + generator.below(3_000) }
      func explore(_ team: some WorkerPool) throws -> [Outcome<ExplorationVerdict>] {
        var explorer = Explorer(setup)
        explorer.search.segmentSize = size
        let first = Outcome(explorer.run(limits, team: team), explorer.search.exploration)
        guard case .stopped(.states, growing: []) = first.verdict else { return [first] }
        // A resumed exploration has the same result.
        var resumed = try Explorer(
          resuming: try explorer.checkpoint(version: "1"), setup, version: "1")
        return [first, Outcome(resumed.run(team: team), resumed.search.exploration)]
      }
      let alone = try explore(SingleWorker())
      for count in [2, 3, 5] {
        let team = Stumbling(count: count, seed: generator.next())
        let together = try explore(team)
        #expect(together == alone, "seed \(seed): \(setup), \(size) bytes, \(count) threads")
      }
    }
  }

  @Test("A random exploration by zones has the same result with several threads")
  func zones() {
    let seed =
      ProcessInfo.processInfo.environment["HANDOVER_TEAM_SEED"].flatMap(UInt64.init) ?? 1
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let setup = Self.draw(&generator)
      var limits = ExplorationLimits()
      if generator.below(4) == 0 { limits.states = 1 + generator.below(3_000) }
      func explore(_ team: some WorkerPool) -> Outcome<ExplorationVerdict> {
        var explorer = ZoneExplorer(setup)
        let verdict = explorer.run(limits, team: team)
        return Outcome(verdict, explorer.figures, explorer.ways)
      }
      let alone = explore(SingleWorker())
      for count in [2, 3, 5] {
        let together = explore(Stumbling(count: count, seed: generator.next()))
        #expect(together == alone, "seed \(seed): \(setup), \(count) threads")
      }
    }
  }

  @Test("An exploration of a world has the same result with several threads", arguments: [2, 3])
  func worlds(_ count: Int) {
    for fault in [nil, WorldSetup.Mutant.unheardLoss, .lostAnswer] {
      let setup = WorldSetup(
        ExplorationSetup(fault == nil ? .cfStream : .linuxSockets, calls: 1, extras: .plain),
        events: .plain, fault: fault)
      func explore(_ team: some WorkerPool) -> Outcome<WorldVerdict> {
        var explorer = WorldExplorer(setup)
        explorer.search.segmentSize = 300
        return Outcome(explorer.run(team: team), explorer.search.exploration)
      }
      #expect(explore(Stumbling(count: count, seed: UInt64(count))) == explore(SingleWorker()))
    }
  }

  @Test(
    "An exploration of a dispatcher has the same result with several threads", arguments: [2, 3])
  func dispatchers(_ count: Int) throws {
    for defects in [[], DispatcherDefects([.deafQueue]), DispatcherDefects([.leakedSlot])] {
      let setup = try DispatcherSetup(requests: 2, isFull: false, defects: defects)
      func explore(_ team: some WorkerPool) -> Outcome<DispatcherVerdict> {
        var explorer = DispatcherExplorer(setup)
        explorer.search.segmentSize = 100
        return Outcome(explorer.run(team: team), explorer.search.exploration)
      }
      #expect(explore(Stumbling(count: count, seed: UInt64(count))) == explore(SingleWorker()))
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ count: Int) -> Int {
    Int(next(upToAndIncluding: UInt64(count - 1)))
  }
}
