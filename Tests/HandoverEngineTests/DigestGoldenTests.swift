import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Tests whether a change of the state machines changes the result of any bundled case.
///
/// The digests cover whole traces, so they also show a change that no expectation covers. `make
/// golden` saves new digests; explain any difference in the commit.
@Suite("The digest of every bundled case, Golden")
struct DigestGoldenTests {
  @Test("The digest has not changed")
  func same() throws {
    var worker = Worker(SimulatedBackend(), retaining: .digests)
    var lines: [String] = []
    for scenario in Bundled.scenarios {
      for result in worker.run(scenario).cases {
        lines.append("\(scenario.file)\t\(result.profile)\t\(result.digest?.text ?? "-")")
      }
    }
    #expect(lines.count > 1_900)
    try Self.expect(lines, areKeptIn: "bundled.tsv")
  }

  /// Fails if the lines differ from those of a file under Fixtures/Digests.
  static func expect(
    _ lines: [String], areKeptIn name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = Bundled.root.appending(path: "Fixtures/Digests/\(name)")
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let (missing, new) = (Set(kept).subtracting(lines).sorted(), Set(lines).subtracting(kept))
    #expect(
      missing.isEmpty && new.isEmpty,
      """
      \(new.count) lines of \(name) are new or otherwise, \(missing.count) kept ones are not met; \
      where that is meant, `make golden` keeps them. The first ones:
      \(new.sorted().prefix(10).joined(separator: "\n"))
      """, sourceLocation: sourceLocation)
  }
}
