import Glibc
public import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

/// A device with its networks and its servers, made of the kernel's own parts.
///
/// ```
///   device ── wlan0 ──┐             ┌── router 1 (access point) ──┐
///                     ├─── air ─────┼── router 2 (access point) ──┼── servers
///          ── wwan0 ──┘             └── router 3 (carrier) ───────┘
/// ```
///
/// Each of them is a network namespace without a name; nothing of the host is seen or touched, and
/// when the process ends, however it ends, the kernel takes all of it away. Many labs may live in
/// one process. Every function may be called from any thread, and what it does has happened when it
/// comes back.
public final class DeviceLab: Sendable {
  /// Which namespace is the device.
  public enum Home: Hashable, Sendable {
    /// One of its own.
    case ownNamespace
    /// The one the whole process lives in; only where ``NamespaceEntry`` has entered it.
    case process
  }

  /// The namespace of the device: sockets made in it are the device's.
  public let device: NetworkNamespace
  /// The namespace of the servers.
  public let servers: NetworkNamespace
  /// An address beyond every network, for whoever watches whether there is a way to the world; the
  /// servers' own are hidden while a network wants something to be done first.
  public static let watchedAddress = IPAddress(198, 18, 0, 1)
  /// The same for networks of IPv6 alone, where there is no way to the other.
  public static let watchedAddress6 = IPAddress("3fff:fff::1") ?? watchedAddress

  private let home: Home
  /// Where the servers of each host are.
  let endpoints: HostEndpoints
  let routers: [Router]
  let kernel: DeviceKernel
  private let termination: SocketTermination
  let standing: Mutex<Standing>

  /// What was asked for so far.
  struct Standing {
    /// The network of each path.
    var networks: [AccessNetwork?]
    var layout = DeviceLayout()
    /// The networks, by their numbers, behind whose routers nothing is.
    var cutUplinks: [UInt8] = []
    fileprivate var droppedFlows: [Flow] = []
    fileprivate var droppedHosts: [DroppedHost] = []
    fileprivate var isClosed = false

    init(_ networks: [AccessNetwork?]) {
      self.networks = networks
    }
  }

  fileprivate struct Flow: Hashable {
    var localPort: UInt16
    var host: Int
  }

  fileprivate struct DroppedHost: Hashable {
    var host: Int
    var established: [UInt16]
  }

  /// What every namespace begins with: no filter, and no packets that nobody asked for.
  ///
  /// Some of it would be inherited from the host.
  static let quietSettings: [(setting: String, value: String)] = [
    ("ipv4/conf/all/rp_filter", "0"), ("ipv4/conf/default/rp_filter", "0"),
    ("ipv6/conf/all/disable_ipv6", "1"), ("ipv6/conf/default/disable_ipv6", "1"),
  ]

  /// The same where there is IPv6: addresses are those that are given, at once, and they stay
  /// where an interface goes down, as those of IPv4 do.
  static func quietSettings(hasIPv6: Bool) -> [(setting: String, value: String)] {
    guard hasIPv6 else { return quietSettings }
    let values = [
      ("disable_ipv6", "0"), ("accept_ra", "0"), ("accept_dad", "0"), ("router_solicitations", "0"),
      ("keep_addr_on_down", "1"),
    ]
    return quietSettings
      + ["all", "default"].flatMap { scope in
        values.map { ("ipv6/conf/\(scope)/\($0.0)", $0.1) }
      }
  }

  /// Makes a lab; the device stands as the plan says.
  ///
  /// - Parameters:
  ///   - plan: the paths and hosts.
  ///   - home: which namespace is the device.
  ///   - seed: decides which frames are lost where some are.
  /// - Throws: ``LinuxError`` with the call that failed, why, and what to do.
  public init(
    _ plan: LivePlan, home: Home = .ownNamespace, seed: UInt64 = 1
  ) throws(LinuxError) {
    self.home = home
    let networks = try Self.networks(plan)
    standing = Mutex(Standing(networks))
    endpoints = HostEndpoints(plan)
    let used = networks.compactMap { $0 }
    let namespaces = try Self.namespaces(home, used)
    let device = try NetworkController(in: namespaces.device)
    let air = try NetworkController(in: namespaces.air)
    let servers = try NetworkController(in: namespaces.servers)
    try Self.prepare(device, air, used.media, hasIPv6: plan.hasIPv6)
    if let limit = plan.retransmissionLimit {
      try device.namespace.set("ipv4/tcp_retries2", to: String(limit))
    }
    try Self.prepare(servers, endpoints, hasIPv6: plan.hasIPv6)
    var routers: [Router] = []
    for (network, namespace) in zip(used, namespaces.routers) {
      routers.append(try Router(network, in: namespace, air: air, servers: servers))
    }
    self.routers = routers
    self.device = device.namespace
    self.servers = servers.namespace
    termination = try SocketTermination(in: device.namespace)
    for router in routers { try router.waitUntilUp(air: air, servers: servers) }
    kernel = try DeviceKernel(
      device, air: Air(air, used, handshakes: endpoints.handshakes, seed: seed), farEnds: air,
      endpoints)
    try place(plan.device)
  }

  deinit { _ = close() }

  // MARK: Where things are

  /// Where the server of a host listens, and where the device calls it: at the first of its own
  /// addresses that accepts, where it has some.
  ///
  /// - Parameter host: the place of the host in the script.
  /// - Returns: the address and the port.
  public func address(of host: Int) -> LiveAddress { endpoints.first(of: host).text }

  /// Where a host is called that has addresses of its own, in their order; whether somebody answers
  /// there or not.
  public func ownAddresses(of host: Int) -> [LiveAddress] {
    endpoints.ownPlaces(of: host).map(\.endpoint.text)
  }

  /// The network of each path, with the addresses that the device has now.
  var networks: [AccessNetwork?] { standing.withLock { $0.networks } }

  /// The device's address on a path; nil where it never is on it.
  public func deviceAddress(on path: PathIndex) -> IPAddress? {
    networks[Int(path.index)]?.deviceAddresses.first
  }

  /// The device's addresses on a path, one in each family; none where it never is on it.
  func deviceAddresses(on path: PathIndex) -> [IPAddress] {
    networks[Int(path.index)]?.deviceAddresses ?? []
  }

  /// The device's addresses on the network it is on, and on those that are kept alive for it.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - portals: the paths that lead to a portal and to no server.
  /// - Returns: its addresses.
  func liveAddresses(of device: Device, behind portals: PathSet = PathSet()) -> [IPAddress] {
    let networks = networks
    return networks.indices.flatMap { place -> [IPAddress] in
      let path = PathIndex(UInt8(place))
      guard device.pathsUp.contains(path), !portals.contains(path) else { return [] }
      return networks[place]?.deviceAddresses ?? []
    }
  }

  /// The way the device has to an address now; nil where it has none.
  public func route(to address: IPAddress) throws(LinuxError) -> Route? {
    try kernel.controller.route(to: address)
  }

  // MARK: Moving

  /// Brings the device to where it shall be: its path, its flags, and the paths that stay alive.
  ///
  /// No move between two networks passes through none, and a move between two networks of one kind
  /// shows nothing but another gateway.
  public func place(_ device: Device) throws(LinuxError) {
    try standing.withLock { standing throws(LinuxError) in
      let next = DeviceLayout(device, networks: standing.networks, after: standing.layout)
      for step in next.steps(from: standing.layout) { try kernel.apply(step, in: next) }
      standing.layout = next
    }
  }

  /// Sets what a medium does to frames from now on.
  public func setConditions(_ conditions: LinkConditions, of medium: LivePlan.Medium) {
    kernel.air.setConditions(conditions, of: medium)
  }

  /// Lets a NAT forget what the device has sent over UDP.
  func forgetDatagrams() { kernel.air.forgetDatagrams() }

  // MARK: Connections

  /// The TCP connections of the device to the hosts of the plan, made on its paths.
  public func flows() throws(LinuxError) -> [LiveFlow] {
    let networks = networks
    return try connections().compactMap { connection in
      let remote = Endpoint(address: connection.remoteAddress, port: connection.remotePort)
      guard let host = endpoints.host(at: remote),
        let path = networks.firstIndex(where: {
          $0?.deviceAddresses.contains(connection.localAddress) == true
        })
      else { return nil }
      return LiveFlow(
        localPort: connection.localPort, host: host, path: PathIndex(UInt8(path)))
    }
  }

  /// The TCP connections of the device.
  public func connections() throws(LinuxError) -> [TCPConnection] {
    try termination.connections()
  }

  /// What the device has sent so far, as its kernel counts it; the loopback interface counts too.
  public func traffic() throws(LinuxError) -> LiveTraffic {
    let counters = try device.counters()
    return LiveTraffic(
      attempts: counters["Tcp.ActiveOpens"] ?? 0, datagrams: counters["Udp.OutDatagrams"] ?? 0,
      retransmitted: counters["Tcp.RetransSegs"] ?? 0, resets: counters["Tcp.EstabResets"] ?? 0)
  }

  /// Ends connections of the device as a platform does that reports them not viable any more.
  ///
  /// - Returns: how many were ended.
  @discardableResult
  public func abort(
    where isSelected: (TCPConnection) -> Bool
  ) throws(LinuxError) -> Int {
    try termination.end(where: isSelected)
  }

  /// Lets the packets of a connection vanish at the routers, in both directions, or no more.
  public func drop(_ areDropped: Bool, localPort: UInt16, host: Int) throws(LinuxError) {
    let flow = Flow(localPort: localPort, host: host)
    try standing.withLock { standing throws(LinuxError) in
      guard standing.droppedFlows.contains(flow) != areDropped else { return }
      for address in endpoints.addresses(of: host) {
        for router in routers where router.carries(address) {
          try router.drop(areDropped, localPort: localPort, server: address)
        }
      }
      if areDropped {
        standing.droppedFlows.append(flow)
      } else {
        standing.droppedFlows.removeAll { $0 == flow }
      }
    }
  }

  /// Lets the packets to a host vanish, or no more, but for those of connections that are there.
  ///
  /// - Parameters:
  ///   - areDropped: whether they vanish from now on.
  ///   - host: the place of the host in the script.
  ///   - established: the local ports of the connections that go on.
  /// - Throws: ``LinuxError`` where a router refuses.
  public func dropNew(
    _ areDropped: Bool, host: Int, established: [UInt16]
  ) throws(LinuxError) {
    let wanted = areDropped ? DroppedHost(host: host, established: established) : nil
    try standing.withLock { standing throws(LinuxError) in
      let old = standing.droppedHosts.first { $0.host == host }
      guard wanted != old else { return }
      if let old {
        try dropAll(false, old)
        standing.droppedHosts.removeAll { $0 == old }
      }
      if let wanted {
        try dropAll(true, wanted)
        standing.droppedHosts.append(wanted)
      }
    }
  }

  /// Lets the packets to every address of a host vanish in every router, or no more; where others
  /// have an address too, those to the host's port.
  private func dropAll(_ areDropped: Bool, _ dropped: DroppedHost) throws(LinuxError) {
    var told: [Endpoint] = []
    for place in endpoints.places(of: dropped.host) {
      let address = place.endpoint.address
      let isShared = endpoints.isShared(address, of: dropped.host)
      let target = Endpoint(address: address, port: isShared ? place.endpoint.port : 0)
      guard !told.contains(target) else { continue }
      told.append(target)
      for router in routers where router.carries(address) {
        try router.dropAll(
          areDropped, server: address, port: isShared ? target.port : nil,
          except: dropped.established)
      }
    }
  }

  // MARK: The end

  /// Takes the device off every network, for good; the second time it does nothing.
  ///
  /// The namespaces go when nobody holds the lab any more.
  ///
  /// - Returns: what should have been closed before, in words; empty where all is well.
  public func close() -> [String] {
    let wasClosed = standing.withLock { standing in
      defer { standing.isClosed = true }
      return standing.isClosed
    }
    if wasClosed { return [] }
    var leaks: [String] = []
    let own = networks.flatMap { $0?.deviceAddresses ?? [] }
    do throws(LinuxError) {
      for connection in try termination.connections()
      where connection.isHeld && own.contains(connection.localAddress) {
        leaks.append(
          "the connection from \(connection.localAddress) port \(connection.localPort) is open")
      }
    } catch {
      leaks.append(error.description)
    }
    kernel.air.close()
    // The rules of the process's own namespace would be there for the next lab in it.
    if home == .process {
      let last = standing.withLock(\.layout)
      do throws(LinuxError) {
        let none = DeviceLayout()
        for step in none.steps(from: last) { try kernel.apply(step, in: none) }
      } catch {
        leaks.append(error.description)
      }
    }
    leaks += endAbandonedConnections()
    for medium in networks.compactMap(\.self).media {
      do throws(LinuxError) {
        switch home {
        // The kernel takes long to remove interfaces; with their namespace they go by themselves.
        case .ownNamespace: try kernel.controller.setLink(medium.interface, up: false)
        case .process: try kernel.controller.removeLink(medium.interface)
        }
      } catch {
        leaks.append(error.description)
      }
    }
    return leaks
  }

  /// Ends the connections that nobody has open any more: what was written to them last cannot
  /// arrive now, the kernel would try for minutes, and each keeps its namespace for so long.
  ///
  /// - Returns: why that cannot be, in words.
  private func endAbandonedConnections() -> [String] {
    [device, servers].compactMap { namespace in
      do throws(LinuxError) {
        try SocketTermination(in: namespace).end {
          !$0.isHeld && AccessNetwork.has(namespace === device ? $0.localAddress : $0.remoteAddress)
        }
        return nil
      } catch {
        return error.description
      }
    }
  }
}
