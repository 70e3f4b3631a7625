import Testing

@testable import HandoverCore

@Suite("The backoff")
struct BackoffTests {
  /// Returns the delays before and after failures, one for each attempt.
  func delays(
    _ count: Int, _ configuration: BackoffConfiguration, seed: UInt64 = 1
  ) -> [Int64] {
    var backoff = Backoff(configuration, generator: SeededGenerator(seed: seed))
    return (0..<count).map { _ in
      let delay = backoff.nextDelay(using: configuration)
      backoff.recordFailure(using: configuration)
      return delay.microseconds
    }
  }

  @Test("Without jitter the delays are the documented numbers (B1, B3)")
  func growsAsDocumented() {
    #expect(
      delays(14, .withoutJitter) == [
        1_000_000, 1_600_000, 2_560_000, 4_096_000, 6_553_600, 10_485_760, 16_777_216,
        26_843_545, 42_949_672, 68_719_475, 109_951_160, 120_000_000, 120_000_000, 120_000_000,
      ])
  }

  @Test("The first delay, and the first after a success, have no jitter (B1, D6)")
  func doesNotJitterTheFirst() {
    let configuration = BackoffConfiguration()
    for seed in UInt64(0)..<100 {
      var backoff = Backoff(configuration, generator: SeededGenerator(seed: seed))
      #expect(backoff.nextDelay(using: configuration) == .seconds(1))
      backoff.recordFailure(using: configuration)
      _ = backoff.nextDelay(using: configuration)
      backoff.recordSuccess(using: configuration)
      #expect(backoff.nextDelay(using: configuration) == .seconds(1))
    }
  }

  @Test("Jitter stays within its fraction of the mean, on both sides (B1)")
  func keepsItsBounds() {
    let configuration = BackoffConfiguration()
    var backoff = Backoff(configuration, generator: SeededGenerator(seed: 9))
    backoff.recordFailure(using: configuration)
    let drawn = (0..<10_000).map { _ in backoff.nextDelay(using: configuration).microseconds }
    #expect(drawn.allSatisfy { (1_280_000...1_920_000).contains($0) })
    #expect(drawn.contains { $0 < 1_300_000 })
    #expect(drawn.contains { $0 > 1_900_000 })
    let mean = drawn.reduce(0, +) / 10_000
    #expect((1_590_000...1_610_000).contains(mean))
  }

  @Test("Two seeds give different delays, and one seed gives the same delays")
  func isDecidedByItsSeed() {
    let configuration = BackoffConfiguration()
    #expect(delays(8, configuration, seed: 1) == delays(8, configuration, seed: 1))
    #expect(delays(8, configuration, seed: 1) != delays(8, configuration, seed: 2))
  }

  @Test("A success restarts the delays (D6)")
  func startsOver() {
    var backoff = Backoff(.withoutJitter, generator: SeededGenerator(seed: 1))
    for _ in 0..<5 { backoff.recordFailure(using: .withoutJitter) }
    #expect(backoff.nextDelay(using: .withoutJitter) == Interval(microseconds: 10_485_760))
    backoff.recordSuccess(using: .withoutJitter)
    #expect(backoff.nextDelay(using: .withoutJitter) == .seconds(1))
    backoff.recordFailure(using: .withoutJitter)
    #expect(backoff.nextDelay(using: .withoutJitter) == .milliseconds(1_600))
  }

  @Test("Jitter of 100 % never makes a delay negative, and the longest delay does not overflow")
  func bearsExtremes() {
    let wild = BackoffConfiguration(
      initial: .maximum, multiplier: Ratio(100, outOf: 1), jitter: Ratio(1, outOf: 1),
      maximum: .maximum)
    #expect(delays(50, wild).allSatisfy { $0 >= 0 })
    let still = BackoffConfiguration(initial: .zero, jitter: Ratio(1, outOf: 1))
    #expect(delays(5, still) == [0, 0, 0, 0, 0])
  }
}
