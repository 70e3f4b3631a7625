import ArgumentParser
import HandoverEngine
import HandoverJSON
import HandoverLinux
import HandoverReport
import HandoverScenario
import Synchronization

/// Something to write that is asked for as `FORMAT=FILE`.
protocol FileOutput: ExpressibleByArgument, Sendable {
  associatedtype Format: RawRepresentable<String>

  /// The file; `-` is standard output.
  var file: String { get }

  init(format: Format, file: String)
}

extension FileOutput {
  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let format = Format(rawValue: String(parts[0]))
    else { return nil }
    self.init(format: format, file: String(parts[1]))
  }

  /// Refuses a file that more than one of them would be written to, by whatever names.
  static func validateFiles(of outputs: [Self]) throws {
    var seen: Set<String> = []
    var files: Set<FileIdentity> = []
    for output in outputs {
      let isNew = FileIdentity(output.file).map { files.insert($0).inserted } ?? true
      guard seen.insert(output.file).inserted, isNew else {
        throw ValidationError(
          "Two reports cannot both go to \(output.file); give one another file.")
      }
    }
  }
}

/// A report that is asked for.
struct ReportOutput: FileOutput {
  enum Format: String, CaseIterable {
    case pretty
    case tap
    case junit
    case jsonl
    case github
    /// A trace of each case, in a directory.
    case trace
  }

  var format: Format
  /// The file, or the directory of traces; `-` is standard output.
  var file: String

  /// Whether it is one text about all of the run.
  var isReport: Bool { format != .trace }

  /// What is written where nothing is asked for.
  static let usual = ReportOutput(format: .pretty, file: "-")

  /// Begins the files of all reports, so that one that cannot be written is told before the run.
  ///
  /// - Parameters:
  ///   - outputs: what is asked for.
  ///   - color: when colour is used.
  ///   - fullyTold: how many failures people are told of in full.
  /// - Throws: ``Leave`` where a file cannot be written, which has been told then.
  /// - Returns: the reports with their files.
  static func opened(
    _ outputs: [ReportOutput], color: ColorChoice, fullyTold: Int
  ) throws -> [OpenReport] {
    try outputs.compactMap { output in
      // A file has no width, and colours only where somebody insists.
      let style = output.file == "-" ? .of(.output, color) : Style(isColoured: color == .always)
      guard let reporter = output.reporter(style, fullyTold) else { return nil }
      return OpenReport(
        reporter: reporter, file: try .opened(output.file),
        isForPeople: output.format == .pretty || output.format == .tap,
        isColoured: style.isColoured)
    }
  }

  /// What writes the report; nil for traces, which are no report.
  private func reporter(_ style: Style, _ fullyTold: Int) -> (any Reporter)? {
    switch format {
    case .pretty: PrettyReport(style: style, fullyTold: fullyTold)
    case .tap: TAPReport()
    case .junit: JUnitReport()
    case .jsonl: JSONLinesReport()
    case .github: GitHubReport()
    case .trace: nil
    }
  }
}

/// A report with the file that it goes to.
struct OpenReport {
  var reporter: any Reporter
  var file: OutputFile
  /// Whether it is plain text, which people read.
  ///
  /// Other formats escape their texts themselves.
  var isForPeople: Bool
  var isColoured: Bool

  mutating func write(_ text: String) {
    if isForPeople {
      file.show(text, isColoured: isColoured)
    } else {
      file.write(text)
    }
  }
}

/// All reports of a run, written as the results come in.
final class Reports: Sendable {
  private struct State {
    var reports: [OpenReport]
    /// How many scenarios there are to be; nil where it never came to that.
    let plannedScenarios: Int?
    var summary = Summary()
    /// The names of the cases that have come to an end.
    var finished: Set<String> = []
    /// Traces that could not be written.
    var lostTraces = 0
    var isFinished = false

    mutating func finish() {
      guard !isFinished else { return }
      isFinished = true
      for index in reports.indices {
        reports[index].write(reports[index].reporter.finish(summary))
        reports[index].file.finish()
      }
      // Here, because the process may end as soon as everything is finished.
      if summary.wasInterrupted, let plannedScenarios {
        printError(
          "Interrupted: \(summary.scenarios) of \(counted(plannedScenarios, "scenario")) were run; "
            + "\(counted(summary.unfinished, "case")) came to no end.")
      }
      for failure in failures { printError(failure.description) }
      if lostTraces > 0 { printError(counted(lostTraces, "trace") + " could not be written.") }
    }

    /// What could not be written, but for standard output.
    var failures: [OutputFailure] { reports.compactMap(\.file.failure) }
  }

  private let state: Mutex<State>
  private let isFinishing = Atomic(false)
  private let run: RunDescription
  private let planned: [String]
  private let traces: TraceDirectory?

  /// Begins all reports.
  ///
  /// - Parameters:
  ///   - reports: the reports.
  ///   - traces: where traces go.
  ///   - run: what is told of the run.
  ///   - planned: the names of the cases that are to be run.
  init(
    _ reports: sending [OpenReport], traces: TraceDirectory?, describing run: RunDescription,
    planned: [String] = []
  ) {
    var reports = reports
    self.run = run
    self.planned = planned
    self.traces = traces
    for index in reports.indices {
      reports[index].write(reports[index].reporter.begin(run))
    }
    state = Mutex(State(reports: reports, plannedScenarios: run.plannedScenarios))
  }

  /// Takes a result in.
  ///
  /// - Returns: whether there is anybody left who reads of it.
  func add(_ result: ScenarioResult) -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      state.summary.add(result)
      for one in result.cases { state.finished.insert(one.name) }
      // Before the reports, which name the files.
      for complaint in traces?.write(result, describing: run) ?? [] {
        // One disk that is full would be told for each case.
        if state.lostTraces == 0 { printError(complaint) }
        state.lostTraces += 1
      }
      for index in state.reports.indices {
        state.reports[index].write(state.reports[index].reporter.scenarioEnded(result))
      }
      return traces != nil || state.reports.contains { $0.file.isOpen }
    }
  }

  /// Whether every report and every trace was written, but for standard output.
  var areWritten: Bool { state.withLock { $0.lostTraces == 0 && $0.failures.isEmpty } }

  /// Completes all reports, and says what is missing: cases, and what could not be written.
  ///
  /// - Parameter isInterrupted: whether a part of the plan was not run because of a signal.
  /// - Returns: the sum of what was run.
  func finish(isInterrupted: Bool) -> Summary {
    isFinishing.store(true, ordering: .relaxed)
    return state.withLock { state in
      interrupt(&state, isInterrupted)
      state.finish()
      return state.summary
    }
  }

  /// Completes all reports where nobody has them in hand.
  func finishAsLastResort() -> Interruption.LastResort {
    let isDone = state.withLockIfAvailable { state in
      interrupt(&state, true)
      state.finish()
      return true
    }
    return isDone == true ? .done : isFinishing.load(ordering: .relaxed) ? .inHand : .lost
  }

  private func interrupt(_ state: inout State, _ isInterrupted: Bool) {
    guard isInterrupted, !state.isFinished else { return }
    state.summary.wasInterrupted = true
    state.summary.unfinished = max(0, (run.plannedCases ?? 0) - state.summary.cases)
    state.summary.unfinishedNames = planned.filter { !state.finished.contains($0) }
  }
}

/// When colour is used: an explicit choice beats the environment, which beats the terminal.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto
  case always
  case never

  func isOn(for stream: StandardStream) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: Self.environmentWants() ?? stream.isTerminal
    }
  }

  private static func environmentWants() -> Bool? {
    // An empty variable counts as one that is not set.
    if !Environment.variable("NO_COLOR").isEmpty { return false }
    let forced = ["FORCE_COLOR", "CLICOLOR_FORCE"].map(Environment.variable)
    if forced.contains(where: { !$0.isEmpty && $0 != "0" }) { return true }
    if forced[0] == "0" || Environment.variable("CLICOLOR") == "0" { return false }
    return Environment.variable("TERM") == "dumb" ? false : nil
  }
}

extension Style {
  /// How what people read looks on a stream: in colour where that is wanted, and as wide as it is.
  static func of(_ stream: StandardStream, _ color: ColorChoice = .auto) -> Style {
    Style(isColoured: color.isOn(for: stream), width: stream.columnCount)
  }
}
