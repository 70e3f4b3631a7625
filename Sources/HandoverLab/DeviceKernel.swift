import HandoverBackend
import HandoverCore
import HandoverLinux

/// The device's side of the kernel, and the air around it: does what a layout asks for.
struct DeviceKernel: Sendable {
  let controller: NetworkController
  let air: Air
  /// The far ends of the device's interfaces, in the namespace of the air.
  private let farEnds: NetworkController
  private let hasIPv6: Bool

  init(
    _ controller: NetworkController, air: Air, farEnds: NetworkController, hasIPv6: Bool
  ) {
    self.hasIPv6 = hasIPv6
    self.controller = controller
    self.air = air
    self.farEnds = farEnds
  }

  /// Takes a step; it has happened when this comes back.
  func apply(_ step: LayoutStep, in layout: DeviceLayout) throws(LinuxError) {
    switch step {
    case .hideServers(true):
      for network in hidden { try controller.addRoute(.init(to: network, .passOver)) }
    case .hideServers(false):
      for network in hidden { try controller.removeRoute(.init(to: network, .passOver)) }
    case .setDormant(let medium, let isDormant):
      try controller.setLink(medium.interface, dormant: isDormant)
    case .join(let medium, let networks):
      air.join(medium, networks)
    case .setUp(let medium, let isUp):
      try controller.setLink(medium.interface, up: isUp)
      if isUp {
        try controller.waitUntil(
          medium.interface, is: layout[medium].isDormant ? .dormant : .up)
        // The other end has its carrier back a little later, and loses what comes until then.
        try farEnds.waitUntil(medium.interface, is: .up)
      }
    case .addAddress(let network):
      for address in Self.addresses(network) {
        try controller.addAddress(address, to: network.medium.interface)
      }
    case .removeAddress(let network):
      for address in Self.addresses(network) {
        try controller.removeAddress(address, from: network.medium.interface)
      }
    case .keep(let network):
      for route in Self.defaultRoutes(network, table: network.table) { try set(route) }
      for rule in Self.rules(network) { try controller.addRule(rule) }
    case .release(let network):
      for rule in Self.rules(network) { try controller.removeRule(rule) }
      for route in Self.defaultRoutes(network, table: network.table) {
        try controller.removeRoute(route)
      }
    case .setDetour(let detour): try controller.setRoute(Self.route(detour))
    case .removeDetour(let detour): try controller.removeRoute(Self.route(detour))
    case .setDefault(let network):
      for route in Self.defaultRoutes(network) { try set(route) }
    case .removeDefault(let network):
      for route in Self.defaultRoutes(network) { try controller.removeRoute(route) }
    }
  }

  private func set(_ route: NetworkController.RouteSettings) throws(LinuxError) {
    if let gateway = route.gateway, gateway.family == .v6, let interface = route.interface {
      try controller.waitUntil(gateway, isOnLinkOf: interface)
    }
    try controller.setRoute(route)
  }

  /// The networks of servers that are hidden while a network wants something to be done first.
  private var hidden: [IPNetwork] {
    [ServerNetwork.network] + (hasIPv6 ? [ServerNetwork.network6] : [])
  }

  private static func addresses(_ network: AccessNetwork) -> [IPNetwork] {
    [network.withPrefix(network.deviceAddress)]
      + (network.hasIPv6 ? [AccessNetwork.withPrefix6(network.deviceAddress6)] : [])
  }

  /// The way to everything, in each family.
  private static func defaultRoutes(
    _ network: AccessNetwork, table: UInt32? = nil
  ) -> [NetworkController.RouteSettings] {
    var routes = [
      NetworkController.RouteSettings(
        to: .everything(.v4), by: network.medium.interface, via: network.gateway,
        metric: network.medium.metric, table: table)
    ]
    if network.hasIPv6 {
      // Of several addresses the kernel would not always choose the one of the gateway's network.
      routes.append(
        .init(
          to: .everything(.v6), by: network.medium.interface, via: network.gateway6,
          metric: network.medium.metric, table: table, source: network.deviceAddress6))
    }
    return routes
  }

  /// The way to a host that the default network does not reach.
  private static func route(_ detour: DeviceLayout.Detour) -> NetworkController.RouteSettings {
    let host = IPNetwork(ServerNetwork.address(of: detour.host))
    guard let network = detour.network else { return .init(to: host, .unreachable) }
    return .init(to: host, by: network.medium.interface, via: network.gateway)
  }

  /// Packets from the addresses of a network that was left go by its own table.
  private static func rules(_ network: AccessNetwork) -> [NetworkController.Rule] {
    network.deviceAddresses.map {
      NetworkController.Rule(
        priority: network.table, from: IPNetwork($0), .table(network.table))
    }
  }
}
