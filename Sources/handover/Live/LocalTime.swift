import Glibc
import HandoverCore

/// An instant of the monotonic clock as local wall-clock time, for people and logs.
struct LocalTime {
  private let seconds: time_t
  private let microseconds: Int64

  /// Converts an instant of the monotonic clock.
  ///
  /// The result is exact if the wall clock has not been set since that instant.
  init(monotonic instant: Int64) {
    let wall =
      Self.microseconds(of: CLOCK_REALTIME) - Self.microseconds(of: CLOCK_MONOTONIC) + instant
    seconds = time_t(wall / 1_000_000)
    microseconds = wall % 1_000_000
  }

  /// The time of day, such as `22:38:31.298353`.
  var timeOfDay: String { formatted("%H:%M:%S") + fraction }

  /// The date, the time and the zone, such as `2026-11-21T22:38:31.298353+0000`.
  var full: String { formatted("%Y-%m-%dT%H:%M:%S") + fraction + formatted("%z") }

  /// The date and the time for people, such as `2026-11-21 22:38:31 UTC`.
  var readable: String { formatted("%Y-%m-%d %H:%M:%S %Z") }

  private var fraction: String {
    let digits = String(microseconds)
    return "." + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private func formatted(_ format: String) -> String {
    var seconds = seconds
    var parts = unsafe tm()
    _ = unsafe localtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The current wall-clock time since 1970.
  static var now: Instant { Instant(microseconds: microseconds(of: CLOCK_REALTIME)) }

  private static func microseconds(of clock: clockid_t) -> Int64 {
    var now = timespec()
    _ = unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }
}
