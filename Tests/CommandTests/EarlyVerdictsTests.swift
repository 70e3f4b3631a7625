import HandoverCore
import HandoverLab
import HandoverTry
import Testing

@testable import handover

@Suite("The verdicts on runs of handover try that have ended")
struct EarlyVerdictsTests {
  private static let hotspot = TryMove.all.first { $0.name == "hotspot" } ?? .nothing
  private static let observation = TryObservation(
    device: [], servers: [], sockets: SocketHistory(), moved: Instant(microseconds: 9_000_000),
    restored: nil,
    end: Instant(microseconds: 30_000_000), programEnd: nil)

  private static func lines(_ verdicts: EarlyVerdicts, _ move: TryMove) -> [String] {
    verdicts.lines(afterEndOf: move, observation, MoveTraits())
  }

  @Test("A run that ends before the unchanged one is shown after it, with its verdict")
  func waits() {
    let verdicts = EarlyVerdicts(on: [.nothing, Self.hotspot, Self.hotspot])
    #expect(Self.lines(verdicts, Self.hotspot).isEmpty)
    let lines = Self.lines(verdicts, .nothing)
    #expect(lines.first == "1 of 3: \(TryMove.nothing.title)")
    #expect(lines.count == 2 && lines[1].hasPrefix("2 of 3: another hotspot, "), "\(lines)")
    let last = Self.lines(verdicts, Self.hotspot)
    #expect(last.count == 1 && last[0].hasPrefix("3 of 3: another hotspot, "), "\(last)")
  }

  @Test("Without an unchanged run, each run is shown at its end, without a verdict")
  func repeated() {
    let verdicts = EarlyVerdicts(on: [Self.hotspot])
    #expect(Self.lines(verdicts, Self.hotspot) == ["1 of 1: another hotspot"])
  }
}
