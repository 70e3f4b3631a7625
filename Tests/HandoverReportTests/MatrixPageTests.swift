import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverReport

/// The matrices for the tests of the page.
private enum PageSamples {
  /// A scenario in which WiFi appears under a stream, which hangs for a quarter of an hour without
  /// a monitor.
  static let hanging: ScenarioResult = {
    var gates = Gates()
    gates.shownHang = .seconds(5)
    var worker = Worker(SimulatedBackend(), retaining: [.traces], gates: gates)
    return worker.run(
      Samples.transition(id: "transitions/hanging", title: "Hangs", expectations: []),
      on: [.sockets, .socketsMonitor])
  }()

  /// Returns that scenario with different hangs in its first case.
  static func hanging(
    _ change: (inout [HungCall]) -> Void, verdict: Verdict = .passed
  ) -> ScenarioResult {
    var result = hanging
    change(&result.cases[0].hangs)
    result.cases[0].verdict = verdict
    return result
  }

  static func matrix(_ results: [ScenarioResult]) -> Matrix {
    let backends = results.indices.map {
      Matrix.Backend(name: "b\($0)", argument: "exec:./b\($0)")
    }
    var matrix = Matrix(backends: backends, plan: MatrixSamples.plan([hanging]))
    matrix.gates.shownHang = .seconds(5)
    for (index, result) in results.enumerated() {
      matrix.add(result, of: index, describing: RunDescription(backend: backends[index].argument))
    }
    return matrix
  }
}

@Suite("The ranking of a matrix")
struct MatrixRankingTests {
  @Test(
    "Calls that never end come first, then the longest hang, then the most hangs, then failures")
  func order() throws {
    let matrix = PageSamples.matrix([
      PageSamples.hanging { $0 = [] },
      PageSamples.hanging({ $0 = [] }, verdict: .failed),
      PageSamples.hanging,
      PageSamples.hanging { $0.append($0[0]) },
      PageSamples.hanging { $0[0].lasted = .seconds(901) },
      PageSamples.hanging { $0[0].hasEnded = false },
      PageSamples.hanging,
    ])
    let lines = MatrixRanking(matrix).lines
    #expect(lines.map(\.backend) == [5, 4, 3, 2, 6, 1, 0])
    #expect(lines[1].hangs.worst == .seconds(901))
    #expect(lines[1].worst == MatrixRanking.Position(row: 0, column: 8))
    #expect(lines[0].endless == MatrixRanking.Position(row: 0, column: 10))
    #expect(lines[2].hangs.calls == 3)
    #expect(lines[2].hangingCases == 1)
    #expect(lines.allSatisfy { $0.played == 2 })
  }

  @Test("The ranking is at the top of the page, in human-readable times, with links to the cells")
  func page() throws {
    let page = PageSamples.matrix([
      PageSamples.hanging { $0 = [] },
      PageSamples.hanging { $0[0].lasted = .seconds(902) },
    ]).html
    let ranking = try #require(page.range(of: "<ol class=\"ranking\"")).lowerBound
    let table = try #require(page.range(of: "<table")).lowerBound
    #expect(ranking < table)
    let line = try #require(page.range(of: "<b>b1</b>")).lowerBound
    #expect(line < (try #require(page.range(of: "<b>b0</b>"))).lowerBound)
    #expect(page.contains("hangs <a href=\"#r0\" data-case=\"0-2\">15 min 2 s</a>"))
    #expect(page.contains(">does not hang<"))
    #expect(page.contains("does not end for more than 5 s"))
  }

  @Test("A hang slightly above the limit is nowhere shown as the limit")
  func roundedUp() {
    let page = PageSamples.matrix([
      PageSamples.hanging {
        $0 = [$0[0]]
        $0[0].lasted = .milliseconds(5_020)
      }
    ]).html
    #expect(page.contains("data-case=\"0-0\">5.1 s</a>"))
    #expect(page.contains(", hangs 5.1 s\""))
    #expect(page.contains("<small>\(VisibleText.joined(units: "5.1 s"))</small>"))
  }

  @Test("A backend that fails in every case, or runs none, has an unknown rank")
  func notPlayed() {
    func page(_ verdict: Verdict) -> String {
      var result = PageSamples.hanging
      for index in result.cases.indices {
        (result.cases[index].verdict, result.cases[index].hangs) = (verdict, [])
      }
      return PageSamples.matrix([result]).html
    }
    #expect(page(.error).contains(">not known: the backend fails<"))
    #expect(page(.unsupported).contains(">not known: no case ran<"))
    #expect(page(.failed).contains(">does not hang<"))
  }

  @Test("If hangs were not watched, no client is shown as free of hangs")
  func unknown() {
    let page = MatrixSamples.matrix().html
    #expect(page.contains("Hanging calls were not checked."))
    #expect(!page.contains("does not hang"))
  }
}

@Suite("The page of a matrix")
struct MatrixPageTests {
  @Test("Every state has a unique glyph, word and letter")
  func states() {
    let states = Matrix.CellState.allCases
    for texts in [states.map(\.glyph), states.map(\.phrase), states.map(\.cssClass)] {
      #expect(Set(texts).count == states.count)
    }
    #expect(states.allSatisfy { $0.cssClass.count == 1 && $0.cssClass != Matrix.hangClass })
  }

  @Test("A case that cannot be run differs from one in which nothing is observable")
  func unsupported() {
    func state(_ position: TextPosition?) -> Matrix.CellState? {
      var result = Samples.passed
      result.cases[0].verdict = .unsupported
      result.cases[0].findings = [
        Finding(
          kind: .unsupported, verdict: .unsupported, expected: "it", seen: "no", at: nil,
          position: position)
      ]
      let matrix = MatrixSamples.matrix([result], backends: [MatrixSamples.backends[0]])
      return Matrix.state(of: matrix.rows[0].cells[0])
    }
    #expect(state(nil) == .notSupported)
    #expect(state(TextPosition(line: 1, column: 1)) == .notObservable)
  }

  @Test("Every link of the page leads to an anchor, and every anchor is unique")
  func links() {
    let page = MatrixSamples.matrix().html
    let ids = page.matches(of: /\ id="([^"]*)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    let links = page.matches(of: /\ href="#([^"]*)"/).map { String($0.1) }
    #expect(!links.isEmpty)
    #expect(Set(links).subtracting(ids) == [])
    for group in MatrixSamples.matrix().groups.indices {
      #expect(links.contains("g\(group)"))
    }
  }

  @Test("Equal problems share one article, with a command for each backend")
  func repeatedTogether() {
    var result = PageSamples.hanging
    for index in result.cases.indices {
      result.cases[index].verdict = .failed
      result.cases[index].findings = Samples.failed.cases[0].findings
    }
    let page = PageSamples.matrix([result, result]).html
    #expect(page.matches(of: /<article>/).count == 1)
    let commands = page.matches(of: /<p class="repeat"><span>repeat<\/span> <code>([^<]*)</)
    let command =
      "handover run Scenarios/transitions/hanging.json --profile sockets --profile sockets-monitor"
    #expect(
      commands.map { String($0.1) } == [0, 1].map { "\(command) --backend exec:./b\($0)" })
  }

  @Test("The contents count requirements and folders separately")
  func contents() {
    func count(_ results: [ScenarioResult]) -> String? {
      MatrixSamples.matrix(results).html.firstMatch(of: /<summary>Contents: ([^<]*)</)
        .map { String($0.1) }
    }
    #expect(count([Samples.passed, Samples.hostile]) == "2 folders")
    #expect(count(MatrixSamples.results) == "1 requirement, 4 folders")
  }

  @Test("Every cell has a text for its glyph")
  func words() {
    let page = MatrixSamples.matrix().html
    let cells = page.matches(of: /<td class="[a-z ]+"><(?:button|a)[^>]*>/).map { String($0.0) }
    #expect(cells.count == 2 * MatrixSamples.results.flatMap(\.cases).count)
    for cell in cells { #expect(cell.contains(/\ aria-label="[a-z]/), "\(cell)") }
  }

  @Test("The footer shows how the page was made, with a date if one is given")
  func foot() throws {
    var matrix = MatrixSamples.matrix()
    matrix.harness = Harness(version: "1.2.3", commit: "1a2b3c4", kernel: "Linux 6.8.0")
    #expect(!matrix.html.contains("<dt>Date</dt>"))
    matrix.provenance.date = "2026-01-02 <b>"
    matrix.provenance.command = "handover matrix --backend 'a & b'"
    let page = matrix.html
    let foot = page[try #require(page.range(of: "<footer")).lowerBound...]
    for text in [
      "handover 1.2.3 (1a2b3c4), Linux 6.8.0", "2026-01-02 &lt;b&gt;",
      "--backend &#39;a &amp; b&#39;",
      "exec:./my-client", "1 (9 scenarios)",
    ] {
      #expect(foot.contains(text), "\(text)")
    }
    matrix.provenance.seed = 77
    #expect(matrix.html.contains("77 for all scenarios"))
  }
}

/// Tests the page's filter with Node.js, if that is installed.
@Suite("The filter of a matrix")
struct MatrixFilterTests {
  struct Row: Codable {
    var item: String
    var text: String
    var cells: [String]
  }

  struct Choice: Codable {
    var states: [String]
    var columns: [Bool]
    var item: String
    var words: [String]
    var differ: Bool
  }

  struct Question: Codable {
    var rows: [Row]
    var choice: Choice
  }

  struct Answer: Codable, Equatable {
    var rows: [Bool]
    var columns: [Bool]
  }

  private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "leaves the rows and columns that a drawn choice wants, and no other",
    .enabled(if: MatrixFilterTests.node != nil, "Node.js is not installed"))
  func drawn() throws {
    var generator = SeededGenerator(seed: 20)
    let questions = (0..<400).map { _ in Self.draw(&generator) }
    let answers = try Self.ask(questions)
    #expect(answers.count == questions.count)
    for (question, answer) in zip(questions, answers) {
      #expect(answer == Self.foretold(question), "\(question)")
    }
    // Some filters leave a part of the rows, and some leave none.
    #expect(answers.contains { $0.rows.contains(true) && $0.rows.contains(false) })
    #expect(answers.contains { !$0.rows.contains(true) })
  }

  private static let letters = Matrix.CellState.allCases.map(\.cssClass)

  private static func draw(_ generator: inout SeededGenerator) -> Question {
    let columns = generator.draw(6)
    let items = ["a:1", "a:2", "b:1", ":folder"]
    let texts = ["wifi stalls", "wifi", "cellular stalls", ""]
    let rows = (0..<generator.draw(7)).map { _ in
      Row(
        item: items[generator.draw(items.count)], text: texts[generator.draw(texts.count)],
        cells: (0..<columns).map { _ in
          guard generator.draw(3) > 0 else { return "" }
          return letters[generator.draw(letters.count)] + (generator.draw(4) == 0 ? "h" : "")
        })
    }
    let wanted = ["", "", "a:", "b:", "a:1", ":folder", "c:"]
    return Question(
      rows: rows,
      choice: Choice(
        states: (letters + ["h"]).filter { _ in generator.draw(6) == 0 },
        columns: (0..<columns).map { _ in generator.draw(4) > 0 },
        item: wanted[generator.draw(wanted.count)],
        words: ["wifi", "stalls"].filter { _ in generator.draw(5) == 0 },
        differ: generator.draw(4) == 0))
  }

  /// Returns the rows and columns that are left, by counting cell by cell.
  private static func foretold(_ question: Question) -> Answer {
    let choice = question.choice
    var answer = Answer(
      rows: question.rows.map { _ in false }, columns: choice.columns.map { _ in false })
    for (index, row) in question.rows.enumerated() {
      let document = row.item.prefix { $0 != ":" } + ":"
      guard ["", row.item, String(document)].contains(choice.item) else { continue }
      guard choice.words.filter({ !row.text.contains($0) }).isEmpty else { continue }
      var wanted: [Int] = []
      var kinds: [Character] = []
      for (column, cell) in row.cells.enumerated() {
        guard choice.columns[column], let kind = cell.first else { continue }
        if kind != "x", !kinds.contains(kind) { kinds.append(kind) }
        let isOfState = choice.states.isEmpty || cell.contains { choice.states.contains("\($0)") }
        if isOfState { wanted.append(column) }
      }
      guard !wanted.isEmpty, !choice.differ || kinds.count >= 2 else { continue }
      answer.rows[index] = true
      for column in wanted { answer.columns[column] = true }
    }
    return answer
  }

  private static func ask(_ questions: [Question]) throws -> [Answer] {
    let script =
      MatrixPageParts.filterRule + """
        const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));
        console.log(JSON.stringify(questions.map(({ rows, choice }) => left(rows, choice))));
        """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: node ?? "")
    process.arguments = ["-e", script]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // The input may exceed the capacity of a pipe, so it is written while the output is read.
    let data = try JSONEncoder().encode(questions)
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: data)
      try? input.fileHandleForWriting.close()
    }
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONDecoder().decode([Answer].self, from: answers)
  }
}

extension SeededGenerator {
  /// Returns a number from zero up to, but not including, a bound.
  fileprivate mutating func draw(_ bound: Int) -> Int {
    Int(next(upToAndIncluding: UInt64(bound - 1)))
  }
}
