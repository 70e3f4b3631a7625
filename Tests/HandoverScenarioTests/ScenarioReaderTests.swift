import HandoverCore
import HandoverScenario
import Testing

@Suite("The scenario reader")
struct ScenarioReaderTests {
  static func seconds(_ count: Int64) -> Instant { Instant(microseconds: count * 1_000_000) }

  @Test(
    "Flags are read in each notation",
    arguments: [
      #"["Reachable", "IsWWAN"]"#, #"{"Reachable": 1, "IsWWAN": true}"#,
      #"{"Reachable": true, "IsWWAN": 1, "IsDirect": 0, "ConnectionRequired": false, "x-n": 2}"#,
      #""WR -------""#, "262146",
    ])
  func flags(notation: String) throws {
    let scenario = try Sample.scenario(
      Sample.text(
        timeline: "{\"at\": \"1s\", \"flags\": \(notation)}",
        initial: "{\"flags\": \(notation)}"))
    #expect(scenario.script.initial.flags == [.reachable, .isWWAN])
    #expect(
      scenario.script.entries.map(\.action) == [
        .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: [])
      ])
  }

  @Test("All nine flags are read by name and by letter")
  func allFlags() throws {
    let names = ReachabilityFlags.names.map { "\"\($0.name)\"" }.joined(separator: ", ")
    for notation in ["[\(names)]", "\"WR tcCiDld\""] {
      let scenario = try Sample.scenario(Sample.text(initial: "{\"flags\": \(notation)}"))
      #expect(scenario.script.initial.flags == .all)
    }
  }

  @Test("No flags are an empty array, an empty object, dashes or zero")
  func noFlags() throws {
    for notation in ["[]", "{}", "\"-- -------\"", "0"] {
      let scenario = try Sample.scenario(Sample.text(initial: "{\"flags\": \(notation)}"))
      #expect(scenario.script.initial.flags == [])
    }
  }

  @Test("Relative times are added to the entry before")
  func relativeTimes() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        timeline: """
          {"at": "+1s", "app": "background"}, {"at": "3s", "app": "foreground"},
          {"at": "+0s", "path": "b"}, {"at": "+2s", "path": "wifi"}
          """))
    #expect(scenario.script.entries.map(\.at) == [1, 3, 3, 5].map(Self.seconds))
  }

  @Test("Calls that are named in alternation are distinguished, in any spelling")
  func callsInTurn() throws {
    let calls = ["c", "cc", "\u{E9}"].map {
      #"{"at": "0s", "call": {"id": "\#($0)", "host": "a:1"}}"#
    }
    let named = ["c", "cc", "c", #"\u0063"#, #"c\u0063"#, #"\u00e9"#, "e\u{301}", "cc", "cc", "c"]
    let entries = named.map { #"{"at": "0s", "cancel": "\#($0)"}"# }
    let scenario = try Sample.scenario(
      Sample.text(timeline: (calls + entries).joined(separator: ", ")))
    #expect(
      scenario.script.entries.dropFirst(3).map(\.action)
        == [0, 1, 0, 0, 1, 2, 2, 1, 1, 0].map(ScriptAction.cancel))
    let wrong = entries + [#"{"at": "0s", "cancel": ""}"#, #"{"at": "0s", "cancel": "cd"}"#]
    #expect(
      Sample.codes(Sample.text(timeline: (calls + wrong).joined(separator: ", ")))
        == [.emptyText, .unknownCall])
  }

  @Test("Every kind of entry is read")
  func entries() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        timeline: """
          {"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "bidi"}},
          {"at": "0s", "send": {"call": "c", "bytes": 100}}, {"at": "0s", "finish": "c"},
          {"at": "0s", "cancel": "c"}, {"at": "0s", "disconnect": "a:1"},
          {"at": "0s", "disconnect": "*"}, {"at": "0s", "server": {"host": "a:1", "do": "goaway"}},
          {"at": "0s", "names": {"host": "a:1", "do": "hang"}},
          {"at": "0s", "transport": {"host": "*", "become": "blackhole-connect"}},
          {"at": "0s", "monitor": {"do": "delay", "by": "2s"}}, {"at": "0s", "monitor": {"do": "miss"}},
          {"at": "0s", "path": "b"}, {"at": "0s", "app": "background"},
          {"at": "0s", "flags": [], "path": "d", "links": {"b": "up", "cellular": "down", "wifi": "up"}}
          """))
    let up = PathSet(PathIndex(2)).union(PathSet(Script.wifiPath))
    #expect(
      scenario.script.entries.map(\.action) == [
        .startCall(0), .send(0, bytes: 100), .finish(0), .cancel(0), .disconnect(.one(0)),
        .disconnect(.all), .server(0, .goaway), .names(0, .hang),
        .transport(.all, .blackholeConnect),
        .monitor(.delay, by: .seconds(2)), .monitor(.miss, by: .zero), .path(PathIndex(2)),
        .app(.background),
        .flags([], path: PathIndex(3), linksUp: up, linksDown: PathSet(Script.cellularPath)),
      ])
    #expect(scenario.script.paths == ["wifi", "cellular", "b", "d"])
  }

  @Test("A star means all hosts, even if a host has this name")
  func star() throws {
    let scenario = try Sample.scenario(
      """
      {"format": 1, "id": "a", "initial": {"flags": []}, "hosts": {"*": {}}, "timeline": [
        {"at": "0s", "call": {"id": "c", "host": "*"}}, {"at": "0s", "disconnect": "*"}]}
      """)
    #expect(scenario.script.entries.map(\.action) == [.startCall(0), .disconnect(.all)])
  }

  @Test(
    "Calls have the durations of their kinds",
    arguments: [
      ("", CallKind.unary, Interval.milliseconds(10)),
      (#", "kind": "streaming""#, .streaming, nil),
      (#", "kind": "client-streaming""#, .clientStreaming, .milliseconds(10)),
      (#", "kind": "bidi", "takes": "3s""#, .bidi, .seconds(3)),
    ] as [(String, CallKind, Interval?)])
  func callKinds(more: String, kind: CallKind, takes: Interval?) throws {
    let scenario = try Sample.scenario(
      Sample.text(timeline: #"{"at": "0s", "call": {"id": "c", "host": "a:1"\#(more)}}"#))
    #expect(scenario.script.calls == [ScriptCall(id: "c", host: 0, kind: kind, takes: takes)])
  }

  @Test("The options of a call are split into those of the channel key and others")
  func options() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        timeline: """
          {"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "streaming", "every": "1s",
            "deadline": "5s", "failFast": true, "options": {"transport": "quic", "channelID": 7,
            "retry": false, "connectMinTimeout": "0s", "keepaliveTimeout": "0s",
            "keepaliveInterval": "10s", "serverAuthority": "x", "flowControl": null,
            "token": "2s", "comment": {}, "x-mine": []}}}
          """))
    let call = ScriptCall(
      id: "c", host: 0, kind: .streaming, takes: nil, every: .seconds(1), deadline: .seconds(5),
      failFast: true,
      options: ChannelOptions(
        keepaliveInterval: .seconds(10), keepaliveTimeout: .zero,
        others: ["channelID=7", "retry=false", "transport=quic"]),
      tokenDelay: .seconds(2))
    #expect(scenario.script.calls == [call])
  }

  @Test("A host is found by every spelling of its normalized name")
  func hosts() throws {
    let scenario = try Sample.scenario(
      """
      {"format": 1, "id": "h", "initial": {"flags": 2}, "hosts": {
        "api.example": {"connect": "1ms", "server": "refuse", "names": "hang"}, "b:99999": {}},
       "timeline": [
        {"at": "0s", "call": {"id": "1", "host": "api.example:443"}},
        {"at": "0s", "call": {"id": "2", "host": "https://api.example/path"}},
        {"at": "0s", "call": {"id": "3", "host": "api.example"}},
        {"at": "0s", "call": {"id": "4", "host": "b:99999"}}]}
      """)
    #expect(scenario.script.calls.map(\.host) == [0, 0, 0, 1])
    #expect(
      scenario.script.hosts == [
        ScriptHost(
          written: "api.example", connect: .milliseconds(1), server: .refuse, names: .hang),
        ScriptHost(written: "b:99999"),
      ])
  }

  @Test("Every setting is read")
  func configuration() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        more: """
          "config": {"backoff": {"initial": "2s", "multiplier": 1.5, "jitter": 0.125, "max": "1min",
            "minConnectTimeout": "5s"}, "idle": "0s", "keepalive": {"time": "10s", "withoutCalls": true},
            "tcpTimeout": "1min", "sendBuffer": 1024, "monitor": {"latency": "3ms"},
            "cfstream": "event-engine", "seed": 18446744073709551615, "until": "1h"}
          """))
    var configuration = RunConfiguration()
    configuration.backoff = BackoffConfiguration(
      initial: .seconds(2), multiplier: Ratio(1_500, outOf: 1_000),
      jitter: Ratio(125, outOf: 1_000),
      maximum: .minutes(1), minimumConnectTimeout: .seconds(5))
    configuration.idle = .zero
    configuration.keepalive = KeepaliveConfiguration(time: .seconds(10), withoutCalls: true)
    configuration.tcpTimeout = .minutes(1)
    configuration.sendBuffer = 1_024
    configuration.cfstream = .eventEngine
    configuration.monitorLatency = .milliseconds(3)
    configuration.seed = .max
    configuration.until = Self.seconds(3_600)
    #expect(scenario.script.configuration == configuration)
  }

  @Test("Every part of the initial state is read")
  func initialState() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        initial: #"{"flags": 2, "app": "background", "path": "b", "monitor": "unreadable"}"#))
    #expect(scenario.script.initial.app == .background)
    #expect(scenario.script.initial.path == PathIndex(2))
    #expect(!scenario.script.initial.monitorIsReadable)
  }

  @Test("Every kind of expectation is read")
  func expectations() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        timeline: #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}, {"at": "1s", "path": "b"}"#,
        expect: """
          {"call": "c", "message": "m", "within": ["1s", "2s"], "level": "should"},
          {"call": "c", "before": "1s"}, {"call": "c", "after": "1s"},
          {"channels": {"host": "*", "alive": 1, "state": "READY"}, "at": "2s"},
          {"connections": {"host": "a:1", "attempts": 2, "open": 0, "path": "b"}},
          {"server": {"host": "*", "received": 3}},
          {"profiles": ["sockets-2017", "sockets-monitor"], "monitor": {"notifications": 0}},
          {"never": {"call": "c"}},
          {"never": {"channels": {"host": "a:1", "state": "SHUTDOWN"}}, "level": "should"}
          """))
    let bare = Expectation.Subject.call(0, status: nil, message: nil, channel: nil)
    #expect(
      scenario.expectations.map(\.subject) == [
        .call(0, status: nil, message: "m", channel: nil), bare, bare,
        .channels(.all, alive: 1, destroyed: nil, state: .ready),
        .connections(.one(0), attempts: 2, open: 0, path: PathIndex(2)),
        .server(.all, ServerExpectation(received: 3)), .monitor(notifications: 0), bare,
        .channels(.one(0), alive: nil, destroyed: nil, state: .shutdown),
      ])
    #expect(
      scenario.expectations.map(\.moment) == [
        .within(Self.seconds(1), Self.seconds(2)), .before(Self.seconds(1)),
        .after(Self.seconds(1)), .at(Self.seconds(2)), nil, nil, nil, nil, nil,
      ])
    #expect(
      scenario.expectations.map(\.isNever) == Array(repeating: false, count: 7) + [true, true])
    #expect(scenario.expectations.filter { $0.level == .should }.count == 2)
    #expect(scenario.expectations[6].profiles == [.socketsMonitor, .sockets2017])
  }

  @Test("Alternative ends of a call are read")
  func alternatives() throws {
    func read(_ expect: String) throws -> ScenarioReading {
      let timeline = #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#
      return ScenarioReader.read(
        file: "sample.json", bytes: Array(Sample.text(timeline: timeline, expect: expect).utf8))
    }
    let text = """
      {"call": "c", "level": "should", "anyOf": [{"status": "OK", "channel": "same"},
      {"before": "2s"}, {"message": "m", "within": ["1s", "3s"], "comment": "late"}]}
      """
    let expectation = try #require(try read(text).scenario?.expectations.first)
    #expect(expectation.subject == .call(0, status: .ok, message: nil, channel: .same))
    #expect(expectation.moment == nil)
    #expect(expectation.level == .should)
    let others: [Expectation.Ending] = [
      .init(status: nil, message: nil, channel: nil, moment: .before(Self.seconds(2))),
      .init(
        status: nil, message: "m", channel: nil,
        moment: .within(Self.seconds(1), Self.seconds(3))),
    ]
    #expect(expectation.alternatives == others)
    #expect(expectation.endings.count == 3)
    let tooMany = Array(repeating: #"{"status": "OK"}"#, count: 17).joined(separator: ",")
    let mistakes: [(String, DiagnosticCode)] = [
      (#"{"call": "c", "anyOf": []}"#, .emptyList),
      (#"{"call": "c", "anyOf": [{}]}"#, .nothingExpected),
      (#"{"call": "c", "anyOf": {}}"#, .wrongType),
      (#"{"call": "c", "anyOf": [{"at": "1s", "before": "2s"}]}"#, .severalTimes),
      (#"{"call": "c", "anyOf": [{"call": "c", "status": "OK"}]}"#, .keyOutOfPlace),
      (#"{"call": "c", "anyOf": [{"status": "OK", "level": "must"}]}"#, .keyOutOfPlace),
      (#"{"call": "c", "status": "OK", "anyOf": [{"at": "1s"}]}"#, .keyOutOfPlace),
      (#"{"call": "c", "at": "1s", "anyOf": [{"status": "OK"}]}"#, .keyOutOfPlace),
      (#"{"server": {"host": "*", "received": 1}, "anyOf": [{"at": "1s"}]}"#, .keyOutOfPlace),
      (#"{"never": {"call": "c"}, "anyOf": [{"at": "1s"}]}"#, .keyOutOfPlace),
      (#"{"never": {"call": "c", "anyOf": [{"at": "1s"}]}}"#, .keyOutOfPlace),
      (#"{"call": "c", "anyOf": [\#(tooMany)]}"#, .tooManyExpectations),
    ]
    for (text, code) in mistakes {
      #expect(try read(text).diagnostics.map(\.code) == [code], "\(text)")
    }
  }

  @Test("The requirements that an expectation covers are resolved by the scenario's sources")
  func shows() throws {
    let scenario = try Sample.scenario(
      Sample.text(
        expect: """
          {"never": {"server": {"host": "*", "received": 9}}, "shows": ["D2"]},
          {"server": {"host": "*", "received": 0}, "shows": ["D2", "D1"]},
          {"server": {"host": "*", "received": 0}}
          """,
        more: """
          "source": [{"document": "d", "item": "D1"}, {"document": "e", "item": "D2"}]
          """))
    #expect(scenario.expectations.map(\.shows) == [[1], [1, 0], []])
  }

  @Test("Requirements that are not sources, are named twice, or are inside never are refused")
  func wrongItems() {
    func codes(_ expectation: String) -> [DiagnosticCode] {
      let text = Sample.text(
        expect: expectation, more: #""source": [{"document": "d", "item": "D1"}]"#)
      return ScenarioReader.read(file: "f.json", bytes: Array(text.utf8)).diagnostics.map(\.code)
    }
    let subject = #""server": {"host": "*", "received": 0}"#
    #expect(codes("{\(subject), \"shows\": [\"D1\"]}") == [])
    #expect(codes("{\(subject), \"shows\": [\"D2\"]}") == [.unknownItem])
    #expect(codes("{\(subject), \"shows\": [\"D1\", \"D1\"]}") == [.duplicateItem])
    #expect(codes("{\(subject), \"shows\": []}") == [.emptyList])
    #expect(codes("{\(subject), \"shows\": \"D1\"}") == [.wrongType])
    #expect(codes("{\(subject), \"shows\": [1]}") == [.wrongType])
    #expect(codes("{\"never\": {\(subject), \"shows\": [\"D1\"]}}") == [.keyOutOfPlace])
  }

  @Test("Comments are allowed in every object")
  func freeKeys() throws {
    let remark = #""comment": [1], "x-1": {"a": null}"#
    _ = try Sample.scenario(
      """
      {\(remark), "format": 1, "id": "r", "initial": {"flags": {\(remark)}, \(remark)},
       "source": [{"document": "d", "item": "i", \(remark)}],
       "config": {\(remark), "backoff": {\(remark)}, "keepalive": {"time": "1s", \(remark)},
         "monitor": {\(remark)}},
       "hosts": {\(remark), "a": {\(remark)}},
       "timeline": [{"at": "0s", \(remark), "flags": [], "links": {\(remark)}},
         {"at": "0s", "call": {"id": "c", "host": "a", "options": {\(remark)}, \(remark)}}],
       "expect": [
         {\(remark), "never": {\(remark), "server": {\(remark), "host": "a", "received": 1}}}]}
      """)
  }

  @Test("All problems of a file are reported in one run, in the order of the file")
  func allProblems() {
    let reading = Sample.read(
      """
      {"format": 1, "id": "", "profiles": ["tcp"], "initial": {"flags": ["IsWAAN"]},
       "expect": [{"call": "z", "status": "okay"}],
       "hosts": {"a": {"server": "deny"}}, "config": {"seed": -1},
       "timeline": [{"at": "1"}, {"at": "2s", "app": "sleep"}], "more": 1}
      """)
    #expect(
      reading.diagnostics.map(\.code) == [
        .emptyText, .unknownProfile, .unknownFlag, .unknownCall, .unknownStatus, .unknownKeyword,
        .numberOutOfRange, .missingAction, .timeWithoutUnit, .unknownKeyword, .unknownKey,
      ])
    #expect(reading.diagnostics[2].pointer == "/initial/flags/0")
    #expect(reading.diagnostics[8].pointer == "/timeline/0/at")
    #expect(reading.diagnostics[10].position == TextPosition(line: 4, column: 59))
  }

  @Test("A misspelled required key is reported once, with the right one")
  func misspeltKey() {
    let reading = Sample.read(
      Sample.text(timeline: #"{"at": "0s", "call": {"id": "c", "hots": "a:1"}}"#))
    #expect(reading.diagnostics.map(\.code) == [.unknownKey])
    #expect(reading.diagnostics.first?.hint == "did you mean \"host\"?")
  }

  @Test(
    "The probably intended word is suggested",
    arguments: [
      (#"{"at": "1s", "flags": ["IsWAAN"]}"#, "IsWWAN"),
      (#"{"at": "1s", "ap": "background"}"#, "app"),
      (#"{"at": "1s", "app": "backround"}"#, "background"),
      (#"{"at": "1s", "transport": {"host": "*", "become": "stalled"}}"#, "stall"),
      (#"{"at": "1s", "transport": {"host": "*", "become": "halfclose"}}"#, "half-close"),
      (#"{"at": "1s", "server": {"host": "a:1", "do": "go-away"}}"#, "goaway"),
      (#"{"at": "1s", "monitor": {"do": "duplicte"}}"#, "duplicate"),
      (#"{"at": "1s", "names": {"host": "a:2", "do": "hang"}}"#, "a:1"),
      (
        #"{"at": "1s", "call": {"id": "c", "host": "a:1", "kind": "clientStreaming"}}"#,
        "client-streaming"
      ),
      (
        #"{"at": "1s", "call": {"id": "c", "host": "a:1", "options": {"compresion": 1}}}"#,
        "compression"
      ),
    ])
  func suggestions(entry: String, meant: String) {
    let hints = Sample.read(Sample.text(timeline: entry)).diagnostics.map(\.hint)
    #expect(hints.contains("did you mean \"\(meant)\"?"))
  }

  @Test(
    "A file that is not a scenario object is refused",
    arguments: ["null", "[]", "1", "\"scenario\"", "true"])
  func notAnObject(text: String) {
    #expect(Sample.codes(text) == [.wrongType])
  }

  @Test(
    "A different format number is the only problem that is reported",
    arguments: ["2", "0", "1.0", "\"1\"", "null", "-1", "99999999999999999999"])
  func otherFormat(format: String) {
    #expect(Sample.codes("{\"format\": \(format), \"any\": 1}") == [.unsupportedFormat])
  }

  @Test("Text of the file in messages is truncated and has no control characters")
  func excerpts() {
    let reading = Sample.read(
      Sample.text(more: "\"\(String(repeating: "k", count: 1_000))\\u0007\\u202e\": 1"))
    #expect(reading.diagnostics.first?.description.utf8.count ?? .max < 400)
    let bell = Sample.read(Sample.text(more: #""a\u0007\u202e": 1"#)).diagnostics.first
    #expect(bell?.message.contains("U+0007U+202E") == true)
  }
}
