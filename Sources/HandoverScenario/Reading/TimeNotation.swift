public import HandoverCore

/// The notation of times in scenarios: `"250ms"`, `"1.5s"`, `"2min"`, `"1h"`, `"40us"`.
public enum TimeNotation {
  /// The units, from the smallest to the greatest.
  enum Unit: String, CaseIterable {
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "min"
    case hours = "h"

    static let vocabulary = Vocabulary<Self>()

    var microseconds: Int64 {
      switch self {
      case .microseconds: 1
      case .milliseconds: 1_000
      case .seconds: 1_000_000
      case .minutes: 60_000_000
      case .hours: 3_600_000_000
      }
    }
  }

  /// A parsed time.
  struct Parsed: Hashable {
    /// The length.
    var interval: Interval
    /// Whether the time begins with `+`.
    var isRelative: Bool
  }

  /// The reason why a string is not a valid time.
  enum Problem: Error, Hashable {
    case malformed
    case negative
    case withoutUnit
    case unknownUnit(String)
    case tooManyDecimals
    case tooFine
    case outOfRange
  }

  /// Parses a duration such as `250ms`, or returns `nil` if the string is invalid.
  public static func interval(_ text: String) -> Interval? {
    guard case .success(let parsed) = parse(text), !parsed.isRelative else { return nil }
    return parsed.interval
  }

  /// Parses a time.
  static func parse(_ text: String) -> Result<Parsed, Problem> {
    let bytes = Array(text.utf8)
    return parse(bytes.span)
  }

  /// Parses a time in UTF-8.
  static func parse(_ bytes: Span<UInt8>) -> Result<Parsed, Problem> {
    var number = Number()
    var at = 0
    let isRelative = !bytes.isEmpty && bytes[0] == .plus
    if isRelative { at += 1 }
    guard at == bytes.count || bytes[at] != .minus else { return .failure(.negative) }
    while at < bytes.count, bytes[at].isDigit {
      number.append(bytes[at])
      at += 1
    }
    guard number.digitCount > 0 else { return .failure(.malformed) }
    var decimalCount = 0
    if at < bytes.count, bytes[at] == .dot {
      at += 1
      let start = at
      while at < bytes.count, bytes[at].isDigit {
        if at - start < 3 { number.append(bytes[at]) }
        at += 1
      }
      decimalCount = at - start
      guard decimalCount > 0 else { return .failure(.malformed) }
    }
    guard at < bytes.count else { return .failure(.withoutUnit) }
    guard let unit = Unit.vocabulary.keyword(bytes.extracting(at...)) else {
      let name = (at..<bytes.count).map { bytes[$0] }
      return .failure(.unknownUnit(String(decoding: name, as: UTF8.self)))
    }
    guard decimalCount <= 3 else { return .failure(.tooManyDecimals) }
    for _ in decimalCount..<3 { number.append(UInt8(ascii: "0")) }
    return interval(thousandths: number.value, unit).map {
      Parsed(interval: $0, isRelative: isRelative)
    }
  }

  private static func interval(thousandths: Int64?, _ unit: Unit) -> Result<Interval, Problem> {
    guard let thousandths else { return .failure(.outOfRange) }
    let (scaled, overflow) = thousandths.multipliedReportingOverflow(by: unit.microseconds)
    guard !overflow else { return .failure(.outOfRange) }
    guard scaled % 1_000 == 0 else { return .failure(.tooFine) }
    let interval = Interval(microseconds: scaled / 1_000)
    return interval > ScenarioLimits.longestTime ? .failure(.outOfRange) : .success(interval)
  }

  /// The value of a sequence of digits, or `nil` if it overflows.
  private struct Number {
    var value: Int64? = 0
    var digitCount = 0

    mutating func append(_ digit: UInt8) {
      digitCount += 1
      guard let value else { return }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      self.value = overflow || carry ? nil : sum
    }
  }
}
