import Foundation
import HandoverDrawing

/// Runs random scenarios from consecutive seeds, for a number of seconds or of scenarios.
///
///     drawn-runs FOLDER (SECONDSs | COUNT) [SEED]
///
/// The current scenario is in FOLDER as `current-SEED.json`, so that a crash leaves it behind. A
/// failure is printed with the scenario that repeats it, and saved in FOLDER under its own name.
@main
struct DrawnRunsCommand {
  private let folder: URL
  private let isTimed: Bool
  private let amount: UInt64
  private let first: UInt64
  private var runs = DrawnRuns()
  private var counts: [String: Int] = [:]
  private var played: UInt64 = 0
  private var failures = 0

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let amount = UInt64(arguments[2].filter(\.isNumber)) else {
      print("usage: drawn-runs FOLDER (SECONDSs | COUNT) [SEED]")
      exit(2)
    }
    let seed = arguments.count > 3 ? UInt64(arguments[3]) : nil
    var command = DrawnRunsCommand(
      folder: URL(filePath: arguments[1], directoryHint: .isDirectory),
      isTimed: arguments[2].hasSuffix("s"), amount: amount,
      first: seed ?? UInt64.random(in: 0..<1 << 40))
    try command.run()
    exit(command.failures == 0 ? 0 : 1)
  }

  private init(folder: URL, isTimed: Bool, amount: UInt64, first: UInt64) {
    self.folder = folder
    self.isTimed = isTimed
    self.amount = amount
    self.first = first
  }

  private mutating func run() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let current = folder.appending(path: "current-\(first).json")
    let began = Date()
    say("drawn from seed \(first)")
    while isTimed ? Date().timeIntervalSince(began) < Double(amount) : played < amount {
      let scenario = DrawnScenario(seed: first + played)
      played += 1
      counts[scenario.kind.rawValue, default: 0] += 1
      try Data(scenario.text.utf8).write(to: current)
      let problems = runs.problems(of: scenario)
      if !problems.isEmpty { try report(problems, of: scenario) }
      if played.isMultiple(of: 10_000) { say("\(played) scenarios, \(failures) went wrong") }
    }
    try FileManager.default.removeItem(at: current)
    let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    say("\(played) scenarios (\(kinds.joined(separator: ", "))), \(failures) went wrong")
  }

  private mutating func report(_ problems: [String], of scenario: DrawnScenario) throws {
    failures += 1
    say("\(scenario.id):\n  \(problems.joined(separator: "\n  "))\n\(scenario.text)")
    let name = "\(scenario.kind.rawValue)-\(scenario.seed).json"
    try Data(scenario.text.utf8).write(to: folder.appending(path: name))
  }

  /// Prints unbuffered, so that an observer sees the output immediately.
  private func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
