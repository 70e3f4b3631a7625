import Testing

@testable import HandoverLab

@Suite("The checks of a program's connections")
struct CheckScheduleTests {
  /// Returns the times of the checks until a time, and of those that read the counters.
  private static func checks(
    until end: Int64, cost: Int64
  ) -> (all: [Int64], counters: [Int64]) {
    var schedule = CheckSchedule()
    var (all, counters): ([Int64], [Int64]) = ([], [])
    while schedule.next < end {
      let now = schedule.next
      all.append(now)
      if schedule.begin(at: now) { counters.append(now) }
      schedule.end(at: now + cost, began: now)
    }
    return (all, counters)
  }

  @Test("Connections are checked at least every 50 ms, and counters every 100 ms")
  func periods() {
    let checks = Self.checks(until: 1_000_000, cost: 500)
    #expect(zip(checks.all, checks.all.dropFirst()).allSatisfy { $1 - $0 <= 50_000 })
    #expect(checks.counters == (0..<10).map { $0 * 100_000 })
  }

  @Test("Checks use at most 5 % of the time")
  func cost() {
    let checks = Self.checks(until: 1_000_000, cost: 10_000)
    #expect(checks.all.count == 5 && checks.counters == checks.all)
  }
}
