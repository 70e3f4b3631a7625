import HandoverCore

/// A writer for OpenTelemetry spans in the JSON encoding of OTLP.
struct OTLPDocument {
  private var json = JSONText()
  private var trace = ""
  private var shard = ""

  /// A span with its events.
  struct Span {
    var name: String
    /// The words from which the ID is derived.
    var id: [String]
    /// The words of the parent's ID, or `nil` for the root.
    var parent: [String]?
    var from: Instant
    var to: Instant
    var attributes: [(String, String)]
    var events: [Event] = []
    /// The message of an error, or `nil` if there was none.
    var error: String?
  }

  /// An instant of a span.
  struct Event {
    var name: String
    var at: Instant
    var attributes: [(String, String)]
  }

  /// Removes what was written so far, and returns it.
  mutating func take() -> String { json.take() }

  /// Begins the document.
  ///
  /// - Parameters:
  ///   - runID: The identifier that all parts of the run share, or `nil` if there is none.
  ///   - start: The time at which the run began.
  ///   - backend: The backend under test.
  ///   - shard: The part of the run.
  ///   - harness: The program that writes the document.
  mutating func begin(
    runID: String?, at start: Instant, backend: String, shard: String, _ harness: Harness?
  ) {
    trace = Self.digest(["trace", runID ?? "\(start)"]) + Self.digest([runID ?? "", backend])
    self.shard = shard
    json.beginObject()
    json.key("resourceSpans")
    json.beginArray()
    json.beginObject()
    json.key("resource")
    json.beginObject()
    attributes([("service.name", "handover"), ("handover.backend", backend)])
    json.endObject()
    json.key("scopeSpans")
    json.beginArray()
    json.beginObject()
    json.key("scope")
    json.beginObject()
    json.member("name", "handover")
    if let version = harness?.version { json.member("version", version) }
    json.endObject()
    json.key("spans")
    json.beginArray()
  }

  /// Writes a span.
  mutating func add(_ span: Span) {
    json.beginObject()
    json.member("traceId", trace)
    json.member("spanId", spanID(span.id))
    if let parent = span.parent { json.member("parentSpanId", spanID(parent)) }
    json.member("name", span.name)
    // An internal operation.
    json.member("kind", 1)
    json.member("startTimeUnixNano", Self.nanoseconds(span.from))
    json.member("endTimeUnixNano", Self.nanoseconds(max(span.from, span.to)))
    attributes(span.attributes)
    if !span.events.isEmpty {
      json.key("events")
      json.beginArray()
      for event in span.events {
        json.beginObject()
        json.member("timeUnixNano", Self.nanoseconds(event.at))
        json.member("name", event.name)
        attributes(event.attributes)
        json.endObject()
      }
      json.endArray()
    }
    if let error = span.error {
      json.key("status")
      json.beginObject()
      json.member("code", 2)
      json.member("message", error)
      json.endObject()
    }
    json.endObject()
  }

  /// Ends the document.
  mutating func end() {
    for _ in 0..<2 {
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.newline()
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

  private static func nanoseconds(_ time: Instant) -> String {
    let (product, overflow) = UInt64(clamping: time.microseconds)
      .multipliedReportingOverflow(by: 1_000)
    return String(overflow ? .max : product)
  }

  private func spanID(_ words: [String]) -> String { Self.digest([trace, shard] + words) }

  /// Returns sixteen hexadecimal digits for some words.
  private static func digest(_ words: [String]) -> String {
    var digest = Digest()
    for word in words { digest.combine(Array(word.utf8) + [0]) }
    return digest.text
  }
}

extension TestOutcome {
  /// The attribute of the semantic conventions, which have no value for a skipped test.
  var spanAttributes: [(String, String)] {
    switch self {
    case .passed: [("test.case.result.status", "pass")]
    case .failed, .error: [("test.case.result.status", "fail")]
    case .skipped: []
    }
  }
}
