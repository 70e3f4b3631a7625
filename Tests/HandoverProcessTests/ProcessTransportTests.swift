import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverProcess

/// Transports behind the protocol, from both sides.
@Suite("A transport in another process")
struct ProcessTransportTests {
  private static let hello =
    #"{"version":1,"name":"odd","role":"transport","time":"virtual","capabilities":[]}"#

  private static let scenario = """
    {"format": 1, "id": "one-call", "profiles": ["sockets"], "initial": {"flags": 2},
    "hosts": {"a:1": {}}, "timeline": [{"at": "0s", "call": {"id": "c", "host": "a:1"}}]}
    """

  private static func scenario(_ text: String = scenario) throws -> Scenario {
    try #require(ScenarioReader.read(file: "s.json", bytes: Array(text.utf8)).scenario)
  }

  /// Returns a process that answers `open` and the close with no reports, and the first event with
  /// the given ones.
  private static func reporting(_ out: String) -> String {
    let opened = #"{"seq":1,"out":[]}"#
    let answered = #"{"seq":2,"out":[\#(out)]}"#
    let closed = #"{"seq":3,"out":[]}"#
    let lines = [hello, opened, answered, closed].map { "read line; echo '\\''\($0)'\\''; " }
    return "sh -c '\(lines.joined())read line'"
  }

  private static func backend(_ command: String) throws -> SimulatedBackend {
    let backend = try ProcessBackend(command, timeout: .seconds(60))
    guard case .transports(let transports) = backend else {
      throw BackendError(.cannotStart, "it is no transport")
    }
    return SimulatedBackend(over: transports)
  }

  @Test(
    "An impossible report is an ERROR with the line",
    arguments: [
      (#"{"connected":{"connection":2}}"#, "there is no connection 2"),
      (
        #"{"connected":{"connection":1}},{"connected":{"connection":1}}"#,
        "connection 1 is established"
      ),
      (#"{"received":{"call":"c","status":"OK"}}"#, "call \"c\" was never sent"),
    ])
  func misuse(_ out: String, _ words: String) throws {
    var worker = Worker(try Self.backend(Self.reporting(out)))
    let result = try #require(worker.run(try Self.scenario()).cases.first)
    #expect(result.verdict == .error)
    let seen = result.findings.first?.seen ?? ""
    #expect(seen.contains("its answer is invalid: \(words); asked: {\"cmd\":\"event\""), "\(seen)")
  }

  @Test("A transport can skip a run when it is opened, and not later")
  func skipped() throws {
    for (answer, verdict) in [(1, Verdict.unsupported), (2, .error)] {
      let command = Self.reporting("").replacing(
        #"{"seq":\#(answer),"out":[]}"#, with: #"{"seq":\#(answer),"skipped":"why not"}"#)
      var worker = Worker(try Self.backend(command))
      let result = try #require(worker.run(try Self.scenario()).cases.first)
      #expect(result.verdict == verdict)
      let words = answer == 1 ? "why not" : "a run can be skipped only in the answer to \"open\""
      #expect(result.findings.first?.seen.contains(words) == true, "\(result.findings)")
    }
  }

  @Test("A transport whose deadline is always in the past is an ERROR")
  func sleepless() throws {
    let command =
      "sh -c 'read line; echo '\\''\(Self.hello)'\\''; n=0; while read line; do n=$((n+1)); "
      + #"echo "{\"seq\":$n,\"out\":[],\"deadline\":0}"; done'"#
    var worker = Worker(try Self.backend(command))
    let result = try #require(worker.run(try Self.scenario()).cases.first)
    #expect(result.verdict == .error)
    #expect(result.findings.first?.seen.contains(Self.idle) == true, "\(result.findings)")
  }

  private static let idle =
    "1000 times in a row it did nothing at 0s and requested a deadline that was not later"

  @Test(
    "The deadline that is always in the past may be any of them",
    arguments: [#""deadline":null,"pressing":0"#, #""deadline":9,"pressing":0"#])
  func pressing(_ deadlines: String) throws {
    let command =
      "sh -c 'read line; echo '\\''\(Self.hello)'\\''; n=0; while read line; do n=$((n+1)); "
      + "echo \"{\\\"seq\\\":$n,\\\"out\\\":[],"
      + deadlines.replacing("\"", with: "\\\"") + "}\"; done'"
    let (process, hello) = try BackendProgram(command: command, timeout: .seconds(60)).start()
    let transport = ProcessTransport(process, hello) { () throws(BackendError) in process }
    try transport.open(try Self.scenario().script, profile: .sockets)
    let error = #expect(throws: BackendError.self) {
      var reports: [TransportReport] = []
      for _ in 0...IdleAdvances.maximum {
        try transport.send(.timeElapsed, at: .zero, into: &reports)
      }
    }
    #expect(error?.message.contains(Self.idle) == true, "\(error?.message ?? "")")
  }

  @Test("A transport is checked like the network that it represents")
  func judged() throws {
    let refused = #"{"connectFailed":{"connection":1,"reason":"refused"}}"#
    var worker = Worker(try Self.backend(Self.reporting(refused)))
    let text = Self.scenario.dropLast() + #","expect":[{"call":"c","status":"UNAVAILABLE"}]}"#
    let result = try #require(worker.run(try Self.scenario(String(text))).cases.first)
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result.verdict == .passed)
  }

  @Test(
    "A capability that a transport does not declare is not used",
    arguments: [
      (#"{"at": "1s", "server": {"host": "a:1", "do": "reset"}}"#, "servers"),
      (#"{"at": "1s", "names": {"host": "a:1", "do": "fail"}}"#, "names"),
      (#"{"at": "1s", "transport": {"host": "*", "become": "kill"}}"#, "faults"),
      (#"{"at": "1s", "app": "background"}"#, "background"),
      (#"{"at": "1s", "device": "sleep"}"#, "background"),
      (#"{"at": "1s", "call": {"id": "d", "host": "a:1", "kind": "bidi"}}"#, "streaming"),
    ])
  func undeclared(_ entry: String, _ capability: String) throws {
    let text = Self.scenario.replacing("}}]", with: "}}, \(entry)]")
    let script = try Self.scenario(text).script
    let hello = try BackendHello(Array(Self.hello.utf8))
    #expect(
      hello.obstacle(script, .sockets)
        == "it does not declare \"\(capability)\", which the scenario needs")
    #expect(hello.obstacle(script, .urlLoading) != nil)
  }

  @Test("Capabilities of the client are not required of a transport")
  func clientsOwn() throws {
    let text = Self.scenario.replacing(
      #""id": "c","#, with: #""id": "c", "options": {"token": "1s", "compression": "gzip"},"#)
    let hello = try BackendHello(Array(Self.hello.utf8))
    #expect(hello.obstacle(try Self.scenario(text).script, .sockets) == nil)
  }

  @Test("If a transport does not report effects of faults, all faults count as effective")
  func effects() throws {
    let (process, hello) = try BackendProgram(
      command: Self.reporting(""), timeout: .seconds(60)
    ).start()
    let transport = ProcessTransport(process, hello) { () throws(BackendError) in process }
    var script = try Self.scenario().script
    script.entries.append(ScriptEntry(at: .zero, action: .server(0, .reset)))
    try transport.open(script, profile: .sockets)
    var reports: [TransportReport] = []
    try transport.send(.server(host: 0, .reset, entry: 1), at: .zero, into: &reports)
    #expect(reports == [.tookEffect(entry: 1)])
  }

  @Test("The effects of faults are checked with a fault that the transport declares")
  func effectsInCheck() {
    let hello = Self.hello.replacing("[]", with: #"["names","effects"]"#)
    let command =
      "sh -c 'read line; echo '\\''\(hello)'\\''; n=0; f=; while read line; do n=$((n+1)); o=; "
      + #"case $line in *"\"event\":{\"names\""*) f=1;; *"\"event\":{\"connect\""*) "#
      + #"test -n "$f" && o="{\"tookEffect\":0}";; esac; echo "{\"seq\":$n,\"out\":[$o]}"; done'"#
    var check = AdapterCheck(command, timeout: .seconds(60))
    check.run()
    let effects = check.findings.first { $0.rule.contains("which faults had an effect") }
    #expect(effects != nil && effects?.problem == nil, "\(check.findings)")
  }

  @Test("The built-in transport answers line by line")
  func served() {
    var server = TransportServer(SimulatedTransport(), name: "built-in")
    let answers = [
      #"{"cmd":"start","version":1}"#,
      #"{"cmd":"event","seq":1,"now":0,"event":{"ping":{"connection":1}}}"#,
      #"{"cmd":"open","seq":1,"now":0,"scenario":"s","profile":"sockets","config":"#
        + #"{"tcpTimeout":1,"sendBuffer":1,"cfstream":"iomgr"},"hosts":[{"host":"a:1","#
        + #""connect":50,"server":"accept","names":"resolve"}],"initial":"#
        + #"{"flags":["Reachable"],"path":"wifi","alive":[],"app":"foreground"}}"#,
      #"{"cmd":"event","seq":2,"now":0,"event":{"connect":{"connection":1,"host":"b:1"}}}"#,
      #"{"cmd":"event","seq":3,"now":0,"event":{"connect":{"connection":1,"host":"a:1"}}}"#,
      #"{"cmd":"advance","seq":4,"now":50}"#, #"{"cmd":"stop"}"#,
    ].map { String(decoding: server.answer(to: Array($0.utf8)), as: UTF8.self) }
    #expect(answers[0].contains(#""name":"built-in","role":"transport""#))
    #expect(answers[1].contains("no run is open"))
    let nothing = #""deadline":null,"pressing":null,"answersPings":true}"# + "\n"
    #expect(answers[2] == #"{"seq":1,"out":[],"# + nothing)
    #expect(answers[3].contains(#"there is no host \"b:1\""#))
    #expect(answers[4].contains(#""deadline":50,"pressing":50"#))
    #expect(answers[5] == #"{"seq":4,"out":[{"connected":{"connection":1}}],"# + nothing)
    #expect(answers[6].isEmpty)
  }
}
