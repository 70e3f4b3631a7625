import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverNIO
import HandoverProcess
import HandoverScenario
import HandoverSimulation

/// A backend by its name.
enum BackendChoice: Hashable, ExpressibleByArgument, CustomStringConvertible {
  /// The built-in client in a simulated network, in virtual time.
  case simulated
  /// The built-in client over real sockets in the device lab.
  case nio
  /// A client or a transport in another process, in a simulated network.
  case process(String)
  /// A client or a transport in another process with its own sockets, in the device lab.
  case lab(String)

  init?(argument: String) {
    switch argument {
    case "simulated": self = .simulated
    case "nio": self = .nio
    default:
      if let command = Self.command(argument, after: "exec:") {
        self = .process(command)
      } else if let command = Self.command(argument, after: "lab:") {
        self = .lab(command)
      } else {
        return nil
      }
    }
  }

  private static func command(_ argument: String, after prefix: String) -> String? {
    guard argument.hasPrefix(prefix) else { return nil }
    let command = argument.dropFirst(prefix.count)
    return command.allSatisfy(\.isWhitespace) ? nil : String(command)
  }

  var description: String {
    switch self {
    case .simulated: "simulated"
    case .nio: "nio"
    case .process(let command): "exec:\(command)"
    case .lab(let command): "lab:\(command)"
    }
  }

  var defaultValueDescription: String { description }

  /// The shell completions; a command follows the colon.
  static let completion = CompletionKind.list(["simulated", "nio", "exec:", "lab:"])

  /// Whether the backend runs in real time.
  var isLive: Bool {
    switch self {
    case .nio, .lab: true
    case .simulated, .process: false
    }
  }

  /// Whether the backend requires a server program.
  var needsServer: Bool {
    switch self {
    case .lab: true
    case .simulated, .nio, .process: false
    }
  }

  /// Whether another program is under test.
  var isProgram: Bool {
    switch self {
    case .process, .lab: true
    case .simulated, .nio: false
    }
  }

  /// Whether the built-in client is under test, in virtual time.
  var isBuiltIn: Bool { self == .simulated }

  /// The default number of scenarios that run in parallel.
  ///
  /// Backends that wait for other processes or for real time use all cores.
  var defaultJobs: Int { isBuiltIn ? 1 : ThreadWorkers.cores(atMost: 256) }
}

/// The option for the backend under test.
struct BackendOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "What to test: simulated; nio (real sockets in the device lab); exec:COMMAND, an adapter in "
        + "virtual time; or lab:COMMAND, an adapter with its own sockets in the device lab.",
      valueName: "name"), completion: BackendChoice.completion)
  var backend = BackendChoice.simulated
}

/// The settings of backends other than the built-in simulation.
///
/// This option group does not contain ``BackendOption``. Debug builds parse a nested group again
/// for each group that contains it, which costs about 60 ms at each start.
struct BackendSettings: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The program that runs the servers for lab:COMMAND.", valueName: "command"))
  var server: String?

  @Option(
    name: .customLong("max-duration"),
    help: ArgumentHelp(
      "Skip runs that are longer in real time, such as 60s or 20min.", valueName: "time"))
  var maxDuration = TimeLength(RealTime.Options().maxDuration)

  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "How long a process may take to answer; at least 30s to start in a lab.", valueName: "time"))
  var timeout = TimeLength(.answerTimeout)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The tolerance for the time of an event in real time, such as 1s.", valueName: "time"))
  var tolerance = TimeLength(RealTime.Options().tolerance)

  @Flag(
    name: .long,
    help: "Fail if this machine cannot create a device lab.")
  var requireLab = false

  /// Returns the arguments that select a backend with these settings, without default values.
  func arguments(selecting backend: BackendChoice) -> [String] {
    (backend.isBuiltIn ? [] : ["--backend", backend.description]) + arguments(for: [backend])
  }

  /// Returns the arguments for the settings that affect some backends, without default values.
  func arguments(for backends: [BackendChoice]) -> [String] {
    var arguments: [String] = []
    if let server, backends.contains(where: \.needsServer) { arguments += ["--server", server] }
    let standard = RealTime.Options()
    let isLive = backends.contains(where: \.isLive)
    for (name, time, standard, matters) in [
      ("--max-duration", maxDuration, standard.maxDuration, isLive),
      ("--timeout", timeout, .answerTimeout, backends.contains(where: \.isProgram)),
      ("--tolerance", tolerance, standard.tolerance, isLive),
    ] where matters && time.interval != standard {
      arguments += [name, time.interval.text]
    }
    return arguments
  }

  /// Whether all settings have their default values.
  var areStandard: Bool { arguments(for: [.lab("")]).isEmpty && !requireLab }

  /// Throws an error if a server program is missing or has no use.
  func validate(for backends: [BackendChoice]) throws {
    let wanting = backends.first(where: \.needsServer)
    if let wanting, server == nil {
      throw ValidationError(
        "--backend '\(wanting)' needs servers. Add --server 'COMMAND', the program that runs "
          + "them.")
    }
    if wanting == nil, server != nil {
      throw ValidationError("--server requires --backend lab:COMMAND. Remove --server.")
    }
  }

  /// Moves the whole process into separate namespaces if a lab is required.
  func enterLab(for backends: [BackendChoice]) throws {
    guard backends.contains(where: \.isLive) else { return }
    try LabEntry.enter(isRequired: requireLab, isAllThereIs: backends.allSatisfy(\.isLive))
  }

  /// Returns the simulated network for another process, or `nil` if the backend is not one.
  func processes(_ backend: BackendChoice) throws -> SimulatedBackend? {
    guard case .process(let command) = backend else { return nil }
    defer { PIDNamespaceWarning.show() }
    do throws(BackendError) {
      switch try ProcessBackend(command, timeout: timeout.interval) {
      case .clients(let clients): return SimulatedBackend(of: clients)
      case .transports(let transports): return SimulatedBackend(over: transports)
      }
    } catch {
      throw ExitError(
        .breakdown,
        printing: "\(error.message)\nTry `handover backend check \(ShellWord.quoted(command))`.")
    }
  }

  /// Returns the runs in real time, or `nil` if the backend runs in virtual time.
  func liveRuns(
    _ backend: BackendChoice, of plan: [PlannedScenario], simulatedBy simulation: ParallelRun,
    _ gates: Gates
  ) throws -> LiveRuns? {
    var options = RealTime.Options()
    options.maxDuration = maxDuration.interval
    options.tolerance = tolerance.interval
    let networks = LabNetworks()
    switch backend {
    case .simulated, .process: return nil
    case .nio:
      return LiveRuns(plan, simulation, gates, in: networks, options, comparing: true) {
        NIOBackend($0)
      }
    case .lab(let command):
      defer { PIDNamespaceWarning.show() }
      do throws(BackendError) {
        return try LiveRuns(
          plan, simulation, gates, in: networks, options, comparing: false
        ) { time throws(BackendError) in
          try LiveProcesses(
            client: command, server: server ?? "", timeout: timeout.interval, time: time)
        }
      } catch {
        throw ExitError(.breakdown, printing: error.message)
      }
    }
  }
}

/// An interval in the notation of scenarios.
struct TimeLength: ExpressibleByArgument, CustomStringConvertible {
  var interval: Interval

  init(_ interval: Interval) {
    self.interval = interval
  }

  init?(argument: String) {
    guard let interval = TimeNotation.interval(argument), interval > .zero else { return nil }
    self.interval = interval
  }

  var description: String { interval.text }
  var defaultValueDescription: String { interval.text }
}
