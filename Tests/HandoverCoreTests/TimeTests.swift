import HandoverCore
import Testing

@Suite("Durations, instants and ratios")
struct TimeTests {
  static let least = Interval(microseconds: .min)

  @Test("Sums saturate at both ends")
  func saturateSums() {
    let one = Interval(microseconds: 1)
    #expect(Interval.maximum + one == .maximum)
    #expect(one + .maximum == .maximum)
    #expect(Interval.maximum + .maximum == .maximum)
    #expect(Self.least + Interval(microseconds: -1) == Self.least)
    #expect(Self.least + Self.least == Self.least)
    #expect(Interval.maximum + Interval(microseconds: -1) < .maximum)
    #expect(Interval.seconds(1) + .milliseconds(500) == .milliseconds(1_500))
  }

  @Test("Conversions from whole units saturate at both ends")
  func saturateUnits() {
    #expect(Interval.minutes(.max) == .maximum)
    #expect(Interval.seconds(.max) == .maximum)
    #expect(Interval.milliseconds(.max) == .maximum)
    #expect(Interval.seconds(.min) == Self.least)
    #expect(Interval.minutes(2) == .seconds(120))
    #expect(Interval.seconds(1) == Interval(microseconds: 1_000_000))
  }

  @Test("An instant beyond the range becomes never")
  func saturateInstants() {
    #expect(Instant.never + .seconds(1) == .never)
    #expect(Instant.zero + .maximum == .never)
    #expect(Instant(microseconds: 5).since(Instant(microseconds: 3)).microseconds == 2)
    #expect(Instant(microseconds: 3).since(Instant(microseconds: 5)).microseconds == -2)
    #expect(Instant.never.since(Instant(microseconds: -1)) == .maximum)
  }

  @Test(
    "A duration times a ratio is rounded down and saturates",
    arguments: [
      (0, 1, 1, 0), (1, 1, 2, 0), (10, 1, 3, 3), (1_000_000, 16, 10, 1_600_000),
      (7, 0, 5, 0), (.max, 1, 1, .max), (.max, 2, 1, .max), (.max, .max, 1, .max),
      (.max, 1, 2, .max / 2), (.max, .max, .max, .max), (.max, 3, 2, .max),
    ] as [(Int64, Int64, Int64, Int64)])
  func scale(length: Int64, upper: Int64, lower: Int64, expected: Int64) {
    let scaled = Interval(microseconds: length).scaled(by: Ratio(upper, outOf: lower))
    #expect(scaled.microseconds == expected)
  }

  @Test(
    "A duration is shown in the largest unit that is exact",
    arguments: [
      (0, "0s"), (1, "1us"), (999, "999us"), (1_000, "1ms"), (1_001, "1.001ms"),
      (1_500, "1.5ms"), (250_000, "250ms"), (1_000_000, "1s"), (1_500_000, "1.5s"),
      (1_050_000, "1.05s"), (1_001_000, "1.001s"), (1_000_001, "1000.001ms"),
      (60_000_000, "1min"), (90_000_000, "90s"), (120_000_000, "2min"), (60_500_000, "60.5s"),
      (3_600_000_000, "1h"), (5_400_000_000, "90min"), (7_200_000_000, "2h"), (-1_500, "-1.5ms"),
      (-500, "-500us"), (.max, "9223372036854775.807ms"),
    ] as [(Int64, String)])
  func haveText(microseconds: Int64, text: String) {
    #expect(Interval(microseconds: microseconds).text == text)
    #expect(Instant(microseconds: microseconds).text == text)
  }

  @Test("A ratio is never negative and never has a zero denominator")
  func trapOnImpossibleRatios() async {
    await #expect(processExitsWith: .failure) { _ = Ratio(-1, outOf: 1) }
    await #expect(processExitsWith: .failure) { _ = Ratio(1, outOf: 0) }
  }
}
