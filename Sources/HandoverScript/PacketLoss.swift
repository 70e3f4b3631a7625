package import HandoverMachines

/// Which packets a network loses: each by itself, or in bursts, by two states of Gilbert and
/// Elliott.
///
/// The steps between the states keep the share of losses that is asked for. The generator is
/// somebody else's, who may draw other things from it.
package struct PacketLoss: Hashable, Sendable {
  /// Whether the last packet was lost in a burst that may go on.
  package private(set) var isInBurst = false

  /// A network that has lost nothing yet.
  package init() {}

  /// Whether the next packet is lost.
  package mutating func takesNext(
    of quality: LinkQuality, using generator: inout SeededGenerator
  ) -> Bool {
    let loss = UInt64(quality.lossPerMillion)
    guard let burst = quality.burst, loss < 1_000_000 else {
      return generator.hits(perMillion: quality.lossPerMillion)
    }
    let length = UInt64(max(1, burst))
    if isInBurst {
      isInBurst = generator.next(upToAndIncluding: length - 1) > 0
    } else if loss > 0 {
      isInBurst = generator.next(upToAndIncluding: length * (1_000_000 - loss) - 1) < loss
    }
    return isInBurst
  }
}

extension SeededGenerator {
  /// Whether something happens that happens so often in a million times; of none nothing is drawn.
  package mutating func hits(perMillion count: UInt32) -> Bool {
    count > 0 && next(upToAndIncluding: 999_999) < UInt64(count)
  }
}
