import HandoverCore
import Testing

@testable import HandoverExploration

@Suite("The estimate of the remaining exploration")
struct OutlookTests {
  private static let setups = [
    ExplorationSetup(.socketsMonitor, calls: 3, extras: .plain),
    ExplorationSetup(.socketsMonitor, calls: 2, extras: .full),
    ExplorationSetup(.cfStreamMonitor, calls: 3, extras: .plain),
  ]

  @Test(
    "The estimate starts when the levels shrink, and is then close to the truth", arguments: setups)
  func explorations(_ setup: ExplorationSetup) throws {
    var outlook = ExplorationOutlook()
    var reported: [(size: Int, states: Int, left: Int?, expected: Int?)] = []
    var explorer = Explorer(setup)
    let verdict = explorer.run { figures in
      outlook.update(with: figures)
      reported.append(
        (
          figures.frontier, figures.states, outlook.remainingStates,
          outlook.transitionsExpected
        ))
      return true
    }
    #expect(verdict == .closed)
    let highest = try #require(reported.lastIndex { $0.size == explorer.figures.widest })
    #expect(reported[...highest].allSatisfy { $0.left == nil })
    let late = reported.filter { $0.states > explorer.figures.states / 10 * 9 && $0.left != nil }
    #expect(!late.isEmpty)
    for one in late {
      let expected = try #require(one.expected)
      let whole = explorer.figures.transitions
      #expect(expected > whole / 10 * 8 && expected < whole / 10 * 15, "\(one) of \(whole)")
    }
  }

  @Test("There is no estimate for levels that grow, stay constant, or have only started")
  func unknown() {
    func outlook(_ sizes: [Int], from depth: Int = 0) -> ExplorationOutlook {
      var outlook = ExplorationOutlook()
      var figures = ExplorationFigures()
      for (position, size) in sizes.enumerated() {
        figures.states += size
        figures.transitions += 10 * size
        figures.widest = max(figures.widest, size)
        (figures.depth, figures.frontier) = (depth + position, size)
        outlook.update(with: figures)
        outlook.update(with: figures)
      }
      return outlook
    }
    for sizes in [[], [1], [1, 2, 4, 8, 16, 32, 64], [9, 9, 9, 9, 9, 9, 9], [9, 8, 7]] {
      #expect(outlook(sizes).remainingStates == nil, "\(sizes)")
      #expect(outlook(sizes).transitionsExpected == nil, "\(sizes)")
    }
    // If each level halves, the sum is twice the last level.
    let halves = outlook([1 << 20, 1 << 19, 1 << 18, 1 << 17, 1 << 16, 1 << 15], from: 7)
    #expect(halves.remainingStates == (1 << 16) - 1)
    #expect(outlook([40, 80, 80, 60, 40, 20, 0]).remainingStates == nil)
  }
}
