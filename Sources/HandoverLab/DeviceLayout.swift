import HandoverBackend
import HandoverCore

/// The state of the device's interfaces, addresses and routes that the kernel must have for a
/// ``HandoverCore/Device``.
struct DeviceLayout: Hashable, Sendable {
  /// The state of one interface.
  struct Interface: Hashable, Sendable {
    /// Whether the interface is up.
    var isUp = false
    /// Whether the interface waits for an event, such as a login, before it can carry traffic.
    var isDormant = false
    /// The networks whose addresses the interface has.
    ///
    /// The addresses stay when the interface goes down or joins another network, so that earlier
    /// connections continue when the network is back. Until then, their packets must be dropped at
    /// a router and not on the device. The kernel does not count retransmissions of packets that it
    /// drops itself.
    var addresses: [AccessNetwork] = []
    /// The networks to which the interface is connected.
    var joined: [AccessNetwork] = []
  }

  /// The interface of WiFi networks.
  var wifi = Interface()
  /// The interface of carriers.
  var cellular = Interface()
  /// The interface of VPNs.
  var vpn = Interface()
  /// The network of the default route, or `nil` if there is none.
  var defaultNetwork: AccessNetwork?
  /// The networks that the device has left and that stay alive for their connections.
  var kept: [AccessNetwork] = []
  /// The kept networks that carry IPv6 while the default network does not.
  ///
  /// Without a restriction, the kernel would also make new connections over them.
  var restricted: [AccessNetwork] = []
  /// The routes of hosts that the default network does not reach, in order.
  var detours: [Detour] = []

  /// The network that takes all traffic, or `nil` if there is none.
  var exclusive: AccessNetwork?

  /// The route to a host that the default network does not reach.
  struct Detour: Hashable, Sendable {
    /// The script index of the host.
    var host: Int
    /// The network that new connections use, or `nil` if no other network reaches the host.
    var network: AccessNetwork?
  }

  /// Whether the servers are hidden despite a default network, because the network requires an
  /// action first.
  var hidesServers = false

  /// Creates the initial layout, without networks.
  init() {}

  subscript(medium: LivePlan.Medium) -> Interface {
    get {
      switch medium {
      case .wifi: wifi
      case .cellular: cellular
      case .vpn: vpn
      }
    }
    set {
      switch medium {
      case .wifi: wifi = newValue
      case .cellular: cellular = newValue
      case .vpn: vpn = newValue
      }
    }
  }

  /// Creates the layout for a device.
  ///
  /// - Parameters:
  ///   - device: the device. Its current path must have a network.
  ///   - networks: the network of each path, or `nil` for paths that the device never uses.
  ///   - old: the current layout.
  init(_ device: Device, networks: [AccessNetwork?], after old: DeviceLayout) {
    let current = device.path.flatMap { networks[Int($0.index)] }
    kept = networks.indices.compactMap { index in
      device.keptAlive.contains(PathIndex(UInt8(index))) ? networks[index] : nil
    }
    let dormant = Self.dormantMedium(device)
    hidesServers = dormant != nil
    for medium in LivePlan.Medium.allCases {
      var interface = Interface()
      interface.joined = kept.filter { $0.medium == medium }
      if let current, current.medium == medium { interface.joined.append(current) }
      let joined = interface.joined
      interface.addresses =
        old[medium].addresses.filter {
          !joined.contains($0) && (joined.isEmpty || $0 != .nowhere(medium))
        } + joined
      if dormant == medium, interface.addresses.isEmpty {
        interface.addresses = [.nowhere(medium)]
      }
      interface.isDormant = dormant == medium
      // The cellular radio stays on after a change to WiFi, although it carries no traffic.
      let stays = medium == .cellular && current?.medium == .wifi && old[medium].isUp
      interface.isUp = !interface.joined.isEmpty || interface.isDormant || stays
      self[medium] = interface
    }
    defaultNetwork = current ?? dormant.flatMap { self[$0].addresses.last }
    if current?.hasIPv6 == false { restricted = kept.filter(\.hasIPv6) }
    guard let current, !hidesServers else { return }
    if current.takesAllTraffic { exclusive = current }
    let others = current.takesAllTraffic ? [] : kept.sorted { $0.preference < $1.preference }
    detours = current.unreachableHosts.map { host in
      Detour(host: host, network: others.first { !$0.unreachableHosts.contains(host) })
    }
  }

  /// Returns the medium whose network requires a connection to be established first, so that the
  /// device has no path.
  private static func dormantMedium(_ device: Device) -> LivePlan.Medium? {
    guard device.flags.isSuperset(of: [.reachable, .connectionRequired]) else { return nil }
    return device.flags.contains(.isWWAN) ? .cellular : .wifi
  }
}

/// One change of the kernel's state or of the link emulator.
enum LayoutStep: Hashable, Sendable {
  /// Hides the servers regardless of the default route, or shows them again.
  case hideServers(Bool)
  /// Makes the interface wait for an event, or stops that.
  case setDormant(LivePlan.Medium, Bool)
  /// Connects the interface to these networks and disconnects it from all others.
  case join(LivePlan.Medium, [AccessNetwork])
  /// Brings the interface up or down.
  case setUp(LivePlan.Medium, Bool)
  /// Adds the address of a network to its interface.
  case addAddress(AccessNetwork)
  /// Removes the address of a network from its interface.
  case removeAddress(AccessNetwork)
  /// Keeps the connections of a network on that network, regardless of the default route.
  case keep(AccessNetwork)
  /// Stops keeping the connections of a network on that network.
  case release(AccessNetwork)
  /// Restricts a kept network's IPv6 to its existing connections, or allows all IPv6 packets from
  /// its addresses.
  case restrict(AccessNetwork, Bool)
  /// Routes new connections to a host over a network, or to no network, regardless of the default
  /// route.
  case setDetour(DeviceLayout.Detour)
  /// Removes a detour, so that its host uses the default route.
  case removeDetour(DeviceLayout.Detour)
  /// Passes only the frames of this network; `nil` passes those of all networks.
  case takeOver(AccessNetwork?)
  /// Adds the default route of a network, with the metric of its medium.
  case setDefault(AccessNetwork)
  /// Removes the default route of a network.
  case removeDefault(AccessNetwork)
}

extension DeviceLayout {
  /// Returns the steps that change another layout to this one.
  ///
  /// Additions come before removals, so that an observer sees the old or the new network, and never
  /// a device without network in between. A network that waits for an event is hidden before it
  /// becomes visible, and shown after everything earlier is removed.
  func steps(from old: DeviceLayout) -> [LayoutStep] {
    let media = LivePlan.Medium.allCases
    var steps: [LayoutStep] = []
    if hidesServers, !old.hidesServers { steps.append(.hideServers(true)) }
    for medium in media where self[medium].isDormant && !old[medium].isDormant {
      steps.append(.setDormant(medium, true))
    }
    for medium in media {
      let (new, old) = (self[medium], old[medium])
      let wider = old.joined + new.joined.filter { !old.joined.contains($0) }
      if wider != old.joined { steps.append(.join(medium, wider)) }
      if new.isUp, !old.isUp { steps.append(.setUp(medium, true)) }
      steps += new.addresses.filter { !old.addresses.contains($0) }.map { .addAddress($0) }
    }
    steps += kept.filter { !old.kept.contains($0) }.map { .keep($0) }
    steps += restricted.filter { !old.restricted.contains($0) }.map { .restrict($0, true) }
    steps += detours.filter { !old.detours.contains($0) }.map { .setDetour($0) }
    if let network = defaultNetwork, network != old.defaultNetwork {
      steps.append(.setDefault(network))
    }
    steps += old.detours.filter { one in !detours.contains { $0.host == one.host } }
      .map { .removeDetour($0) }
    // A new route with the same metric has replaced the old one.
    if let network = old.defaultNetwork {
      if network.medium != defaultNetwork?.medium {
        steps.append(.removeDefault(network))
      } else if let rest = defaultNetwork.flatMap(network.beyond) {
        steps.append(.removeDefault(rest))
      }
    }
    steps += old.restricted.filter { !restricted.contains($0) }.map { .restrict($0, false) }
    steps += old.kept.filter { !kept.contains($0) }.map { .release($0) }
    for medium in media {
      let (new, old) = (self[medium], old[medium])
      steps += old.addresses.filter { !new.addresses.contains($0) }.map { .removeAddress($0) }
      if old.isUp, !new.isUp { steps.append(.setUp(medium, false)) }
      if !Set(old.joined).isSubset(of: new.joined) { steps.append(.join(medium, new.joined)) }
    }
    if exclusive != old.exclusive { steps.append(.takeOver(exclusive)) }
    if old.hidesServers, !hidesServers { steps.append(.hideServers(false)) }
    for medium in media where old[medium].isDormant && !self[medium].isDormant {
      steps.append(.setDormant(medium, false))
    }
    return steps
  }
}

extension DeviceLayout {
  /// Returns the layout with one network replaced by another.
  func replacing(_ old: AccessNetwork, by new: AccessNetwork) -> DeviceLayout {
    var layout = self
    for medium in LivePlan.Medium.allCases {
      layout[medium].addresses = self[medium].addresses.map { $0 == old ? new : $0 }
      layout[medium].joined = self[medium].joined.map { $0 == old ? new : $0 }
    }
    layout.defaultNetwork = defaultNetwork == old ? new : defaultNetwork
    layout.exclusive = exclusive == old ? new : exclusive
    layout.kept = kept.map { $0 == old ? new : $0 }
    layout.restricted = restricted.map { $0 == old ? new : $0 }
    layout.detours = detours.map {
      Detour(host: $0.host, network: $0.network == old ? new : $0.network)
    }
    return layout
  }
}
