// If a script has networks, its entries change the device with these methods. Networks that are up
// but not the default are kept alive, as the key `links` does explicitly.
extension Device {
  /// The networks that are up, including the default network.
  package var pathsUp: PathSet { keptAlive.union(path.map { PathSet($0) } ?? []) }

  /// Brings a network up.
  public mutating func bringUp(_ network: PathIndex) -> Move {
    let old = self
    if path != network { keptAlive.insert(PathSet(network)) }
    return move(from: old)
  }

  /// Takes a network down; if it was the default network, the device has no default network.
  public mutating func takeDown(_ network: PathIndex) -> Move {
    let old = self
    keptAlive.remove(PathSet(network))
    if path == network {
      path = nil
      flags = []
    }
    return move(from: old)
  }

  /// Makes a network the default for new connections; the previous one stays up.
  ///
  /// - Parameters:
  ///   - network: the network.
  ///   - flags: the flags that the OS reports while the network is the default one.
  /// - Returns: the network change, which keeps the previous network alive.
  public mutating func makeDefault(_ network: PathIndex, _ flags: ReachabilityFlags) -> Move {
    let old = self
    if let path { keptAlive.insert(PathSet(path)) }
    path = network
    keptAlive.remove(PathSet(network))
    self.flags = flags
    return move(from: old)
  }
}

extension Script {
  /// Returns the flags of the callback after a network changed, for a client that watches every
  /// network.
  ///
  /// The flags are those of the network if it came up, and empty if it went down.
  ///
  /// - Parameters:
  ///   - path: the network that changed.
  ///   - before: the device before the change.
  ///   - after: the device after the change.
  /// - Returns: the flags, or `nil` if the network was up before and after, for example if its
  ///   linger was canceled.
  package func callback(
    of path: PathIndex, before: Device, after: Device
  ) -> ReachabilityFlags? {
    let isUp = after.pathsUp.contains(path)
    guard isUp != before.pathsUp.contains(path) else { return nil }
    return isUp ? network(of: path)?.flags ?? [] : []
  }
}

extension PathSet {
  /// The paths in ascending order.
  package var paths: [PathIndex] {
    (0..<UInt8(RawValue.bitWidth)).map { PathIndex($0) }.filter { contains($0) }
  }
}
