import HandoverBackend
import HandoverCore
import HandoverLinux

/// The device's side of the kernel and the link emulator, to which the steps of a layout are
/// applied.
struct DeviceKernel: Sendable {
  let controller: NetworkController
  let air: LinkEmulator
  /// The far ends of the device's interfaces, in the namespace of the link emulator.
  private let farEnds: NetworkController
  private let endpoints: HostEndpoints

  init(
    _ controller: NetworkController, air: LinkEmulator, farEnds: NetworkController,
    _ endpoints: HostEndpoints
  ) {
    self.endpoints = endpoints
    self.controller = controller
    self.air = air
    self.farEnds = farEnds
  }

  /// Applies a step.
  ///
  /// The step is complete when this function returns.
  func apply(_ step: LayoutStep, in layout: DeviceLayout) throws(LinuxError) {
    switch step {
    case .hideServers(true):
      for network in hidden { try controller.addRoute(.init(to: network, .continueWithNextTable)) }
    case .hideServers(false):
      for network in hidden {
        try controller.removeRoute(.init(to: network, .continueWithNextTable))
      }
    case .setDormant(let medium, let isDormant):
      try controller.setLink(medium.interface, dormant: isDormant)
    case .join(let medium, let networks):
      air.join(medium, networks)
    case .takeOver(let network):
      air.takeOver(network)
    case .setUp(let medium, let isUp):
      try controller.setLink(medium.interface, up: isUp)
      if isUp {
        try controller.waitUntil(
          medium.interface, is: layout[medium].isDormant ? .dormant : .up)
        // The far end regains its carrier a little later, and loses frames until then.
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
    case .restrict(let network, let isRestricted):
      let (open, narrow) = (Self.rule(network), Self.rule(network, isRestricted: true))
      try controller.addRule(isRestricted ? narrow : open)
      try controller.removeRule(isRestricted ? open : narrow)
    case .setDetour(let detour):
      for route in routes(detour) { try set(route) }
    case .removeDetour(let detour):
      for route in routes(detour) { try controller.removeRoute(route) }
    case .setDefault(let network):
      for route in Self.defaultRoutes(network) { try set(route) }
    case .removeDefault(let network):
      for route in Self.defaultRoutes(network) { try controller.removeRoute(route) }
    }
  }

  private func set(_ route: NetworkController.RouteSettings) throws(LinuxError) {
    if let gateway = route.gateway, gateway.family == .v6, let interface = route.interface {
      try controller.waitUntil(gateway, isOnLinkOf: interface)
      if let source = route.source { try controller.waitUntilOwn([source]) }
    }
    try controller.setRoute(route)
  }

  /// The networks of servers that are hidden while a network requires an action first, such as a
  /// login.
  private var hidden: [IPNetwork] {
    let networks = [ServerNetwork.network] + (endpoints.hasIPv6 ? [ServerNetwork.network6] : [])
    let addresses = endpoints.allAddresses.filter { address in
      (address.family == .v4 || endpoints.hasIPv6)
        && !networks.contains { $0.contains(address) }
    }
    return networks + addresses.map { IPNetwork($0) }
  }

  private static func addresses(_ network: AccessNetwork) -> [IPNetwork] {
    (network.hasIPv4 ? [network.withPrefix(network.deviceAddress)] : [])
      + (network.hasIPv6 ? [AccessNetwork.withPrefix6(network.deviceAddress6)] : [])
  }

  /// Returns the default routes of a network, in each family that it carries.
  private static func defaultRoutes(
    _ network: AccessNetwork, table: UInt32? = nil
  ) -> [NetworkController.RouteSettings] {
    var routes: [NetworkController.RouteSettings] = []
    if network.hasIPv4 {
      routes.append(
        .init(
          to: .allAddresses(of: .v4), by: network.medium.interface, via: network.gateway,
          metric: network.medium.metric, table: table))
    }
    if network.hasIPv6 {
      // With several addresses, the kernel would not always choose the one of the gateway's
      // network.
      routes.append(
        .init(
          to: .allAddresses(of: .v6), by: network.medium.interface, via: network.gateway6,
          metric: network.medium.metric, table: table, source: network.deviceAddress6))
    }
    return routes
  }

  /// Returns the routes to the addresses of a host that the default network does not reach.
  private func routes(_ detour: DeviceLayout.Detour) -> [NetworkController.RouteSettings] {
    endpoints.addressesForDevice(of: detour.host).map { route(to: $0, detour.network) }
  }

  private func route(
    to address: IPAddress, _ network: AccessNetwork?
  ) -> NetworkController.RouteSettings {
    let host = IPNetwork(address)
    guard let network else { return .init(to: host, .unreachable) }
    switch address.family {
    case .v4 where network.hasIPv4:
      return .init(to: host, by: network.medium.interface, via: network.gateway)
    case .v6 where network.hasIPv6:
      return .init(
        to: host, by: network.medium.interface, via: network.gateway6,
        source: network.deviceAddress6)
    case .v4, .v6: return .init(to: host, .unreachable)
    }
  }

  /// Returns the rules that route packets from a former network's addresses by that network's
  /// table.
  private static func rules(_ network: AccessNetwork) -> [NetworkController.Rule] {
    network.deviceAddresses.map {
      NetworkController.Rule(
        priority: network.table, from: IPNetwork($0), .table(network.table))
    }
  }

  /// Returns the rule that routes IPv6 packets from a network's address by that network's table.
  ///
  /// If the main table has no route, the kernel repeats the lookup with the source address that it
  /// would choose. A socket that is about to connect has no port at that time, so a rule that
  /// requires a source port does not apply to it.
  private static func rule(
    _ network: AccessNetwork, isRestricted: Bool = false
  ) -> NetworkController.Rule {
    var rule = NetworkController.Rule(
      priority: network.table, from: IPNetwork(network.deviceAddress6), .table(network.table))
    rule.hasSourcePort = isRestricted
    return rule
  }
}
