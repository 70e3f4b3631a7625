import FoundationEssentials
import Glibc
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverLinux
import HandoverProcess
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

/// A backend in another process with one injected bug.
///
/// The bugs are in `wrong.py` and `wrong_transport.py` in `Fixtures/Backends`.
struct WrongBackend: Sendable {
  /// The file with the bug.
  var file: String
  var name: String
  /// The expected verdict, which is ERROR if the backend violates the protocol, or else FAILED.
  var verdict: Verdict
  /// The profile and the scenario on which the backend must get this verdict.
  var profile: Profile
  var scenario: String
  /// The requirements that the scenario then shows to be violated.
  var items: [String]
  /// The bug, as words that follow "It".
  var meaning: String

  /// Parses a line that `--list` of a file prints; returns `nil` for a correct backend.
  init?(_ line: Substring, of file: String) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, let profile = Profile.named(parts[2]),
      let verdict = [Verdict.failed, .error].first(where: { $0.name == parts[1] })
    else { return nil }
    self.file = file
    name = parts[0]
    self.verdict = verdict
    self.profile = profile
    scenario = parts[3]
    items = parts[4].split(separator: " ").map(String.init)
    meaning = parts[5]
  }

  /// The time limit of an answer.
  ///
  /// A backend that never answers uses the whole time.
  private var timeout: Interval { verdict == .error ? .seconds(2) : .seconds(60) }

  /// The row of the report before the backend is run.
  var row: SelftestReport.Row {
    var row = SelftestReport.Row(
      name: "backend:\(name)", sentence: "It \(meaning).",
      kind: "backend", items: items,
      scenarios: [scenario])
    row.unseen = "it is another process, which explorations do not cover"
    return row
  }

  /// The files with bugs.
  static let files = ["wrong.py", "wrong_transport.py"]

  /// Returns the rows of all backends before they are run, or the reason why they cannot be run.
  static func listed() -> (rows: [SelftestReport.Row], skipped: String?) {
    do throws(PythonHome.Obstacle) {
      return (try PythonHome().backends.map(\.row), nil)
    } catch {
      return ([], error.text)
    }
  }

  /// Runs all backends.
  ///
  /// - Parameters:
  ///   - scenarios: The bundled scenarios.
  ///   - jobs: The number of backends that run in parallel.
  /// - Returns: The results, or the reason why the backends cannot be run.
  static func played(
    on scenarios: [Scenario], jobs: Int
  ) -> (rows: [SelftestReport.Row], skipped: String?) {
    let home: PythonHome
    do throws(PythonHome.Obstacle) {
      home = try PythonHome()
    } catch {
      return ([], error.text)
    }
    let backends = home.backends
    let rows = Mutex<[SelftestReport.Row?]>(Array(repeating: nil, count: backends.count))
    let next = Atomic(0)
    ThreadWorkers(min(jobs, ThreadWorkers.range.upperBound)).work { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < backends.count else { return }
        let row = backends[index].played(by: home, on: scenarios)
        rows.withLock { $0[index] = row }
      }
    }
    return (rows.withLock { $0.compactMap { $0 } }, nil)
  }

  private func played(by python: PythonHome, on scenarios: [Scenario]) -> SelftestReport.Row {
    var row = row
    guard let scenario = scenarios.first(where: { $0.id == self.scenario }) else {
      row.survival = "the scenario \(self.scenario) is missing"
      return row
    }
    do throws(BackendError) {
      let process = try ProcessBackend("\(python.command(of: file)) \(name)", timeout: timeout)
      let backend =
        switch process {
        case .clients(let clients): SimulatedBackend(of: clients)
        case .transports(let transports): SimulatedBackend(over: transports)
        }
      var worker = Worker(backend)
      note(Kill(worker.run(scenario, on: [profile])), in: &row)
    } catch {
      note(error: error.message, in: &row)
    }
    return row
  }

  private func note(_ kill: Kill, in row: inout SelftestReport.Row) {
    if let error = kill.breakdown { return note(error: error, in: &row) }
    if let finding = kill.finding, verdict == .failed {
      row.detection = "\(scenario): \(finding.expected); seen: \(finding.seen)"
      if let item = items.first(where: { !kill.shows($0) }) {
        row.survival = "no expectation that shows \(item) fails"
      }
    } else {
      row.survival =
        kill.isDetected ? "\(scenario) fails without an ERROR" : "\(scenario) passes"
    }
  }

  /// Records an error; a backend that violates the protocol is expected to give no verdict.
  private func note(error: String, in row: inout SelftestReport.Row) {
    if verdict == .error {
      row.detection = "\(scenario): \(error)"
    } else {
      row.survival = "\(scenario) has no verdict: \(error)"
    }
  }
}

/// A temporary folder with files of `Fixtures/Backends`, which is removed with the object or if a
/// signal ends the process.
private final class PythonHome: Sendable {
  private static let files =
    [
      "handover_backend.py", "reference.py", "reference_rules.py", "transport.py",
    ] + WrongBackend.files
  private let folder: URL
  private let python: String
  let backends: [WrongBackend]

  struct Obstacle: Error {
    var text: String
  }

  init() throws(Obstacle) {
    let path = Environment.variable("PATH").split(separator: ":").map { "\($0)/python3" }
    guard let python = path.first(where: { SystemFile.allows(X_OK, $0) }) else {
      throw Obstacle(text: "python3 is not installed, so no wrong backend ran.")
    }
    self.python = python
    folder = URL(filePath: Environment.temporaryFolder)
      .appending(path: "handover-\(UUID().uuidString)")
    var backends: [WrongBackend] = []
    do {
      var contents: [String: Data] = [:]
      for file in Self.files {
        contents[file] = BundledFiles.bytes(of: "\(BundledFiles.backends)/\(file)").map { Data($0) }
      }
      try OutputFile.makeTemporaryFolder(folder, with: contents)
      for file in WrongBackend.files {
        let list = ProcessOutput.of([python, "-B", folder.appending(path: file).path, "--list"])
        guard let list else { throw CocoaError(.fileReadUnknown) }
        backends += list.split(separator: "\n").compactMap { WrongBackend($0, of: file) }
      }
    } catch {
      _ = OutputFile.removeTemporaryFolder(folder)
      throw Obstacle(
        text: "The files of the wrong backends cannot be written, so none of them ran.")
    }
    self.backends = backends
  }

  deinit { _ = OutputFile.removeTemporaryFolder(folder) }

  /// Returns the command that starts a file, for a shell.
  func command(of file: String) -> String {
    ShellWord.quoted(python) + " -B " + ShellWord.quoted(folder.appending(path: file).path)
  }
}
