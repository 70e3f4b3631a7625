/// A time in a log, in microseconds.
///
/// Only differences between times of the same log are used, so the time zone does not matter.
struct Timestamp: Hashable, Sendable {
  /// Microseconds since 1970, or since midnight if the log contains no date.
  var microseconds: Int64
  /// Whether the date is known.
  var hasDay: Bool

  static let day: Int64 = 86_400_000_000

  /// Parses `2026-11-21T22:38:31.298353` or `2026-11-21 22:38:31`, without any other text.
  init?(iso text: Substring) {
    guard let found = Timestamp.first(in: text), found.range == text.startIndex..<text.endIndex,
      found.time.hasDay
    else { return nil }
    self = found.time
  }

  /// Parses `Sat Nov 21 22:38:31 2026 298576 usec`, the format of `ip -t monitor`.
  init?(spelt text: Substring) {
    let words = text.split(separator: " ")
    guard words.count == 7, words[6] == "usec", let month = Self.month(words[1]),
      let day = Int(words[2]), let year = Int(words[4]), let fraction = Int64(words[5]),
      (0..<1_000_000).contains(fraction), let clock = Self.clock(Array(words[3].utf8), 0),
      clock.end == words[3].utf8.count, let days = Self.days(year, month, day)
    else { return nil }
    microseconds = days * Self.day + clock.microseconds + fraction
    hasDay = true
  }

  /// Parses seconds since an arbitrary origin at the start of a line: `[   12.345678]`, `12.345`.
  init?(seconds text: Substring) {
    var rest = text.utf8[...].drop { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: " ") }
    let whole = rest.prefix { $0.isDecimalDigit }
    rest = rest.dropFirst(whole.count)
    guard rest.first == UInt8(ascii: ".") else { return nil }
    let fraction = rest.dropFirst().prefix { $0.isDecimalDigit }
    // More digits than any realistic uptime has would overflow.
    guard !fraction.isEmpty, (1...12).contains(whole.count) else { return nil }
    microseconds = 0
    for digit in whole { microseconds = microseconds * 10 + Int64(digit - UInt8(ascii: "0")) }
    var weight: Int64 = 1_000_000
    microseconds *= weight
    for digit in fraction {
      weight /= 10
      microseconds += Int64(digit - UInt8(ascii: "0")) * weight
    }
    hasDay = true
  }

  private init(microseconds: Int64, hasDay: Bool) {
    self.microseconds = microseconds
    self.hasDay = hasDay
  }

  /// Finds the first time of day in a text, with its date and time zone if present.
  ///
  /// Examples: `2026-11-21 22:38:31.298+0100`, `11-21 22:38:31`, `Nov 21 22:38:31`, `22:38:31,5`.
  static func first(
    in text: Substring
  ) -> (time: Timestamp, range: Range<Substring.Index>)? {
    let bytes = Array(text.utf8)
    var index = 0
    while index + 8 <= bytes.count {
      guard index == 0 || !bytes[index - 1].isDecimalDigit, let clock = clock(bytes, index) else {
        index += 1
        continue
      }
      var time = Timestamp(microseconds: clock.microseconds, hasDay: false)
      var (start, end) = (index, clock.end)
      if let day = day(bytes, before: index) {
        time = Timestamp(microseconds: clock.microseconds + day.days * Self.day, hasDay: true)
        start = day.start
      }
      if let zone = zone(bytes, end) {
        time.microseconds -= zone.microseconds
        end = zone.end
      }
      let utf8 = text.utf8
      return (
        time,
        utf8.index(utf8.startIndex, offsetBy: start)..<utf8.index(utf8.startIndex, offsetBy: end)
      )
    }
    return nil
  }

  // MARK: Parts

  /// Parses `22:38:31` with an optional fraction.
  private static func clock(
    _ bytes: [UInt8], _ start: Int
  ) -> (microseconds: Int64, end: Int)? {
    guard let hours = number(bytes, start, 2), byte(bytes, start + 2) == UInt8(ascii: ":"),
      let minutes = number(bytes, start + 3, 2), byte(bytes, start + 5) == UInt8(ascii: ":"),
      let seconds = number(bytes, start + 6, 2), hours < 24, minutes < 60, seconds <= 60
    else { return nil }
    var microseconds = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000
    var end = start + 8
    if let mark = byte(bytes, end), mark == UInt8(ascii: ".") || mark == UInt8(ascii: ","),
      byte(bytes, end + 1)?.isDecimalDigit ?? false
    {
      end += 1
      var weight: Int64 = 100_000
      while let digit = byte(bytes, end), digit.isDecimalDigit {
        microseconds += Int64(digit - UInt8(ascii: "0")) * weight
        weight /= 10
        end += 1
      }
    }
    return (microseconds, end)
  }

  /// Parses the date that ends before an index, with one separator in between.
  private static func day(
    _ bytes: [UInt8], before index: Int
  ) -> (days: Int64, start: Int)? {
    guard let separator = byte(bytes, index - 1),
      separator == UInt8(ascii: " ") || separator == UInt8(ascii: "T")
    else { return nil }
    let end = index - 1
    if let year = number(bytes, end - 10, 4), byte(bytes, end - 6) == UInt8(ascii: "-"),
      let month = number(bytes, end - 5, 2), byte(bytes, end - 3) == UInt8(ascii: "-"),
      let day = number(bytes, end - 2, 2), let days = days(Int(year), Int(month), Int(day))
    {
      return (days, end - 10)
    }
    // Logs without a year are assumed to stay within one year. 2000 is a leap year, so every date
    // is valid.
    if let month = number(bytes, end - 5, 2), byte(bytes, end - 3) == UInt8(ascii: "-"),
      let day = number(bytes, end - 2, 2), let days = days(2000, Int(month), Int(day))
    {
      return (days, end - 5)
    }
    guard end >= 6, bytes[end - 3] == UInt8(ascii: " "),
      let month = month(Substring(decoding: bytes[end - 6..<end - 3], as: UTF8.self)),
      let day = number(bytes, end - 2, 2) ?? number(bytes, end - 1, 1),
      let days = days(2000, month, Int(day))
    else { return nil }
    return (days, end - 6)
  }

  /// Parses `Z`, `+0100`, `+01:00` or ` +0100`.
  private static func zone(
    _ bytes: [UInt8], _ start: Int
  ) -> (microseconds: Int64, end: Int)? {
    if byte(bytes, start) == UInt8(ascii: "Z") { return (0, start + 1) }
    let start = byte(bytes, start) == UInt8(ascii: " ") ? start + 1 : start
    guard let sign = byte(bytes, start), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(bytes, start + 1, 2), hours < 24
    else { return nil }
    let colon = byte(bytes, start + 3) == UInt8(ascii: ":") ? 1 : 0
    guard let minutes = number(bytes, start + 3 + colon, 2), minutes < 60 else { return nil }
    let offset = (hours * 60 + minutes) * 60_000_000
    return (sign == UInt8(ascii: "-") ? -offset : offset, start + 5 + colon)
  }

  private static func byte(_ bytes: [UInt8], _ index: Int) -> UInt8? {
    bytes.indices.contains(index) ? bytes[index] : nil
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64? {
    var number: Int64 = 0
    for index in start..<start + count {
      guard let digit = byte(bytes, index), digit.isDecimalDigit else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  private static func month(_ name: Substring) -> Int? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return months.firstIndex { $0 == name }.map { $0 + 1 }
  }

  /// Returns the number of days from 1970 to a date, or `nil` if a component is out of range.
  ///
  /// A day beyond the end of a short month counts into the next month.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
    guard (1970..<10_000).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    // Years begin in March here, so that the leap day is the last day of a year.
    let shifted = month > 2 ? year : year - 1
    let (century, yearOfCentury) = shifted.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfCentury = yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear
    return Int64(century * 146_097 + dayOfCentury - 719_468)
  }
}

extension UInt8 {
  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
