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
    for flow in try routedFlows() { try setDropping(true, flow) }
  }

  /// Returns the device's connections as routers distinguish them.
  func routedFlows() throws(LinuxError) -> Set<RoutedFlow> {
    Set(try connections().compactMap(routedFlow))
  }

  /// Returns the socket options of the connections that programs currently hold.
  ///
  /// Sockets that cannot be inspected are left out.
  func heldSockets() -> [HeldSocket] {
    let held = ((try? connections()) ?? []).filter(\.isHeld)
    let options = (try? KernelSocketOptions.find(held.map(\.inode), in: device)) ?? []
    return held.compactMap { connection in
      guard let ends = connection.ends else { return nil }
      return options.first { $0.inode == connection.inode }.map {
        HeldSocket(ends: ends, options: SocketOptions($0), unread: connection.unread)
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
      let ends = FlowEnds(
        local: FlowEnd(address: near, port: connection.remotePort),
        remote: FlowEnd(address: far, port: connection.localPort))
      return ServerBacklog(ends: ends, bytes: connection.unacknowledged)
    }
  }
}

extension TCPConnection {
  /// The addresses and ports of both ends.
  var ends: FlowEnds? {
    guard let near = HostAddress(localAddress.bytes), let far = HostAddress(remoteAddress.bytes)
    else { return nil }
    return FlowEnds(
      local: FlowEnd(address: near, port: localPort),
      remote: FlowEnd(address: far, port: remotePort))
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
