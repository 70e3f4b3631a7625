import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("A set whose elements are found by rank")
struct RankedSetTests {
  @Test("The set agrees with a sorted list", arguments: [1, 2, 3] as [UInt64])
  func agreesWithASortedList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var ranked = RankedSet()
    var isElement = Array(repeating: false, count: 700)
    for _ in 0..<4_000 {
      let number = Int(generator.next(upToAndIncluding: 699))
      if generator.next(upToAndIncluding: 2) == 0 {
        ranked.remove(number)
        isElement[number] = false
      } else {
        ranked.insert(number)
        isElement[number] = true
      }
      let sorted = isElement.indices.filter { isElement[$0] }
      guard ranked.count == sorted.count else {
        Issue.record("\(ranked.count) elements instead of \(sorted.count)")
        return
      }
      guard !sorted.isEmpty else { continue }
      let rank = Int(generator.next(upToAndIncluding: UInt64(sorted.count - 1)))
      #expect(ranked.element(ranked: rank) == sorted[rank])
    }
  }

  @Test("Removing an element that is not in the set has no effect")
  func removesNothing() {
    var ranked = RankedSet()
    ranked.remove(5)
    ranked.insert(64)
    ranked.remove(63)
    #expect(ranked.count == 1 && ranked.element(ranked: 0) == 64)
  }

  @Test("The set grows for the first number beyond its capacity")
  func grows() {
    var ranked = RankedSet()
    for number in [0, 64, 128, 256] { ranked.insert(number) }
    #expect((0..<4).map { ranked.element(ranked: $0) } == [0, 64, 128, 256])
  }
}
