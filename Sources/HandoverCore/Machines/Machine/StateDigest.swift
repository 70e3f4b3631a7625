/// A 128-bit digest of a state, the same in every process.
///
/// Two states with equal digests behave identically from then on. The input is canonical. Times are
/// relative to the present, and counters are left out if only their order matters. Objects that no
/// longer exist leave nothing but the order of the free rows. A digest is not cryptographic:
/// collisions can be constructed.
@frozen
@usableFromInline
package struct StateDigest: Hashable, Sendable {
  // All functions are inlinable, because the digest of a world combines hundreds of words.

  /// The two halves.
  @usableFromInline package var high: UInt64 = 0x243F_6A88_85A3_08D3
  @usableFromInline package var low: UInt64 = 0x1319_8A2E_0370_7344
  /// The instant to which times are relative.
  @usableFromInline package let now: Instant

  /// Creates the digest of nothing.
  @inlinable
  package init(at now: Instant) {
    self.now = now
  }

  /// Combines a word.
  @inlinable
  package mutating func combine(_ word: UInt64) {
    low = Self.folded(low ^ word, 0x9E37_79B9_7F4A_7C15) &+ word
    high = Self.folded(high ^ (word << 32 | word >> 32), 0xD6E8_FEB8_6659_FD93) &+ low
  }

  @inlinable
  package static func folded(_ word: UInt64, _ factor: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  /// Combines a number.
  @inlinable
  package mutating func combine(_ number: some BinaryInteger) {
    combine(UInt64(truncatingIfNeeded: number))
  }

  @inlinable
  package mutating func combine(_ flag: Bool) {
    combine(flag ? 1 : 0 as UInt64)
  }

  /// Combines an instant relative to `now`; `never` stays unchanged.
  @inlinable
  package mutating func combine(_ instant: Instant) {
    combine(
      instant == .never
        ? .max : UInt64(bitPattern: instant.microseconds &- now.microseconds))
  }

  /// Combines the earliest time of an event; all times in the past are equal.
  @inlinable
  package mutating func combine(notBefore instant: Instant) {
    combine(instant <= now ? now : instant)
  }

  @inlinable
  package mutating func combine(_ interval: Interval) {
    combine(interval.microseconds)
  }

  package mutating func combine(_ text: String) {
    combine(text.utf8.count)
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      combine(word)
      (word, shift) = (0, 0)
    }
    combine(word)
  }

  /// Whether two digests belong to states that behave identically, at whatever time.
  @inlinable
  package static func == (left: StateDigest, right: StateDigest) -> Bool {
    left.low == right.low && left.high == right.high
  }

  /// Hashes the digest without `now`.
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  // MARK: Values of any type

  /// Combines a value of any type by reflection, which is far slower than naming its parts.
  ///
  /// Instants are relative to `now`. The elements of sets and dictionaries are combined without an
  /// order. The content of a mutex is not included.
  package mutating func combine(reflecting value: Any) {
    if let instant = value as? Instant { return combine(instant) }
    if let number = value as? any BinaryInteger { return combine(number) }
    if let flag = value as? Bool { return combine(flag) }
    if let text = value as? String { return combine(text) }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children
    combine(children.count)
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary {
      combine(unordered: children)
    } else if mirror.displayStyle == .enum, children.isEmpty {
      combine(String(describing: value))
    } else {
      for child in children {
        combine(child.label ?? "")
        combine(reflecting: child.value)
      }
      // The properties that a class inherits are part of it.
      for child in mirror.superclassMirror?.children ?? Mirror.Children([]) {
        combine(reflecting: child.value)
      }
    }
  }

  private mutating func combine(unordered children: Mirror.Children) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for child in children {
      var part = StateDigest(at: now)
      part.combine(reflecting: child.value)
      high &+= part.high
      low &+= part.low
    }
    combine(high)
    combine(low)
  }

  /// The digest as 32 hexadecimal digits.
  package var text: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
