/// The loss model of a network: independent losses, or bursts with two states (Gilbert-Elliott).
///
/// The transition probabilities keep the configured loss rate. The caller provides the generator
/// and may draw other values from it.
package struct PacketLoss: Hashable, Sendable {
  /// Whether the last packet was lost in a burst that may continue.
  package private(set) var isInBurst = false

  /// Creates a model that has lost no packet yet.
  package init() {}

  /// Returns whether the next packet is lost.
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
  /// Returns whether an event with this frequency per million occurs; draws nothing if it is zero.
  package mutating func hits(perMillion count: UInt32) -> Bool {
    count > 0 && next(upToAndIncluding: 999_999) < UInt64(count)
  }
}
