import HandoverCore
import Testing

@Suite("Sets of paths")
struct PathSetTests {
  @Test("have a bit of its own for each of 64 paths")
  func bits() {
    let all = (0..<64).map { PathSet(PathIndex(UInt8($0))) }
    #expect(all.map(\.rawValue) == (0..<64).map { 1 << $0 })
    for (index, set) in all.enumerated() {
      #expect((0..<64).filter { set.contains(PathIndex(UInt8($0))) } == [index])
    }
  }
}
