/// A small random number generator whose sequence depends only on its seed (SplitMix64).
///
/// The standard library does not guarantee a stable algorithm for its random functions. With this
/// generator, a seed produces the same run in every version and on every platform.
@frozen
public struct SeededGenerator: Hashable, Sendable {
  @usableFromInline package internal(set) var state: UInt64

  /// Creates a generator; equal seeds produce equal sequences.
  @inlinable
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 random bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a uniformly distributed number from zero to `bound`, inclusive.
  @inlinable
  public mutating func next(upToAndIncluding bound: UInt64) -> UInt64 {
    guard bound < .max else { return next() }
    let range = bound + 1
    // Values below the threshold would make low numbers more likely, and are rejected.
    let threshold = (0 &- range) % range
    while true {
      let product = next().multipliedFullWidth(by: range)
      if product.low >= threshold { return product.high }
    }
  }

  /// Returns an independent generator for a part of the run, derived from the state and `label`.
  ///
  /// - Parameter label: The number of the part, the same in every run.
  /// - Returns: A generator whose use does not affect this one.
  @inlinable
  public func forked(label: UInt64) -> SeededGenerator {
    var child = SeededGenerator(seed: state ^ (label &* 0xD1B5_4A32_D192_ED03))
    _ = child.next()
    return child
  }
}
