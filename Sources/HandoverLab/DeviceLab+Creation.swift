import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux

extension DeviceLab {
  /// Returns the network of each path, numbered in the order of the paths.
  static func networks(_ plan: LivePlan) throws(LinuxError) -> [AccessNetwork?] {
    var count = 0
    let networks = plan.paths.map { path -> AccessNetwork? in
      guard let medium = path.medium else { return nil }
      count += 1
      return AccessNetwork(
        number: UInt8(truncatingIfNeeded: count), medium: medium,
        families: plan.hasIPv6 ? path.families : .ipv4,
        translates: plan.hasIPv6 && path.translates, takesAllTraffic: path.takesAllTraffic,
        unreachableHosts: path.unreachableHosts, preference: path.preference)
    }
    guard count <= AccessNetwork.maximumCount else {
      throw LinuxError(call: "lab with \(count) networks", errno: ENOSPC)
    }
    guard plan.hostCount <= ServerNetwork.maximumHostCount else {
      throw LinuxError(call: "lab with \(plan.hostCount) hosts", errno: ENOSPC)
    }
    return networks
  }

  /// The namespaces of a lab.
  struct Namespaces {
    var device: NetworkNamespace
    var air: NetworkNamespace
    var servers: NetworkNamespace
    var routers: ArraySlice<NetworkNamespace>
  }

  static func namespaces(
    _ home: Home, _ networks: [AccessNetwork]
  ) throws(LinuxError) -> Namespaces {
    let names = ["air", "servers"] + networks.map { "router \($0.number)" }
    switch home {
    case .ownNamespace:
      let made = try NetworkNamespace.make(["device"] + names)
      return Namespaces(device: made[0], air: made[1], servers: made[2], routers: made[3...])
    case .process:
      // Any other namespace would be the host's own network.
      guard case .entered = NamespaceEntry.current else {
        throw LinuxError(
          call: "lab in the process's own network without \(NamespaceEntry.networkVariable)=1",
          errno: EPERM)
      }
      let device = try NetworkNamespace.current(name: "device")
      let made = try NetworkNamespace.make(names)
      return Namespaces(device: device, air: made[0], servers: made[1], routers: made[2...])
    }
  }

  /// Creates the device's interfaces and their far ends in the namespace of the link emulator.
  static func prepare(
    _ device: NetworkController, _ air: NetworkController, _ media: [LivePlan.Medium],
    hasIPv6: Bool
  ) throws(LinuxError) {
    // A stalled connection must not send ARP requests for the new gateway from its old address. A
    // strict router would not respond, and then no other host could be reached either.
    let settings =
      quietSettings(hasIPv6: hasIPv6) + [
        ("ipv4/conf/all/arp_announce", "2"), ("ipv4/conf/all/promote_secondaries", "1"),
      ]
    try device.namespace.set(settings)
    try air.namespace.set(quietSettings)
    try device.setLink("lo", up: true)
    for medium in media {
      try device.addPair(medium.interface, peer: medium.interface, in: air.namespace)
      try air.setLink(medium.interface, up: true)
    }
  }

  /// Assigns the servers' addresses.
  static func prepare(
    _ servers: NetworkController, _ endpoints: HostEndpoints, hasIPv6: Bool
  ) throws(LinuxError) {
    try servers.namespace.set(quietSettings(hasIPv6: hasIPv6))
    try servers.setLink("lo", up: true)
    for address in endpoints.allAddresses where address.family == .v4 || hasIPv6 {
      try servers.addAddress(IPNetwork(address), to: "lo")
    }
  }
}
