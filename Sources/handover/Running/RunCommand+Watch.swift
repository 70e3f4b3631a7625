import HandoverEngine
import HandoverReport
import HandoverScenario
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension RunCommand {
  /// Runs everything once, and then what each save touches, until a signal comes.
  ///
  /// - Returns: the status that goes with the signal.
  func replayOnSave(_ known: KnownFailures, _ interruption: Interruption) throws -> ExitStatus {
    guard let watcher = FileWatcher() else {
      printError("error: files cannot be watched: \(unsafe String(cString: strerror(errno)))")
      throw Leave(.breakdown)
    }
    interruption.asLastResort { .done }
    var watched = WatchedScenarios(paths, watcher)
    guard watched.watchedCount > 0 else { throw Leave(.badInput) }
    watched.reading.showComplaints(color)
    try replay(plan(watched.reading.scenarios), known, interruption, into: &watched)
    if interruption.received == nil, !failFast, watched.reading.errorCount == 0 {
      known.warnOfUnmatched(among: watched.reading.scenarios)
    }
    say("Waiting for saved changes of \(paths.joined(separator: ", ")); Ctrl-C ends.")
    while interruption.received == nil, StandardStream.outputProblem == nil {
      // Each run has had itself told of signals in the place of the watcher.
      interruption.whenReceived { watcher.wakeUp() }
      watcher.wait()
      guard interruption.received == nil, let changes = watched.look() else { continue }
      let again = plan(watched.reading.scenarios.filter { watched.isTouched($0.file, by: changes) })
      say("\n-- \(counted(again.count, "scenario")) again (\(changes.description)) --")
      Reading.show(watched.newComplaints(changes), color)
      try replay(again, known, interruption, into: &watched)
    }
    say("\nInterrupted. Last state of \(counted(watched.latest.count, "file")): \(watched.line)")
    return interruption.exitStatus ?? .badInput
  }

  /// Runs a plan and keeps what came out, without the traces.
  private func replay(
    _ plan: [PlannedScenario], _ known: KnownFailures, _ interruption: Interruption,
    into watched: inout WatchedScenarios
  ) throws {
    guard !plan.isEmpty else { return }
    let kept = KeptResults()
    _ = try replay(plan, known, interruption) { kept.add($0) }
    for result in kept.all { watched.latest[result.scenario.file] = result }
  }

  /// Says something beside the reports: where a program reads them, on standard error.
  private func say(_ text: String) {
    let isForPeople = output.allSatisfy { $0.format == .pretty }
    (isForPeople ? StandardStream.output : .error).say(text)
  }
}

/// Results that come in from some threads.
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

/// The scenario files that are watched, and what came out of each the last time.
struct WatchedScenarios {
  private let paths: [String]
  private let watcher: FileWatcher
  private var snapshot: ScenarioSnapshot
  /// What could be run before the last look.
  private var readBefore: Set<String> = []
  private var complainedBefore: Set<Complaint> = []
  private var unwatched: Set<String> = []
  private(set) var watchedCount = 0
  private(set) var reading: Reading
  /// What came out of each file the last time it was run.
  var latest: [String: ScenarioResult] = [:]

  init(_ paths: [String], _ watcher: FileWatcher) {
    self.paths = paths
    self.watcher = watcher
    snapshot = ScenarioSnapshot(paths)
    reading = Reading([])
    watchDirectories()
    // What is saved after this look has woken the watcher up.
    snapshot = ScenarioSnapshot(paths)
    reading = Reading(paths)
  }

  /// The sum of what came out of all files that are still there.
  var line: String {
    Summary(latest.keys.sorted().compactMap { latest[$0] }).line
  }

  /// Looks at the files again; nil where nothing became of them.
  mutating func look() -> ScenarioChanges? {
    let old = snapshot
    snapshot = ScenarioSnapshot(paths)
    watchDirectories()
    snapshot = ScenarioSnapshot(paths)
    let changes = snapshot.changes(since: old)
    guard !changes.isEmpty else { return nil }
    readBefore = Set(reading.scenarios.map(\.file))
    complainedBefore = Set(reading.complaints)
    // All are read, because two files must not have one id.
    reading = Reading(paths)
    let readable = Set(reading.scenarios.map(\.file))
    latest = latest.filter { readable.contains($0.key) }
    return changes
  }

  /// Whether a file is to be run again: it changed, or something that stood in its way went.
  func isTouched(_ file: String, by changes: ScenarioChanges) -> Bool {
    changes.touched.contains(file) || !readBefore.contains(file)
  }

  /// What is wrong with what a save touched, or was not before.
  func newComplaints(_ changes: ScenarioChanges) -> [Complaint] {
    reading.complaints.filter { complaint in
      !complainedBefore.contains(complaint)
        || changes.touched.contains(complaint.file)
    }
  }

  /// A directory that is watched already is only confirmed; one that was made anew is not.
  private mutating func watchDirectories() {
    watchedCount = 0
    for directory in snapshot.directories {
      if watcher.watch(directory) {
        watchedCount += 1
        unwatched.remove(directory)
        continue
      }
      let reason = unsafe String(cString: strerror(errno))
      guard unwatched.insert(directory).inserted else { continue }
      printError("\(directory): warning: changes here are not noticed: \(reason)")
    }
  }
}
