import HandoverCore
import HandoverBackend
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import HandoverTrace
import FoundationEssentials

var worker = Worker(SimulatedBackend())
var passed = 0, failed = 0
for file in CommandLine.arguments.dropFirst() {
  let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  let reading = ScenarioReader.read(file: file, bytes: bytes)
  for diagnostic in reading.diagnostics { print(diagnostic) }
  guard let scenario = reading.scenario else { continue }
  for result in worker.run(scenario).cases {
    if result.verdict == .passed { passed += 1; continue }
    failed += 1
    print(result.verdict.name, result.id, result.profile)
    for finding in result.findings {
      print("   line \(finding.position?.line ?? 0) \(finding.kind): expected \(finding.expected); seen \(finding.seen) at \(finding.at?.text ?? "-")")
    }
  }
}
print(passed, "passed", failed, "failed")
