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

  /// Clients of another process that are wrong in one way each: faults of
  /// `Fixtures/Backends/wrong.py`, which speaks the protocol as anybody's client does.
  ///
  /// What convicts the built-in client must convict others, of which it sees what they show.
  struct WrongBackend: Sendable {
    /// The name of the fault.
    var name: String
    var sentence: String
    /// The items that it is against, and the scenario that must convict it of them.
    var items: [String]
    var scenario: String

    static let all = [
      WrongBackend(
        name: "ignores-none-to-wifi", sentence: "It does not react where the WiFi returns.",
        items: ["M11"], scenario: "transitions/wifi-none-wifi"),
      WrongBackend(
        name: "ends-cancelled", sentence: "It ends calls CANCELLED at a transition.",
        items: ["O3"], scenario: "transitions/every-host-is-hit"),
      WrongBackend(
        name: "never-ends", sentence: "It tells nobody of the end of a call at a transition.",
        items: ["O3"], scenario: "transitions/every-host-is-hit"),
      WrongBackend(
        name: "keeps-the-channel", sentence: "It keeps the channel at a transition.",
        items: ["O4"], scenario: "transitions/every-host-is-hit"),
      WrongBackend(
        name: "cuts-backoff", sentence: "It waits half of each backoff.", items: ["B1"],
        scenario: "backoff/delays-grow"),
      WrongBackend(
        name: "ignores-goaway", sentence: "It starts calls on a connection after GOAWAY.",
        items: ["B8"], scenario: "server/ignores-calls-after-goaway"),
      WrongBackend(
        name: "destroys-unused-at-once", sentence: "It keeps no channel without calls.",
        items: ["P6"], scenario: "pool/long-call-keeps-its-channel"),
    ]

    /// How long the process may take to answer.
    private static let timeout = Interval.seconds(10)

    /// What is known of it before it is played.
    var row: SelftestReport.Row {
      var row = SelftestReport.Row(
        name: "backend:\(name)", sentence: sentence, kind: "backend", items: items,
        scenarios: [scenario])
      row.unseen = "it is another process, which scenarios are played on"
      return row
    }

    /// Plays all of them.
    ///
    /// - Parameter scenarios: the bundled scenarios.
    /// - Returns: what became of each; none, and why, where they cannot be played.
    static func played(
      on scenarios: [Scenario]
    ) -> (rows: [SelftestReport.Row], skipped: String?) {
      let path = Environment.variable("PATH").split(separator: ":").map { "\($0)/python3" }
      guard let python = path.first(where: { unsafe access($0, X_OK) == 0 }) else {
        return ([], "There is no python3, so that no wrong backend was played.")
      }
      guard let home = PythonHome() else {
        return ([], "Their files cannot be written, so that no wrong backend was played.")
      }
      return (all.map { $0.played(by: "\(python) -B \(home.path)", on: scenarios) }, nil)
    }

    private func played(by python: String, on scenarios: [Scenario]) -> SelftestReport.Row {
      var row = row
      guard let scenario = scenarios.first(where: { $0.id == self.scenario }) else {
        row.survival = "there is no scenario \(self.scenario)"
        return row
      }
      do throws(BackendError) {
        let process = try ProcessBackend("\(python)/wrong.py \(name)", timeout: Self.timeout)
        guard case .clients(let clients) = process else {
          row.survival = "it is no client"
          return row
        }
        var worker = Worker(SimulatedBackend(of: clients))
        let conviction = Conviction(worker.run(scenario, on: [.socketsMonitor]))
        if let finding = conviction.finding {
          row.conviction = "\(scenario.id): \(finding.expected); seen: \(finding.seen)"
        }
        if let breakdown = conviction.breakdown {
          row.survival = "\(scenario.id) has no verdict: \(breakdown)"
        } else if let item = items.first(where: { !conviction.shows($0) }) {
          row.survival =
            conviction.isConvicted
            ? "no expectation that shows \(item) fails" : "\(scenario.id) passes"
        }
      } catch {
        row.survival = "it did not run: \(error.message)"
      }
      return row
    }
  }

  /// A folder of its own with the files of `Fixtures/Backends`, which goes when nobody needs it.
  private final class PythonHome {
    private static let files = [
      "handover_backend.py", "reference.py", "reference_rules.py", "wrong.py",
    ]
    let path: String

    init?() {
      let wanted = Environment.variable("TMPDIR")
      var template = Array("\(wanted.isEmpty ? "/tmp" : wanted)/handover-XXXXXX".utf8CString)
      guard unsafe mkdtemp(&template) != nil else { return nil }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      for file in Self.files {
        guard let bytes = BundledFiles.bytes(of: "\(BundledFiles.backends)/\(file)"),
          NewFile.write(bytes, to: "\(path)/\(file)", replacing: false) == nil
        else {
          remove()
          return nil
        }
      }
    }

    deinit { remove() }

    private func remove() {
      for file in Self.files { _ = unsafe unlink("\(path)/\(file)") }
      _ = unsafe rmdir(path)
    }
  }
#endif
