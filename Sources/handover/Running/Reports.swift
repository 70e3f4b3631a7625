import ArgumentParser
import Glibc
import HandoverEngine
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

  /// Refuses a file that more than one of them would be written to.
  static func validateFiles(of outputs: [Self]) throws {
    var seen: Set<String> = []
    if let twice = outputs.first(where: { !seen.insert($0.file).inserted }) {
      throw ValidationError(
        "Two reports cannot both go to \(twice.file); give one another file.")
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

  /// Opens the files of all reports, so that one that cannot be written is told before the run.
  static func opened(_ outputs: [ReportOutput], color: ColorChoice) throws -> [OpenReport] {
    try outputs.compactMap { output in
      guard let reporter = output.reporter(isColoured: color == .always) else { return nil }
      guard output.file != "-" else {
        let forScreen = output.reporter(isColoured: color.isOn(for: .output))
        return OpenReport(reporter: forScreen ?? reporter, stream: .output)
      }
      return OpenReport(reporter: reporter, stream: try StandardStream.opened(output.file))
    }
  }

  /// What writes the report; nil for traces, which are no report.
  private func reporter(isColoured: Bool) -> (any Reporter)? {
    switch format {
    case .pretty: PrettyReport(style: Style(isColoured: isColoured))
    case .tap: TAPReport()
    case .junit: JUnitReport()
    case .jsonl: JSONLinesReport()
    case .github: GitHubReport()
    case .trace: nil
    }
  }
}

/// A report with the stream it goes to.
struct OpenReport {
  var reporter: any Reporter
  var stream: StandardStream
}

/// All reports of a run, written as the results come in.
final class Reports: Sendable {
  private struct State {
    var reports: [OpenReport]
    var summary = Summary()
    /// Traces that could not be written.
    var lostTraces = 0
  }

  private let state: Mutex<State>
  private let run: RunDescription
  private let traces: TraceDirectory?

  init(
    _ reports: sending [OpenReport], traces: TraceDirectory?, describing run: RunDescription
  ) {
    var reports = reports
    self.run = run
    self.traces = traces
    for place in reports.indices {
      reports[place].stream.write(reports[place].reporter.begin(run))
    }
    state = Mutex(State(reports: reports))
  }

  func add(_ result: ScenarioResult) {
    state.withLock { state in
      state.summary.add(result)
      // Before the reports, which name the files.
      for complaint in traces?.write(result, describing: run) ?? [] {
        // One disk that is full would be told for each case.
        if state.lostTraces == 0 { printError(complaint) }
        state.lostTraces += 1
      }
      for place in state.reports.indices {
        state.reports[place].stream.write(state.reports[place].reporter.scenarioEnded(result))
      }
    }
  }

  /// How many traces could not be written.
  var lostTraces: Int { state.withLock { $0.lostTraces } }

  /// Completes all reports.
  func finish() -> Summary {
    state.withLock { state in
      for place in state.reports.indices {
        state.reports[place].stream.write(state.reports[place].reporter.finish(state.summary))
      }
      return state.summary
    }
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
    if !variable("NO_COLOR").isEmpty { return false }
    let forced = variable("CLICOLOR_FORCE")
    if !forced.isEmpty, forced != "0" { return true }
    return variable("CLICOLOR") == "0" ? false : nil
  }

  private static func variable(_ name: String) -> String {
    guard let value = unsafe getenv(name) else { return "" }
    return unsafe String(cString: value)
  }
}

/// How far a long run has come, on one line of standard error that is written over.
///
/// Shown only to a person, and only where the results themselves do not show it.
final class ProgressLine: Sendable {
  private let total: Int
  private let isShown: Bool
  private let done = Mutex(0)

  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown && StandardStream.error.isTerminal
  }

  func advance() {
    guard isShown else { return }
    let count = done.withLock { done in
      done += 1
      return done
    }
    // Writing for each would take longer than the runs.
    guard count % 64 == 0 || count == total else { return }
    StandardStream.error.write("\r\(count) of \(total) scenarios")
  }

  func clear() {
    if isShown { StandardStream.error.write("\r\u{1b}[K") }
  }
}
