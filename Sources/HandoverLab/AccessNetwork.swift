import HandoverBackend
import HandoverCore
import HandoverLinux

extension LivePlan.Medium {
  /// The device's interface for the medium.
  var interface: String {
    switch self {
    case .wifi: "wlan0"
    case .cellular: "wwan0"
    case .vpn: "vpn0"
    }
  }

  /// The usual metric on Linux of a default route over the medium.
  ///
  /// The route with the lowest metric wins.
  var metric: UInt32 {
    switch self {
    case .wifi: 600
    case .cellular: 700
    case .vpn: 50
    }
  }
}

extension [AccessNetwork] {
  /// The media for which a device has an interface.
  ///
  /// The VPN interface exists only if a network uses it.
  var media: [LivePlan.Medium] {
    LivePlan.Medium.allCases.filter { medium in
      medium != .vpn || contains { $0.medium == medium }
    }
  }
}

/// A network that the device can use: that of an access point or of a carrier's gateway.
///
/// All addresses are private or reserved for documentation, so that they belong to no real host.
struct AccessNetwork: Hashable, Sendable {
  /// The number of the network, counted from 1.
  ///
  /// A network with number 0 has no router and never responds.
  var number: UInt8
  /// The medium of the network.
  var medium: LivePlan.Medium
  /// The address families that the network carries.
  var families = NetworkFamilies.ipv4
  /// Whether the router translates between IPv6 and the IPv4 network behind it.
  var translates = false
  /// Whether all other networks are blocked while this network is the default network.
  var takesAllTraffic = false
  /// The hosts that cannot be reached over the network, in order.
  var unreachableHosts: [Int] = []
  /// The precedence among the networks that serve hosts which the default network does not reach.
  ///
  /// The lowest value wins.
  var preference = 0
  /// The number of new addresses that the device got on the network.
  var lease: UInt8 = 0

  var hasIPv4: Bool { families.carries(.ipv4) }
  var hasIPv6: Bool { families.carries(.ipv6) }
  /// Returns this network restricted to the families that another network does not carry, or `nil`
  /// if there are none.
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

  /// The router's address on the network, which is the device's next hop.
  var gateway: IPAddress { address(1) }
  /// The device's address on the network.
  var deviceAddress: IPAddress { address(2 + lease) }
  /// The network's prefix.
  var prefix: IPNetwork { withPrefix(address(0)) }
  /// Returns an address with the length of the network's prefix.
  func withPrefix(_ address: IPAddress) -> IPNetwork { IPNetwork(address, prefixLength: 24) }

  /// The servers' end of the router's uplink.
  var uplinkOfServers: IPAddress { IPAddress(198, 18, 1, 4 * (number - 1) + 1) }
  /// The router's end of its uplink.
  var uplinkOfRouter: IPAddress { IPAddress(198, 18, 1, 4 * (number - 1) + 2) }
  /// The IPv6 counterparts of the addresses above.
  ///
  /// Every network has its own IPv6 addresses.
  var gateway6: IPAddress { Self.address6(number, 0, 1) }
  var deviceAddress6: IPAddress { Self.address6(number, 0, 2 + lease) }
  var prefix6: IPNetwork { Self.withPrefix6(Self.address6(number, 0, 0)) }
  var uplinkOfServers6: IPAddress { Self.address6(number, 1, 1) }
  var uplinkOfRouter6: IPAddress { Self.address6(number, 1, 2) }

  /// The addresses that the router assigns to the device's flows (the upper half of the last byte).
  var translated: IPNetwork { IPNetwork(address(128), prefixLength: 25) }
  var translated6: IPNetwork { IPNetwork(Self.address6(number, 0, 128), prefixLength: 121) }

  /// The number of addresses that the device can have on the network, one after the other.
  static let leaseCount: UInt8 = 100

  /// Returns the source address of ICMP errors that report a packet as too long.
  ///
  /// To the device, this is the router's address. To the servers, it is another address of the same
  /// network, because the router rejects its own source address at its device-side interface.
  func router(isIPv6: Bool, toDevice: Bool) -> IPAddress {
    if isIPv6 { return toDevice ? gateway6 : Self.address6(number, 0, 126) }
    return toDevice ? gateway : address(126)
  }

  /// The device's addresses on the network.
  var deviceAddresses: [IPAddress] {
    (hasIPv4 ? [deviceAddress] : []) + (hasIPv6 ? [deviceAddress6] : [])
  }
  /// The network's prefix in each family.
  ///
  /// The IPv4 prefix exists even if the router translates.
  var prefixes: [IPNetwork] { [prefix] + (hasIPv6 ? [prefix6] : []) }

  /// Returns whether an address belongs to the network.
  func contains(_ address: IPAddress) -> Bool { prefixes.contains { $0.contains(address) } }

  /// Returns an IPv6 address with the length of its network's prefix.
  static func withPrefix6(_ address: IPAddress) -> IPNetwork {
    IPNetwork(address, prefixLength: 64)
  }

  /// Returns whether an address belongs to a network of the lab, and not to a server.
  static func has(_ address: IPAddress) -> Bool {
    let bytes = address.bytes
    if address.family == .v4 {
      return [[192, 168], [10, 64], [172, 20]].contains { bytes.starts(with: $0) }
    }
    return bytes.starts(with: range6)
      && (1...maximumCount).contains(Int(bytes[5])) && bytes[6] == 0 && bytes[7] == 0
  }

  /// The first bytes of the IPv6 addresses of every network.
  ///
  /// They are from the documentation range that scenarios rarely use for their servers.
  private static let range6: [UInt8] = [0x3F, 0xFF, 0x0F, 0xFF, 0]

  /// Returns the device's IPv6 address that represents an IPv4 address, if the network translates.
  func address6(like address: IPAddress) -> IPAddress {
    Self.address6(number, 0, address.bytes[3])
  }

  private static func address6(_ network: UInt8, _ subnet: UInt8, _ host: UInt8) -> IPAddress {
    let bytes: [UInt8] = range6 + [network, 0, subnet]
    guard let address = IPAddress(bytes + [0, 0, 0, 0, 0, 0, 0, host]) else {
      preconditionFailure("an IPv6 address must have 16 bytes")
    }
    return address
  }

  /// The prefix length of an uplink.
  static let uplinkPrefixLength = 30

  /// The device's routing table for a network that the device has left and that stays alive.
  var table: UInt32 { 100 + UInt32(number) }

  /// The maximum number of networks, because the uplinks share one address byte.
  static let maximumCount = 60

  private func address(_ host: UInt8) -> IPAddress {
    switch medium {
    case .wifi: IPAddress(192, 168, number, host)
    case .cellular: IPAddress(10, 64, number, host)
    case .vpn: IPAddress(172, 20, number, host)
    }
  }

  /// Returns a network of a medium on which no host responds.
  static func nowhere(_ medium: LivePlan.Medium) -> AccessNetwork {
    AccessNetwork(number: 0, medium: medium)
  }
}

/// The addresses of the servers.
enum ServerNetwork {
  /// The addresses of the name server, one per family.
  static let nameServers = [
    IPAddress(198, 18, 0, 53), IPAddress("2001:db8:113:1::53") ?? IPAddress(0, 0, 0, 0),
  ]
  /// The network of all servers.
  static let network = IPNetwork(IPAddress(203, 0, 113, 0), prefixLength: 24)
  /// The IPv6 network of the servers that have names.
  static let network6 = IPNetwork(
    IPAddress("2001:db8:113::") ?? IPAddress(0, 0, 0, 0), prefixLength: 48)
  /// The port of every server.
  static let port: UInt16 = 50_051
  /// The maximum number of hosts.
  static let maximumHostCount = 254

  /// Returns the address of a host, given by its script index.
  static func address(of host: Int) -> IPAddress { IPAddress(203, 0, 113, UInt8(1 + host)) }
  /// Returns the IPv6 address of a host, given by its script index.
  static func address6(of host: Int) -> IPAddress {
    var bytes = network6.address.bytes
    bytes[15] = UInt8(1 + host)
    return IPAddress(bytes) ?? network6.address
  }
}
