import ArgumentParser
import FoundationEssentials
import Glibc
import HandoverCore

/// The version of the command.
let version = "0.1.0"

struct Handover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handover",
    abstract: "Test how a network client survives network changes.",
    discussion: """
      `try` runs any program unchanged, once for each network change, in an emulated
      device. `run` replays scenarios. A scenario is a JSON file with network
      changes, calls and the results that you expect. Handover replays it in virtual
      time on each client profile that it names.

      To test your own client call by call, write an adapter for it. `backend new
      --real-time` prints one to start from.

      Examples:
        handover try -- my-client           change the network under any program
        handover backend new --real-time    print an adapter to start from
        handover my.json                    run a scenario
        handover run                        run all of Scenarios, or the bundled ones
        handover run my.json --profile sockets-monitor
        handover run Scenarios -o junit=report.xml -o pretty=-
        handover matrix -o html=matrix.html compare several backends
        handover check my.json              find mistakes without a run
        handover explain D8a                explain a requirement, verdict or code
        handover spec --uncovered           list requirements without an expectation

      Exit status: 0 all as expected; 1 a failure or an unexpected pass; 2 bad
      usage, bad input, or output that could not be written, for example because its
      reader has exited; 3 an internal error, or the backend failed; 4 nothing ran;
      129, 130 or 143 interrupted.
      """,
    version: version,
    // The order in which new users need them.
    subcommands: [
      TryCommand.self, BackendCommand.self, RunCommand.self, MatrixCommand.self,
      ExplainCommand.self, NewCommand.self,
      CheckCommand.self, ListCommand.self, ProfilesCommand.self, SpecCommand.self,
      ReplayCommand.self, CompareCommand.self, ExploreCommand.self, ShrinkCommand.self,
      MergeCommand.self, FormatCommand.self, SchemaCommand.self,
      LanguageServerCommand.self, WatchCommand.self,
      RecordCommand.self, SelftestCommand.self, LabCommand.self, DoctorCommand.self,
    ])
}

/// An error that exits with a status; all messages have already been printed.
struct ExitError: Error {
  var status: ExitStatus

  init(_ status: ExitStatus) {
    self.status = status
  }

  /// Creates an error after printing its reason.
  init(_ status: ExitStatus = .badInput, printing reason: String) {
    printError(reason)
    self.status = status
  }
}

@main
enum Main {
  static func main() {
    // This must precede the first open, which could reuse a standard descriptor.
    StandardStream.occupyClosed()
    // A closed pipe is detected by the failed write and reported at the exit.
    signal(SIGPIPE, SIG_IGN)
    // A file size limit is handled in the same way. Child processes get the default handlers.
    signal(SIGXFSZ, SIG_IGN)
    Leaving.finally(status().rawValue)
  }

  private static func status() -> ExitStatus {
    do {
      let arguments = Shorthand.expanded(Array(CommandLine.arguments.dropFirst()))
      if let complaint = Shorthand.complaint(about: arguments) {
        printError(complaint)
        return .badInput
      }
      var command = try Handover.parseAsRoot(arguments)
      try command.run()
      return .allAsExpected
    } catch let leave as ExitError {
      return leave.status
    } catch {
      let text = message(about: error)
      // Help and version are successes; everything else is an invalid command line.
      guard Handover.exitCode(for: error) == .success else {
        let arguments = Array(CommandLine.arguments.dropFirst())
        printError(Shorthand.complaint(aboutOptionsOf: arguments) ?? text)
        return .badInput
      }
      if !text.isEmpty { StandardStream.output.write(text + "\n") }
      return .allAsExpected
    }
  }
}

/// Returns the text for a command line: help, the version, or an error message.
private func message(about error: any Error) -> String {
  let text = Handover.fullMessage(for: error)
  guard let width = StandardStream.output.columnCount, width < HelpText.writtenWidth else {
    return text
  }
  return HelpText.narrowed(
    Handover.fullMessage(for: error, columns: HelpText.writtenWidth), and: text, to: width)
}

/// Returns whether an id matches one of some patterns; without patterns, every id matches.
func isWanted(_ id: String, _ patterns: [String]) -> Bool {
  patterns.isEmpty || patterns.contains { Glob($0).matches(id) }
}
