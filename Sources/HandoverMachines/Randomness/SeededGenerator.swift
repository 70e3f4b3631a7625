/// A small generator of random numbers whose sequence is fixed for ever by its seed (SplitMix64).
///
/// The standard library promises no stable algorithm behind its own drawing functions; here one
/// seed means one run, in every version and on every platform.
@frozen
public struct SeededGenerator: Hashable, Sendable {
  @usableFromInline package internal(set) var state: UInt64

  /// Makes a generator; equal seeds give equal sequences.
  @inlinable
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from zero to `bound`, both included, each equally likely.
  @inlinable
  public mutating func next(upToAndIncluding bound: UInt64) -> UInt64 {
    guard bound < .max else { return next() }
    let range = bound + 1
    // Values below the threshold would make the low numbers likelier; they are drawn again.
    let threshold = (0 &- range) % range
    while true {
      let product = next().multipliedFullWidth(by: range)
      if product.low >= threshold { return product.high }
    }
  }

  /// Another generator for an independent part of the run, decided by this one's seed and `label`.
  ///
  /// - Parameter label: what the part is, the same number for the same part in every run.
  /// - Returns: a generator whose draws do not move this one.
  @inlinable
  public func forked(label: UInt64) -> SeededGenerator {
    var child = SeededGenerator(seed: state ^ (label &* 0xD1B5_4A32_D192_ED03))
    _ = child.next()
    return child
  }
}
