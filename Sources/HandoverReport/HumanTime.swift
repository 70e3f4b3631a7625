package import HandoverCore
package import HandoverEngine

/// Formats times for users.
///
/// Machine-readable output has exact times instead, in microseconds or in the notation of
/// scenarios.
enum HumanTime {
  /// The rounding of a measured duration.
  enum Rounding: Sendable {
    case nearest
    /// Rounds up, so that a duration above a limit is never shown as the limit.
    case up
  }

  private static let second: Int64 = 1_000_000
  private static let minute = 60 * second
  private static let hour = 60 * minute

  /// Returns a measured duration, rounded: `0 s`, `740 ms`, `19.0 s`, `15 min 2 s`, `1 h 3 min`.
  static func measured(_ interval: Interval, _ rounding: Rounding = .nearest) -> String {
    let (length, sign) = parts(interval.microseconds)
    func rounded(to unit: Int64) -> Int64 {
      let more = rounding == .up ? unit - 1 : unit / 2
      return Int64(clamping: (UInt64(length) + UInt64(more)) / UInt64(unit))
    }
    if length == 0 { return "0 s" }
    if length < 1_000 { return "\(sign)\(length) us" }
    if rounded(to: 1_000) < 1_000 { return "\(sign)\(rounded(to: 1_000)) ms" }
    let tenths = rounded(to: second / 10)
    if tenths < 600 { return "\(sign)\(tenths / 10).\(tenths % 10) s" }
    let seconds = rounded(to: second)
    if seconds < 3_600 {
      let rest = seconds % 60
      return "\(sign)\(seconds / 60) min" + (rest == 0 ? "" : " \(rest) s")
    }
    let minutes = rounded(to: minute)
    let rest = minutes % 60
    return "\(sign)\(minutes / 60) h" + (rest == 0 ? "" : " \(rest) min")
  }

  /// Returns a configured duration, exactly: `0 s`, `50 ms`, `7.55 s`, `15 min 20 s`.
  static func exact(_ interval: Interval) -> String {
    let (length, sign) = parts(interval.microseconds)
    if length == 0 { return "0 s" }
    if length < 1_000 { return "\(sign)\(length) us" }
    if length < second { return "\(sign)\(decimal(length, 1_000)) ms" }
    let units: [(Int64, String)] = [(length / hour, "h"), (length % hour / minute, "min")]
    var parts = units.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let rest = length % minute
    if rest > 0 { parts.append("\(decimal(rest, second)) s") }
    return sign + parts.joined(separator: " ")
  }

  /// Returns an instant of a run, exactly.
  static func exact(_ instant: Instant) -> String {
    exact(Interval(microseconds: instant.microseconds))
  }

  private static func parts(_ microseconds: Int64) -> (length: Int64, sign: String) {
    (Int64(clamping: microseconds.magnitude), microseconds < 0 ? "-" : "")
  }

  /// Returns a length in a unit, with as many decimals as needed.
  private static func decimal(_ length: Int64, _ unit: Int64) -> String {
    guard length % unit > 0 else { return "\(length / unit)" }
    // A unit is a power of ten, so the digits after its leading one are the remainder.
    var digits = String(String(unit + length % unit).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(length / unit).\(digits)"
  }
}

extension Interval {
  /// The exact duration, formatted for users.
  package var exactText: String { HumanTime.exact(self) }

  /// The measured duration, rounded and formatted for users.
  package var measured: String { HumanTime.measured(self) }
}

extension Instant {
  /// The exact instant, formatted for users.
  package var exactText: String { HumanTime.exact(self) }
}

extension TimedText {
  /// The sentence with exact times, formatted for users.
  package var exactText: String { text(HumanTime.exact) }
}
