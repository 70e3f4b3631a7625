import ArgumentParser
import FoundationEssentials
import Glibc
import HandoverCore

/// The version of the command.
let version = "0.1.0"

struct Handover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handover",
    abstract: "Replays network transitions and proves what becomes of channels and calls.",
    discussion: """
      A scenario is a JSON file: reachability flags over time, calls, and what must
      happen. It is replayed on each profile it names, in virtual time.

      Examples:
        handover run                        replay everything under Scenarios
        handover run my.json --profile sockets-monitor
        handover run Scenarios -o junit=report.xml -o pretty=-
        handover matrix -o html=matrix.html several backends side by side
        handover check my.json              look for mistakes without running
        handover spec --uncovered           what no expectation shows, and why

      Exit status: 0 all as expected, 1 a failure or an unexpected pass, 2 bad usage
      or bad input, 3 the harness or a backend broke, 4 nothing ran, 130 or 143
      interrupted.
      """,
    version: version,
    subcommands: [
      RunCommand.self, CheckCommand.self, FormatCommand.self, ExplainCommand.self,
      NewCommand.self, ListCommand.self, SpecCommand.self, MatrixCommand.self, ReplayCommand.self,
      CompareCommand.self, WatchCommand.self, RecordCommand.self,
    ] + linuxCommands)
}

/// Leaves with an exit status; everything has been said.
struct Leave: Error {
  var status: ExitStatus

  init(_ status: ExitStatus) {
    self.status = status
  }
}

/// The commands that there are on Linux only.
private var linuxCommands: [any ParsableCommand.Type] {
  #if os(Linux)
    [BackendCommand.self, LabCommand.self]
  #else
    []
  #endif
}

@main
enum Main {
  static func main() {
    do {
      var command = try Handover.parseAsRoot()
      try command.run()
    } catch let leave as Leave {
      exit(leave.status.rawValue)
    } catch {
      let text = Handover.fullMessage(for: error)
      // Help and version are asked for; everything else is a wrong command line.
      if Handover.exitCode(for: error) == .success {
        if !text.isEmpty { print(text) }
        exit(ExitStatus.allAsExpected.rawValue)
      }
      printError(text)
      exit(ExitStatus.badInput.rawValue)
    }
  }
}

/// Writes a line to standard error.
func printError(_ text: String) {
  StandardStream.error.write(text + "\n")
}

/// A number with its noun, in the plural where it needs one.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Whether an id matches one of some patterns; without patterns every id does.
func isWanted(_ id: String, _ patterns: [String]) -> Bool {
  patterns.isEmpty || patterns.contains { Glob($0).matches(id) }
}
