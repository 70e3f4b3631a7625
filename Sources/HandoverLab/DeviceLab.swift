import Glibc
public import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

/// A device with its networks and servers, made of Linux network namespaces.
///
/// ```
///   device ── wlan0 ──┐             ┌── router 1 (access point) ──┐
///                     ├─── air ─────┼── router 2 (access point) ──┼── servers
///          ── wwan0 ──┘             └── router 3 (carrier) ───────┘
/// ```
///
/// Each part is a network namespace without a name. The lab neither sees nor changes the host. The
/// kernel removes all of the lab when the process ends, even after a crash. Many labs may exist in
/// one process. Every function may be called from any thread, and has taken effect when it returns.
public final class DeviceLab: Sendable {
  /// The namespace that serves as the device.
  public enum Home: Hashable, Sendable {
    /// A new namespace.
    case ownNamespace
    /// The namespace of the whole process.
    ///
    /// Allowed only if ``NamespaceEntry`` has entered it.
    case process
  }

  /// The namespace of the device.
  ///
  /// Sockets that are created in it belong to the device.
  public let device: NetworkNamespace
  /// The namespace of the servers.
  public let servers: NetworkNamespace
  /// An address outside all networks, for programs that watch whether the device has a route to the
  /// Internet.
  ///
  /// Addresses of servers are not suitable, because they are hidden while a network requires an
  /// action first.
  public static let watchedAddress = IPAddress(198, 18, 0, 1)
  /// The same kind of address for IPv6-only networks, which have no route to IPv4 addresses.
  public static let watchedAddress6 = IPAddress("3fff:fff::1") ?? watchedAddress

  private let home: Home
  /// The addresses of the servers of each host.
  let endpoints: HostEndpoints
  let routers: [Router]
  let kernel: DeviceKernel
  private let termination: SocketTermination
  let standing: Mutex<Standing>

  /// The current state of the lab.
  struct Standing {
    /// The network of each path.
    var networks: [AccessNetwork?]
    var layout = DeviceLayout()
    /// The numbers of the networks whose uplink is cut.
    var cutUplinks: [UInt8] = []
    /// The packets that are dropped, with the index of their host.
    fileprivate var drops: [(host: Int, packets: DroppedPackets)] = []
    fileprivate var unreachable: [IPAddress] = []
    fileprivate var isClosed = false

    init(_ networks: [AccessNetwork?]) {
      self.networks = networks
    }
  }

  fileprivate enum DroppedPackets {
    /// The packets of a connection.
    case flow(RoutedFlow)
    /// All packets to the host except those of some connections.
    case newConnections(except: [RoutedFlow])
  }

  /// The initial settings of every namespace: no packet filters, and no unsolicited packets.
  ///
  /// A new namespace would inherit some of these settings from the host.
  static let quietSettings: [(setting: String, value: String)] = [
    ("ipv4/conf/all/rp_filter", "0"), ("ipv4/conf/default/rp_filter", "0"),
    ("ipv6/conf/all/disable_ipv6", "1"), ("ipv6/conf/default/disable_ipv6", "1"),
  ]

  /// Returns the initial settings for labs with or without IPv6.
  ///
  /// With IPv6, addresses are only assigned explicitly, become usable immediately, and remain when
  /// an interface goes down, as IPv4 addresses do.
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

  /// Creates a lab.
  ///
  /// The device starts in the state that the plan defines.
  ///
  /// - Parameters:
  ///   - plan: the paths and hosts.
  ///   - home: the namespace that serves as the device.
  ///   - seed: the seed that decides which frames are lost, if any are.
  /// - Throws: ``LinuxError`` with the call that failed, the reason, and a remedy.
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
      device, air: LinkEmulator(air, used, handshakes: endpoints.handshakes, seed: seed),
      farEnds: air,
      endpoints)
    try apply(plan.device)
  }

  deinit { _ = close() }

  // MARK: Addresses

  /// Returns the address at which the device calls the server of a host.
  ///
  /// If the host lists addresses, this is the first one that accepts.
  ///
  /// - Parameter host: the script index of the host.
  /// - Returns: the address and the port.
  public func address(of host: Int) -> LiveAddress { endpoints.first(of: host).text }

  /// Returns the addresses that a host lists, in order, whether a server responds there or not.
  public func ownAddresses(of host: Int) -> [LiveAddress] {
    endpoints.ownTargets(of: host).map(\.endpoint.text)
  }

  /// The network of each path, with the device's current addresses.
  var networks: [AccessNetwork?] { standing.withLock { $0.networks } }

  /// Returns the device's address on a path, or `nil` if the device never uses the path.
  public func deviceAddress(on path: PathIndex) -> IPAddress? {
    networks[Int(path.index)]?.deviceAddresses.first
  }

  /// Returns the device's addresses on a path, one per family, or an empty array if the device
  /// never uses the path.
  func deviceAddresses(on path: PathIndex) -> [IPAddress] {
    networks[Int(path.index)]?.deviceAddresses ?? []
  }

  /// Returns the device's addresses on its current network and on the networks that are kept alive.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - portals: the paths that lead to a captive portal and to no server.
  /// - Returns: the addresses.
  func liveAddresses(of device: Device, behind portals: PathSet = PathSet()) -> [IPAddress] {
    let networks = networks
    // While a VPN takes all traffic, no other network works.
    let only = device.path.flatMap { networks[Int($0.index)]?.takesAllTraffic == true ? $0 : nil }
    return networks.indices.flatMap { position -> [IPAddress] in
      let path = PathIndex(UInt8(position))
      guard device.pathsUp.contains(path), !portals.contains(path), only ?? path == path else {
        return []
      }
      return networks[position]?.deviceAddresses ?? []
    }
  }

  /// Returns the device's current route to an address, or `nil` if there is none.
  public func route(to address: IPAddress) throws(LinuxError) -> Route? {
    try kernel.controller.route(to: address)
  }

  // MARK: Network changes

  /// Moves the device to its new state: its path, its flags, and the paths that stay alive.
  ///
  /// During a change between two networks, the device always has a network. A change between two
  /// networks of the same kind shows only another gateway.
  public func apply(_ device: Device) throws(LinuxError) {
    try standing.withLock { standing throws(LinuxError) in
      let next = DeviceLayout(device, networks: standing.networks, after: standing.layout)
      for step in next.steps(from: standing.layout) { try kernel.apply(step, in: next) }
      standing.layout = next
    }
  }

  /// Sets the conditions of a medium.
  public func setConditions(_ conditions: LinkConditions, of medium: LivePlan.Medium) {
    kernel.air.setConditions(conditions, of: medium)
  }

  /// Makes the NAT forget all UDP mappings.
  func forgetDatagrams() { kernel.air.forgetDatagrams() }

  // MARK: Connections

  /// Returns the TCP connections between the device's paths and some hosts of the plan.
  ///
  /// A connection to an endpoint of several hosts is returned once, with the first of those that
  /// are selected.
  public func flows(to hosts: HostSelector) throws(LinuxError) -> [LiveFlow] {
    let networks = networks
    return try connections().compactMap { connection in
      guard let host = endpoints.host(at: connection.remote, among: hosts),
        let path = networks.firstIndex(where: {
          $0?.deviceAddresses.contains(connection.localAddress) == true
        })
      else { return nil }
      return LiveFlow(
        localPort: connection.localPort, host: host, path: PathIndex(UInt8(path)))
    }
  }

  /// Returns whether a flow is a connection of the device.
  ///
  /// Since the connection was opened, its network may have given the device a new address. Several
  /// hosts may have its remote endpoint.
  private func isFlow(_ flow: LiveFlow, _ connection: TCPConnection) -> Bool {
    flow.localPort == connection.localPort
      && networks[Int(flow.path.index)]?.contains(connection.localAddress) == true
      && endpoints.isEndpoint(connection.remote, of: flow.host)
  }

  /// Returns the TCP connections of the device.
  public func connections() throws(LinuxError) -> [TCPConnection] {
    try termination.connections()
  }

  /// Returns what the device has sent so far, as counted by its kernel.
  ///
  /// The counters include the loopback interface.
  public func traffic() throws(LinuxError) -> LiveTraffic {
    let counters = try device.counters()
    return LiveTraffic(
      attempts: counters["Tcp.ActiveOpens"] ?? 0, datagrams: counters["Udp.OutDatagrams"] ?? 0,
      retransmitted: counters["Tcp.RetransSegs"] ?? 0, resets: counters["Tcp.EstabResets"] ?? 0)
  }

  /// Ends connections of the device, as a platform does that reports them as no longer viable.
  ///
  /// - Returns: the number of ended connections.
  @discardableResult
  public func abort(
    where isSelected: (TCPConnection) -> Bool
  ) throws(LinuxError) -> Int {
    try termination.end(where: isSelected)
  }

  /// Ends the connections of the device that are among some flows, as a platform does.
  ///
  /// - Returns: the number of ended connections.
  @discardableResult
  public func abort(_ flows: [LiveFlow]) throws(LinuxError) -> Int {
    try abort { connection in flows.contains { isFlow($0, connection) } }
  }

  /// Returns the router's view of a connection, or `nil` if no router forwards its packets.
  func routedFlow(_ connection: TCPConnection) -> RoutedFlow? {
    // Behind a translating network, the packets are IPv4 packets.
    routers.first { $0.network.contains(connection.localAddress) }.map {
      RoutedFlow(
        network: $0.network.number, localPort: connection.localPort,
        server: connection.remote.untranslated)
    }
  }

  /// Returns the router's view of each flow that still exists.
  private func routed(
    _ flows: [LiveFlow]
  ) throws(LinuxError) -> [(host: Int, flow: RoutedFlow)] {
    let connections = try connections()
    return flows.compactMap { flow in
      connections.first { isFlow(flow, $0) }.flatMap(routedFlow).map { (flow.host, $0) }
    }
  }

  /// Drops the packets of connections at the routers in both directions from now on.
  public func drop(_ flows: [LiveFlow]) throws(LinuxError) {
    for (host, flow) in try routed(flows) { try drop(.flow(flow), of: host) }
  }

  /// Drops the packets to a host at the routers from now on, except those of some existing
  /// connections.
  public func dropNewConnections(to host: Int, except flows: [LiveFlow]) throws(LinuxError) {
    try drop(.newConnections(except: routed(flows).map(\.flow)), of: host)
  }

  /// Lets the packets from and to a host pass again.
  public func stopDropping(host: Int) throws(LinuxError) {
    try standing.withLock { standing throws(LinuxError) in
      for drop in standing.drops where drop.host == host { try set(drop.packets, of: host, false) }
      standing.drops.removeAll { $0.host == host }
    }
  }

  private func drop(_ packets: DroppedPackets, of host: Int) throws(LinuxError) {
    try standing.withLock { standing throws(LinuxError) in
      try set(packets, of: host, true)
      standing.drops.append((host, packets))
    }
  }

  private func set(
    _ packets: DroppedPackets, of host: Int, _ areDropped: Bool
  ) throws(LinuxError) {
    switch packets {
    case .flow(let flow): try setDropping(areDropped, flow)
    case .newConnections(let flows):
      try setDroppingNewConnections(areDropped, to: host, except: flows)
    }
  }

  /// Drops the packets of a connection at its router, or stops doing so.
  func setDropping(_ isDropping: Bool, _ flow: RoutedFlow) throws(LinuxError) {
    for router in routers where router.network.number == flow.network {
      try router.setDropping(isDropping, flow)
    }
  }

  /// Drops all packets from and to an address of a host in every router, or stops doing so.
  ///
  /// - Parameters:
  ///   - isReachable: whether the packets pass.
  ///   - position: the index of the address among those that the host lists.
  ///   - host: the script index of the host.
  /// - Returns: the number of open connections to the address.
  /// - Throws: ``LinuxError`` if a router rejects the change.
  func setReachable(
    _ isReachable: Bool, address position: Int, host: Int
  ) throws(LinuxError) -> Int {
    let address = endpoints.ownTargets(of: host)[position].endpoint.address
    try standing.withLock { standing throws(LinuxError) in
      guard standing.unreachable.contains(address) == isReachable else { return }
      for router in routers where router.carries(address) {
        try router.setDropping(!isReachable, server: address)
      }
      standing.unreachable.removeAll { $0 == address }
      if !isReachable { standing.unreachable.append(address) }
    }
    return try connections().count { $0.remoteAddress.untranslated == address }
  }

  /// Drops the packets to every address of a host in every router, except those of some
  /// connections, or stops doing so.
  ///
  /// If other hosts share an address, only packets to the host's port are dropped.
  private func setDroppingNewConnections(
    _ isDropping: Bool, to host: Int, except flows: [RoutedFlow]
  ) throws(LinuxError) {
    var targets: [Endpoint] = []
    for listed in endpoints.targets(of: host) {
      let address = listed.endpoint.address
      let isShared = endpoints.isShared(address, of: host)
      let target = Endpoint(address: address, port: isShared ? listed.endpoint.port : 0)
      guard !targets.contains(target) else { continue }
      targets.append(target)
      for router in routers where router.carries(address) {
        try router.setDroppingNewConnections(
          isDropping, to: address, port: isShared ? target.port : nil, except: flows)
      }
    }
  }

  // MARK: The end

  /// Takes the device off every network permanently.
  ///
  /// Later calls do nothing.
  ///
  /// The namespaces are removed when the last reference to the lab is released.
  ///
  /// - Returns: descriptions of everything that should have been closed earlier; empty if there is
  ///   nothing.
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
    // The rules would remain in the process's own namespace for its next lab.
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
        // The kernel removes interfaces slowly. With their namespace they are removed
        // automatically.
        case .ownNamespace: try kernel.controller.setLink(medium.interface, up: false)
        case .process: try kernel.controller.removeLink(medium.interface)
        }
      } catch {
        leaks.append(error.description)
      }
    }
    return leaks
  }

  /// Ends connections that no process has open any more.
  ///
  /// The data that was last written to them cannot arrive now. The kernel would retry for minutes,
  /// and each connection would keep its namespace alive.
  ///
  /// - Returns: descriptions of the errors.
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
