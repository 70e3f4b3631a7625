package import HandoverCore
import HandoverScenario

/// A parsed trace, with all data of the file.
///
/// The script has the hosts, paths, calls and settings of the run. For the timeline, only the kinds
/// of the entries named in the trace are known. The behavior of the server for each call is
/// unknown.
package struct RecordedTrace: Hashable, Sendable {
  /// The first line, which describes the run.
  package var header: TraceHeader
  /// The known parts of the script.
  package var script: Script
  /// The records.
  package var trace: Trace

  /// Creates a recorded trace.
  package init(header: TraceHeader, script: Script, trace: Trace) {
    self.header = header
    self.script = script
    self.trace = trace
  }

  /// The work of the recorded client.
  var work: ClientKind.Work { Profile.named(header.profile)?.client.work ?? .calls }

  /// The trace in its file format.
  package var lines: [UInt8] { TraceWriter.lines(of: trace, script: script, header: header) }
}

/// Reads traces strictly: only the exact output of ``TraceWriter`` is valid.
package enum TraceReader {
  /// The maximum size of a trace, in bytes.
  package static let maximumByteCount = 256 * 1_024 * 1_024
  /// The maximum length of a line, in bytes.
  package static let maximumLineByteCount = 16 * 1_024 * 1_024
  /// The version of the format.
  static let version = 1

  static let hint =
    "create the trace again with `handover run ... -o trace=DIR`, and do not edit it"

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the trace; writing it gives the same bytes.
  /// - Throws: ``InputError`` for the first problem in the file.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> RecordedTrace {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: maximumByteCount,
      maximumLineByteCount: maximumLineByteCount, hint: hint)
    guard let first = try lines.next() else {
      throw InputError(
        file: file, position: lines.end, message: "the header is missing", hint: hint)
    }
    var recorded = try TraceHeaderReading(first).recorded()
    var reading = RecordReading(recorded)
    while let line = try lines.next() { try reading.read(line) }
    recorded.script.entries = reading.entries
    recorded.trace = reading.trace
    try requireCanonicalText(recorded, file: file, bytes: bytes)
    return recorded
  }

  /// Compares the file with the output of the writer for the parsed trace.
  ///
  /// If they differ, the file contains data that the reader did not interpret.
  private static func requireCanonicalText(
    _ recorded: RecordedTrace, file: String, bytes: [UInt8]
  ) throws(InputError) {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: maximumByteCount,
      maximumLineByteCount: maximumLineByteCount, hint: hint)
    var writer = TraceWriter(recorded.script, for: recorded.trace)
    writer.write(recorded.header)
    var position = 0
    while let line = try lines.next() {
      let written = writer.bytes.dropLast()
      if !line.bytes.elementsEqual(written) { throw otherSpelling(line, written) }
      guard position < recorded.trace.records.count else { return }
      writer.removeAll()
      writer.write(recorded.trace.records[position])
      position += 1
    }
  }

  private static func otherSpelling(_ line: InputLine, _ written: ArraySlice<UInt8>) -> InputError {
    var position = zip(line.bytes, written).prefix { $0 == $1 }.count
    // The comparison must not end inside a character.
    while position > 0, position < line.bytes.count, line.bytes[position] & 0xC0 == 0x80 {
      position -= 1
    }
    let rest = String(decoding: written.dropFirst(position).prefix(40), as: UTF8.self)
    return line.error(
      atByte: position,
      rest.isEmpty
        ? "the line continues after the record"
        : "from here on, the notation differs: \(InputLine.quoted(rest))")
  }
}

/// Reads the line that describes the run.
private struct TraceHeaderReading {
  let line: InputLine
  let fields: JSONFields

  init(_ line: InputLine) throws(InputError) {
    self.line = line
    fields = try line.object(as: "the header")
    let kind = try fields.text("kind")
    guard kind == "trace" else {
      throw line.error(
        at: try fields.required("kind"), "not a trace: its kind is \(InputLine.quoted(kind))",
        hint: kind == "header"
          ? "use `handover compare` for reports of `-o jsonl=FILE`"
          : TraceReader.hint)
    }
    try fields.requireVersion(TraceReader.version, of: "trace")
  }

  func recorded() throws(InputError) -> RecordedTrace {
    let profile = try fields.keyword("profile", among: Profile.known) { $0.name }
    var defects: [Defect] = []
    for value in try fields.elements("defects") {
      let name = try line.text(value, as: "a defect")
      guard let defect = Defect(rawValue: name) else {
        throw line.error(at: value, "unknown bug \(InputLine.quoted(name))")
      }
      defects.append(defect)
    }
    let header = TraceHeader(
      scenario: try fields.text("scenario"), profile: profile.name,
      backend: try fields.text("backend"), defects: defects)
    var script = Script()
    script.hosts = try texts("hosts", limit: ScenarioLimits.hosts).map {
      ScriptHost(written: $0, for: profile.client.work)
    }
    script.paths = try texts("paths", limit: Script.maximumPathCount)
    for value in try list("calls", limit: ScenarioLimits.calls) {
      script.calls.append(try call(value, hostCount: script.hosts.count))
    }
    script.configuration = try configuration(fields.object("config"))
    if fields.optional("links") != nil {
      script.configuration.chain.links = try texts("links", limit: ScenarioLimits.links).map {
        InterceptorScript(name: $0, kind: .forward)
      }
    }
    if fields.optional("requests") != nil {
      script.pools = try texts("pools", limit: Script.maximumPoolCount)
      for value in try list("requests", limit: ScenarioLimits.calls) {
        script.requests.append(try request(value, of: script))
      }
      let questions = try texts("questions", limit: ScenarioLimits.calls)
      script.questions = questions.map { ScriptQuestion(id: $0, host: 0, kind: .long) }
    }
    var trace = Trace()
    for value in try list("endpoints", limit: ScenarioLimits.calls) {
      trace.endpointHosts.append(
        try line.number(value, as: "the host of an endpoint", in: 0...UInt32.max))
    }
    if fields.optional("changedOptions") != nil {
      for value in try list("changedOptions", limit: trace.endpointHosts.count) {
        let fields = try JSONFields(value, as: "an element of \"changedOptions\"", in: line)
        let endpoint = try position("endpoint", fields, count: trace.endpointHosts.count)
        trace.changedOptions.append(
          EndpointOptions(
            endpoint: UInt32(truncatingIfNeeded: endpoint),
            options: try options(fields.object("options"))))
      }
    }
    return RecordedTrace(header: header, script: script, trace: trace)
  }

  private func list(_ name: String, limit: Int) throws(InputError) -> [JSONValue] {
    let values = try fields.elements(name)
    guard values.count <= limit else {
      throw line.error(
        at: try fields.required(name), "\"\(name)\" has \(values.count) elements, over \(limit)")
    }
    return values
  }

  private func texts(_ name: String, limit: Int) throws(InputError) -> [String] {
    var texts: [String] = []
    for value in try list(name, limit: limit) {
      texts.append(try line.text(value, as: "an element of \"\(name)\""))
    }
    return texts
  }

  private func request(_ value: JSONValue, of script: Script) throws(InputError) -> ScriptRequest {
    let fields = try JSONFields(value, as: "a request", in: line)
    return ScriptRequest(
      id: try fields.text("request"),
      host: try position("host", fields, count: script.hosts.count),
      kind: try fields.keyword("kind", among: RequestKind.allCases) { $0.name }, takes: nil,
      pool: try position("pool", fields, count: script.pools.count))
  }

  /// Reads an index into a table of the header.
  private func position(
    _ name: String, _ fields: JSONFields, count: Int
  ) throws(InputError) -> Int {
    let position: Int = try fields.number(name, in: 0...Int.max)
    guard position < count else {
      throw line.error(at: try fields.required(name), "unknown \(name) \(position)")
    }
    return position
  }

  private func call(_ value: JSONValue, hostCount: Int) throws(InputError) -> ScriptCall {
    let fields = try JSONFields(value, as: "a call", in: line)
    let host = try position("host", fields, count: hostCount)
    var options = ChannelOptions()
    if fields.optional("options") != nil { options = try self.options(fields.object("options")) }
    return ScriptCall(
      id: try fields.text("call"), host: host, kind: .unary, takes: nil, options: options)
  }

  private func options(_ fields: JSONFields) throws(InputError) -> ChannelOptions {
    var others: [String] = []
    if fields.optional("others") != nil {
      for value in try fields.elements("others") {
        others.append(try line.text(value, as: "an option"))
      }
    }
    var options = ChannelOptions(others: others)
    for (name, path) in ChannelOptions.times {
      options[keyPath: path] = try interval(name, fields)
    }
    return options
  }

  private func configuration(_ fields: JSONFields) throws(InputError) -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.seed = try fields.number("seed", in: 0...UInt64.max)
    configuration.idle = try interval("idle", fields)
    if fields.optional("observers") != nil {
      configuration.order.observers = try fields.keyword("observers", among: ObserverOrder.allCases)
      {
        $0.rawValue
      }
    }
    let backoff = try fields.object("backoff")
    configuration.backoff = BackoffConfiguration(
      initial: try required("initial", backoff), multiplier: try ratio("multiplier", backoff),
      jitter: try ratio("jitter", backoff), maximum: try required("max", backoff),
      minimumConnectTimeout: try required("minConnectTimeout", backoff))
    if fields.optional("keepalive") != nil {
      let keepalive = try fields.object("keepalive")
      configuration.keepalive = KeepaliveConfiguration(
        time: try required("time", keepalive), timeout: try required("timeout", keepalive),
        withoutCalls: try keepalive.flag("withoutCalls"))
      if keepalive.optional("overduePing") != nil {
        configuration.keepalive?.overduePing = try keepalive.keyword(
          "overduePing", among: OverduePing.allCases
        ) { $0.rawValue }
      }
    }
    if fields.optional("clock") != nil {
      configuration.clock = try fields.keyword("clock", among: TimerClock.allCases) { $0.rawValue }
    }
    return configuration
  }

  private func interval(_ name: String, _ fields: JSONFields) throws(InputError) -> Interval? {
    fields.optional(name) == nil ? nil : try required(name, fields)
  }

  private func required(_ name: String, _ fields: JSONFields) throws(InputError) -> Interval {
    Interval(microseconds: try fields.number(name, in: 0...Int64.max))
  }

  private func ratio(_ name: String, _ fields: JSONFields) throws(InputError) -> Ratio {
    let parts = try fields.elements(name)
    guard parts.count == 2 else {
      throw line.error(at: try fields.required(name), "\"\(name)\" must be two numbers")
    }
    return Ratio(
      try line.number(parts[0], as: "\"\(name)\"", in: 0...Int64.max),
      outOf: try line.number(parts[1], as: "\"\(name)\"", in: 1...Int64.max))
  }
}
