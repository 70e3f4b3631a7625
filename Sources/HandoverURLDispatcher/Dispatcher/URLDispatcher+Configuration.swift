public import HandoverCore
import HandoverThreadPool

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLDispatcher {
  /// The configuration of a dispatcher.
  public struct Configuration: Sendable {
    /// The limits of each endpoint (U7, U8); the total is at most 1,024.
    public var limits: ConnectionLimits
    /// The policy for long requests at the long limit that specify none themselves.
    public var policy: LongLimitPolicy
    /// Whether timeouts run from the arrival of a request instead of its start (U41); `false` by
    /// default.
    ///
    /// The timeouts of synchronous requests always run from their arrival (U87).
    public var chargesWaiting: Bool
    /// The clock of the dispatcher.
    public var clock: any URLDispatcherClock
    /// Called whenever the long limit holds back a request, under any policy.
    ///
    /// A thread of the dispatcher calls it without a lock, as soon as the admission is decided.
    public var limitReached: (@Sendable (LongLimitReached) -> Void)?

    /// Creates a configuration, by default with the policy and clock of the original dispatcher.
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

    /// A description of the first invalid value, or `nil` if the configuration is valid.
    var mistake: String? {
      let most = ThreadPool.Configuration.maximumThreadCount
      guard limits.total > most else { return nil }
      return "the limit is \(limits.total), and must be at most \(most)"
    }
  }

  /// Options of a single request.
  public struct Options: Sendable {
    /// The time after its arrival at which the request ends, even if it is still queued; `nil`
    /// means never.
    public var deadline: Duration?
    /// The policy for a long request at the long limit, or `nil` for the policy of the dispatcher.
    public var policy: LongLimitPolicy?
    /// The request that is sent repeatedly when a stream becomes short requests.
    ///
    /// If it is `nil`, the stream's own request is sent. It must go to the endpoint of the stream,
    /// and its own timeout applies to each repetition.
    public var poll: URLRequest?
    /// The handler of authentication challenges (U61), or `nil` for the default handling (U63).
    public var answer: (@Sendable (HTTPChallenge) async -> HTTPChallengeAnswer)?

    /// Creates options.
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

  /// How a dispatcher closes.
  public enum Closing: Hashable, Sendable {
    /// Accepted requests run to their end, including queued ones.
    case orderly
    /// Running requests are canceled and queued ones never start; each delegate is notified.
    case immediate
  }
}

/// A report that the long limit of an endpoint holds back a request.
public struct LongLimitReached: Sendable {
  /// The request.
  public var request: URLRequest
  /// The endpoint of the request.
  public var endpoint: EndpointKey
  /// The number of long requests of the endpoint, including waiting ones (U20).
  public var count: Int
  /// The admission of the request.
  public var admission: URLDispatcherAdmission
}

/// Counts of the requests of a dispatcher, all taken at one instant.
///
/// The sum `unfinished + finished + failed` is the number of requests that were ever accepted.
public struct URLDispatcherStatistics: Hashable, Sendable {
  /// The requests that have not ended.
  public internal(set) var unfinished = 0
  /// The requests that have ended with a response.
  public internal(set) var finished = 0
  /// The requests that have ended with an error.
  public internal(set) var failed = 0
  /// The requests that were refused.
  public internal(set) var refused = 0
  /// The number of errors that delegates have thrown (U54).
  public internal(set) var delegateErrors = 0
}
