import HandoverBackend
import HandoverCore
import HandoverJSON
import HandoverTrace

/// A transport in this process, told of facts in the words of the protocol.
///
/// Hosts, calls and connections get their places in the order in which they are heard of.
struct ServedTransport: ServedBackend {
  let name: String
  let role = BackendHello.Role.transport
  private let transport: any RemoteTransport
  private var script = Script()
  private var hosts: [String: UInt32] = [:]  // lookup only
  private var calls: [String: UInt32] = [:]  // lookup only
  private var callNames: [String] = []
  private var connections: [Int64: UInt32] = [:]  // lookup only
  private var numbers: [Int64] = []

  init(_ transport: any RemoteTransport, name: String) {
    self.transport = transport
    self.name = name
  }

  // MARK: A run

  mutating func open(_ fields: AnswerFields) throws(AnswerError) {
    let named = try fields.text("profile")
    guard let profile = Profile.named(named), !profile.makesRequests else {
      throw AnswerError("there is no profile \"\(named)\" with calls")
    }
    (script, hosts, calls, connections) = (Script(), [:], [:], [:])
    (callNames, numbers) = ([], [])
    try configure(try fields.object("config"))
    for element in try fields.elements("hosts") ?? [] { try add(try AnswerFields(element)) }
    let device = try device(try fields.object("initial"))
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
      write(report, to: &json)
      json.endObject()
    }
  }

  func writeDeadlines(to json: inout JSONText) {
    let deadlines = transport.deadlines
    json.member("deadline", deadlines.next?.microseconds)
    json.member("pressing", deadlines.nonPeriodic?.microseconds)
    json.member("answersPings", deadlines.answersPings)
  }

  private mutating func configure(_ fields: AnswerFields) throws(AnswerError) {
    script.configuration.tcpTimeout = Interval(microseconds: try fields.number("tcpTimeout"))
    script.configuration.sendBuffer = Int(clamping: try fields.number("sendBuffer"))
    script.configuration.cfstream = try fields.word("cfstream", CFStreamGeneration.self)
  }

  private mutating func add(_ fields: AnswerFields) throws(AnswerError) {
    let written = try fields.text("host")
    hosts[written] = UInt32(truncatingIfNeeded: script.hosts.count)
    script.hosts.append(
      ScriptHost(
        written: written, connect: Interval(microseconds: try fields.number("connect")),
        server: try fields.word("server", ServerFault.self),
        names: try fields.word("names", DNSFault.self)))
  }

  // MARK: Facts

  private mutating func fact(_ event: AnswerFields) throws(AnswerError) -> TransportFact {
    guard let (name, value) = event.first else { throw AnswerError("the event is empty") }
    let fields = try AnswerFields(value)
    switch name {
    case "connect": return try connect(fields)
    case "close": return .close(try connection(fields))
    case "send": return try send(fields)
    case "finish": return .finish(try connection(fields), call: try call(fields))
    case "reset": return .reset(try connection(fields), call: try call(fields))
    case "ping": return .ping(try connection(fields))
    case "device": return .device(try device(fields))
    case "server":
      return .server(
        host: try host(fields), try fields.word("do", ServerFault.self), entry: try entry(fields))
    case "names":
      return .names(
        host: try host(fields), try fields.word("do", DNSFault.self), entry: try entry(fields))
    case "transport":
      let hosts = try fields.text("host") == "*" ? .all : HostSelector.one(Int(try host(fields)))
      return .fault(
        hosts, try fields.word("become", TransportWord.self), entry: try entry(fields))
    default: throw AnswerError("there is no event \"\(name)\"")
    }
  }

  private mutating func connect(_ fields: AnswerFields) throws(AnswerError) -> TransportFact {
    let number = try fields.number("connection")
    let host = try host(fields)
    let row = UInt32(truncatingIfNeeded: numbers.count)
    connections[number] = row
    numbers.append(number)
    return .connect(ConnectionID(index: row, generation: 0), host: host)
  }

  private mutating func send(_ fields: AnswerFields) throws(AnswerError) -> TransportFact {
    let connection = try connection(fields)
    if let count = try fields.optionalNumber("messages") {
      return .sendMessages(
        connection, call: try call(fields), count: UInt32(clamping: count),
        bytes: UInt32(clamping: try fields.number("bytes")))
    }
    let name = try fields.text("call")
    if calls[name] == nil {
      calls[name] = UInt32(truncatingIfNeeded: callNames.count)
      callNames.append(name)
    }
    return .send(
      connection, call: try call(fields),
      ServerAnswer(
        kind: try fields.word("kind", CallKind.self),
        takes: try fields.optionalNumber("takes").map(Interval.init(microseconds:)),
        every: try fields.optionalNumber("every").map(Interval.init(microseconds:))))
  }

  private mutating func device(_ fields: AnswerFields) throws(AnswerError) -> Device {
    let name = try fields.optionalText("path")
    var keptAlive: PathSet = []
    for value in try fields.elements("alive") ?? [] {
      guard let name = value.text else { throw AnswerError("a path must be a text") }
      keptAlive.insert(PathSet(try path(name)))
    }
    return Device(
      flags: try fields.flags(), path: try name.map { name throws(AnswerError) in try path(name) },
      keptAlive: keptAlive, app: try fields.word("app", AppState.self))
  }

  private mutating func path(_ name: String) throws(AnswerError) -> PathIndex {
    let index = script.paths.firstIndex(of: name) ?? script.paths.count
    guard index < Script.maximumPathCount else { throw AnswerError("there are too many paths") }
    if index == script.paths.count { script.paths.append(name) }
    return PathIndex(UInt8(truncatingIfNeeded: index))
  }

  private func host(_ fields: AnswerFields) throws(AnswerError) -> UInt32 {
    let name = try fields.text("host")
    guard let host = hosts[name] else { throw AnswerError("there is no host \"\(name)\"") }
    return host
  }

  private func call(_ fields: AnswerFields) throws(AnswerError) -> UInt32 {
    let name = try fields.text("call")
    guard let call = calls[name] else { throw AnswerError("there is no call \"\(name)\"") }
    return call
  }

  private func connection(_ fields: AnswerFields) throws(AnswerError) -> ConnectionID {
    let number = try fields.number("connection")
    guard let row = connections[number] else {
      throw AnswerError("there is no connection \(number)")
    }
    return ConnectionID(index: row, generation: 0)
  }

  private func entry(_ fields: AnswerFields) throws(AnswerError) -> UInt32 {
    UInt32(clamping: try fields.number("entry"))
  }

  // MARK: Reports

  private func write(_ report: TransportReport, to json: inout JSONText) {
    var parts = ReportWriter(numbers: numbers, callNames: callNames)
    swap(&parts.json, &json)
    _ = report.coded(by: &parts)
    swap(&parts.json, &json)
    if parts.isOpen { json.endObject() }
  }
}

/// The parts of a report, as they are written.
private struct ReportWriter: MessageCoder {
  typealias Failure = Never
  typealias Call = UInt32

  let numbers: [Int64]
  let callNames: [String]
  var json = JSONText()
  /// Whether the object behind the word is not over.
  private(set) var isOpen = false

  init(numbers: [Int64], callNames: [String]) {
    self.numbers = numbers
    self.callNames = callNames
  }

  mutating func begin(_ word: String, with key: String?) {
    json.key(word)
    json.beginObject()
    isOpen = true
  }

  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    json.member("connection", numbers[Int(id.index)])
    return id
  }

  mutating func call(_ index: UInt32) -> UInt32 {
    json.member("call", callNames[Int(index)])
    return index
  }

  mutating func count(_ name: String, _ count: UInt32) -> UInt32 {
    json.member(name, Int(count))
    return count
  }

  mutating func mark(_ name: String) { json.member(name, true) }

  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    json.member("reason", failure.traceName)
    return failure
  }

  mutating func status(_ code: StatusCode) -> StatusCode {
    json.member("status", code.name)
    return code
  }

  mutating func only(_ word: String, entry: UInt32) -> UInt32 {
    json.member(word, Int(entry))
    return entry
  }
}
