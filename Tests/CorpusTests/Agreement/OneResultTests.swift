import Foundation
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Testing

/// Everything that a run returns about a case and that must not depend on what else is run.
private struct Outcome: Hashable {
  var profile: String
  var verdict: Verdict
  var findings: [Finding]
  var calls: [CallOutcome]
  var changeToEnd: [Interval]
  var neverEnded: Int
  var endedAt: Instant
  var coverage: ObservedCoverage
  var digest: Digest?
  var held: [Int]

  init(_ result: CaseResult) {
    profile = result.profile
    verdict = result.verdict
    findings = result.findings
    calls = result.calls
    changeToEnd = result.changeToEnd
    neverEnded = result.neverEnded
    endedAt = result.endedAt
    coverage = result.coverage
    digest = result.digest
    held = result.satisfiedExpectations
  }

  /// The outcome without the findings that only a run on all profiles can report.
  var alone: Outcome {
    var outcome = self
    outcome.findings.removeAll { $0.kind == .faultWithoutEffect }
    outcome.verdict = outcome.findings.map(\.verdict).max() ?? .passed
    return outcome
  }
}

@Suite("One scenario has one result")
struct OneResultTests {
  private static let variables = ProcessInfo.processInfo.environment
  /// The number of changed scenarios to run.
  private static let count = variables["HANDOVER_CHANGED_SCENARIOS"].flatMap(Int.init) ?? 300
  private static let seed = variables["HANDOVER_CHANGED_SEED"].flatMap(UInt64.init) ?? 20_261
  /// The number of scenarios in one report.
  private static let batch = 20
  /// The number of records from which a trace takes too long to report here.
  private static let longestTrace = 20_000
  private static let kept: Worker.RetainedData = [.traces, .digests, .decisions]

  @Test(
    "A scenario has one result in every kind of run, and in all commands and reports"
  )
  func changedScenarios() throws {
    print("changed scenarios: HANDOVER_CHANGED_SEED=\(Self.seed), \(Self.count) of them")
    var source = try ChangedScenarios(seed: Self.seed)
    var batch = Worker(SimulatedBackend(), retaining: Self.kept)
    var shrinking = Worker(SimulatedBackend())
    var results: [ScenarioResult] = []
    var (count, failures) = (0, 0)
    for number in 0..<200 * Self.count where count < Self.count {
      guard let (bytes, scenario) = source.next(id: "changed/\(number)") else { continue }
      // A crash ends the process, so the scenario is saved to a file first.
      if Self.count > 1_000 { try Data(bytes).write(to: Self.latest) }
      count += 1
      let problem = try Self.problem(of: scenario, bytes, &batch, &shrinking, &results)
      if let problem {
        Issue.record("\(problem): \(String(decoding: bytes, as: UTF8.self))")
        failures += 1
      }
      guard failures < 5 else { return }
      if results.count == Self.batch {
        #expect(try Self.isMergedAlike(results), "the batch up to changed/\(number)")
        results = []
      }
    }
    #expect(count == Self.count)
  }

  private static let latest = FileManager.default.temporaryDirectory.appending(
    path: "handover-changed-scenario.json")

  /// Returns the disagreement about a scenario, or `nil` if there is none.
  private static func problem(
    of scenario: Scenario, _ bytes: [UInt8], _ batch: inout Worker, _ shrinking: inout Worker,
    _ results: inout [ScenarioResult]
  ) throws -> String? {
    var fresh = Worker(SimulatedBackend(), retaining: kept)
    let alone = fresh.run(scenario)
    let outcomes = alone.cases.map(Outcome.init)
    guard batch.run(scenario).cases.map(Outcome.init) == outcomes else {
      return "another result in a batch"
    }
    for (profile, outcome) in zip(scenario.profiles, outcomes) where outcome.verdict != .error {
      let one = batch.run(scenario, on: [profile]).cases.map(Outcome.init)
      guard one.map(\.alone) == [outcome.alone] else {
        return "another result on \(profile.name) alone"
      }
    }
    let recordCount = alone.cases.reduce(0) { $0 + ($1.trace?.records.count ?? 0) }
    guard recordCount < longestTrace else { return nil }
    results.append(alone)
    if let problem = explanationProblem(alone) { return problem }
    for one in alone.cases {
      if let problem = try replayProblem(one, scenario) { return "\(problem) on \(one.profile)" }
    }
    return try shrinkProblem(alone, bytes, &shrinking)
  }

  private static func explanationProblem(_ result: ScenarioResult) -> String? {
    let words = Explanation(result).text.lowercased().split(whereSeparator: \.isWhitespace)
    let isDenied = words.joined(separator: " ").contains("it failed: ")
    let isWrong = result.cases.contains { one in
      one.verdict != .error
        && one.findings.contains {
          $0.position != nil && [.expectation, .neverEvaluated].contains($0.kind)
        }
    }
    return isDenied == isWrong || result.cases.contains { $0.verdict == .error }
      ? nil : "explain and run disagree"
  }

  private static func replayProblem(_ one: CaseResult, _ scenario: Scenario) throws -> String? {
    guard let trace = one.trace, one.verdict != .error else { return nil }
    var writer = TraceWriter(scenario.script, for: trace)
    writer.write(TraceHeader(scenario: one.id, profile: one.profile, backend: "simulated"))
    for record in trace.records { writer.write(record) }
    let recorded: RecordedTrace
    do throws(InputError) {
      recorded = try TraceReader.read(file: "trace", bytes: writer.bytes)
    } catch {
      return "replay refuses the trace of run: \(error)"
    }
    guard recorded.trace.records == trace.records else { return "the trace is read differently" }
    guard TraceReplay.obstacle(to: recorded) == nil else { return nil }
    if case .differs = TraceReplay.run(recorded) { return "replay and run disagree" }
    return nil
  }

  private static func shrinkProblem(
    _ result: ScenarioResult, _ bytes: [UInt8], _ worker: inout Worker
  ) throws -> String? {
    let document = try JSONReader.read(bytes)
    for (profile, one) in zip(result.scenario.profiles, result.cases) {
      guard let finding = FailureSignature.finding(of: one) else {
        if one.verdict >= .failed { return "run fails on \(profile.name), and shrink does not" }
        continue
      }
      var shrinker = Shrinker(
        document, result.scenario, on: profile, failingOf: finding,
        play: { scenario in
          var worker = Worker(SimulatedBackend())
          return worker.run(scenario).cases.first { $0.profile == profile.name }
        })
      if shrinker.run(while: { $0 < 2 }) == nil {
        return "run fails on \(profile.name), and shrink does not: \(finding.expected)"
      }
    }
    return nil
  }

  // MARK: Reports

  /// Whether the merged reports of the shards equal the report of the whole run, and the matrix has
  /// the same totals.
  private static func isMergedAlike(_ results: [ScenarioResult]) throws -> Bool {
    let whole = text(of: results, shard: nil)
    let shards = 3
    var reports: [RunReport] = []
    var bytes: [[UInt8]] = []
    for index in 0..<shards {
      let part = stride(from: index, to: results.count, by: shards).map { results[$0] }
      var shard = RunDescription.Shard(index: index + 1, count: shards)
      shard.plan = "0123"
      bytes.append(Array(text(of: part, shard: shard).utf8))
      reports.append(try RunReport.read(file: "shard \(index + 1)", bytes: bytes[index]))
    }
    let merged = try RunReport.merge(reports, bytes)
    let summary = Summary(results)
    var matrix = Matrix(
      backends: [Matrix.Backend(name: "simulated", argument: "simulated")],
      plan: results.map { Matrix.Planned(scenario: $0.scenario, profiles: $0.scenario.profiles) })
    for result in results { matrix.add(result, of: 0, describing: RunDescription()) }
    return String(decoding: merged.text, as: UTF8.self) == whole
      && merged.summary.line == summary.line && matrix.summary == summary
  }

  private static func text(of results: [ScenarioResult], shard: RunDescription.Shard?) -> String {
    var report = JSONLinesReport()
    var text = report.begin(RunDescription(shard: shard))
    for result in results { text += report.scenarioEnded(result) }
    return text + report.finish(Summary(results))
  }
}
