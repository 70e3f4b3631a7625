import HandoverBackend
import HandoverCore
import HandoverLinux

/// The device's side of the kernel, and the air around it: does what a layout asks for.
struct DeviceKernel: Sendable {
  let controller: NetworkController
  let air: Air
  /// The far ends of the device's interfaces, in the namespace of the air.
  private let farEnds: NetworkController

  init(_ controller: NetworkController, air: Air, farEnds: NetworkController) {
    self.controller = controller
    self.air = air
    self.farEnds = farEnds
  }

  /// Takes a step; it has happened when this comes back.
  func take(_ step: LayoutStep, in layout: DeviceLayout) throws(LinuxError) {
    switch step {
    case .hideServers(true):
      try controller.addRoute(.init(to: ServerNetwork.network, .passOver))
    case .hideServers(false):
      try controller.removeRoute(.init(to: ServerNetwork.network, .passOver))
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
      try controller.addAddress(
        network.withPrefix(network.deviceAddress), to: network.medium.interface)
    case .removeAddress(let network):
      try controller.removeAddress(
        network.withPrefix(network.deviceAddress), from: network.medium.interface)
    case .keep(let network):
      try controller.setRoute(Self.defaultRoute(network, table: network.table))
      try controller.addRule(Self.rule(network))
    case .release(let network):
      try controller.removeRule(Self.rule(network))
      try controller.removeRoute(Self.defaultRoute(network, table: network.table))
    case .setDefault(let network):
      try controller.setRoute(Self.defaultRoute(network))
    case .removeDefault(let network):
      try controller.removeRoute(Self.defaultRoute(network))
    }
  }

  private static func defaultRoute(
    _ network: AccessNetwork, table: UInt32? = nil
  ) -> NetworkController.RouteSettings {
    NetworkController.RouteSettings(
      to: .everything(.v4), by: network.medium.interface, via: network.gateway,
      metric: network.medium.metric, table: table)
  }

  /// Packets from the address of a network that was left go by its own table.
  private static func rule(_ network: AccessNetwork) -> NetworkController.Rule {
    NetworkController.Rule(
      priority: network.table, from: IPNetwork(network.deviceAddress), .table(network.table))
  }
}
