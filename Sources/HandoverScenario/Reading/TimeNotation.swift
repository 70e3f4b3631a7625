public import HandoverCore

/// Times as scenarios write them: `"250ms"`, `"1.5s"`, `"2min"`, `"1h"`, `"40us"`.
public enum TimeNotation {
  /// A time as it is written, in the greatest unit that needs no more than three decimals.
  ///
  /// Scenarios hold no negative times; one is written as zero.
  public static func text(_ interval: Interval) -> String {
    let microseconds = interval.microseconds
    guard microseconds > 0 else { return "0s" }
    for unit in Unit.allCases.reversed() where microseconds >= unit.microseconds {
      let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: unit.microseconds)
      let thousandths = rest.multipliedReportingOverflow(by: 1_000).partialValue
      guard thousandths % unit.microseconds == 0 else { continue }
      var decimals = String(thousandths / unit.microseconds + 1_000).dropFirst()
      while decimals.last == "0" { decimals.removeLast() }
      return "\(whole)\(decimals.isEmpty ? "" : ".\(decimals)")\(unit.rawValue)"
    }
    return "\(microseconds)us"
  }

  /// An instant as it is written: the time since the beginning of the run.
  public static func text(_ instant: Instant) -> String {
    text(Interval(microseconds: instant.microseconds))
  }

  /// The units, from the smallest to the greatest.
  enum Unit: String, CaseIterable {
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "min"
    case hours = "h"

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

  /// A time that was read.
  struct Parsed: Hashable {
    /// The length.
    var interval: Interval
    /// Whether a `+` stands before it.
    var isRelative: Bool
  }

  /// Why a text is no time.
  enum Problem: Error, Hashable {
    case malformed
    case negative
    case withoutUnit
    case unknownUnit(String)
    case tooManyDecimals
    case tooFine
    case outOfRange
  }

  /// Reads a time.
  static func parse(_ text: String) -> Result<Parsed, Problem> {
    var rest = text.utf8[...]
    let isRelative = rest.first == .plus
    if isRelative { rest.removeFirst() }
    if rest.first == .minus { return .failure(.negative) }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest[whole.endIndex...]
    guard !whole.isEmpty else { return .failure(.malformed) }
    var decimals = rest[..<rest.startIndex]
    if rest.first == .dot {
      decimals = rest.dropFirst().prefix(while: \.isDigit)
      rest = rest[decimals.endIndex...]
      guard !decimals.isEmpty else { return .failure(.malformed) }
    }
    guard !rest.isEmpty else { return .failure(.withoutUnit) }
    let name = String(Substring(rest))
    guard let unit = Unit(rawValue: name) else { return .failure(.unknownUnit(name)) }
    guard decimals.count <= 3 else { return .failure(.tooManyDecimals) }
    return length(whole: whole, decimals: decimals, unit: unit).map {
      Parsed(interval: $0, isRelative: isRelative)
    }
  }

  private static func length(
    whole: Substring.UTF8View, decimals: Substring.UTF8View, unit: Unit
  ) -> Result<Interval, Problem> {
    var thousandths: Int64 = 0
    let padding = String(repeating: "0", count: 3 - decimals.count).utf8
    for digit in Array(whole) + Array(decimals) + Array(padding) {
      let (product, overflow) = thousandths.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { return .failure(.outOfRange) }
      thousandths = sum
    }
    let (scaled, overflow) = thousandths.multipliedReportingOverflow(by: unit.microseconds)
    guard !overflow else { return .failure(.outOfRange) }
    guard scaled % 1_000 == 0 else { return .failure(.tooFine) }
    let interval = Interval(microseconds: scaled / 1_000)
    return interval > ScenarioLimits.longestTime ? .failure(.outOfRange) : .success(interval)
  }
}
