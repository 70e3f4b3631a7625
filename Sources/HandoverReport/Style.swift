import HandoverEngine

/// The style of a report for users: with or without colors, in Unicode or ASCII, and its width.
///
/// A report contains all information without colors; they only help to find it.
package struct Style: Hashable, Sendable {
  /// Whether the output contains ANSI color codes.
  package var isColored: Bool
  /// Whether symbols and lines are drawn only with ASCII.
  package var usesASCII: Bool
  /// The number of columns of a line, or `nil` if it is unknown, for example for a file.
  ///
  /// If it is `nil`, tables are ``defaultWidth`` columns wide, and single lines are not wrapped.
  package var width: Int?

  /// Creates a style; without arguments, that of plain text of default width.
  package init(isColored: Bool = false, usesASCII: Bool = false, width: Int? = nil) {
    self.isColored = isColored
    self.usesASCII = usesASCII
    self.width = width
  }

  /// The default width of tables.
  package static let defaultWidth = 96
  /// The default width of prose; longer lines are hard to read.
  package static let defaultTextWidth = 80
  /// The minimum width; a terminal with fewer columns wraps the lines itself.
  package static let leastWidth = 40

  /// Returns the width of prose for a number of columns.
  static func textWidth(_ columns: Int?) -> Int {
    max(leastWidth, min(defaultTextWidth, columns ?? defaultTextWidth))
  }

  /// The width of tables.
  var tableWidth: Int { max(Self.leastWidth, width ?? Self.defaultWidth) }

  /// Returns text wrapped to the space that an indent leaves, or one line if the width is unknown.
  func broken(_ text: String, indent: Int) -> [String] {
    guard let width else { return [text] }
    return VisibleText.wrapped(text, width: max(20, max(Self.leastWidth, width) - indent))
  }

  /// Plain text in Unicode.
  package static let plain = Style()

  enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case magenta = "35"
    case cyan = "36"
    case boldRed = "1;31"
  }

  func paint(_ text: String, _ paint: Paint) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(paint.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// The symbols in the report.
  var symbols: Symbols { usesASCII ? .ascii : .unicode }

  /// Returns the symbol of a verdict; reports also show its name.
  func symbol(of verdict: Verdict) -> String {
    switch verdict {
    case .passed: symbols.passed
    case .passedPartially: symbols.passedPartially
    case .nonStrict: symbols.nonStrict
    case .unsupported: symbols.unsupported
    case .failedAsExpected: symbols.failedAsExpected
    case .failed: symbols.failed
    case .error: symbols.error
    }
  }

  struct Symbols {
    var passed: String
    var failed: String
    var nonStrict: String
    var unsupported: String
    var passedPartially: String
    var failedAsExpected: String
    var error: String
    var bar: String
    var dash: String
    var cross: String
    var arrow: String
    var seenHere: String
    var expectedHere: String
    var gap: String

    static let unicode = Symbols(
      passed: "✓", failed: "✗", nonStrict: "~", unsupported: "-",
      passedPartially: "≈", failedAsExpected: "○", error: "!", bar: "│", dash: "─", cross: "┼",
      arrow: "→", seenHere: "▶",
      expectedHere: "▷", gap: "…")
    static let ascii = Symbols(
      passed: "+", failed: "x", nonStrict: "~", unsupported: "-",
      passedPartially: "=", failedAsExpected: "o", error: "!", bar: "|", dash: "-", cross: "+",
      arrow: "->",
      seenHere: ">", expectedHere: "?", gap: "...")
  }
}
