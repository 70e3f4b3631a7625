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
/// The findings are events of their case. The attributes are those of the semantic conventions for
/// tests, and others that begin with `handover.`.
package struct OTLPReport: Reporter {
  private var json = JSONText()
  private var run = RunDescription()
  private var trace = ""

  private var runSpan: String { spanID("run") }

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the beginning of the document.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    trace = Self.digest("trace", run.id ?? "\(run.began)") + Self.digest(run.id ?? "", run.backend)
    json.beginObject()
    json.key("resourceSpans")
    json.beginArray()
    json.beginObject()
    json.key("resource")
    json.beginObject()
    attributes([("service.name", "handover"), ("handover.backend", run.backend)])
    json.endObject()
    json.key("scopeSpans")
    json.beginArray()
    json.beginObject()
    json.key("scope")
    json.beginObject()
    json.member("name", "handover")
    if let version = run.harness?.version { json.member("version", version) }
    json.endObject()
    json.key("spans")
    json.beginArray()
    return json.taken()
  }

  /// Returns the spans of each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases { write(one, result.scenario) }
    return json.taken()
  }

  /// Returns the span of the run and the end of the document.
  package mutating func finish(_ summary: Summary) -> String {
    let isBad = summary.failed + summary.errors > 0
    let status = summary.wasInterrupted ? "aborted" : isBad ? "failure" : "success"
    span(
      "handover run", id: runSpan, parent: nil, from: run.began,
      to: max(run.began, summary.ended))
    attributes([("test.suite.name", "handover"), ("test.suite.run.status", status)])
    self.status(isBad ? summary.line : nil)
    json.endObject()
    for _ in 0..<2 {
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.newline()
    return json.taken()
  }

  private mutating func write(_ result: CaseResult, _ scenario: Scenario) {
    let id = spanID(result.name)
    let end = run.began + Interval(microseconds: result.endedAt.microseconds)
    span(result.name, id: id, parent: runSpan, from: run.began, to: end)
    var pairs = [
      ("test.suite.name", result.folder), ("test.case.name", result.name),
      ("code.file.path", result.file), ("handover.profile", result.profile),
      ("handover.verdict", result.verdict.name),
    ]
    switch result.verdict {
    case .passed, .passedPartially, .nonStrict: pairs.append(("test.case.result.status", "pass"))
    case .failed, .error: pairs.append(("test.case.result.status", "fail"))
    case .unsupported, .failedAsExpected: break
    }
    attributes(pairs)
    json.key("events")
    json.beginArray()
    for finding in result.findings {
      let time = finding.at.map { run.began + Interval(microseconds: $0.microseconds) } ?? end
      json.beginObject()
      json.member("timeUnixNano", Self.nanoseconds(time))
      json.member("name", finding.kindName)
      attributes([
        ("handover.expected", finding.expected), ("handover.seen", finding.seen),
        ("handover.verdict", finding.verdict.name),
      ])
      json.endObject()
    }
    json.endArray()
    status(result.verdict >= .failed ? result.weightiest.first?.sentence ?? "" : nil)
    json.endObject()
    write(result.calls, of: result, scenario, parent: id)
  }

  private mutating func write(
    _ calls: [CallOutcome], of result: CaseResult, _ scenario: Scenario, parent: String
  ) {
    var starts: [Int: Instant] = [:]  // lookup only
    for entry in scenario.script.entries {
      if case .startCall(let call) = entry.action { starts[call] = entry.at }
    }
    for (index, call) in calls.enumerated() {
      guard let start = starts[index] else { continue }
      let end = max(start, call.endedAt ?? result.endedAt)
      span(
        "call \(call.id)", id: spanID(result.name, call.id), parent: parent,
        from: run.began + Interval(microseconds: start.microseconds),
        to: run.began + Interval(microseconds: end.microseconds))
      attributes([("handover.call.status", call.end?.code.name ?? "none")])
      json.endObject()
    }
  }

  // MARK: Parts

  /// Begins a span; the caller adds further members and ends the object.
  private mutating func span(
    _ name: String, id: String, parent: String?, from start: Instant, to end: Instant
  ) {
    json.beginObject()
    json.member("traceId", trace)
    json.member("spanId", id)
    if let parent { json.member("parentSpanId", parent) }
    json.member("name", name)
    // An internal operation.
    json.member("kind", 1)
    json.member("startTimeUnixNano", Self.nanoseconds(start))
    json.member("endTimeUnixNano", Self.nanoseconds(end))
  }

  private mutating func attributes(_ pairs: [(String, String)]) {
    json.key("attributes")
    json.beginArray()
    for (key, value) in pairs {
      json.beginObject()
      json.member("key", key)
      json.key("value")
      json.beginObject()
      json.member("stringValue", value)
      json.endObject()
      json.endObject()
    }
    json.endArray()
  }

  /// Writes the status of a span: an error with a message, or unset.
  private mutating func status(_ error: String?) {
    guard let error else { return }
    json.key("status")
    json.beginObject()
    json.member("code", 2)
    json.member("message", error)
    json.endObject()
  }

  private static func nanoseconds(_ time: Instant) -> String {
    let (product, overflow) = UInt64(clamping: time.microseconds)
      .multipliedReportingOverflow(by: 1_000)
    return String(overflow ? .max : product)
  }

  private func spanID(_ words: String...) -> String {
    let shard = run.shard.map { "\($0.index)" } ?? ""
    return Self.digest([trace, shard] + words)
  }

  private static func digest(_ words: String...) -> String { digest(words) }

  /// Returns sixteen hexadecimal digits for some words.
  private static func digest(_ words: [String]) -> String {
    var digest = Digest()
    for word in words { digest.combine(Array(word.utf8) + [0]) }
    return digest.text
  }
}
