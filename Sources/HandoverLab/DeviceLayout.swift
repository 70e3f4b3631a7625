import HandoverBackend
import HandoverCore

/// How the device's interfaces, addresses and routes stand: what the kernel is to be told of a
/// ``HandoverScript/Device``.
struct DeviceLayout: Hashable, Sendable {
  /// How one interface stands.
  struct Interface: Hashable, Sendable {
    /// Whether it is up.
    var isUp = false
    /// Whether it waits for an event, such as a login, before it can carry traffic.
    var isDormant = false
    /// The networks whose addresses it bears.
    ///
    /// They stay when it goes down or joins another network: connections of before go on when it is
    /// back. Until then their packets must die at a router and not on the device, where the kernel
    /// would not count what it sends again.
    var addresses: [AccessNetwork] = []
    /// The networks whose frames reach it.
    var joined: [AccessNetwork] = []
  }

  /// The interface of WiFi networks.
  var wifi = Interface()
  /// The interface of carriers.
  var cellular = Interface()
  /// The interface of VPNs.
  var vpn = Interface()
  /// Where packets go that nothing else is said of; nil sends none.
  var defaultNetwork: AccessNetwork?
  /// Networks that were left and stay alive for the connections that were made on them.
  var kept: [AccessNetwork] = []
  /// Those of them over which IPv6 goes on and the default network has none: the kernel would make
  /// new connections over them, too.
  var restricted: [AccessNetwork] = []
  /// The ways of hosts that the default network does not reach, in their order.
  var detours: [Detour] = []

  /// The network that takes all traffic; nil if none does.
  var exclusive: AccessNetwork?

  /// How a host is reached in spite of the default network.
  struct Detour: Hashable, Sendable {
    /// The place of the host in the script.
    var host: Int
    /// The network that new connections take; nil where no other reaches it.
    var network: AccessNetwork?
  }

  /// Whether the servers cannot be reached although there is a default network: it wants something
  /// to be done first.
  var hidesServers = false

  /// The device's interfaces before anything was done to them.
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

  /// How the interfaces shall stand for a device.
  ///
  /// - Parameters:
  ///   - device: the device; a path it is on has a network.
  ///   - networks: the network of each path; paths that the device never is on have none.
  ///   - old: how they stand now.
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
      // A radio that was left for a WiFi network stays on, though nothing comes through it.
      let stays = medium == .cellular && current?.medium == .wifi && old[medium].isUp
      interface.isUp = !interface.joined.isEmpty || interface.isDormant || stays
      self[medium] = interface
    }
    defaultNetwork = current ?? dormant.flatMap { self[$0].addresses.last }
    if current?.hasIPv6 == false { restricted = kept.filter(\.hasIPv6) }
    guard let current, !hidesServers else { return }
    if current.takesAllTraffic { exclusive = current }
    let others = current.takesAllTraffic ? [] : kept.sorted { $0.preference < $1.preference }
    detours = current.unreached.map { host in
      Detour(host: host, network: others.first { !$0.unreached.contains(host) })
    }
  }

  /// The medium whose network wants a connection to be established first, so that there is no path.
  private static func dormantMedium(_ device: Device) -> LivePlan.Medium? {
    guard device.flags.isSuperset(of: [.reachable, .connectionRequired]) else { return nil }
    return device.flags.contains(.isWWAN) ? .cellular : .wifi
  }
}

/// One thing to be done to the kernel, or to the air.
enum LayoutStep: Hashable, Sendable {
  /// The servers cannot be reached, whatever the default route says; or they can.
  case hideServers(Bool)
  /// The interface waits for an event, or no longer.
  case setDormant(LivePlan.Medium, Bool)
  /// The frames of these networks, and no others, reach the interface.
  case join(LivePlan.Medium, [AccessNetwork])
  /// The interface goes up, or down.
  case setUp(LivePlan.Medium, Bool)
  /// The interface is given the address of a network.
  case addAddress(AccessNetwork)
  /// The interface loses the address of a network.
  case removeAddress(AccessNetwork)
  /// Connections made on the network go on over it, whatever the default route says.
  case keep(AccessNetwork)
  /// They do so no longer.
  case release(AccessNetwork)
  /// Of IPv6 nothing but these connections goes over it, or everything from its addresses.
  case restrict(AccessNetwork, Bool)
  /// New connections to a host go over this network, or nowhere, whatever the default route says.
  case setDetour(DeviceLayout.Detour)
  /// They go by the default route.
  case removeDetour(DeviceLayout.Detour)
  /// Only frames of this network pass; nil means those of all networks.
  case takeOver(AccessNetwork?)
  /// Packets that nothing else is said of go to the network, by the metric of its medium.
  case setDefault(AccessNetwork)
  /// They do not.
  case removeDefault(AccessNetwork)
}

extension DeviceLayout {
  /// What brings the device from another layout to this one.
  ///
  /// What is added comes before what is taken away, so that whoever watches sees the old network or
  /// the new one, and never none in between. A network that waits for an event is hidden before it
  /// can be seen, and shown after all that was there before is gone.
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
    // A route with the same metric has taken the other's place.
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
  /// The layout with another network in the place of one.
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
