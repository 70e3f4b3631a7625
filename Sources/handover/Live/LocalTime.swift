#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Times of the monotonic clock as people and logs write them, in the local zone.
struct LocalTime {
  private let seconds: time_t
  private let microseconds: Int64

  /// What the wall clock showed at an instant of the monotonic clock, as far as it was not set
  /// since.
  init(monotonic instant: Int64) {
    let wall =
      Self.microseconds(of: CLOCK_REALTIME) - Self.microseconds(of: CLOCK_MONOTONIC) + instant
    seconds = time_t(wall / 1_000_000)
    microseconds = wall % 1_000_000
  }

  /// The time of day: `22:38:31.298353`.
  var timeOfDay: String { formatted("%H:%M:%S") + fraction }

  /// The day, the time and the zone: `2026-11-21T22:38:31.298353+0000`.
  var full: String { formatted("%Y-%m-%dT%H:%M:%S") + fraction + formatted("%z") }

  /// The day and the time for people: `2026-11-21 22:38:31 UTC`.
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

  private static func microseconds(of clock: clockid_t) -> Int64 {
    var now = timespec()
    _ = unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }
}
