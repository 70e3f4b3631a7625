import HandoverCore
import Testing

@Suite("Reachability flags")
struct ReachabilityFlagsTests {
  @Test(
    "The bits are those of the platform",
    arguments: [
      (0, "TransientConnection"), (1, "Reachable"), (2, "ConnectionRequired"),
      (3, "ConnectionOnTraffic"), (4, "InterventionRequired"), (5, "ConnectionOnDemand"),
      (16, "IsLocalAddress"), (17, "IsDirect"), (18, "IsWWAN"),
    ])
  func haveThePlatformsBits(bit: UInt32, name: String) {
    #expect(ReachabilityFlags(rawValue: 1 << bit).description == name)
  }

  @Test("Every set of named flags survives a round trip through the log format")
  func surviveTheLogText() {
    for combination in 0..<(1 << ReachabilityFlags.names.count) {
      var flags: ReachabilityFlags = []
      for (index, name) in ReachabilityFlags.names.enumerated()
      where combination & 1 << index != 0 {
        flags.insert(name.flag)
      }
      #expect(ReachabilityFlags(logText: flags.logText) == flags)
    }
  }

  @Test(
    "The log format is that of the platform's sample",
    arguments: [
      ([], "-- -------"), ([.reachable], "-R -------"), ([.reachable, .isWWAN], "WR -------"),
      (ReachabilityFlags.all, "WR tcCiDld"), ([.connectionRequired], "-- -c-----"),
    ] as [(ReachabilityFlags, String)])
  func areWrittenAsTheSampleDoes(flags: ReachabilityFlags, text: String) {
    #expect(flags.logText == text)
  }

  @Test(
    "A string in another format is refused",
    arguments: [
      "", "WR", "WR-------", "WR  -------", "WR --------", "RW -------", "WR ------x",
      "wr -------", " WR -------", "WR ------- ",
    ])
  func refuseOtherText(text: String) {
    #expect(ReachabilityFlags(logText: text) == nil)
  }

  @Test("An empty set of flags is shown as a dash")
  func describeNothing() {
    #expect(ReachabilityFlags().description == "-")
  }
}
