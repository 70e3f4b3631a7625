import Foundation
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Properties of any quality: order is kept, nothing is early, and everything arrives once.
///
/// Without losses the times equal those of an oracle that is written from the documentation alone.
@Suite("Properties of the quality of a network")
struct QualityPropertyTests {
  /// Sent data and its time, in microseconds.
  private struct Sent {
    var at: Int64
    var bytes: Int64
  }

  /// HANDOVER_QUALITY_SEED selects another seed.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_QUALITY_SEED"].flatMap(UInt64.init) ?? 1

  @Test(
    "Nothing passes a network that loses everything, packet by packet or in bursts",
    arguments: [nil, 1, 5] as [UInt32?])
  func losesEverything(burst: UInt32?) {
    var quality = LinkQuality()
    quality.lossPerMillion = 1_000_000
    quality.burst = burst
    var lane = QualityLane(generator: SeededGenerator(seed: Self.seed))
    lane.set(quality, at: .zero)
    #expect(lane.losesEverything)
    for bytes in [0, 100, 100_000] as [Int64] {
      let load = Load(byteCount: bytes, timeout: .seconds(1))
      #expect(lane.arrival(of: load, longest: 1_500, at: .zero, limit: .seconds(900)) == nil)
    }
  }

  @Test(
    "At a rate of one in a million, one packet in a million is late", arguments: [0, 1], [0, 1])
  func rare(loss: UInt32, reorder: UInt32) {
    var quality = LinkQuality()
    quality.lossPerMillion = loss
    quality.reorderPerMillion = reorder
    var lane = QualityLane(generator: SeededGenerator(seed: Self.seed))
    lane.set(quality, at: .zero)
    // Ten are expected among ten million.
    let load = Load(byteCount: 14_600_000_000, timeout: .seconds(1))
    let there = lane.arrival(of: load, longest: 1_500, at: .zero, limit: .seconds(900))
    #expect((there == .zero) == (loss == 0 && reorder == 0), "seed \(Self.seed)")
  }

  @Test("Bursts of losses start at the rate that their length and the share of losses imply")
  func bursts() {
    // If one packet in a million passes, bursts of two million take half of all packets.
    var quality = LinkQuality()
    quality.lossPerMillion = 999_999
    quality.burst = 2_000_000
    let lost = (0..<1_000 as Range<UInt64>).count { seed in
      var (loss, generator) = (PacketLoss(), SeededGenerator(seed: seed))
      return loss.takesNext(of: quality, using: &generator)
    }
    #expect((400...600).contains(lost), "\(lost) of 1,000")
    // A rate of one in a million uses the random generator, and a rate of zero does not.
    for perMillion in [0, 1] as [UInt32] {
      quality.lossPerMillion = perMillion
      quality.burst = 1
      var (loss, generator) = (PacketLoss(), SeededGenerator(seed: Self.seed))
      _ = loss.takesNext(of: quality, using: &generator)
      var fresh = SeededGenerator(seed: Self.seed)
      let isFresh = generator.next(upToAndIncluding: .max) == fresh.next(upToAndIncluding: .max)
      #expect(isFresh == (perMillion == 0))
    }
  }

  private struct Draw {
    var generator: SeededGenerator

    mutating func below(_ count: Int64) -> Int64 {
      Int64(generator.next(upToAndIncluding: UInt64(count - 1)))
    }

    mutating func sent() -> [Sent] {
      var at: Int64 = 1_000_000
      return (0...below(12)).map { _ in
        at += below(3) == 0 ? 0 : below(400) * 1_000
        return Sent(at: at, bytes: below(4) == 0 ? below(30_000) : below(2_000))
      }
    }

    mutating func quality(loses: Bool) throws -> LinkQuality {
      var quality = LinkQuality()
      quality.delay = .milliseconds(below(300))
      if below(2) == 0 { quality.bitsPerSecond = 8_000 + below(1_000_000) }
      if below(3) == 0 {
        var time: Int64 = 0
        let lines = (0...below(6)).map { _ in
          time += 1 + below(60)
          return "\(time)"
        }
        quality.trace = try LinkTrace(
          name: "drawn", bytes: Array(lines.joined(separator: "\n").utf8))
      }
      guard loses else { return quality }
      quality.lossPerMillion = UInt32(below(300_000))
      if below(2) == 0 { quality.burst = UInt32(2 + below(5)) }
      quality.reorderPerMillion = UInt32(below(300_000))
      return quality
    }
  }

  private static func played(_ quality: LinkQuality, _ sent: [Sent], seed: UInt64) throws -> [Int64]
  {
    var story = NetworkTests.story {
      $0.configuration.seed = seed
      $0.configuration.tcpTimeout = .minutes(60)
    }
    .call(.bidi).at(900, .network(QualityTests.home, .quality(quality), signal: nil))
    for one in sent { story = story.at(one.at / 1_000, .send(0, bytes: Int(one.bytes))) }
    return Array(QualityTests.reads(try story.played(until: 100_000_000)).dropFirst())
  }

  /// Returns when each arrives, in microseconds.
  private static func foretold(_ quality: LinkQuality, _ sent: [Sent]) -> [Int64] {
    // Opportunities one by one, with the bytes left in the current one.
    let lines = quality.trace?.opportunities.map(Int64.init) ?? []
    func opportunity(_ position: Int) -> Int64 {
      let (round, line) = position.quotientAndRemainder(dividingBy: lines.count)
      return (900 + Int64(round) * (lines.last ?? 1) + lines[line]) * 1_000
    }
    var (position, left): (Int, Int64) = (0, 0)
    var free: Int64 = 0
    return sent.map { one in
      let carried = one.bytes + 14
      let packets = max(1, (carried + 1_459) / 1_460)
      let begin = max(one.at, free)
      var through = one.at
      if let rate = quality.bitsPerSecond {
        through = begin + (carried + 54 * packets) * 8_000_000 / rate
      }
      if quality.trace != nil {
        if left == 0 && position == 0 || opportunity(position) < begin {
          while opportunity(position) < begin { position += 1 }
          left = 1_504
        }
        for _ in 0..<(carried + 44 * packets) {
          if left == 0 {
            position += 1
            left = 1_504
          }
          left -= 1
        }
        through = max(through, opportunity(position))
      }
      free = max(free, through)
      return through + quality.delay.microseconds
    }
  }

  @Test("Without losses everything arrives at the documented time", arguments: [seed])
  func exact(seed: UInt64) throws {
    var draw = Draw(generator: SeededGenerator(seed: seed))
    for round in 0..<400 {
      let (quality, sent) = (try draw.quality(loses: false), draw.sent())
      let reads = try Self.played(quality, sent, seed: 1)
      #expect(reads == Self.foretold(quality, sent), "seed \(seed), round \(round): \(quality)")
    }
  }

  @Test("With losses everything arrives in order, and nothing is early", arguments: [seed])
  func lossy(seed: UInt64) throws {
    var draw = Draw(generator: SeededGenerator(seed: seed))
    for round in 0..<400 {
      let (quality, sent) = (try draw.quality(loses: true), draw.sent())
      let reads = try Self.played(quality, sent, seed: draw.generator.next())
      let note: Comment = "seed \(seed), round \(round): \(quality)"
      #expect(reads.count == sent.count, note)
      #expect(reads == reads.sorted(), note)
      for (read, early) in zip(reads, Self.foretold(quality, sent)) { #expect(read >= early, note) }
    }
  }
}
