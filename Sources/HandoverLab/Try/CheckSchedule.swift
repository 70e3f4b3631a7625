/// The times at which the connections of a program and the counters of its kernel are checked, in
/// microseconds.
///
/// The table of sockets is the only evidence of a release whose FIN waits behind lost data. A
/// program that waits before its next attempt may do so for 100 ms only, so the checks are more
/// frequent.
struct CheckSchedule {
  /// The interval between two checks of the connections.
  private static let period: Int64 = 25_000
  /// The interval between two checks that also read the counters, which takes longer.
  private static let counterPeriod: Int64 = 100_000
  /// The least ratio of the interval between two checks to the time that a check takes.
  private static let pausePerCheckTime: Int64 = 20

  /// The time of the next check.
  private(set) var next: Int64 = 0
  private var nextCounters: Int64 = 0

  /// Begins a check, and returns whether it also reads the counters.
  mutating func begin(at now: Int64) -> Bool {
    guard now >= nextCounters else { return false }
    nextCounters = now + Self.counterPeriod
    return true
  }

  /// Ends a check that began at a time.
  mutating func end(at now: Int64, began: Int64) {
    next = began + Self.pause(atLeast: Self.period, cost: now - began)
  }

  /// Returns a pause of at least `period` with which checks use at most 5 % of the time.
  static func pause(atLeast period: Int64, cost: Int64) -> Int64 {
    max(period, cost * pausePerCheckTime)
  }
}
