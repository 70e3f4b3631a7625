// The networks of a scenario and their possible changes. A network is a path of the script that has
// a kind, and that is up or down whether the device uses it or not.

/// A network of the device; the device can have several.
public struct ScriptNetwork: Hashable, Sendable {
  /// The path of the network, an index into ``Script/paths``.
  public var path: PathIndex
  /// The kind of the network.
  public var kind: NetworkKind
  /// The flags that the OS reports while this is the default network.
  public var flags: ReachabilityFlags
  /// Whether each host of the script can be reached; empty if all can.
  public var reachable: ContiguousArray<Bool>
  /// The address families that the network carries.
  public var families = NetworkFamilies.both
  /// Whether the network carries only IPv6 and translates between IPv6 and IPv4.
  public var translates = false
  /// Whether the network takes all traffic while it is the default network, as a VPN can.
  public var takesAllTraffic = false
  /// The answers of its name server that differ from other networks, one for each host.
  public var names: [NetworkNames] = []
  /// The time that lookups over the network take.
  public var lookup = LookupTime()

  /// Creates a network that reaches every host, with the flags of its kind.
  public init(_ path: PathIndex, _ kind: NetworkKind) {
    self.path = path
    self.kind = kind
    flags = kind.flags
    reachable = []
  }

  /// Returns whether a host, an index into ``Script/hosts``, can be reached.
  public func reaches(_ host: Int) -> Bool { reachable.isEmpty || reachable[host] }
}

/// The time until the name server of a network answers, for each address family.
public struct LookupTime: Hashable, Sendable {
  /// The time until the answer with IPv4 addresses (A records).
  public var ipv4 = Interval.zero
  /// The time until the answer with IPv6 addresses (AAAA records).
  public var ipv6 = Interval.zero

  /// Creates the time of a name server that answers immediately.
  public init() {}

  /// The time until both answers have arrived, as `getaddrinfo` waits for them.
  public var both: Interval { max(ipv4, ipv6) }
}

/// The kinds of networks.
public enum NetworkKind: String, Hashable, Sendable, CaseIterable {
  case wifi, cellular, vpn, ethernet

  /// The flags that the OS reports while such a network is the default one.
  public var flags: ReachabilityFlags {
    switch self {
    case .wifi, .ethernet: [.reachable]
    case .cellular: [.reachable, .isWWAN]
    case .vpn: [.reachable, .transientConnection]
    }
  }
}

/// The state of a network at the beginning of a run.
public enum InitialNetworkState: String, Hashable, Sendable, CaseIterable {
  case down, up
  /// The network is up and is the default network.
  case `default`
}

/// A change of a network's state.
public enum NetworkTransition: String, Hashable, Sendable, CaseIterable {
  /// The network comes up.
  case up
  /// The network becomes the default for new connections.
  case makeDefault = "default"
  /// The network goes down after a linger time, because a better network became the default.
  case losing
  /// The network goes down.
  case down
  /// The network is behind a captive portal, and no data passes.
  case captive
  /// The captive portal no longer blocks the network.
  case validated
}

/// The way in which a network ends connections, if it differs from the transport's default.
@frozen
public enum NetworkEnding: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The connections are not notified.
  case silent
  /// The connections are reset.
  case reset
}

/// A change of a NAT router's state.
///
/// For TCP, all of these changes are equivalent, because every open flow becomes unknown.
public enum NATChange: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The router forgets every flow.
  case forget
  /// The router maps every flow to another port.
  case rebindPort = "rebind-port"
  /// The router maps every flow to another address.
  case rebindAddress = "rebind-addr"

  /// The default treatment of unknown flows.
  ///
  /// A router that forgot its flows drops their packets, and a server that never saw them resets
  /// them.
  public var defaultAnswer: UnknownFlows { self == .forget ? .drop : .reset }
}

/// The treatment of packets of an unknown flow.
public enum UnknownFlows: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The packets are dropped.
  case drop
  /// The packets are answered with a reset.
  case reset
}

/// A change behind a device that stays on its network, without a callback.
public enum RoamChange: String, Hashable, Sendable, CaseIterable {
  /// Another access point of the same network: the address stays, and no packet is lost.
  case sameAddress = "same-address"
  /// The address stays, but the router is replaced by one that knows no flows.
  case newRouter = "new-router"
  /// The device has a new address; its open connections have the old one.
  case newAddress = "new-address"
}

/// The packets that are lost, in one direction only.
public enum DirectionalLoss: String, Hashable, Sendable, CaseIterable {
  /// No packets.
  case none
  /// Packets that the device sends.
  case requests
  /// Packets to the device.
  case answers
}

/// An action of a timeline entry on a network.
public enum NetworkAction: Hashable, Sendable {
  case up
  case makeDefault
  /// The network goes down after `linger`; an ending of `nil` leaves the effect to the transport.
  case losing(linger: Interval, NetworkEnding?)
  /// The network goes down now.
  case down(NetworkEnding?)
  case captive
  case validated
  /// The router changes the flows that it knows, once or periodically.
  case nat(NATChange, UnknownFlows, every: Interval?)
  /// The device roams; `UnknownFlows` applies to a new router.
  case roam(RoamChange, UnknownFlows)
  /// The uplink behind the router fails or returns: permanently, for a time, or periodically.
  case uplink(isUp: Bool, lasts: Interval?, every: Interval?)
  /// The network loses packets in one direction, or no longer loses packets.
  case loss(DirectionalLoss)
  /// The network has this quality from now on.
  indirect case quality(LinkQuality)

  /// Whether the action is a fault: it must have an effect, or the scenario fails.
  public var isFault: Bool {
    switch self {
    case .nat, .uplink(isUp: false, _, _), .loss(.requests), .loss(.answers): true
    case .up, .makeDefault, .losing, .down, .captive, .validated, .roam, .uplink, .loss(.none),
      .quality:
      false
    }
  }
}

/// The networks whose changes cause callbacks.
public enum MonitorWatch: String, Hashable, Sendable, CaseIterable {
  /// The default network: callbacks report the flags of the default route.
  case defaultNetwork = "default"
  /// Every network separately, whatever the default route is.
  ///
  /// The callback reports the flags of a network that comes up, and empty flags for one that goes
  /// down.
  case anyNetwork = "any"
}

extension Script {
  /// Returns the network of a path, or `nil` if the path has none.
  public func network(of path: PathIndex) -> ScriptNetwork? {
    networks.first { $0.path == path }
  }

  /// Returns the networks that carry no traffic because the default network takes all of it.
  package func takenOver(on device: Device) -> PathSet {
    guard let path = device.path, network(of: path)?.takesAllTraffic == true else { return [] }
    return networks.reduce(into: []) { if $1.path != path { $0.formUnion(PathSet($1.path)) } }
  }

  /// Returns the path of a new connection to a host.
  ///
  /// The path is the default network if it reaches the host. If not, it is the first other network,
  /// in the order of the file, that is up and reaches the host. If the default network takes all
  /// traffic, no other network is used.
  ///
  /// - Returns: the path, or `nil` if there is none, for example because there is no default
  ///   network.
  public func route(to host: Int, on device: Device) -> PathIndex? {
    guard !networks.isEmpty, let path = device.path else { return device.path }
    let standard = network(of: path)
    if standard?.reaches(host) == true { return path }
    if standard?.takesAllTraffic == true { return nil }
    return networks.first { device.keptAlive.contains($0.path) && $0.reaches(host) }?.path
  }

  /// The reason why the simulation cannot run the script, or `nil` if it can.
  public var obstacleInVirtualTime: String? {
    for one in qualities {
      if let reason = Self.obstacle(to: one.quality) { return reason }
    }
    guard !networks.isEmpty else { return nil }
    for entry in entries {
      if case .network(_, .quality(let quality), _) = entry.action,
        let reason = Self.obstacle(to: quality)
      {
        return reason
      }
    }
    return nil
  }

  private static func obstacle(to quality: LinkQuality) -> String? {
    guard let trace = quality.trace, trace.opportunities.isEmpty else { return nil }
    return "the trace \"\(trace.name)\" of a network's quality could not be read"
  }

  /// The reason why the script cannot run on a kernel, or `nil` if it can.
  public var obstacleInRealTime: String? {
    if configuration.clock == .monotonic, sleeps {
      return "programs in a lab use the clocks of this machine, which do not stop while the device "
        + "sleeps (\"clock\": \"monotonic\")"
    }
    for host in hosts {
      for address in host.ownAddresses {
        guard let reason = address.obstacleInLabs else { continue }
        return "the address \(address.written) of the host \(host.written) cannot be used in a "
          + "lab: \(reason)"
      }
    }
    return nil
  }

  /// Whether the addresses of hosts, or lookups on a network, affect the run.
  package var dependsOnAddresses: Bool {
    hosts.contains { !$0.addresses.isEmpty }
      || networks.contains {
        $0.families != .both || !$0.names.isEmpty || $0.lookup != LookupTime()
      }
  }

  /// Whether a host or a network uses IPv6.
  package var hasIPv6: Bool {
    networks.contains { $0.families != .both }
      || hosts.contains { $0.ownAddresses.contains { $0.family == .ipv6 } }
  }

  /// Whether the device sleeps during the run.
  private var sleeps: Bool {
    entries.contains { if case .power(.sleep) = $0.action { true } else { false } }
  }

  /// The reason why the script cannot run if another process makes the connections, or `nil` if it
  /// can.
  public var obstacleInOtherProcess: String? {
    if dependsOnAddresses {
      return "only the built-in transport supports addresses and networks with names"
    }
    if !networks.isEmpty { return "only the built-in transport supports several networks" }
    if !qualities.isEmpty {
      return "only the built-in transport supports the quality of paths"
    }
    return sleeps ? "only the built-in transport supports a device that sleeps" : nil
  }
}
