import HandoverCore

extension CaseResult {
  /// Combines the results of a case that was run several times in real time.
  ///
  /// The result is that of the worst run; the figures are those of all runs.
  ///
  /// - Parameter results: the results of the runs, at least one.
  public init(repeated results: [CaseResult]) {
    let worst = results.map(\.verdict).max()
    self = results.first { $0.verdict == worst } ?? results[0]
    guard results.count > 1 else { return }
    repetitions = results.map(\.verdict)
    changeToEnd = results.flatMap(\.changeToEnd)
    neverEnded = results.reduce(0) { $0 + $1.neverEnded }
    hangs = results.flatMap(\.hangs)
    let lengths = results.compactMap(\.duration)
    if !lengths.isEmpty { duration = lengths.reduce(.zero, +) }
    guard isFlaky else { return }
    findings.append(
      Finding(
        kind: .flaky, verdict: verdict, expected: "all repetitions give the same verdict",
        seen: repetitionsText, at: nil, position: nil))
  }

  /// Whether the repetitions had different verdicts.
  public var isFlaky: Bool { repetitions.contains { $0 != repetitions[0] } }

  /// The number of repetitions with each verdict, such as `7 PASSED, 3 FAILED`.
  ///
  /// The text is empty for a single run.
  public var repetitionsText: String {
    Verdict.allCases.compactMap { verdict in
      let count = repetitions.count { $0 == verdict }
      return count > 0 ? "\(count) \(verdict.name)" : nil
    }.joined(separator: ", ")
  }
}
