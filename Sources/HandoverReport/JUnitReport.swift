import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report in the XML format of JUnit: a suite for each folder of scenarios, a test for each
/// case.
///
/// The element of a test is that of ``TestOutcome``; a test that passed has none. For NON-STRICT,
/// `system-out` lists the unmet recommendations. For PASSED IN PART, the property
/// `seen` is `5 of 6`. For KNOWN, the message of `skipped` is what was seen.
///
/// Names are `id [profile]`, because readers drop a second test with the same name. A class is a
/// folder on a profile. Times are wall-clock times, or zero if they were not measured. The property
/// `virtual-time` has the duration of a case in its own time. The whole report is written at the
/// end, because the first element contains the totals.
package struct JUnitReport: Reporter {
  private var run = RunDescription()
  /// The suites, in the order of their first cases.
  private var suites: [Suite] = []

  private struct Suite {
    var name: String
    var cases = ""
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var length = Interval.zero
  }

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns an empty string; the document is written at the end.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    return ""
  }

  /// Returns an empty string; the document is written at the end.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases { add(one, result.scenario) }
    return ""
  }

  /// Returns the whole document.
  package mutating func finish(_ summary: Summary) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    var total = Suite(name: "handover")
    for suite in suites {
      total.tests += suite.tests
      total.failures += suite.failures
      total.errors += suite.errors
      total.skipped += suite.skipped
      total.length = total.length + suite.length
    }
    text += "<testsuites\(Self.attributes(of: total))>\n"
    for suite in suites {
      text += "  <testsuite\(Self.attributes(of: suite))>\n" + runProperties(summary)
      text += suite.cases + "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func attributes(of suite: Suite) -> String {
    XMLText.attribute("name", suite.name) + XMLText.attribute("tests", String(suite.tests))
      + XMLText.attribute("failures", String(suite.failures))
      + XMLText.attribute("errors", String(suite.errors))
      + XMLText.attribute("skipped", String(suite.skipped))
      + XMLText.attribute("time", seconds(suite.length))
  }

  private func runProperties(_ summary: Summary) -> String {
    var properties = [("backend", run.backend)]
    if let harness = run.harness { properties.append(("harness", harness.text)) }
    if let shard = run.shard { properties.append(("shard", "\(shard.index)/\(shard.count)")) }
    if summary.wasInterrupted {
      properties += [("interrupted", "true"), ("unfinished", String(summary.unfinished))]
      properties += summary.unfinishedNames.map { ("unfinished-case", $0) }
    }
    for figures in summary.figures {
      properties.append(
        (
          "change-to-end.\(figures.name)", figures.line
        ))
    }
    if let hangs = summary.hangs.line(run.gates) { properties.append(("hangs", hangs)) }
    return Self.properties(properties, indent: "    ")
  }

  // MARK: Cases

  private mutating func add(_ result: CaseResult, _ scenario: Scenario) {
    let folder = result.folder
    let index = suites.firstIndex { $0.name == folder } ?? suites.endIndex
    if index == suites.endIndex { suites.append(Suite(name: folder)) }
    let length = result.duration ?? .zero
    suites[index].tests += 1
    suites[index].length = suites[index].length + length
    switch result.verdict.testOutcome {
    case .passed: break
    case .skipped: suites[index].skipped += 1
    case .failed: suites[index].failures += 1
    case .error: suites[index].errors += 1
    }
    suites[index].cases += testcase(result, scenario, folder: folder, length: length)
  }

  private func testcase(
    _ result: CaseResult, _ scenario: Scenario, folder: String, length: Interval
  ) -> String {
    var text = "    <testcase" + XMLText.attribute("name", result.name)
    text += XMLText.attribute("classname", "\(folder) [\(result.profile)]")
    text += XMLText.attribute("file", result.file)
    if let line = result.findings.lazy.compactMap(\.position).first?.line {
      text += XMLText.attribute("line", String(line))
    }
    text += XMLText.attribute("time", Self.seconds(length)) + ">\n"
    let seed = run.seed ?? scenario.script.configuration.seed
    let repetitions =
      result.repetitions.isEmpty ? [] : [("repetitions", result.repetitionsText)]
    text += Self.properties(
      [
        ("profile", result.profile), ("seed", String(seed)), ("verdict", result.verdict.name),
        ("virtual-time", Self.seconds(Interval(microseconds: result.endedAt.microseconds))),
        ("repeat", run.command(repeating: result)),
      ] + repetitions + (result.coverage.isPartial ? [("seen", result.coverage.text)] : []),
      indent: "      ")
    text += outcome(result)
    var output = systemOut(result, scenario)
    // GitLab and Jenkins upload the attached file.
    if let file = run.traceFile(of: result) { output += "[[ATTACHMENT|\(VisibleText.of(file))]]\n" }
    if !output.isEmpty {
      text += "      <system-out>\(XMLText.content(output))</system-out>\n"
    }
    if !result.log.isEmpty {
      text += "      <system-err>\(XMLText.content(result.log))</system-err>\n"
    }
    return text + "    </testcase>\n"
  }

  private func outcome(_ result: CaseResult) -> String {
    let first = result.decisiveFindings.first
    let known = result.verdict == .failedAsExpected ? "\(result.knownReason): " : ""
    let message = XMLText.attribute("message", known + (first?.sentence ?? ""))
    let element: String
    switch result.verdict.testOutcome {
    case .passed: return ""
    case .skipped: return "      <skipped\(message)/>\n"
    case .failed: element = "failure"
    case .error: element = "error"
    }
    let type = XMLText.attribute("type", first?.kindName ?? "")
    return "      <\(element)\(message)\(type)>\(XMLText.content(body(result)))</\(element)>\n"
  }

  private func body(_ result: CaseResult) -> String {
    result.decisiveFindings.map { finding in
      let position = finding.position.map { ":\($0.line):\($0.column)" } ?? ""
      return VisibleText.of("\(result.file)\(position)") + "\n"
        + "  expected  \(VisibleText.of(finding.expected))\n"
        + "  seen      \(VisibleText.of(finding.seen))\n"
    }.joined() + "repeat: \(VisibleText.of(run.command(repeating: result)))\n"
  }

  private func systemOut(_ result: CaseResult, _ scenario: Scenario) -> String {
    switch result.verdict {
    case .passed, .passedPartially, .unsupported, .failedAsExpected, .error: ""
    case .nonStrict:
      result.decisiveFindings.map {
        "NON-STRICT: \(VisibleText.of($0.sentence))\n"
      }.joined()
    case .failed:
      TimelineText.lines(of: result, scenario, style: .plain).map { "\($0)\n" }.joined()
    }
  }

  // MARK: Parts

  private static func properties(_ all: [(String, String)], indent: String) -> String {
    indent + "<properties>\n"
      + all.map { name, value in
        "\(indent)  <property\(XMLText.attribute("name", name))"
          + "\(XMLText.attribute("value", value))/>\n"
      }.joined() + indent + "</properties>\n"
  }

  /// Returns a duration in seconds with six decimals.
  private static func seconds(_ length: Interval) -> String {
    let decimals = String(length.microseconds.magnitude % 1_000_000)
    return "\(length.microseconds / 1_000_000)."
      + String(repeating: "0", count: 6 - decimals.count) + decimals
  }
}
