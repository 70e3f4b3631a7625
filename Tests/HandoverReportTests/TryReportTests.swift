import HandoverCore
import Testing

@testable import HandoverReport
@testable import HandoverTry

@Suite("Verdicts on programs in reports")
struct TryReportTests {
  static func verdict(
    _ outcome: TryOutcome, recovers: Interval? = nil, attempts: Int = 0,
    inconclusiveReason: InconclusiveReason? = nil
  ) -> TryVerdict {
    TryVerdict(
      outcome: outcome, inconclusiveReason: inconclusiveReason, recovers: recovers,
      silence: .seconds(31),
      attempts: attempts,
      deadAttempts: 0, pendingWork: outcome == .hangs ? [.unacknowledged(bytes: 9)] : [],
      watched: .seconds(30))
  }

  static func result(_ gates: TryGates = TryGates(), _ verdicts: TryVerdict...) -> TryResult {
    TryResult(
      command: ["client", "<&\">"], rhythm: nil,
      rows: verdicts.enumerated().map { position, verdict in
        TryRow(name: "move-\(position)", title: "move \(position)", verdicts: [verdict])
      }, gates: gates, output: "")
  }

  @Test("The table has a verdict for each network change, and the totals")
  func table() {
    let result = Self.result(
      TryGates(), Self.verdict(.hangs), Self.verdict(.recovers, recovers: .seconds(2), attempts: 1),
      Self.verdict(.inconclusive, inconclusiveReason: .silentBefore))
    #expect(
      result.text == """
        client '<&">'

                  verdict       notices  recovers  silence  attempts
          move 0  HANGS         -        -         31 s     0         \
        still retransmitting 9 bytes on the dead connection; at least 30 s; only a timeout in the \
        program would end the wait
          move 1  RECOVERS      -        2 s       31 s     1         data again with 1 new \
        connection
          move 2  INCONCLUSIVE  -        -         31 s     0         no data arrived \
        before the change

        HANGS: move 0.

        """)
    #expect(result.isBad && result.isDecided)
    #expect(result.namesOfSenders == ["move-0"])
  }

  /// A program that recovered after 2 s, with the given legs.
  private static func recovery(_ legs: (RecoveryLeg.Kind, Int64)...) -> TryVerdict {
    var verdict = verdict(.recovers, recovers: .seconds(2), attempts: 1)
    verdict.legs = legs.map { RecoveryLeg($0.0, Interval(microseconds: $0.1)) }
    return verdict
  }

  @Test("The legs are in the lines, with a sum that equals the recovery, and in the page")
  func legs() {
    var result = Self.result(
      TryGates(), Self.recovery((.notice, 1_499_600), (.connect, 400_600), (.data, 99_800)),
      Self.verdict(.hangs))
    result.rows[0].timeline = TryTimeline(
      connections: [], changes: [.init(at: .zero + .seconds(4), text: "WiFi")], lines: [],
      end: .zero + .seconds(10))
    #expect(
      result.jsonLines.contains(
        #""legs":[{"leg":"notice","ms":1500},{"leg":"connect","ms":400},{"leg":"data","ms":100}],"#
          + #""longestLeg":"notice","#), "\(result.jsonLines)")
    #expect(result.jsonLines.contains(#""legs":[],"longestLeg":null,"#))
    #expect(result.text.contains("data again with 1 new connection; longest leg: notice, 1.5 s"))
    #expect(result.html.contains("legs of move 0: notice 1.5 s, connect 401 ms, data 100 ms"))
    // The legs have the axis of the timeline: the change is after 40 % of it.
    let bars = result.html.matches(of: /<rect class="leg" x="([0-9]+)"/).map { String($0.1) }
    #expect(bars == ["400", "549", "590"])
  }

  @Test("The limit on the notice counts programs that noticed late or not at all")
  func notice() {
    let gates = TryGates(maxNotice: .seconds(1))
    let late = Self.result(gates, Self.recovery((.notice, 1_500_000), (.data, 500_000)))
    #expect(late.isBad && late.text.contains("; noticed the change after 1.5 s, over 1 s"))
    let near = Self.result(gates, Self.recovery((.notice, 1_040_000), (.data, 960_000)))
    #expect(!near.isBad && near.text.contains("noticed the change after 1 s, at the limit of 1 s"))
    let never = Self.result(gates, Self.verdict(.hangs))
    #expect(never.isBad && never.text.contains("; did not notice the change; the limit is 1 s"))
    #expect(!Self.result(gates, Self.recovery((.route, 1_900_000), (.data, 100_000))).isBad)
    #expect(!Self.result(gates, Self.verdict(.inconclusive)).isBad)
  }

  @Test("The limits on messages fail greater counts, and counts that are not known")
  func messages() {
    var gates = TryGates()
    (gates.maxLost, gates.maxDuplicates) = (2, 0)
    func result(_ lost: Int?, _ duplicates: Int?) -> TryResult {
      var verdict = Self.verdict(.recovers, recovers: .seconds(2), attempts: 1)
      verdict.messages = MessageCounts(lost: lost, duplicates: duplicates, subscriptions: 2)
      return Self.result(gates, verdict)
    }
    #expect(!result(2, 0).isBad)
    #expect(
      result(2, 0).jsonLines.contains(#""lost":2,"duplicates":0,"subscriptions":2,"#),
      "\(result(2, 0).jsonLines)")
    #expect(result(3, 1).isBad)
    #expect(
      result(3, 1).text.contains(
        "; 3 messages lost, over 2; 1 message received again, over 0"), "\(result(3, 1).text)")
    #expect(result(nil, 0).isBad)
    #expect(
      result(nil, 0).text.contains("; messages lost cannot be counted; the limit is 2"))
    #expect(result(nil, 0).jsonLines.contains(#""lost":null,"#))
  }

  @Test("Verdicts that differ between repetitions are shown with their counts, the worst first")
  func repeated() {
    var result = Self.result(TryGates(), Self.verdict(.unharmed))
    result.rows[0].verdicts += [Self.verdict(.hangs), Self.verdict(.unharmed)]
    #expect(result.text.contains("HANGS 1, UNHARMED 2"))
    #expect(result.rows[0].worstIndex == 1)
    #expect(result.isBad)
  }

  @Test("The result after the kernel's timeout follows the evidence")
  func afterTimeout() {
    var result = Self.result(TryGates(), Self.verdict(.hangs))
    result.rows[0].afterTimeout = Self.verdict(.late, recovers: .seconds(15), attempts: 1)
    #expect(
      result.evidence(of: result.rows[0])
        .hasSuffix("; with a short TCP timeout: LATE, data again with 1 new connection"))
  }

  @Test("Limits apply only to decided verdicts")
  func limits() {
    let gates = TryGates(maxOutage: .seconds(5), maxAttempts: 2)
    let slow = Self.verdict(.late, recovers: .seconds(6), attempts: 3)
    #expect(
      gates.complaints(about: Self.result(gates, slow).rows[0])
        == ["an outage of 6 s, over 5 s", "3 new connections, over 2"])
    #expect(Self.result(gates, slow).isBad)
    #expect(Self.result(gates, slow).sum == "over the limit: 1 of 1 moves.")
    let quick = Self.verdict(.recovers, recovers: .seconds(5), attempts: 2)
    #expect(!Self.result(gates, quick).isBad)
    let open = Self.result(gates, Self.verdict(.inconclusive))
    #expect(!open.isBad && !open.isDecided)
    #expect(
      gates.complaints(about: Self.result(gates, Self.verdict(.hangs)).rows[0])
        == ["data did not come back; the limit is 5 s"])
  }

  @Test("An outage starts when a new connection would work, with a tolerance of 5 %")
  func outageLimit() {
    let gates = TryGates(maxOutage: .seconds(5))
    var verdict = Self.verdict(.recovers, recovers: .milliseconds(15_200))
    #expect(Self.result(gates, verdict).isBad)
    verdict.outage = .seconds(10)
    let result = Self.result(gates, verdict)
    #expect(!result.isBad)
    #expect(
      result.evidence(of: result.rows[0]).hasSuffix("; an outage of 5.2 s, at the limit of 5 s"))
    verdict.recovers = .milliseconds(15_300)
    #expect(Self.result(gates, verdict).isBad)
    // Data that arrived before any new connection would work counts as no outage.
    verdict.recovers = .seconds(1)
    #expect(!Self.result(gates, verdict).isBad)
  }

  @Test("A program that does not recover fails, and exceeds limits up to the length of the watch")
  func missing() {
    var verdict = Self.verdict(.late, attempts: 4)
    #expect(!Self.result(TryGates(), verdict).isBad)
    verdict.isIncomplete = true
    let result = Self.result(TryGates(), verdict)
    #expect(result.isBad)
    #expect(result.sum == "LATE, not back: move 0.")
    #expect(result.junit.contains(#"failures="1""#))
    #expect(result.jsonLines.contains(#""incomplete":true"#))
    for (limit, count) in [(Int64(5), 1), (30, 1), (31, 0)] {
      let gates = TryGates(maxOutage: .seconds(limit))
      #expect(gates.complaints(about: Self.result(gates, verdict).rows[0]).count == count)
    }
    // Of several runs the failing one is shown.
    var row = result.rows[0]
    row.verdicts.insert(Self.verdict(.late, recovers: .seconds(9)), at: 0)
    #expect(row.worstIndex == 1)
  }

  @Test("A known failure does not count, and a known failure that did not occur is reported")
  func known() {
    var result = Self.result(
      TryGates(), Self.verdict(.hangs), Self.verdict(.recovers, recovers: .seconds(2)),
      Self.verdict(.inconclusive, inconclusiveReason: .silentBefore))
    for position in result.rows.indices {
      result.rows[position].known = [TryRow.KnownOutcome(outcome: .hangs, position: "known.txt:3")]
    }
    #expect(!result.isBad)
    #expect(result.sum == "No new problems. Known: move 0.")
    #expect(
      result.fixed == [
        "known.txt:3: move 1 is now RECOVERS, not HANGS; remove the line"
      ])
    #expect(result.text.contains("; known (known.txt:3)\n"))
    #expect(result.junit.contains(#"failures="0" errors="0" skipped="2""#))
    #expect(result.jsonLines.contains(#""bad":false,"known":"known.txt:3""#))
    #expect(result.github.hasPrefix("::notice::known.txt:3: move 1"))
    result.rows[0].verdicts.append(Self.verdict(.givesUp))
    #expect(result.isBad)
    #expect(result.sum == "HANGS: move 0.")
  }

  @Test("A line without a verdict covers every verdict, and is reported if nothing is wrong")
  func knownAltogether() {
    var result = Self.result(
      TryGates(maxAttempts: 1), Self.verdict(.late, recovers: .seconds(9), attempts: 2),
      Self.verdict(.unharmed))
    for position in result.rows.indices {
      result.rows[position].known = [TryRow.KnownOutcome(outcome: nil, position: "known.txt:1")]
    }
    #expect(!result.isBad)
    #expect(
      result.fixed == [
        "known.txt:1: move 1 is now UNHARMED, not bad; remove the line"
      ])
  }

  @Test("The summary of an interrupted test is about the moves that finished")
  func interrupted() {
    let recovers = Self.verdict(.recovers, recovers: .seconds(2), attempts: 1)
    var good = Self.result(TryGates(), recovers)
    #expect(good.sum == "The program recovered after every move.")
    good.wasInterrupted = true
    #expect(good.sum == "Interrupted. The program recovered after every move that finished.")
    #expect(good.text.hasSuffix("\n\(good.sum)\n"))
    #expect(good.githubSummary.hasSuffix("\n- \(good.sum)\n"))
    var bad = Self.result(TryGates(), Self.verdict(.hangs), recovers)
    bad.wasInterrupted = true
    #expect(bad.sum == "Interrupted. HANGS: move 0.")
    bad.rows = []
    #expect(bad.sum == "Interrupted. No move has a verdict.")
  }

  @Test("The program is named with shell quoting")
  func quotedWords() throws {
    var result = Self.result(TryGates(), Self.verdict(.hangs))
    result.command = ["sh", "-c", "cat; it's", ""]
    let name = #"sh -c 'cat; it'\''s' ''"#
    #expect(result.text.hasPrefix("\(name)\n"))
    let report = try TryReport.read(file: "a", bytes: Array(result.jsonLines.utf8))
    var other = report
    other.command = ["sh", "-c", "cat;", "it's", ""]
    // Joined with spaces the two names would be equal.
    let matrix = TryMatrix([report, other])
    #expect(!matrix.markdown.contains("(a)"), "\(matrix.markdown)")
    #expect(TryComparison(from: report, to: other).text.contains(name))
  }

  @Test("The singular is used for one byte")
  func oneByte() {
    var verdict = Self.verdict(.hangs)
    verdict.pendingWork = [.unacknowledged(bytes: 1)]
    #expect(Self.result(TryGates(), verdict).text.contains("still retransmitting 1 byte on"))
  }

  @Test(
    "Lines fit the available width, and colors take no columns", arguments: [40, 60, 80, 100, 200])
  func width(_ width: Int) {
    var result = Self.result(
      TryGates(), Self.verdict(.hangs), Self.verdict(.cuts, recovers: .seconds(2)))
    result.rows[0].title = "asleep while the hotspot changes"
    result.rows += result.rows + result.rows
    let plain = result.text(width: width)
    #expect(plain.split(separator: "\n").allSatisfy { $0.count <= max(width, 40) }, "\(plain)")
    for text in ["HANGS", "CUTS", "retransmitting", "31 s", "asleep while the hotspot changes"] {
      #expect(plain.contains(text))
    }
    let colored = result.text(style: Style(isColored: true), width: width)
    #expect(colored.contains("\u{1b}[1;31mHANGS\u{1b}[0m"))
    #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("Reports for programs have the same content, with escapes where needed")
  func documents() {
    let result = Self.result(
      TryGates(), Self.verdict(.givesUp), Self.verdict(.cuts, recovers: .seconds(1)),
      Self.verdict(.inconclusive))
    #expect(
      result.junit.contains(
        #"name="client &apos;&lt;&amp;&quot;&gt;&apos;" tests="3" failures="1""#))
    #expect(result.junit.contains(#"skipped="1""#))
    #expect(result.junit.split(separator: "<testcase").count == 4)
    let lines = result.jsonLines.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix(#"{"v":1,"kind":"tryHeader","command":["client","#))
    #expect(lines[2].contains(#""move":"move-1","title":"move 1","word":"CUTS""#))
    #expect(lines[2].contains(#""recovers_us":1000000"#))
    #expect(lines[4].contains(#""moves":3,"bad":1,"inconclusive":1"#))
    #expect(
      result.github.hasPrefix(
        "::error title=GIVES UP move 0::alive, but no attempt since the change\n"))
    #expect(result.github.split(separator: "\n").count == 2)
    #expect(
      result.html.contains("<title>handover try: client &#39;&lt;&amp;&quot;&gt;&#39;</title>"))
  }

  @Test(
    "However long the watch is, the numbers of the timeline fit",
    arguments: [
      (Interval.seconds(31), ["0 s", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s"]),
      (
        .minutes(20),
        [
          "0 s", "2 min", "4 min", "6 min", "8 min", "10 min", "12 min", "14 min",
          "16 min", "18 min", "20 min",
        ]
      ),
    ])
  func axis(_ length: Interval, _ numbers: [String]) {
    var result = Self.result(TryGates(), Self.verdict(.unharmed))
    result.rows[0].timeline = TryTimeline(
      connections: [], changes: [], lines: [], end: .zero + length)
    let drawn = result.html.matches(of: /class="axis[^>]*>([^<]*)</).map { String($0.1) }
    #expect(drawn == numbers)
  }
}
