extension CaseResult {
  /// Inverts the verdict of a case that is known to fail.
  ///
  /// A failure becomes ``Verdict/failedAsExpected``. A pass becomes a failure, because the entry in
  /// the file of known failures is no longer true. If the case has no verdict, or the backend
  /// cannot observe the expectations, the verdict does not change.
  ///
  /// - Parameter location: the location of the entry, such as `known.txt:3`.
  public mutating func expectFailure(from location: String) {
    knownFailureLocation = location
    switch verdict {
    case .failed:
      verdict = .failedAsExpected
      for index in findings.indices where findings[index].verdict == .failed {
        findings[index].verdict = .failedAsExpected
      }
    case .passed, .passedPartially, .nonStrict:
      verdict = .failed
      findings.append(
        Finding(
          kind: .unexpectedPass, verdict: .failed,
          expected: "the case fails, as \(location) states",
          seen: "it passed; remove the line, or make it match fewer cases", at: nil,
          position: nil))
    case .unsupported, .failedAsExpected, .error:
      break
    }
  }
}
