public import HandoverBackend
public import HandoverCore
public import HandoverLinux
import Synchronization

// What can become of a lab's networks beside the device's moves.
extension DeviceLab {
  private func router(of path: PathIndex) -> Router? {
    let network = networks[Int(path.index)]
    return routers.first { $0.network.number == network?.number }
  }

  private func change(_ path: PathIndex, _ body: @Sendable (inout NetworkAir) -> Void) {
    guard let network = networks[Int(path.index)] else { return }
    kernel.air.change(network, body)
  }

  /// Lets something become of a network; of the device's moves what is not ``place(_:)``'s.
  public func perform(_ deed: NetworkDeed) throws(LinuxError) {
    switch deed {
    case .up, .makeDefault: break
    case .down(let path, let ending): if ending == .reset { try resetConnections(of: path) }
    case .portal(let path, let isThere): setPortal(isThere, of: path)
    case .translate(let path, let word, let unknown): translate(word, unknown: unknown, on: path)
    case .roam(let path, .newRouter, let unknown): translate(.forget, unknown: unknown, on: path)
    case .roam(let path, .newAddress, _): try renewAddress(on: path)
    // The air hands frames over to the same router all the time.
    case .roam(_, .sameAddress, _): break
    case .uplink(let path, let isUp): try setUplink(isUp, of: path)
    case .loss(let path, let word): setLoss(word, of: path)
    case .quality(let path, let quality): setQuality(quality, of: path)
    }
  }

  /// Sets how good the network of a path is, in the directions that are meant.
  public func setQuality(_ quality: LinkQuality, of path: PathIndex) {
    change(path) { $0.set(quality, at: monotonicMicroseconds()) }
  }

  /// Lets the router of a path forget the flows that it knows, or give them other ends.
  public func translate(_ word: NATWord, unknown: UnknownFlows, on path: PathIndex) {
    change(path) { $0.translate(word, unknown) }
  }

  /// Lets what goes in one direction over a path be lost.
  public func setLoss(_ word: LossWord, of path: PathIndex) {
    change(path) { $0.loss = word }
  }

  /// Lets a portal stand before everything that is behind a path, or no more.
  public func setPortal(_ isThere: Bool, of path: PathIndex) {
    change(path) { $0.box.hasPortal = isThere }
  }

  /// Lets what is behind the router of a path be there, or gone.
  public func setUplink(_ isThere: Bool, of path: PathIndex) throws(LinuxError) {
    guard let router = router(of: path) else { return }
    let isNews = standing.withLock { standing in
      let isCut = standing.cutUplinks.contains(router.network.number)
      if isCut == !isThere { return false }
      if isThere {
        standing.cutUplinks.removeAll { $0 == router.network.number }
      } else {
        standing.cutUplinks.append(router.network.number)
      }
      return true
    }
    guard isNews else { return }
    try router.cutUplink(!isThere)
    // Meanwhile the device may have got another address.
    if isThere, let network = networks[Int(path.index)] { try router.setTranslated(network) }
  }

  /// Turns the device's radio on or off; its interfaces stay as they are.
  public func setRadio(isOn: Bool) { kernel.air.setRadio(isOn: isOn) }

  /// Gives the device another address on a path; what it had there is lost.
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
      // A router without an uplink refuses routes by what it does not reach; it gets it later.
      let isCut = standing.cutUplinks.contains(new.number)
      for router in routers where router.network.number == new.number && !isCut {
        try router.setTranslated(new)
      }
      standing.networks[Int(path.index)] = new
      standing.layout = next
    }
  }

  /// Lets every connection of the device with a path's address be reset by the far end.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func resetConnections(of path: PathIndex) throws(LinuxError) -> Int {
    let addresses = deviceAddresses(on: path)
    let ended = try SocketTermination(in: servers).end { addresses.contains($0.remoteAddress) }
    // What resets them is under way, and is lost where the network goes before it is there.
    let deadline = monotonicMicroseconds() + Self.longestReset
    let never = try Wakening()
    while monotonicMicroseconds() < deadline,
      try connections().contains(where: { $0.isHeld && addresses.contains($0.localAddress) })
    {
      _ = try waitReadable([never.descriptor], atMost: 1_000)
    }
    return ended
  }

  /// How long a reset may be under way, in microseconds.
  ///
  /// The limit is reached if the network loses the reset. It is far below the tolerance for late
  /// entries, and far above what a busy machine needs to deliver a packet.
  private static let longestReset: Int64 = 500_000

  // MARK: Who stands in front of the servers

  /// Lets whoever stands in front of the servers watch the connections that go through it, so that
  /// it can act on them.
  func watchConnections() {
    kernel.air.changeAll {
      $0.box.watches = true
      $0.box.datagrams.watch()
      return []
    }
  }

  /// Ends the far end's sending on every connection that is there, whoever the server is.
  ///
  /// - Returns: how many there are.
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

  /// Acknowledges what comes on the connections that are there, and throws it away; of those that
  /// come later only where `all` is set.
  ///
  /// - Returns: how many of those that are there.
  @discardableResult
  func swallowConnections(all: Bool) -> Int {
    var count = 0
    kernel.air.changeAll {
      count += $0.box.swallow()
      if all {
        $0.box.swallowsAll = true
        _ = $0.box.datagrams.treat(.silenced)
        $0.box.datagrams.treatNewOnes(.silenced)
      }
      return []
    }
    return count
  }

  /// Lets flows of UDP be met by faults from now on.
  func watchDatagrams() {
    kernel.air.changeAll {
      $0.box.datagrams.watch()
      return []
    }
  }

  /// Lets a fault of transports meet the flows of UDP, or those to an address; those have no end
  /// that could be told of, and no socket that the kernel would take away.
  ///
  /// - Returns: how many it met; nil where only what comes later shows it.
  @discardableResult
  func treatDatagrams(_ word: TransportWord, to address: IPAddress? = nil) -> Int? {
    var count: Int? = 0
    kernel.air.changeAll { network in
      switch word {
      // Nobody on the way can acknowledge a datagram.
      case .stall, .stallAcked:
        count? += network.box.datagrams.treat(.silenced, to: address?.bytes)
      case .reset: count? += network.box.datagrams.treat(.refused, to: address?.bytes)
      case .blackholeConnect:
        network.box.datagrams.treatNewOnes(.silenced, to: address?.bytes)
        count = nil
      case .resume:
        network.box.datagrams.resume(to: address?.bytes)
        count = nil
      case .fin, .halfClose, .kill: break
      }
      return []
    }
    return count
  }

  /// Refuses new connections, whoever would take them.
  func refuseConnections() {
    kernel.air.changeAll {
      $0.box.refusesNew = true
      $0.box.datagrams.treatNewOnes(.refused)
      return []
    }
  }

  /// Lets new connections be served.
  func serveConnections() {
    kernel.air.changeAll {
      $0.box.swallowsAll = false
      $0.box.refusesNew = false
      // What was swallowed of TCP is lost for its connections; a flow of UDP just goes on.
      $0.box.datagrams.resume()
      return []
    }
  }
}
