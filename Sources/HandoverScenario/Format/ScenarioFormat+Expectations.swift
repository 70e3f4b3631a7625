import HandoverCore

// The expectations.

enum ExpectationKey: String, FieldKey {
  case profiles, level
  case call, channels, connections, server, kernel, monitor, interceptor, chain, request, ask
  case requests
  case status, message, channel
  case outcome, code, answer, admission, position, begins, polls, thread, holders
  case never, anyOf, at, within, before, after, shows

  static let vocabulary = Vocabulary(of: Self.self)
  static let object = ObjectFormat(
    Self.self, "expectation", owner: "an expectation", "The expected behavior of one subject.",
    rules: rules(of: subjects + [.never]) + [
      .some(of: names(ofEnds + [.anyOf]), if: "call"),
      .some(of: names(ofRequests + times), if: "request"),
      .some(of: names(ofAnswers), if: "ask"),
      .apart("ask", from: ["at"], because: "An answer has no time."),
      .apart("kernel", from: ["at"], because: "The counters are those of the whole run."),
      .apart("never", from: ["at"], because: "\"never\" applies to the whole run."),
      .apart("anyOf", from: names(ofEnds), because: "Move the keys into the objects of \"anyOf\"."),
      .atMostOne(of: names(times)),
    ])

  /// The object of `never`.
  static let forbidden = ObjectFormat(
    "never", owner: "\"never\"",
    "A state that never exists; a call or request without other keys never ends.",
    members: members(of: subjects.filter { $0 != .kernel } + parts),
    rules: rules(of: subjects.filter { $0 != .kernel })
      + [.some(of: names(ofAnswers), if: "ask")])

  /// An object of `anyOf`.
  static let ending = ObjectFormat(
    "expectedEnd", owner: "an object of \"anyOf\"", "An acceptable outcome of the call.",
    members: members(of: ofEnds).map { member in
      var member = member
      member.format.condition = nil
      return member
    },
    rules: [.some(of: names(ofEnds)), .atMostOne(of: names(times))])

  static let subjects: [ExpectationKey] = [
    .call, .channels, .connections, .server, .kernel, .monitor, .interceptor, .chain, .request,
    .ask, .requests,
  ]
  static let ofCalls = keys(of: ScenarioFormat.endParts.object)
  static let ofRequests = keys(of: ScenarioFormat.requestParts.object)
  static let ofAnswers = keys(of: ScenarioFormat.answerParts.object)
  /// The subjects with the keys that describe their expected values.
  static let owners: [(subject: ExpectationKey, parts: [ExpectationKey])] = [
    (.call, ofCalls), (.request, ofRequests), (.ask, ofAnswers),
  ]
  /// All keys of expected values.
  static let parts = allCases.filter { key in owners.contains { $0.parts.contains(key) } }
  static let times: [ExpectationKey] = [.at, .within, .before, .after]
  /// The keys of the end of a call.
  static let ofEnds = ofCalls + times

  private static func keys(of object: ObjectFormat) -> [Self] {
    object.members.compactMap { Self(rawValue: $0.key) }
  }

  /// Returns the declaration of the key in the table of its subject.
  private func part(of object: ObjectFormat) -> KeyFormat {
    object.format(of: rawValue) ?? KeyFormat(.anything, "")
  }

  private static func names(_ keys: [Self]) -> [String] { keys.map(\.rawValue) }

  private static func members(of keys: [Self]) -> [ObjectFormat.Member] {
    allCases.filter(keys.contains).map { .init(key: $0.rawValue, format: $0.format) }
  }

  private static func rules(of subjects: [Self]) -> [ObjectRule] {
    [.one(of: subjects.map { ($0.rawValue, nil) })]
  }

  // long: a flat switch with one declaration per key
  var format: KeyFormat {
    switch self {
    case .profiles:
      KeyFormat(
        .profiles, "The profiles to which the expectation applies.",
        .described("those of the scenario"), example: #"["cfstream"]"#)
    case .level:
      KeyFormat(
        .keyword(Expectation.Level.self),
        "Whether a different result is a failure, or only NON-STRICT: a "
          + "recommendation that is not met.", .keyword(Expectation.Level.must))
    case .call: KeyFormat(.reference([.call]), "The ID of a call that ends.")
    case .channels: KeyFormat(.object { ScenarioFormat.channels.object }, "The channels of a host.")
    case .connections:
      KeyFormat(.object { ScenarioFormat.connections.object }, "The connections to a host.")
    case .server: KeyFormat(.object { ScenarioFormat.server.object }, "The server of a host.")
    case .kernel:
      KeyFormat(.object { ScenarioFormat.kernel.object }, "The kernel counters of the device.")
    case .monitor:
      KeyFormat(.object { ScenarioFormat.notifications.object }, "The reachability monitor.")
    case .interceptor:
      KeyFormat(.object { ScenarioFormat.interceptorSubject.object }, "An interceptor.")
    case .chain:
      KeyFormat(.object { ScenarioFormat.chainSubject.object }, "The interceptor chain of a call.")
    case .request: KeyFormat(.reference([.request]), "The ID of a request.")
    case .ask: KeyFormat(.reference([.question]), "The ID of a question.")
    case .requests: KeyFormat(.object { ScenarioFormat.requests.object }, "The requests to a host.")
    case .status, .message, .channel: part(of: ScenarioFormat.endParts.object)
    case .outcome, .code, .admission, .position, .begins, .polls, .thread:
      part(of: ScenarioFormat.requestParts.object)
    case .answer, .holders: part(of: ScenarioFormat.answerParts.object)
    case .never: KeyFormat(.object { Self.forbidden }, "A state that never exists.")
    case .anyOf:
      KeyFormat(
        .list(.object { Self.ending }, count: 1...ScenarioLimits.alternatives),
        "Alternatives to these keys and the time. One of them must hold.",
        example: #"[{ "status": "OK" }, { "status": "DEADLINE_EXCEEDED", "at": "20s" }]"#,
        with: .key("call"))
    case .at:
      KeyFormat(
        .time, "The exact time of the end; for other subjects, the end of this instant.")
    case .within:
      KeyFormat(
        .list(.time, count: 2...2), "The earliest and the latest time of the end.",
        with: Self.ends)
    case .before: KeyFormat(.time, "A time after the end.", with: Self.ends)
    case .after: KeyFormat(.time, "A time before the end.", with: Self.ends)
    case .shows:
      KeyFormat(
        .list(.reference([.source]), count: 1...ScenarioLimits.sources, isSet: true),
        "The requirements that the expectation verifies: it would fail if their rule "
          + "were reversed. `handover spec` counts only these as covered.", example: #"["D3a"]"#)
    }
  }

  /// The condition that the subject has an end.
  private static var ends: KeyCondition { .any([.key("call"), .key("request")]) }
}

// MARK: - Expected values of the expectation itself

extension ScenarioFormat {
  static let endParts = ObjectTable<Expectation.Ending>(
    "endParts", owner: "an expectation", "The end of a call.",
    Expectation.Ending(status: nil, message: nil, channel: nil, moment: nil)
  ) {
    Field("status", \.status, .status, "The gRPC status code.", with: .key("call"))
    Field(
      "message", \.message, .text(bytes: ScenarioLimits.textByteCount),
      "The exact message of the status.", example: #""Connectivity lost.""#, with: .key("call"))
    Field(
      "channel", \.channel, .keyword,
      "Whether the channel was created for this call, or existed before.", with: .key("call"))
  }

  static let requestParts = ObjectTable<RequestExpectation>(
    "requestParts", owner: "an expectation", "The handling of a request.", RequestExpectation()
  ) {
    Field(
      "outcome", \.outcome, .keyword, "The outcome of the request.", with: .key("request"))
    Field(
      "code", \.code, .integer(Int32.min...Int32.max), "The error code.", example: "-1001",
      with: .key("request"))
    Field(
      "admission", \.admission, .keyword, "What happened to the request on arrival.",
      with: .key("request")
    ).ofDispatchers
    Field(
      "position", \.position, .ordinal, "The position in the queue, from 1.", example: "1",
      with: .any([.key("request"), .key("ask")])
    ).ofDispatchers
    Field(
      "begins", \.begins, .reachable,
      "The time at which the request was first handed to the operating system.",
      example: #""2s""#, with: .key("request"))
    Field(
      "polls", \.polls, .count, "The number of polls that were answered.", example: "3",
      with: .key("request"))
    Field(
      "thread", \.thread, .ordinal,
      "The thread on which the request ran; for a polled stream, the latest one.", example: "1",
      with: .key("request")
    ).ofThreads
  }

  static let answerParts = ObjectTable<AnswerExpectation>(
    "answerParts", owner: "an expectation", "The answer to a question.", AnswerExpectation()
  ) {
    Field(
      "answer", \.answer, .keyword, "The admission decision in the answer.", with: .key("ask"))
    Field("position", \.position, .ordinal, "The position in the queue, from 1.")
    Field(
      "holders", \.holders, .requests,
      "The IDs of the requests that hold the slots, in the order in which they took them.",
      example: #"["r", "s"]"#, with: .key("ask"))
  }
}

extension Codec where Value == [Int] {
  /// The indices of requests that run at the same time, at most one for each connection.
  fileprivate static var requests: Self {
    Self(.list(.reference([.request]), count: 0...ScenarioLimits.connections)) {
      builder, value, owner in
      builder.requests(value, owner)
    } write: { encoder, requests in
      .texts(requests.map { encoder.script.requests[$0].id })
    }
  }
}

// MARK: - Subjects

/// The expected values of a host, or of all hosts.
typealias OfHost<Wanted> = (host: HostSelector?, wanted: Wanted)

extension ScenarioFormat {
  static let channels = ObjectTable<
    (host: HostSelector?, alive: Int?, destroyed: Int?, state: ChannelState?)
  >(
    "expectedChannels", owner: "\"channels\"", "The channels of a host.", (nil, nil, nil, nil),
    moreThan: "host"
  ) {
    Field(selector: \.host)
    Field("alive", \.alive, .count, "The number of channels.", example: "1")
    Field(
      "destroyed", \.destroyed, .count, "The number of channels destroyed since the start.",
      example: "1")
    Field(
      "state", \.state, .channelState,
      "The state that all live channels of the host share. If all channels were destroyed, it is "
        + "SHUTDOWN.")
  }

  static let connections = ObjectTable<
    (host: HostSelector?, attempts: Int?, open: Int?, path: PathIndex?)
  >(
    "expectedConnections", owner: "\"connections\"", "The connections to a host.",
    (nil, nil, nil, nil), moreThan: "host"
  ) {
    Field(selector: \.host)
    Field("attempts", \.attempts, .count, "The number of attempts that began.", example: "2")
    Field(
      "open", \.open, .count, "The number of connections that are open for the client.",
      example: "1")
    Field(
      "path", \.path, .knownPath,
      "The path on which every open connection was made, at least one.", example: #""wifi""#)
  }

  static let server = ObjectTable<OfHost<ServerExpectation>>(
    "expectedServer", owner: "\"server\"", "The server of a host.", (nil, ServerExpectation()),
    rules: [.some(of: ["received", "accepted", "twice"])]
  ) {
    Field(selector: \.host)
    Field(
      "received", \.wanted.received, .count,
      "The number of requests and messages that the server read.", example: "1")
    Field(
      "accepted", \.wanted.accepted, .count, "The number of connections that were established.",
      example: "1")
    Field(
      "twice", \.wanted.twice, .count, "The number of requests that the server read twice.",
      example: "0")
    Field(
      "address",
      KeyFormat(
        .address,
        "An address of the host, with `accepted`: only connections to this address "
          + "count.", .described("all"), example: #""192.0.2.7""#,
        with: .key("accepted").explained(
          hint: "remove \"address\", because received requests are counted per host"))
    ) { builder, member, root in
      guard let host = root.host else { return }
      root.wanted.address = builder.serverAddress(member, of: host)
    } write: { encoder, root, _ in
      guard let address = root.wanted.address, case .one(let host) = root.host else { return nil }
      return .text(encoder.script.hosts[host].addresses[address].text.written)
    }
    Field(
      "path", \.wanted.path, .knownPath, "The network whose connections count.",
      .described("all"), example: #""wifi""#)
    Field(
      "since", \.wanted.since, .reachable, "The time at which counting begins.",
      .described("the start"), example: #""2s""#)
  } check: { builder, _, root in
    // An expectation with a path needs the connection of each request.
    if root.wanted.path != nil { builder.script.configuration.recordsConnections = true }
  }

  static let kernel = ObjectTable<KernelExpectation>(
    "expectedKernel", owner: "\"kernel\"",
    "The maximum kernel counters of the device at the end of a run in a lab.",
    KernelExpectation(), moreThan: ""
  ) {
    Field(
      "retransmitted", \.retransmitted, .count,
      "The largest accepted number of retransmitted TCP segments. Only with "
        + "`--backend nio`.",
      example: "0")
    Field(
      "resets", \.resets, .count,
      "The largest accepted number of connections that either side reset. Only with "
        + "`--backend nio`.", example: "0"
    )
    Field(
      "sockets", \.sockets, .count,
      "The largest accepted number of connection sockets that still exist. Only with "
        + "`--backend nio`.",
      example: "0")
  } check: { builder, _, _ in
    builder.script.configuration.recordsKernelCounters = true
  }

  static let notifications = ObjectTable<Int>(
    "expectedMonitor", owner: "\"monitor\"",
    "The reachability monitor of profiles that have one.", 0
  ) {
    Field(
      "notifications", \.self, .count,
      "The number of category changes that the monitor reported. An error if a "
        + "profile of the expectation has no monitor.", .required, example: "1")
  }

  static let interceptorSubject = ObjectTable<(link: Int, wanted: InterceptorExpectation)>(
    "expectedInterceptor", owner: "\"interceptor\"", "One interceptor.",
    (0, InterceptorExpectation()), rules: [.some(of: ["made", "sees", "breaks"])]
  ) {
    Field("name", \.link, .link, "The name of the interceptor.", .required)
    Field(
      "call", \.wanted.call, .call, "The call. Without the key, all calls count.",
      .described("all calls together"), example: #""a""#)
    Field("made", \.wanted.made, .boolean, "Whether the interceptor was made.")
    Field(
      "sees", \.wanted.sees, .keywords(),
      "Exactly the events that the interceptor handled, in order.", example: #"["start", "cancel"]"#
    )
    Field("breaks", \.wanted.breaks, .keywords(), Self.breaks, example: #"["closed-twice"]"#)
  }

  static let chainSubject = ObjectTable<(call: Int, wanted: ChainExpectation)>(
    "expectedChain", owner: "\"chain\"", "The interceptor chain of a call.",
    (0, ChainExpectation()), moreThan: "call"
  ) {
    Field("call", \.call, .call, "The ID of the call.", .required)
    Field(
      "attempts", \.wanted.attempts, .count, "The number of attempts that left the chain.",
      example: "2")
    Field(
      "links", \.wanted.links, .links(0...Int.max),
      "Exactly the interceptors that were made.", example: #"["retry"]"#)
    Field(
      "host", \.wanted.host, .host, "The host of the last attempt.",
      example: #""api.example:443""#)
    Field(
      "path", \.wanted.path, .name, "The method of the last attempt.",
      example: #""/chat.Chat/Join""#)
    Field(
      "metadata", \.wanted.metadata, .headers,
      "Headers of the last attempt; others are allowed.", example: #"{ "client": "example" }"#)
    Field(
      "sent", \.wanted.sent, .messages, "All messages that the last attempt sent.",
      example: #"["hello"]"#)
    Field(
      "heard", \.wanted.heard, .messages, "All messages that the user received.",
      example: #"["hello"]"#)
    Field(
      "trailers", \.wanted.trailers, .headers,
      "Trailers that the user must receive. The user may receive more trailers.",
      example: #"{ "x": "1" }"#)
    Field("breaks", \.wanted.breaks, .keywords(), Self.breaks, example: #"["closed-twice"]"#)
  }

  private static let breaks =
    "The violated rules, in order; none of them is a failure of the run."

  static let requests = ObjectTable<OfHost<RequestsExpectation>>(
    "expectedRequests", owner: "\"requests\"", "The requests to a host.",
    (nil, RequestsExpectation()), moreThan: "host"
  ) {
    Field(selector: \.host)
    Field(
      "running", \.wanted.running, .count,
      "The number of requests at the platform that are not frozen.")
    Field(
      "waiting", \.wanted.waiting, .count, "The number of requests that wait for a slot.")
    Field(
      "frozen", \.wanted.frozen, .count,
      "The number of requests that are frozen at the platform.")
    Field(
      "ended", \.wanted.ended, .count,
      "The number of requests that ended, including rejected ones.")
    Field("open", \.wanted.open, .count, "The number of open connections.")
    Field(
      "opened", \.wanted.opened, .count, "The number of connections opened since the start.")
    Field(
      "most", \.wanted.most, .count, "The maximum of simultaneously open connections.")
    Field(
      "limitReached", \.wanted.limitReached, .count,
      "The number of notifications that the long limit is reached.")
    Field("threads", \.wanted.threads, .count, "The number of threads.").ofThreads
    Field("idleThreads", \.wanted.idleThreads, .count, "The number of idle threads.").ofThreads
    Field(
      "threadsMade", \.wanted.threadsMade, .count,
      "The number of threads created since the start."
    ).ofThreads
    Field(
      "mostThreads", \.wanted.mostThreads, .count, "The maximum of simultaneous threads."
    ).ofThreads
  }
}

extension Field {
  /// The host of an expectation.
  fileprivate init(selector path: Part<Root, HostSelector?>) {
    self.init("host", path, .hostOrAll, "The host, or `*` for all hosts.", .required)
  }

  /// The key, which requires a dispatcher.
  fileprivate var ofDispatchers: Self {
    checked { builder, member, _ in
      builder.judgeHaveDispatchers(builder.expectedProfiles, at: member.key)
    }
  }

  /// The key, which requires a thread pool.
  fileprivate var ofThreads: Self {
    checked { builder, member, _ in builder.judgeHaveThreads(at: member.key) }
  }
}
