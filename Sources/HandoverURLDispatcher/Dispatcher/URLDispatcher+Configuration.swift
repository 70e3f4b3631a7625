public import HandoverDispatcher
import HandoverThreadPool

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLDispatcher {
  /// What a dispatcher is made with.
  public struct Configuration: Sendable {
    /// The limits of each endpoint (U7, U8); at most 1,024 in all.
    public var limits: ConnectionLimits
    /// What becomes of a long request at the long limit, where it does not say itself.
    public var policy: LongLimitPolicy
    /// Whether time-outs begin when requests arrive; when they start unless told so (U41).
    ///
    /// Those of synchronous requests always begin when they arrive (U87).
    public var chargesWaiting: Bool
    /// Where the time comes from.
    public var clock: any URLDispatcherClock
    /// Called whenever the long limit holds a request back, whatever the policy, as soon as the
    /// answer is known; by a thread of the dispatcher's, under no lock.
    public var limitReached: (@Sendable (LongLimitReached) -> Void)?

    /// A configuration with the original's policy and clock.
    public init(
      limits: ConnectionLimits, policy: LongLimitPolicy = .throw, chargesWaiting: Bool = false,
      clock: any URLDispatcherClock = SystemURLDispatcherClock(),
      limitReached: (@Sendable (LongLimitReached) -> Void)? = nil
    ) {
      self.limits = limits
      self.policy = policy
      self.chargesWaiting = chargesWaiting
      self.clock = clock
      self.limitReached = limitReached
    }

    /// What is wrong with it, in words; nil if nothing is.
    var mistake: String? {
      let most = ThreadPool.Configuration.mostThreads
      guard limits.total > most else { return nil }
      return "the limit is \(limits.total), and must be at most \(most)"
    }
  }

  /// What a request may bring along beside itself.
  public struct Options: Sendable {
    /// When it ends wherever it stands, in the queue too, from its arrival on; nil for never.
    public var deadline: Duration?
    /// What becomes of a long one at the long limit; nil for the dispatcher's own policy.
    public var policy: LongLimitPolicy?
    /// What is sent instead, again and again, when a stream becomes short requests; nil for the
    /// request itself.
    ///
    /// It goes to the endpoint of the request, and its own time-out bounds each of them.
    public var poll: URLRequest?
    /// Who answers a server that wants to know who asks (U61); nobody where nil (U63).
    public var answer: (@Sendable (HTTPChallenge) async -> HTTPChallengeAnswer)?

    /// Options.
    public init(
      deadline: Duration? = nil, policy: LongLimitPolicy? = nil, poll: URLRequest? = nil,
      answer: (@Sendable (HTTPChallenge) async -> HTTPChallengeAnswer)? = nil
    ) {
      self.deadline = deadline
      self.policy = policy
      self.poll = poll
      self.answer = answer
    }
  }

  /// How a dispatcher comes to its end.
  public enum Closing: Hashable, Sendable {
    /// What was accepted goes on to its end, in the queue too.
    case orderly
    /// What runs is given up, and what waits never starts; each is told so.
    case immediate
  }
}

/// That the long limit of an endpoint holds a request back.
public struct LongLimitReached: Sendable {
  /// The request.
  public var request: URLRequest
  /// Its endpoint.
  public var endpoint: EndpointKey
  /// How many long requests the endpoint has, those that wait included (U20).
  public var count: Int
  /// What becomes of the request.
  public var admission: URLDispatcherAdmission
}

/// What a dispatcher has and has done, all of one instant.
///
/// `unfinished + finished + failed` is the number of requests that were ever accepted.
public struct URLDispatcherNumbers: Hashable, Sendable {
  /// The requests that have not ended.
  public internal(set) var unfinished = 0
  /// The requests that have ended with a response.
  public internal(set) var finished = 0
  /// The requests that have ended with an error.
  public internal(set) var failed = 0
  /// The requests that were refused.
  public internal(set) var refused = 0
  /// How often a delegate threw an error (U54).
  public internal(set) var delegateErrors = 0
}
