import HandoverCore
import Testing

@testable import HandoverMachines

@Suite("State digests")
struct StateDigestTests {
  private class Base {
    var inherited = 1
  }

  private final class Derived: Base {
    var own = 2
  }

  private static func digest(_ value: Any, at now: Instant = .zero) -> StateDigest {
    var digest = StateDigest(at: now)
    digest.combine(reflecting: value)
    return digest
  }

  @Test("of sets and dictionaries have no order")
  func unordered() {
    let numbers = Array(0..<100)
    var (one, other) = (Set<Int>(minimumCapacity: 1_000), Set<Int>())
    for number in numbers { one.insert(number) }
    for number in numbers.reversed() { other.insert(number) }
    #expect(Self.digest(one) == Self.digest(other))
    #expect(Self.digest(one) != Self.digest(one.subtracting([42])))
    #expect(Self.digest(one) != Self.digest(one.subtracting([42]).union([142])))
  }

  @Test("take in what a class inherits")
  func classes() {
    let (one, other) = (Derived(), Derived())
    #expect(Self.digest(one) == Self.digest(other))
    other.inherited = 3
    #expect(Self.digest(one) != Self.digest(other))
  }

  @Test("count instants from now")
  func instants() {
    let (early, late) = (Instant.seconds(3), Instant.seconds(13))
    #expect(Self.digest([early]) == Self.digest([late], at: .seconds(10)))
    #expect(Self.digest([early]) != Self.digest([late]))
  }
}
