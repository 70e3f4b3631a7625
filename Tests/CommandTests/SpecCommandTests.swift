import Foundation
import Testing

@Suite("handover spec")
struct SpecCommandTests {
  @Test("No requirement is uncovered, and every expectation that covers one is decided and passes")
  func bundled() throws {
    let run = try CommandLineRun("spec")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.output.contains(", 0 uncovered"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
    #expect(
      lines.contains { $0.hasPrefix("D8a  COVERED  network-transitions-2017, Known issues;") })
    #expect(lines.contains { $0.hasPrefix("U4  DELIBERATELY DIFFERENT") })
    #expect(lines.contains { $0.hasPrefix("I2  REFERENCED") })
    #expect(lines.contains { $0.hasPrefix("M2  NOT EXPRESSIBLE") })
  }

  @Test("--uncovered omits requirements that an expectation covers")
  func uncovered() throws {
    let run = try CommandLineRun("spec", "--uncovered")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(!run.output.contains("\nD8a  "))
    #expect(run.output.contains("\nU84  DELIBERATELY DIFFERENT"))
    #expect(run.output.contains(", 0 uncovered"))
  }

  @Test("Nothing is listed if there is nothing to run", arguments: [[], ["--space"]])
  func nothing(_ options: [String]) throws {
    let missing = try CommandLineRun(["spec", "nosuch"] + options)
    #expect(missing.status == 2)
    #expect(missing.output.isEmpty)
    #expect(missing.errors.contains("no such file or directory"), "\(missing.errors)")
    let empty = try ScratchDirectory()
    let none = try CommandLineRun(["spec", empty.url.path] + options)
    #expect(none.status == 4)
    #expect(none.output.isEmpty)
    #expect(none.errors == "Nothing to list: there is no scenario under \(empty.url.path).\n")
  }

  @Test("The status is 1 if a requirement has neither an expectation nor a reason")
  func forgotten() throws {
    let scratch = try ScratchDirectory()
    let reasons = try scratch.write("{\"reasons\": []}", to: "none.json")
    let run = try CommandLineRun("spec", "--uncovered", "--reasons", reasons)
    #expect(run.status == 1)
    #expect(run.output.contains("NO REASON"))
  }

  @Test("A failed expectation for a requirement gives status 1 and its position")
  func notSo() throws {
    let scratch = try ScratchDirectory()
    let items = try scratch.write(
      #"{"items": [{"document": "d", "id": "D1", "sentence": "It is so."}]}"#, to: "items.json")
    let reasons = try scratch.write("{\"reasons\": []}", to: "none.json")
    let text = """
      {
        "format": 1, "id": "s", "source": [{ "document": "d", "item": "D1" }],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
        "timeline": [{ "at": "0s", "call": { "id": "c", "host": "a:1" } }],
        "expect": [
          { "call": "c", "status": "OK", "shows": ["D1"] }
        ]
      }
      """
    let good = try scratch.write(text, to: "good.json")
    let bad = try scratch.write(text.replacing("\"OK\"", with: "\"CANCELLED\""), to: "bad.json")
    let options = ["--items", items, "--reasons", reasons]
    #expect(try CommandLineRun(["spec", good] + options).status == 0)
    let run = try CommandLineRun(["spec", bad] + options)
    #expect(run.status == 1)
    #expect(run.errors.contains("bad.json:6:5: error: it shows requirements, but failed on"))
  }

  @Test("An unknown kind of reason is reported with its position")
  func unknownKind() throws {
    let scratch = try ScratchDirectory()
    let reasons = try scratch.write(
      #"{"reasons": [{"document": "d", "id": "D1", "kind": "why", "reason": "r"}]}"#,
      to: "reasons.json")
    let run = try CommandLineRun("spec", "--reasons", reasons)
    #expect(run.status == 2)
    #expect(run.errors.contains("reasons.json:1:14: error: \"kind\" must be"))
  }

  @Test("--space shows in 60 columns which calls network changes met")
  func space() throws {
    let run = try CommandLineRun("spec", "--space")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains("call runs, suspended, notified on return"))
    #expect(lines.contains { $0.hasPrefix("  WiFi → Cellular") && $0.contains(where: \.isNumber) })
    #expect(run.output.contains("of 459 reachable cells"))
    #expect(lines.dropLast(6).allSatisfy { $0.count <= 60 })
    #expect(try CommandLineRun("spec", "--space", "--uncovered").status == 2)
  }
}
