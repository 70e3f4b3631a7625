/// The request limits of a run: those of the platform and those of the dispatcher in front of it.
public struct RequestConfiguration: Hashable, Sendable {
  /// The limits of the dispatcher; default those of the article, 4 and 3.
  public var limits = ConnectionLimitsPreset.iOS7.limits
  /// The number of connections to one endpoint that the platform allows, or `nil` for the total
  /// limit.
  ///
  /// If it is less than the total limit, the dispatcher cannot protect short requests (U9).
  public var platform: UInt32?
  /// The policy for a long request when the limit of long requests is reached.
  public var policy = LongLimitPolicy.throw
  /// Whether a request's timeout begins at its arrival instead of its start (U41).
  public var chargesWaiting = false
  /// The time for which a connection stays open after its last request.
  ///
  /// Default 0.
  public var keepAlive = Interval.zero
  /// The settings of the threads that run a dispatcher's requests, or `nil` if there are none.
  public var threads: ThreadConfiguration?

  /// Creates the configuration of the article.
  public init() {}

  /// The number of connections to one endpoint that the platform allows.
  public var platformLimit: UInt32 { platform ?? limits.total }
}

/// The settings of the thread pools of a run.
///
/// A dispatcher has a pool for each endpoint, with as many threads as requests may run
/// concurrently.
public struct ThreadConfiguration: Hashable, Sendable {
  /// The idle time after which a collection ends a thread, at least zero.
  public var idle: Interval
  /// The interval between collections, more than zero.
  public var collect: Interval

  /// Creates a configuration.
  ///
  /// `ThreadPoolTimes` has the times of the original (U70).
  public init(idle: Interval, collect: Interval) {
    self.idle = idle
    self.collect = collect
  }
}

/// A request that the timeline makes once.
public struct ScriptRequest: Hashable, Sendable {
  /// The name of the request in the scenario file.
  public var id: String
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// The kind that the caller declares.
  public var kind: RequestKind
  /// The time from the request to the response headers, or `nil` if they never arrive.
  public var responds: Interval?
  /// The time from the request to the end of the response, or `nil` if it never ends.
  public var takes: Interval?
  /// The interval at which the server sends data, or `nil` if it sends none.
  public var every: Interval?
  /// The request's own timeout, or `nil` for that of the client; zero disables it (U40).
  public var timeout: Interval?
  /// The time after arrival at which the request ends in any state, or `nil` if there is no limit.
  public var deadline: Interval?
  /// The policy for the request at the long limit, or `nil` for the policy of the run.
  public var policy: LongLimitPolicy?
  /// The request's pool, an index into ``Script/pools``.
  public var pool: Int
  /// The body of the request; only a connection pool distinguishes bodies.
  public var body: RequestBody

  /// Creates a request that the server answers immediately by default.
  public init(
    id: String, host: Int, kind: RequestKind, takes: Interval?, responds: Interval? = .zero,
    every: Interval? = nil, timeout: Interval? = nil, deadline: Interval? = nil,
    policy: LongLimitPolicy? = nil, pool: Int = 0, body: RequestBody = .none
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
    self.body = body
  }
}

/// A question to the dispatcher about a hypothetical request.
public struct ScriptQuestion: Hashable, Sendable {
  /// The name of the question in the scenario file.
  public var id: String
  /// The host, an index into ``Script/hosts``.
  public var host: Int
  /// The kind of the hypothetical request.
  public var kind: RequestKind
  /// The policy at the long limit, or `nil` for the policy of the run.
  public var policy: LongLimitPolicy?
  /// The pool that answers, an index into ``Script/pools``.
  public var pool: Int

  /// Creates a question.
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

/// An action of the timeline on a pool's dispatcher.
public enum DispatcherCommand: Hashable, Sendable {
  /// Sets the long limit to another value (U10).
  case setLongLimit(UInt32)
  /// Closes the dispatcher (U65).
  case close
}

extension ScriptHost {
  /// Creates a host that accepts immediately, with the name syntax of a kind of work.
  package init(written: String, for work: ClientKind.Work) {
    self.init(written: written)
    switch work {
    case .calls: break
    case .requests: name = HostName(ofRequest: written)
    }
  }

  /// Returns the key under which requests to the host are counted.
  ///
  /// - Parameter defects: the bugs to inject, for example the original's handling of keys (U4).
  /// - Returns: the key, or `nil` if no request can go to the host.
  package func endpointKey(defects: DispatcherDefects = []) -> EndpointKey? {
    // The name includes the port, so the scheme does not matter.
    name.flatMap { EndpointKey(url: "http://\($0.text)", defects: defects) }
  }
}
