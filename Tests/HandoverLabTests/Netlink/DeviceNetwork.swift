import HandoverLinux
import HandoverNetlink
import Testing

/// A device with a WiFi and a cellular interface, whose far ends are in another namespace.
struct DeviceNetwork {
  let device: NetworkController
  let far: NetworkController

  enum Medium: String, CaseIterable {
    case wifi = "wlan0"
    case cellular = "wwan0"

    var farEnd: String { "\(rawValue)-far" }
    var metric: UInt32 { self == .wifi ? 600 : 700 }
    var own: IPNetwork {
      IPNetwork(
        self == .wifi ? IPAddress(192, 168, 1, 2) : IPAddress(10, 64, 0, 2), prefixLength: 24)
    }
    var gateway: IPAddress {
      self == .wifi ? IPAddress(192, 168, 1, 1) : IPAddress(10, 64, 0, 1)
    }
  }

  init() throws {
    device = try NetworkController(in: NetworkNamespace(name: "device"))
    far = try NetworkController(in: NetworkNamespace(name: "far"))
    for medium in Medium.allCases {
      try device.addPair(medium.rawValue, peer: medium.farEnd, in: far.namespace)
      try far.setLink(medium.farEnd, up: true)
    }
  }

  /// Joins a network: the interface comes up with an address and a default route.
  func join(_ medium: Medium, gateway: IPAddress? = nil) throws {
    try device.setLink(medium.rawValue, up: true)
    try? device.addAddress(medium.own, to: medium.rawValue)
    try device.addRoute(route(medium, gateway: gateway))
  }

  /// Leaves a network: the interface goes down, and the kernel removes its routes.
  func leave(_ medium: Medium) throws {
    try device.setLink(medium.rawValue, up: false)
  }

  func route(_ medium: Medium, gateway: IPAddress? = nil) -> NetworkController.RouteSettings {
    .init(
      to: .allAddresses(of: .v4), by: medium.rawValue, via: gateway ?? medium.gateway,
      metric: medium.metric)
  }
}
