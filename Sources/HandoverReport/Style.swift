import HandoverEngine

/// How a report for people looks: with colours or without, with all of Unicode or with ASCII only.
///
/// A report says everything without colour too; colour only helps the eye to find it.
public struct Style: Hashable, Sendable {
  /// Whether ANSI escapes for colour are written.
  public var isColoured: Bool
  /// Whether symbols and lines are drawn with ASCII only.
  public var usesASCII: Bool

  /// Makes a style; without arguments, plain text.
  public init(isColoured: Bool = false, usesASCII: Bool = false) {
    self.isColoured = isColoured
    self.usesASCII = usesASCII
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
