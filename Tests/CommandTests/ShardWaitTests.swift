import Foundation
import HandoverExploration
import HandoverReport
import Testing

@testable import handover

/// A shard that waits, while another one acts between its checks.
@Suite("Waiting for the file of a shard")
struct ShardWaitTests {
  private let scratch: ScratchDirectory
  private let one: ExchangeFolder
  private let two: ExchangeFolder
  private static let round = ShardWait.roundName(5)

  init() throws {
    scratch = try ScratchDirectory()
    let identity = RoundFile.Identity("words", count: 2)
    one = try ExchangeFolder(scratch.url.path, .init(index: 1, count: 2), "words", identity)
    two = try ExchangeFolder(scratch.url.path, .init(index: 2, count: 2), "words", identity)
  }

  /// Waits for the second shard, and runs `meanwhile` after the first check.
  private func files(
    _ name: String = Self.round, timeout: Duration = .seconds(600),
    isThereAfter looks: Int, meanwhile: () throws(ExchangeProblem) -> Void
  ) throws(ExchangeProblem) -> [Int]? {
    var looked = 0
    return try ShardWait(folder: one, timeout: timeout).files(name, round: 5) {
      (index) throws(ExchangeProblem) -> Int? in
      guard index == 2 else { return index }
      looked += 1
      if looked == 1 { try meanwhile() }
      return looked > looks ? index : nil
    } shouldContinue: { _, _ in
      looked < 100
    }
  }

  @Test("A file that arrives together with the message that no other file follows is accepted")
  func writtenAndStopped() throws {
    let files = try files(isThereAfter: 1) { () throws(ExchangeProblem) in
      two.stop()
      try two.beat()
    }
    #expect(files == [1, 2])
  }

  @Test("A file that arrives with the last message of a shard, or at the timeout, is accepted")
  func writtenAndGone() throws {
    #expect(try files(isThereAfter: 1) { two.leave("it could not continue") } == [1, 2])
    #expect(try files(timeout: .zero, isThereAfter: 1) {} == [1, 2])
  }

  @Test("A shard that stopped before it wrote the file is reported")
  func stopped() throws {
    let problem = #expect(throws: ExchangeProblem.self) {
      _ = try files(isThereAfter: .max) { () throws(ExchangeProblem) in
        two.stop()
        try two.beat()
      }
    }
    let message = problem?.message ?? ""
    #expect(message.contains("was stopped by --depth or --budget before round-0005"), "\(message)")
  }

  @Test("A shard that was stopped in an earlier run is still waited for")
  func stoppedBefore() throws {
    two.leave(ExchangeFolder.stops)
    #expect(try files(isThereAfter: 3) {} == [1, 2])
  }
}
