import HandoverCore
import Testing

@testable import HandoverEngine

/// The summary of a case that was repeated in real time.
@Suite("Repetitions in real time")
struct RepetitionTests {
  private func result(_ verdict: Verdict, seconds: Int64, seen: String = "") -> CaseResult {
    var result = CaseResult(
      id: "a/b", file: "a/b.json", profile: "sockets", verdict: verdict, findings: [], calls: [],
      changeToEnd: [.seconds(seconds)], endedAt: .zero, digest: nil, trace: nil)
    if !seen.isEmpty {
      result.findings = [
        Finding(
          kind: .expectation, verdict: verdict, expected: "", seen: seen, at: nil, position: nil)
      ]
    }
    result.neverEnded = 1
    result.duration = .seconds(seconds)
    return result
  }

  @Test("A single run is not a repetition")
  func once() {
    let one = CaseResult(repeated: [result(.failed, seconds: 1)])
    #expect(one.repetitions == [] && !one.isFlaky && one.repetitionsText == "")
    #expect(one.changeToEnd == [.seconds(1)] && one.neverEnded == 1)
  }

  @Test("The first of the worst results is reported, with the figures of all runs")
  func worst() {
    let runs = [
      result(.passed, seconds: 1), result(.failed, seconds: 2, seen: "first"),
      result(.failed, seconds: 3, seen: "second"), result(.nonStrict, seconds: 4),
    ]
    let all = CaseResult(repeated: runs)
    #expect(all.verdict == .failed && all.isFlaky)
    #expect(all.repetitionsText == "1 PASSED, 1 NON-STRICT, 2 FAILED")
    #expect(all.findings.map(\.seen) == ["first", "1 PASSED, 1 NON-STRICT, 2 FAILED"])
    #expect(all.findings.last?.kind == .flaky && all.findings.last?.verdict == .failed)
    #expect(all.changeToEnd == [1, 2, 3, 4].map { .seconds($0) })
    #expect(all.neverEnded == 4 && all.duration == .seconds(10))
  }

  @Test("A case with the same result each time is not flaky", arguments: Verdict.allCases)
  func same(_ verdict: Verdict) {
    let all = CaseResult(repeated: [result(verdict, seconds: 1), result(verdict, seconds: 2)])
    #expect(!all.isFlaky && all.findings == [] && all.verdict == verdict)
    #expect(all.repetitionsText == "2 \(verdict.name)")
  }
}
