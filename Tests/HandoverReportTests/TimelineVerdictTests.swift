import HandoverCore
import Testing

@testable import HandoverReport
@testable import HandoverTry

@Suite("Limits for a program during a timeline")
struct TimelineVerdictTests {
  private static func outage(
    _ recovers: Interval?, attempts: Int = 1, watched: Interval = .seconds(30),
    unknownLengthReason: TimelineOutage.UnknownLengthReason? = nil, ended: Bool = false
  ) -> TimelineOutage {
    TimelineOutage(
      since: .zero + .seconds(2), recovers: recovers, attempts: attempts, watched: watched,
      unknownLengthReason: unknownLengthReason,
      programEnd: ended ? ProgramEnd(at: .zero, phrase: "status 0", isError: false) : nil)
  }

  private static func verdict(
    _ outages: TimelineOutage..., maxOutage: Interval? = .seconds(5), maxAttempts: Int? = nil
  ) -> TimelineVerdict {
    TimelineVerdict(outages, TryGates(maxOutage: maxOutage, maxAttempts: maxAttempts))
  }

  @Test("If the limits are met, the worst requested figures are shown")
  func kept() {
    let outages = [Self.outage(.seconds(5), attempts: 1), Self.outage(.seconds(1), attempts: 3)]
    let both = TimelineVerdict(outages, TryGates(maxOutage: .seconds(5), maxAttempts: 3))
    #expect(!both.isBad && both.isDecided)
    #expect(
      both.text == "WITHIN THE LIMIT: an outage of at most 5 s (at the limit), "
        + "at most 3 new connections.")
    let one = Self.verdict(Self.outage(nil), maxOutage: nil, maxAttempts: 1)
    #expect(one.text == "WITHIN THE LIMIT: at most 1 new connection.")
  }

  @Test("An exceeded limit is shown with the change before it")
  func over() {
    let verdict = Self.verdict(
      Self.outage(.milliseconds(5_300), attempts: 4), Self.outage(.seconds(1)), maxAttempts: 3)
    #expect(verdict.isBad && verdict.isDecided)
    #expect(
      verdict.text == "OVER THE LIMIT: an outage of 5.3 s, over 5 s (the change at 2 s); "
        + "4 new connections, over 3 (the change at 2 s).")
    let endless = Self.verdict(Self.outage(nil))
    #expect(
      endless.text
        == "OVER THE LIMIT: data did not come back; the limit is 5 s (the change at 2 s).")
  }

  @Test("An outage starts when a new connection would work")
  func unusable() {
    var outage = Self.outage(.seconds(12))
    #expect(Self.verdict(outage).isBad)
    outage.unusable = .seconds(8)
    #expect(Self.verdict(outage).text == "WITHIN THE LIMIT: an outage of at most 4 s.")
  }

  @Test("A program that exits instead of recovering exceeds the limit, however soon it exits")
  func ended() {
    #expect(Self.verdict(Self.outage(nil, watched: .seconds(1), ended: true)).isBad)
  }

  @Test("An undecidable outage gives no verdict")
  func undecided() {
    let phrases: [(TimelineOutage?, String)] = [
      (nil, "the network did not change while it ran"),
      (
        Self.outage(nil, unknownLengthReason: .silentBefore),
        "no data arrived before the network change"
      ),
      (
        Self.outage(nil, unknownLengthReason: .noNetwork), "the device has no network until the end"
      ),
      (
        Self.outage(nil, watched: .seconds(5)), "it was watched for only 5 s after the change"
      ),
    ]
    for (outage, text) in phrases {
      let verdict = TimelineVerdict(
        outage.map { [$0] } ?? [], TryGates(maxOutage: .seconds(5)))
      #expect(!verdict.isBad && !verdict.isDecided)
      #expect(verdict.text == "INCONCLUSIVE: \(text).")
    }
    let partly = Self.verdict(
      Self.outage(.seconds(1)), Self.outage(nil, unknownLengthReason: .noNetwork))
    #expect(partly.isDecided)
    #expect(
      partly.text
        == "WITHIN THE LIMIT: an outage of at most 1 s; 1 of 2 have no verdict.")
  }

  @Test("Too many connections are reported even if the duration is undecidable")
  func doubtful() {
    let verdict = Self.verdict(
      Self.outage(nil, attempts: 9, unknownLengthReason: .noNetwork), maxAttempts: 3)
    #expect(verdict.text == "OVER THE LIMIT: 9 new connections, over 3 (the change at 2 s).")
  }
}
