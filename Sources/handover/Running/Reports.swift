import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverReport
import HandoverScenario
import Synchronization

/// An output that is requested as `FORMAT=FILE`.
protocol FileOutput: ExpressibleByArgument, Sendable {
  associatedtype Format: RawRepresentable<String>

  var format: Format { get }
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

  /// Rejects outputs that would be written to the same file, even under different paths.
  static func validateFiles(of outputs: [Self]) throws {
    var seen: Set<String> = []
    var files: Set<FileIdentity> = []
    for output in outputs {
      let isNew = FileIdentity(output.file).map { files.insert($0).inserted } ?? true
      guard seen.insert(output.file).inserted, isNew else {
        throw ValidationError(
          "Two reports cannot use the same file \(output.file). Change one of them.")
      }
      if output.format.rawValue == "perfetto", output.file == "-" {
        throw ValidationError(
          "A Perfetto trace is binary and needs a file: -o perfetto=run.pftrace.")
      }
    }
  }
}

/// A requested report.
struct ReportOutput: FileOutput {
  enum Format: String, CaseIterable {
    case pretty
    case tap
    case junit
    case jsonl
    case github
    case githubSummary = "github-summary"
    case ctrf
    case otlp
    case perfetto
    /// A trace of each case, in a directory.
    case trace
  }

  var format: Format
  /// The file, or the directory of traces; `-` is standard output.
  var file: String

  /// Whether the output is a single file about the whole run.
  var isReport: Bool { format != .trace }
  /// Whether the report shows what happened in the cases that passed.
  var showsTimelines: Bool { format == .perfetto || format == .otlp }

  /// The default output.
  static let standard = ReportOutput(format: .pretty, file: "-")

  /// Opens the files of all reports before the run, so that failures are reported early.
  ///
  /// - Parameters:
  ///   - outputs: The requested reports.
  ///   - color: The setting for colors.
  ///   - detailCount: The number of failures that reports for people show in full.
  /// - Throws: ``ExitError`` if a file cannot be written, after an error message.
  /// - Returns: The reports with their files.
  static func opened(
    _ outputs: [ReportOutput], color: ColorChoice, detailCount: Int
  ) throws -> [OpenReport] {
    try outputs.compactMap { output in
      // A file has no width, and gets colors only with `--color always`.
      let style = output.file == "-" ? .of(.output, color) : Style(isColored: color == .always)
      guard let reporter = output.reporter(style, detailCount) else { return nil }
      return OpenReport(
        reporter: reporter, file: try .opened(output.file),
        isForPeople: output.format == .pretty || output.format == .tap,
        isColored: style.isColored)
    }
  }

  /// Opens the report for the summary page of a GitHub workflow, if the command runs in one.
  ///
  /// - Parameter outputs: The requested reports; if one is a summary, there is no other one.
  /// - Returns: The report, or nothing.
  static func stepSummary(besides outputs: [ReportOutput]) -> [OpenReport] {
    OutputFile.stepSummary(isRequested: outputs.contains { $0.format == .githubSummary }).map {
      OpenReport(
        reporter: GitHubSummaryReport(), file: $0, isForPeople: false, isColored: false)
    }
  }

  /// Returns the reporter, or `nil` for traces, which are not a report.
  private func reporter(_ style: Style, _ detailCount: Int) -> (any Reporter)? {
    switch format {
    case .pretty: PrettyReport(style: style, detailCount: detailCount)
    case .tap: TAPReport()
    case .junit: JUnitReport()
    case .jsonl: JSONLinesReport()
    case .github: GitHubReport()
    case .githubSummary: GitHubSummaryReport()
    case .ctrf: CTRFReport()
    case .otlp: OTLPReport()
    case .perfetto: PerfettoReport()
    case .trace: nil
    }
  }
}

extension OutputFile {
  /// Opens the summary page of a GitHub workflow, if the command runs in one.
  ///
  /// All commands of a step append to one file. A file that cannot be opened is reported, but does
  /// not end the run, because a container of the workflow may have the variable without the file.
  ///
  /// - Parameter isRequested: Whether the user requested a summary; then there is no other one.
  /// - Returns: The file, or nothing.
  static func stepSummary(isRequested: Bool) -> [OutputFile] {
    let file = Environment.variable("GITHUB_STEP_SUMMARY")
    guard !file.isEmpty, !isRequested else { return [] }
    do throws(OutputFailure) {
      return [try OutputFile(appendingTo: file)]
    } catch {
      printError(error.description)
      return []
    }
  }
}

extension Environment {
  /// The identifier that a CI system gives to all jobs of a run, or `nil` elsewhere.
  static var runID: String? {
    let github = variable("GITHUB_RUN_ID")
    if !github.isEmpty { return "\(github)-\(variable("GITHUB_RUN_ATTEMPT"))" }
    let gitlab = variable("CI_PIPELINE_ID")
    return gitlab.isEmpty ? nil : gitlab
  }
}

/// A report with its file.
struct OpenReport {
  var reporter: any Reporter
  var file: OutputFile
  /// Whether the report is plain text for people.
  ///
  /// Other formats escape their texts themselves.
  var isForPeople: Bool
  var isColored: Bool

  mutating func write(_ piece: any ReportPiece) {
    switch piece.content {
    case .text(let text) where isForPeople: file.show(text, isColored: isColored)
    case .text(let text): file.write(text)
    case .bytes(let bytes): file.write(bytes)
    }
  }
}

/// All reports of a run, which are written as the results arrive.
final class Reports: Sendable {
  private struct State {
    var reports: [OpenReport]
    /// The number of planned scenarios, or `nil` if the command was stopped before the plan
    /// existed.
    let plannedScenarios: Int?
    var summary = Summary()
    /// The names of the finished cases.
    var finished: Set<String> = []
    /// The number of traces that could not be written.
    var lostTraces = 0
    var isFinished = false

    mutating func finish() {
      guard !isFinished else { return }
      isFinished = true
      summary.ended = LocalTime.now
      for index in reports.indices {
        reports[index].write(reports[index].reporter.finish(summary))
        reports[index].file.finish()
      }
      // Print this here, because the process may exit as soon as everything is finished.
      if summary.wasInterrupted, let plannedScenarios {
        printError(
          "Interrupted: \(summary.scenarios) of \(counted(plannedScenarios, "scenario")) ran; "
            + "\(counted(summary.unfinished, "case")) did not finish.")
      }
      for failure in failures { printError(failure.description) }
      if lostTraces > 0 { printError(counted(lostTraces, "trace") + " could not be written.") }
    }

    /// The failed files, except standard output.
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
  ///   - reports: The reports.
  ///   - traces: The directory of traces.
  ///   - run: The description of the run.
  ///   - planned: The names of the planned cases.
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

  /// Adds a result.
  ///
  /// - Returns: Whether any output still accepts results.
  func add(_ result: ScenarioResult) -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      state.summary.add(result)
      for one in result.cases { state.finished.insert(one.name) }
      // Traces are written first, because the reports name their files.
      for complaint in traces?.write(result, describing: run) ?? [] {
        // Print only the first complaint, because a full disk would repeat it for each case.
        if state.lostTraces == 0 { printError(complaint) }
        state.lostTraces += 1
      }
      for index in state.reports.indices {
        state.reports[index].write(state.reports[index].reporter.scenarioEnded(result))
      }
      return traces != nil || state.reports.contains { $0.file.isOpen }
    }
  }

  /// Whether every report and every trace was written, except to standard output.
  var areWritten: Bool { state.withLock { $0.lostTraces == 0 && $0.failures.isEmpty } }

  /// Completes all reports, and prints the number of unfinished cases and the failures to write.
  ///
  /// - Parameter isInterrupted: Whether a part of the plan was not run because of a signal.
  /// - Returns: The summary of the run.
  func finish(isInterrupted: Bool) -> Summary {
    isFinishing.store(true, ordering: .relaxed)
    return state.withLock { state in
      interrupt(&state, isInterrupted)
      state.finish()
      return state.summary
    }
  }

  /// Completes all reports if no other thread has locked them.
  func finishAsLastResort() -> Interruption.LastResort {
    let isDone = state.withLockIfAvailable { state in
      interrupt(&state, true)
      state.finish()
      return true
    }
    return isDone == true ? .done : isFinishing.load(ordering: .relaxed) ? .alreadyFinishing : .lost
  }

  private func interrupt(_ state: inout State, _ isInterrupted: Bool) {
    guard isInterrupted, !state.isFinished else { return }
    state.summary.wasInterrupted = true
    state.summary.unfinished = max(0, (run.plannedCases ?? 0) - state.summary.cases)
    state.summary.unfinishedNames = planned.filter { !state.finished.contains($0) }
  }
}

/// The setting for colors: an explicit choice overrides the environment, which overrides the
/// terminal.
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
    // An empty variable counts as unset.
    if !Environment.variable("NO_COLOR").isEmpty { return false }
    let forced = ["FORCE_COLOR", "CLICOLOR_FORCE"].map(Environment.variable)
    if forced.contains(where: { !$0.isEmpty && $0 != "0" }) { return true }
    if forced[0] == "0" || Environment.variable("CLICOLOR") == "0" { return false }
    return Environment.variable("TERM") == "dumb" ? false : nil
  }
}

extension Style {
  /// Returns the style for a stream, with its colors and its width.
  static func of(_ stream: StandardStream, _ color: ColorChoice = .auto) -> Style {
    Style(isColored: color.isOn(for: stream), width: stream.columnCount)
  }
}
