import HandoverCore

// State that only some networks have: paths with a quality, and connections that migrate.
extension WorldDigest {
  /// Adds the quality of paths and the data in transit on them.
  mutating func combineQuality(_ network: borrowing Network) {
    guard let air = network.air else { return }
    for path in air.paths where path.isShaped {
      combine(path.upCause, path.downCause)
      path.up.combine(into: &value)
      path.down.combine(into: &value)
    }
    for index in air.rows.indices {
      let id = ConnectionID(
        index: UInt32(truncatingIfNeeded: index), generation: air.rows[index].generation)
      guard network.links.knows(id), network.links.isAlive(id) else { continue }
      combine(air.rows[index].up, network) { digest, written in
        digest.combine(written.write, network)
        let isCurrent =
          written.write.call == .max || network.streams[written.write.call].call == written.call
        digest.value.combine(isCurrent)
      }
      combine(air.rows[index].down, network) { $0.combine($1, network) }
      value.combine(UInt64(index) << 1 | (air.rows[index].serverSideHasEnded ? 1 : 0))
    }
  }

  private mutating func combine<Thing>(
    _ stream: LinkStream<Thing>, _ network: borrowing Network,
    _ combine: (inout WorldDigest, Thing) -> Void
  ) {
    value.combine(notBefore: stream.lastArrival)
    value.combine(stream.longestPacket)
    for passage in stream.underWay.waiting { combine(&self, passage.thing) }
    value.combine(UInt64.max)
  }

  /// Adds the QUIC state of connections.
  ///
  /// The agenda covers their timeouts.
  mutating func combineQUIC(_ network: borrowing Network) {
    guard let quic = network.quic else { return }
    for id in quic.unreadNames + quic.unreadAccepts {
      value.combine(id.index)
      value.combine(network.links.isAlive(id))
    }
    value.combine(quic.unreadNames.count)
    for index in quic.rows.indices {
      let id = ConnectionID(
        index: UInt32(truncatingIfNeeded: index), generation: quic[index].generation)
      guard network.links.knows(id), network.links.isAlive(id) else { continue }
      value.combine(index)
      quic[index].combine(into: &value)
    }
  }
}
