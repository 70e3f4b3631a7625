import HandoverCore
import Testing

@testable import handover

@Suite("The report of handover explore --propose")
struct ProposalsTests {
  @Test("--propose reports that all cells are covered only if they are")
  func proposals() {
    var reachable = TransitionCells()
    reachable.insert(TransitionCell.all[0])
    for (reached, sentence) in [
      (reachable, "All cells are covered: nothing to propose."),
      (TransitionCells(), "Wrote no scenario."),
    ] {
      let text = Proposals(reachable, reached).text(
        of: 2, .socketsMonitor, in: "folder", isComplete: true)
      #expect(text.split(separator: "\n").dropFirst().first.map(String.init) == sentence)
    }
  }
}
