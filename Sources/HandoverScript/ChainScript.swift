public import HandoverMachines

/// The interceptors that a run puts between its calls and the channel pool.
///
/// They are described and not made: the core knows no interceptor, a backend makes them of this.
public struct ChainScript: Hashable, Sendable {
  /// The links, first to last.
  public var links: [LinkScript] = []
  /// Whether all links are made when a call starts (L50), and not each when it is needed (I4).
  public var isEager = true
  /// Whether the base interceptor closes by itself on a cancel (I18), and does not only forward it.
  public var closesOnCancel = false
  /// Whether the queues of the links take turns in random order, and not in that of their tasks.
  public var isShuffled = false

  /// No interceptors: calls go to the pool directly (I6).
  public init() {}

  /// The index of a link; nil where none has the name.
  public func index(of name: String) -> Int? {
    links.firstIndex { $0.name == name }
  }
}

/// One interceptor of a run.
public struct LinkScript: Hashable, Sendable {
  /// The name, which no other link of the run has.
  public var name: String
  /// What it does.
  public var kind: LinkKind
  /// The queues it works on.
  public var queues: LinkQueues
  /// Whether it is the global interceptor, which comes after all others (I33).
  public var isGlobal: Bool

  /// Makes a link.
  public init(
    name: String, kind: LinkKind, queues: LinkQueues = .own, isGlobal: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.queues = queues
    self.isGlobal = isGlobal
  }
}

/// The queues of a link.
public enum LinkQueues: String, Hashable, Sendable, CaseIterable {
  /// One for both directions (I12).
  case own
  /// One for each direction (L50).
  case separate
  /// One for the links of this name of all calls.
  case shared
  /// One for each direction, both on the threads of one concurrent queue (L50).
  case concurrent
}

/// What an interceptor of a run does.
public enum LinkKind: Hashable, Sendable {
  /// Forwards everything.
  case forward
  /// Its factory makes no link (I5, I34).
  case none
  /// Tells every event.
  case logging
  /// Counts calls, messages and times.
  case metrics
  /// Changes what passes.
  case rewrite(RewriteScript)
  /// Gives calls an access token; `takes` to get one, nil where there is none to get.
  case token(String?, takes: Interval, expires: Interval?)
  /// Answers cacheable calls from what it has seen.
  case cache(keep: Interval)
  /// Answers calls by itself.
  case mock(MockScript)
  /// Calls again where the network failed.
  case retry(attempts: Int, backoff: BackoffConfiguration, calls: RepeatableCalls = .idempotent)
  /// Does what the timeline says.
  case gate
}

/// A header or trailer of a run.
public struct ScriptHeader: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The value.
  public var value: String

  /// Makes a header.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// What a link that changes things changes.
public struct RewriteScript: Hashable, Sendable {
  /// The host to call instead, as a place in ``Script/hosts``.
  public var host: Int?
  /// The path to call instead.
  public var path: String?
  /// The verb to use instead.
  public var safety: CallSafety?
  /// Headers to send beside those of the call.
  public var metadata: [ScriptHeader] = []
  /// Text to put before each message that is sent.
  public var prefix = ""
  /// Text to put before each message that is received.
  public var answerPrefix = ""
  /// Trailers to give the user beside the server's.
  public var trailers: [ScriptHeader] = []
  /// How long after its start the call gives up instead.
  public var deadline: Interval?
  /// Whether the call ends at once in TRANSIENT_FAILURE instead (D7).
  public var failFast: Bool?
  /// Whether messages come only as they are asked for instead (I36).
  public var hasFlowControl: Bool?
  /// Options of the channel's key, beside those of the call.
  public var options = ChannelOptions()
  /// The interceptors to name instead, as places in ``ChainScript/links``; without effect (I3).
  public var links: [Int]?

  /// Changes nothing.
  public init() {}
}

/// How a link answers calls by itself.
public struct MockScript: Hashable, Sendable {
  /// The path of the calls that it answers; nil answers all.
  public var path: String?
  /// How long it takes from the end of the requests.
  public var takes = Interval.zero
  /// The messages of the answer.
  public var messages: [String] = []
  /// The status of the answer.
  public var status = StatusCode.ok

  /// An empty OK at once.
  public init() {}
}
