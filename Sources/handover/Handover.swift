import ArgumentParser
import HandoverCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The version of the command.
let version = "0.1.0"

struct Handover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handover",
    abstract: "Replays network changes and shows what they do to channels and calls.",
    discussion: """
      A scenario is a JSON file: reachability flags over time, calls, and what must
      happen. It is replayed in virtual time on each profile that it names.

      A lab moves a real client from network to network: any program unchanged with
      `try`, or a client call by call with `run` and an adapter, which
      `backend new --real-time` writes for you.

      Examples:
        handover try -- my-client           move the network under any program
        handover backend new --real-time    write an adapter to start from
        handover my.json                    run a scenario
        handover run                        replay all of Scenarios, or the bundled
        handover run my.json --profile sockets-monitor
        handover run Scenarios -o junit=report.xml -o pretty=-
        handover matrix -o html=matrix.html several backends side by side
        handover check my.json              look for mistakes without running
        handover explain D8a                what an item of the documents says
        handover spec --uncovered           what no expectation shows, and why

      Exit status: 0 all as expected; 1 a failure or an unexpected pass; 2 bad
      usage, bad input, or output that could not be written (also if its reader went
      away); 3 the harness or a backend broke; 4 nothing ran; 129, 130 or 143
      interrupted.
      """,
    version: version,
    // The order in which new users need them.
    subcommands: programCommands + [
      RunCommand.self, MatrixCommand.self, ExplainCommand.self, NewCommand.self,
      CheckCommand.self, ListCommand.self, ProfilesCommand.self, SpecCommand.self,
      ReplayCommand.self, CompareCommand.self, ExploreCommand.self, ShrinkCommand.self,
      MergeCommand.self, FormatCommand.self, SchemaCommand.self, WatchCommand.self,
      RecordCommand.self, SelftestCommand.self,
    ] + labCommands)
}

/// An error that exits with a status; all messages have already been printed.
struct Leave: Error {
  var status: ExitStatus

  init(_ status: ExitStatus) {
    self.status = status
  }
}

/// The commands for the user's own programs, which are available on Linux only.
private var programCommands: [any ParsableCommand.Type] {
  #if os(Linux)
    [TryCommand.self, BackendCommand.self]
  #else
    []
  #endif
}

/// The lab for programs and scenarios, which is available on Linux only.
private var labCommands: [any ParsableCommand.Type] {
  #if os(Linux)
    [LabCommand.self]
  #else
    []
  #endif
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
    } catch let leave as Leave {
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
    Handover.fullMessage(for: error, columns: HelpText.writtenWidth), beside: text, to: width)
}

/// Returns a count with its noun in the singular or plural.
func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}

/// Returns whether an id matches one of some patterns; without patterns, every id matches.
func isWanted(_ id: String, _ patterns: [String]) -> Bool {
  patterns.isEmpty || patterns.contains { Glob($0).matches(id) }
}
