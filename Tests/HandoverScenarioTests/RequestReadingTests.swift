import HandoverCore
import HandoverScenario
import Testing

@Suite("The request reader")
struct RequestReadingTests {
  /// Returns a scenario on the given profile, or on the dispatcher's.
  private static func text(
    _ timeline: String = "", expect: String = "", config: String = "",
    profiles: String = #""url-dispatcher""#
  ) -> String {
    Sample.text(
      timeline: timeline, expect: expect,
      more: "\"profiles\": [\(profiles)], \"config\": {\"requests\": {\(config)}}")
  }

  private static func request(_ members: String, id: String = "r") -> String {
    "{\"at\": \"0s\", \"request\": {\"id\": \"\(id)\", \"host\": \"a:1\"\(members)}}"
  }

  private static func settings(_ config: String) throws -> RequestConfiguration {
    try Sample.scenario(text(config: config)).script.configuration.requests
  }

  // MARK: Hosts

  /// Returns a scenario with a request to a host, and some declared hosts.
  private static func hosts(_ declared: [String], _ asked: String) -> String {
    let hosts = declared.map { "\"\($0)\": {}" }.joined(separator: ", ")
    return text("{\"at\": \"0s\", \"request\": {\"id\": \"r\", \"host\": \"\(asked)\"}}")
      .replacing(#""hosts": {"a:1": {}}"#, with: "\"hosts\": {\(hosts)}")
  }

  @Test(
    "A declared host is found in every spelling of its endpoint (U1 to U4)",
    arguments: [
      ("http://push.example/a", "push.example:80"), ("push.example:80", "ws://push.example/b"),
      ("push.example:80", "HTTP://Push.Example./c?d#e"), ("push.example", "wss://push.example"),
      ("https://push.example", "PUSH.example"), ("Push.Example.:80", "push.example:80"),
      ("push.example:443", "http://user@push.example:443/"), ("[::1]:80", "http://[::1]/"),
    ])
  func spellings(_ declared: String, _ asked: String) throws {
    let script = try Sample.scenario(Self.hosts(["b:1", declared], asked)).script
    #expect(script.requests.map(\.host) == [1])
  }

  @Test("http and https without a port are two endpoints, and the port may be written (U2, U3)")
  func ports() throws {
    let two = ["http://a.example", "https://a.example"]
    for (asked, index) in [("ws://a.example", 0), ("a.example", 1), ("http://a.example:443", 1)] {
      let script = try Sample.scenario(Self.hosts(two, asked)).script
      #expect(script.requests.map(\.host) == [index], "\(asked)")
    }
    let twice = ["http://a.example", "a.example:80"]
    #expect(Sample.codes(Self.hosts(twice, "a.example:80")) == [.duplicateHost])
    #expect(Sample.codes(Self.hosts(["http://a.example"], "https://a.example")) == [.unknownHost])
  }

  // MARK: Settings

  @Test("A preset sets the numbers of a version, and further settings override it")
  func presets() throws {
    #expect(try Self.settings("") == RequestConfiguration())
    for preset in ConnectionLimitsPreset.allCases {
      #expect(try Self.settings(#""preset": "\#(preset.rawValue)""#).limits == preset.limits)
    }
    #expect(
      try Self.settings(#""preset": "ios-6", "total": 9"#).limits
        == ConnectionLimits(total: 9, long: 3))
    #expect(
      try Self.settings(#""preset": "ios-6", "long": 0"#).limits
        == ConnectionLimits(total: 5, long: 0))
  }

  @Test("Without a preset a quarter of the total is reserved for short requests")
  func quarter() throws {
    #expect(try Self.settings("").limits == ConnectionLimits(total: 4, long: 3))
    #expect(try Self.settings(#""total": 1"#).limits == ConnectionLimits(total: 1, long: 0))
    #expect(try Self.settings(#""total": 6"#).limits == ConnectionLimits(total: 6, long: 4))
    #expect(
      try Self.settings(#""total": 6, "long": 6"#).limits == ConnectionLimits(total: 6, long: 6))
  }

  @Test("All other settings are read, and the platform's limit is the total")
  func otherSettings() throws {
    let requests = try Self.settings(
      #""platform": 2, "policy": "enqueue", "chargesWaiting": true, "keepAlive": "3s""#)
    #expect(requests.platformLimit == 2)
    #expect(requests.policy == .enqueue)
    #expect(requests.chargesWaiting)
    #expect(requests.keepAlive == .seconds(3))
    #expect(try Self.settings(#""total": 7"#).platformLimit == 7)
    #expect(try Self.settings(#""policy": "poll""#).policy == .poll(every: .seconds(1)))
    #expect(
      try Self.settings(#""policy": "poll", "poll": "2s""#).policy == .poll(every: .seconds(2)))
  }

  @Test("Threads have the times of the original or their own")
  func threads() throws {
    #expect(try Self.settings("").threads == nil)
    let usual = try #require(try Self.settings(#""threads": {}"#).threads)
    #expect(usual.idle == .seconds(10))
    #expect(usual.collect == .seconds(15))
    let own = try #require(
      try Self.settings(#""threads": {"idle": "0s", "collect": "1ms"}"#).threads)
    #expect(own.idle == .zero)
    #expect(own.collect == .milliseconds(1))
  }

  @Test(
    "Impossible thread settings are reported once",
    arguments: [
      (#""threads": {"collect": "0s"}"#, DiagnosticCode.timeNotPositive),
      (#""threads": {"idle": "-1s"}"#, .negativeTime),
      (#""threads": {"most": 3}"#, .unknownKey), (#""threads": true"#, .wrongType),
    ])
  func badThreads(config: String, code: DiagnosticCode) {
    let expectation = #"{"request": "r", "thread": 1}"#
    #expect(
      Sample.codes(Self.text(Self.request(""), expect: expectation, config: config)) == [code])
  }

  @Test("Expectations about threads require threads and a dispatcher")
  func noThreads() {
    let profiles = #""url-dispatcher", "url-loading""#
    for expectation in [
      #"{"request": "r", "thread": 1}"#, #"{"requests": {"host": "*", "threads": 0}}"#,
      #"{"requests": {"host": "*", "idleThreads": 0}}"#,
      #"{"requests": {"host": "*", "threadsMade": 0}}"#,
      #"{"never": {"requests": {"host": "*", "mostThreads": 5}}}"#,
    ] {
      func codes(_ profiles: String, _ config: String) -> [DiagnosticCode] {
        Sample.codes(
          Self.text(Self.request(""), expect: expectation, config: config, profiles: profiles))
      }
      #expect(codes(#""url-dispatcher""#, "") == [.noThreads], "\(expectation)")
      #expect(codes(#""url-dispatcher""#, #""threads": {}"#) == [])
      #expect(codes(profiles, #""threads": {}"#) == [.noDispatcher])
      #expect(
        codes(#""url-loading""#, #""threads": {}"#) == [.noDispatcher, .noDispatcher])
    }
  }

  @Test("A limit for long requests above the total is reported at its position")
  func longAboveTotal() {
    for config in [
      #""long": 5"#, #""preset": "1.7", "total": 1"#, #""total": 3, "long": 4"#,
    ] {
      #expect(Sample.codes(Self.text(config: config)) == [.longAboveTotal], "\(config)")
    }
    let command = #"{"at": "0s", "dispatcher": {"do": "limit", "long": 3}}"#
    #expect(Sample.codes(Self.text(command, config: #""total": 2"#)) == [.longAboveTotal])
    #expect(Sample.codes(Self.text(command)) == [])
  }

  @Test("The streams of a host are read")
  func streams() throws {
    let text = Self.text().replacing(#""a:1": {}"#, with: #""a:1": {"streams": 100}"#)
    #expect(try Sample.scenario(text).script.hosts.map(\.streams) == [100])
    #expect(try Sample.scenario(Self.text()).script.hosts.map(\.streams) == [nil])
  }

  // MARK: Entries

  @Test("A request has the defaults of its kind")
  func defaultRequests() throws {
    let kinds: [(word: String, kind: RequestKind, takes: Interval?)] = [
      ("short", .short, .milliseconds(10)), ("synchronous", .synchronous, .milliseconds(10)),
      ("long", .long, nil), ("websocket", .exempt, nil),
    ]
    for (word, kind, takes) in kinds {
      let script = try Sample.scenario(Self.text(Self.request(#", "kind": "\#(word)""#))).script
      #expect(script.requests == [ScriptRequest(id: "r", host: 0, kind: kind, takes: takes)])
      #expect(script.entries.map(\.action) == [.request(0)])
    }
    #expect(
      try Sample.scenario(Self.text(Self.request(""))).script.requests.map(\.kind) == [.short])
  }

  @Test("All settings of a request are read")
  func everyPart() throws {
    let script = try Sample.scenario(
      Self.text(
        Self.request(
          """
          , "kind": "long", "responds": "1s", "takes": "9s", "every": "2s", "timeout": "0s",
          "deadline": "8s", "policy": "poll", "poll": "3s", "pool": "p"
          """))
    ).script
    #expect(
      script.requests == [
        ScriptRequest(
          id: "r", host: 0, kind: .long, takes: .seconds(9), responds: .seconds(1),
          every: .seconds(2), timeout: .zero, deadline: .seconds(8),
          policy: .poll(every: .seconds(3)), pool: 1)
      ])
    #expect(script.pools == ["shared", "p"])
  }

  @Test("Queries and commands for dispatchers are read")
  func questions() throws {
    let script = try Sample.scenario(
      Self.text(
        """
        {"at": "0s", "ask": {"id": "q", "host": "a:1"}},
        {"at": "0s", "ask": {"id": "r", "host": "a:1", "kind": "short", "pool": "p"}},
        {"at": "0s", "ask": {"id": "s", "host": "a:1", "policy": "fail", "pool": "shared"}},
        {"at": "1s", "dispatcher": {"do": "limit", "long": 0, "pool": "p"}},
        {"at": "1s", "dispatcher": {"do": "close"}}
        """)
    ).script
    #expect(
      script.questions == [
        ScriptQuestion(id: "q", host: 0, kind: .long),
        ScriptQuestion(id: "r", host: 0, kind: .short, pool: 1),
        ScriptQuestion(id: "s", host: 0, kind: .long, policy: .fail),
      ])
    #expect(
      script.entries.map(\.action) == [
        .ask(0), .ask(1), .ask(2), .dispatcher(1, .setLongLimit(0)), .dispatcher(0, .close),
      ])
  }

  @Test("A cancel applies to a call or to a request")
  func cancels() throws {
    let cancel = #"{"at": "1s", "cancel": "r"}"#
    let ofRequest = try Sample.scenario(Self.text(Self.request("") + "," + cancel)).script
    #expect(ofRequest.entries.last?.action == .cancelRequest(0))
    let call = #"{"at": "0s", "call": {"id": "r", "host": "a:1"}}"#
    let ofCall = try Sample.scenario(Sample.text(timeline: call + "," + cancel)).script
    #expect(ofCall.entries.last?.action == .cancel(0))
  }

  @Test("Ids that are missing, duplicate or named too early are reported")
  func ids() {
    let request = Self.request("")
    let cancel = #"{"at": "0s", "cancel": "r"}"#
    #expect(Sample.codes(Self.text(cancel)) == [.unknownCall])
    #expect(Sample.codes(Self.text(cancel + "," + request)) == [.callNotStarted])
    #expect(Sample.codes(Self.text(request + "," + request)) == [.duplicateCall])
    let question = #"{"at": "0s", "ask": {"id": "r", "host": "a:1"}}"#
    #expect(Sample.codes(Self.text(request + "," + question)) == [])
    #expect(Sample.codes(Self.text(question + "," + question)) == [.duplicateCall])
    #expect(
      Sample.codes(Self.text(request, expect: #"{"request": "q", "code": 1}"#)) == [.unknownCall])
    #expect(
      Sample.codes(Self.text(request, expect: #"{"ask": "r", "position": 1}"#)) == [.unknownCall])
    // Calls and requests share their ids; that the two cannot be in one run is reported as well.
    let call = #"{"at": "0s", "call": {"id": "r", "host": "a:1"}}"#
    #expect(Sample.codes(Self.text(request + "," + call)) == [.wrongProfile, .duplicateCall])
  }

  @Test("Settings of another kind, policy or keyword are refused")
  func outOfPlace() {
    let members = [
      #", "policy": "fail""#, #", "kind": "websocket", "policy": "fail""#,
      #", "kind": "long", "poll": "1s""#, #", "kind": "long", "policy": "fail", "poll": "1s""#,
    ]
    for members in members {
      #expect(Sample.codes(Self.text(Self.request(members))) == [.keyOutOfPlace], "\(members)")
    }
    #expect(Sample.codes(Self.text(config: #""poll": "1s""#)) == [.keyOutOfPlace])
    let close = #"{"at": "0s", "dispatcher": {"do": "close", "long": 1}}"#
    #expect(Sample.codes(Self.text(close)) == [.keyOutOfPlace])
    let limit = #"{"at": "0s", "dispatcher": {"do": "limit"}}"#
    #expect(Sample.codes(Self.text(limit)) == [.missingKey])
  }

  @Test("A misspelled kind or policy is reported once")
  func misspelt() {
    #expect(
      Sample.codes(Self.text(Self.request(#", "kind": "lang", "policy": "fail""#)))
        == [.unknownKeyword])
    #expect(
      Sample.codes(Self.text(Self.request(#", "kind": "long", "policy": "pool", "poll": "1s""#)))
        == [.unknownKeyword])
  }

  @Test("A response that starts after its end is refused")
  func responses() {
    #expect(Sample.codes(Self.text(Self.request(#", "responds": "11ms""#))) == [.timeBackwards])
    #expect(Sample.codes(Self.text(Self.request(#", "responds": "10ms""#))) == [])
    #expect(Sample.codes(Self.text(Self.request(#", "kind": "long", "responds": "1h""#))) == [])
  }

  @Test(
    "Actions that are impossible in the background are refused",
    arguments: [
      request(""), #"{"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#,
      #"{"at": "0s", "dispatcher": {"do": "close"}}"#,
    ])
  func background(entry: String) {
    #expect(
      Sample.codes(Self.text(#"{"at": "0s", "app": "background"}, "# + entry)) == [.inBackground])
  }

  @Test("Calls, requests and queries are counted together")
  func limit() {
    let requests = (0..<ScenarioLimits.calls).map { Self.request("", id: "r\($0)") }
    let question = #"{"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#
    let timeline = requests.joined(separator: ",")
    #expect(Sample.codes(Self.text(timeline)) == [])
    #expect(Sample.codes(Self.text(timeline + "," + question)) == [.tooManyCalls])
  }

  // MARK: Profiles

  @Test("Calls and requests have separate profiles")
  func profiles() {
    let request = Self.request("")
    let call = #"{"at": "0s", "call": {"id": "c", "host": "a:1"}}"#
    #expect(Sample.codes(Self.text(request, profiles: #""url-loading""#)) == [])
    #expect(Sample.codes(Self.text(request, profiles: #""sockets""#)) == [.wrongProfile])
    #expect(Sample.codes(Sample.text(timeline: request)) == [.wrongProfile])
    #expect(Sample.codes(Self.text(call)) == [.wrongProfile])
    #expect(Sample.codes(Self.text(call, profiles: #""cfstream""#)) == [])
    let requests = #"{"requests": {"host": "*", "running": 0}}"#
    #expect(Sample.codes(Sample.text(expect: requests)) == [.wrongProfile])
    let channels = #"{"channels": {"host": "*", "alive": 0}}"#
    #expect(Sample.codes(Self.text(expect: channels)) == [.wrongProfile])
  }

  @Test("Queries for a dispatcher require one")
  func dispatchers() {
    let both = #""url-loading", "url-dispatcher""#
    let timeline = Self.request("") + #", {"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#
    #expect(Sample.codes(Self.text(timeline, profiles: #""url-loading""#)) == [.noDispatcher])
    #expect(Sample.codes(Self.text(timeline, profiles: both)) == [])
    let expectations = [
      #""ask": "q", "answer": "waits""#, #""request": "r", "admission": "waits""#,
      #""request": "r", "position": 1"#,
    ]
    for expectation in expectations {
      let named = "{\(expectation), \"profiles\": [\"url-dispatcher\"]}"
      #expect(Sample.codes(Self.text(timeline, expect: named, profiles: both)) == [])
      let unnamed = "{\(expectation)}"
      #expect(
        Sample.codes(Self.text(timeline, expect: unnamed, profiles: both)) == [.noDispatcher])
    }
  }

  // MARK: Expectations

  @Test("Everything that can be expected of requests is read")
  func expectations() throws {
    let scenario = try Sample.scenario(
      Self.text(
        Self.request("") + #", {"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#,
        expect: """
          {"request": "r", "outcome": "timed-out", "code": -1001, "admission": "starts-now",
           "position": 2, "begins": "1s", "polls": 3, "thread": 4, "within": ["1s", "2s"]},
          {"ask": "q", "answer": "freezes", "position": 1, "holders": ["r"]},
          {"requests": {"host": "*", "running": 1, "waiting": 2, "frozen": 3, "ended": 4,
           "open": 5, "opened": 6, "most": 7, "limitReached": 8, "threads": 9, "idleThreads": 10,
           "threadsMade": 11, "mostThreads": 12}, "at": "1s"},
          {"never": {"request": "r"}}
          """, config: #""threads": {}"#))
    var request = RequestExpectation()
    request.outcome = .timedOut
    request.code = -1001
    request.admission = .startsNow
    request.position = 2
    request.begins = Instant(microseconds: 1_000_000)
    request.polls = 3
    request.thread = 4
    var answer = AnswerExpectation()
    answer.answer = .freezes
    answer.position = 1
    answer.holders = [0]
    var requests = RequestsExpectation()
    requests.running = 1
    requests.waiting = 2
    requests.frozen = 3
    requests.ended = 4
    requests.open = 5
    requests.opened = 6
    requests.most = 7
    requests.limitReached = 8
    requests.threads = 9
    requests.idleThreads = 10
    requests.threadsMade = 11
    requests.mostThreads = 12
    #expect(
      scenario.expectations.map(\.subject) == [
        .request(0, request), .ask(0, answer), .requests(.all, requests),
        .request(0, RequestExpectation()),
      ])
  }

  @Test("An empty list of holders differs from none")
  func noHolders() throws {
    let scenario = try Sample.scenario(
      Self.text(
        #"{"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#,
        expect: #"{"ask": "q", "holders": []}, {"ask": "q", "position": 1}"#))
    let holders = scenario.expectations.map { expectation -> [Int]? in
      guard case .ask(_, let wanted) = expectation.subject else { return nil }
      return wanted.holders
    }
    #expect(holders == [[], nil])
  }

  @Test(
    "Expectations of another subject are refused",
    arguments: [
      #"{"request": "r", "status": "OK"}"#, #"{"request": "r", "at": "1s", "answer": "waits"}"#,
      #"{"ask": "q", "position": 1, "at": "1s"}"#, #"{"ask": "q", "position": 1, "code": 1}"#,
      #"{"ask": "q", "position": 1, "within": ["1s", "2s"]}"#,
      #"{"requests": {"host": "*", "open": 1}, "before": "1s"}"#,
      #"{"requests": {"host": "*", "open": 1}, "position": 1}"#,
    ])
  func strayParts(expectation: String) {
    let timeline = Self.request("") + #", {"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#
    let codes = Sample.codes(Self.text(timeline, expect: expectation))
    #expect(codes.contains(.keyOutOfPlace))
    #expect(Set(codes).isSubset(of: [.keyOutOfPlace, .nothingExpected]))
  }

  @Test(
    "An empty expectation is refused",
    arguments: [
      #"{"request": "r"}"#, #"{"ask": "q"}"#, #"{"requests": {"host": "*"}}"#,
      #"{"never": {"ask": "q"}}"#,
    ])
  func nothingExpected(expectation: String) {
    let timeline = Self.request("") + #", {"at": "0s", "ask": {"id": "q", "host": "a:1"}}"#
    #expect(Sample.codes(Self.text(timeline, expect: expectation)) == [.nothingExpected])
  }
}
