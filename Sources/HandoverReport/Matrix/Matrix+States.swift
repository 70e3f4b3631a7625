import HandoverCore
import HandoverEngine

extension Matrix {
  /// The state of a cell on the page: its verdict, with the reason for an unsupported case.
  enum CellState: Hashable, CaseIterable {
    case failed
    case error
    case nonStrict
    case failedAsExpected
    case notObservable
    case notSupported
    case passedPartially
    case passed
    case notRun

    /// The glyph of the state, which is different for each state.
    var glyph: String {
      switch self {
      case .failed: "✗"
      case .error: "!"
      case .nonStrict: "~"
      case .failedAsExpected: "○"
      case .notObservable: "◌"
      case .notSupported: "⊘"
      case .passedPartially: "≈"
      case .passed: "✓"
      case .notRun: "·"
      }
    }

    /// The name of the state, for its tile and for screen readers.
    var phrase: String {
      switch self {
      case .failed: "failed"
      case .error: "error"
      case .nonStrict: "non-strict"
      case .failedAsExpected: "known"
      case .notObservable: "not observable"
      case .notSupported: "not supported"
      case .passedPartially: "passed in part"
      case .passed: "passed"
      case .notRun: "not run"
      }
    }

    /// Whether the case ran to its end; cases of which nothing can be observed are not run.
    var wasPlayed: Bool {
      switch self {
      case .error, .notObservable, .notSupported, .notRun: false
      case .failed, .nonStrict, .failedAsExpected, .passedPartially, .passed: true
      }
    }

    /// The CSS class of the cell, which is also its name in the script: one letter.
    var cssClass: String {
      switch self {
      case .failed: Verdict.failed.cssClass
      case .error: Verdict.error.cssClass
      case .nonStrict: Verdict.nonStrict.cssClass
      case .failedAsExpected: Verdict.failedAsExpected.cssClass
      case .notObservable: "o"
      case .notSupported: Verdict.unsupported.cssClass
      case .passedPartially: Verdict.passedPartially.cssClass
      case .passed: Verdict.passed.cssClass
      case .notRun: "x"
      }
    }

    /// The meaning of the state, in one sentence.
    var meaning: String {
      switch self {
      case .failed: Verdict.failed.meaning
      case .error: Verdict.error.meaning
      case .nonStrict: Verdict.nonStrict.meaning
      case .failedAsExpected: Verdict.failedAsExpected.meaning
      case .notObservable: "The backend can show none of the expectations. Verdict UNSUPPORTED."
      case .notSupported: "The backend does not support the scenario. Verdict UNSUPPORTED."
      case .passedPartially: Verdict.passedPartially.meaning
      case .passed: Verdict.passed.meaning
      case .notRun: "The run was interrupted before this case."
      }
    }
  }

  /// The CSS class of cells with a hanging call, in addition to the class of the state.
  static let hangClass = "h"

  /// Returns the state of a cell, or `nil` if the scenario does not run on the profile.
  static func state(of cell: Cell?) -> CellState? {
    switch cell {
    case nil: nil
    case .notRun: .notRun
    case .run(let one): one.state
    }
  }

  /// Returns the number of cases in a state, in all columns or in those of a backend.
  func count(_ state: CellState, backend: Int? = nil) -> Int {
    rows.reduce(0) { sum, row in
      sum
        + zip(row.cells, columns).count { cell, column in
          Self.state(of: cell) == state && (backend ?? column.backend) == column.backend
        }
    }
  }

  /// The number of cases with a call that hung.
  var hangingCount: Int {
    rows.reduce(0) { sum, row in
      sum
        + row.cells.count {
          if case .run(let one) = $0 { one.hangs.calls > 0 } else { false }
        }
    }
  }
}

extension Matrix.Case {
  /// The state of the case's cell.
  var state: Matrix.CellState {
    switch verdict {
    case .passed: .passed
    case .passedPartially: .passedPartially
    case .nonStrict: .nonStrict
    case .unsupported: isNotObservable ? .notObservable : .notSupported
    case .failedAsExpected: .failedAsExpected
    case .failed: .failed
    case .error: .error
    }
  }

  /// Whether the case could run, but none of its expectations can be observed.
  ///
  /// In that case, the findings have the positions of these expectations.
  private var isNotObservable: Bool {
    findings.contains { $0.kind == .unsupported && $0.position != nil }
      && !findings.contains { $0.kind == .unsupported && $0.position == nil }
  }

  /// The time in the cell: the duration of a hang, or else the longest time from a change to an
  /// end.
  ///
  /// A number and its unit are not separated.
  var timeText: String? {
    let hang = hangs.neverEnded > 0 ? "never" : hangs.worstText
    return (hangs.calls > 0 ? hang : longestText).map { VisibleText.joined(units: $0) }
  }

  /// The cell for screen readers: `passed, hangs 15 min 2 s`.
  var spokenText: String {
    var phrase = [state.phrase]
    if state == .passedPartially { phrase[0] += " (\(coverage.text) observable)" }
    if hangs.calls > 0 {
      phrase.append(
        hangs.neverEnded > 0 ? "a call never ends" : "hangs \(hangs.worstText ?? "")")
    } else if let time = longestText {
      phrase.append(time == "never" ? "a call never ends" : time)
    }
    return phrase.joined(separator: ", ")
  }
}
