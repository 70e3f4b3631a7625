public import HandoverMachines

// The networks of a scenario, and what can become of them. A network is a path of the script that
// has a kind, and that is up or down whether the device uses it or not.

/// A network that the device can have beside others.
public struct ScriptNetwork: Hashable, Sendable {
  /// Its path, an index into ``Script/paths``.
  public var path: PathIndex
  /// Its kind.
  public var kind: NetworkKind
  /// The flags that the platform reports where it is the default network.
  public var flags: ReachabilityFlags
  /// For each host of the script whether it can be reached; empty where all can.
  public var reachable: ContiguousArray<Bool>
  /// The families of addresses that it carries.
  public var families = NetworkFamilies.both
  /// Whether it translates between IPv6, which alone it carries then, and IPv4 behind it.
  public var translates = false
  /// Whether it takes all traffic while it is the default network, as a VPN may do.
  public var takesAllTraffic = false
  /// What its name server answers otherwise than all others, a host at a time.
  public var names: [NetworkNames] = []

  /// Makes a network that reaches every host, with the flags of its kind.
  public init(_ path: PathIndex, _ kind: NetworkKind) {
    self.path = path
    self.kind = kind
    flags = kind.flags
    reachable = []
  }

  /// Whether a host, an index into ``Script/hosts``, can be reached.
  public func reaches(_ host: Int) -> Bool { reachable.isEmpty || reachable[host] }
}

/// The kinds of networks.
public enum NetworkKind: String, Hashable, Sendable, CaseIterable {
  case wifi, cellular, vpn, ethernet

  /// What the platform reports where such a network is the default one.
  public var flags: ReachabilityFlags {
    switch self {
    case .wifi, .ethernet: [.reachable]
    case .cellular: [.reachable, .isWWAN]
    case .vpn: [.reachable, .transientConnection]
    }
  }
}

/// How a network stands when a run begins.
public enum FirstNetworkState: String, Hashable, Sendable, CaseIterable {
  case down, up
  /// It is up, and the default network.
  case `default`
}

/// What can become of a network by itself.
public enum NetworkWord: String, Hashable, Sendable, CaseIterable {
  /// It is there beside the others.
  case up
  /// New connections go over it.
  case makeDefault = "default"
  /// It goes down after a linger: something better is the default network.
  case losing
  /// It is gone.
  case down
  /// A portal stands before it, and nothing passes.
  case captive
  /// What was behind a portal is free.
  case validated
}

/// How a network dies, where that is not what the transport makes of a lost path.
@frozen
public enum NetworkEnding: String, Hashable, Sendable, CaseIterable {
  /// Nobody tells its connections.
  case silent
  /// Its connections are reset.
  case reset
}

/// What a router that translates addresses forgets, or does otherwise from now on.
///
/// To TCP all are the same: nobody knows the flows that are open.
public enum NATWord: String, Hashable, Sendable, CaseIterable {
  /// It forgets every flow.
  case forget
  /// It gives every flow another port.
  case rebindPort = "rebind-port"
  /// It gives every flow another address.
  case rebindAddress = "rebind-addr"

  /// What is done about flows that nobody knows, unless an entry says it: a router that forgot
  /// drops their packets, and a server that never saw them resets them.
  public var usualAnswer: UnknownFlows { self == .forget ? .drop : .reset }
}

/// What becomes of packets of a flow that nobody knows.
public enum UnknownFlows: String, Hashable, Sendable, CaseIterable {
  /// They vanish.
  case drop
  /// They are answered by a reset.
  case reset
}

/// What changes under a device that stays on its network; no callback tells of any.
public enum RoamWord: String, Hashable, Sendable, CaseIterable {
  /// Another access point of the same network: the address stays, and nothing is lost.
  case sameAddress = "same-address"
  /// The address stays, and the router behind is another one, which knows no flow.
  case newRouter = "new-router"
  /// The device has another address, and its open connections the old one.
  case newAddress = "new-address"
}

/// What is lost on the way, in one direction alone.
public enum LossWord: String, Hashable, Sendable, CaseIterable {
  /// Nothing.
  case none
  /// What the device sends.
  case requests
  /// What it would receive.
  case answers
}

/// Whether the device is awake.
public enum DevicePower: Hashable, Sendable {
  /// Its process is stopped, and its radio is off: nothing is acknowledged.
  case sleep
  /// It is awake, with the address that it had, or with another one.
  case wake(newAddress: Bool)
}

/// What an entry of the timeline does to a network.
public enum NetworkAction: Hashable, Sendable {
  case up
  case makeDefault
  /// It goes down later; nil ends connections as the transport has it.
  case losing(linger: Interval, NetworkEnding?)
  /// It goes down now.
  case down(NetworkEnding?)
  case captive
  case validated
  /// Its router does something to the flows it knows, once or again and again.
  case nat(NATWord, UnknownFlows, every: Interval?)
  /// Something changes under the device; the second counts for a new router.
  case roam(RoamWord, UnknownFlows)
  /// What is behind its router is gone, or there: for good, or for so long, or again and again.
  case uplink(isUp: Bool, lasts: Interval?, every: Interval?)
  /// It loses what goes in one direction, or nothing any more.
  case loss(LossWord)
  /// It is as good as this from now on.
  indirect case quality(LinkQuality)

  /// Whether it is a fault: one that must have an effect, or the scenario fails.
  public var isFault: Bool {
    switch self {
    case .nat, .uplink(isUp: false, _, _), .loss(.requests), .loss(.answers): true
    case .up, .makeDefault, .losing, .down, .captive, .validated, .roam, .uplink, .loss(.none),
      .quality:
      false
    }
  }
}

/// Whose changes the platform's callbacks tell of.
public enum MonitorWatch: String, Hashable, Sendable, CaseIterable {
  /// Of the default network: the flags of the way out.
  case defaultNetwork = "default"
  /// Of every network, each by itself: one that comes up tells its own flags, one that goes tells
  /// none, whatever the way out is.
  case anyNetwork = "any"
}

extension Script {
  /// The network of a path; nil where the path is none.
  public func network(of path: PathIndex) -> ScriptNetwork? {
    networks.first { $0.path == path }
  }

  /// The networks on which nothing passes because the default network takes all traffic.
  package func takenOver(on device: Device) -> PathSet {
    guard let path = device.path, network(of: path)?.takesAllTraffic == true else { return [] }
    return networks.reduce(into: []) { if $1.path != path { $0.formUnion(PathSet($1.path)) } }
  }

  /// The path that a new connection to a host takes: the default network where that reaches the
  /// host, else the first of the others, in the order of the file, that is up and does.
  ///
  /// If the default network takes all traffic, no other network serves.
  ///
  /// - Returns: the path; nil where there is none, as where there is no default network.
  public func route(to host: Int, on device: Device) -> PathIndex? {
    guard !networks.isEmpty, let path = device.path else { return device.path }
    let standard = network(of: path)
    if standard?.reaches(host) == true { return path }
    if standard?.takesAllTraffic == true { return nil }
    return networks.first { device.keptAlive.contains($0.path) && $0.reaches(host) }?.path
  }

  /// Why the simulation cannot play the script, in words; nil where it can.
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
    return "the trace \"\(trace.name)\" of a network's quality was not read"
  }

  /// Why the script cannot be played on a kernel, in words; nil where it can.
  public var obstacleInRealTime: String? {
    if configuration.clock == .monotonic, sleeps {
      return "programs in a lab use the clocks of this machine, which do not stop while the device "
        + "sleeps (\"clock\": \"monotonic\")"
    }
    for host in hosts {
      for address in host.ownAddresses {
        guard let reason = address.obstacleInLabs else { continue }
        return "the address \(address.written) of the host \(host.written) cannot be had in a "
          + "lab: \(reason)"
      }
    }
    return nil
  }

  /// Whether it matters which addresses hosts have, or what becomes of names on a network.
  package var looksAtAddresses: Bool {
    hosts.contains { !$0.addresses.isEmpty }
      || networks.contains { $0.families != .both || !$0.names.isEmpty }
  }

  /// Whether anything of it is about IPv6: a host or a network.
  package var hasIPv6: Bool {
    networks.contains { $0.families != .both }
      || hosts.contains { $0.ownAddresses.contains { $0.family == .ipv6 } }
  }

  /// Whether the device falls asleep.
  private var sleeps: Bool {
    entries.contains { if case .power(.sleep) = $0.action { true } else { false } }
  }

  /// Why the script cannot be played where another process makes the connections, in words; nil
  /// where it can.
  public var obstacleElsewhere: String? {
    if looksAtAddresses {
      return "addresses, and names of networks, are played with the built-in transport only"
    }
    if !networks.isEmpty { return "several networks are played with the built-in transport only" }
    if !qualities.isEmpty {
      return "the quality of paths is played with the built-in transport only"
    }
    return sleeps ? "the sleep of a device is played with the built-in transport only" : nil
  }
}
