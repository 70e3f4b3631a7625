public import HandoverMachines

// Where a script has networks, its entries move the device with these. What lives beside the
// default network is kept alive, which is what `links` says by hand.
extension Device {
  /// The networks that are up, the default one among them.
  package var pathsUp: PathSet { keptAlive.union(path.map { PathSet($0) } ?? []) }

  /// A network is there from now on.
  public mutating func bringUp(_ network: PathIndex) -> Move {
    let old = self
    if path != network { keptAlive.insert(PathSet(network)) }
    return move(from: old)
  }

  /// A network is gone; where it was the default one, the device has none.
  public mutating func takeDown(_ network: PathIndex) -> Move {
    let old = self
    keptAlive.remove(PathSet(network))
    if path == network {
      path = nil
      flags = []
    }
    return move(from: old)
  }

  /// New connections go over a network from now on; the one before it stays up.
  ///
  /// - Parameters:
  ///   - network: the network.
  ///   - flags: what the platform reports where it is the default one.
  /// - Returns: the move, which leaves the network before it alive.
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
  /// The flags of the callback that a client of every network gets when a network changed: its own
  /// when it came up, none when it went down.
  ///
  /// - Parameters:
  ///   - path: the network that changed.
  ///   - before: the device before the change.
  ///   - after: the device after the change.
  /// - Returns: the flags; nil when the network was up before and after, as one whose linger is
  ///   cancelled.
  package func callback(
    of path: PathIndex, before: Device, after: Device
  ) -> ReachabilityFlags? {
    let isUp = after.pathsUp.contains(path)
    guard isUp != before.pathsUp.contains(path) else { return nil }
    return isUp ? network(of: path)?.flags ?? [] : []
  }
}

extension PathSet {
  /// The paths one by one, in their order.
  package var paths: [PathIndex] {
    (0..<UInt8(RawValue.bitWidth)).map { PathIndex($0) }.filter { contains($0) }
  }
}
