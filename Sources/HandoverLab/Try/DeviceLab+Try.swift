import HandoverCore
import HandoverLinux
import HandoverTry

extension DeviceLab {
  /// Gives the servers every address except those of the device's networks.
  func answerEverywhere() throws(LinuxError) {
    let controller = try NetworkController(in: servers)
    for family in IPAddress.Family.allCases {
      try controller.addRoute(.init(to: .allAddresses(of: family), .local, by: "lo"))
    }
    // A server responds from the IPv6 address to which the request was sent.
    try servers.set("ipv6/ip_nonlocal_bind", to: "1")
    kernel.air.answerFromQueriedAddresses()
    // The device sends an error for each datagram that no socket accepts.
    try device.set([("ipv4/icmp_ratelimit", "0"), ("ipv6/icmp/ratelimit", "0")])
  }

  /// Returns whether an address belongs to an access network, which only the device uses.
  static func isDeviceAddress(_ address: IPAddress) -> Bool { AccessNetwork.has(address) }

  /// Permanently drops the packets of every existing connection of the device.
  ///
  /// Datagrams to the device are dropped until it has sent a datagram itself.
  func forgetConnections() throws(LinuxError) {
    forgetDatagrams()
    for connection in try connections() where Self.isDeviceAddress(connection.localAddress) {
      try setDropping(true, connection)
    }
  }

  /// Drops the packets of a connection in every router, or stops doing so.
  func setDropping(_ isDropping: Bool, _ connection: TCPConnection) throws(LinuxError) {
    for router in routers {
      try router.setDropping(
        isDropping, localPort: connection.localPort, server: connection.remoteAddress)
    }
  }

  /// Cuts every router off from the servers, or reconnects it.
  func cutUplinks(_ isCut: Bool) throws(LinuxError) {
    for router in routers { try router.cutUplink(isCut) }
  }

  /// Returns the socket options of the connections that programs currently hold.
  ///
  /// Sockets that cannot be inspected are left out.
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

  /// Returns the data that servers have written and the device has not acknowledged.
  ///
  /// The result is empty if the table of sockets cannot be read.
  func serverBacklogs() -> [ServerBacklog] {
    let connections = (try? SocketTermination(in: servers).connections()) ?? []
    return connections.compactMap { connection in
      guard connection.unacknowledged > 0, Self.isDeviceAddress(connection.remoteAddress) else {
        return nil
      }
      var (device, server) = (connection.remoteAddress, connection.localAddress)
      // If its network translates, the device uses an IPv6 address.
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
