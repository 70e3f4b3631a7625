import HandoverCore
import HandoverLinux
import HandoverTry

extension DeviceLab {
  /// Lets the servers have every address there is, but for the device's networks.
  func answerEverywhere() throws(LinuxError) {
    let controller = try NetworkController(in: servers)
    for family in IPAddress.Family.allCases {
      try controller.addRoute(.init(to: .everything(family), .local, by: "lo"))
    }
    // Who is asked at an address of IPv6 answers from it.
    try servers.set("ipv6/ip_nonlocal_bind", to: "1")
    kernel.air.answerFromAskedAddresses()
    // The device reports each datagram that no socket of it accepts.
    try device.set([("ipv4/icmp_ratelimit", "0"), ("ipv6/icmp/ratelimit", "0")])
  }

  /// Whether an address belongs to an access network: those of devices do, and nobody else's.
  static func isOfDevice(_ address: IPAddress) -> Bool { AccessNetwork.has(address) }

  /// Lets the packets of every connection of the device that is there now vanish, for good, and
  /// datagrams to it until it has sent some itself.
  func forgetConnections() throws(LinuxError) {
    forgetDatagrams()
    for connection in try connections() where Self.isOfDevice(connection.localAddress) {
      try drop(true, connection)
    }
  }

  /// Lets the packets of a connection vanish in every router, or no more.
  func drop(_ areDropped: Bool, _ connection: TCPConnection) throws(LinuxError) {
    for router in routers {
      try router.drop(
        areDropped, localPort: connection.localPort, server: connection.remoteAddress)
    }
  }

  /// Cuts every router off from the servers, or no more.
  func cutUplinks(_ isCut: Bool) throws(LinuxError) {
    for router in routers { try router.cutUplink(isCut) }
  }

  /// What was asked of the kernel for the connections that somebody holds now.
  ///
  /// What cannot be looked at is left out.
  func heldSockets() -> [HeldSocket] {
    let held = ((try? connections()) ?? []).filter(\.isHeld)
    let options = (try? KernelSocketOptions.find(held.map(\.inode), in: device)) ?? []
    return held.compactMap { connection in
      options.first { $0.inode == connection.inode }.map {
        HeldSocket(
          port: connection.localPort, options: SocketOptions($0), unread: connection.unread)
      }
    }
  }

  /// What servers have written to the device that it has not acknowledged now.
  ///
  /// If the table of sockets cannot be read, nothing is known of it.
  func serverBacklogs() -> [ServerBacklog] {
    let connections = (try? SocketTermination(in: servers).connections()) ?? []
    return connections.compactMap { connection in
      guard connection.unacknowledged > 0, Self.isOfDevice(connection.remoteAddress) else {
        return nil
      }
      var (device, server) = (connection.remoteAddress, connection.localAddress)
      // The device has an address of IPv6 if its network translates.
      if let network = networks.compactMap(\.self).first(where: { $0.prefix.contains(device) }),
        network.translates
      {
        device = network.address6(like: device)
        server = server.translated
      }
      guard let near = HostAddress(device.bytes), let far = HostAddress(server.bytes) else {
        return nil
      }
      return ServerBacklog(
        device: FlowEnd(address: near, port: connection.remotePort),
        server: FlowEnd(address: far, port: connection.localPort),
        bytes: connection.unacknowledged)
    }
  }
}

extension SocketOptions {
  fileprivate init(_ kernel: KernelSocketOptions) {
    self.init(
      userTimeout: .milliseconds(Int64(kernel.userTimeout)),
      keepalive: kernel.isKeptAlive
        ? Keepalive(
          idle: .seconds(Int64(kernel.keepaliveIdle)),
          interval: .seconds(Int64(kernel.keepaliveInterval)), count: Int(kernel.keepaliveCount))
        : nil)
  }
}
