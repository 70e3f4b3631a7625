import HandoverCore

extension CaseResult {
  /// What came of a case that was played several times in real time.
  ///
  /// The worst run is told; figures are those of all of them.
  ///
  /// - Parameter results: the runs, at least one.
  public init(repeated results: [CaseResult]) {
    let worst = results.map(\.verdict).max()
    self = results.first { $0.verdict == worst } ?? results[0]
    guard results.count > 1 else { return }
    repetitions = results.map(\.verdict)
    changeToEnd = results.flatMap(\.changeToEnd)
    neverEnded = results.reduce(0) { $0 + $1.neverEnded }
    hangs = results.flatMap(\.hangs)
    let lengths = results.compactMap(\.took)
    if !lengths.isEmpty { took = lengths.reduce(.zero, +) }
    guard isFlaky else { return }
    findings.append(
      Finding(
        kind: .flaky, verdict: verdict, expected: "every repetition comes to the same",
        seen: repetitionsText, at: nil, position: nil))
  }

  /// Whether it did not come to the same each time.
  public var isFlaky: Bool { repetitions.contains { $0 != repetitions[0] } }

  /// How often what came out: `7 OK, 3 FAILED`; empty where it was played once.
  public var repetitionsText: String {
    Verdict.allCases.compactMap { verdict in
      let count = repetitions.count { $0 == verdict }
      return count > 0 ? "\(count) \(verdict.name)" : nil
    }.joined(separator: ", ")
  }
}
