import HandoverCore
import Testing

@Suite("Reachability flags")
struct ReachabilityFlagsTests {
  @Test(
    "the bits are the platform's",
    arguments: [
      (0, "TransientConnection"), (1, "Reachable"), (2, "ConnectionRequired"),
      (3, "ConnectionOnTraffic"), (4, "InterventionRequired"), (5, "ConnectionOnDemand"),
      (16, "IsLocalAddress"), (17, "IsDirect"), (18, "IsWWAN"),
    ])
  func haveThePlatformsBits(bit: UInt32, name: String) {
    #expect(ReachabilityFlags(rawValue: 1 << bit).description == name)
  }

  @Test("every set of named flags survives being written as log text and read again")
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
    "the log text is the one of the platform's sample",
    arguments: [
      ([], "-- -------"), ([.reachable], "-R -------"), ([.reachable, .isWWAN], "WR -------"),
      (ReachabilityFlags.all, "WR tcCiDld"), ([.connectionRequired], "-- -c-----"),
    ] as [(ReachabilityFlags, String)])
  func areWrittenAsTheSampleDoes(flags: ReachabilityFlags, text: String) {
    #expect(flags.logText == text)
  }

  @Test(
    "text that is not of that form is refused",
    arguments: [
      "", "WR", "WR-------", "WR  -------", "WR --------", "RW -------", "WR ------x",
      "wr -------", " WR -------", "WR ------- ",
    ])
  func refuseOtherText(text: String) {
    #expect(ReachabilityFlags(logText: text) == nil)
  }

  @Test("no flags are described by a dash")
  func describeNothing() {
    #expect(ReachabilityFlags().description == "-")
  }
}
