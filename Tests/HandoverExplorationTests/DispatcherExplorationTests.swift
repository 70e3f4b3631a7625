import HandoverCore
import Testing

@testable import HandoverExploration

/// The article's rules hold for sequences of any length, because the exploration is complete.
@Suite("An exploration of the dispatcher")
struct DispatcherExplorationTests {
  @Test(
    "The exploration is complete at limit 2, the invariants are satisfied, and every request ends")
  func closes() throws {
    let setup = try DispatcherSetup(requests: 3, isFull: false)
    var explorer = DispatcherExplorer(setup)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == 655)
    var full = DispatcherExplorer(try DispatcherSetup(requests: 3, isFull: true))
    #expect(full.run() == .closed)
    #expect(full.figures.states == 26_018)
  }

  struct Planted: CustomTestStringConvertible, Sendable {
    var defect: DispatcherDefect
    var violation: DispatcherViolation
    var actions: Int
    var endpoints = 1

    var testDescription: String { defect.rawValue }
  }

  static let planted = [
    Planted(defect: .sharedCondition, violation: .waitsDespiteFreeSlot, actions: 5, endpoints: 2),
    Planted(defect: .lostRelease, violation: .waitsDespiteFreeSlot, actions: 3),
    Planted(defect: .leakedSlot, violation: .reportedBeforeRelease, actions: 2),
    Planted(defect: .deafQueue, violation: .notEnded, actions: 3),
    Planted(defect: .missingTimer, violation: .notEnded, actions: 2),
    Planted(defect: .missedWakeUp, violation: .notEnded, actions: 2),
    Planted(defect: .countedRequests, violation: .waitsDespiteFreeSlot, actions: 3),
    Planted(defect: .unboundedBlocking, violation: .outlivesItsTime, actions: 5),
  ]

  @Test("A dispatcher with a mutant is detected by a shortest sequence", arguments: planted)
  func detects(_ planted: Planted) throws {
    let setup = try DispatcherSetup(
      requests: planted.endpoints == 1 ? 3 : 6, endpoints: planted.endpoints,
      isFull: planted.defect == .countedRequests, defects: DispatcherDefects([planted.defect]))
    var explorer = DispatcherExplorer(setup)
    guard case .broken(let found) = explorer.run(ExplorationLimits(states: 3_000_000)) else {
      Issue.record("the defect is not found: \(explorer.figures)")
      return
    }
    #expect(found.violation == planted.violation)
    #expect(
      found.actions.count == planted.actions, "\(found.actions.map { $0.sentence(in: setup) })")
  }

  /// Returns the reachable states, up to a limit, with rows taken into account.
  private static func rawStates(
    of expander: DispatcherExpander, _ setup: DispatcherSetup, atMost limit: Int
  ) -> [DispatcherState] {
    var states = [DispatcherState(setup)]
    var seen: Set<StateDigest> = [rawDigest(states[0])]
    var log = EffectLog<DispatcherEffect>()
    var position = 0
    while position < states.count, states.count < limit {
      for action in expander.actions(in: states[position]) {
        var state = states[position]
        let violation = state.play(action, &log)
        if violation == nil, seen.insert(rawDigest(state)).inserted { states.append(state) }
      }
      position += 1
    }
    return states
  }

  /// Returns a digest with rows, and with the full state of each request.
  private static func rawDigest(_ state: DispatcherState) -> StateDigest {
    var digest = StateDigest(at: state.now)
    state.dispatcher.combine(into: &digest, leavesOutStarts: true)
    state.model.combine(into: &digest)
    for request in state.model.requests {
      digest.combine(request.id.index)
      digest.combine(UInt32(request.shape) << 8 | UInt32(request.age))
      digest.combine(state.model.word(of: request.id.index))
    }
    return digest
  }

  @Test("States that are merged have the same successors")
  func nameless() throws {
    let setup = try DispatcherSetup(requests: 2, isFull: true)
    let expander = DispatcherExpander(setup)
    let states = Self.rawStates(of: expander, setup, atMost: 60_000)
    var futures: [StateDigest: [StateDigest]] = [:]
    var log = EffectLog<DispatcherEffect>()
    for state in states {
      var future: Set<StateDigest> = []
      for action in expander.actions(in: state) {
        var next = state
        #expect(next.play(action, &log) == nil)
        future.insert(expander.digest(next))
      }
      let sorted = future.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
      let known = futures.updateValue(sorted, forKey: expander.digest(state))
      #expect(known == nil || known == sorted)
      if let known, known != sorted { return }
    }
    #expect(states.count > 2 * futures.count, "\(states.count) \(futures.count)")
  }
}
