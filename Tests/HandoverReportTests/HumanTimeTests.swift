import HandoverCore
import Testing

@testable import HandoverReport

@Suite("Times for people")
struct HumanTimeTests {
  @Test(
    "A measured time has at most a tenth of a second",
    arguments: [
      (0, "0 s"), (1, "1 us"), (999, "999 us"), (50_000, "50 ms"), (50_499, "50 ms"),
      (999_499, "999 ms"), (999_500, "1.0 s"), (19_000_000, "19.0 s"), (19_049_999, "19.0 s"),
      (59_949_999, "59.9 s"), (59_950_000, "1 min"), (60_000_000, "1 min"),
      (902_000_000, "15 min 2 s"), (3_599_500_000, "1 h"), (3_780_000_000, "1 h 3 min"),
      (-19_000_000, "-19.0 s"), (.max, "2562047788 h 1 min"),
    ] as [(Int64, String)])
  func measured(_ microseconds: Int64, _ text: String) {
    #expect(HumanTime.measured(Interval(microseconds: microseconds)) == text)
  }

  @Test(
    "A time above a limit never looks like the limit",
    arguments: [
      (5_000_000, "5.0 s"), (5_000_001, "5.1 s"), (16_950_000, "17.0 s"), (59_900_001, "1 min"),
      (60_000_001, "1 min 1 s"), (200_000, "200 ms"), (200_001, "201 ms"),
    ] as [(Int64, String)])
  func roundedUp(_ microseconds: Int64, _ text: String) {
    #expect(HumanTime.measured(Interval(microseconds: microseconds), .up) == text)
  }

  @Test(
    "A configured time is shown exactly",
    arguments: [
      (0, "0 s"), (250, "250 us"), (1_500, "1.5 ms"), (50_000, "50 ms"), (7_550_000, "7.55 s"),
      (20_000_000, "20 s"), (1_000_001, "1.000001 s"), (920_000_000, "15 min 20 s"),
      (900_250_000, "15 min 0.25 s"), (3_600_000_000, "1 h"), (3_605_000_000, "1 h 5 s"),
      (-1_500_000, "-1.5 s"),
    ] as [(Int64, String)])
  func exact(_ microseconds: Int64, _ text: String) {
    #expect(Interval(microseconds: microseconds).exactText == text)
    #expect(Instant(microseconds: microseconds).exactText == text)
  }
}
