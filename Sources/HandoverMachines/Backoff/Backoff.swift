/// How long after the start of a connection attempt the next one may start (B1 to B4).
///
/// The first delay is the initial one without jitter. Each failed attempt makes the mean delay
/// longer by the multiplier, up to the maximum; a success starts over (D6).
public struct Backoff: BitwiseCopyable, Hashable, Sendable {
  /// The mean of the delay that goes with the next attempt.
  var mean: Interval
  var isFirst = true
  private(set) var generator: SeededGenerator

  /// Makes a backoff before its first attempt.
  public init(_ configuration: BackoffConfiguration, generator: SeededGenerator) {
    mean = configuration.firstDelay
    self.generator = generator
  }

  /// Draws the delay from the start of an attempt to the earliest start of the next one.
  @inline(__always)
  public mutating func delay(_ configuration: BackoffConfiguration) -> Interval {
    guard !isFirst else { return mean }
    let spread = mean.scaled(by: configuration.jitter)
    guard spread > .zero else { return mean }
    let drawn = generator.next(upToAndIncluding: spread.microseconds.magnitude &* 2)
    return mean + Interval(microseconds: Int64(clamping: drawn) - spread.microseconds)
  }

  /// The attempt failed: the next delay is longer.
  @inline(__always)
  public mutating func attemptFailed(_ configuration: BackoffConfiguration) {
    isFirst = false
    mean = min(mean.scaled(by: configuration.multiplier), configuration.maximum)
  }

  /// The attempt succeeded: the delays start over.
  ///
  /// What counts as success is the server's SETTINGS frame, not the TCP handshake (B4).
  @inline(__always)
  public mutating func attemptSucceeded(_ configuration: BackoffConfiguration) {
    isFirst = true
    mean = configuration.firstDelay
  }
}
