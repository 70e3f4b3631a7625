#if os(Linux)
  import Glibc
  import HandoverBackend
  import HandoverCore
  import HandoverEngine
  import HandoverFaults
  import HandoverLinux
  import HandoverProcess
  import HandoverReport
  import HandoverScenario
  import HandoverSimulation
  import Synchronization

  /// A backend in another process that is wrong in one way: a fault of `wrong.py` or
  /// `wrong_transport.py` in `Fixtures/Backends`.
  struct WrongBackend: Sendable {
    /// The file that has the fault.
    var file: String
    var name: String
    /// The verdict that it deserves: ERROR if it breaks the protocol, else FAILED.
    var verdict: Verdict
    /// The profile and the scenario on which it must get this verdict.
    var profile: Profile
    var scenario: String
    /// The items that the scenario then shows to be broken.
    var items: [String]
    /// What is wrong, as words that follow "It".
    var meaning: String

    /// Reads a line that `--list` of a file prints; nil for a backend that is right.
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

    /// How long a process may take to answer.
    ///
    /// A backend that never answers takes all of it.
    private var timeout: Interval { verdict == .error ? .seconds(2) : .seconds(60) }

    /// What is known of it before it is played.
    var row: SelftestReport.Row {
      var row = SelftestReport.Row(
        name: "backend:\(name)", sentence: "It \(meaning).",
        kind: "backend", items: items,
        scenarios: [scenario])
      row.unseen = "it is another process, which scenarios are played on"
      return row
    }

    /// The files that have faults.
    static let files = ["wrong.py", "wrong_transport.py"]

    /// The rows of all of them before they are played; none, and why, if they cannot be played.
    static func listed() -> (rows: [SelftestReport.Row], skipped: String?) {
      switch PythonHome.make() {
      case .failure(let reason): ([], reason.text)
      case .success(let home): (home.backends.map(\.row), nil)
      }
    }

    /// Plays all of them.
    ///
    /// - Parameters:
    ///   - scenarios: the bundled scenarios.
    ///   - jobs: how many at the same time.
    /// - Returns: the results; none, and the reason, if they cannot be played.
    static func played(
      on scenarios: [Scenario], jobs: Int
    ) -> (rows: [SelftestReport.Row], skipped: String?) {
      let home: PythonHome
      switch PythonHome.make() {
      case .failure(let reason): return ([], reason.text)
      case .success(let made): home = made
      }
      let backends = home.backends
      let rows = Mutex<[SelftestReport.Row?]>(Array(repeating: nil, count: backends.count))
      let next = Atomic(0)
      ThreadTeam(min(jobs, ThreadTeam.range.upperBound)).work { _ in
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < backends.count else { return }
          let row = backends[index].played(by: home.command, on: scenarios)
          rows.withLock { $0[index] = row }
        }
      }
      return (rows.withLock { $0.compactMap { $0 } }, nil)
    }

    private func played(by python: String, on scenarios: [Scenario]) -> SelftestReport.Row {
      var row = row
      guard let scenario = scenarios.first(where: { $0.id == self.scenario }) else {
        row.survival = "there is no scenario \(self.scenario)"
        return row
      }
      do throws(BackendError) {
        let process = try ProcessBackend("\(python)/\(file) \(name)", timeout: timeout)
        let backend =
          switch process {
          case .clients(let clients): SimulatedBackend(of: clients)
          case .transports(let transports): SimulatedBackend(over: transports)
          }
        var worker = Worker(backend)
        note(Conviction(worker.run(scenario, on: [profile])), in: &row)
      } catch {
        note(error: error.message, in: &row)
      }
      return row
    }

    private func note(_ conviction: Conviction, in row: inout SelftestReport.Row) {
      if let error = conviction.breakdown { return note(error: error, in: &row) }
      if let finding = conviction.finding, verdict == .failed {
        row.conviction = "\(scenario): \(finding.expected); seen: \(finding.seen)"
        if let item = items.first(where: { !conviction.shows($0) }) {
          row.survival = "no expectation that shows \(item) fails"
        }
      } else {
        row.survival =
          conviction.isConvicted ? "\(scenario) fails and is no ERROR" : "\(scenario) passes"
      }
    }

    /// A backend that breaks the protocol gives no verdict, from its handshake on.
    private func note(error: String, in row: inout SelftestReport.Row) {
      if verdict == .error {
        row.conviction = "\(scenario): \(error)"
      } else {
        row.survival = "\(scenario) has no verdict: \(error)"
      }
    }
  }

  /// A temporary folder with files of `Fixtures/Backends`, which is removed with the object.
  private final class PythonHome: Sendable {
    private static let files =
      [
        "handover_backend.py", "reference.py", "reference_rules.py", "transport.py",
      ] + WrongBackend.files
    let path: String
    /// What starts one of the files, but for the slash and its name.
    let command: String
    let backends: [WrongBackend]

    struct Obstacle: Error {
      var text: String
    }

    static func make() -> Result<PythonHome, Obstacle> {
      let path = Environment.variable("PATH").split(separator: ":").map { "\($0)/python3" }
      guard let python = path.first(where: { unsafe access($0, X_OK) == 0 }) else {
        return .failure(Obstacle(text: "There is no python3, so that no wrong backend was played."))
      }
      guard let home = PythonHome(python) else {
        return .failure(
          Obstacle(text: "Their files cannot be written, so that no wrong backend was played."))
      }
      return .success(home)
    }

    private init?(_ python: String) {
      let wanted = Environment.variable("TMPDIR")
      var template = Array("\(wanted.isEmpty ? "/tmp" : wanted)/handover-XXXXXX".utf8CString)
      guard unsafe mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      var backends: [WrongBackend] = []
      for file in Self.files {
        guard let bytes = BundledFiles.bytes(of: "\(BundledFiles.backends)/\(file)"),
          NewFile.write(bytes, to: "\(path)/\(file)", replacing: false) == nil
        else {
          Self.remove(path)
          return nil
        }
      }
      for file in WrongBackend.files {
        guard let list = ProcessOutput.of([python, "-B", "\(path)/\(file)", "--list"]) else {
          Self.remove(path)
          return nil
        }
        backends += list.split(separator: "\n").compactMap { WrongBackend($0, of: file) }
      }
      self.path = path
      command = "\(python) -B \(path)"
      self.backends = backends
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
      for file in files { _ = unsafe unlink("\(path)/\(file)") }
      _ = unsafe rmdir(path)
    }
  }
#endif
