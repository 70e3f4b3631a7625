import Testing

@testable import HandoverLab
@testable import HandoverLinux

@Suite("Packets without a route")
struct UnroutedTests {
  @Test(
    "Two packets of one family are one attempt, and both families belong to the same attempt",
    arguments: [(0, 0, 0), (1, 0, 1), (2, 2, 1), (0, 3, 2), (1_000, 2, 500)])
  func attempts(v4: Int64, v6: Int64, attempts: Int) {
    var early = TrafficWatch.Unrouted()
    let count = Self.count(0, 0).attempts(
      until: Self.count(v4, v6), TrafficWatch.Unrouted(), early: &early)
    #expect(count == attempts)
  }

  @Test("Packets of known connections are no attempts: data, repetitions and the end")
  func sent() throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let idle = TCPConnection(
      localAddress: address, localPort: 1, remoteAddress: address, remotePort: 2, inode: 3)
    var (writing, repeating, ended) = (idle, idle, idle)
    writing.unacknowledged = 9
    repeating.repetitions = 2
    ended.inode = 0
    for (connection, count) in [(idle, 0), (writing, 1), (repeating, 2), (ended, 1)] {
      let sent = TrafficWatch.Unrouted(sentBetween: [idle], [connection])
      #expect((sent.v4, sent.v6) == (Int64(count), 0))
      #expect(TrafficWatch.Unrouted(sentBetween: [], [connection]) == TrafficWatch.Unrouted())
    }
    #expect(TrafficWatch.Unrouted(sentBetween: [repeating], [idle]) == TrafficWatch.Unrouted())
  }

  @Test("A connection can show a packet one look before the counter, but not earlier")
  func early() {
    var early = TrafficWatch.Unrouted()
    let (none, one) = (TrafficWatch.Unrouted(), Self.sent(1))
    #expect(Self.count(0, 0).attempts(until: Self.count(0, 0), one, early: &early) == 0)
    #expect(Self.count(0, 0).attempts(until: Self.count(1, 0), none, early: &early) == 0)
    #expect(Self.count(1, 0).attempts(until: Self.count(2, 0), none, early: &early) == 1)
    #expect(Self.count(2, 0).attempts(until: Self.count(2, 0), one, early: &early) == 0)
    #expect(Self.count(2, 0).attempts(until: Self.count(2, 0), none, early: &early) == 0)
    #expect(Self.count(2, 0).attempts(until: Self.count(3, 0), none, early: &early) == 1)
    #expect(Self.count(3, 0).attempts(until: Self.count(6, 0), one, early: &early) == 1)
  }

  private static func count(_ v4: Int64, _ v6: Int64) -> TrafficWatch.Unrouted {
    TrafficWatch.Unrouted(["Ip.OutNoRoutes": 7 + v4, "Ip6OutNoRoutes": 9 + v6])
  }

  private static func sent(_ v4: Int64) -> TrafficWatch.Unrouted {
    var sent = TrafficWatch.Unrouted()
    sent.v4 = v4
    return sent
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
