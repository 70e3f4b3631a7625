import HandoverBackend
import HandoverCore

/// A transport in this process, which the protocol serves to another process.
///
/// Hosts, calls and connections are indexed in the order of their first appearance.
struct ServedTransport: ServedBackend {
  let name: String
  let role = BackendHello.Role.transport
  private let transport: any RemoteTransport
  private var names = ServedNames()

  init(_ transport: any RemoteTransport, name: String) {
    self.transport = transport
    self.name = name
  }

  // MARK: A run

  mutating func open(_ fields: AnswerFields) throws(AnswerError) {
    let named = try fields.text("profile")
    guard let profile = Profile.named(named), profile.client.protocolObstacle == nil else {
      throw AnswerError("there is no profile \"\(named)\" with calls")
    }
    names = ServedNames()
    var script = Script()
    try Self.configure(&script, try fields.object("config"))
    for element in try fields.elements("hosts") ?? [] {
      let host = try Self.host(try AnswerFields(element))
      names.add(host: host.written, at: script.hosts.count)
      script.hosts.append(host)
    }
    let device = try names.device(try fields.object("initial"))
    script.paths = names.paths
    script.initial.flags = device.flags
    script.initial.path = device.path
    script.initial.app = device.app
    do throws(BackendError) {
      try transport.open(script, profile: profile)
    } catch {
      throw AnswerError(error.message)
    }
  }

  mutating func handle(
    _ step: ServedStep, at now: Instant, to json: inout JSONText
  ) throws(AnswerError) {
    let fact: TransportFact =
      switch step {
      case .event(let fields): try self.fact(fields)
      case .timeElapsed: .timeElapsed
      case .closed: .closed
      }
    var reports: [TransportReport] = []
    do throws(BackendError) {
      try transport.send(fact, at: now, into: &reports)
    } catch {
      throw AnswerError(error.message)
    }
    for report in reports {
      json.beginObject()
      var parts = ReportWriter(names: names)
      parts.write(report, to: &json)
      json.endObject()
    }
  }

  func writeDeadlines(to json: inout JSONText) {
    let deadlines = transport.deadlines
    json.member("deadline", deadlines.next?.microseconds)
    json.member("pressing", deadlines.nonPeriodic?.microseconds)
    json.member("answersPings", deadlines.answersPings)
  }

  private static func configure(
    _ script: inout Script, _ fields: AnswerFields
  ) throws(AnswerError) {
    script.configuration.tcpTimeout = Interval(microseconds: try fields.number("tcpTimeout"))
    script.configuration.sendBuffer = Int(clamping: try fields.number("sendBuffer"))
    script.configuration.cfstream = try fields.keyword("cfstream", CFStreamGeneration.self)
  }

  private static func host(_ fields: AnswerFields) throws(AnswerError) -> ScriptHost {
    ScriptHost(
      written: try fields.text("host"),
      connect: Interval(microseconds: try fields.number("connect")),
      server: try fields.keyword("server", ServerFault.self),
      names: try fields.keyword("names", DNSFault.self))
  }

  // MARK: Facts

  private mutating func fact(_ event: AnswerFields) throws(AnswerError) -> TransportFact {
    guard let (keyword, value) = event.first else { throw AnswerError("the event is empty") }
    let fields = try AnswerFields(value)
    guard let example = TransportFact.messageForms.example(keyword, value) else {
      throw AnswerError("there is no event \"\(keyword)\"")
    }
    var parts = FactParts(fields: fields, names: names)
    let fact = try example.coded(by: &parts)
    names = parts.names
    return fact
  }
}

/// The harness's names of hosts, calls, connections and paths, with their indices.
private struct ServedNames {
  private var hosts: [String: UInt32] = [:]  // lookup only
  private var calls: [String: UInt32] = [:]  // lookup only
  private(set) var callNames: [String] = []
  private var connections: [Int64: UInt32] = [:]  // lookup only
  private(set) var numbers: [Int64] = []
  private(set) var paths = Script().paths

  mutating func add(host: String, at index: Int) {
    hosts[host] = UInt32(truncatingIfNeeded: index)
  }

  func host(_ name: String) throws(AnswerError) -> UInt32 {
    guard let host = hosts[name] else { throw AnswerError("there is no host \"\(name)\"") }
    return host
  }

  mutating func add(call name: String) {
    guard calls[name] == nil else { return }
    calls[name] = UInt32(truncatingIfNeeded: callNames.count)
    callNames.append(name)
  }

  func call(_ name: String) throws(AnswerError) -> UInt32 {
    guard let call = calls[name] else { throw AnswerError("there is no call \"\(name)\"") }
    return call
  }

  mutating func add(connection number: Int64) {
    connections[number] = UInt32(truncatingIfNeeded: numbers.count)
    numbers.append(number)
  }

  func connection(_ number: Int64) throws(AnswerError) -> ConnectionID {
    guard let row = connections[number] else {
      throw AnswerError("there is no connection \(number)")
    }
    return ConnectionID(index: row, generation: 0)
  }

  mutating func device(_ fields: AnswerFields) throws(AnswerError) -> Device {
    let name = try fields.optionalText("path")
    var keptAlive: PathSet = []
    for value in try fields.elements("alive") ?? [] {
      guard let name = value.text else { throw AnswerError("a path must be a string") }
      keptAlive.insert(PathSet(try path(name)))
    }
    return Device(
      flags: try fields.flags(), path: try name.map { name throws(AnswerError) in try path(name) },
      keptAlive: keptAlive, app: try fields.keyword("app", AppState.self))
  }

  private mutating func path(_ name: String) throws(AnswerError) -> PathIndex {
    let index = paths.firstIndex(of: name) ?? paths.count
    guard index < Script.maximumPathCount else { throw AnswerError("there are too many paths") }
    if index == paths.count { paths.append(name) }
    return PathIndex(UInt8(truncatingIfNeeded: index))
  }
}

/// A reader of the parts of a fact.
private struct FactParts: MessageReader {
  typealias Call = UInt32

  let fields: AnswerFields
  var names: ServedNames

  var value: JSONValue { fields.value }

  func connection(_: ConnectionID) throws(AnswerError) -> ConnectionID {
    try names.connection(try fields.number("connection"))
  }

  mutating func newConnection(_: ConnectionID) throws(AnswerError) -> ConnectionID {
    let number = try fields.number("connection")
    names.add(connection: number)
    return try names.connection(number)
  }

  func call(_: UInt32) throws(AnswerError) -> UInt32 { try names.call(try fields.text("call")) }

  mutating func newCall(_: UInt32) throws(AnswerError) -> UInt32 {
    let name = try fields.text("call")
    names.add(call: name)
    return try names.call(name)
  }

  func host(_: UInt32) throws(AnswerError) -> UInt32 { try names.host(try fields.text("host")) }

  func hosts(_: HostSelector) throws(AnswerError) -> HostSelector {
    let name = try fields.text("host")
    return name == "*" ? .all : .one(Int(try names.host(name)))
  }

  mutating func device(_: Device) throws(AnswerError) -> Device { try names.device(fields) }
}

/// A writer of the parts of a report.
private struct ReportWriter: MessageWriter {
  typealias Call = UInt32

  let names: ServedNames
  var json = JSONText()
  var isOpen = false

  func name(_ call: UInt32) -> String { names.callNames[Int(call)] }
  func number(_ id: ConnectionID) -> Int64 { names.numbers[Int(id.index)] }
}
