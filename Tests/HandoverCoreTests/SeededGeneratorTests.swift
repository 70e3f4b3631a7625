import HandoverCore
import Testing

@Suite("The seeded generator")
struct SeededGeneratorTests {
  func draws(_ count: Int, seed: UInt64) -> [UInt64] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in generator.next() }
  }

  @Test("The sequence is that of SplitMix64, forever")
  func isSplitMix64() {
    #expect(
      draws(5, seed: 1_234_567) == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("Equal seeds give equal sequences, and different seeds differ")
  func isDecidedByItsSeed() {
    #expect(draws(20, seed: 7) == draws(20, seed: 7))
    #expect(draws(20, seed: 7) != draws(20, seed: 8))
  }

  @Test(
    "Bounded numbers stay within their bound and reach both ends",
    arguments: [
      0, 1, 2, 3, 9, 1_000, UInt64(UInt32.max), .max - 1, .max,
    ] as [UInt64])
  func keepsBounds(bound: UInt64) {
    var generator = SeededGenerator(seed: 3)
    var seen: Set<UInt64> = []
    for _ in 0..<1_000 {
      let drawn = generator.next(upToAndIncluding: bound)
      #expect(drawn <= bound)
      if bound < 10 { seen.insert(drawn) }
    }
    if bound < 10 { #expect(seen.count == Int(bound) + 1) }
  }

  @Test("A bounded number is uniformly distributed")
  func isFair() {
    var generator = SeededGenerator(seed: 11)
    var counts = [0, 0, 0]
    for _ in 0..<9_000 { counts[Int(generator.next(upToAndIncluding: 2))] += 1 }
    for count in counts { #expect((2_800...3_200).contains(count)) }
  }

  @Test("Forks differ by their label and do not change their origin")
  func forksIndependently() {
    let origin = SeededGenerator(seed: 5)
    var (one, again, other) = (
      origin.forked(label: 1), origin.forked(label: 1), origin.forked(label: 2)
    )
    let drawn = one.next()
    #expect(drawn == again.next())
    #expect(drawn != other.next())
    #expect(origin == SeededGenerator(seed: 5))
  }
}
