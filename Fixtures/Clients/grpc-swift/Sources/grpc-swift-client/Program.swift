import Foundation
import GRPCTransitions
import HandoverCore
import HandoverNetlink

/// A client under test that uses grpc-swift.
///
///     grpc-swift-client [--keepalive] [--monitor]
///
/// `--keepalive` sends a ping after one second without an answer, even without calls. `--monitor`
/// closes the connections when the category of the network changes.
@main
struct Program {
  private let lines = Lines()
  private let hello: Hello
  private var client: Client
  /// Retained, because the network is monitored only as long as the watcher exists.
  private let watcher: ReachabilityWatcher?

  static func main() throws {
    var program = try Program(CommandLine.arguments.dropFirst())
    while let line = readLine() {
      let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
      guard command.cmd != "stop" else { break }
      program.carryOut(command)
    }
    // Calls may still wait for a server that never answers.
    exit(0)
  }

  private init(_ arguments: ArraySlice<String>) throws {
    let pings = arguments.contains("--keepalive")
    let watches = arguments.contains("--monitor")
    hello = Hello(
      name: "grpc-swift" + (pings ? "-keepalive" : "") + (watches ? "-monitor" : ""))
    let closer = watches ? TransitionCloser() : nil
    watcher = try closer.map { [lines] closer in
      try closer.follow(try ReachabilityProbe()) { news in
        switch news {
        case .success(let change): lines.log("\(change.from) to \(change.to)")
        case .failure(let error): lines.log("the network can no longer be monitored: \(error)")
        }
      }
    }
    client = Client(
      lines,
      keepalive: pings
        ? Command.Keepalive(time: 1_000_000, timeout: 1_000_000, withoutCalls: true) : nil,
      closer: closer)
  }

  /// Executes a command and answers it.
  private mutating func carryOut(_ command: Command) {
    do {
      switch command.cmd {
      case "start":
        lines.write(hello)
        return
      case "open": client.open(command.hosts ?? [:], command.config)
      case "close": client.disconnect("*")
      default:
        guard let event = command.event, let now = command.now else {
          throw Refusal(description: "there is no command \(command.cmd)")
        }
        try client.handle(event, at: now)
      }
      lines.write(Line(seq: command.seq, out: []))
    } catch {
      lines.write(Line(seq: command.seq, error: "\(command.cmd): \(error)"))
    }
  }
}
