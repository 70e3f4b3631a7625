public import HandoverDispatcher
public import HandoverMachines

/// How a run limits its requests: what the platform allows, and the dispatcher in front of it.
public struct RequestConfiguration: Hashable, Sendable {
  /// The limits of the dispatcher; default those of the article, 4 and 3.
  public var limits = ConnectionLimitsPreset.iOS7.limits
  /// How many connections to one endpoint the platform lets live; nil as many as the total.
  ///
  /// Where it is less than the total, the dispatcher's protection is void (U9).
  public var platform: UInt32?
  /// What becomes of a long request at the long limit.
  public var policy = LongLimitPolicy.throw
  /// Whether a request's time-out begins with its arrival rather than its start (U41).
  public var chargesWaiting = false
  /// How long a connection is kept open after its last request.
  ///
  /// Default 0.
  public var keepAlive = Interval.zero
  /// How long the threads live that run the requests of a dispatcher; nil where a run has none.
  public var threads: ThreadConfiguration?

  /// The numbers of the article.
  public init() {}

  /// How many connections to one endpoint the platform lets live.
  public var platformLimit: UInt32 { platform ?? limits.total }
}

/// How the pools of threads of a run are kept: one for each endpoint of a dispatcher, with as many
/// threads as requests may run at once.
public struct ThreadConfiguration: Hashable, Sendable {
  /// How long a thread must have been idle before a collection ends it, at least zero.
  public var idle: Interval
  /// How far apart collections are, more than zero.
  public var collect: Interval

  /// Makes a configuration; the reader of scenarios knows the times of the original (U70).
  public init(idle: Interval, collect: Interval) {
    self.idle = idle
    self.collect = collect
  }
}

/// A request as the timeline makes it, once.
public struct ScriptRequest: Hashable, Sendable {
  /// The name the file knows it by.
  public var id: String
  /// Its host, an index into ``Script/hosts``.
  public var host: Int
  /// What its caller says it is.
  public var kind: RequestKind
  /// How long the server takes from the request to the headers of its response; nil never.
  public var responds: Interval?
  /// How long the server takes from the request to the end of the response; nil never ends.
  public var takes: Interval?
  /// How often the server sends data; nil never.
  public var every: Interval?
  /// The request's own time-out; zero has none (U40).
  ///
  /// Default 60 s.
  public var timeout: Interval
  /// How long after its arrival it ends wherever it stands; nil never.
  public var deadline: Interval?
  /// What becomes of it at the long limit; nil for the run's policy.
  public var policy: LongLimitPolicy?
  /// The pool it belongs to, an index into ``Script/pools``.
  public var pool: Int

  /// Makes a request that is answered as soon as it reaches its server.
  public init(
    id: String, host: Int, kind: RequestKind, takes: Interval?, responds: Interval? = .zero,
    every: Interval? = nil, timeout: Interval = .seconds(60), deadline: Interval? = nil,
    policy: LongLimitPolicy? = nil, pool: Int = 0
  ) {
    self.id = id
    self.host = host
    self.kind = kind
    self.takes = takes
    self.responds = responds
    self.every = every
    self.timeout = timeout
    self.deadline = deadline
    self.policy = policy
    self.pool = pool
  }
}

/// A question to the dispatcher about a request that is not made.
public struct ScriptQuestion: Hashable, Sendable {
  /// The name the file knows it by.
  public var id: String
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// What the request would be.
  public var kind: RequestKind
  /// What would become of it at the long limit; nil for the run's policy.
  public var policy: LongLimitPolicy?
  /// The pool that is asked, an index into ``Script/pools``.
  public var pool: Int

  /// Makes a question.
  public init(
    id: String, host: Int, kind: RequestKind, policy: LongLimitPolicy? = nil, pool: Int = 0
  ) {
    self.id = id
    self.host = host
    self.kind = kind
    self.policy = policy
    self.pool = pool
  }
}

/// What the timeline does to a pool's dispatcher.
public enum DispatcherCommand: Hashable, Sendable {
  /// The long limit is set to another number (U10).
  case setLongLimit(UInt32)
  /// The dispatcher is closed (U65).
  case close
}

extension ScriptHost {
  /// Makes a host that accepts at once, as a scenario of requests or of calls takes its name.
  package init(written: String, isOfRequests: Bool) {
    self.init(written: written)
    if isOfRequests { name = HostName(ofRequest: written) }
  }

  /// What requests to the host are counted by.
  ///
  /// - Parameter defects: the original's way with keys, where it is wanted (U4).
  /// - Returns: the key; nil where no request can go to the host.
  package func endpointKey(defects: DispatcherDefects = []) -> EndpointKey? {
    // The name says its port, so that the scheme does not matter.
    name.flatMap { EndpointKey(url: "http://\($0.text)", defects: defects) }
  }
}
