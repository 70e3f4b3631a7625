import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("Scenarios with small edits")
struct EditedScenarioTests {
  private static let rounds = 2_000

  /// The environment variable `HANDOVER_SCHEMA_SEED` selects other edits.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_SCHEMA_SEED"].flatMap { UInt64($0) } ?? 1

  @Test("The schema refuses an edited scenario exactly if the reader reports its structure")
  func agreement() throws {
    print("edits of seed \(Self.seed); HANDOVER_SCHEMA_SEED=\(Self.seed) repeats them")
    let corpus = try (GoodSamples.bundled() + GoodSamples.ofTests()).map {
      JSONTree(try JSONReader.read(Array($0.text.utf8)).root)
    }
    var mutator = Mutator(seed: Self.seed, corpus: corpus)
    let texts = (0..<Self.rounds).map { round in
      mutator.mutated(corpus[round % corpus.count]).line
    }
    let judge = try Judge(
      texts.enumerated().map { .init(name: "\($0.offset)", text: $0.element) })
    var (good, shapeless, meaningless) = (0, 0, 0)
    for (text, answer) in zip(texts, judge.answers) {
      let reading = ScenarioReader.read(file: "f.json", bytes: Array(text.utf8))
      let codes = reading.diagnostics.map(\.code).filter { $0.severity == .error }
      switch (answer.verdict, codes.isEmpty) {
      case (.accepted, true): good += 1
      case (.accepted, false): meaningless += 1
      case (.rejected, _), (.notJSON, _): shapeless += 1
      }
      guard let disagreement = Self.disagreement(answer, codes) else { continue }
      Issue.record("seed \(Self.seed), round \(answer.name): \(disagreement)\n\(text)")
    }
    print("\(good) are good, \(shapeless) refused by both, \(meaningless) by the reader alone")
    // The test proves little if all edits have the same result.
    #expect(good > Self.rounds / 20 && meaningless > Self.rounds / 40)
    #expect(shapeless > Self.rounds / 4)
  }

  /// Returns why the schema and the reader cannot both be right, or `nil` if they can.
  static func disagreement(_ answer: Judge.Answer, _ codes: [DiagnosticCode]) -> String? {
    switch answer.verdict {
    case .accepted:
      let unexplained = codes.filter { CodeSight.of($0)?.mayBeUnseen != true }
      return unexplained.isEmpty
        ? nil : "the schema does not see \(unexplained.map(\.rawValue))"
    case .rejected:
      return codes.contains { CodeSight.of($0)?.mayBeSeen == true }
        ? nil : "only the schema complains: \(answer.errors), beside \(codes.map(\.rawValue))"
    case .notJSON:
      return "an edit made something else than JSON of it"
    }
  }
}
