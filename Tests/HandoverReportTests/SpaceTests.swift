import HandoverCore
import HandoverEngine
import Testing

@testable import HandoverReport

@Suite("Transition coverage equals its golden files")
struct SpaceGoldenTests {
  private static func cell(
    _ phase: TransitionCell.Phase, _ channel: ChannelState, _ app: AppState = .foreground
  ) -> TransitionCell {
    TransitionCell(CategoryChange(from: .wifi, to: .cellular), phase, channel, app)
  }

  /// Returns all reachable cells, and two scenarios that reach three cells.
  private static func coverage() -> SpaceCoverage {
    var reachable = TransitionCells()
    for cell in TransitionCell.all where cell.app != .background {
      guard cell.phase == .noCall || cell.channel != .shutdown else { continue }
      guard cell.phase != .waiting || cell.channel != .ready else { continue }
      reachable.insert(cell)
    }
    var coverage = SpaceCoverage(reachable: reachable)
    var results = Array(Samples.all.prefix(2))
    for position in results.indices {
      results[position].cases[0].cells.insert(cell(.running, .ready))
    }
    results[1].cases[0].cells.insert(cell(.waiting, .connecting, .backgroundRunning))
    results[1].cases[0].cells.insert(cell(.running, .ready, .background))
    for result in results { coverage.add(result) }
    // A scenario counts once, on however many backends it is run.
    coverage.add(results[1])
    return coverage
  }

  @Test("Each cell is a number, a gap or unreachable")
  func states() {
    let coverage = Self.coverage()
    #expect(coverage.state(of: Self.cell(.running, .ready)) == .reached(2))
    #expect(coverage.state(of: Self.cell(.waiting, .connecting)) == .gap)
    #expect(coverage.state(of: Self.cell(.waiting, .ready)) == .unreachable)
    // A reached cell is shown, whatever an exploration found.
    #expect(coverage.state(of: Self.cell(.running, .ready, .background)) == .reached(1))
    #expect(coverage.scenarioCount == 2)
    #expect(coverage.gapCount == coverage.reachable.count - 2)
  }

  @Test("The summary has the right number of each word")
  func sum() {
    var reachable = TransitionCells()
    for cell in [Self.cell(.running, .ready), Self.cell(.waiting, .idle)] { reachable.insert(cell) }
    var coverage = SpaceCoverage(reachable: reachable)
    var result = Samples.passed
    for index in result.cases.indices { result.cases[index].cells = TransitionCells() }
    result.cases[0].cells.insert(Self.cell(.running, .ready))
    coverage.add(result)
    #expect(
      coverage.sum.hasPrefix("1 scenario covers 1 of 2 reachable cells; 1 is not covered, and "))
  }

  @Test("The tables fit 60 columns", arguments: [60, 96])
  func text(_ width: Int) throws {
    let text = SpaceText(Self.coverage(), style: Style(width: width)).text
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= min(width, 80) })
    try Golden.expect(text, is: "space-\(width).txt")
  }

  @Test("The tables work in ASCII, and colors take no columns")
  func styles() {
    let ascii = SpaceText(Self.coverage(), style: Style(usesASCII: true)).text
    #expect(ascii.unicodeScalars.allSatisfy { $0.isASCII })
    let colors = SpaceText(Self.coverage(), style: Style(isColored: true)).text
    let plain = SpaceText(Self.coverage(), style: Style()).text
    #expect(colors.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
    #expect(colors != plain)
  }

  @Test("The page has a heat map only if coverage was counted")
  func page() throws {
    var matrix = MatrixSamples.matrix()
    #expect(matrix.spaceSection.isEmpty)
    let plain = matrix.html
    matrix.space = Self.coverage()
    try Golden.expect(matrix.spaceSection, is: "space.html")
    #expect(matrix.html.contains(matrix.spaceSection))
    #expect(!plain.contains("h-space"))
    // Screen readers announce the names of landmarks, so the names must be unique.
    let names = matrix.html.matches(of: /<(?:section|nav|div)\ [^>]*aria-label(?:ledby)?="([^"]*)"/)
      .map { String($0.1) }
    #expect(names.count > 4)
    #expect(Set(names).count == names.count, "\(names)")
  }
}
