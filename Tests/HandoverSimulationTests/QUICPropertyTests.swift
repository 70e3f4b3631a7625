import Foundation
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Compares random events of networks, uplinks, routers and the process with the oracle.
///
/// Each call ends as the oracle predicts, at the predicted time, and each connection migrates as
/// often.
@Suite("Properties of QUIC")
struct QUICPropertyTests {
  /// HANDOVER_QUIC_SEED selects another seed.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_QUIC_SEED"].flatMap(UInt64.init) ?? 1

  private static let connect = 57

  /// A random timeline.
  private struct Line {
    var entries: [(at: Int, entry: QUICOracle.Entry)] = []
    var idle: Int
    var limit: Int
    var identifiers: Int

    init(_ draw: inout Draw) {
      idle = draw.below(3) == 0 ? 30_005 : 5_005
      limit = draw.below(3) == 0 ? 1 + draw.below(3) : 5
      identifiers = draw.below(3)
      var at = 200
      entries.append((0, .call(takes: 10 * (1 + draw.below(2_000)))))
      for _ in 0..<(4 + draw.below(20)) {
        at += 10 * (1 + (draw.below(3) == 0 ? draw.below(20) : draw.below(300)))
        entries.append((at, draw.entry()))
      }
      entries.append((at + 10, .process(runs: true)))
    }
  }

  private struct Draw {
    var generator: SeededGenerator
    private var isUp = [true, true]
    private var runs = true

    init(_ generator: SeededGenerator) { self.generator = generator }

    mutating func below(_ count: Int) -> Int {
      Int(generator.next(upToAndIncluding: UInt64(count - 1)))
    }

    mutating func begin() {
      isUp = [true, true]
      runs = true
    }

    /// Returns an entry that the reader accepts: changes apply only to networks that are up.
    mutating func entry() -> QUICOracle.Entry {
      let one = below(2)
      switch below(12) {
      case 0, 1, 2, 3:
        isUp[one] = true
        return .makeDefault(one)
      case 4 where isUp[one]:
        isUp[one] = false
        return .down(one)
      case 5 where !isUp[one]:
        isUp[one] = true
        return .up(one)
      case 6 where isUp[one]: return .uplink(one, false)
      case 7 where isUp[one]: return .uplink(one, true)
      case 8 where isUp[one]: return .rebind(one)
      case 9 where !runs, 10 where !runs, 11 where !runs:
        runs = true
        return .process(runs: true)
      case 10:
        runs = false
        return .process(runs: false)
      // A stopped process starts no call.
      default: return runs ? .call(takes: 10 * (1 + below(400))) : entry()
      }
    }
  }

  private static func oracle(_ line: Line, until limit: Int) -> QUICOracle {
    var oracle = QUICOracle(
      connect: connect, idle: line.idle, limit: line.limit, identifiers: line.identifiers)
    for (at, entry) in line.entries { oracle.play(entry, at: max(at, connect)) }
    oracle.advance(to: limit, inclusive: true)
    return oracle
  }

  private static func story(_ line: Line) -> Story {
    let networks = [NetworkTests.home, NetworkTests.lte]
    var story = NetworkTests.story {
      $0.hosts[0].connect = .milliseconds(Int64(connect))
      $0.configuration.quic.idleTimeout = .milliseconds(Int64(line.idle))
      $0.configuration.quic.maximumMigrations = line.limit
      $0.configuration.quic.connectionIDs = line.identifiers
    }
    for (at, entry) in line.entries {
      func does(_ one: Int, _ action: NetworkAction) -> Story {
        story.at(Int64(at), .network(networks[one], action, signal: nil))
      }
      story =
        switch entry {
        case .up(let one): does(one, .up)
        case .makeDefault(let one): does(one, .makeDefault)
        case .down(let one): does(one, .down(nil))
        case .uplink(let one, let isUp): does(one, .uplink(isUp: isUp, lasts: nil, every: nil))
        case .rebind(let one): does(one, .nat(.rebindPort, .reset, every: nil))
        case .process(let runs): story.at(Int64(at), .app(runs ? .foreground : .background))
        case .call(let takes):
          story.call(at: Int64(at), .unary, takes: .milliseconds(Int64(takes)))
        }
    }
    return story
  }

  @Test("Calls end and connections migrate as the oracle predicts", arguments: [seed])
  func agrees(seed: UInt64) throws {
    var draw = Draw(SeededGenerator(seed: seed))
    var (survived, died, moved) = (0, 0, 0)
    for round in 0..<1_000 {
      draw.begin()
      var line = Line(&draw)
      // Calls that start after the end of the connection use another one.
      if let end = Self.oracle(line, until: 200_000).diedAt {
        line.entries.removeAll { entry in
          if case .call = entry.entry { entry.at >= end } else { false }
        }
      }
      let oracle = Self.oracle(line, until: 200_000)
      let played = try Self.story(line).played(on: .quic, until: 200_000)
      let position = "seed \(seed), round \(round): \(line)"
      let migrations: [[Int]] = played.facts.compactMap {
        guard case .connectionPath(_, let path?, .migrated) = $0.thing else { return nil }
        return [Int($0.milliseconds), path == NetworkTests.home ? 0 : 1]
      }
      try #require(migrations == oracle.migrations, "\(position)")
      for (index, call) in oracle.calls.enumerated() {
        let end = played.end(of: UInt32(index))
        let expected: Played.At<CallEnd>? =
          call.endsAt.map { .ok(Int64($0)) }
          ?? oracle.reportedAt.map { .failed(Int64($0), .timedOut) }
        try #require(end == expected, "call \(index), \(position)")
        survived += call.endsAt == nil ? 0 : 1
        died += call.endsAt == nil ? 1 : 0
      }
      moved += migrations.count
    }
    // The test proves little if one of these is rare.
    #expect(survived > 1_000 && died > 100 && moved > 500, "\(survived), \(died), \(moved)")
  }
}
