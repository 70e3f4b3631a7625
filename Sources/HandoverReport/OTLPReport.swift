import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report as OpenTelemetry spans, in the JSON encoding of OTLP.
///
/// | span | duration |
/// |---|---|
/// | the run | real time |
/// | a case, below the run | the time of the case |
/// | a call, below its case | from its start to its end, or to the end of the case |
///
/// All cases begin when the run begins, because cases run in parallel, and most in virtual time.
/// The network changes and the findings are events of their case. The attributes are those of the
/// semantic conventions for tests, and others that begin with `handover.`.
package struct OTLPReport: Reporter {
  private var document = OTLPDocument()
  private var run = RunDescription()

  private static let root = ["run"]

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the beginning of the document.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    document.begin(
      runID: run.id, at: run.began, backend: run.backend,
      shard: run.shard.map { "\($0.index)" } ?? "", run.harness)
    return document.take()
  }

  /// Returns the spans of each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases { add(one, result.scenario) }
    return document.take()
  }

  /// Returns the span of the run and the end of the document.
  package mutating func finish(_ summary: Summary) -> String {
    let status = summary.wasInterrupted ? "aborted" : summary.isGood ? "success" : "failure"
    document.add(
      OTLPDocument.Span(
        name: "handover run", id: Self.root, parent: nil, from: run.began, to: summary.ended,
        attributes: [("test.suite.name", "handover"), ("test.suite.run.status", status)],
        error: summary.isGood ? nil : summary.line))
    document.end()
    return document.take()
  }

  private mutating func add(_ result: CaseResult, _ scenario: Scenario) {
    let end = time(result.endedAt)
    document.add(
      OTLPDocument.Span(
        name: result.name, id: [result.name], parent: Self.root, from: run.began, to: end,
        attributes: [
          ("test.suite.name", result.folder), ("test.case.name", result.name),
          ("code.file.path", result.file), ("handover.profile", result.profile),
          ("handover.verdict", result.verdict.name),
        ] + result.verdict.testOutcome.spanAttributes,
        events: changes(of: result, scenario) + result.findings.map { event($0, end: end) },
        error: result.verdict >= .failed ? result.decisiveFindings.first?.sentence ?? "" : nil))
    var starts: [Int: Instant] = [:]  // lookup only
    for entry in scenario.script.entries {
      if case .startCall(let call) = entry.action { starts[call] = entry.at }
    }
    for (index, call) in result.calls.enumerated() {
      guard let start = starts[index] else { continue }
      document.add(
        OTLPDocument.Span(
          name: "call \(call.id)", id: [result.name, call.id], parent: [result.name],
          from: time(start), to: time(call.endedAt ?? result.endedAt),
          attributes: [("handover.call.status", call.end?.code.name ?? "none")]))
    }
  }

  private func changes(of result: CaseResult, _ scenario: Scenario) -> [OTLPDocument.Event] {
    let lanes = result.trace.map { TimelineLanes.of($0, script: scenario.script) } ?? []
    // The first state of the network is not a change.
    return (lanes.first?.spans.dropFirst() ?? []).map { state in
      OTLPDocument.Event(
        name: "network change", at: time(state.from),
        attributes: [("handover.network", state.text)])
    }
  }

  private func event(_ finding: Finding, end: Instant) -> OTLPDocument.Event {
    OTLPDocument.Event(
      name: finding.kindName, at: finding.at.map(time) ?? end,
      attributes: [
        ("handover.expected", finding.expected), ("handover.seen", finding.seen),
        ("handover.verdict", finding.verdict.name),
      ])
  }

  /// Returns the wall-clock time for a time of a case.
  private func time(_ instant: Instant) -> Instant {
    run.began + Interval(microseconds: instant.microseconds)
  }
}
