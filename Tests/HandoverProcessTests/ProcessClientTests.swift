import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverProcess

/// Processes that violate the protocol, each a line of shell.
@Suite("Protocol violations of a process")
struct ProcessClientTests {
  fileprivate static let hello =
    #"{"version":1,"name":"odd","role":"client","time":"virtual","capabilities":[]}"#
  private static let batchHello = hello.replacing("[]", with: #"["batch"]"#)

  /// Returns a process that sends its handshake and then runs a script.
  private static func after(_ script: String, hello: String = Self.hello) -> String {
    "sh -c 'read line; echo '\\''\(hello)'\\''; \(script)'"
  }

  fileprivate static let scenario = """
    {"format": 1, "id": "one-call", "profiles": ["sockets"], "initial": {"flags": 2},
    "hosts": {"a:1": {}}, "timeline": [{"at": "0s", "call": {"id": "c", "host": "a:1"}}]}
    """
  private static let twoCalls = scenario.replacing(
    "}}]}", with: #"}}, {"at": "0s", "call": {"id": "d", "host": "a:1"}}]}"#)

  struct Breakage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: String
    var words: String
    var hello = ProcessClientTests.hello
    var scenario = ProcessClientTests.scenario
    /// Whether the process does not answer, so that the time limit expires.
    var isSilent = false
  }

  static let breakages = [
    Breakage(
      testDescription: "no answer", script: "sleep 600", words: "it did not answer within TIME ms",
      isSilent: true),
    Breakage(testDescription: "an exit", script: "exit 7", words: "it exited with status 7"),
    Breakage(
      testDescription: "an answer without a line feed", script: "read line; printf 1; sleep 600",
      words: "within TIME ms; its last output has no line feed: 1", isSilent: true),
    Breakage(
      testDescription: "an exit after a long log",
      script: "exec >&-; head -c 300000 /dev/zero | tr \"\\\\0\" x >&2; exit 7",
      words: "it exited with status 7"),
    Breakage(
      testDescription: "half an answer and an exit", script: "read line; printf half; exit 7",
      words: "status 7; its last output has no line feed: half"),
    Breakage(
      testDescription: "a line that is no JSON", script: "read line; echo hello; read line",
      words: "its answer is invalid: it is not JSON"),
    Breakage(
      testDescription: "a line that is too long",
      script: "read line; head -c 1200000 /dev/zero | tr \"\\\\0\" x; read line",
      words: "it sent a line of more than 1048576 bytes"),
    Breakage(
      testDescription: "a line that is too long by one byte",
      script: "read line; printf \"%01048577d\\n\" 1; read line",
      words: "it sent a line of more than 1048576 bytes"),
    Breakage(
      testDescription: "another seq",
      script: "read line; echo \"{\\\"seq\\\":9,\\\"out\\\":[]}\"; read line",
      words: "\"seq\" is 9, and the command had 1"),
    Breakage(
      testDescription: "a line without a command",
      script: "read line; printf \"{\\\"seq\\\":1,\\\"out\\\":[]}\\nmore\\n\"; read line",
      words: "it sent a line without a command: more"),
    Breakage(
      testDescription: "neither of the three",
      script: "read line; echo \"{\\\"seq\\\":1}\"; read line",
      words: "the answer must have exactly one of the keys \"out\", \"skipped\" and \"error\""),
    Breakage(
      testDescription: "a run that is skipped in the middle",
      script: "read line; echo \"{\\\"seq\\\":1,\\\"out\\\":[]}\"; read line; "
        + #"echo "{\"seq\":2,\"skipped\":\"no\"}"; read line"#,
      words: "its answer is invalid: a run can be skipped only in the answer to \"open\""),
    Breakage(
      testDescription: "a deadline that is always over",
      script: "n=0; while read line; do n=$((n+1)); "
        + #"echo "{\"seq\":$n,\"out\":[],\"deadline\":0}"; done"#,
      words: "1000 times in a row it did nothing at 0s and requested a deadline that was not "
        + "later"),
    Breakage(
      testDescription: "fewer answers to a batch than events",
      script: "read line; echo \"{\\\"seq\\\":1,\\\"out\\\":[]}\"; read line; "
        + #"echo "{\"answers\":[{\"seq\":2,\"out\":[]}]}"; read line"#,
      words: "2 events were sent, and it answers 1", hello: batchHello, scenario: twoCalls),
    Breakage(
      testDescription: "a batch answered out of order",
      script: "read line; echo \"{\\\"seq\\\":1,\\\"out\\\":[]}\"; read line; "
        + #"echo "{\"answers\":[{\"seq\":3,\"out\":[]},{\"seq\":2,\"out\":[]}]}"; read line"#,
      words: "\"seq\" is 3, and the command had 2", hello: batchHello, scenario: twoCalls),
    Breakage(
      testDescription: "an error, with its log",
      script: "read line; echo trouble >&2; "
        + #"echo "{\"seq\":1,\"error\":\"no\"}"; read line"#,
      words: "the backend reports: no"),
  ]

  @Test("A violation is an ERROR with its reason, and the next run works", arguments: breakages)
  func breakage(_ breakage: Breakage) throws {
    // On a busy machine a process may need longer to start than its limit for an answer.
    let patience: [Int64] = breakage.isSilent ? [1, 8, 60] : [60]
    for seconds in patience {
      let found = try? self.found(breakage, timeout: .seconds(seconds))
      let words = breakage.words.replacing("TIME", with: "\(seconds * 1_000)")
      let isRight = found?.map { $0.contains(words) } == [true, true]
      if isRight { return }
      #expect(seconds < 60, "\(found ?? [])")
    }
  }

  /// Returns the findings of two runs, each of which is an ERROR.
  private func found(_ breakage: Breakage, timeout: Interval) throws -> [String] {
    let clients = try ProcessClientFactory(
      Self.after(breakage.script, hello: breakage.hello), timeout: timeout)
    #expect(clients.description.name == "odd")
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(breakage.scenario.utf8))
    let scenario = try #require(reading.scenario)
    var worker = Worker(SimulatedBackend(of: clients))
    return try (0..<2).map { _ in
      let result = try #require(worker.run(scenario).cases.first)
      #expect(result.verdict == .error)
      return result.findings.first?.seen ?? ""
    }
  }

  @Test("A process can write more than a pipe holds before it exits", arguments: ["", ">&2"])
  func longFarewell(_ redirection: String) throws {
    let process = try BackendProcess(
      "sh -c 'read line; head -c 300000 /dev/zero \(redirection)'", timeout: 60_000_000)
    #expect(process.stop(within: .max) == nil)
  }

  @Test(
    "A check rejects an answer to an event that a run would reject",
    arguments: [
      (#""skipped":"no""#, "a run can be skipped only in the answer"),
      (#""out":[],"skipped":"no""#, #"of the keys "out", "skipped" and "error""#),
      (#""out":"nothing""#, #""out" must be an array"#),
      (#""out":[1]"#, "expected an object"),
      (#""out":[{"nonsense":1}]"#, #"unknown element "nonsense" of "out""#),
      (#""digest":"1""#, #""digest" was not requested"#),
    ])
  func wrongInCheck(_ members: String, _ words: String) {
    let answer = members.replacing("\"", with: #"\""#)
    let command = Self.after(
      "n=0; while read line; do n=$((n+1)); d=\"\\\"out\\\":[]\"; "
        + "test $n -gt 1 && d=\"\(answer)\"; " + #"echo "{\"seq\":$n,$d}"; done"#)
    var check = AdapterCheck(command, timeout: .seconds(60))
    check.run()
    let events = check.findings.first { $0.rule.contains("answers each event once") }
    #expect(events?.problem?.contains(words) == true, "\(events?.problem ?? "")")
  }

  @Test(
    "A check of several runs increases the numbers, and compares everything else",
    arguments: [("0", nil), ("$n", "the second run gave different answers")])
  func severalRunsInCheck(_ deadline: String, _ problem: String?) {
    let answer = #"{\"seq\":$n,\"out\":[],\"deadline\":"# + deadline + "}"
    let command = Self.after(
      "n=0; while read line; do n=$((n+1)); case $line in "
        + #"*"\"seq\":$n,"*) echo "\#(answer)";; *) echo "{\"error\":\"no\"}";; esac; done"#)
    var check = AdapterCheck(command, timeout: .seconds(60))
    check.run()
    let runs = check.findings.first { $0.rule.contains("several runs without a restart") }
    #expect(runs != nil && runs?.problem == problem, "\(check.findings)")
  }

  @Test(
    "A message does not contain a string as long as a line", arguments: ["error", "skipped"],
    ["x", "\u{301}"] as [Unicode.Scalar])
  func longText(_ member: String, of character: Unicode.Scalar) throws {
    let clients = try ProcessClientFactory(
      Self.after(
        #"read line; printf "{\"seq\":1,\"\#(member)\":\""; "#
          + #"head -c 250000 /dev/zero | tr "\\0" x | sed s/x/\#(character)/g; echo "\"}"; "#
          + "read line"),
      timeout: .seconds(60))
    let client = try clients.makeClient()
    let error = #expect(throws: BackendError.self) {
      try client.open(Script(), profile: .sockets, endpoints: [])
    }
    // A combining mark on a combining mark is not a separate character.
    let message = (error?.message ?? "").unicodeScalars
    let shown = message.count { $0 == character }
    #expect((900...1_500).contains(shown) && message.count < 2_000, "\(shown), \(message.count)")
  }

  @Test("A string is cut after 1000 Unicode scalars, whatever their size")
  func cut() {
    let longest = String(repeating: "é", count: 1_000)
    #expect(AnswerError.cut(longest) == longest)
    #expect(AnswerError.cut(longest + "é") == longest + "...")
  }

  @Test("A log is shown with the failure")
  func log() throws {
    let clients = try ProcessClientFactory(
      Self.after("read line; echo trouble >&2; exit 3"), timeout: .seconds(60))
    let client = try clients.makeClient()
    let error = #expect(throws: BackendError.self) {
      try client.open(Script(), profile: .sockets, endpoints: [])
    }
    #expect(error?.message.contains("it exited with status 3; last log lines: trouble") == true)
  }

  @Test("A log is attached to a failed case, and to no other")
  func attachedLog() throws {
    // Each run has three lines, and every call ends as soon as it is started.
    let ended = #"{\"ended\":{\"call\":\"c\",\"status\":\"UNAVAILABLE\"}}"#
    let clients = try ProcessClientFactory(
      Self.after(
        "n=0; while read line; do n=$((n+1)); echo note $n >&2; "
          + #"e=""; test $((n%3)) = 2 && e="\#(ended)"; "#
          + #"echo "{\"seq\":$n,\"out\":[$e]}"; done"#), timeout: .seconds(60))
    let failing = Self.scenario.replacing(
      #""timeline""#, with: #""expect": [{"call": "c", "status": "OK"}], "timeline""#)
    var worker = Worker(SimulatedBackend(of: clients))
    // The log of a run starts with the run.
    for (text, notes) in [(failing, [1, 2, 3]), (Self.scenario, []), (failing, [7, 8, 9])] {
      let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
      let scenario = try #require(reading.scenario)
      let result = try #require(worker.run(scenario).cases.first)
      #expect(result.verdict == (notes.isEmpty ? .passed : .failed))
      #expect(result.log == notes.map { "note \($0)\n" }.joined())
    }
  }

  @Test(
    "Without a handshake there is no backend",
    arguments: [
      ("true", "it exited with status 0"),
      ("no-such-program-anywhere", "it exited with status 127"),
      (#"echo '{"version":2,"name":"a","role":"client","time":"virtual"}'"#, "version is 2"),
      (#"echo '{"version":1,"name":"a","role":"transport","time":"virtual"}'"#, "\"transport\""),
      (#"echo '{"version":1,"name":"a","role":"client","time":"real"}'"#, "\"real\""),
      (#"echo '{"version":1,"role":"client","time":"virtual"}'"#, "\"name\" is missing"),
      ("echo '[]'", "expected an object"),
    ])
  func noHello(_ command: String, _ words: String) {
    let error = #expect(throws: BackendError.self) {
      try ProcessClientFactory(command, timeout: .seconds(60))
    }
    #expect(error?.code == .cannotStart)
    #expect(error?.message.contains(words) == true)
  }

  @Test(
    "A capability that is not declared is never used",
    arguments: [
      (#""kind": "bidi""#, #""streaming""#),
      (#""kind": "streaming""#, #""streaming" or "half-duplex""#),
      (#""kind": "client-streaming""#, #""streaming" or "half-duplex""#),
      (#""options": {"token": "1s"}"#, #""tokens""#),
      (#""options": {"keepaliveInterval": "1s"}"#, #""keepalive""#),
      (#""options": {"compression": "gzip"}"#, #""options""#),
    ])
  func undeclared(_ part: String, _ capability: String) throws {
    let text = Self.scenario.replacing(#""id": "c","#, with: #""id": "c", \#(part),"#)
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario)
    let hello = try BackendHello(Array(Self.hello.utf8))
    let reason = hello.obstacle(scenario.script, .sockets)
    #expect(reason == "it does not declare \(capability), which the scenario needs")
    #expect(hello.obstacle(scenario.script, .urlLoading) != nil)
  }

  @Test(
    "A half-duplex client gets only streams in one direction at a time",
    arguments: ["unary", "streaming", "client-streaming", "bidi"])
  func halfDuplex(_ kind: String) throws {
    let text = Self.scenario.replacing(#""id": "c","#, with: #""id": "c", "kind": "\#(kind)","#)
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let script = try #require(reading.scenario).script
    for capability in ["half-duplex", "streaming"] {
      let hello = try BackendHello(
        Array(Self.hello.replacing("[]", with: "[\"\(capability)\"]").utf8))
      let isRefused = hello.obstacle(script, .sockets) != nil
      #expect(isRefused == (kind == "bidi" && capability == "half-duplex"))
    }
  }

  @Test(
    "Notifying calls first requires a capability, and a random order does not",
    arguments: [
      (#"["calls"]"#, "[]", "it does not declare \"observers\", which the scenario needs"),
      (#"["calls"]"#, #"["observers"]"#, nil), (#""drawn""#, "[]", nil),
      (#"["pool", "deadlines"]"#, "[]", nil),
    ])
  func observers(_ order: String, _ capabilities: String, _ obstacle: String?) throws {
    let text = Self.scenario.replacing(
      #""timeline":"#, with: #""config": {"order": \#(order)}, "timeline":"#)
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let script = try #require(reading.scenario, "\(reading.diagnostics)").script
    let hello = Self.hello.replacing(
      #""capabilities":[]"#, with: #""capabilities":\#(capabilities)"#)
    #expect(try BackendHello(Array(hello.utf8)).obstacle(script, .sockets) == obstacle)
    var writer = CommandWriter()
    let line = String(decoding: writer.open(script, .sockets, seq: 1), as: UTF8.self)
    let observers = script.configuration.order.observers
    #expect(line.contains(#""observers":"\#(observers.rawValue)""#) == (observers != .pool))
    #expect(line.contains(#""observers""#) == (observers != .pool))
  }
}
