import Testing

@testable import HandoverCore

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

  @Test("Digests of sets and dictionaries do not depend on order")
  func unordered() {
    let numbers = Array(0..<100)
    var (one, other) = (Set<Int>(minimumCapacity: 1_000), Set<Int>())
    for number in numbers { one.insert(number) }
    for number in numbers.reversed() { other.insert(number) }
    #expect(Self.digest(one) == Self.digest(other))
    #expect(Self.digest(one) != Self.digest(one.subtracting([42])))
    #expect(Self.digest(one) != Self.digest(one.subtracting([42]).union([142])))
  }

  @Test("A digest includes what a class inherits")
  func classes() {
    let (one, other) = (Derived(), Derived())
    #expect(Self.digest(one) == Self.digest(other))
    other.inherited = 3
    #expect(Self.digest(one) != Self.digest(other))
  }

  @Test("Instants are counted from now")
  func instants() {
    let (early, late) = (Instant.seconds(3), Instant.seconds(13))
    #expect(Self.digest([early]) == Self.digest([late], at: .seconds(10)))
    #expect(Self.digest([early]) != Self.digest([late]))
  }
  @Test("A digest distinguishes the order of two deadlines of different kinds at one instant")
  func ties() {
    // The call timeout equals the duration of the attempt. The first attempt is armed either before
    // or after the second call.
    func rig(attemptFirst: Bool) -> Rig {
      var settings = CallSettings(deadline: .seconds(20))
      settings.awaitsToken = true
      var rig = Rig()
      rig.start(on: 0, settings)
      if attemptFirst { rig.send(.tokenArrived(call(0))) }
      rig.start(on: 1, settings)
      if !attemptFirst { rig.send(.tokenArrived(call(0))) }
      rig.send(.tokenArrived(call(1)))
      return rig
    }
    var (one, other) = (rig(attemptFirst: true), rig(attemptFirst: false))
    let digests = [one, other].map { rig in
      var digest = StateDigest(at: rig.now)
      rig.core.combine(into: &digest)
      return digest
    }
    let futures = (one.wait(until: .seconds(20)), other.wait(until: .seconds(20)))
    #expect(futures.0 != futures.1)
    #expect(digests[0] != digests[1])
  }
}
