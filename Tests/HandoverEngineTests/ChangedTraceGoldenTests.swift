import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverTrace
import Testing

/// Whether a change of the judge changes what it says of traces that are not as they should be.
///
/// Bundled scenarios are kept by the built-in client, so that the judge has little to say of them.
/// Here their traces are changed at random first: records go, come twice, change places or come a
/// little too early or too late, and some backends show less or play in real time. `make golden`
/// keeps what is said; say in the commit why it is otherwise.
@Suite("What is said of changed traces, Golden")
struct ChangedTraceGoldenTests {
  private static let gates = {
    var gates = Gates()
    gates.maxHang = .seconds(2)
    return gates
  }()

  /// Everything that came out of a case, as far as it does not hang on its file's name.
  private static func text(_ result: CaseResult) -> String {
    var lines = [
      "\(result.verdict.name), \(result.sight.text), \(result.endedAt), \(result.neverEnded)",
      "\(result.changeToEnd) \(result.held)",
    ]
    lines += result.findings.map { finding in
      let place = finding.position.map { "\($0.line):\($0.column)" } ?? "-"
      return "\(finding.kind) \(finding.verdict.name) \(finding.at ?? .never) \(place): "
        + "\(finding.expected); \(finding.seen)"
    }
    lines += result.calls.map { call in
      let code = call.end?.code.rawValue ?? .max
      return "\(call.id) \(code) \(call.message ?? "-") \(call.endedAt ?? .never)"
    }
    lines += result.hangs.map { "\($0.call) \($0.since) \($0.lasted) \($0.hasEnded)" }
    return lines.joined(separator: "\n")
  }

  @Test("is what it was")
  func same() throws {
    var lines: [String] = []
    for scenario in Bundled.scenarios {
      var digest = Digest()
      var verdicts: [Verdict] = []
      for seed in UInt64(0)..<8 {
        var worker = Worker(
          TraceChangingBackend(seed: seed), keeps: .decisions, gates: Self.gates)
        let profile = scenario.profiles[Int(seed) % scenario.profiles.count]
        for result in worker.run(scenario, on: [profile]).cases {
          verdicts.append(result.verdict)
          digest.combine(Self.text(result).utf8)
        }
      }
      let told = verdicts.map { String($0.rawValue) }.joined()
      lines.append("\(scenario.file)\t\(told)\t\(digest.text)")
    }
    try DigestGoldenTests.expect(lines, areKeptIn: "changed-traces.tsv")
  }
}
