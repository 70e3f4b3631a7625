import HandoverCore
import HandoverEngine

extension Matrix {
  /// How a cell stands on the page: its verdict, and of an unsupported case what it lacks.
  enum CellState: Hashable, CaseIterable {
    case failed
    case error
    case nonStrict
    case failedAsExpected
    case notObservable
    case notSupported
    case asFarAsSeen
    case passed
    case notRun

    /// The glyph of the cell; every state has another one.
    var glyph: String {
      switch self {
      case .failed: "✗"
      case .error: "!"
      case .nonStrict: "~"
      case .failedAsExpected: "○"
      case .notObservable: "◌"
      case .notSupported: "⊘"
      case .asFarAsSeen: "≈"
      case .passed: "✓"
      case .notRun: "·"
      }
    }

    /// The word for it: on its tile, and for those who hear the page.
    var word: String {
      switch self {
      case .failed: "failed"
      case .error: "error"
      case .nonStrict: "non-strict"
      case .failedAsExpected: "known"
      case .notObservable: "not observable"
      case .notSupported: "not supported"
      case .asFarAsSeen: "passed as far as seen"
      case .passed: "passed"
      case .notRun: "not run"
      }
    }

    /// Whether its case was played to its end; nobody plays one of which nothing can be seen.
    var wasPlayed: Bool {
      switch self {
      case .error, .notObservable, .notSupported, .notRun: false
      case .failed, .nonStrict, .failedAsExpected, .asFarAsSeen, .passed: true
      }
    }

    /// The class of its cell, and its name in the script: one letter.
    var cssClass: String {
      switch self {
      case .failed: Verdict.failed.cssClass
      case .error: Verdict.error.cssClass
      case .nonStrict: Verdict.nonStrict.cssClass
      case .failedAsExpected: Verdict.failedAsExpected.cssClass
      case .notObservable: "o"
      case .notSupported: Verdict.unsupported.cssClass
      case .asFarAsSeen: Verdict.asFarAsSeen.cssClass
      case .passed: Verdict.passed.cssClass
      case .notRun: "x"
      }
    }

    /// What it means, in one sentence.
    var meaning: String {
      switch self {
      case .failed: Verdict.failed.meaning
      case .error: Verdict.error.meaning
      case .nonStrict: Verdict.nonStrict.meaning
      case .failedAsExpected: Verdict.failedAsExpected.meaning
      case .notObservable: "The backend shows nothing of what is expected; the verdict UNSUPPORTED."
      case .notSupported: "The backend said that it cannot play this; the verdict UNSUPPORTED."
      case .asFarAsSeen: Verdict.asFarAsSeen.meaning
      case .passed: Verdict.passed.meaning
      case .notRun: "The run was interrupted before it."
      }
    }
  }

  /// The class of what hangs, beside that of its state.
  static let hangClass = "h"

  /// How a cell stands; nil where the scenario is not about the profile.
  static func state(of cell: Cell?) -> CellState? {
    switch cell {
    case nil: nil
    case .notRun: .notRun
    case .run(let one): one.state
    }
  }

  /// How many cells are in a state, of all columns or of a backend's.
  func count(_ state: CellState, backend: Int? = nil) -> Int {
    rows.reduce(0) { sum, row in
      sum
        + zip(row.cells, columns).count { cell, column in
          Self.state(of: cell) == state && (backend ?? column.backend) == column.backend
        }
    }
  }

  /// How many cases have a call that hung.
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
  /// How it stands in its cell.
  var state: Matrix.CellState {
    switch verdict {
    case .passed: .passed
    case .asFarAsSeen: .asFarAsSeen
    case .nonStrict: .nonStrict
    case .unsupported: isNotObservable ? .notObservable : .notSupported
    case .failedAsExpected: .failedAsExpected
    case .failed: .failed
    case .error: .error
    }
  }

  /// Whether it could be played, and nothing of what is expected can be seen: then findings name
  /// the places of what cannot.
  private var isNotObservable: Bool {
    findings.contains { $0.kind == .unsupported && $0.position != nil }
      && !findings.contains { $0.kind == .unsupported && $0.position == nil }
  }

  /// The time of its cell: how long a call hung, or else the longest from a change to an end; a
  /// number stays with its unit.
  var timeText: String? {
    let hang = hangs.neverEnded > 0 ? "never" : hangs.worst?.measured
    return (hangs.calls > 0 ? hang : longestText).map { VisibleText.joined(units: $0) }
  }

  /// The cell in words: `passed, hangs 15 min 2 s`.
  var spokenText: String {
    var words = [state.word]
    if state == .asFarAsSeen { words[0] += " (\(sight.text))" }
    if hangs.calls > 0 {
      words.append(
        hangs.neverEnded > 0 ? "a call never ends" : "hangs \(hangs.worst?.measured ?? "")")
    } else if let time = longestText {
      words.append(time == "never" ? "a call never ends" : time)
    }
    return words.joined(separator: ", ")
  }
}
