import HandoverCore
import Testing

@Suite("Sets of paths")
struct PathSetTests {
  @Test("Each of 64 paths has a separate bit")
  func bits() {
    let all = (0..<64).map { PathSet(PathIndex(UInt8($0))) }
    #expect(all.map(\.rawValue) == (0..<64).map { 1 << $0 })
    for (index, set) in all.enumerated() {
      #expect((0..<64).filter { set.contains(PathIndex(UInt8($0))) } == [index])
    }
  }
}
