#if os(Linux)
  import ArgumentParser
  import HandoverBackend
  import HandoverCore
  import HandoverProcess
  import HandoverSimulation

  struct BackendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backend",
      abstract: "Write a backend of your own, and prove it before it is trusted.",
      discussion: """
        A backend is a program that speaks the protocol over its standard streams: a
        client or a transport under test, in any language. The documentation goes
        through it step by step ("Writing a backend").

        Examples:
          handover backend new --language python >my_backend.py
          handover backend check 'python3 my_backend.py'
          handover run Scenarios --backend 'exec:python3 my_backend.py'
        """,
      subcommands: [
        BackendNewCommand.self, BackendCheckCommand.self, BackendServeCommand.self,
      ])
  }

  /// `handover backend check CMD`.
  struct BackendCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Prove that a backend keeps the protocol.",
      discussion: """
        Each rule of the protocol is tried on a fresh process. Exit status 0 where
        all of them hold, 1 where one does not, 3 where there is no proper hello.

        Examples:
          handover backend check './my-backend --verbose'
          handover backend check 'handover backend serve'
        """)

    @Argument(help: "The command to start, as you would type it.")
    var command: String

    @Option(name: .long, help: ArgumentHelp("How long an answer may take.", valueName: "time"))
    var patience = TimeLength(.seconds(5))

    func run() throws {
      let interruption = Interruption()
      try interruption.listen()
      interruption.leaveWhenReceived { printError("Interrupted: not every rule was looked at.") }
      var check = AdapterCheck(command, patience: patience.interval)
      // Each as it is found: the next one may take its time.
      check.told = { finding in
        let mark = finding.problem == nil ? "✓" : "✗"
        let lines = (finding.problem ?? "").split(separator: "\n").map { "\n    \($0)" }
        say("\(mark) \(finding.rule)" + lines.joined())
      }
      check.run()
      let broken = check.findings.count { $0.problem != nil }
      say()
      guard broken == 0 else {
        say("\(counted(broken, "rule")) of \(check.findings.count) broken.")
        throw Leave(check.findings.count == 1 ? .breakdown : .failure)
      }
      say(
        "All \(check.findings.count) rules hold. Next:\n"
          + "  handover run Scenarios --backend 'exec:\(command)'")
    }
  }

  /// `handover backend serve`.
  struct BackendServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Be a backend: the built-in client or transport, behind the protocol.",
      discussion: """
        Reads commands on standard input and answers on standard output, to hold
        other backends against, and to see what the lines look like.

        Examples:
          handover run Scenarios --backend 'exec:handover backend serve'
          handover backend check 'handover backend serve --role transport'
        """)

    /// What the built-in backend is to be.
    enum Role: String, ExpressibleByArgument, CaseIterable {
      case client
      case transport
    }

    @Option(
      name: .long,
      help: ArgumentHelp("What to be: client or transport.", valueName: "role"))
    var role = Role.client

    func run() throws {
      switch role {
      case .client:
        var server = ReferenceServer()
        serve { server.answer(to: $0) }
      case .transport:
        var server = TransportServer(SimulatedTransport(), name: "handover-reference-transport")
        serve { server.answer(to: $0) }
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
#endif
