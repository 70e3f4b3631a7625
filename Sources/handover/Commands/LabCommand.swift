import ArgumentParser
import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLabServers
import HandoverLinux
import HandoverReport
import HandoverScenario
import Synchronization

struct LabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lab",
    abstract: "Run programs in an emulated device with real networks.",
    discussion: """
      Devices, access points, a carrier and servers are made from network
      namespaces. This machine's own network is not changed.

      Examples:
        handover lab demo
        handover lab exec my.json --until 9s -- sh -c 'curl $HANDOVER_SERVER/stream'
        handover lab serve
      """,
    subcommands: [DemoCommand.self, LabExecCommand.self, LabServeCommand.self])
}

struct LabExecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run an unmodified program during a scenario's timeline.",
    usage: "handover lab exec <scenario> [<options>] -- <program> [<argument> ...]",
    discussion: """
      The program runs on the device in real time, while the device's network
      changes as the timeline says. The program is stopped while the app is in the
      background. Servers and connections fail as in the scenario. The program makes
      its own calls, and the calls of the scenario are ignored. Standard error shows
      what happens.

      HANDOVER_SERVER is ADDRESS:PORT of the first host, HANDOVER_SERVER_2 of the
      second host, and so on. HANDOVER_HOST is NAME:PORT of the first host. Only the
      names of hosts are resolved. GET / answers once, and GET /stream sends a line
      every 200 ms without end.

      Exit status: the status of the program, or 128 plus the number of the signal
      that ended it; 1 instead of 0 if a fault affected no connection; 2 bad usage
      or bad input; 3 no lab is possible on this machine; 129, 130 or 143
      interrupted. With --max-outage or --max-attempts: 1 if a limit is exceeded; 3
      if the result is undecided; 0 if the time is over; otherwise the status of the
      program.

      Examples:
        handover lab exec my.json --until 9s -- sh -c 'curl $HANDOVER_SERVER/stream'
        handover lab exec my.json --until 10s --pcap out.pcap -- my-client
        handover lab exec my.json --condition cellular:delay=80ms -- my-client
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["json"]))
  var scenario: String

  @Option(
    help: ArgumentHelp(
      "Which lost connections the OS reports: linux reports none; sockets and cfstream report as "
        + "iOS does.",
      valueName: "platform"))
  var platform = PlatformArgument(.linux)

  @Option(help: ArgumentHelp("Stop the program at this time, such as 9s.", valueName: "time"))
  var until: TimeLength?

  @Option(
    help: ArgumentHelp(ConditionArgument.help, valueName: "medium:key=value"))
  var condition: [ConditionArgument] = []

  @Option(
    help: ArgumentHelp(
      "Write the device's packets to this file, for Wireshark.", valueName: "file"),
    completion: .file())
  var pcap: String?

  @OptionGroup var gateOptions: TryGateOptions

  @OptionGroup var progressOptions: ProgressOptions

  @Argument(
    parsing: .postTerminator, help: "The program and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    try ProgramName.validate(command)
    try ConditionArgument.validate(condition)
    if pcap == "-" {
      throw ValidationError(
        "--pcap needs a file, because the program uses standard output: --pcap out.pcap")
    }
  }

  func run() throws {
    try LabEntry.enterBeforeReading([scenario])
    let script = try readScript()
    var plan = try plan(of: script)
    plan.hasIPv6 = true
    try LabEntry.enter(isRequired: true)
    var foreign = ProgramRun(script, command: command, environment: Environment.forOtherPrograms)
    if ResolverFiles.cover(LabZone.serverAddresses) { foreign.makeNames = ServedNames.make }
    foreign.platform = platform.platform
    foreign.conditions = condition.map { ($0.medium, $0.conditions) }
    foreign.until = (until?.interval).map { .zero + $0 } ?? script.configuration.until
    let interruption = Interruption()
    try interruption.listen()
    if let pcap { try FileIdentity.refuse([pcap], over: [scenario]) }
    let frames = try pcap.map { CaptureFile(try .opened($0)) }
    foreign.capture = frames?.descriptor
    foreign.observesTraffic = gateOptions.gates != TryGates()
    interruption.asLastResort {
      _ = frames?.finish(nil)
      return .done
    }
    try run(foreign, plan, interruption, frames)
  }

  private func readScript() throws -> Script {
    try ScenarioFiles.refuseFolder(scenario)
    let reading = Reading([scenario], tellsOrigin: !LabEntry.isAhead)
    reading.showComplaints()
    return try reading.onlyScenario(of: scenario).script
  }

  private func plan(of script: Script) throws -> LivePlan {
    do throws(LivePlan.UnsupportedScript) {
      return try LivePlan(script)
    } catch {
      throw ExitError(printing: "\(scenario): error: \(error.reason)")
    }
  }

  private func run(
    _ foreign: ProgramRun, _ plan: LivePlan, _ interruption: Interruption,
    _ frames: CaptureFile?
  ) throws {
    let ended: ProgramRun.Outcome
    var foreign = foreign
    let progress = LabProgress(
      progressOptions.progress, of: foreign.script, until: foreign.until)
    if let progress { foreign.whileWaiting = { progress.show(at: $0) } }
    defer { StandardStream.clearTransient() }
    do throws(LinuxError) {
      let wakeup = try WakeupPipe()
      interruption.whenReceived { wakeup.signal() }
      var log = try LabLog(foreign.script)
      ended = try foreign.run(plan, interruption: wakeup) { at, event in
        if event == .started { PIDNamespaceWarning.show() }
        printError(log.line(at, event, progress))
      }
      for leak in ended.leaks { printError("At the end, \(leak).") }
    } catch {
      _ = frames?.finish(nil)
      if let complaint = ProgramName.complaint(about: error, of: command.first ?? "") {
        throw ExitError(printing: "Error: \(complaint)")
      }
      throw ExitError(.breakdown, printing: "The lab failed: \(error)")
    }
    let failure = frames?.finish(ended.captureProblem)
    if let failure { printError(failure.description) }
    if let status = interruption.exitStatus { throw ExitError(status) }
    if failure != nil { throw ExitError(.badInput) }
    if foreign.observesTraffic { try judge(ended) }
    try judgeFaults(ended, foreign.script)
    // A program that runs until it is stopped is not expected to exit successfully.
    if foreign.observesTraffic, ended.timedOut { throw ExitError(.allAsExpected) }
    switch ended.end {
    case .exited(let status): Leaving.finally(status)
    case .signalled(let signal): Leaving.finally(128 + signal)
    }
  }
}

extension LabExecCommand {
  /// Prints whether the program stayed within its limits, and throws an exit status if it did
  /// not.
  private func judge(_ outcome: ProgramRun.Outcome) throws {
    let verdict = TimelineVerdict(outcome.outages, gateOptions.gates)
    printError(verdict.text)
    if verdict.isBad { throw ExitError(.failure) }
    if !verdict.isDecided { throw ExitError(.breakdown) }
  }

  /// Reports faults that affected no connection; throws if the program succeeded, because it was
  /// not tested.
  private func judgeFaults(_ outcome: ProgramRun.Outcome, _ script: Script) throws {
    guard !outcome.idleFaults.isEmpty else { return }
    for entry in outcome.idleFaults {
      printError(
        "The fault at \(script.entries[entry].at.text) affected no connection, so it tested "
          + "nothing. Move the entry to a time at which the program is connected.")
    }
    guard outcome.timedOut || outcome.end == .exited(0) else { return }
    throw ExitError(.failure)
  }
}

/// The name server of a lab, which resolves the hosts of the scenario.
private struct ServedNames: LabNames {
  let server: NameServer

  func close() { server.close() }

  static func make(_ zone: LabZone) throws(LinuxError) -> any LabNames {
    do {
      return ServedNames(
        server: try NameServer(at: LabZone.serverAddresses) { question in
          let isIPv6: Bool? =
            switch question.kind {
            case .address: false
            case .address6: true
            case .other: nil
            }
          let reply: NameReply =
            switch zone.answer(question.name, isIPv6: isIPv6, from: question.client) {
            case .addresses(let addresses): .addresses(addresses)
            case .noSuchName: .noSuchName
            case .failure: .failure
            case .silence: .silence
            }
          let delay = zone.delay(isIPv6: isIPv6, from: question.client)
          return (reply, .microseconds(delay.microseconds))
        })
    } catch {
      throw LinuxError(finding: "name server: \(error)")
    }
  }
}

/// The file for captured frames, which gets its name when it is complete.
private final class CaptureFile: Sendable {
  let descriptor: Int32
  private let file: Mutex<OutputFile>

  init(_ file: OutputFile) {
    descriptor = file.descriptor
    self.file = Mutex(file)
  }

  /// Completes the file.
  ///
  /// - Parameter problem: The reason for a failed write, as `errno`.
  /// - Returns: The problem, or `nil` if there was none.
  func finish(_ problem: Int32?) -> OutputFailure? {
    file.withLock { file in
      if let problem { file.fail(problem) }
      file.finish()
      return file.failure
    }
  }
}

/// A platform as a command-line argument.
struct PlatformArgument: ExpressibleByArgument {
  var platform: ProgramRun.Platform

  init(_ platform: ProgramRun.Platform) {
    self.platform = platform
  }

  init?(argument: String) {
    guard let platform = ProgramRun.Platform(rawValue: argument) else { return nil }
    self.platform = platform
  }

  var defaultValueDescription: String { platform.rawValue }
  static var allValueStrings: [String] { ProgramRun.Platform.allCases.map(\.rawValue) }
}
