import HandoverCore
import HandoverDispatcher
import Testing

@testable import HandoverExploration

/// The article's rules hold for sequences of any length, because the exploration closes.
@Suite("An exploration of the dispatcher")
struct DispatcherExplorationTests {
  @Test("closes at limit 2, keeps the rules, and every request ends")
  func closes() throws {
    let setup = try DispatcherSetup(requests: 3, isFull: false)
    var explorer = DispatcherExplorer(setup)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == 14_676)
    var full = DispatcherExplorer(try DispatcherSetup(requests: 2, isFull: true))
    #expect(full.run() == .closed)
    #expect(full.figures.states == 19_357)
  }

  struct Planted: CustomTestStringConvertible, Sendable {
    var defect: DispatcherDefect
    var breach: DispatcherBreach
    var acts: Int
    var endpoints = 1

    var testDescription: String { defect.rawValue }
  }

  static let planted = [
    Planted(defect: .sharedCondition, breach: .waitsBesideFreeSlot, acts: 5, endpoints: 2),
    Planted(defect: .lostRelease, breach: .waitsBesideFreeSlot, acts: 3),
    Planted(defect: .leakedSlot, breach: .toldBeforeRelease, acts: 2),
    Planted(defect: .deafQueue, breach: .notEnded, acts: 3),
    Planted(defect: .missingTimer, breach: .notEnded, acts: 2),
    Planted(defect: .missedWakeUp, breach: .notEnded, acts: 2),
    Planted(defect: .countedRequests, breach: .waitsBesideFreeSlot, acts: 3),
    Planted(defect: .unboundedBlocking, breach: .outlivesItsTime, acts: 5),
  ]

  @Test("convicts a dispatcher with a defect by a shortest sequence", arguments: planted)
  func convicts(_ planted: Planted) throws {
    let setup = try DispatcherSetup(
      requests: planted.endpoints == 1 ? 3 : 6, endpoints: planted.endpoints,
      isFull: planted.defect == .countedRequests, defects: DispatcherDefects([planted.defect]))
    var explorer = DispatcherExplorer(setup)
    guard case .broken(let found) = explorer.run(ExplorationLimits(states: 3_000_000)) else {
      Issue.record("the defect is not found: \(explorer.figures)")
      return
    }
    #expect(found.breach == planted.breach)
    #expect(found.acts.count == planted.acts, "\(found.acts.map { $0.sentence(in: setup) })")
  }
}
