import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverReport
import HandoverScenario

extension ExploreCommand {
  /// Validates the options that require or exclude `--shard`.
  func validateShard() throws {
    if shard != nil, swarm == nil, exchange == nil {
      throw ValidationError(
        "--shard requires --exchange FOLDER, a folder that all shards share.")
    }
    if exchange != nil, shard == nil {
      throw ValidationError("--exchange requires --shard, such as --shard 1/4.")
    }
    if exchange != nil, swarm != nil {
      throw ValidationError(
        "--exchange cannot be combined with --swarm, because its shards exchange no states.")
    }
    if timeout != nil, shard == nil, backend.isBuiltIn {
      throw ValidationError("--timeout requires --shard or --backend.")
    }
    if shard != nil, jobs != nil {
      throw ValidationError(
        "--jobs cannot be combined with --shard, because each shard uses one thread.")
    }
    if shard != nil, resume != nil {
      throw ValidationError(
        "--resume cannot be combined with --shard, because the --exchange folder stores progress.")
    }
    if report != nil, resume != nil {
      throw ValidationError(
        "--report cannot be combined with --resume, because it describes a whole exploration.")
    }
    if shard == nil, budget.states > 1_000_000_000 {
      throw ValidationError("Without --shard, --budget must be at most 1000000000 states.")
    }
    if shard != nil, swarm != nil, seed == nil {
      throw ValidationError("The shards of a swarm require the same --seed, such as --seed 1.")
    }
  }

  /// Checks before the exploration that its scenario can be written.
  func expectRoomForScenario() throws {
    if let scenarioFile { try FileCreation.require(scenarioFile, replacing: force) }
  }

  /// Checks before the exploration that its report can be written and replaces no other file.
  func expectRoomForReport() throws {
    try FileIdentity.refuse([scenarioFile, report, resume].compactMap { $0 }, over: [])
    if let report, !OutputFile.isSpecial(report) {
      try FileCreation.require(report, replacing: true)
    }
  }

  /// The defects of the client, without duplicates.
  var defects: [String] { Set(defect).sorted() }

  /// The description of the client for the report.
  var exploredClient: ExploredClient {
    ExploredClient(
      profile: profile, hosts: hosts, calls: calls, actions: actions.rawValue, without: leftOut,
      defects: defects)
  }

  /// Writes the report of an exploration if one is requested.
  func write(
    _ report: ExplorationReport, of verdict: ExplorationVerdict, _ text: ExplorationText
  ) throws {
    guard let file = self.report else { return }
    var report = report
    switch verdict {
    case .closed:
      report.outcome = .closed
    case .stopped(let why, let growing):
      report.outcome = .stopped(
        why.name, growing: growing.map { "\($0.name) (\($0.size))" })
    case .broken(let shortest, let playable):
      report.outcome = .broken(
        rule: Int(shortest.violation.rule.rawValue), actions: shortest.actions.count,
        playableActions: playable?.actions.count,
        sequence: text.actions(of: shortest).split(separator: "\n").map {
          String($0.drop { $0 == " " })
        })
      report.seen = .init()
    }
    try Self.write(report.text, to: file)
  }

  /// Writes a report.
  static func write(_ text: String, to file: String) throws {
    var output = try OutputFile.opened(file)
    output.write(text)
    output.finish()
    if let failure = output.failure {
      throw ExitError(printing: failure.description)
    }
  }
}

extension ExplorationVerdict.Stop {
  fileprivate var name: String {
    switch self {
    case .depth: "depth"
    case .states: "states"
    case .growth: "growth"
    case .fromOutside: "time"
    case .frontier: "storage"
    }
  }
}

/// The time for which a shard waits for another one that shows no sign of life.
struct ShardTimeout: ExpressibleByArgument {
  static let standard = ShardTimeout(duration: .seconds(600))

  var duration: Duration

  var interval: Interval {
    let (seconds, attoseconds) = duration.components
    return Interval(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  init(duration: Duration) {
    self.duration = duration
  }

  init?(argument: String) {
    guard let length = TimeNotation.interval(argument), length >= .zero else { return nil }
    self.init(duration: .microseconds(length.microseconds))
  }

  var defaultValueDescription: String { "\(duration.components.seconds)s" }
}
