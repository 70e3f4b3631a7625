import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverProcess

/// The events for an external transport, and the reports that are refused.
@Suite("Reports of the protocol")
struct TransportNamesTests {
  private static let first = ConnectionID(index: 0, generation: 0)
  private static let second = ConnectionID(index: 0, generation: 1)

  private static var script: Script {
    var script = Script()
    script.hosts = [ScriptHost(written: "https://a.example/")]
    script.calls = [ScriptCall(id: "c", host: 0, kind: .unary, takes: nil)]
    script.entries = [
      ScriptEntry(at: .zero, action: .startCall(0)),
      ScriptEntry(at: .zero, action: .server(0, .reset)),
    ]
    return script
  }

  private static let answer = ServerAnswer(kind: .unary, takes: .milliseconds(10), every: nil)

  /// Returns the names after a connect order and some further events.
  private static func names(after facts: TransportFact...) -> TransportNames {
    var names = TransportNames(script)
    names.note(.connect(first, host: 0))
    for fact in facts { names.note(fact) }
    return names
  }

  private static func element(_ text: String) throws -> AnswerFields {
    try AnswerFields(line: Array(text.utf8))
  }

  @Test("Every report of a connection and its call is accepted, in order")
  func whole() throws {
    var names = Self.names(
      after: .send(Self.first, call: 0, Self.answer), .ping(Self.first))
    let reports = try [
      #"{"moved":{"connection":1}}"#, #"{"connected":{"connection":1}}"#,
      #"{"stalled":{"connection":1}}"#,
      #"{"bufferFull":{"connection":1}}"#, #"{"resumed":{"connection":1}}"#,
      #"{"read":{"call":"c"}}"#, #"{"read":{"call":"c","messages":2}}"#,
      #"{"received":{"connection":1,"pong":true}}"#,
      #"{"received":{"call":"c","message":true}}"#, #"{"received":{"call":"c","status":"OK"}}"#,
      #"{"draining":{"connection":1}}"#, #"{"tookEffect":1}"#,
      #"{"broken":{"connection":1,"reason":"reset"}}"#,
    ].map { try names.report(try Self.element($0)) }
    #expect(
      reports == [
        .moved(Self.first), .connected(Self.first), .stalled(Self.first),
        .sendBufferFull(Self.first),
        .resumed(Self.first), .readRequest(call: 0), .readMessages(call: 0, count: 2),
        .pong(Self.first), .message(call: 0), .ended(call: 0, .ok), .draining(Self.first),
        .tookEffect(entry: 1), .broken(Self.first, .reset),
      ])
  }

  @Test("A reused row of the client's table is a different connection")
  func reused() throws {
    var names = Self.names(after: .close(Self.first), .connect(Self.second, host: 0))
    let report = try names.report(
      Self.element(#"{"connectFailed":{"connection":2,"reason":"refused"}}"#))
    #expect(report == .connectFailed(Self.second, .refused))
  }

  @Test(
    "An impossible report is refused with a message",
    arguments: [
      (#"{}"#, "an element of \"out\" is empty"),
      (#"{"dance":{}}"#, "unknown report \"dance\""),
      (#"{"connected":{"connection":2}}"#, "there is no connection 2"),
      (#"{"connected":{"connection":0}}"#, "there is no connection 0"),
      (#"{"broken":{"connection":1,"reason":"reset"}}"#, "connection 1 is not established"),
      (#"{"connectFailed":{"connection":1,"reason":"tired"}}"#, "unknown reason \"tired\""),
      (#"{"received":{"call":"c","status":"OK"}}"#, "call \"c\" was never sent"),
      (#"{"received":{"call":"d","status":"OK"}}"#, "call \"d\" was never sent"),
      (#"{"received":{"connection":1,"pong":true}}"#, "connection 1 is not established"),
      (#"{"tookEffect":0}"#, "entry 0 is not a fault"),
      (#"{"tookEffect":2}"#, "entry 2 is not a fault"),
    ])
  func refused(_ report: String, _ words: String) {
    var names = Self.names()
    let error = #expect(throws: AnswerError.self) { try names.report(Self.element(report)) }
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
  }

  @Test(
    "A report about a finished call or connection is refused",
    arguments: [
      (#"{"connected":{"connection":1}}"#, "connection 1 is established"),
      (#"{"received":{"connection":1,"pong":true}}"#, "connection 1 has no ping to answer"),
      (#"{"received":{"call":"c","message":true}}"#, "the server has ended call \"c\""),
      (#"{"received":{"call":"c","status":"OK"}}"#, "the server has ended call \"c\""),
    ])
  func over(_ report: String, _ words: String) throws {
    var names = Self.names(after: .send(Self.first, call: 0, Self.answer))
    _ = try names.report(Self.element(#"{"connected":{"connection":1}}"#))
    _ = try names.report(Self.element(#"{"received":{"call":"c","status":"OK"}}"#))
    let error = #expect(throws: AnswerError.self) { try names.report(Self.element(report)) }
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
  }

  @Test("A report about a connection that the client has closed, or after the run, is refused")
  func closed() throws {
    let connected = try Self.element(#"{"connected":{"connection":1}}"#)
    var names = Self.names(after: .close(Self.first))
    let error = #expect(throws: AnswerError.self) { try names.report(connected) }
    #expect(error?.reason == "connection 1 was closed by the client")
    names = Self.names(after: .closed)
    #expect(throws: AnswerError.self) { try names.report(connected) }
  }

  @Test(
    "A connection that has ended does not stall, resume or fill its buffer",
    arguments: ["stalled", "resumed", "bufferFull"])
  func ended(_ keyword: String) throws {
    let report = try Self.element(#"{"\#(keyword)":{"connection":1}}"#)
    var names = Self.names()
    _ = try names.report(report)
    _ = try names.report(Self.element(#"{"connected":{"connection":1}}"#))
    _ = try names.report(report)
    var error: AnswerError?
    _ = try names.report(Self.element(#"{"broken":{"connection":1,"reason":"reset"}}"#))
    error = #expect(throws: AnswerError.self) { try names.report(report) }
    #expect(error?.reason == "connection 1 is broken")
    names = Self.names(after: .close(Self.first))
    error = #expect(throws: AnswerError.self) { try names.report(report) }
    #expect(error?.reason == "connection 1 was closed by the client")
  }

  @Test("Hosts are named as in the pool, and paths by their names")
  func facts() {
    let names = Self.names()
    func text(_ fact: TransportFact) -> String {
      var json = JSONText()
      names.write(fact, to: &json)
      return String(decoding: json.bytes, as: UTF8.self)
    }
    #expect(
      text(.connect(Self.first, host: 0)) == #""connect":{"connection":1,"host":"a.example:443"}"#)
    #expect(
      text(.send(Self.first, call: 0, Self.answer))
        == #""send":{"connection":1,"call":"c","kind":"unary","takes":10000,"every":null}"#)
    #expect(
      text(.fault(.all, .stallAcked, entry: 7))
        == #""transport":{"host":"*","become":"stall-acked","entry":7}"#)
    let device = Device(
      flags: [.reachable], path: Script.wifiPath, keptAlive: [PathSet(Script.cellularPath)],
      app: .background)
    #expect(
      text(.device(device))
        == #""device":{"flags":["Reachable"],"path":"wifi","alive":["cellular"],"#
        + #""app":"background"}"#)
  }
}
