import HandoverBackend
import HandoverCore

/// The names that a remote transport receives, and the reports that it may send about them.
///
/// All reports of the transport are decoded here. A report about an unknown object, or one that is
/// no longer possible, is rejected, because the transport has all the information that it needs.
struct TransportNames {
  private let script: Script
  /// The addresses of the hosts in real time, or `nil` in virtual time.
  private let hosts: HostAddresses?
  /// The connections so far, numbered from 1.
  private var connections: [Connection] = []
  private var numbers: [ConnectionID: Int64] = [:]  // lookup only
  private var positions: [String: Int] = [:]  // lookup only
  /// The calls of the script.
  private var calls: [Call]
  private var isClosed = false

  private enum Phase {
    case making
    case established
    /// The transport received the command to close the connection.
    case closed
    /// The connection ended; the string describes what the transport reported.
    case over(String)
  }

  private struct Connection {
    var id: ConnectionID
    var phase = Phase.making
    var openPings = 0
  }

  private struct Call {
    /// The number of the connection on which the call was sent.
    var connection: Int64?
    var hasEnded = false
  }

  init(_ script: Script, at hosts: HostAddresses? = nil) {
    self.script = script
    self.hosts = hosts
    calls = Array(repeating: Call(), count: script.calls.count)
    for (index, call) in script.calls.enumerated() { positions[call.id] = index }
  }

  // MARK: Facts

  /// Records a fact that is about to be sent to the transport.
  mutating func note(_ fact: TransportFact) {
    switch fact {
    case .connect(let id, _):
      connections.append(Connection(id: id))
      numbers[id] = Int64(connections.count)
    case .close(let id): connections[index(of: id)].phase = .closed
    case .send(let id, let call, _): calls[Int(call)] = Call(connection: number(id))
    case .ping(let id): connections[index(of: id)].openPings += 1
    case .closed: isClosed = true
    case .sendMessages, .finish, .reset, .device, .server, .names, .fault, .timeElapsed: break
    }
  }

  /// Returns whether the transport received the command to close a connection.
  func isClosed(_ id: ConnectionID) -> Bool {
    if case .closed = connections[index(of: id)].phase { true } else { false }
  }

  /// The numbers of the connections that neither side has ended.
  var open: [Int64] {
    connections.indices.compactMap { index in
      switch connections[index].phase {
      case .making, .established: Int64(index) + 1
      case .closed, .over: nil
      }
    }
  }

  fileprivate func number(_ id: ConnectionID) -> Int64 { numbers[id] ?? 0 }

  private func index(of id: ConnectionID) -> Int { Int(number(id)) - 1 }

  /// Writes a fact as the single member of an event; elapsed time and closing are separate
  /// commands.
  func write(_ fact: TransportFact, to json: inout JSONText) {
    var parts = FactWriter(names: self)
    parts.write(fact, to: &json)
  }

  fileprivate func write(_ device: Device, to json: inout JSONText) {
    json.device(device, paths: script.paths)
  }

  fileprivate func name(ofCall call: UInt32) -> String { script.calls[Int(call)].id }

  fileprivate func name(ofHost host: Int) -> String { script.hosts[host].spoken }

  fileprivate func writeAddress(ofHost host: Int, to json: inout JSONText) {
    hosts?.writeAddress(ofHost: host, to: &json)
  }

  // MARK: Reports

  /// Returns the report in one element of `out`, whose first member determines its kind.
  mutating func report(_ element: AnswerFields) throws(AnswerError) -> TransportReport {
    guard let (name, value) = element.first else {
      throw AnswerError("an element of \"out\" is empty")
    }
    guard !isClosed else { throw AnswerError("the run is closed; no further report is allowed") }
    let report = try read(name, value, element)
    try handle(report)
    return report
  }

  private func read(
    _ keyword: String, _ value: JSONValue, _ element: AnswerFields
  ) throws(AnswerError) -> TransportReport {
    guard let example = TransportReport.messageForms.example(keyword, value) else {
      throw AnswerError("unknown report \"\(keyword)\"")
    }
    var parts = ReportParts(element: element, value: value, names: self)
    return try example.coded(by: &parts)
  }

  /// Rejects a report that is no longer possible, or records the change that it reports.
  private mutating func handle(_ report: TransportReport) throws(AnswerError) {
    switch report {
    case .connected(let id): connections[try making(id)].phase = .established
    case .connectFailed(let id, _): connections[try making(id)].phase = .over("has failed")
    case .broken(let id, _):
      connections[try established(number(id))].phase = .over("is broken")
    case .draining(let id): _ = try established(number(id))
    case .moved(let id): _ = try making(id)
    case .pong(let id):
      let index = try established(number(id))
      guard connections[index].openPings > 0 else {
        throw AnswerError("connection \(index + 1) has no ping to answer")
      }
      connections[index].openPings -= 1
    case .message(let call): try receive(Int(call))
    case .ended(let call, _):
      try receive(Int(call))
      calls[Int(call)].hasEnded = true
    case .stalled(let id), .resumed(let id), .sendBufferFull(let id): try checkIsOpen(id)
    // A server may read what arrived before the end of its call or of the connection.
    case .readRequest, .readMessages, .tookEffect: break
    }
  }

  /// Returns the report in one element of a line in real time, or `nil` if it is obsolete.
  ///
  /// The transport may have written the line before it learned that the client closed the
  /// connection, or that the run was over.
  mutating func liveReport(
    _ element: AnswerFields
  ) throws(AnswerError) -> TransportReport? {
    if isClosed { return nil }
    if let (name, value) = element.first {
      guard TransportReport.messageForms.example(name, value)?.isReportedInRealTime == true else {
        throw AnswerError("in real time, a transport cannot report \"\(name)\"")
      }
      if try isAboutClosed(try AnswerFields(value)) { return nil }
    }
    return try report(element)
  }

  /// Returns whether a report is about a connection that the client has closed, or about a call on
  /// one.
  private func isAboutClosed(_ fields: AnswerFields) throws(AnswerError) -> Bool {
    let number: Int64
    if fields["call"] != nil {
      number = calls[try call(fields)].connection ?? 0
    } else {
      number = Int64(try index(fields)) + 1
    }
    if case .closed = connections[Int(number) - 1].phase { return true }
    return false
  }

  /// Rejects a report of a server after the end of a call, or without a connection.
  private func receive(_ index: Int) throws(AnswerError) {
    guard !calls[index].hasEnded else {
      throw AnswerError("the server has ended call \"\(script.calls[index].id)\"")
    }
    _ = try established(calls[index].connection ?? 0)
  }

  // MARK: Lookup

  fileprivate func fault(_ keyword: String, _ element: AnswerFields) throws(AnswerError) -> UInt32 {
    let entry = try element.number(keyword)
    guard entry < script.entries.count, script.entries[Int(entry)].action.isFault else {
      throw AnswerError("entry \(entry) is not a fault")
    }
    return UInt32(entry)
  }

  fileprivate func call(_ fields: AnswerFields) throws(AnswerError) -> Int {
    let name = try fields.text("call")
    guard let index = positions[name], calls[index].connection != nil else {
      throw AnswerError("call \"\(name)\" was never sent")
    }
    return index
  }

  private func index(_ fields: AnswerFields) throws(AnswerError) -> Int {
    let number = try fields.number("connection")
    guard number > 0, number <= connections.count else {
      throw AnswerError("there is no connection \(number)")
    }
    return Int(number) - 1
  }

  fileprivate func connection(_ fields: AnswerFields) throws(AnswerError) -> ConnectionID {
    connections[try index(fields)].id
  }

  private func making(_ id: ConnectionID) throws(AnswerError) -> Int {
    let index = index(of: id)
    switch connections[index].phase {
    case .making: return index
    case .established: throw AnswerError("connection \(index + 1) is established")
    case .closed: throw wasClosed(index + 1)
    case .over(let how): throw AnswerError("connection \(index + 1) \(how)")
    }
  }

  private func established(_ number: Int64) throws(AnswerError) -> Int {
    switch connections[Int(number) - 1].phase {
    case .established: return Int(number) - 1
    case .making: throw AnswerError("connection \(number) is not established")
    case .closed: throw wasClosed(Int(number))
    case .over(let how): throw AnswerError("connection \(number) \(how)")
    }
  }

  /// Rejects a report about a connection that has ended; attempts can stall too.
  private func checkIsOpen(_ id: ConnectionID) throws(AnswerError) {
    if case .making = connections[index(of: id)].phase { return }
    _ = try established(number(id))
  }

  private func wasClosed(_ number: Int) -> AnswerError {
    AnswerError("connection \(number) was closed by the client")
  }
}

/// A writer of the parts of a fact.
private struct FactWriter: MessageWriter {
  typealias Call = UInt32

  let names: TransportNames
  var json = JSONText()
  var isOpen = false

  func name(_ call: UInt32) -> String { names.name(ofCall: call) }
  func number(_ id: ConnectionID) -> Int64 { names.number(id) }

  mutating func host(_ host: UInt32) -> UInt32 {
    json.member("host", names.name(ofHost: Int(host)))
    return host
  }

  mutating func destination(_ host: UInt32) -> UInt32 {
    _ = self.host(host)
    names.writeAddress(ofHost: Int(host), to: &json)
    return host
  }

  mutating func hosts(_ hosts: HostSelector) -> HostSelector {
    switch hosts {
    case .one(let index): json.member("host", names.name(ofHost: index))
    case .all: json.member("host", "*")
    }
    return hosts
  }

  mutating func device(_ device: Device) -> Device {
    names.write(device, to: &json)
    return device
  }
}

/// A reader of the parts of a report.
private struct ReportParts: MessageReader {
  typealias Call = UInt32

  let element: AnswerFields
  let value: JSONValue
  let names: TransportNames

  func connection(_: ConnectionID) throws(AnswerError) -> ConnectionID {
    try names.connection(try AnswerFields(value))
  }

  func call(_: UInt32) throws(AnswerError) -> UInt32 {
    UInt32(truncatingIfNeeded: try names.call(try AnswerFields(value)))
  }

  func only(_ keyword: String, entry: UInt32) throws(AnswerError) -> UInt32 {
    try names.fault(keyword, element)
  }
}
