import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("Packets without a route")
struct UnroutedTests {
  @Test(
    "Two packets of one family are one attempt, and both families belong to the same attempt",
    arguments: [(0, 0, 0), (1, 0, 1), (2, 2, 1), (0, 3, 2), (1_000, 2, 500)])
  func attempts(v4: Int64, v6: Int64, count: Int) {
    let earlier = TrafficWatch.Unrouted(["Ip.OutNoRoutes": 7, "Ip6OutNoRoutes": 9])
    let now = TrafficWatch.Unrouted(["Ip.OutNoRoutes": 7 + v4, "Ip6OutNoRoutes": 9 + v6])
    #expect(now.attempts(since: earlier) == count)
  }
}

@Suite("Standstills of the machine")
struct StandstillTests {
  @Test("A gap between two ticks is a standstill only if it exceeds 500 ms")
  func gaps() throws {
    let watch = try StandstillWatch(shortest: 500_000)
    defer { watch.close() }
    // Far from the ticks that the watch records during the test.
    let start: Int64 = -10_000_000_000
    for (from, to) in [(0, 50_000), (50_000, 550_000), (550_000, 1_050_001)] as [(Int64, Int64)] {
      watch.note(.init(from: start + from, to: start + to))
    }
    #expect(
      watch.spans.filter { $0.to < 0 }
        == [.init(from: start + 550_000, to: start + 1_050_001)])
  }

  @Test("The number of standstills still grows when no more spans are kept")
  func count() throws {
    let watch = try StandstillWatch(shortest: 500_000)
    defer { watch.close() }
    for _ in 0..<1_200 { watch.note(.init(from: 0, to: 600_000)) }
    #expect(watch.count >= 1_200)
    #expect(watch.spans.count == 1_000)
  }
}
