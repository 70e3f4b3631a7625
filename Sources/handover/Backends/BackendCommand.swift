import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverProcess
import HandoverSimulation

struct BackendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backend",
    abstract: "Write an adapter for your client, and check it.",
    discussion: """
      An adapter is a program between Handover and your client or transport, in any
      language. It speaks the backend protocol over standard input and output.
      "Writing a backend" in the documentation describes each step. A client with
      its own sockets needs the smaller protocol in real time. To test a program
      without changing it, use `handover try`.

      Examples:
        handover backend new --real-time --language go >main.go
        handover run Scenarios/clients --backend lab:./my-client --server ./my-server
        handover backend new --language python >my_backend.py
        handover backend check 'python3 my_backend.py'
        handover run Scenarios --backend 'exec:python3 my_backend.py'
      """,
    subcommands: [
      BackendNewCommand.self, BackendCheckCommand.self, BackendServeCommand.self,
    ])
}

/// The command `handover backend check CMD`.
struct BackendCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that an adapter follows the backend protocol.",
    usage: "handover backend check <command> [<options>]",
    discussion: """
      Checks each rule of the protocol on a new process. Exit status: 0 if all rules
      pass; 1 if one fails; 3 if the handshake (`hello`) is missing or invalid.

      lab:COMMAND checks a client or a transport in real time. It makes small calls
      in the device lab, without network changes. --server names the program that
      runs the servers.

      Examples:
        handover backend check './my-backend --verbose'
        handover backend check 'handover backend serve'
        handover backend check lab:./my-client --server ./my-server
      """)

  @Argument(help: "The command that starts the adapter, as in a shell.")
  var command: String

  @OptionGroup
  var settings: BackendSettings

  /// The command line of a program in real time, or `nil` if the backend runs in virtual time.
  private var liveCommand: String? {
    guard case .lab(let live) = BackendChoice(argument: command) else { return nil }
    return live
  }

  func validate() throws {
    try settings.validate(for: BackendChoice(argument: command).map { [$0] } ?? [])
  }

  func run() throws {
    let interruption = Interruption()
    try interruption.listen()
    interruption.leaveWhenReceived { printError("Interrupted: some rules were not checked.") }
    if let liveCommand {
      try checkLive(liveCommand)
    } else if case .process(let asked) = BackendChoice(argument: command) {
      try check(asked)
    } else {
      try check(command)
    }
  }

  /// Checks a program with its own sockets in the device lab.
  private func checkLive(_ asked: String) throws {
    try settings.enterLab(for: [.lab(asked)])
    var check: RealTimeCheck
    do throws(BackendError) {
      check = try RealTimeCheck(asked, server: settings.server ?? "", settings: settings)
    } catch {
      say("✗ both programs send a handshake (hello) of version 1\n    \(error.message)")
      throw ExitError(.breakdown)
    }
    say("✓ both programs send a handshake (hello) of version 1")
    var broken = 0
    var skipped = 0
    check.run { rule, outcome in
      switch outcome {
      case .holds: say("✓ \(rule)")
      case .skipped(let reason):
        skipped += 1
        say("- \(rule)\n    not checked: \(reason)")
      case .broken(let lines):
        broken += 1
        say("✗ \(rule)")
        for line in lines { say("    \(line)") }
      }
    }
    say()
    guard broken == 0 else {
      say("\(broken) of \(counted(RealTimeCheck.ruleCount + 1, "rule")) failed.")
      throw ExitError(.failure)
    }
    let shown = RealTimeCheck.ruleCount + 1 - skipped
    say(
      (skipped == 0
        ? "All \(shown) rules pass." : "\(shown) rules pass; \(skipped) were not checked.")
        + " Next:\n  handover run Scenarios/clients --jobs 16 --max-hang 5s "
        + "--backend \(ShellWord.quoted("lab:\(asked)")) "
        + "--server \(ShellWord.quoted(settings.server ?? ""))")
  }

  /// Checks a program in virtual time.
  private func check(_ command: String) throws {
    var check = AdapterCheck(command, timeout: settings.timeout.interval)
    // Print each result immediately, because the next check may take a while.
    check.onFinding = { finding in
      let mark = finding.problem == nil ? "✓" : "✗"
      let lines = (finding.problem ?? "").split(separator: "\n").map { "\n    \($0)" }
      say("\(mark) \(finding.rule)" + lines.joined())
    }
    check.run()
    let broken = check.findings.count { $0.problem != nil }
    say()
    guard broken == 0 else {
      say("\(broken) of \(counted(check.findings.count, "rule")) failed.")
      throw ExitError(check.findings.count == 1 ? .breakdown : .failure)
    }
    say(
      "All \(check.findings.count) rules pass. Next:\n"
        + "  handover run Scenarios --backend \(ShellWord.quoted("exec:\(command)"))")
  }
}

/// The command `handover backend serve`.
struct BackendServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the built-in client, transport or servers as a backend.",
    discussion: """
      Reads commands on standard input and writes answers to standard output. Use it
      to compare your adapter with the built-in client, or to see the messages of
      the protocol. The servers work with the real-time templates.

      Examples:
        handover run Scenarios --backend 'exec:handover backend serve'
        handover backend check 'handover backend serve --role transport'
        handover run Scenarios/clients --backend 'lab:python3 my_client.py' \\
            --server 'handover backend serve --role server'
      """)

  /// The role of the built-in backend.
  enum Role: String, ExpressibleByArgument, CaseIterable {
    case client
    case transport
    case server
  }

  @Option(
    name: .long,
    help: ArgumentHelp("The role: client, transport or server.", valueName: "role"))
  var role = Role.client

  func run() throws {
    switch role {
    case .client:
      var server = ReferenceServer()
      serve { server.answer(to: $0) }
    case .transport:
      var server = TransportServer(SimulatedTransport(), name: "handover-reference-transport")
      serve { server.answer(to: $0) }
    case .server:
      var loop = ServerCommandLoop(PlayedServers())
      serve { loop.answer(to: $0) }
    }
  }

  private func serve(_ answer: ([UInt8]) -> [UInt8]) {
    while let line = readLine(strippingNewline: true) {
      let answer = answer(Array(line.utf8))
      guard !answer.isEmpty else { return }
      guard StandardStream.output.write(String(decoding: answer, as: UTF8.self)) else { return }
    }
  }
}
