import HandoverBackend
import HandoverCore
import HandoverLinux

extension LivePlan.Medium {
  /// The device's interface for it.
  var interface: String {
    switch self {
    case .wifi: "wlan0"
    case .cellular: "wwan0"
    case .vpn: "vpn0"
    }
  }

  /// The metric of a default route over it, as usual on Linux: the lower one would win.
  var metric: UInt32 {
    switch self {
    case .wifi: 600
    case .cellular: 700
    case .vpn: 50
    }
  }
}

extension [AccessNetwork] {
  /// The media that a device has an interface for: a VPN's only where it has one.
  var media: [LivePlan.Medium] {
    LivePlan.Medium.allCases.filter { medium in
      medium != .vpn || contains { $0.medium == medium }
    }
  }
}

/// A network that the device can be on: that of an access point or of a carrier's gateway.
///
/// Addresses are private ones and those for documentation, so that none of them is anybody's.
struct AccessNetwork: Hashable, Sendable {
  /// Which one, counted from 1; 0 is a network without a router, where nothing answers.
  var number: UInt8
  /// What it runs over.
  var medium: LivePlan.Medium
  /// The families that it carries.
  var families = NetworkFamilies.ipv4
  /// Whether it translates between IPv6 and the IPv4 behind it.
  var translates = false
  /// Whether nothing passes on other networks while it is the default network.
  var takesAllTraffic = false
  /// The hosts that cannot be reached over it, in their order.
  var unreached: [Int] = []
  /// Before which others it serves those that the default network does not reach.
  var preference = 0
  /// How often the device got another address on it.
  var lease: UInt8 = 0

  var hasIPv4: Bool { families.carries(.ipv4) }
  var hasIPv6: Bool { families.carries(.ipv6) }
  /// What it carries that another one does not; nil where that is nothing.
  func beyond(_ other: AccessNetwork) -> AccessNetwork? {
    var rest = self
    switch (hasIPv4 && !other.hasIPv4, hasIPv6 && !other.hasIPv6) {
    case (true, true): rest.families = .both
    case (true, false): rest.families = .ipv4
    case (false, true): rest.families = .ipv6
    case (false, false): return nil
    }
    return rest
  }

  /// The router's address on it, which is the device's next hop.
  var gateway: IPAddress { address(1) }
  /// The device's address on it.
  var deviceAddress: IPAddress { address(2 + lease) }
  /// The network itself.
  var prefix: IPNetwork { withPrefix(address(0)) }
  /// An address with the length of the network's prefix.
  func withPrefix(_ address: IPAddress) -> IPNetwork { IPNetwork(address, prefixLength: 24) }

  /// The servers' end of the router's uplink.
  var uplinkOfServers: IPAddress { IPAddress(198, 18, 1, 4 * (number - 1) + 1) }
  /// The router's end of its uplink.
  var uplinkOfRouter: IPAddress { IPAddress(198, 18, 1, 4 * (number - 1) + 2) }
  /// The same in IPv6, of which every network has addresses of its own.
  var gateway6: IPAddress { Self.address6(number, 0, 1) }
  var deviceAddress6: IPAddress { Self.address6(number, 0, 2 + lease) }
  var prefix6: IPNetwork { Self.withPrefix6(Self.address6(number, 0, 0)) }
  var uplinkOfServers6: IPAddress { Self.address6(number, 1, 1) }
  var uplinkOfRouter6: IPAddress { Self.address6(number, 1, 2) }

  /// Addresses that the router gives to the device's flows (the upper half of the last byte).
  var translated: IPNetwork { IPNetwork(address(128), prefixLength: 25) }
  var translated6: IPNetwork { IPNetwork(Self.address6(number, 0, 128), prefixLength: 121) }

  /// How many addresses the device can have on it, one after the other.
  static let leaseCount: UInt8 = 100

  /// Who says on the way that a packet is too long: the router, or to the servers somebody beside
  /// it, as the router's own address would be refused on its own leg.
  func router(isIPv6: Bool, toDevice: Bool) -> IPAddress {
    if isIPv6 { return toDevice ? gateway6 : Self.address6(number, 0, 126) }
    return toDevice ? gateway : address(126)
  }

  /// The device's addresses on it.
  var deviceAddresses: [IPAddress] {
    (hasIPv4 ? [deviceAddress] : []) + (hasIPv6 ? [deviceAddress6] : [])
  }
  /// The network itself, in each family; that of IPv4 is there where the router translates, too.
  var prefixes: [IPNetwork] { [prefix] + (hasIPv6 ? [prefix6] : []) }

  /// An address of IPv6 with the length of its network's prefix.
  static func withPrefix6(_ address: IPAddress) -> IPNetwork {
    IPNetwork(address, prefixLength: 64)
  }

  /// Whether an address is one of a network's, and no server's.
  static func has(_ address: IPAddress) -> Bool {
    let bytes = address.bytes
    if address.family == .v4 {
      return [[192, 168], [10, 64], [172, 20]].contains { bytes.starts(with: $0) }
    }
    return bytes.starts(with: range6)
      && (1...maximumCount).contains(Int(bytes[5])) && bytes[6] == 0 && bytes[7] == 0
  }

  /// What the addresses of every network begin with in IPv6: of the range for documents that
  /// scenarios take their servers' from less often.
  private static let range6: [UInt8] = [0x3F, 0xFF, 0x0F, 0xFF, 0]

  /// The device's address of IPv6 that stands for one of IPv4 if the network translates.
  func address6(like address: IPAddress) -> IPAddress {
    Self.address6(number, 0, address.bytes[3])
  }

  private static func address6(_ network: UInt8, _ subnet: UInt8, _ host: UInt8) -> IPAddress {
    let bytes: [UInt8] = range6 + [network, 0, subnet]
    guard let address = IPAddress(bytes + [0, 0, 0, 0, 0, 0, 0, host]) else {
      preconditionFailure("an address has sixteen bytes")
    }
    return address
  }

  /// How long the prefix of an uplink is.
  static let uplinkPrefixLength = 30

  /// The device's routing table for a network that was left and stays alive.
  var table: UInt32 { 100 + UInt32(number) }

  /// How many networks there can be: uplinks have one byte.
  static let maximumCount = 60

  private func address(_ host: UInt8) -> IPAddress {
    switch medium {
    case .wifi: IPAddress(192, 168, number, host)
    case .cellular: IPAddress(10, 64, number, host)
    case .vpn: IPAddress(172, 20, number, host)
    }
  }

  /// A network of a medium where nothing answers.
  static func nowhere(_ medium: LivePlan.Medium) -> AccessNetwork {
    AccessNetwork(number: 0, medium: medium)
  }
}

/// Where the servers are.
enum ServerNetwork {
  /// The addresses of the name server, in each family.
  static let nameServers = [
    IPAddress(198, 18, 0, 53), IPAddress("2001:db8:113:1::53") ?? IPAddress(0, 0, 0, 0),
  ]
  /// The network of all servers.
  static let network = IPNetwork(IPAddress(203, 0, 113, 0), prefixLength: 24)
  /// The network of the servers that have names, in IPv6.
  static let network6 = IPNetwork(
    IPAddress("2001:db8:113::") ?? IPAddress(0, 0, 0, 0), prefixLength: 48)
  /// The port of every server.
  static let port: UInt16 = 50_051
  /// How many hosts there can be.
  static let maximumHostCount = 254

  /// The address of a host, by its place in the script.
  static func address(of host: Int) -> IPAddress { IPAddress(203, 0, 113, UInt8(1 + host)) }
  /// The same in IPv6.
  static func address6(of host: Int) -> IPAddress {
    var bytes = network6.address.bytes
    bytes[15] = UInt8(1 + host)
    return IPAddress(bytes) ?? network6.address
  }
}
