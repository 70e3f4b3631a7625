import Testing

@testable import HandoverCore

/// Random sequences of events, including late and stale ones, against the naive dispatcher.
@Suite("EndpointDispatcher: random sequences of events")
struct DispatcherModelTests {
  struct Batch: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var orders: Int
    var steps: UInt64

    var testDescription: String { "seed \(seed), \(orders) orders of up to \(steps) events" }
  }

  static let batches =
    (UInt64(1)...10).map { Batch(seed: $0, orders: 10_000, steps: 10) }
    + [Batch(seed: 11, orders: 20, steps: 1_000)]

  @Test(
    "The dispatcher agrees with the model, keeps limits, starves no request and leaks nothing",
    arguments: batches)
  func agree(_ batch: Batch) throws {
    print("playing \(batch.testDescription)")
    let seeds = SeededGenerator(seed: batch.seed)
    for order in 0..<batch.orders {
      var player = try DispatcherPlayer(seeds.forked(label: UInt64(order)))
      do {
        try player.play(upTo: batch.steps)
        try player.drain()
      } catch {
        Issue.record("seed \(batch.seed), order \(order): \(error)\n\(player.story)")
        return
      }
    }
  }

  /// All mutants except the one of keys, which are created before anything reaches a dispatcher.
  static let defects = DispatcherDefect.allCases.filter { $0 != .literalKeys }

  /// The random sequences prove nothing if a mutant passes them.
  @Test(
    "Random sequences of events detect every bug of the original (U79 to U87)", arguments: defects)
  func detects(_ defect: DispatcherDefect) throws {
    let seeds = SeededGenerator(seed: 1)
    let found = try (0..<2_000).first { order in
      var player = try DispatcherPlayer(seeds.forked(label: UInt64(order)), defect: defect)
      do {
        try player.play(upTo: 24)
        try player.drain()
        return false
      } catch {
        return true
      }
    }
    #expect(found != nil, "\(defect) was not found")
  }
}
