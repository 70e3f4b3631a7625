import HandoverCore
import HandoverLinux

/// An instant of the monotonic clock as local wall-clock time, for people and logs.
struct LocalTime {
  private let seconds: Int
  private let microseconds: Int64

  /// Converts an instant of the monotonic clock.
  ///
  /// The result is exact if the wall clock has not been set since that instant.
  init(monotonic instant: Int64) {
    let wall = wallMicroseconds() - monotonicMicroseconds() + instant
    seconds = Int(wall / 1_000_000)
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
    SystemText.localTime(seconds, as: format)
  }

  /// The current wall-clock time since 1970.
  static var now: Instant { Instant(microseconds: wallMicroseconds()) }
}
