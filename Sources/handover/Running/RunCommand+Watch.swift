import Glibc
import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import Synchronization

extension RunCommand {
  /// Runs everything once, and then the scenarios affected by each save, until a signal arrives.
  ///
  /// - Returns: The status for the signal.
  func replayOnSave(_ known: KnownFailures, _ interruption: Interruption) throws -> ExitStatus {
    guard let watcher = FileWatcher() else {
      throw ExitError(.breakdown, printing: "error: cannot watch files: \(systemErrorText(errno))")
    }
    interruption.asLastResort { .done }
    var watched = WatchedScenarios(paths, watcher)
    guard watched.watchedCount > 0 else { throw ExitError(.badInput) }
    watched.reading.showComplaints(color)
    try replay(plan(watched.reading.scenarios), known, interruption, into: &watched)
    if interruption.received == nil, !failFast, watched.reading.errorCount == 0 {
      known.warnOfUnmatched(among: watched.reading.scenarios)
    }
    say("Waiting for changes in \(paths.joined(separator: ", ")). Press Ctrl-C to stop.")
    while interruption.received == nil, StandardStream.outputProblem == nil {
      // Each run replaces the signal's action, so it must be set again.
      interruption.whenReceived { watcher.wakeUp() }
      watcher.wait()
      guard interruption.received == nil, let changes = watched.changesSinceLastCheck() else {
        continue
      }
      let again = plan(watched.reading.scenarios.filter { watched.isTouched($0.file, by: changes) })
      say("\n-- \(counted(again.count, "scenario")) again (\(changes.description)) --")
      Reading.show(watched.newComplaints(changes), color)
      try replay(again, known, interruption, into: &watched)
    }
    say("\nInterrupted. Last results of \(counted(watched.latest.count, "file")): \(watched.line)")
    return interruption.exitStatus ?? .badInput
  }

  /// Runs a plan and stores the results without their traces.
  private func replay(
    _ plan: [PlannedScenario], _ known: KnownFailures, _ interruption: Interruption,
    into watched: inout WatchedScenarios
  ) throws {
    guard !plan.isEmpty else { return }
    let kept = KeptResults()
    _ = try replay(plan, known, interruption) { kept.add($0) }
    for result in kept.all { watched.latest[result.scenario.file] = result }
  }

  /// Prints a message next to the reports; if a program reads those, on standard error.
  private func say(_ text: String) {
    let isForPeople = output.allSatisfy { $0.format == .pretty }
    (isForPeople ? StandardStream.output : .error).say(text)
  }
}

/// The results of several threads.
private final class KeptResults: Sendable {
  private let results = Mutex<[ScenarioResult]>([])

  var all: [ScenarioResult] { results.withLock { $0 } }

  func add(_ result: ScenarioResult) {
    var result = result
    for index in result.cases.indices { result.cases[index].trace = nil }
    for index in result.variants.indices { result.variants[index].trace = nil }
    results.withLock { $0.append(result) }
  }
}

/// The watched scenario files, and the latest result of each.
struct WatchedScenarios {
  private let paths: [String]
  private let watcher: FileWatcher
  private var snapshot: ScenarioSnapshot
  /// The files that could be run before the last check.
  private var readBefore: Set<String> = []
  private var shownComplaints: Set<Complaint> = []
  private var unwatched: Set<String> = []
  private(set) var watchedCount = 0
  private(set) var reading: Reading
  /// The latest result of each file.
  var latest: [String: ScenarioResult] = [:]

  init(_ paths: [String], _ watcher: FileWatcher) {
    self.paths = paths
    self.watcher = watcher
    snapshot = ScenarioSnapshot(paths)
    reading = Reading([])
    watchDirectories()
    // A save after this snapshot has triggered the watcher.
    snapshot = ScenarioSnapshot(paths)
    reading = Reading(paths)
  }

  /// The summary of the latest results of all files that still exist.
  var line: String {
    Summary(latest.keys.sorted().compactMap { latest[$0] }).line
  }

  /// Checks the files again, and returns their changes or `nil` if there are none.
  mutating func changesSinceLastCheck() -> ScenarioChanges? {
    let old = snapshot
    snapshot = ScenarioSnapshot(paths)
    watchDirectories()
    snapshot = ScenarioSnapshot(paths)
    let changes = snapshot.changes(since: old)
    guard !changes.isEmpty else { return nil }
    readBefore = Set(reading.scenarios.map(\.file))
    shownComplaints = Set(reading.complaints)
    // All files are read again, because ids must be unique.
    reading = Reading(paths)
    let readable = Set(reading.scenarios.map(\.file))
    latest = latest.filter { readable.contains($0.key) }
    return changes
  }

  /// Returns whether a file must be run again, because it changed or can be read again.
  func isTouched(_ file: String, by changes: ScenarioChanges) -> Bool {
    changes.touched.contains(file) || !readBefore.contains(file)
  }

  /// Returns the complaints that are new or concern a changed file.
  func newComplaints(_ changes: ScenarioChanges) -> [Complaint] {
    reading.complaints.filter { complaint in
      !shownComplaints.contains(complaint)
        || changes.touched.contains(complaint.file)
    }
  }

  /// Watches all directories again, because a directory may have been replaced.
  private mutating func watchDirectories() {
    watchedCount = 0
    for directory in snapshot.directories {
      if watcher.watch(directory) {
        watchedCount += 1
        unwatched.remove(directory)
        continue
      }
      let reason = systemErrorText(errno)
      guard unwatched.insert(directory).inserted else { continue }
      printError("\(directory): warning: changes here are not detected: \(reason)")
    }
  }
}
