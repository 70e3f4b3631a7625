package import HandoverCore
package import HandoverEngine

/// Times as people read them; what programs read has them exactly, in microseconds or as scenarios
/// write them.
enum HumanTime {
  /// How a length is brought to what is told of it.
  enum Rounding: Sendable {
    case nearest
    /// What is over a limit never reads like the limit.
    case up
  }

  private static let second: Int64 = 1_000_000
  private static let minute = 60 * second
  private static let hour = 60 * minute

  /// A length that was measured: `0 s`, `740 ms`, `19.0 s`, `15 min 2 s`, `1 h 3 min`.
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

  /// A length that was written, exactly: `0 s`, `50 ms`, `7.55 s`, `15 min 20 s`.
  static func exact(_ interval: Interval) -> String {
    let (length, sign) = parts(interval.microseconds)
    if length == 0 { return "0 s" }
    if length < 1_000 { return "\(sign)\(length) us" }
    if length < second { return "\(sign)\(decimal(length, 1_000)) ms" }
    let units: [(Int64, String)] = [(length / hour, "h"), (length % hour / minute, "min")]
    var told = units.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let rest = length % minute
    if rest > 0 { told.append("\(decimal(rest, second)) s") }
    return sign + told.joined(separator: " ")
  }

  /// An instant of a run, exactly.
  static func exact(_ instant: Instant) -> String {
    exact(Interval(microseconds: instant.microseconds))
  }

  private static func parts(_ microseconds: Int64) -> (length: Int64, sign: String) {
    (Int64(clamping: microseconds.magnitude), microseconds < 0 ? "-" : "")
  }

  /// A length in a unit, with as many decimals as it needs.
  private static func decimal(_ length: Int64, _ unit: Int64) -> String {
    guard length % unit > 0 else { return "\(length / unit)" }
    // A unit is a power of ten: what stands behind its one are the digits of the rest.
    var digits = String(String(unit + length % unit).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(length / unit).\(digits)"
  }
}

extension Interval {
  /// The length as people read it, exactly.
  package var told: String { HumanTime.exact(self) }

  /// The length as people read it, where it was measured: to a tenth of a second.
  package var measured: String { HumanTime.measured(self) }
}

extension Instant {
  /// The instant as people read it, exactly.
  package var told: String { HumanTime.exact(self) }
}

extension TimedText {
  /// The sentence as people read it: with exact times, as they speak of them.
  package var told: String { text(HumanTime.exact) }
}
