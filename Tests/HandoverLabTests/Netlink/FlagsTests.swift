import HandoverCore
import HandoverLinux
import HandoverNetlink
import Testing

@Suite("Flags of a route")
struct FlagsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var route: Route?
    var text: String
    var testDescription: String { text }

    init(_ name: String?, _ text: String, _ change: (inout NetworkInterface) -> Void = { _ in }) {
      self.text = text
      guard let name else { return }
      var interface = NetworkInterface(index: 2, name: name)
      change(&interface)
      route = Route(interface: interface)
    }
  }

  @Test(
    "The flags are derived from the route and its interface",
    arguments: [
      Row(nil, "-- -------"),
      Row("wlan0", "-R -------"),
      Row("eth0", "-R -------"),
      Row("wwan0", "WR -------"),
      Row("wlan0", "-- -------") { $0.isUp = false },
      Row("wlan0", "-- -------") { $0.hasCarrier = false },
      Row("wwan0", "-- -------") { $0.hasCarrier = false },
      Row("wlan0", "-R -c-----") { $0.operationalState = .dormant },
      Row("wwan0", "WR -c-----") { $0.operationalState = .dormant },
      Row("wwan0", "WR -------") { $0.operationalState = .unknown },
    ])
  func table(row: Row) {
    #expect(ReachabilityFlags(route: row.route).logText == row.text)
  }

  @Test(
    "An interface is cellular by its kind, its name or its link layer",
    arguments: [
      (NetworkInterface(index: 2, name: "wwan0"), true),
      (NetworkInterface(index: 2, name: "ppp0"), true),
      (NetworkInterface(index: 2, name: "rmnet_data0"), true),
      (NetworkInterface(index: 2, name: "ccmni1"), true),
      (NetworkInterface(index: 2, name: "modem", kind: "wwan"), true),
      (NetworkInterface(index: 2, name: "modem", hardwareType: 519), true),
      (NetworkInterface(index: 2, name: "modem", hardwareType: 512), true),
      (NetworkInterface(index: 2, name: "wlan0"), false),
      (NetworkInterface(index: 2, name: "tun0", kind: "tun", hardwareType: 65_534), false),
    ])
  func cellular(interface: NetworkInterface, isCellular: Bool) {
    #expect(CellularRule().isCellular(interface) == isCellular)
  }

  @Test("The user's own patterns come first, and the first match decides")
  func patterns() {
    let rule = CellularRule([.init("usb0", .cellular), .init("ppp*", .wifi), .init("*0", .wifi)])
    #expect(rule.isCellular(NetworkInterface(index: 2, name: "usb0")))
    #expect(!rule.isCellular(NetworkInterface(index: 2, name: "ppp1")))
    #expect(!rule.isCellular(NetworkInterface(index: 2, name: "wwan0")))
    #expect(rule.isCellular(NetworkInterface(index: 2, name: "wwan1")))
  }
}
