/// The interceptors that a run puts between its calls and the channel pool.
///
/// A chain script only describes interceptors. The core does not know interceptors, and a backend
/// creates them from this description.
public struct ChainScript: Hashable, Sendable {
  /// The interceptors, first to last.
  public var links: [InterceptorScript] = []
  /// Whether all interceptors are created when a call starts (L50) instead of when needed (I4).
  public var isEager = true
  /// Whether the base interceptor itself sends a close on a cancel (I18) instead of only forwarding
  /// it.
  public var closesOnCancel = false
  /// Whether the queues of the interceptors run in random order instead of in the order of their
  /// tasks.
  public var isShuffled = false

  /// Creates an empty chain: calls go to the pool directly (I6).
  public init() {}

  /// Returns the index of an interceptor, or `nil` if none has the name.
  public func index(of name: String) -> Int? {
    links.firstIndex { $0.name == name }
  }
}

/// One interceptor of a run.
public struct InterceptorScript: Hashable, Sendable {
  /// The name, unique within the run.
  public var name: String
  /// The kind of interceptor.
  public var kind: InterceptorKind
  /// The queues that the interceptor works on.
  public var queues: InterceptorQueueChoice
  /// Whether it is the global interceptor, which comes after all others (I33).
  public var isGlobal: Bool

  /// Creates an interceptor.
  public init(
    name: String, kind: InterceptorKind, queues: InterceptorQueueChoice = .own,
    isGlobal: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.queues = queues
    self.isGlobal = isGlobal
  }
}

/// The dispatch queues of an interceptor.
public enum InterceptorQueueChoice: String, Hashable, Sendable, CaseIterable {
  /// One queue for both directions (I12).
  case own
  /// One queue for each direction (L50).
  case separate
  /// One queue for the interceptors of this name in all calls.
  case shared
  /// One queue for each direction, both targeting one concurrent queue (L50).
  case concurrent
}

/// The behavior of an interceptor.
public enum InterceptorKind: Hashable, Sendable {
  /// Forwards everything.
  case forward
  /// Has a factory that creates no interceptor (I5, I34).
  case none
  /// Logs every event.
  case logging
  /// Counts calls, messages and times.
  case metrics
  /// Rewrites calls, messages and trailers.
  case rewrite(RewriteScript)
  /// Adds an access token to calls.
  ///
  /// The token arrives after the time `takes`; a token of `nil` means that none is available.
  case token(String?, takes: Interval, expires: Interval?)
  /// Answers cacheable calls from earlier answers.
  case cache(keep: Interval)
  /// Answers calls without a server.
  case mock(MockScript)
  /// Repeats calls after a network failure.
  case retry(attempts: Int, backoff: BackoffConfiguration, calls: RepeatableCalls = .idempotent)
  /// Performs the actions that the timeline scripts.
  case gate
}

/// A header or trailer of a run.
public struct ScriptHeader: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The value.
  public var value: String

  /// Creates a header.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// The changes that a rewriting interceptor makes.
public struct RewriteScript: Hashable, Sendable {
  /// The host to call instead, as an index into ``Script/hosts``.
  public var host: Int?
  /// The path to call instead.
  public var path: String?
  /// The safety class to use instead.
  public var safety: CallSafety?
  /// Headers to send in addition to those of the call.
  public var metadata: [ScriptHeader] = []
  /// Text to put before each message that is sent.
  public var prefix = ""
  /// Text to put before each message that is received.
  public var answerPrefix = ""
  /// Trailers to give the user in addition to those of the server.
  public var trailers: [ScriptHeader] = []
  /// The deadline to set for the call after its start, or `nil` to keep the call's own.
  public var deadline: Interval?
  /// Whether the call ends immediately in TRANSIENT_FAILURE (D7), or `nil` to keep the call's
  /// setting.
  public var failFast: Bool?
  /// Whether messages arrive only on request (I36), or `nil` to keep the call's setting.
  public var hasFlowControl: Bool?
  /// Options of the channel's key, in addition to those of the call.
  public var options = ChannelOptions()
  /// The interceptors to name instead, as indices into ``ChainScript/links``; no effect (I3).
  public var links: [Int]?

  /// Creates a rewrite that changes nothing.
  public init() {}
}

/// The answer that an interceptor gives without a server.
public struct MockScript: Hashable, Sendable {
  /// The path of the calls to answer, or `nil` to answer all calls.
  public var path: String?
  /// The time from the end of the requests to the answer.
  public var takes = Interval.zero
  /// The messages of the answer.
  public var messages: [String] = []
  /// The status of the answer.
  public var status = StatusCode.ok

  /// Creates an empty answer with status OK and no delay.
  public init() {}
}
