import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report as a trace for Perfetto, in the binary format of Protocol Buffers.
///
/// Each case is a process with a track for the network, for each channel, connection and thread,
/// and for each call. An arrow leads from a network change to the connection that it affected, and
/// from the connection to the call. A case whose timeline was not kept has no tracks.
package struct PerfettoReport: Reporter {
  private var trace = PerfettoTrace()
  private var run = RunDescription()

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns no bytes; the trace has no header.
  package mutating func begin(_ run: RunDescription) -> [UInt8] {
    self.run = run
    return []
  }

  /// Returns the tracks of each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> [UInt8] {
    for one in result.cases { add(one, result.scenario) }
    return trace.take()
  }

  /// Returns a track with the summary.
  package mutating func finish(_ summary: Summary) -> [UInt8] {
    trace.add(note: summary.line, on: "handover run")
    if summary.wasInterrupted { trace.add(note: summary.interruption, on: "interrupted") }
    return trace.take()
  }

  private mutating func add(_ result: CaseResult, _ scenario: Scenario) {
    trace.add(
      PerfettoTrace.Group(
        name: result.name, verdict: result.verdict.name, end: result.endedAt,
        details: [
          ("profile", result.profile), ("file", result.firstPosition), ("backend", run.backend),
          ("repeat", run.command(repeating: result)),
        ],
        marks: result.findings.map {
          ($0.at ?? result.endedAt, "\($0.verdict.name): \($0.sentence)")
        },
        lanes: result.trace.map { TimelineLanes.of($0, script: scenario.script) } ?? []))
  }
}
