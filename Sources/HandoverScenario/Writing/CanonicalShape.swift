import HandoverCore

/// The shape of a value in a scenario file, as needed for its canonical notation.
indirect enum CanonicalShape: Sendable {
  /// A string, a boolean, or a value without a meaning, such as a remark.
  case plain
  /// A number that is read exactly.
  case number
  /// A time.
  case time
  /// Reachability flags in any notation.
  case flags
  /// An array of values of one shape.
  case list(CanonicalShape)
  /// An object whose keys are names that the author chose; they keep the author's order.
  case names(CanonicalShape)
  /// An object with known keys, in their canonical order.
  case members([Member])

  /// A known key and the shape of its value.
  struct Member: Sendable {
    var key: String
    var shape: CanonicalShape

    init(_ key: String, _ shape: CanonicalShape = .plain) {
      self.key = key
      self.shape = shape
    }
  }
}

// The order of keys in each kind of object.
extension CanonicalShape {
  static let scenario: [Member] = [
    Member("$schema"), Member("format", .number), Member("id"), Member("title"),
    Member("source", .list(.members([Member("document"), Member("item")]))),
    Member("profiles", .list(.plain)), Member("initial", initial),
    Member("networks", .names(network)),
    Member("hosts", .names(host)), Member("config", configuration),
    Member("timeline", .list(entry)), Member("expect", .list(expectation)),
  ]

  private static let initial = CanonicalShape.members([
    Member("flags", .flags), Member("app"), Member("path"), Member("monitor"),
  ])

  private static let network = CanonicalShape.members([
    Member("kind"), Member("state"), Member("flags", .flags), Member("reaches", .list(.plain)),
    Member("allTraffic"), Member("addresses"), Member("nat64"),
    Member("names", .names(.list(.plain))),
  ])

  private static let host = CanonicalShape.members([
    Member("connect", .time), Member("server"), Member("names"), Member("streams", .number),
    Member(
      "addresses",
      .list(.members([Member("ip"), Member("connect", .time), Member("answer")]))),
  ])

  private static let backoff = CanonicalShape.members([
    Member("initial", .time), Member("multiplier", .number), Member("jitter", .number),
    Member("max", .time), Member("minConnectTimeout", .time),
  ])

  private static let interceptor = CanonicalShape.members([
    Member("kind"), Member("name"), Member("queues"), Member("global"), Member("host"),
    Member("path"), Member("safety"), Member("metadata", .names(.plain)), Member("prefix"),
    Member("answerPrefix"), Member("trailers", .names(.plain)), Member("deadline", .time),
    Member("failFast"), Member("options", options), Member("interceptors", .list(.plain)),
    Member("token"),
    Member("takes", .time), Member("expires", .time), Member("keep", .time),
    Member("messages", .list(.plain)), Member("status"), Member("calls"),
    Member("attempts", .number), Member("backoff", backoff),
  ])

  private static let configuration = CanonicalShape.members([
    Member("backoff", backoff), Member("idle", .time),
    Member(
      "keepalive",
      .members([
        Member("time", .time), Member("timeout", .time), Member("withoutCalls"),
        Member("overduePing"),
      ])),
    Member("clock"), Member("tcpTimeout", .time), Member("sendBuffer", .number),
    Member("happyEyeballs", .time),
    Member(
      "quic",
      .members([
        Member("migration"), Member("idleTimeout", .time), Member("connectionIds", .number),
        Member("maxMigrations", .number),
      ])), Member("cfstream"),
    Member("monitor", .members([Member("latency", .time), Member("watch")])),
    Member("order", .list(.plain)),
    Member("seed", .number),
    Member("until", .time), Member("interceptors", .list(interceptor)),
    Member("chain", .members([Member("creation"), Member("cancel"), Member("turns")])),
    Member("requests", requestSettings),
  ])

  private static let requestSettings = CanonicalShape.members([
    Member("preset"), Member("total", .number), Member("long", .number),
    Member("platform", .number), Member("policy"), Member("poll", .time),
    Member("chargesWaiting"), Member("keepAlive", .time),
    Member("threads", .members([Member("idle", .time), Member("collect", .time)])),
  ])

  private static let quality = CanonicalShape.members([
    Member("delay", .time), Member("rate"), Member("loss"), Member("burst", .number),
    Member("reorder"), Member("reorderBy", .time), Member("mtu", .number), Member("mtuSignal"),
    Member("trace"), Member("direction"),
  ])

  private static let entry = CanonicalShape.members([
    Member("at", .time),
    Member(
      "network",
      .members([
        Member("id"), Member("become"), Member("linger", .time), Member("then"), Member("nat"),
        Member("roam"), Member("unknown"), Member("uplink"), Member("loss"),
        Member("quality", quality),
        Member("for", .time), Member("every", .time),
      ])), Member("device"), Member("address"),
    Member("flags", .flags), Member("path"), Member("links", .names(.plain)),
    Member("app"), Member("call", call), Member("start"), Member("cancel"), Member("finish"),
    Member("send", .members([Member("call"), Member("bytes", .number)])), Member("disconnect"),
    Member("server", .members([Member("host"), Member("do")])),
    Member("names", .members([Member("host"), Member("do")])),
    Member("transport", .members([Member("host"), Member("become")])),
    Member("monitor", .members([Member("do"), Member("by", .time), Member("network")])),
    Member("receive", .members([Member("call"), Member("messages", .number)])),
    Member(
      "interceptor",
      .members([Member("name"), Member("call"), Member("do"), Member("status")])),
    Member("request", request), Member("ask", question),
    Member("dispatcher", .members([Member("do"), Member("long", .number), Member("pool")])),
  ])

  private static let request = CanonicalShape.members([
    Member("id"), Member("host"), Member("kind"), Member("responds", .time),
    Member("takes", .time), Member("every", .time), Member("timeout", .time),
    Member("deadline", .time), Member("policy"), Member("poll", .time), Member("pool"),
  ])

  private static let question = CanonicalShape.members([
    Member("id"), Member("host"), Member("kind"), Member("policy"), Member("poll", .time),
    Member("pool"),
  ])

  private static let call = CanonicalShape.members([
    Member("id"), Member("host"), Member("kind"), Member("takes", .time), Member("every", .time),
    Member("deadline", .time), Member("failFast"), Member("starts"), Member("options", options),
    Member("path"), Member("safety"), Member("metadata", .names(.plain)), Member("marshaller"),
    Member("legacy"),
  ])

  private static let options = CanonicalShape.members(
    [
      "connectMinTimeout", "connectInitialBackoff", "connectMaxBackoff", "keepaliveInterval",
      "keepaliveTimeout",
    ].map { Member($0, .time) }
      + ChannelOptions.otherNames.map { Member($0) }
      + ["serverAuthority", "flowControl", "initialMetadata", "userAgentSuffix"].map { Member($0) }
      + [Member("token", .time)])

  private static let expectation = CanonicalShape.members(
    [Member("profiles", .list(.plain)), Member("level")] + subjects
      + [Member("never", .members(subjects))]
      + [Member("anyOf", .list(ending))] + times + [Member("shows", .list(.plain))])

  private static let times: [Member] = [
    Member("at", .time), Member("within", .list(.time)), Member("before", .time),
    Member("after", .time),
  ]

  private static let ending = CanonicalShape.members(
    [Member("status"), Member("message"), Member("channel")] + times)

  private static let subjects: [Member] = [
    Member("call"),
    Member(
      "channels",
      .members([
        Member("host"), Member("alive", .number), Member("destroyed", .number), Member("state"),
      ])),
    Member(
      "connections",
      .members([
        Member("host"), Member("attempts", .number), Member("open", .number), Member("path"),
      ])),
    Member(
      "server",
      .members([
        Member("host"), Member("received", .number), Member("accepted", .number),
        Member("twice", .number), Member("address"), Member("path"), Member("since", .time),
      ])),
    Member(
      "kernel",
      .members([
        Member("retransmitted", .number), Member("resets", .number), Member("sockets", .number),
      ])),
    Member("monitor", .members([Member("notifications", .number)])),
    Member(
      "interceptor",
      .members([
        Member("name"), Member("call"), Member("made"), Member("sees", .list(.plain)),
        Member("breaks", .list(.plain)),
      ])),
    Member(
      "chain",
      .members([
        Member("call"), Member("attempts", .number), Member("links", .list(.plain)),
        Member("host"), Member("path"), Member("metadata", .names(.plain)),
        Member("sent", .list(.plain)), Member("heard", .list(.plain)),
        Member("trailers", .names(.plain)), Member("breaks", .list(.plain)),
      ])), Member("request"), Member("ask"), Member("requests", requests), Member("status"),
    Member("message"), Member("channel"), Member("outcome"), Member("code", .number),
    Member("answer"), Member("admission"), Member("position", .number), Member("begins", .time),
    Member("polls", .number), Member("thread", .number), Member("holders", .list(.plain)),
  ]

  private static let requests = CanonicalShape.members([
    Member("host"), Member("running", .number), Member("waiting", .number),
    Member("frozen", .number), Member("ended", .number), Member("open", .number),
    Member("opened", .number), Member("most", .number), Member("limitReached", .number),
    Member("threads", .number), Member("idleThreads", .number), Member("threadsMade", .number),
    Member("mostThreads", .number),
  ])
}
