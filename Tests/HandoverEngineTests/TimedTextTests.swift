import HandoverCore
import HandoverEngine
import Testing

/// Sentences whose times are values.
@Suite("TimedText")
struct TimedTextTests {
  private static let instant = Instant(microseconds: 20_500_000)
  private static let ended: TimedText =
    "it ended \(StatusCode.ok) at \(instant), after \(Interval.seconds(90))"

  @Test("Programs get times as scenarios write them, and people get them in words")
  func spellings() {
    #expect(Self.ended.text == "it ended OK at 20.5s, after 90s")
    #expect(
      Self.ended.text { "<\($0.microseconds)>" } == "it ended OK at <20500000>, after <90000000>")
  }

  @Test("Sentences are equal if words and times are equal, however they were built")
  func equality() {
    let whole: TimedText = "never: call \("a") ends at \(Interval.seconds(1))"
    let moment: TimedText = " at \(Instant(microseconds: 1_000_000))"
    var parts = TimedText("never: ") + "call a"
    parts += " ends"
    #expect(parts + moment == whole)
    let call: TimedText = "call a ends"
    #expect("never: \(call)\(moment)" == whole)
    // Words that look like a time are not a time.
    #expect(TimedText("never: call a ends at 1s") != whole)
    #expect(TimedText("never: call a ends at 1s").text == whole.text)
    #expect(TimedText("") + moment + "" == moment)
  }

  @Test("A finding keeps its times, and has its sentences in the form for programs")
  func finding() {
    var finding = Finding(
      kind: .expectation, verdict: .failed, expectedText: "it ends \(Interval.seconds(5)) later",
      seenText: Self.ended, at: nil, position: nil)
    #expect(finding.expected == "it ends 5s later")
    #expect(finding.seen == "it ended OK at 20.5s, after 90s")
    finding.seen += ", twice"
    #expect(finding.seenText == TimedText("it ended OK at 20.5s, after 90s, twice"))
    let same = Finding(
      kind: .expectation, verdict: .failed, expected: "it ends 5s later", seen: finding.seen,
      at: nil, position: nil)
    #expect(same.expectedText.text == finding.expectedText.text)
    #expect(same.seenText == finding.seenText)
  }
}
