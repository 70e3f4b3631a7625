import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import Testing

/// Tests whether a change of the checker changes the findings for wrong traces.
///
/// The built-in client passes the bundled scenarios, so the checker reports little about them. Here
/// their traces are first changed at random: records are removed, duplicated, reordered, or shifted
/// slightly in time. Some backends have fewer capabilities or run in real time. `make golden` saves
/// the findings; explain any difference in the commit.
@Suite("Findings for changed traces, Golden")
struct ChangedTraceGoldenTests {
  private static let gates = {
    var gates = Gates()
    gates.maxHang = .seconds(2)
    return gates
  }()

  /// Returns everything in a result except what depends on the name of its file.
  private static func text(_ result: CaseResult) -> String {
    var lines = [
      "\(result.verdict.name), \(result.coverage.text), \(result.endedAt), \(result.neverEnded)",
      "\(result.changeToEnd.map(\.text)) \(result.satisfiedExpectations)",
    ]
    lines += result.findings.map { finding in
      let position = finding.position.map { "\($0.line):\($0.column)" } ?? "-"
      return "\(finding.kind) \(finding.verdict.name) \(finding.at ?? .never) \(position): "
        + "\(finding.expected); \(finding.seen)"
    }
    lines += result.calls.map { call in
      let code = call.end?.code.rawValue ?? .max
      return "\(call.id) \(code) \(call.message ?? "-") \(call.endedAt ?? .never)"
    }
    lines += result.hangs.map { "\($0.call) \($0.since) \($0.lasted) \($0.hasEnded)" }
    return lines.joined(separator: "\n")
  }

  @Test("The findings have not changed")
  func same() throws {
    var lines: [String] = []
    for scenario in Bundled.scenarios {
      var digest = Digest()
      var verdicts: [Verdict] = []
      for seed in UInt64(0)..<8 {
        var worker = Worker(
          TraceChangingBackend(seed: seed), retaining: .decisions, gates: Self.gates)
        let profile = scenario.profiles[Int(seed) % scenario.profiles.count]
        for result in worker.run(scenario, on: [profile]).cases {
          verdicts.append(result.verdict)
          digest.combine(Self.text(result).utf8)
        }
      }
      let reported = verdicts.map { String($0.rawValue) }.joined()
      lines.append("\(scenario.file)\t\(reported)\t\(digest.text)")
    }
    try DigestGoldenTests.expect(lines, areKeptIn: "changed-traces.tsv")
  }
}
