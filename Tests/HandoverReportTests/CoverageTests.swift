import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverReport

@Suite("Coverage of requirements")
struct CoverageTests {
  private static let timeline = """
    { "at": "0s", "call": { "id": "c", "host": "a:1", "kind": "unary" } }
    """
  private static let holds = #"{ "call": "c", "status": "OK", "shows": ["D1"] }"#

  private func item(_ id: String) -> ItemCatalog.Item {
    ItemCatalog.Item(document: "d", id: id, sentence: "Something is so.")
  }

  private func reason(
    _ id: String, _ kind: ItemCatalog.Reason.Kind
  ) -> ItemCatalog.Reason {
    ItemCatalog.Reason(document: "d", id: id, kind: kind, reason: "It is.")
  }

  /// Returns the coverage of D1 and D2 after a run of a scenario about D1.
  private func coverage(
    expecting expectations: String, timeline: String = Self.timeline, source: String = "D1",
    reasons: [ItemCatalog.Reason] = [], keeps: Worker.RetainedData = .decisions
  ) throws -> Coverage {
    let text = """
      {
        "format": 1, "id": "s", "source": [{ "document": "d", "item": "\(source)" }],
        "profiles": ["sockets", "cfstream"], "initial": { "flags": ["Reachable"] },
        "hosts": { "a:1": {} }, "timeline": [\(timeline)], "expect": [\(expectations)]
      }
      """
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)")
    var coverage = Coverage(items: [item("D1"), item("D2")], reasons: reasons)
    var worker = Worker(SimulatedBackend(), retaining: keeps)
    coverage.add(worker.run(scenario))
    coverage.finish()
    return coverage
  }

  @Test("An expectation that was evaluated and passed covers the requirement that it names")
  func kept() throws {
    let coverage = try coverage(expecting: Self.holds)
    #expect(coverage.rows.map(\.state) == [.kept, .open])
    #expect(coverage.problems.isEmpty)
    let witness = try #require(coverage.rows[0].witnesses.first)
    #expect(witness.scenario == "s")
    #expect(witness.profiles == ["sockets", "cfstream"])
    #expect(witness.phrase == "call \"c\" ends OK")
    #expect(witness.position.line == 4)
  }

  @Test("Without expectations that name a requirement, a scenario covers nothing")
  func cited() throws {
    for expectations in ["", #"{ "call": "c", "status": "OK" }"#] {
      let coverage = try coverage(expecting: expectations)
      #expect(coverage.rows.map(\.state) == [.cited, .open])
    }
    #expect(try coverage(expecting: "", timeline: "").rows[0].state == .cited)
  }

  @Test(
    "A failed, unevaluated or merely recommended expectation covers nothing and is reported",
    arguments: [
      #"{ "call": "c", "status": "CANCELLED", "shows": ["D1"] }"#,
      #"{ "call": "c", "status": "OK", "level": "should", "shows": ["D1"] }"#,
      #"{ "never": { "call": "c", "status": "OK" }, "shows": ["D1"] }"#,
      #"{ "never": { "server": { "host": "*", "received": 1 } }, "shows": ["D1"] }"#,
      #"{ "server": { "host": "*", "received": 9 }, "at": "0s", "shows": ["D1"] }"#,
      Self.holds + #", { "call": "c", "status": "CANCELLED" }"#,
    ])
  func flaws(_ expectations: String) throws {
    let coverage = try coverage(expecting: expectations)
    #expect(coverage.rows[0].state == .cited)
    #expect(coverage.problems.count == 1)
    #expect(coverage.problems[0].hasPrefix("s.json:4:"))
  }

  @Test("An expectation that was not evaluated covers nothing, even if nothing failed")
  func notKept() throws {
    let coverage = try coverage(expecting: Self.holds, keeps: [])
    #expect(coverage.rows[0].state == .cited)
    #expect(coverage.problems.count == 1)
  }

  @Test("An expectation that something never happens is evaluated too")
  func never() throws {
    let coverage = try coverage(
      expecting: """
        { "never": { "call": "c", "status": "CANCELLED" }, "shows": ["D1"] },
        { "never": { "server": { "host": "*", "received": 9 } }, "shows": ["D1"] }
        """)
    #expect(coverage.rows[0].witnesses.count == 2)
    #expect(coverage.problems.isEmpty)
  }

  @Test("A reason decides the state of a requirement")
  func reasons() throws {
    func states(_ kind: ItemCatalog.Reason.Kind) throws -> [Coverage.State] {
      try coverage(expecting: Self.holds, reasons: [reason("D1", kind), reason("D2", .cited)])
        .rows.map(\.state)
    }
    #expect(try states(.deviates) == [.deviates, .cited])
    #expect(try states(.partly) == [.kept, .cited])
  }

  @Test("Contradictory statements about one requirement are reported")
  func contradictions() throws {
    func problems(_ reasons: ItemCatalog.Reason..., source: String = "D1") throws -> Int {
      let expectation = Self.holds.replacing("D1", with: source)
      return try coverage(expecting: expectation, source: source, reasons: reasons).problems.count
    }
    #expect(try problems(reason("D1", .cited)) == 1)
    #expect(try problems(reason("D1", .inexpressible)) == 1)
    #expect(try problems(reason("D2", .partly)) == 1)
    #expect(try problems(reason("D1", .deviates), reason("D1", .deviates)) == 1)
    #expect(try problems(reason("D9", .cited)) == 1)
    #expect(try problems(source: "D9") == 1)
    #expect(Coverage(items: [item("D1"), item("D1")], reasons: []).problems.count == 1)
  }

  @Test(
    "A covered requirement is mutation-tested if a mutant against it is detected by its expectation"
  )
  func detected() throws {
    var coverage = try coverage(expecting: Self.holds)
    let key = "\(coverage.rows[0].item.document) D1"
    coverage.recordKill("other", of: ["D2"], showing: [key], by: "s")
    coverage.recordKill("unshown", of: ["D1"], showing: [], by: "s")
    #expect(coverage.undetected.map(\.item.id) == ["D1"])
    #expect(!coverage.rows[0].isDetected)
    for _ in 0..<2 { coverage.recordKill("it", of: ["D1"], showing: [key, "d D9"], by: "s") }
    #expect(coverage.rows[0].kills == [.init(fault: "it", scenario: "s")])
    #expect(coverage.rows[0].isDetected && coverage.undetected.isEmpty)
    let text = CoverageText(coverage)
    #expect(text.items(onlyUncovered: false).contains("    detected bugs: it (s)\n"))
    #expect(text.totals.contains("1 with a detected bug"))
    #expect(!text.totals.contains("Covered, without an injected bug"))
  }

  @Test("The text is at most 80 characters wide, names the expectation, and ends with the totals")
  func text() throws {
    let coverage = try coverage(
      expecting: Self.holds, reasons: [reason("D2", .inexpressible)])
    let text = CoverageText(coverage)
    let items = text.items(onlyUncovered: false)
    #expect(items.contains("D1  COVERED  d\n"))
    #expect(items.contains("    s:4\n      call \"c\" ends OK [sockets, cfstream]\n"))
    #expect(
      items.contains("D2  NOT EXPRESSIBLE  d\n  Something is so.\n  Not expressible: It is.\n"))
    #expect(!text.items(onlyUncovered: true).contains("D1"))
    let sum = text.totals.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      sum.contains(
        "2 requirements: 1 covered (0 in part, 0 with a detected bug), 0 deliberately different, "))
    #expect(sum.contains("0 referenced, 1 not expressible, 0 uncovered"))
    #expect(sum.hasSuffix("Covered, without an injected bug that violates them: D1"))
    #expect(items.contains("    NO BUG: no injected bug violates it\n"))
    let lines = (items + text.totals).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
  }
}
