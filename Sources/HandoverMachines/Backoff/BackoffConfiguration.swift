/// The numbers of the connection backoff (B1, B5).
public struct BackoffConfiguration: Hashable, Sendable {
  /// The delay after the first attempt; never jittered, and at most the maximum.
  ///
  /// Default 1 s.
  public var initial: Interval
  /// How much longer each further delay is.
  ///
  /// Default 1.6.
  public var multiplier: Ratio
  /// How far a delay may lie from its mean, as a part of it, from 0 to 1.
  ///
  /// Default 0.2.
  public var jitter: Ratio
  /// The longest mean delay.
  ///
  /// Default 120 s.
  public var maximum: Interval
  /// How long an attempt may last even when the backoff is shorter.
  ///
  /// Default 20 s.
  public var minimumConnectTimeout: Interval

  /// The mean of the delay after the first attempt: the initial delay, or the maximum if the
  /// maximum is shorter.
  package var firstDelay: Interval { min(initial, maximum) }

  /// Makes a configuration; without arguments, the documents' numbers.
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
