public import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

// Changes of a lab's networks, in addition to the device's network changes.
extension DeviceLab {
  private func router(of path: PathIndex) -> Router? {
    let network = networks[Int(path.index)]
    return routers.first { $0.network.number == network?.number }
  }

  private func change(_ path: PathIndex, _ body: @Sendable (inout EmulatedLink) -> Void) {
    guard let network = networks[Int(path.index)] else { return }
    kernel.air.change(network, body)
  }

  /// Executes a command of the device's timeline.
  public func perform(_ command: NetworkCommand) throws(LinuxError) {
    switch command {
    case .restore, .end(_, .silent): break
    case .end(let path, .reset): try resetConnections(of: path)
    case .obstruct(let path, let obstacle): try set(obstacle, isPresent: true, of: path)
    case .clear(let path, let obstacle): try set(obstacle, isPresent: false, of: path)
    case .translate(let path, let change, let unknown):
      translate(change, unknown: unknown, on: path)
    case .renewAddresses(let paths):
      for index in networks.indices where paths.contains(PathIndex(UInt8(clamping: index))) {
        try renewAddress(on: PathIndex(UInt8(clamping: index)))
      }
    case .setRadio(let isOn): kernel.air.setRadio(isOn: isOn)
    }
  }

  private func set(
    _ obstacle: NetworkObstacle, isPresent: Bool, of path: PathIndex
  ) throws(LinuxError) {
    switch obstacle {
    case .portal: change(path) { $0.box.hasPortal = isPresent }
    case .uplinkDown: try setUplink(!isPresent, of: path)
    case .requestsLost: change(path) { $0.set(.requests, isLost: isPresent) }
    case .answersLost: change(path) { $0.set(.answers, isLost: isPresent) }
    // The layout of the device's networks blocks the others.
    case .takenOver: break
    }
  }

  /// Sets the quality of a path's network, in the directions of the quality.
  public func setQuality(_ quality: LinkQuality, of path: PathIndex) {
    change(path) { $0.set(quality, at: monotonicMicroseconds()) }
  }

  /// Makes the router of a path lose the state of its flows, or change their endpoints.
  public func translate(_ flows: NATChange, unknown: UnknownFlows, on path: PathIndex) {
    change(path) { $0.translate(flows, unknown) }
  }

  /// Connects or cuts the uplink of a path's router.
  public func setUplink(_ isConnected: Bool, of path: PathIndex) throws(LinuxError) {
    guard let router = router(of: path) else { return }
    let isNews = standing.withLock { standing in
      let isCut = standing.cutUplinks.contains(router.network.number)
      if isCut == !isConnected { return false }
      if isConnected {
        standing.cutUplinks.removeAll { $0 == router.network.number }
      } else {
        standing.cutUplinks.append(router.network.number)
      }
      return true
    }
    guard isNews else { return }
    try router.cutUplink(!isConnected)
    // The device may have got a new address while the uplink was cut.
    if isConnected, let network = networks[Int(path.index)] { try router.setTranslated(network) }
  }

  /// Gives the device a new address on a path.
  ///
  /// Connections with the old address are lost.
  public func renewAddress(on path: PathIndex) throws(LinuxError) {
    try standing.withLock { standing throws(LinuxError) in
      guard let old = standing.networks[Int(path.index)] else { return }
      var new = old
      new.lease = (old.lease + 1) % AccessNetwork.leaseCount
      let layout = standing.layout
      let next = layout.replacing(old, by: new)
      if layout[old.medium].addresses.contains(old) {
        try kernel.apply(.addAddress(new), in: next)
        if layout.kept.contains(old) {
          let isRestricted = layout.restricted.contains(old)
          if isRestricted { try kernel.apply(.restrict(old, false), in: next) }
          try kernel.apply(.release(old), in: next)
          try kernel.apply(.keep(new), in: next)
          if isRestricted { try kernel.apply(.restrict(new, true), in: next) }
        }
        if layout.defaultNetwork == old { try kernel.apply(.setDefault(new), in: next) }
        for detour in next.detours where detour.network == new {
          try kernel.apply(.setDetour(detour), in: next)
        }
        try kernel.apply(.removeAddress(old), in: next)
      }
      // While its uplink is cut, the router rejects a route by the device, which it cannot reach.
      // It gets the route when the uplink returns.
      let isCut = standing.cutUplinks.contains(new.number)
      for router in routers where router.network.number == new.number && !isCut {
        try router.setTranslated(new)
      }
      standing.networks[Int(path.index)] = new
      standing.layout = next
    }
  }

  /// Makes the servers reset every connection that reaches them through a path's network.
  ///
  /// - Returns: the number of connections.
  @discardableResult
  func resetConnections(of path: PathIndex) throws(LinuxError) -> Int {
    guard let network = networks[Int(path.index)] else { return 0 }
    let addresses = network.deviceAddresses
    // The router may have translated the device's address into another one of its network.
    let ended = try SocketTermination(in: servers).end { network.contains($0.remoteAddress) }
    // The resets are in transit, and would be lost if the network went down before they arrive.
    let deadline = monotonicMicroseconds() + Self.longestReset
    let never = try WakeupPipe()
    while monotonicMicroseconds() < deadline,
      try connections().contains(where: { $0.isHeld && addresses.contains($0.localAddress) })
    {
      _ = try waitReadable([never.descriptor], atMost: 1_000)
    }
    return ended
  }

  /// The maximum time in microseconds that a reset may be in transit.
  ///
  /// The limit is reached if the network loses the reset. It is far below the tolerance for late
  /// entries, and far above the time that a busy machine needs to deliver a packet.
  private static let longestReset: Int64 = 500_000

  // MARK: The middlebox in front of the servers

  /// Makes the middlebox track connections, so that faults can apply to them.
  func watchConnections() {
    kernel.air.changeAll {
      $0.box.watches = true
      $0.box.datagrams.watch()
      return []
    }
  }

  /// Ends the server's sending direction on every existing connection, regardless of the server.
  ///
  /// - Returns: the number of connections.
  @discardableResult
  func endConnections() -> Int {
    var count = 0
    kernel.air.changeAll {
      let frames = $0.box.end()
      count += frames.count
      return frames
    }
    return count
  }

  /// Acknowledges and discards all data on existing connections, and on future connections if `all`
  /// is set.
  ///
  /// - Returns: the number of existing connections.
  @discardableResult
  func swallowConnections(all: Bool) -> Int {
    var count = 0
    kernel.air.changeAll {
      count += $0.box.swallow()
      if all {
        $0.box.swallowsAll = true
        _ = $0.box.datagrams.treat(.silenced)
        $0.box.datagrams.treatNewFlows(.silenced)
      }
      return []
    }
    return count
  }

  /// Starts to track UDP flows, so that faults can apply to them.
  func watchDatagrams() {
    kernel.air.changeAll {
      $0.box.datagrams.watch()
      return []
    }
  }

  /// Applies a transport fault to all UDP flows, or to those to a host.
  ///
  /// Some faults have no effect on UDP, because a flow has no end that could be reported and no
  /// socket that the kernel could close.
  ///
  /// - Returns: the number of affected flows, or `nil` if only later datagrams are affected.
  @discardableResult
  func applyFaultToDatagrams(_ fault: ConnectionFault, to host: Int? = nil) -> Int? {
    var addresses: [[UInt8]?] = [nil]
    if let host { addresses = endpoints.addressesForDevice(of: host).map(\.bytes) }
    var count: Int? = 0
    kernel.air.changeAll { network in
      for address in addresses {
        switch fault {
        // No middlebox can acknowledge a datagram.
        case .stall, .stallAcked: count? += network.box.datagrams.treat(.silenced, to: address)
        case .reset: count? += network.box.datagrams.treat(.refused, to: address)
        case .blackholeConnect:
          network.box.datagrams.treatNewFlows(.silenced, to: address)
          count = nil
        case .resume:
          network.box.datagrams.resume(to: address)
          count = nil
        case .fin, .halfClose, .kill: break
        }
      }
      return []
    }
    return count
  }

  /// Refuses new connections, regardless of the server.
  func refuseConnections() {
    kernel.air.changeAll {
      $0.box.refusesNew = true
      $0.box.datagrams.treatNewFlows(.refused)
      return []
    }
  }

  /// Accepts new connections again.
  func serveConnections() {
    kernel.air.changeAll {
      $0.box.swallowsAll = false
      $0.box.refusesNew = false
      // TCP data that was discarded is lost for its connections, but a UDP flow simply continues.
      $0.box.datagrams.resume()
      return []
    }
  }
}
