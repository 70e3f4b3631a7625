/// The minimum time between the starts of two connection attempts (B1 to B4).
///
/// The first delay is the initial delay without jitter. Each failed attempt multiplies the mean
/// delay by the multiplier, up to the maximum. A success resets the delay (D6).
public struct Backoff: BitwiseCopyable, Hashable, Sendable {
  /// The mean of the next delay.
  package internal(set) var mean: Interval
  var isFirst = true
  private(set) var generator: SeededGenerator

  /// Creates a backoff before its first attempt.
  public init(_ configuration: BackoffConfiguration, generator: SeededGenerator) {
    mean = configuration.firstDelay
    self.generator = generator
  }

  /// Returns the delay, with jitter, from the start of an attempt to the earliest start of the next
  /// one.
  public mutating func nextDelay(using configuration: BackoffConfiguration) -> Interval {
    guard !isFirst else { return mean }
    let spread = mean.scaled(by: configuration.jitter)
    guard spread > .zero else { return mean }
    let drawn = generator.next(upToAndIncluding: spread.microseconds.magnitude &* 2)
    return mean + Interval(microseconds: Int64(clamping: drawn) - spread.microseconds)
  }

  /// Increases the delay after a failed attempt.
  public mutating func recordFailure(using configuration: BackoffConfiguration) {
    isFirst = false
    mean = min(mean.scaled(by: configuration.multiplier), configuration.maximum)
  }

  /// Resets the delay after a successful attempt.
  ///
  /// An attempt succeeds with the server's SETTINGS frame, not with the TCP handshake (B4).
  public mutating func recordSuccess(using configuration: BackoffConfiguration) {
    isFirst = true
    mean = configuration.firstDelay
  }
}
