extension CaseResult {
  /// Turns the verdict round, because it is known that the case fails.
  ///
  /// A failure becomes ``Verdict/failedAsExpected``. A case that did all it must has passed
  /// unexpectedly, which is a failure: what is written down is not true any more. Where there is no
  /// verdict, or the backend cannot show what is asked for, nothing changes.
  ///
  /// - Parameter place: where it is written down, such as `known.txt:3`.
  public mutating func expectFailure(from place: String) {
    knownFrom = place
    switch verdict {
    case .failed:
      verdict = .failedAsExpected
      for index in findings.indices where findings[index].verdict == .failed {
        findings[index].verdict = .failedAsExpected
      }
    case .passed, .asFarAsSeen, .nonStrict:
      verdict = .failed
      findings.append(
        Finding(
          kind: .unexpectedPass, verdict: .failed, expected: "it fails, as \(place) says",
          seen: "it passed; take the line out, or let it name fewer cases", at: nil,
          position: nil))
    case .unsupported, .failedAsExpected, .error:
      break
    }
  }
}
