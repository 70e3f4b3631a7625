import HandoverCore

/// A writer for the Common Test Report Format (CTRF).
///
/// The tests are written before the summary, so that the document needs no memory for them.
struct CTRFDocument {
  /// The text, to which the caller can add members.
  var json = JSONText()
  private var counts: [Status: Int] = [:]  // lookup only

  private enum Status: String, CaseIterable {
    case passed, failed, skipped, pending, other

    init(_ outcome: TestOutcome) {
      switch outcome {
      case .passed: self = .passed
      case .skipped: self = .skipped
      case .failed, .error: self = .failed
      }
    }
  }

  /// Begins the document.
  mutating func begin(runID: String?, _ harness: Harness?) {
    json.beginObject()
    json.member("reportFormat", "CTRF")
    json.member("specVersion", "0.0.0")
    if let runID { json.member("runId", runID) }
    json.member("generatedBy", harness?.text ?? "handover")
    json.key("results")
    json.beginObject()
    json.key("tool")
    json.beginObject()
    json.member("name", "handover")
    if let version = harness?.version { json.member("version", version) }
    json.endObject()
    json.key("tests")
    json.beginArray()
  }

  /// Begins a test; the caller adds further members and ends the object.
  mutating func beginTest(
    _ name: String, _ outcome: TestOutcome, verdict: String, took: Interval, suite: String
  ) {
    let status = Status(outcome)
    counts[status, default: 0] += 1
    json.beginObject()
    json.member("name", name)
    json.member("status", status.rawValue)
    json.member("rawStatus", verdict)
    json.member("duration", took.microseconds / 1_000)
    json.key("suite")
    json.beginArray()
    json.value(suite)
    json.endArray()
  }

  /// Writes the summary, and ends the document after further members.
  mutating func end(
    flakyCount: Int, from start: Instant, to end: Instant, extra: (inout JSONText) -> Void
  ) {
    json.endArray()
    json.key("summary")
    json.beginObject()
    json.member("tests", Status.allCases.reduce(0) { $0 + (counts[$1] ?? 0) })
    for status in Status.allCases { json.member(status.rawValue, counts[status] ?? 0) }
    json.member("flaky", flakyCount)
    json.member("start", start.microseconds / 1_000)
    json.member("stop", max(start, end).microseconds / 1_000)
    json.endObject()
    json.key("extra")
    json.beginObject()
    extra(&json)
    json.endObject()
    json.endObject()
    json.endObject()
    json.newline()
  }
}
