import HandoverCore
import Testing

@testable import HandoverReport
@testable import HandoverTry

@Suite("Reports of handover try that are read back")
struct TryFilesTests {
  static func report(
    _ name: String, _ verdicts: TryVerdict..., known: [TryRow.KnownOutcome] = []
  ) throws -> TryReport {
    var result = TryResult(
      command: ["client", name], rhythm: nil,
      rows: verdicts.enumerated().map { position, verdict in
        TryRow(name: "move-\(position)", title: "move \(position)", verdicts: [verdict])
      }, gates: TryGates(), output: "")
    for position in result.rows.indices { result.rows[position].known = known }
    return try TryReport.read(file: "\(name).jsonl", bytes: Array(result.jsonLines.utf8))
  }

  private static let hangs = TryReportTests.verdict(.hangs)
  private static func recovers(_ seconds: Int64) -> TryVerdict {
    TryReportTests.verdict(.recovers, recovers: .seconds(seconds), attempts: 1)
  }

  @Test("A written report is read back")
  func reading() throws {
    let report = try Self.report("a", Self.hangs, Self.recovers(2))
    #expect(report.command == ["client", "a"])
    #expect(report.moves.map(\.name) == ["move-0", "move-1"])
    #expect(report.moves.map(\.outcome) == [.hangs, .recovers])
    #expect(report.moves.map(\.isBad) == [true, false])
    #expect(report.moves.map(\.recovers) == [nil, .seconds(2)])
    #expect(report.moves[0].silence == .seconds(31))
    let known = try Self.report("a", Self.hangs, known: [.init(outcome: .hangs, position: "k:1")])
    #expect(!known.moves[0].isBad)
  }

  /// Invalid reports, and the reported positions.
  static let brokenReports: [(text: String, position: String)] = [
    ("{\"v\":1,\"kind\":\"tried\"}\n", "x:1:15"), ("", "x:1:1"), ("{\n", "x:1:2"),
    ("{\"v\":1,\"kind\":\"tryHeader\",\"command\":[]}\n", "x:2:1"),
    ("{\"v\":2,\"kind\":\"tryHeader\",\"command\":[]}\n", "x:1:6: error: the report has version 2"),
    (
      "{\"v\":1,\"kind\":\"tryHeader\",\"command\":[]}\n{\"v\":1,\"kind\":\"moon\"}\n",
      "x:2:15"
    ),
  ]

  @Test("An error in a report is reported with its position", arguments: brokenReports)
  func broken(_ text: String, _ position: String) {
    let error = #expect(throws: InputError.self) {
      try TryReport.read(file: "x", bytes: Array(text.utf8))
    }
    #expect(error?.description.hasPrefix(position) == true, "\(error?.description ?? "")")
  }

  @Test("A comparison lists worse, better, inconclusive and missing verdicts")
  func comparison() throws {
    let old = try Self.report(
      "old", Self.recovers(2), Self.hangs, Self.hangs, TryReportTests.verdict(.unharmed))
    let new = try Self.report(
      "new", Self.hangs, Self.recovers(3), TryReportTests.verdict(.inconclusive))
    let comparison = TryComparison(from: old, to: new)
    #expect(comparison.hasRegressed)
    let text = comparison.text
    for line in [
      "Different program: client old → client new\n",
      "Worse (1)\n  move 0  RECOVERS → HANGS\n", "Better (1)\n  move 1  HANGS → RECOVERS\n",
      "With and without a verdict (1)\n  move 2  HANGS → INCONCLUSIVE\n",
      "Only in old.jsonl (1)\n  move 3  UNHARMED\n", "  move 1           31 s    31 s",
      "3 moves in both: 1 worse, 1 better, 1 missing.\n",
    ] { #expect(text.contains(line), "\(line) in\n\(text)") }
    #expect(!TryComparison(from: new, to: new).hasRegressed)
  }

  @Test("A missing network change is a regression, and a new one is not")
  func missingMove() throws {
    let full = try Self.report("full", Self.recovers(2), Self.recovers(2))
    let cut = try Self.report("cut", Self.recovers(2))
    let shorter = TryComparison(from: full, to: cut)
    #expect(shorter.hasRegressed)
    #expect(shorter.text.hasSuffix("1 move in both: 0 worse, 0 better, 1 missing.\n"))
    let longer = TryComparison(from: cut, to: full)
    #expect(!longer.hasRegressed)
    #expect(longer.text.hasSuffix("1 move in both: 0 worse, 0 better, 0 missing.\n"))
  }

  /// Verdicts with their silences in seconds, and whether the second is worse than the first.
  static let silences:
    [(old: (TryOutcome, Int64), new: (TryOutcome, Int64), isWorse: Bool, title: String)] = [
      ((.unharmed, 14), (.cuts, 9), false, "Worse verdict, less silence (1)"),
      ((.unharmed, 9), (.cuts, 14), true, "Worse (1)"),
      ((.unharmed, 9), (.cuts, 8), true, "Worse (1)"),
      ((.cuts, 9), (.unharmed, 14), false, "Better verdict, more silence (1)"),
      ((.cuts, 14), (.unharmed, 9), false, "Better (1)"),
      ((.recovers, 60), (.hangs, 31), true, "Worse (1)"),
      ((.hangs, 31), (.recovers, 60), false, "Better (1)"),
    ]

  @Test("A verdict is compared together with its silence", arguments: silences)
  func silence(
    _ old: (TryOutcome, Int64), _ new: (TryOutcome, Int64), _ isWorse: Bool, _ title: String
  )
    throws
  {
    func report(_ name: String, _ end: (outcome: TryOutcome, silence: Int64)) throws -> TryReport {
      var verdict = TryReportTests.verdict(
        end.outcome, recovers: end.outcome == .hangs ? nil : .seconds(end.silence))
      verdict.silence = .seconds(end.silence)
      return try Self.report(name, verdict)
    }
    let comparison = TryComparison(from: try report("old", old), to: try report("new", new))
    #expect(comparison.hasRegressed == isWorse)
    #expect(comparison.text.contains(title), "\(comparison.text)")
  }

  @Test("A matrix has a column for each program and a row for each network change")
  func matrix() throws {
    let matrix = TryMatrix([
      try Self.report("a", Self.hangs), try Self.report("b", Self.recovers(2), Self.hangs),
    ])
    #expect(matrix.isBad)
    #expect(
      matrix.markdown.hasSuffix(
        """
        | move   | client a            | client b            |
        | ------ | ------------------- | ------------------- |
        | move 0 | HANGS at least 30 s | RECOVERS 2 s        |
        | move 1 |                     | HANGS at least 30 s |

        """), "\(matrix.markdown)")
    let narrow = matrix.markdown(width: 60).split(separator: "\n")
    #expect(narrow.allSatisfy { $0.count <= 60 }, "\(narrow)")
    #expect(matrix.html.split(separator: "<b class=\"hangs\">").count == 3)
    #expect(matrix.html.contains("<th scope=\"col\"><code>client b</code></th>"))
    #expect(matrix.json.hasPrefix(#"{"v":1,"kind":"tryMatrix","programs":[{"file":"a.jsonl","#))
    let twice = TryMatrix([try Self.report("a", Self.hangs), try Self.report("a", Self.hangs)])
    #expect(twice.markdown.contains("client a (a.jsonl)"))
  }
}
