public import HandoverCore

/// The network around a backend that moves real bytes: a device that can move, and servers to call.
///
/// A backend with real sockets knows nothing of how networks are made; whoever makes them knows
/// nothing of calls. All functions may be called from any thread, and what they do has happened
/// when they come back.
public protocol LiveNetwork: AnyObject, Sendable {
  /// Does work on a thread of the device: sockets and event loops it makes belong there.
  func onDevice<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(BackendError)
    -> Value

  /// Does work on a thread of the servers.
  func onServers<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(BackendError)
    -> Value

  /// Where the server of a host, a place in ``Script/hosts``, listens and is called.
  func address(of host: Int) -> LiveAddress

  /// Where the servers of a host listen that has addresses of its own, in the order of
  /// ``LivePlan/hosts``; empty where it has none.
  func ownAddresses(of host: Int) -> [LiveAddress]

  /// Brings the device to where it shall be: its path, its flags, and the paths that stay alive.
  func place(_ device: Device) throws(BackendError)

  /// Lets something become of a network that is no move of the device: what stands in its way, what
  /// its router knows, how good it is, which address the device has on it, and that the connections
  /// on one that is about to go are reset.
  func perform(_ deed: NetworkDeed) throws(BackendError)

  /// Turns the device's radio on or off; its interfaces stay as they are.
  func setRadio(isOn: Bool) throws(BackendError)

  /// The TCP connections of the device to the hosts, as its kernel shows them.
  func flows() throws(BackendError) -> [LiveFlow]

  /// Ends connections of the device, known by their local ports, as a platform does that reports
  /// them not viable any more.
  func abort(localPorts ports: [UInt16]) throws(BackendError)

  /// Lets the packets of a connection vanish far from the device, in both directions, or no more.
  func drop(_ areDropped: Bool, localPort: UInt16, host: Int) throws(BackendError)

  /// Lets the packets of connections to a host that are not made yet vanish, or no more; those of
  /// the local ports given go on.
  func dropNew(
    _ areDropped: Bool, host: Int, established: [UInt16]
  ) throws(BackendError)

  /// Lets a fault of transports meet the flows of UDP to a host.
  ///
  /// - Returns: how many it met; nil where only what comes later shows it.
  func treatDatagrams(_ word: TransportWord, host: Int) throws(BackendError) -> Int?

  /// What the device has sent so far; it never decreases.
  func traffic() throws(BackendError) -> LiveTraffic

  /// The flags as the kernel shows them now.
  func readFlags() throws(BackendError) -> ReachabilityFlags

  /// Tells of every change of the flags from now on, from a thread of its own.
  ///
  /// The handler is given the flags and the monotonic instant, in microseconds, at which the
  /// kernel's event was seen; it must not block.
  func watchFlags(
    _ handler: @escaping @Sendable (ReachabilityFlags, _ seenAt: Int64) -> Void
  ) throws(BackendError)

  /// Tells of no change any more; when it comes back the handler is not called again.
  func stopWatching()

  /// Takes the network away.
  ///
  /// - Returns: what remains all the same, in words.
  func close() -> [String]
}

extension LiveNetwork {
  /// Meets nothing: the network carries no datagrams.
  public func treatDatagrams(_ word: TransportWord, host: Int) throws(BackendError) -> Int? { 0 }

  /// None: servers have the addresses that the network gives them.
  public func ownAddresses(of host: Int) -> [LiveAddress] { [] }

  /// Refuses it: the network has one way out, and nothing stands in it.
  public func perform(_ deed: NetworkDeed) throws(BackendError) {
    throw BackendError(.unsupported, "nothing but moves of the device can be had in this network")
  }

  /// Refuses it: the device has no radio.
  public func setRadio(isOn: Bool) throws(BackendError) {
    throw BackendError(.unsupported, "the device has no radio in this network")
  }
}

/// Where a server listens.
public struct LiveAddress: Hashable, Sendable {
  /// The address, as usually written.
  public var address: String
  /// The port.
  public var port: UInt16

  /// Makes an address.
  public init(_ address: String, port: UInt16) {
    self.address = address
    self.port = port
  }
}

/// A TCP connection of the device to a host, as its kernel shows it.
public struct LiveFlow: Hashable, Sendable {
  /// The local port, by which the network knows it.
  public var localPort: UInt16
  /// The host, by its place in ``Script/hosts``.
  public var host: Int
  /// The path that it was made on.
  public var path: PathIndex

  /// Makes a flow.
  public init(localPort: UInt16, host: Int, path: PathIndex) {
    self.localPort = localPort
    self.host = host
    self.path = path
  }
}

/// What a device has sent, as its kernel counts it.
public struct LiveTraffic: Hashable, Sendable {
  /// How many TCP connections it has tried to make.
  public var attempts: Int64
  /// How many UDP datagrams it has sent.
  public var datagrams: Int64
  /// How many segments of TCP it has sent again.
  public var retransmitted: Int64
  /// How many connections that stood were reset, by either side.
  public var resets: Int64

  /// Makes a count.
  public init(
    attempts: Int64 = 0, datagrams: Int64 = 0, retransmitted: Int64 = 0, resets: Int64 = 0
  ) {
    self.attempts = attempts
    self.datagrams = datagrams
    self.retransmitted = retransmitted
    self.resets = resets
  }
}

/// Makes networks for backends that move real bytes.
public protocol LiveNetworkMaker: Sendable {
  /// Makes the network of a script, with the device as the script begins.
  ///
  /// - Throws: ``BackendError`` where it cannot be had here; its message says why and what to do.
  func makeNetwork(_ plan: LivePlan) throws(BackendError) -> any LiveNetwork
}

/// What a network must offer to play a script.
public struct LivePlan: Hashable, Sendable {
  /// The names of the paths and what each runs over, in the order of ``Script/paths``; those that
  /// the device never is on have none.
  public var paths: [Path]
  /// How many hosts there are.
  public var hostCount: Int
  /// How long the first packet of each TCP connection to a host is under way, by the place of the
  /// host: so long the connection takes to be established.
  public var handshakes: [Interval]
  /// The device as the script begins.
  public var device: Device
  /// How often the device's TCP sends again what is not acknowledged before it gives up; nil is as
  /// often as usual, which takes a quarter of an hour.
  public var retransmissionLimit: Int?
  /// Whether the networks carry IPv6 besides IPv4, unless they say something else.
  public var hasIPv6 = false
  /// What is known of the hosts by their names and addresses, in the order of ``Script/hosts``.
  public var hosts: [Host] = []

  /// A path of the script.
  public struct Path: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it runs over; nil where the device never is on it.
    public var medium: Medium?
    /// The hosts that cannot be reached over it, in their order.
    public var unreached: [Int] = []
    /// Before which others it serves those that the default network does not reach: the lowest
    /// first.
    public var preference = 0
    /// The families that it carries, where networks carry IPv6 at all.
    public var families = NetworkFamilies.both
    /// Whether it translates between IPv6 and IPv4 behind it.
    public var translates = false
    /// Whether nothing passes on other paths while this one is the default network.
    public var takesAllTraffic = false
  }

  /// What a path runs over.
  public enum Medium: String, Hashable, Sendable, CaseIterable {
    /// A wireless network of the place, or a wire.
    case wifi
    /// A network of a carrier.
    case cellular
    /// A private network over one of the others.
    case vpn
  }

  /// Why a script cannot be played with real networks.
  public struct Impossible: Error, Hashable, Sendable {
    /// The reason in words.
    public var reason: String
  }

  /// The plan of a script.
  ///
  /// - Throws: ``Impossible`` where one path would have to run over both media, a host is named by
  ///   what is no address and no name either, or the script has what no kernel plays.
  public init(_ script: Script) throws(Impossible) {
    if let reason = script.obstacleInRealTime { throw Impossible(reason: reason) }
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
      case .app, .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .server, .names,
        .transport,
        .monitor, .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher, .network,
        .signal, .power:
        continue
      }
      try note(device)
    }
  }

  /// Whoever names a host for a resolver means to see that resolver.
  private static func check(_ host: ScriptHost) throws(Impossible) {
    let text = host.name?.text ?? host.written
    let isOfNoLab =
      ["ipv6:", "unix:"].contains { text.hasPrefix($0) } || text.hasPrefix("[") && !host.isLiteral
    if isOfNoLab {
      throw Impossible(
        reason: "the host \(host.written) is no address and no name, and labs have nothing else")
    }
  }

  private mutating func note(_ networks: [ScriptNetwork]) {
    for (preference, network) in networks.enumerated() {
      let place = Int(network.path.index)
      paths[place].preference = preference
      paths[place].unreached = (0..<hostCount).filter { !network.reaches($0) }
      paths[place].families = network.families
      paths[place].translates = network.translates
      paths[place].takesAllTraffic = network.takesAllTraffic
      switch network.kind {
      case .wifi, .ethernet: paths[place].medium = .wifi
      case .cellular: paths[place].medium = .cellular
      case .vpn: paths[place].medium = .vpn
      }
    }
  }

  private mutating func note(_ device: Device) throws(Impossible) {
    guard let path = device.path else { return }
    let medium: Medium
    switch device.category {
    case .wifi: medium = .wifi
    case .cellular: medium = .cellular
    case .noNetwork, .unknown: return
    }
    let place = Int(path.index)
    if let other = paths[place].medium, other != medium {
      throw Impossible(
        reason: "the path \(paths[place].name) runs over \(other.rawValue) at one time and over "
          + "\(medium.rawValue) at another; real networks need a path for each")
    }
    paths[place].medium = medium
  }
}
