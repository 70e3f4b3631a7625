import Foundation
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Tests whether a change of the state machines changes random walks through worlds, or the digest
/// of any state on the way.
///
/// Explorations in several processes exchange states by their digests, and merge states with equal
/// digests. This test detects a property that is newly omitted or hashed differently, even if no
/// scenario reaches it. `make golden` saves new digests; explain any difference in the commit.
@Suite("Walks through worlds, Golden")
struct WalkGoldenTests {
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Digests/walks.tsv")

  /// Returns a digest of the states of a walk, and of its records.
  private static func digest(
    of menu: WorldDigestTests.Menu, _ profile: Profile, seed: UInt64, stepCount: Int
  ) -> StateDigest {
    var walk = WorldDigestTests.Walk(generator: SeededGenerator(seed: seed))
    var world = World()
    world.open(menu.script, profile: profile)
    var digest = StateDigest(at: .zero)
    for _ in 0..<stepCount {
      walk.step(on: &world)
      digest.combine(world.digest().text)
    }
    world.runUntilIdle(through: world.context.now + .seconds(40))
    world.close(at: world.context.now + .seconds(1))
    for record in world.context.trace.records {
      digest.combine(RecordDigest.digest(record, since: .zero))
    }
    return digest
  }

  @Test("The walks have not changed")
  func same() throws {
    var lines: [String] = []
    for menu in WorldDigestTests.menus {
      for profile in menu.profiles {
        for group in UInt64(0)..<8 {
          var all = StateDigest(at: .zero)
          for seed in 0..<UInt64(8) {
            all.combine(Self.digest(of: menu, profile, seed: group * 8 + seed, stepCount: 30).text)
          }
          lines.append("\(menu.name)\t\(profile.name)\t\(group)\t\(all.text)")
        }
      }
    }
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
    }
    let kept = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let otherwise = zip(lines, kept).filter(!=).map(\.0)
    #expect(
      lines.count == kept.count && otherwise.isEmpty,
      """
      \(otherwise.count) of \(lines.count) groups of walks are otherwise; where that is meant, \
      `make golden` keeps them. The first ones:
      \(otherwise.prefix(5).joined(separator: "\n"))
      """)
  }
}
