import HandoverBackend
public import HandoverCore
import HandoverScenario

/// The thresholds of a case, in addition to the expectations of its scenario; exceeding one fails
/// the case.
public struct Gates: Hashable, Sendable {
  /// The maximum time that a call may hang after a network change, or `nil` for no threshold.
  public var maxHang: Interval?
  /// The minimum length of a hang that reports show without failing the case.
  ///
  /// The value is `nil` if hangs are not shown. ``maxHang`` takes precedence.
  public var shownHang: Interval?
  /// Whether recommendations are required.
  public var isStrict = false

  /// Creates thresholds that are all off.
  public init() {}

  /// Returns the findings with the verdicts that apply under these thresholds.
  func weighed(_ findings: [Finding]) -> [Finding] {
    guard isStrict else { return findings }
    return findings.map { finding in
      var finding = finding
      if finding.verdict == .nonStrict { finding.verdict = .failed }
      return finding
    }
  }

  /// Returns a watch that detects hanging calls in a run, or `nil` if hangs are neither limited nor
  /// shown.
  func hangWatch(_ script: Script, on backend: BackendDescription) -> HangWatch? {
    guard hangLimit != nil else { return nil }
    return HangWatch(
      script, tolerance: backend.time.tolerance,
      seesChannels: backend.capabilities.contains(.channels))
  }

  /// The length from which hangs are reported, or `nil` if they are not.
  private var hangLimit: Interval? { maxHang ?? shownHang }

  /// Returns the calls of a run that hung for too long.
  func hangs(seenBy watch: HangWatch?) -> [HungCall] {
    guard let hangLimit, let watch else { return [] }
    return watch.hangs(longerThan: hangLimit)
  }

  /// Returns the findings for calls that hung for too long.
  func findings(of hangs: [HungCall], in scenario: Scenario, _ calls: [CallOutcome]) -> [Finding] {
    guard let maxHang, !hangs.isEmpty else { return [] }
    let reported = hangs.prefix(Finding.maximumCount).map { hang in
      let outcome = calls[hang.index]
      var end: TimedText = outcome.end.map { "it ended \($0.code)" } ?? "it ended"
      if outcome.end != nil, let endedAt = outcome.endedAt { end += " at \(endedAt)" }
      return Finding(
        kind: .hang, verdict: .failed,
        expectedText: "call \"\(hang.call)\" hangs no longer than \(maxHang) after the change",
        seenText: hang.hasEnded
          ? "\(end), and had hung for \(hang.lasted) since \(hang.since)"
          : "it never ended, and hung since \(hang.since)", at: outcome.endedAt,
        position: scenario.position(ofCall: hang.index))
    }
    let omitted = hangs.count - reported.count
    guard omitted > 0 else { return reported }
    return reported + [.more(omitted, .hang, .failed, expected: "no other call hangs longer")]
  }
}

extension Scenario {
  /// Returns the position of a call in the file, or `nil` if no entry starts the call.
  fileprivate func position(ofCall index: Int) -> TextPosition? {
    let entry = script.entries.firstIndex { entry in
      switch entry.action {
      case .startCall(index), .makeCall(index): true
      default: false
      }
    }
    return entry.flatMap { position(ofEntry: $0) }
  }
}
