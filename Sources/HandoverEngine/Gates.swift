import HandoverBackend
public import HandoverCore
import HandoverJSON
import HandoverScenario

/// What a case must keep besides what its scenario expects; what breaks it fails the case.
public struct Gates: Hashable, Sendable {
  /// How long a call may hang after a change of the network; nil where nobody looks.
  public var maxHang: Interval?
  /// From which length on a hang is only shown, and fails nothing; ``maxHang`` goes before it.
  ///
  /// Nil where hangs are not shown.
  public var shownHang: Interval?
  /// Whether what is only recommended must be so.
  public var isStrict = false

  /// Asks for nothing.
  public init() {}

  /// The findings as they weigh here.
  func weighed(_ findings: [Finding]) -> [Finding] {
    guard isStrict else { return findings }
    return findings.map { finding in
      var finding = finding
      if finding.verdict == .nonStrict { finding.verdict = .failed }
      return finding
    }
  }

  /// What watches a run for calls that hang; nil where nobody looks.
  func hangWatch(_ script: Script, on backend: BackendDescription) -> HangWatch? {
    guard hangLimit != nil else { return nil }
    return HangWatch(
      script, tolerance: backend.time.tolerance,
      seesChannels: backend.capabilities.contains(.channels))
  }

  /// How long a call may hang before anybody hears of it; nil where nobody looks.
  private var hangLimit: Interval? { maxHang ?? shownHang }

  /// The calls of a run that hung for too long.
  func hangs(seenBy watch: HangWatch?) -> [CallHang] {
    guard let hangLimit, let watch else { return [] }
    return watch.hangs(longerThan: hangLimit)
  }

  /// What is to be said of calls that hung for too long.
  func findings(of hangs: [CallHang], in scenario: Scenario, _ calls: [CallOutcome]) -> [Finding] {
    guard let maxHang, !hangs.isEmpty else { return [] }
    let told = hangs.prefix(Finding.maximumCount).map { hang in
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
    let untold = hangs.count - told.count
    guard untold > 0 else { return told }
    return told + [.more(untold, .hang, .failed, expected: "no other call hangs longer")]
  }
}

extension Scenario {
  /// Where a call stands in the file; nil where no entry starts it.
  fileprivate func position(ofCall index: Int) -> TextPosition? {
    let entry = script.entries.firstIndex { entry in
      switch entry.action {
      case .startCall(index), .makeCall(index): true
      default: false
      }
    }
    return entry.flatMap { $0 < entryPositions.count ? entryPositions[$0] : nil }
  }
}
