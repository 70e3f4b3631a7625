import HandoverCore
import Testing

@testable import HandoverScenario

@Suite("Times")
struct TimeNotationTests {
  @Test(
    "Times are read exactly",
    arguments: [
      ("0s", 0), ("250ms", 250_000), ("1.5s", 1_500_000), ("2min", 120_000_000),
      ("1h", 3_600_000_000), ("40us", 40), ("0.001ms", 1), ("0.001h", 3_600_000),
      ("1.25min", 75_000_000), ("007s", 7_000_000), ("2.000us", 2),
      ("1000000h", 3_600_000_000_000_000),
    ])
  func good(text: String, microseconds: Int64) {
    let interval = Interval(microseconds: microseconds)
    #expect(TimeNotation.parse(text) == .success(.init(interval: interval, isRelative: false)))
    #expect(TimeNotation.parse("+" + text) == .success(.init(interval: interval, isRelative: true)))
  }

  @Test(
    "Invalid times are refused with the reason",
    arguments: [
      ("", .malformed), ("s", .malformed), ("+", .malformed), (".5s", .malformed),
      ("1.s", .malformed), (" 1s", .malformed), ("-1s", .negative), ("+-1s", .negative),
      ("1", .withoutUnit), ("1.5", .withoutUnit), ("1S", .unknownUnit("S")),
      ("1m", .unknownUnit("m")), ("1 s", .unknownUnit(" s")), ("1s ", .unknownUnit("s ")),
      ("1,5s", .unknownUnit(",5s")), ("1e3s", .unknownUnit("e3s")), ("1ns", .unknownUnit("ns")),
      ("1µs", .unknownUnit("µs")), ("1.2345s", .tooManyDecimals), ("0.5us", .tooFine),
      ("0.0005h", .tooManyDecimals), ("1.5us", .tooFine), ("9223372036854775807us", .outOfRange),
      ("99999999999999999999999s", .outOfRange), ("1000000.001h", .outOfRange),
      ("9223372036854775807h", .outOfRange),
    ] as [(String, TimeNotation.Problem)])
  func bad(text: String, problem: TimeNotation.Problem) {
    #expect(TimeNotation.parse(text) == .failure(problem))
  }

  @Test(
    "Times are written in the largest unit with at most three decimals",
    arguments: [
      (0, "0s"), (1, "1us"), (40, "40us"), (1_500, "1.5ms"), (250_000, "250ms"),
      (1_000_000, "1s"), (1_234_567, "1234.567ms"), (90_000_000, "90s"),
      (3_600_000_000, "1h"), (3_599_000_000, "3599s"), (-1, "-1us"),
    ])
  func written(microseconds: Int64, text: String) {
    #expect(Interval(microseconds: microseconds).text == text)
  }

  @Test("A written time is read back unchanged", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bound = UInt64(10) << generator.next(upToAndIncluding: 47)
      let microseconds = Int64(generator.next(upToAndIncluding: bound))
      let interval = Interval(microseconds: microseconds)
      guard interval <= ScenarioLimits.longestTime else { continue }
      let text = interval.text
      #expect(
        TimeNotation.parse(text) == .success(.init(interval: interval, isRelative: false)),
        "\(text), seed \(seed)")
    }
  }
}
