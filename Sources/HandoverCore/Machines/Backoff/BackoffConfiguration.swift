/// The parameters of the connection backoff (B1, B5).
public struct BackoffConfiguration: Hashable, Sendable {
  /// The delay after the first attempt, without jitter and at most ``maximum``.
  ///
  /// The default is 1 s.
  public var initial: Interval
  /// The factor by which each further delay is longer.
  ///
  /// The default is 1.6.
  public var multiplier: Ratio
  /// The maximum deviation of a delay from its mean, as a fraction of the mean from 0 to 1.
  ///
  /// The default is 0.2.
  public var jitter: Ratio
  /// The longest mean delay.
  ///
  /// The default is 120 s.
  public var maximum: Interval
  /// The minimum timeout of an attempt, used if the backoff is shorter.
  ///
  /// The default is 20 s.
  public var minimumConnectTimeout: Interval

  /// The mean delay after the first attempt: ``initial``, or ``maximum`` if that is shorter.
  package var firstDelay: Interval { min(initial, maximum) }

  /// Creates a configuration, by default with the numbers of the specifications.
  public init(
    initial: Interval = .seconds(1), multiplier: Ratio = Ratio(16, outOf: 10),
    jitter: Ratio = Ratio(2, outOf: 10), maximum: Interval = .seconds(120),
    minimumConnectTimeout: Interval = .seconds(20)
  ) {
    self.initial = initial
    self.multiplier = multiplier
    self.jitter = jitter
    self.maximum = maximum
    self.minimumConnectTimeout = minimumConnectTimeout
  }
}
