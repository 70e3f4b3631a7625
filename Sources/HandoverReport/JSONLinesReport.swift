import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report for programs: one JSON object on each line.
///
/// The report is identical from run to run on one machine, because it contains no wall-clock time
/// and no number of jobs. The first line is the `header`, with the versions of the command and of
/// the kernel. A `caseEnded` for each case follows, and the `summary` is last.
package struct JSONLinesReport: Reporter {
  private var json = JSONText()
  private var run = RunDescription()

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the header.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    json.line("header") { json in
      json.member("backend", run.backend)
      run.harness?.write(into: &json)
      if let seed = run.seed {
        json.key("seed")
        json.value(seed)
      }
      run.shard?.write(into: &json)
    }
    return json.take()
  }

  /// Returns a line for each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases {
      let command = one.verdict == .error ? run.command(repeating: one) : nil
      json.line("caseEnded") { Self.write(one, repeatedBy: command, into: &$0) }
    }
    return json.take()
  }

  /// Returns the summary.
  package mutating func finish(_ summary: Summary) -> String {
    let gates = run.gates
    json.line("summary") { json in
      json.member("scenarios", summary.scenarios)
      json.member("cases", summary.cases)
      json.member("passed", summary.passed)
      json.member("as_far_as_seen", summary.passedPartially)
      json.member("failed", summary.failed)
      json.member("failed_as_expected", summary.failedAsExpected)
      json.member("non_strict", summary.nonStrict)
      json.member("unsupported", summary.unsupported)
      json.member("errors", summary.errors)
      // A hang threshold applies to every case, so no case is without an expectation.
      if summary.unnamed > 0, gates.maxHang == nil { json.member("unnamed", summary.unnamed) }
      json.member("interrupted", summary.wasInterrupted)
      if summary.unfinished > 0 { json.member("unfinished", summary.unfinished) }
      if !summary.unfinishedNames.isEmpty {
        json.array("unfinished_cases", of: summary.unfinishedNames) { $0.value($1) }
      }
      json.objects("change_to_end", of: summary.figures) { json, figures in
        json.member("profile", figures.profile)
        if let variant = figures.variant { json.member("variant", variant.name) }
        json.member("median_us", figures.median?.microseconds)
        if summary.isRepeated { json.member("p95_us", figures.percentile95?.microseconds) }
        json.member("worst_us", figures.worst?.microseconds)
        json.member("calls", figures.calls)
        json.member("never_ended", figures.neverEnded)
      }
      summary.hangs.write(gates, into: &json)
    }
    return json.take()
  }

  // MARK: Lines

  private static func write(
    _ result: CaseResult, repeatedBy command: String?, into json: inout JSONText
  ) {
    json.member("id", result.id)
    json.member("profile", result.profile)
    json.member("verdict", result.verdict.name)
    if result.verdict == .failedAsExpected { json.member("known", true) }
    result.coverage.write(into: &json)
    json.member("file", result.file)
    json.array("findings", of: result.findings) { json, finding in finding.write(into: &json) }
    json.objects("calls", of: result.calls) { json, call in
      json.member("id", call.id)
      json.member("status", call.end?.code.name)
      json.member("message", call.message)
      json.member("at_us", call.endedAt?.microseconds)
    }
    json.array("change_to_end_us", of: result.changeToEnd) { $0.value($1.microseconds) }
    if !result.hangs.isEmpty {
      json.array("hangs", of: result.hangs) { json, hang in hang.write(into: &json) }
    }
    if !result.repetitions.isEmpty {
      json.array("repetitions", of: result.repetitions) { $0.value($1.name) }
    }
    json.member("ended_at_us", result.endedAt.microseconds)
    json.member("digest", result.digest?.text)
    if !result.log.isEmpty { json.member("log", result.log) }
    if let command { json.member("repeat", command) }
  }
}

extension Summary.Hangs {
  /// Writes the hang summary as a member, if hangs were checked.
  func write(_ gates: Gates, into json: inout JSONText) {
    guard let maxHang = gates.maxHang else { return }
    json.key("hangs")
    json.beginObject()
    json.member("max_us", maxHang.microseconds)
    json.member("calls", calls)
    json.member("worst_us", worst?.microseconds)
    json.member("never_ended", neverEnded)
    json.endObject()
  }
}

extension ObservedCoverage {
  /// Writes the observed coverage as a member, if it is incomplete.
  func write(into json: inout JSONText) {
    guard isPartial else { return }
    json.key("seen")
    json.beginObject()
    json.member("parts", seen)
    json.member("of", all)
    json.endObject()
  }
}

extension HungCall {
  /// Writes the hang as an object.
  fileprivate func write(into json: inout JSONText) {
    json.beginObject()
    json.member("call", call)
    json.member("since_us", since.microseconds)
    json.member("lasted_us", lasted.microseconds)
    json.member("ended", hasEnded)
    json.endObject()
  }
}

extension Finding {
  /// Writes the finding as an object.
  func write(into json: inout JSONText) {
    json.beginObject()
    json.member("kind", kindName)
    if case .invariant(let rule) = kind { json.member("rule", rule) }
    json.member("verdict", verdict.name)
    json.member("expected", expected)
    json.member("seen", seen)
    json.member("at_us", at?.microseconds)
    json.member("line", position.map { Int64($0.line) })
    json.member("column", position.map { Int64($0.column) })
    json.endObject()
  }
}
