/// The data about a run in the first line of its trace.
public struct TraceHeader: Hashable, Sendable {
  /// The ID of the scenario.
  public var scenario: String
  /// The name of the profile.
  public var profile: String
  /// The name of the backend; the digest omits it so that runs on two backends can be compared.
  public var backend: String
  /// The defects that were active in the client.
  public var defects: [Defect]

  /// Creates a header.
  public init(
    scenario: String, profile: String, backend: String = "simulated", defects: [Defect] = []
  ) {
    self.scenario = scenario
    self.profile = profile
    self.backend = backend
    self.defects = defects
  }
}

/// Writes traces as canonical JSON lines: a header line, then one line per record.
///
/// The names of calls, hosts and networks come from the script. The identifier follows the name as
/// `[index, generation]`, so that a trace can be read back without loss. Times are in microseconds.
/// Equal records produce equal bytes.
public struct TraceWriter: Sendable {
  let script: Script
  let endpointHosts: ContiguousArray<UInt32>
  private let changedOptions: ContiguousArray<EndpointOptions>
  let texts: ContiguousArray<String>
  let endTexts: EndTexts
  var json = JSONText()
  /// The identifiers of calls, indexed by their positions in the script.
  private var calls: ContiguousArray<CallID?>
  /// The position of the latest call that used each identifier row.
  private var positions: ContiguousArray<UInt32> = []
  /// The positions of calls whose identifier rows later calls reused.
  private var formerIndices: [CallID: UInt32] = [:]  // lookup only

  /// Creates a writer for one trace.
  ///
  /// - Parameters:
  ///   - script: the script that was run.
  ///   - trace: the trace that contains the records.
  public init(_ script: Script, for trace: Trace) {
    self.script = script
    endpointHosts = trace.endpointHosts
    changedOptions = trace.changedOptions
    texts = trace.texts
    endTexts = trace.endTexts
    calls = ContiguousArray(repeating: nil, count: script.calls.count)
  }

  /// Returns the whole trace including its header, as lines that each end with a line feed.
  public static func lines(
    of trace: Trace, script: Script, header: TraceHeader
  ) -> [UInt8] {
    var writer = TraceWriter(script, for: trace)
    writer.write(header)
    for record in trace.records { writer.write(record) }
    return writer.bytes
  }

  /// Returns the digest of the records and of the names of the scenario and the profile.
  ///
  /// Two runs with equal records, scenario and profile have equal digests. The digest does not
  /// include the name of the backend.
  public static func digest(of trace: Trace, script: Script, header: TraceHeader) -> Digest {
    var writer = TraceWriter(script, for: trace)
    var digest = Digest()
    digest.combine(header.scenario.utf8)
    digest.combine([0])
    digest.combine(header.profile.utf8)
    digest.combine([0])
    for record in trace.records {
      writer.write(record)
      digest.combine(writer.bytes)
      writer.removeAll()
    }
    return digest
  }

  /// The bytes written since the beginning or since the last call of ``removeAll()``.
  public var bytes: [UInt8] { json.bytes }

  /// Removes the written bytes; keeps the known identifiers.
  public mutating func removeAll() {
    json.removeAll()
  }

  /// Writes the header line.
  public mutating func write(_ header: TraceHeader) {
    json.beginObject()
    json.member("v", 1)
    json.member("kind", "trace")
    json.member("scenario", header.scenario)
    json.member("profile", header.profile)
    json.member("backend", header.backend)
    json.array("defects", of: header.defects) { $0.value($1.rawValue) }
    writeTables()
    writeConfiguration()
    json.endObject()
    json.newline()
  }

  /// Writes one record.
  public mutating func write(_ record: TraceRecord) {
    json.beginObject()
    json.key("at")
    json.value(record.at.microseconds)
    switch record.body {
    case .event(let event): write("event", event)
    case .effect(let effect): write("effect", effect)
    case .world(let fact):
      if case .callIntroduced(let index, let id) = fact { introduce(index, as: id) }
      write("world", fact)
    case .chain(let fact): write("chain", fact)
    case .request(let fact): write("request", fact)
    }
    json.endObject()
    json.newline()
  }

  private mutating func write(_ kind: String, _ record: some CodedRecord) {
    json.key(kind)
    json.beginObject()
    _ = record.coded(by: &self)
    json.endObject()
    json.endObject()
  }

  // MARK: The header

  private mutating func writeTables() {
    json.array("hosts", of: script.hosts) { $0.value($1.written) }
    json.array("paths", of: script.paths) { $0.value($1) }
    json.objects("calls", of: script.calls) { json, call in
      json.member("call", call.id)
      json.member("host", call.host)
      if call.options != ChannelOptions() { json.write(call.options) }
    }
    let links = script.configuration.chain.links
    if !links.isEmpty { json.array("links", of: links) { $0.value($1.name) } }
    writeRequestTables()
    json.array("endpoints", of: endpointHosts) { $0.value($1) }
    guard !changedOptions.isEmpty else { return }
    json.objects("changedOptions", of: changedOptions) { json, changed in
      json.member("endpoint", Int(changed.endpoint))
      json.write(changed.options)
    }
  }

  private mutating func writeRequestTables() {
    guard !script.requests.isEmpty || !script.questions.isEmpty else { return }
    json.objects("requests", of: script.requests) { json, request in
      json.member("request", request.id)
      json.member("host", request.host)
      json.member("kind", request.kind.name)
      json.member("pool", request.pool)
    }
    json.array("questions", of: script.questions) { $0.value($1.id) }
    json.array("pools", of: script.pools) { $0.value($1) }
  }

  /// Writes the settings that a new client needs to replay the trace.
  private mutating func writeConfiguration() {
    let configuration = script.configuration
    json.key("config")
    json.beginObject()
    json.key("seed")
    json.value(configuration.seed)
    writeIfSet("idle", configuration.idle)
    json.key("backoff")
    json.beginObject()
    json.member("initial", configuration.backoff.initial.microseconds)
    write("multiplier", configuration.backoff.multiplier)
    write("jitter", configuration.backoff.jitter)
    json.member("max", configuration.backoff.maximum.microseconds)
    json.member(
      "minConnectTimeout", configuration.backoff.minimumConnectTimeout.microseconds)
    json.endObject()
    if configuration.order.observers != .pool {
      json.member("observers", configuration.order.observers.rawValue)
    }
    json.keepalive(configuration.keepalive)
    if configuration.clock != .boot { json.member("clock", configuration.clock.rawValue) }
    json.endObject()
  }

  private mutating func writeIfSet(_ name: String, _ interval: Interval?) {
    if let interval { json.member(name, interval.microseconds) }
  }

  private mutating func write(_ name: String, _ ratio: Ratio) {
    json.array(name, of: [ratio.numerator, ratio.denominator]) { $0.value($1) }
  }

  // MARK: Names

  /// Records that an identifier refers to a call of the script from now on.
  mutating func introduce(_ index: UInt32, as id: CallID) {
    while positions.count <= id.index { positions.append(.max) }
    let former = Int(positions[Int(id.index)])
    if former < calls.count, let other = calls[former], other.index == id.index {
      formerIndices[other] = UInt32(truncatingIfNeeded: former)
    }
    positions[Int(id.index)] = index
    if index < calls.count { calls[Int(index)] = id }
  }

  /// Returns the name of a call, or `nil` if no record introduced the identifier.
  func name(of id: CallID) -> String? {
    if id.index < positions.count {
      let index = Int(positions[Int(id.index)])
      if index < calls.count, calls[index] == id { return script.calls[index].id }
    }
    // An event may arrive after another call has reused the row of its identifier.
    guard let former = formerIndices[id], calls[Int(former)] == id else { return nil }
    return script.calls[Int(former)].id
  }
}
