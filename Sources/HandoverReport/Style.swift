import HandoverEngine

/// How a report for people looks: with colours or without, with all of Unicode or with ASCII only,
/// and how wide.
///
/// A report says everything without colour too; colour only helps the eye to find it.
public struct Style: Hashable, Sendable {
  /// Whether ANSI escapes for colour are written.
  public var isColoured: Bool
  /// Whether symbols and lines are drawn with ASCII only.
  public var usesASCII: Bool
  /// How many columns a line has, as of a terminal; nil where nobody says, such as in a file.
  ///
  /// Tables are drawn ``usualWidth`` wide then, and what stands on one line stays on one.
  public var width: Int?

  /// Makes a style; without arguments, plain text of a usual width.
  public init(isColoured: Bool = false, usesASCII: Bool = false, width: Int? = nil) {
    self.isColoured = isColoured
    self.usesASCII = usesASCII
    self.width = width
  }

  /// How wide tables are drawn where nobody says how many columns there are.
  public static let usualWidth = 96
  /// How wide running text is set where nobody says so; longer lines are tiring to read.
  public static let usualTextWidth = 80
  /// The narrowest there is; a terminal with fewer columns breaks lines by itself.
  public static let leastWidth = 40

  /// How wide running text is set on a page of so many columns.
  static func textWidth(_ columns: Int?) -> Int {
    max(leastWidth, min(usualTextWidth, columns ?? usualTextWidth))
  }

  /// How wide tables are drawn.
  var tableWidth: Int { max(Self.leastWidth, width ?? Self.usualWidth) }

  /// A text in lines that fit behind what they are set in by; one line where nobody says how wide.
  func broken(_ text: String, indent: Int) -> [String] {
    guard let width else { return [text] }
    return VisibleText.wrapped(text, width: max(20, max(Self.leastWidth, width) - indent))
  }

  /// Plain text in Unicode.
  public static let plain = Style()

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
    isColoured && !text.isEmpty ? "\u{1b}[\(paint.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// The symbols a report draws with.
  var symbols: Symbols { usesASCII ? .ascii : .unicode }

  /// The symbol of a verdict; beside it stands the word.
  func symbol(of verdict: Verdict) -> String {
    switch verdict {
    case .passed: symbols.passed
    case .asFarAsSeen: symbols.asFarAsSeen
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
    var asFarAsSeen: String
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
      asFarAsSeen: "≈", failedAsExpected: "○", error: "!", bar: "│", dash: "─", cross: "┼",
      arrow: "→", seenHere: "▶",
      expectedHere: "▷", gap: "…")
    static let ascii = Symbols(
      passed: "+", failed: "x", nonStrict: "~", unsupported: "-",
      asFarAsSeen: "=", failedAsExpected: "o", error: "!", bar: "|", dash: "-", cross: "+",
      arrow: "->",
      seenHere: ">", expectedHere: "?", gap: "...")
  }
}
