import HandoverCore

// The settings of a run.

extension ScenarioFormat {
  static let config = ObjectTable<RunConfiguration>(
    "config", owner: "\"config\"",
    "The settings of the run, with the values of the specifications as defaults.",
    RunConfiguration()
  ) {
    Field("backoff", \.backoff, .object(backoff), "The delays of connection attempts.")
    Field(
      "idle", \.idle, .time, "The time for which an unused channel is kept.",
      .described("the profile's: 30 s, or unlimited"), example: #""5min""#)
    Field(
      "keepalive", \.keepalive, .object(keepalive), "The pings of connections.",
      .described("no pings"))
    Field("clock", \.clock, .keyword, "The clock of the client's timers.")
    Field(
      "tcpTimeout", \.tcpTimeout, .positiveTime,
      "The time after which TCP gives up, from the first unacknowledged byte.", example: #""2min""#)
    Field(
      "sendBuffer", \.sendBuffer, .byteCount,
      "The data, in bytes, that a stalled connection accepts before writes wait.", example: "4096")
    Field(
      "happyEyeballs", \.happyEyeballs, .positiveTime,
      "The delay between attempts at several addresses ([RFC "
        + "8305](https://www.rfc-editor.org/rfc/rfc8305)): [Order of "
        + "addresses](NetworkModel.md#order-of-addresses).",
      .described("one address at a time"), example: #""250ms""#)
    Field("quic", \.quic, .object(quic), "The settings of QUIC connections.")
      .checked { builder, member, _ in builder.judgeHasQUIC(at: member.key) }
    Field(
      "cfstream", \.cfstream, .keyword,
      "The generation of the CFStream code: "
        + "[cfstream](ProfileReference.md#the-later-generation).")
    Field("monitor", monitorSettings, "The settings of reachability callbacks.")
    Field(
      "order", \.order, .order,
      "The order of events at one instant: [At one "
        + "instant](ScenarioRuns.md#at-one-instant). `drawn` means a random order.",
      .keyword(OrderKeyword.file), example: #"["deadlines", "entries"]"#
    ).then { $0.chain.isShuffled = $0.order.isRandom }
    Field(
      "seed", \.seed, .integer(0...UInt64.max),
      "The seed of the jitter, of losses and of random orders.", example: "7")
    Field(
      "until", \.until, .instant, "The time at which the run ends at the latest.",
      .described(
        "the later of: 30 min after the last entry, and the latest `at` of an expectation that is "
          + "not about a call"),
      example: #""10s""#)
    Field(
      "interceptors",
      KeyFormat(
        .list(.object { interceptor.object }, count: 0...ScenarioLimits.links),
        "The interceptors of every call: [interceptors](#interceptors).", .described("none"),
        example: #"[{ "kind": "logging" }]"#)
    ) { builder, member, settings in
      builder.readInterceptors(member.value)
      settings.chain.links = builder.script.configuration.chain.links
    } write: { encoder, settings, _ in
      encoder.nonempty(
        settings.chain.links.map { encoder.json(InterceptorSettings($0), interceptor) })
    }
    Field("chain", chain, "The behavior of interceptor chains.")
    Field(
      "requests", \.requests, .object(requestSettings),
      "The settings for requests: [config.requests](#configrequests).", example: #"{ "total": 4 }"#)
  }

  static let backoff = ObjectTable<BackoffConfiguration>(
    "backoff", owner: "\"backoff\"", "The delays between connection attempts.",
    BackoffConfiguration()
  ) {
    Field(
      "initial", \.initial, .time,
      "The first delay between attempts, without jitter; at most `max`.",
      example: #""100ms""#)
    Field(
      "multiplier", \.multiplier, .decimal(1...100), "The growth of each further delay.",
      example: "2")
    Field(
      "jitter", \.jitter, .decimal(0...1),
      "The fraction by which each further delay may differ from its mean. Use 0 for "
        + "exact times.", example: "0")
    Field("max", \.maximum, .time, "The longest mean delay.", example: #""30s""#)
    Field(
      "minConnectTimeout", \.minimumConnectTimeout, .time,
      "The time after which an unanswered attempt is given up. If the delay of the "
        + "attempt is longer, the delay applies.", example: #""5s""#)
  }

  static let keepalive = ObjectTable<KeepaliveConfiguration>(
    "keepalive", owner: "\"keepalive\"", "The pings of connections.",
    KeepaliveConfiguration(time: .zero)
  ) {
    Field(
      "time", \.time, .positiveTime,
      "The time without incoming data after which a ping is sent. Data of a call "
        + "that has ended counts.", .required, example: #""10s""#)
    Field(
      "timeout", \.timeout, .time,
      "The time for which a ping may stay unanswered. Any incoming byte answers the "
        + "ping, because it shows that the connection works.", example: #""5s""#)
    Field(
      "withoutCalls", \.withoutCalls, .boolean,
      "Whether connections without calls are pinged too.")
    Field(
      "overduePing", \.overduePing, .keyword,
      "The reaction to a ping whose answer was due while the client did not run.")
  }

  static let quic = ObjectTable<QUICConfiguration>(
    "quic", owner: "\"quic\"", "The settings of QUIC connections.", QUICConfiguration()
  ) {
    Field(
      "migration", \.migration, .keyword,
      "Whether servers allow migration (`disable_active_migration`).")
    Field(
      "idleTimeout", \.idleTimeout, .positiveTime,
      "The time after which a silent connection ends.", example: #""10s""#)
    Field(
      "connectionIds", \.connectionIDs, .integer(0...ScenarioLimits.connectionIDs),
      "The number of connection IDs that the server issues in addition to the "
        + "current one. (`active_connection_id_limit` includes the current one.)", example: "0")
    Field(
      "maxMigrations", \.maximumMigrations, .integer(0...ScenarioLimits.migrations),
      "The largest number of migrations of a connection to one network; by default as in Cronet.",
      example: "1")
  }

  private static let monitorSettings = ObjectTable<RunConfiguration>(
    "monitorSettings", owner: "\"monitor\"", "The settings of reachability callbacks.",
    RunConfiguration()
  ) {
    Field(
      "latency", \.monitorLatency, .time, "The time from a change of the flags to the callback.",
      example: #""200ms""#)
    Field(
      "watch", \.monitorWatch, .keyword,
      "The networks whose changes cause callbacks, with `networks`: [Reachability "
        + "callbacks](NetworkModel.md#reachability-callbacks).")
  }

  private static let chain = ObjectTable<RunConfiguration>(
    "chain", owner: "\"chain\"", "The behavior of interceptor chains.", RunConfiguration()
  ) {
    Field(
      "creation", \.chain.isEager, .keyword(Creation.eager, else: .lazy),
      "When interceptors are made: all of them at the start of the call (L17), or "
        + "each one when something is first forwarded to it (I4).")
    Field(
      "cancel", \.chain.closesOnCancel, .keyword(BaseCancel.close, else: .forward),
      "What the base interceptor does on a cancel: forward it (L50), or also close "
        + "towards the user and leave the chain (I18).")
    Field(
      "turns",
      KeyFormat(
        .keyword(Turns.self),
        "Which queue of a chain runs next: the one whose task came first, or a random "
          + "one (I14). The key also applies to interceptor entries that share an "
          + "instant.",
        .described("`ordered`; `drawn` if `order` is `drawn`"))
    ) { builder, member, settings in
      let turns: Turns? = builder.keyword(member.value, "\"turns\"")
      if let turns { settings.chain.isShuffled = turns == .drawn }
    } write: { encoder, settings, _ in
      guard settings.chain.isShuffled != settings.order.isRandom else { return nil }
      return encoder.keyword(settings.chain.isShuffled ? Turns.drawn : .ordered)
    }
  }

  private static let requestSettings = ObjectTable<RequestConfiguration>(
    "requestSettings", owner: "\"requests\"",
    "The limits of requests to one endpoint, and the policy beyond them.", RequestConfiguration()
  ) {
    Field(
      "preset",
      KeyFormat(
        .keyword(ConnectionLimitsPreset.self),
        "The total and the long limit of a version of the original library (U7): 5 "
          + "and 3 for `ios-6`, 4 and 3 for `ios-7`, 4 and 2 for `1.5` and `1.7`, 6 and 3 "
          + "for `1.7-macos`."))
    Field(
      "total",
      KeyFormat(
        .integer(1...Int128(ScenarioLimits.connections)),
        "The number of requests to one endpoint that may run at a time.",
        .described("the preset's, or 4"), example: "6"),
      write: { $1.limits == $2?.limits ? nil : .integer($1.limits.total) })
    Field(
      "long",
      KeyFormat(
        .longLimit, "The number of these requests that may be long, up to the total.",
        .described("the preset's, or all but a quarter of the total, rounded up"), example: "2"),
      write: { $1.limits == $2?.limits ? nil : .integer($1.limits.long) })
    Field(
      "platform", \.platform, .integer(1...UInt32(ScenarioLimits.connections)),
      "The number of connections to one endpoint that the operating system allows. "
        + "Below the total, the dispatcher protects no request (U9).", .described("the total"),
      example: "4")
    Field(
      policy: \.policy.optional,
      "What happens to a long request at the long limit: "
        + "[Policies](ScenarioRuns.md#policies).")
    Field(pollOf: \.policy.optional)
    Field(
      "chargesWaiting", \.chargesWaiting, .boolean,
      "Whether timeouts count from the arrival of a request instead of its start "
        + "(U41).")
    Field(
      "keepAlive", \.keepAlive, .time,
      "The time for which a connection stays open after its last request.", example: #""15s""#)
    Field(
      "threads", \.threads, .object(threads), "The threads of each endpoint: [Threads](#threads).",
      .described("no threads"), example: "{}"
    ).checked { builder, member, _ in builder.judgeHasDispatcher(at: member.key) }
  } check: { builder, fields, requests in
    if let limits = builder.limits(fields) { requests.limits = limits }
  }

  private static let threads = ObjectTable<ThreadConfiguration>(
    "threadSettings", owner: "\"threads\"",
    "The threads of a dispatcher: for each endpoint at most one per slot.",
    ThreadConfiguration(
      idle: .seconds(ThreadPoolTimes.idleSeconds),
      collect: .seconds(ThreadPoolTimes.collectionSeconds))
  ) {
    Field(
      "idle", \.idle, .time,
      "The time for which a thread must have been idle before it is collected "
        + "(A17).", example: #""5s""#)
    Field(
      "collect", \.collect, .positiveTime,
      "The time from the instant at which a thread is first idle to the first check "
        + "of the collector, and the time between two checks. At the instant of a "
        + "check, requests come first, unless `config.order` puts `deadlines` before "
        + "`entries`.", example: #""10s""#)
  }
}

extension ValueFormat {
  /// A number of long requests to one endpoint.
  static let longLimit = Self.integer(0...Int128(ScenarioLimits.connections))
}

// MARK: - Order and policy

extension Codec where Value == InstantOrder {
  /// A keyword, or the kinds of events and the observers that come first.
  fileprivate static var order: Self {
    let format = ValueFormat.either([
      .keyword(OrderKeyword.self), .list(.keyword(OrderRank.self), count: 1...Int.max, isSet: true),
    ])
    return Self(format) { builder, value, _ in
      builder.order(value)
    } write: { encoder, order in
      guard !order.isRandom else { return encoder.keyword(OrderKeyword.drawn) }
      let kinds = order.kinds == InstantOrder.Kind.allCases ? [] : order.kinds
      let observers = order.observers == .pool ? [] : [order.observers.rawValue]
      return .texts(kinds.map(\.rawValue) + observers)
    }
  }
}

extension LongLimitPolicy {
  /// The policy as a value that can be absent; setting it to `nil` has no effect.
  fileprivate var optional: LongLimitPolicy? {
    get { self }
    set { self = newValue ?? self }
  }

  fileprivate var keyword: PolicyKeyword {
    switch self {
    case .throw: .throw
    case .fail: .fail
    case .enqueue: .enqueue
    case .ignore: .ignore
    case .takeSpare: .takeSpare
    case .poll: .poll
    }
  }

  fileprivate init(_ keyword: PolicyKeyword) {
    switch keyword {
    case .throw: self = .throw
    case .fail: self = .fail
    case .enqueue: self = .enqueue
    case .ignore: self = .ignore
    case .takeSpare: self = .takeSpare
    case .poll: self = .poll(every: .seconds(1))
    }
  }
}

extension Field {
  /// The policy at the long limit.
  init(
    policy path: Part<Root, LongLimitPolicy?>, _ meaning: String, isOfRequest: Bool = false
  ) {
    self.init(
      "policy",
      KeyFormat(
        .keyword(PolicyKeyword.self), meaning,
        isOfRequest ? .described("that of `config.requests`") : .keyword(PolicyKeyword.throw),
        with: isOfRequest ? Self.isLong : nil)
    ) { builder, member, root in
      let keyword: PolicyKeyword? = builder.keyword(member.value, "\"policy\"")
      if let keyword { root[keyPath: path] = LongLimitPolicy(keyword) }
    } write: { encoder, root, defaultValue in
      let policy = root[keyPath: path]
      return policy == defaultValue?[keyPath: path]
        ? nil : policy.map { encoder.keyword($0.keyword) }
    }
  }

  /// The interval between polls, which belongs to the policy `poll`.
  init(
    pollOf path: Part<Root, LongLimitPolicy?>, isOfRequest: Bool = false
  ) {
    let polls = KeyCondition.keywords("policy", PolicyKeyword.poll)
      .explained(hint: "remove the key, or write \"policy\": \"poll\"")
    self.init(
      "poll",
      KeyFormat(
        .positiveTime, "The time from the answer of a poll to the next poll.", .text("1s"),
        example: #""5s""#,
        with: isOfRequest ? .all([Self.isLong, polls]) : polls)
    ) { builder, member, root in
      guard case .poll = root[keyPath: path],
        let every = builder.interval(member.value, "\"poll\"", mustPass: true)
      else { return }
      root[keyPath: path] = .poll(every: every)
    } write: { _, root, defaultValue in
      guard case .poll(let every) = root[keyPath: path],
        root[keyPath: path] != defaultValue?[keyPath: path]
      else { return nil }
      return .text(every.text)
    }
  }

  private static var isLong: KeyCondition {
    .keywords("kind", KindKeyword.long).explained(
      "only long requests count towards the limit for long requests",
      hint: "remove the key, or write \"kind\": \"long\"")
  }
}

// MARK: - Interceptors

/// The settings of an interceptor; most belong to one kind.
struct InterceptorSettings: Sendable {
  var kind = LinkKeyword.forward
  var name: String?
  var queues = InterceptorQueueChoice.own
  var isGlobal = false
  var rewrite = RewriteScript()
  var mock = MockScript()
  var path: String?
  var token: String? = "token"
  var takes = Interval.zero
  var expires: Interval?
  var keep = Interval.minutes(1)
  var calls = RepeatableCalls.idempotent
  var attempts = 3
  var backoff = BackoffConfiguration()

  init() {}

  init(_ link: InterceptorScript) {
    (queues, isGlobal) = (link.queues, link.isGlobal)
    switch link.kind {
    case .forward: kind = .forward
    case .none: kind = .none
    case .logging: kind = .logging
    case .metrics: kind = .metrics
    case .gate: kind = .gate
    case .rewrite(let script): (kind, rewrite, path) = (.rewrite, script, script.path)
    case .token(let token, let takes, let expires):
      (kind, self.token, self.takes, self.expires) = (.token, token, takes, expires)
    case .cache(let keep): (kind, self.keep) = (.cache, keep)
    case .mock(let script):
      (kind, mock, path, takes) = (.mock, script, script.path, script.takes)
    case .retry(let attempts, let backoff, let calls):
      (kind, self.attempts, self.backoff, self.calls) = (.retry, attempts, backoff, calls)
    }
    if link.name != kind.rawValue { name = link.name }
  }

  /// The interceptor with these settings.
  var link: InterceptorScript {
    InterceptorScript(
      name: name ?? kind.rawValue, kind: linkKind, queues: queues, isGlobal: isGlobal)
  }

  private var linkKind: InterceptorKind {
    switch kind {
    case .forward: return .forward
    case .none: return .none
    case .logging: return .logging
    case .metrics: return .metrics
    case .gate: return .gate
    case .rewrite:
      var rewrite = rewrite
      rewrite.path = path
      return .rewrite(rewrite)
    case .token: return .token(token, takes: takes, expires: expires)
    case .cache: return .cache(keep: keep)
    case .mock:
      var mock = mock
      (mock.path, mock.takes) = (path, takes)
      return .mock(mock)
    case .retry: return .retry(attempts: attempts, backoff: backoff, calls: calls)
    }
  }
}

extension ScenarioFormat {
  static let interceptor = ObjectTable<InterceptorSettings>(
    "interceptor", owner: "an interceptor", "An interceptor of the chain.", InterceptorSettings()
  ) {
    Field(
      "kind", \.kind, .keyword,
      "The behavior: [Ready-made "
        + "interceptors](WritingAnInterceptor.md#ready-made-interceptors).", .required,
      as: "the kind of an interceptor")
    Field(
      "name", \.name, .name, "The name of the interceptor, used once.", .described("the kind"),
      example: #""outer""#,
      as: "the name of an interceptor")
    Field(
      "queues", \.queues, .keyword,
      "The queues of the interceptor: one for both directions (I12), one for each "
        + "direction, one for this interceptor in all calls, or one for each direction "
        + "on the threads of a concurrent queue (L50).")
    Field(
      "global", \.isGlobal, .boolean,
      "Whether this is the global interceptor, which is after all others (I33). At "
        + "most one interceptor is global.")
    Field("host", \.rewrite.host, .host, "The host to call instead.").only(.rewrite)
    Field(
      "path", \.path, .name,
      "The method to call instead; for `mock`, the method, service or pattern to answer.",
      .described("for `mock`, all calls")
    ).only(.rewrite, .mock)
    Field("safety", \.rewrite.safety, .keyword, "The safety to use instead.").only(.rewrite)
    Field(
      "metadata", \.rewrite.metadata, .headers, "Headers to send in addition."
    ).only(.rewrite)
    Field(
      "prefix", \.rewrite.prefix, .name, "The text to put before each sent message.", .none
    ).only(.rewrite)
    Field(
      "answerPrefix", \.rewrite.answerPrefix, .name,
      "The text to put before each received message.", .none
    ).only(.rewrite)
    Field(
      "trailers", \.rewrite.trailers, .headers, "Trailers to return in addition."
    ).only(.rewrite)
    Field("deadline", \.rewrite.deadline, .time, "The deadline to use instead.").only(.rewrite)
    Field(
      "failFast", \.rewrite.failFast, .boolean, "The value of `failFast` to use instead (D7)."
    ).only(.rewrite)
    Field(
      "options",
      KeyFormat(
        .object { CallOption.rewritten }, "Options to use in addition, without `token`.")
    ) { builder, member, settings in
      builder.readOptions(member.value, of: &settings.rewrite)
    } write: { encoder, settings, _ in
      encoder.nonempty(
        encoder.options(
          settings.rewrite.options, settings.rewrite.hasFlowControl, token: nil))
    }.only(.rewrite)
    Field(
      "interceptors", \.rewrite.links, .links(0...ScenarioLimits.links),
      "The names of earlier interceptors to use instead; no effect (I3)."
    ).only(.rewrite)
    Field(
      "token", \.token, .tokenOrNull, "The access token; null if none is available."
    ).only(.token)
    Field(
      "takes", \.takes, .time,
      "The time to get a token; for `mock`, the time from the start to the answer."
    ).only(.token, .mock)
    Field(
      "expires", \.expires, .positiveTime, "The lifetime of a token.", .described("unlimited")
    ).only(.token)
    Field("keep", \.keep, .positiveTime, "The lifetime of an answer.").only(.cache)
    Field(
      "messages", \.mock.messages, .messages, "The messages of the answer.", .described("none")
    ).only(.mock)
    Field("status", \.mock.status, .status, "The status of the answer.").only(.mock)
    Field("calls", \.calls, .keyword, "The calls that are repeated.").only(.retry)
    Field("attempts", \.attempts, .integer(2...100), "The maximum of attempts.").only(.retry)
    Field("backoff", \.backoff, .object(backoff), "The delays between attempts.").only(.retry)
  } refusal: { settings in
    let keys = settings.kind.keys
    return (
      "interceptors of the kind \(settings.kind.rawValue) do not have this key",
      keys.isEmpty ? "remove the key" : "write \(Excerpt.alternatives(keys))"
    )
  }
}

extension Field<InterceptorSettings> {
  /// Adds the condition that the interceptor is of one of these kinds.
  fileprivate func only(_ kinds: LinkKeyword...) -> Self {
    var field = self
    field.format.condition = .keyword("kind", kinds.map(\.rawValue))
    return field
  }
}

extension LinkKeyword {
  /// The additional keys of this kind of interceptor.
  var keys: [String] {
    ScenarioFormat.interceptor.object.members.filter { member in
      guard case .keyword("kind", let keywords) = member.format.condition else { return false }
      return keywords.contains(rawValue)
    }.map(\.key)
  }
}

extension Codec where Value == String? {
  fileprivate static var tokenOrNull: Self {
    Self(
      .either([.null, .name]),
      { builder, value, owner in
        value.kind == .null ? .some(nil) : builder.name(value, owner).map(Optional.some)
      }, write: { _, token in token.map(JSONTree.text) ?? .null })
  }
}
