import ArgumentParser
import HandoverCore
import HandoverScenario

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print each change of this host's network as it happens.",
    usage: "handover watch [<options>]",
    discussion: """
      Each line contains the flags that iOS would report, as nine characters: W is
      IsWWAN, R is Reachable, c is ConnectionRequired. The category, the interface
      and the gateway follow. The last column shows what a connectivity monitor
      would do: nothing, or notify, which destroys every channel. The first line is
      the current state. The command uses kernel events, without polling.

      Examples:
        handover watch
        handover watch --count 1             the current state
        handover watch --target 2001:db8::1  the route to IPv6 addresses
        handover watch --cellular usb0 --for 10min -o jsonl

      Exit status: 0 after --count or --for; 129, 130 or 143 after a signal (130 is
      Ctrl-C); 3 if the kernel cannot be queried.
      """)

  /// The output format of changes.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case pretty
    case jsonl
  }

  @OptionGroup var live: LiveOptions

  @Option(
    name: .long,
    help: ArgumentHelp("End after this many lines, including the first one.", valueName: "number"))
  var count: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The format: pretty (columns) or jsonl (one JSON object per line).", valueName: "format")
  )
  var output = Format.pretty

  func validate() throws {
    guard count ?? 1 > 0 else {
      throw ValidationError("--count must be an integer from 1, such as --count 1.")
    }
  }

  func run() throws {
    var monitor = ConnectivityMonitor()
    var rest = count
    let stream = StandardStream.output
    if output == .pretty { stream.say(WatchedChange.titles(width: stream.columnCount)) }
    let status = try live.follow { change in
      let watched = WatchedChange(change, &monitor)
      let isRead =
        switch output {
        case .pretty: stream.say(watched.row(width: stream.columnCount))
        case .jsonl: stream.write(watched.line)
        }
      rest = rest.map { $0 - 1 }
      return isRead && rest != 0
    }
    if let status { throw ExitError(status) }
  }
}
