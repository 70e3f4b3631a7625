import HandoverCore
import HandoverReport
import Testing

@Suite("The progress of long work")
struct ProgressTextTests {
  private static func text(_ done: Int, _ running: Int, _ failed: Int, _ seconds: Int64) -> String {
    var text = ProgressText(total: 12, noun: "scenario", label: nil)
    (text.done, text.running, text.failed) = (done, running, failed)
    text.elapsed = .seconds(seconds)
    return text.line()
  }

  @Test("The progress shows finished, running and failed cases, and the estimated rest if known")
  func words() {
    #expect(Self.text(0, 2, 0, 30) == "0 of 12 scenarios, 2 running")
    #expect(Self.text(3, 2, 1, 1) == "3 of 12 scenarios, 2 running, 1 failed")
    #expect(Self.text(3, 2, 1, 3) == "3 of 12 scenarios, 2 running, 1 failed, about 9 s left")
    #expect(Self.text(4, 2, 0, 60) == "4 of 12 scenarios, 2 running, about 2 min left")
    #expect(Self.text(1, 1, 0, 3_600) == "1 of 12 scenarios, 1 running, about 11 h 0 min left")
    #expect(Self.text(10, 2, 0, 60) == "10 of 12 scenarios, 2 running")
    #expect(Self.text(12, 0, 0, 60) == "12 of 12 scenarios")
  }

  @Test("A label comes first, and nothing exceeds the last column")
  func width() {
    var text = ProgressText(total: 1, noun: "lab", label: "lab:./a\u{1b}[31m")
    text.elapsed = .seconds(5)
    #expect(text.line() == "lab:./a\\u{1b}[31m: 0 of 1 lab")
    #expect(text.line(width: 7) == "lab:./a")
    #expect(text.line(width: -1) == "")
    text.done = 1
    #expect(text.left == nil)
  }
}

@Suite("The progress of a timeline in real time")
struct TimelineProgressTextTests {
  private static func line(_ change: (inout TimelineProgressText) -> Void, width: Int? = nil)
    -> String
  {
    var text = TimelineProgressText(total: 3)
    change(&text)
    return text.line(at: Instant(microseconds: 12_300_000), width: width)
  }

  @Test("The progress shows the current step, its start and the time of the next one")
  func steps() {
    let next = Instant(microseconds: 15_000_000)
    #expect(Self.line { $0.next = next } == "12.3 s: before step 1 of 3; next at 15.0 s")
    #expect(
      Self.line {
        ($0.done, $0.step, $0.since) = (2, "WiFi appears", Instant(microseconds: 8_000_000))
        $0.next = next
      } == "12.3 s: step 2 of 3, WiFi appears, since 8.0 s; next at 15.0 s")
    #expect(
      Self.line {
        ($0.done, $0.step) = (3, "WiFi goes")
        $0.until = next
      } == "12.3 s: step 3 of 3, WiFi goes, since 0 s; over at 15.0 s")
    #expect(Self.line { $0.total = 0 } == "12.3 s: no step to play")
  }

  @Test("A longer line is truncated, and shows no control character")
  func width() {
    #expect(Self.line({ $0.next = .zero }, width: 10) == "12.3 s: be")
    #expect(!Self.line { ($0.done, $0.step) = (1, "a\u{1b}[2J\n") }.contains("\u{1b}"))
  }
}
