import HandoverCore

// The objects in entries of the timeline.

// MARK: - Networks

extension ScenarioFormat {
  static let quality = ObjectTable<LinkQuality>(
    "linkQuality", owner: "\"quality\"", "The quality of a network.", LinkQuality()
  ) {
    Field(
      "delay", \.delay, .time, "The travel time of a packet, in each direction.",
      example: #""40ms""#)
    Field(
      "rate", \.bitsPerSecond, .rate,
      "The rate in bits per second. In a lab, the queue is limited, and packets beyond it are "
        + "lost.",
      .described("unlimited"), example: #""2.5Mbit""#)
    Field("loss", \.lossPerMillion, .share, "The share of lost packets.", example: #""1.5%""#)
      .kept { $0.burst != nil }
    Field(
      "burst", \.burst, .integer(1...LinkQuality.maximumBurst),
      "The average number of consecutive losses, after Gilbert and Elliott: a good "
        + "state loses nothing, and a bad state loses everything.",
      .described("independent losses"), example: "3",
      with: .key("loss"))
    Field(
      "reorder", \.reorderPerMillion, .share,
      "The share of packets that arrive later, so that following packets overtake "
        + "them.", example: #""5%""#
    ).kept { $0.reorderBy != LinkQuality.defaultLateness }
    Field(
      "reorderBy", \.reorderBy, .positiveTime, "The additional travel time of these packets.",
      example: #""30ms""#,
      with: .key("reorder"))
    Field(
      "mtu", \.mtu, .mtu,
      "The longest IP packet that passes, in bytes. A packet that may be fragmented is "
        + "fragmented. On an IPv6-only network, the length is at least 1280.",
      .described("unlimited"), example: "1280")
    Field(
      "mtuSignal", \.mtuSignal, .keyword,
      "Whether the sender of a longer packet gets an ICMP error.",
      with: .key("mtu"))
    Field(
      "trace", \.trace, .trace,
      "The name of a regular file in the scenario's folder or below it, at most 8 MiB, "
        + "in the "
        + "format of [Mahimahi](http://mahimahi.mit.edu). Each line is a "
        + "time in milliseconds at which 1504 bytes can pass, repeated from the "
        + "beginning. `Fixtures/Traces` has two examples: `wifi-leaving-home.trace` and "
        + "`train.trace`.", example: #""train.trace""#)
    Field(
      "direction", \.direction, .keyword,
      "The affected packets: in both directions, from the device, or to the device. "
        + "The other direction does not change.")
  } check: { builder, fields, quality in
    guard let burst = fields["burst"], quality.burstsAreTooShort else { return }
    builder.report(
      .burstTooShort, at: burst,
      "loss is too high for this burst length: at least one packet must pass between two bursts",
      hint: "write a longer \"burst\", or a smaller \"loss\"")
  }
}

extension Codec where Value == UInt32 {
  /// A share in parts per million.
  fileprivate static var share: Self {
    Self(.share, { $0.share($1, $2) }, write: { .text(LinkNotation.text(share: $1)) })
  }
}

extension Codec where Value == Int64 {
  /// A rate in bits per second.
  fileprivate static var rate: Self {
    Self(.notation(.rate), { b, v, _ in b.rate(v) }, write: { .text(LinkNotation.text(rate: $1)) })
  }
}

extension Codec where Value == UInt16 {
  /// The length of a packet, which has a minimum for each family of addresses.
  fileprivate static var mtu: Self {
    var codec = Self.integer(LinkQuality.minimumMTU...UInt16.max)
    codec.read = { $0.integer($1, $2, $0.minimumMTU...UInt16.max) }
    return codec
  }
}

extension Codec where Value == LinkTrace {
  fileprivate static var trace: Self {
    Self(.name, { b, v, _ in b.trace(v) }, write: { .text($1.name) })
  }
}

// MARK: - Faults and messages

extension ScenarioFormat {
  static let send = ObjectTable<(call: Int, bytes: Int)>(
    "send", owner: "\"send\"", "A message on a client-streaming or bidi call.", (0, 1)
  ) {
    Field("call", \.call, .sendingCall, "The ID of the call.", .required, as: "\"send\"")
    Field("bytes", \.bytes, .byteCount, "The length of the message.", .required)
  }

  static let receive = ObjectTable<(call: Int, count: Int)>(
    "receive", owner: "\"receive\"", "A request for more messages; ignored without flow control.",
    (0, 0)
  ) {
    Field("call", \.call, .startedCall, "The ID of the call.", .required)
    Field("messages", \.count, .count, "The number of messages.", .required)
  }

  static let serverFault = ObjectTable<ServerChange>(
    "serverFault", owner: "\"server\"", "A change of a host's server.", ServerChange(),
    rules: [.one(of: [("do", nil), ("unreachable", nil), ("reachable", nil)])]
  ) {
    Field("host", \.host, .host, "The host.", .required)
    Field("do", \.fault, .keyword, "The action.", as: "a server")
    Field(
      address: "unreachable", \.unreachable,
      "An address of the host. From now on, all packets from and to this address are lost.",
      example: #""192.0.2.7""#)
    Field(
      address: "reachable", \.reachable,
      "An unreachable address of the host. Packets from and to this address pass again.",
      example: #""192.0.2.7""#)
  }

  static let namesFault = ObjectTable<(host: Int?, fault: DNSFault?, addresses: [Int]?)>(
    "namesFault", owner: "\"names\"", "A change of a host's name lookups.", (nil, nil, nil),
    rules: [.one(of: [("do", nil), ("addresses", nil)])]
  ) {
    Field("host", \.host, .host, "The host.", .required)
    Field("do", \.fault, .keyword, "The behavior of lookups.", as: "name lookup")
    Field(
      "addresses",
      KeyFormat(
        .list(.address, count: 1...ScenarioLimits.addresses),
        "The addresses of the host that lookups return from now on, in this order.",
        example: #"["192.0.2.8"]"#)
    ) { builder, member, change in
      change.addresses = change.host.map { builder.answer(member, of: $0) }
    } write: { encoder, change, _ in
      guard let host = change.host else { return nil }
      return change.addresses.map { encoder.addresses($0, of: host) }
    }
  }

  static let transportFault = ObjectTable<(host: HostSelector, fault: ConnectionFault)>(
    "transportFault", owner: "\"transport\"", "A change of the connections to a host.",
    (.all, .resume)
  ) {
    Field("host", \.host, .hostOrAll, "The host, or `*` for all hosts.", .required)
    Field("become", \.fault, .keyword, "The change.", .required, as: "a connection")
  }

  static let monitorFault = ObjectTable<(fault: MonitorFault, by: Interval, network: PathIndex?)>(
    "monitorFault", owner: "\"monitor\"", "A fault of reachability callbacks.",
    (.duplicate, .zero, nil)
  ) {
    Field("do", \.fault, .keyword, "The fault.", .required, as: "a callback")
    Field(
      "by", \.by, .time, "The additional delay of the next callback.", .none,
      with: .keywords("do", MonitorFault.delay), needed: "a delay")
    Field(
      "network", \.network, .network, "The network whose callback is affected.",
      .described("the next callback"),
      with: .keywords("do", MonitorFault.delay, .miss).explained(
        hint: "remove \"network\", because the entry does not apply to a single network"))
  }

  static let interceptorCommand = ObjectTable<
    (link: Int?, call: Int, action: GateAction, status: StatusCode)
  >(
    "interceptorCommand", owner: "\"interceptor\"",
    "An action of an interceptor of the kind gate on a call.", (nil, 0, .hold, .ok)
  ) {
    Field("name", \.link, .link, "The name of the interceptor.", .required)
    Field("call", \.call, .startedCall, "The ID of the call.", .required)
    Field("do", \.action, .keyword, "The action.", .required, as: "an interceptor")
    Field(
      "status", \.status, .status, "The status of the close.",
      with: .keywords("do", GateAction.close).explained(
        hint: "remove the key, or write \"do\": \"close\""))
  } check: { builder, fields, root in
    if let link = root.link, let name = fields["name"] {
      builder.judgeIsScripted(link, at: name)
    }
  }
}

extension Codec where Value == Int {
  /// A call that has started and can send messages.
  fileprivate static var sendingCall: Self {
    Self(.reference([.call]), { $0.sendingCall(named: $1, $2) }, write: { $0.call($1) })
  }
}

// MARK: - Calls

/// A call that the timeline creates.
struct CreatedCall: Sendable {
  var call = ScriptCall(id: "", host: 0, kind: .unary, takes: CallKind.unary.defaultDuration)
  /// Whether the call starts immediately.
  var starts = true
}

extension ScenarioFormat {
  static let call = ObjectTable<CreatedCall>("call", owner: "a call", "A call.", CreatedCall()) {
    Field(
      "id", \.call.id, .newID("the call's id"),
      "The name of the call, which no other call or request has.",
      .required, example: #""stream""#)
    Field("host", \.call.host, .host, "A declared host.", .required, example: #""api.example:443""#)
    Field(
      "kind", \.call.kind, .keyword,
      "The kind. The request of `unary` and `streaming` is complete at the start, "
        + "and the request of `client-streaming` and `bidi` is complete with `finish`.",
      as: "the kind of a call"
    ).then { $0.call.takes = $0.call.kind.defaultDuration }
    Field(
      takes: \.call.takes, unless: \.call.kind.defaultDuration,
      "The time from the complete request to the end by the server, with OK.", "`streaming`")
    Field(
      "every", \.call.every, .positiveTime, "The interval between messages from the server.",
      .described("no messages"), example: #""200ms""#,
      with: .keywords("kind", CallKind.streaming, .bidi))
    Field(
      "deadline", \.call.deadline, .time, "The time from the start after which the call gives up.",
      .described("none"), example: #""20s""#)
    Field(
      "failFast", \.call.failFast, .boolean,
      "Whether the call ends instead of waiting if its channel is in "
        + "TRANSIENT_FAILURE (D7).")
    Field(
      "starts", \.starts, .boolean,
      "Whether the call starts now. With `false`, the call opens no connection "
        + "until `start`, and no network change affects the call (C7).")
    Field(
      "options",
      KeyFormat(
        .object { CallOption.object }, "The options of the call.", example: #"{ "token": "2s" }"#)
    ) {
      builder, member, created in
      builder.readOptions(member.value, of: &created.call)
    } write: { encoder, created, _ in
      let call = created.call
      return encoder.nonempty(
        encoder.options(
          call.options, call.hasFlowControl ? true : nil, token: call.tokenDelay))
    }
    Field("path", \.call.path, .name, "The method.", example: #""/chat.Chat/Join""#)
    Field(
      "safety", \.call.safety, .keyword, "Whether the call may be repeated, or its response stored."
    )
    Field(
      "metadata", \.call.metadata, .headers, "The headers from the user.", .described("none"),
      example: #"{ "client": "example" }"#)
    Field(
      "marshaller", \.call.marshaller, .keyword,
      "A conversion of messages behind the interceptors (L50). `reversed` reverses "
        + "each message. `unwritable` cannot write messages, and `unreadable` cannot "
        + "read them, so the call ends INTERNAL. The key is ignored without "
        + "interceptors.", .described("messages are bytes"))
    Field(
      "legacy", \.call.isLegacy, .boolean,
      "Whether the call bypasses all interceptors (I35).")
  } refusal: { created in
    (
      "a \(created.call.kind.rawValue) call gets one message only",
      "remove \"every\", or write \"kind\": \"streaming\" or \"bidi\""
    )
  }
}

extension Codec where Value == String {
  /// The ID of a call or request that an entry creates.
  fileprivate static func newID(_ owner: String) -> Self {
    Self(.name) { builder, value, _ in
      let id = builder.name(value, owner)
      if let id { builder.reportIfUsed(id, at: value) }
      return id
    } write: {
      .text($1)
    }
  }
}

extension Field {
  /// The duration of the server's answer; by default, that of the kind.
  fileprivate init(
    takes path: Part<Root, Interval?>,
    unless defaultValue: any KeyPath<Root, Interval?> & Sendable, _ meaning: String,
    _ unlimited: String
  ) {
    self.init(
      "takes",
      KeyFormat(
        .time, meaning, .described("`\"10ms\"`; unlimited for \(unlimited)"),
        example: #""5s""#)
    ) { builder, member, root in
      root[keyPath: path] =
        builder.interval(member.value, "\"takes\"") ?? root[keyPath: defaultValue]
    } write: { _, root, _ in
      let takes = root[keyPath: path]
      guard takes != root[keyPath: defaultValue] else { return nil }
      return .text((takes ?? ScenarioLimits.longestTime).text)
    }
  }
}

// MARK: - Requests

extension ScenarioFormat {
  static let request = ObjectTable<ScriptRequest>(
    "request", owner: "a request", "A request of the application.",
    ScriptRequest(id: "", host: 0, kind: .short, takes: RequestKind.short.defaultDuration)
  ) {
    Field(
      "id", \.id, .newID("the request's id"),
      "The name of the request, which no other request or call has.",
      .required, example: #""r""#)
    Field(
      "host", \.host, .host, "A declared host in any spelling of its endpoint.", .required,
      example: #""https://api.example""#)
    Field(
      "kind", \.kind, .kind,
      "The kind that the caller declares (U17). No limit applies to a `websocket`.",
      example: #""long""#,
      as: "the kind of a request"
    ).then { $0.takes = $0.kind.defaultDuration }
    Field(
      "responds", \.responds, Codec<Interval>.time.optional,
      "The time from the server's reading of the request to the headers of the "
        + "response.", example: #""50ms""#)
    Field(
      takes: \.takes, unless: \.kind.defaultDuration,
      "The time from the request to the complete response.", "`long` and `websocket`")
    Field(
      "every", \.every, .positiveTime, "The interval between parts of the response.",
      .described("no parts"), example: #""1s""#)
    Field(
      "timeout", \.timeout, .time,
      "The timeout; `\"0s\"` means none (U40).",
      .described("`\"1min\"`; `\"10s\"` on `okhttp-pool`"), example: #""5s""#)
    Field(
      "deadline", \.deadline, .time,
      "The time from the arrival after which the dispatcher ends the request in any "
        + "state.", .described("none"), example: #""2min""#)
    Field(policy: \.policy, "The policy at the long limit.", isOfRequest: true)
    Field(pollOf: \.policy, isOfRequest: true)
    Field(
      "pool", \.pool, .pool,
      "A separate dispatcher with separate connections (U12). A new name is a new "
        + "pool. The limit of the operating system applies to all pools together.",
      example: #""images""#)
    Field(
      "body", \.body, .keyword,
      "The body of the request. Only `okhttp-pool` distinguishes bodies.",
      example: #""one-shot""#)
  } check: { builder, fields, request in
    builder.judgeResponse(request, fields)
  }

  static let question = ObjectTable<ScriptQuestion>(
    "question", owner: "a question", "A question about what would happen to a request now (U19).",
    ScriptQuestion(id: "", host: 0, kind: .long)
  ) {
    Field(
      "id", \.id,
      Codec(.name) { builder, value, _ in
        builder.questionID(value)
      } write: {
        .text($1)
      },
      "The ID, unique among questions.", .required)
    Field("host", \.host, .host, "The declared host, in any spelling.", .required)
    Field("kind", \.kind, .kind, "The kind of request.", as: "the kind of a request")
    Field(policy: \.policy, "The policy at the long limit.", isOfRequest: true)
    Field(pollOf: \.policy, isOfRequest: true)
    Field("pool", \.pool, .pool, "The pool, with its own dispatcher and connections (U12).")
  }

  static let dispatcherCommand = ObjectTable<(action: DispatcherKeyword, long: UInt32, pool: Int)>(
    "dispatcherCommand", owner: "\"dispatcher\"",
    "An action on the dispatcher of a pool (U10, U65).", (.limit, 0, 0)
  ) {
    Field("do", \.action, .keyword, "The action.", .required, as: "a dispatcher")
    Field(
      "long", \.long, .integer(0...UInt32(ScenarioLimits.connections)),
      "The new long limit, up to the total.", .none,
      with: .keywords("do", DispatcherKeyword.limit), needed: "a limit"
    ).kept { $0.action == .limit }
    Field("pool", \.pool, .pool, "The pool, with its own dispatcher and connections (U12).")
  } check: { builder, fields, root in
    let total = builder.script.configuration.requests.limits.total
    guard let value = fields["long"], root.long > total else { return }
    builder.reportLongAboveTotal(root.long, total, at: value)
  }
}

extension Codec where Value == RequestKind {
  fileprivate static var kind: Self {
    Self(
      .keyword(KindKeyword.self),
      { builder, value, owner in (builder.keyword(value, owner) as KindKeyword?)?.kind },
      write: { $0.keyword(KindKeyword($1)) })
  }
}

extension RequestKind {
  /// The default duration of the server's answer, or `nil` if it never ends.
  var defaultDuration: Interval? {
    switch self {
    case .short, .synchronous: .milliseconds(10)
    case .long, .exempt: nil
    }
  }
}

extension CallKind {
  /// The default duration of the server's answer, or `nil` if it never ends.
  var defaultDuration: Interval? {
    switch self {
    case .unary, .clientStreaming, .bidi: .milliseconds(10)
    case .streaming: nil
    }
  }
}

/// The options of a call, grouped by their effect on the channel.
enum CallOption: Hashable {
  /// A time in the key of the channel.
  case time(any WritableKeyPath<ChannelOptions, Interval?> & Sendable)
  /// Another part of the key of the channel.
  case other
  /// An option of the specifications that has no effect on the channel.
  case ignored
  /// The time that the call waits for its auth token (C6).
  case token
  /// Whether messages arrive only on request (I36).
  case flowControl

  /// The names of the options with their effects, in canonical order.
  static let all: [(name: String, option: CallOption)] =
    [
      ("connectMinTimeout", .time(\.connectMinTimeout)),
      ("connectInitialBackoff", .time(\.connectInitialBackoff)),
      ("connectMaxBackoff", .time(\.connectMaxBackoff)),
      ("keepaliveInterval", .time(\.keepaliveInterval)),
      ("keepaliveTimeout", .time(\.keepaliveTimeout)),
    ] + ChannelOptions.otherNames.map { ($0, .other) }
    + [
      ("serverAuthority", .ignored), ("flowControl", .flowControl), ("initialMetadata", .ignored),
      ("userAgentSuffix", .ignored), ("token", .token),
    ]

  static let object = ObjectFormat(
    "callOptions", owner: "\"options\"",
    "The options of a call; most belong to the channel's key (P2).",
    members: all.map { .init(key: $0.name, format: $0.option.format) })

  /// The options that an interceptor can change.
  static let rewritten = ObjectFormat(
    "rewrittenOptions", owner: "\"options\"", "The options that an interceptor changes.",
    members: object.members.filter { $0.key != "token" })

  private var format: KeyFormat {
    switch self {
    case .time(\.keepaliveTimeout):
      KeyFormat(.time, "A time in the channel's key; used only with `keepaliveInterval`.")
    case .time:
      KeyFormat(.time, "A time in the channel's key; `\"0s\"` selects the setting of the run.")
    case .other:
      KeyFormat(.scalar(isInKey: true), "A value in the channel's key, without another effect.")
    case .ignored: KeyFormat(.scalar(isInKey: false), "A value without an effect.")
    case .token: KeyFormat(.time, "The time that the call waits for its auth token (C6).")
    case .flowControl:
      KeyFormat(
        .either([.boolean, .null]), "Whether messages arrive only on request (I36).",
        .boolean(false))
    }
  }
}

extension Field where Root == ServerChange {
  /// An address of the host.
  fileprivate init(
    address key: String, _ path: Part<Root, Int?>, _ meaning: String, example: String
  ) {
    self.init(key, KeyFormat(.address, meaning, example: example)) { builder, member, change in
      change[keyPath: path] = change.host.flatMap { builder.address(member.value, of: $0) }
    } write: { encoder, change, _ in
      guard let host = change.host, let location = change[keyPath: path] else { return nil }
      return .text(encoder.script.address(location, of: host))
    }
  }
}
