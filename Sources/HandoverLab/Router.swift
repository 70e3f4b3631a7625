import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization

/// A TCP connection as routers distinguish it.
struct RoutedFlow: Hashable, Sendable {
  /// The number of the network whose router forwards the packets.
  var network: UInt8
  /// The local port.
  var localPort: UInt16
  /// The server's endpoint, which is an IPv4 endpoint behind a translating network.
  var server: Endpoint
}

/// A router: an access point or a carrier's gateway, with one interface to the device and one to
/// the servers.
///
/// The router forwards only packets with a source address of its own network (strict reverse path
/// filter), as real networks do. It silently drops packets of connections that were made on another
/// network.
struct Router: Sendable {
  let network: AccessNetwork
  let controller: NetworkController
  private let ruleCounts = RuleCounts()

  /// The number of conditions for which each rule exists, because two of them may need the same
  /// rule.
  private final class RuleCounts: Sendable {
    let counts = Mutex<[NetworkController.Rule: Int]>([:])  // lookup only
  }

  /// The order of the rules: exceptions come before drops, and both before the tables.
  private enum Priority {
    static let router: UInt32 = 4
    static let uplink: UInt32 = 5
    static let nameServer: UInt32 = 6
    static let address: UInt32 = 7
    static let flow: UInt32 = 10
    static let established: UInt32 = 20
    static let host: UInt32 = 30
    static let own: UInt32 = 40
    static let foreign: UInt32 = 50
  }

  /// The main routing table of every namespace.
  private static let mainTable: UInt32 = 254

  /// Creates the router's interfaces to the link emulator and to the servers.
  init(
    _ network: AccessNetwork, in namespace: NetworkNamespace, air: NetworkController,
    servers: NetworkController
  ) throws(LinuxError) {
    self.network = network
    controller = try NetworkController(in: namespace)
    try namespace.set(
      DeviceLab.quietSettings(hasIPv6: network.hasIPv6) + [("ipv4/ip_forward", "1")])
    try controller.addPair("lan", peer: LinkEmulator.farEnd(of: network), in: air.namespace)
    try controller.addPair("wan", peer: uplink, in: servers.namespace)
    try namespace.set("ipv4/conf/lan/rp_filter", to: "1")
    try air.setLink(LinkEmulator.farEnd(of: network), up: true)
    try controller.addAddress(network.withPrefix(network.gateway), to: "lan")
    try controller.setLink("lan", up: true)
    try addUplink(servers)
    if network.hasIPv6 { try addIPv6(servers) }
    try setTranslated(network)
  }

  /// Routes packets for the addresses of the device's flows to the device.
  func setTranslated(_ network: AccessNetwork) throws(LinuxError) {
    try controller.setRoute(
      .init(to: network.translated, by: "lan", via: network.deviceAddress))
    guard network.hasIPv6 else { return }
    try controller.setRoute(
      .init(to: network.translated6, by: "lan", via: network.deviceAddress6))
  }

  /// Waits until frames pass on both interfaces.
  func waitUntilUp(air: NetworkController, servers: NetworkController) throws(LinuxError) {
    try controller.waitUntil("lan", is: .up)
    try controller.waitUntil("wan", is: .up)
    try air.waitUntil(LinkEmulator.farEnd(of: network), is: .up)
    try servers.waitUntil(uplink, is: .up)
    guard network.hasIPv6 else { return }
    try controller.waitForNeighbours([
      ("lan", network.gateway6), ("wan", network.uplinkOfRouter6),
    ])
    try servers.waitForNeighbours([(uplink, network.uplinkOfServers6)])
  }

  private var uplink: String { "up\(network.number)" }

  private func addUplink(_ servers: NetworkController) throws(LinuxError) {
    let length = AccessNetwork.uplinkPrefixLength
    try servers.addAddress(IPNetwork(network.uplinkOfServers, prefixLength: length), to: uplink)
    try servers.setLink(uplink, up: true)
    try controller.addAddress(IPNetwork(network.uplinkOfRouter, prefixLength: length), to: "wan")
    try controller.setLink("wan", up: true)
    try controller.addRoute(
      .init(to: .allAddresses(of: .v4), by: "wan", via: network.uplinkOfServers))
    try servers.addRoute(.init(to: network.prefix, by: uplink, via: network.uplinkOfRouter))
  }

  /// Adds IPv6 to the interfaces.
  ///
  /// Rules replace the reverse path filter, which the kernel lacks for IPv6.
  private func addIPv6(_ servers: NetworkController) throws(LinuxError) {
    try controller.namespace.set("ipv6/conf/all/forwarding", to: "1")
    try controller.addAddress(AccessNetwork.withPrefix6(network.gateway6), to: "lan")
    try servers.addAddress(AccessNetwork.withPrefix6(network.uplinkOfServers6), to: uplink)
    let far = AccessNetwork.withPrefix6(network.uplinkOfRouter6)
    try controller.addAddress(far, to: "wan")
    try controller.addRoute(
      .init(to: .allAddresses(of: .v6), by: "wan", via: network.uplinkOfServers6))
    try servers.addRoute(.init(to: network.prefix6, by: uplink, via: network.uplinkOfRouter6))
    let main = NetworkController.Rule.Action.table(Self.mainTable)
    let rules: [NetworkController.Rule] = [
      .init(priority: Priority.own, from: network.prefix6, main),
      .init(priority: Priority.own, to: network.prefix6, main),
      .init(priority: Priority.own, to: far, main),
      .init(priority: Priority.foreign, from: .allAddresses(of: .v6), .blackhole),
    ]
    for rule in rules { try controller.addRule(rule) }
  }

  /// Returns whether the router has a route to an address of this family.
  func carries(_ address: IPAddress) -> Bool { address.family == .v4 || network.hasIPv6 }

  /// Adds the rules of a condition, or removes those that no other condition needs.
  private func set(
    _ rules: [NetworkController.Rule], exist: Bool
  ) throws(LinuxError) {
    try ruleCounts.counts.withLock { counts throws(LinuxError) in
      for rule in rules {
        let count = counts[rule] ?? 0
        if exist {
          if count == 0 { try controller.addRule(rule) }
          counts[rule] = count + 1
        } else if count > 0 {
          if count == 1 { try controller.removeRule(rule) }
          counts[rule] = count > 1 ? count - 1 : nil
        }
      }
    }
  }

  /// Drops the packets of a connection in both directions, or stops doing so.
  func setDropping(_ isDropping: Bool, _ flow: RoutedFlow) throws(LinuxError) {
    let server = IPNetwork(flow.server.address)
    let rules: [NetworkController.Rule] = [
      .init(
        priority: Priority.flow, to: server, sourcePort: flow.localPort,
        destinationPort: flow.server.port, .blackhole),
      .init(
        priority: Priority.flow, from: server, sourcePort: flow.server.port,
        destinationPort: flow.localPort, .blackhole),
    ]
    try set(rules, exist: isDropping)
  }

  /// Drops all packets from and to a server, or stops doing so.
  func setDropping(_ isDropping: Bool, server: IPAddress) throws(LinuxError) {
    let server = IPNetwork(server)
    let rules: [NetworkController.Rule] = [
      .init(priority: Priority.address, to: server, .blackhole),
      .init(priority: Priority.address, from: server, .blackhole),
    ]
    try set(rules, exist: isDropping)
  }

  /// Drops all packets of an address family except those of name servers, or stops doing so.
  func setDropping(_ isDropping: Bool, _ family: IPAddress.Family) throws(LinuxError) {
    var rules: [NetworkController.Rule] = []
    for server in ServerNetwork.nameServers.filter({ $0.family == family }).map({ IPNetwork($0) }) {
      rules.append(.init(priority: Priority.nameServer, from: server, .table(Self.mainTable)))
      rules.append(.init(priority: Priority.nameServer, to: server, .table(Self.mainTable)))
    }
    for prefix in network.prefixes where prefix.address.family == family {
      rules.append(.init(priority: Priority.address, from: prefix, .blackhole))
      rules.append(.init(priority: Priority.address, to: prefix, .blackhole))
    }
    try set(rules, exist: isDropping)
  }

  /// Drops the packets to a server or to one of its ports, except those of some connections, or
  /// stops doing so.
  func setDroppingNewConnections(
    _ isDropping: Bool, to server: IPAddress, port: UInt16?, except flows: [RoutedFlow]
  ) throws(LinuxError) {
    let rest = NetworkController.Rule(
      priority: Priority.host, to: IPNetwork(server), destinationPort: port, .blackhole)
    try set(exceptions(flows.filter { $0.server.address == server }) + [rest], exist: isDropping)
  }

  /// Drops the TCP segments of the device, except those of some connections, or stops doing so.
  func setDroppingNewConnections(
    _ isDropping: Bool, except flows: [RoutedFlow]
  ) throws(LinuxError) {
    var rules = exceptions(flows)
    for prefix in network.prefixes {
      var rest = NetworkController.Rule(priority: Priority.host, from: prefix, .blackhole)
      rest.isForTCP = true
      rules.append(rest)
    }
    try set(rules, exist: isDropping)
  }

  /// Returns the rules that let the device's packets of some connections pass.
  private func exceptions(_ flows: [RoutedFlow]) -> [NetworkController.Rule] {
    flows.filter { $0.network == network.number }.map {
      NetworkController.Rule(
        priority: Priority.established, to: IPNetwork($0.server.address), sourcePort: $0.localPort,
        destinationPort: $0.server.port, .table(Self.mainTable))
    }
  }

  /// Drops every packet from and to the router's network, or stops doing so.
  ///
  /// The network itself stays up.
  func cutUplink(_ isCut: Bool) throws(LinuxError) {
    // The router itself stays reachable, so it answers requests for its address.
    let own = NetworkController.Rule(
      priority: Priority.router, from: IPNetwork(network.gateway), .table(Self.mainTable))
    let rules =
      [own]
      + network.prefixes.flatMap { prefix -> [NetworkController.Rule] in
        [
          .init(priority: Priority.uplink, from: prefix, .blackhole),
          .init(priority: Priority.uplink, to: prefix, .blackhole),
        ]
      }
    try set(rules, exist: isCut)
  }
}
