import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("handover run")
struct RunCommandTests {
  @Test("The bundled scenarios all pass")
  func bundledScenarios() throws {
    let run = try CommandLineRun("run", "Scenarios")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(" 0 failed"))
    #expect(run.output.contains("median"))
  }

  @Test(
    "A wrong status, a wrong time and a wrong count give three failures that explain themselves")
  func threeFailures() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let run = try CommandLineRun("run", file)
    #expect(run.status == 1)
    #expect(run.output.contains("expected  call \"stream\" ends DEADLINE_EXCEEDED"))
    #expect(run.output.contains("ended UNAVAILABLE (\"Connectivity lost.\") at 1 s"))
    #expect(run.output.contains("expected  call \"next\" ends OK at 3 s"))
    #expect(run.output.contains("api.example:443 has 7 channels destroyed"))
    for line in [14, 15, 16] { #expect(run.output.contains("three.json:\(line):")) }
    #expect(run.output.contains("--profile sockets-monitor"))
  }

  @Test("The output is the same in every process and with any number of jobs")
  func determinism() throws {
    let one = try CommandLineRun("run", "Scenarios", "--jobs", "1", "-o", "jsonl=-")
    let two = try CommandLineRun("run", "Scenarios", "--jobs", "2", "-o", "jsonl=-")
    #expect(one.status == 0)
    #expect(!one.output.isEmpty)
    #expect(one.output == two.output)
    let repeated = try CommandLineRun("run", "Scenarios", "--repeat", "3", "-o", "jsonl=-")
    #expect(repeated.status == 0)
  }

  @Test("In a step of a GitHub workflow, each run appends to the summary of the step")
  func stepSummary() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "summary.md")
    let environment = ["GITHUB_STEP_SUMMARY": file.path]
    for _ in 0..<2 {
      let run = try CommandLineRun(["run", "stalls/killed"], environment: environment)
      #expect(run.status == 0 && run.output.contains("stalls/killed"), "\(run.errors)")
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("## Handover: ") } == 2)
    let other = scratch.url.appending(path: "other.md").path
    let named = try CommandLineRun(
      ["run", "stalls/killed", "-o", "github-summary=\(other)"], environment: environment)
    #expect(named.status == 0 && named.output.isEmpty, "\(named.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    #expect(try String(contentsOfFile: other, encoding: .utf8).hasPrefix("## Handover: "))
  }

  @Test("A trace for Perfetto contains the cases that pass, and never goes to standard output")
  func perfetto() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "run.pftrace")
    let traces = scratch.url.appending(path: "traces").path
    let run = try CommandLineRun(
      "run", "stalls/killed", "-o", "perfetto=\(file.path)", "-o", "trace=\(traces)")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    for part in ["PASSED", "stalls/killed [sockets]", "network", "connection 1"] {
      #expect(text.contains(part))
    }
    let refused = try CommandLineRun("run", "stalls/killed", "-o", "perfetto=-")
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("needs a file: -o perfetto=run.pftrace"))
  }

  @Test("A summary of a step that cannot be written is reported, and the run continues")
  func unwritableStepSummary() throws {
    let environment = ["GITHUB_STEP_SUMMARY": "/nonexistent/summary.md"]
    let run = try CommandLineRun(["run", "stalls/killed"], environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("/nonexistent/summary.md: error: it cannot be written"))
  }

  @Test(
    "A condition degrades every network of a medium, and is part of the repeat command"
  )
  func conditions() throws {
    let file = "Scenarios/quality/slow-link.json"
    let worse = try CommandLineRun(
      "run", file, "--profile", "sockets", "--condition", "wifi:delay=40ms", "--condition",
      "cellular:delay=1s")
    // The entry of the scenario comes later and overrides the condition.
    #expect(worse.status == 0, "\(worse.output)")
    let lost = try CommandLineRun(
      "run", "Scenarios/calls/each-end-has-its-status.json", "--profile", "sockets", "--condition",
      "wifi:loss=100%")
    #expect(lost.status == 1)
    #expect(lost.output.contains("--condition wifi:loss=100%"))
    let idle = try CommandLineRun("run", file, "--condition", "wifi:idle=30s")
    #expect(idle.status == 2)
    #expect(idle.errors.contains("only `handover lab exec` and `handover try` support idle"))
  }

  @Test("Two seeds give different runs if the scenario has random choices")
  func seeds() throws {
    func digest(_ seed: String) throws -> Substring? {
      try CommandLineRun(
        "run", "Scenarios/backoff/jitter.json", "--seed", seed, "-o", "jsonl=-"
      ).output.split(separator: "\n").first { $0.contains("digest") }?
      .split(separator: "digest").last
    }
    #expect(try digest("1") != nil)
    #expect(try digest("1") == digest("1"))
    #expect(try digest("1") != digest("2"))
  }

  @Test("Third-party parsers can read the reports, and the totals agree")
  func reportsAgree() throws {
    let scratch = try ScratchDirectory()
    let xml = scratch.url.appending(path: "r.xml").path
    let run = try CommandLineRun("run", "Scenarios", "-o", "junit=\(xml)", "-o", "tap=-")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "TAP version 14")
    let plan = try #require(lines.first { $0.hasPrefix("1..") }?.dropFirst(3))
    let points = lines.count { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
    let suites = try #require(
      XMLDocument(contentsOf: URL(fileURLWithPath: xml)).rootElement())
    let cases = try suites.nodes(forXPath: "//testcase").count
    #expect(Int(plan) == points)
    #expect(points == cases)
    #expect(suites.attribute(forName: "tests")?.stringValue == "\(cases)")
    #expect(suites.attribute(forName: "failures")?.stringValue == "0")
  }

  @Test(
    "Each bug of the original is detected by the bundled scenarios",
    arguments: ["P8", "P9", "C9", "C10", "C11", "10302", "U4", "U79", "U81"])
  func defects(_ name: String) throws {
    let run = try CommandLineRun("run", "Scenarios", "--defect", name, "-o", "tap=-")
    #expect(run.status == 1)
    #expect(run.output.contains("\nnot ok "))
    // The command that repeats the failure gives the client the same bug.
    #expect(run.output.contains("--defect \(name)"))
  }

  @Test("A mutant that nothing detects is reported, with the place of the reason")
  func unseenDefect() throws {
    let run = try CommandLineRun("run", "Scenarios/connection-limits", "--defect", "canary")
    #expect(run.status == 0)
    #expect(
      run.output.contains("No case detects the bug canary. Next: `handover selftest --list`"))
    #expect(try CommandLineRun("spec", "--uncovered").output.contains("U84"))
    #expect(try CommandLineRun("run", "--help").output.contains("it must fail"))
  }

  @Test("A canary outside the corpus fails, which shows that the harness detects failures")
  func canary() throws {
    let run = try CommandLineRun("run", "Fixtures/Canary/must-fail.json")
    #expect(run.status == 1)
  }

  @Test("--only, --profile and --fail-fast select what is run")
  func choices() throws {
    let only = try CommandLineRun(
      "run", "--only", "stalls/*", "--profile", "cfstream", "-o", "tap=-")
    #expect(only.status == 0)
    let points = only.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }
    #expect(!points.isEmpty)
    #expect(points.allSatisfy { $0.contains(" stalls/") && $0.contains("[cfstream]") })
    let scratch = try ScratchDirectory()
    let first = try scratch.write(Sample.withThreeMistakes, to: "a.json")
    let stopped = try CommandLineRun("run", first, "Scenarios", "--fail-fast", "-o", "tap=-")
    #expect(stopped.status == 1)
    #expect(stopped.errors.contains("Stopped at the first failure"))
  }

  @Test(
    "A request profile adds nothing to scenarios that do not name it",
    arguments: ["run", "matrix"], ["url-loading", "url-dispatcher"])
  func requestsAreNamed(_ command: String, _ profile: String) throws {
    let run = try CommandLineRun(command, "Scenarios/transitions", "--profile", profile)
    #expect(run.status == 4)
    #expect(run.errors.contains("Nothing ran"))
  }

  @Test("The linux profiles run calls if requested, and never run requests")
  func kernel() throws {
    let calls = try CommandLineRun(
      "run", "Scenarios/backoff/jitter.json", "--profile", "linux-sockets", "-o", "tap=-")
    #expect(calls.output.contains("[linux-sockets]"))
    let requests = try CommandLineRun(
      "run", "Scenarios/connection-limits", "--profile", "linux-sockets")
    #expect(requests.status == 4)
    #expect(requests.errors.contains("Nothing ran"))
  }

  @Test("A selection that matches nothing exits with status 4 and a hint")
  func nothing() throws {
    let run = try CommandLineRun("run", "--only", "no/such/*")
    #expect(run.status == 4)
    #expect(run.errors.contains("handover list"))
  }

  @Test(
    "A wrong command line exits with status 2 and shows the right one",
    arguments: [
      ["run", "--profile", "socket"], ["run", "--jobs", "0"], ["run", "-o", "yaml=-"],
      ["run", "--frobnicate"], ["frobnicate"], ["run", "--repeat", "0"], ["run", "--defect", "P1"],
      ["run", "-o", "tap=-", "-o", "junit=-"], ["run", "-o", "tap=/no/such/directory/x"],
    ])
  func wrongUsage(_ arguments: [String]) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 2)
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
  }

  @Test("Color is used on terminals, or on request")
  func color() throws {
    let file = "Scenarios/backoff/jitter.json"
    let escape = "\u{1b}["
    #expect(try !CommandLineRun("run", file).output.contains(escape))
    #expect(try CommandLineRun("run", file, "--color", "always").output.contains(escape))
    #expect(
      try CommandLineRun("run", file, environment: ["CLICOLOR_FORCE": "1"]).output
        .contains(escape))
    #expect(
      try !CommandLineRun(
        "run", file, environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]
      ).output.contains(escape))
  }
}
