public import HandoverCore

/// The network around a backend that uses real sockets: a device whose networks can change, and
/// servers.
///
/// A backend does not depend on how networks are created, and the network does not depend on calls.
/// All functions may be called from any thread, and their effects are complete when they return.
public protocol LiveNetwork: AnyObject, Sendable {
  /// Runs a closure on a thread of the device, to which its sockets and event loops then belong.
  func onDevice<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(BackendError)
    -> Value

  /// Runs a closure on a thread of the servers.
  func onServers<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(BackendError)
    -> Value

  /// Returns the address at which the server of a host, an index into ``Script/hosts``, is reached.
  func address(of host: Int) -> LiveAddress

  /// Returns the addresses of a host's servers, in the order of ``LivePlan/hosts``.
  ///
  /// The result is empty if the host has no addresses assigned to it.
  func ownAddresses(of host: Int) -> [LiveAddress]

  /// Sets the state of the device: its path, its flags, and the paths that stay alive.
  func apply(_ device: Device) throws(BackendError)

  /// Executes a command, which is not a change of the device's state.
  func perform(_ command: NetworkCommand) throws(BackendError)

  /// Sets the quality of a path.
  func setQuality(_ quality: LinkQuality, of path: PathIndex) throws(BackendError)

  /// Returns the TCP connections of the device to some hosts, as its kernel lists them.
  ///
  /// A connection to an endpoint of several hosts belongs to each of them. If all hosts are
  /// selected, it is returned once, with the first of these hosts.
  func flows(to hosts: HostSelector) throws(BackendError) -> [LiveFlow]

  /// Aborts connections of the device.
  ///
  /// A platform does this when it reports connections as no longer viable. Flows that no longer
  /// exist are skipped.
  func abort(_ flows: [LiveFlow]) throws(BackendError)

  /// Drops the packets of connections from now on, far from the device and in both directions.
  func drop(_ flows: [LiveFlow]) throws(BackendError)

  /// Drops the packets to a host from now on, except those of some existing connections.
  func dropNewConnections(to host: Int, except flows: [LiveFlow]) throws(BackendError)

  /// Lets all packets from and to a host pass again that ``drop(_:)`` or
  /// ``dropNewConnections(to:except:)`` dropped.
  func stopDropping(host: Int) throws(BackendError)

  /// Starts or stops dropping all packets from and to an address of a host.
  ///
  /// `position` is an index into ``ownAddresses(of:)``.
  func setReachable(_ isReachable: Bool, address position: Int, host: Int) throws(BackendError)

  /// Applies a transport fault to the UDP flows to a host.
  ///
  /// - Returns: The number of flows that were affected, or `nil` if only later traffic shows it.
  func applyFault(_ fault: ConnectionFault, toDatagramsOf host: Int) throws(BackendError) -> Int?

  /// Returns counts of what the device has sent so far; they never decrease.
  func traffic() throws(BackendError) -> LiveTraffic

  /// Returns the flags that the kernel reports now.
  func readFlags() throws(BackendError) -> ReachabilityFlags

  /// Starts reporting every change of the flags from a separate thread.
  ///
  /// The handler receives the flags and the monotonic instant, in microseconds, at which the
  /// kernel's event was seen. The handler must not block.
  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError)

  /// Stops reporting changes; after this function returns, the handler is not called again.
  func stopWatching()

  /// Removes the network.
  ///
  /// - Returns: Descriptions of resources that remain nevertheless.
  func close() -> [String]
}

extension LiveNetwork {
  /// Affects no flow, because the network carries no datagrams.
  public func applyFault(_ fault: ConnectionFault, toDatagramsOf host: Int) throws(BackendError)
    -> Int?
  { 0 }

  /// Returns no addresses, because the network assigns the servers' addresses.
  public func ownAddresses(of host: Int) -> [LiveAddress] { [] }

  /// Throws an error, because the network assigns the servers' addresses.
  public func setReachable(
    _ isReachable: Bool, address position: Int, host: Int
  ) throws(BackendError) {
    throw BackendError(.unsupported, "this network has no addresses that a host lists")
  }

  /// Throws an error, because the network supports only changes of the device's state.
  public func perform(_ command: NetworkCommand) throws(BackendError) {
    switch command {
    // The state of the device implies these.
    case .restore, .obstruct(_, .takenOver), .clear(_, .takenOver): return
    case .end, .obstruct, .clear, .translate, .renewAddresses, .setRadio:
      throw BackendError(
        .unsupported, "this network supports only changes of the device's network")
    }
  }

  /// Throws an error, because the network supports only changes of the device's state.
  public func setQuality(_ quality: LinkQuality, of path: PathIndex) throws(BackendError) {
    throw BackendError(.unsupported, "this network supports only changes of the device's network")
  }
}

/// The address and port at which a server listens.
public struct LiveAddress: Hashable, Sendable {
  /// The address in its usual notation.
  public var address: String
  /// The port.
  public var port: UInt16

  /// Creates an address.
  public init(_ address: String, port: UInt16) {
    self.address = address
    self.port = port
  }
}

/// A TCP connection of the device to a host, as its kernel lists it.
///
/// The local port alone does not identify a connection: a kernel uses the same port for connections
/// to different hosts, or from different addresses.
public struct LiveFlow: Hashable, Sendable {
  /// The local port.
  public var localPort: UInt16
  /// The host, as an index into ``Script/hosts``.
  public var host: Int
  /// The path on which the connection was opened.
  public var path: PathIndex

  /// Creates a flow.
  public init(localPort: UInt16, host: Int, path: PathIndex) {
    self.localPort = localPort
    self.host = host
    self.path = path
  }
}

/// The traffic that a device has sent, as its kernel counts it.
public struct LiveTraffic: Hashable, Sendable {
  /// The number of TCP connection attempts.
  public var attempts: Int64
  /// The number of UDP datagrams sent.
  public var datagrams: Int64
  /// The number of TCP segments retransmitted.
  public var retransmitted: Int64
  /// The number of established connections that either side reset.
  public var resets: Int64

  /// Creates a count.
  public init(
    attempts: Int64 = 0, datagrams: Int64 = 0, retransmitted: Int64 = 0, resets: Int64 = 0
  ) {
    self.attempts = attempts
    self.datagrams = datagrams
    self.retransmitted = retransmitted
    self.resets = resets
  }
}

/// A factory of networks for backends that use real sockets.
public protocol LiveNetworkFactory: Sendable {
  /// Creates the network of a script, with the device in the script's initial state.
  ///
  /// - Throws: ``BackendError`` if this machine cannot create the network; the message contains the
  ///   reason and a remedy.
  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork
}

/// The requirements of a script on its network.
public struct LivePlan: Hashable, Sendable {
  /// The name and medium of each path, in the order of ``Script/paths``.
  ///
  /// A path that the device never uses has no medium.
  public var paths: [Path]
  /// The number of hosts.
  public var hostCount: Int
  /// The delay of the first packet of each TCP connection to a host, by the index of the host.
  ///
  /// This delay is the time that a connection takes to be established.
  public var handshakes: [Interval]
  /// The device in the script's initial state.
  public var device: Device
  /// The number of retransmissions after which the device's TCP gives up.
  ///
  /// If this is `nil`, the kernel's default applies, which takes a quarter of an hour.
  public var retransmissionLimit: Int?
  /// Whether the networks carry IPv6 in addition to IPv4, unless they specify their families.
  public var hasIPv6 = false
  /// The names and addresses of the hosts, in the order of ``Script/hosts``.
  public var hosts: [Host] = []

  /// A path of the script.
  public struct Path: Hashable, Sendable {
    /// The path's name.
    public var name: String
    /// The medium of the path, or `nil` if the device never uses the path.
    public var medium: Medium?
    /// The hosts that cannot be reached over the path, in their order.
    public var unreachableHosts: [Int] = []
    /// The rank of the path among those that serve hosts that the default network cannot reach.
    ///
    /// The path with the lowest rank is used.
    public var preference = 0
    /// The address families that the path carries if the networks carry IPv6 at all.
    public var families = NetworkFamilies.both
    /// Whether the path translates between IPv6 and IPv4 (NAT64).
    public var translates = false
    /// Whether all traffic on other paths is blocked while this path is the default network.
    public var takesAllTraffic = false
  }

  /// The medium of a path.
  public enum Medium: String, Hashable, Sendable, CaseIterable {
    /// A wireless or wired local network.
    case wifi
    /// A network of a mobile carrier.
    case cellular
    /// A private network over one of the other media.
    case vpn
  }

  /// The reason why a script cannot run on real networks.
  public struct UnsupportedScript: Error, Hashable, Sendable {
    /// The reason as text.
    public var reason: String
  }

  /// Creates the plan of a script.
  ///
  /// - Throws: ``UnsupportedScript`` if one path would need two media, a host is neither an address
  ///   nor a name, or the script uses a feature that no kernel supports.
  public init(_ script: Script) throws(UnsupportedScript) {
    if let reason = script.obstacleInRealTime { throw UnsupportedScript(reason: reason) }
    hostCount = script.hosts.count
    handshakes = script.hosts.map(\.connect)
    for host in script.hosts { try Self.check(host) }
    hosts = script.hosts.map(Host.init)
    hasIPv6 = script.hasIPv6
    paths = script.paths.map { Path(name: $0, medium: nil) }
    device = Device(script.initial)
    guard script.networks.isEmpty else {
      note(script.networks)
      return
    }
    var device = device
    try note(device)
    for entry in script.entries {
      switch entry.action {
      case .flags(let flags, let path, let up, let down):
        _ = device.apply(flags, path: path, up: up, down: down)
      case .path(let path):
        _ = device.move(to: path)
      default: continue
      }
      try note(device)
    }
  }

  /// Rejects a host whose text is meant for one particular resolver, because a lab has no such
  /// resolver.
  private static func check(_ host: ScriptHost) throws(UnsupportedScript) {
    let text = host.name?.text ?? host.written
    let needsNoLab =
      ["ipv6:", "unix:"].contains { text.hasPrefix($0) } || text.hasPrefix("[") && !host.isLiteral
    if needsNoLab {
      throw UnsupportedScript(
        reason: "labs need an address or a name, and the host \(host.written) is neither")
    }
  }

  private mutating func note(_ networks: [ScriptNetwork]) {
    for (preference, network) in networks.enumerated() {
      let position = Int(network.path.index)
      paths[position].preference = preference
      paths[position].unreachableHosts = (0..<hostCount).filter { !network.reaches($0) }
      paths[position].families = network.families
      paths[position].translates = network.translates
      paths[position].takesAllTraffic = network.takesAllTraffic
      switch network.kind {
      case .wifi, .ethernet: paths[position].medium = .wifi
      case .cellular: paths[position].medium = .cellular
      case .vpn: paths[position].medium = .vpn
      }
    }
  }

  private mutating func note(_ device: Device) throws(UnsupportedScript) {
    guard let path = device.path else { return }
    let medium: Medium
    switch device.category {
    case .wifi: medium = .wifi
    case .cellular: medium = .cellular
    case .noNetwork, .unknown: return
    }
    let position = Int(path.index)
    if let other = paths[position].medium, other != medium {
      throw UnsupportedScript(
        reason: "the path \(paths[position].name) uses \(other.rawValue) at one time and "
          + "\(medium.rawValue) at another; real networks need a separate path for each")
    }
    paths[position].medium = medium
  }
}
