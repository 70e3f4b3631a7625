import Testing

@testable import HandoverLab

@Suite("Standstills of the machine")
struct StandstillTests {
  @Test("a gap of more than 500 ms between two ticks is one, and only that")
  func gaps() throws {
    let watch = try StandstillWatch()
    defer { watch.close() }
    // Far from the ticks that are made meanwhile.
    let start: Int64 = -10_000_000_000
    for (from, to) in [(0, 50_000), (50_000, 550_000), (550_000, 1_050_001)] as [(Int64, Int64)] {
      watch.note(.init(from: start + from, to: start + to))
    }
    #expect(
      watch.spans.filter { $0.to < 0 }
        == [.init(from: start + 550_000, to: start + 1_050_001)])
  }
}
