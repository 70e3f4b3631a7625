import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

#if os(Linux)
  import HandoverNIO
  import HandoverProcess
  import HandoverSimulation
#endif

/// A backend by its name.
enum BackendChoice: Hashable, ExpressibleByArgument, CustomStringConvertible {
  /// The built-in client in a simulated network, in virtual time.
  case simulated
  /// The same client over real sockets in the device lab.
  case nio
  /// A client in another process in the simulated network, or a transport in its place.
  case process(String)
  /// A client or a transport in another process with sockets of its own, in the device lab.
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

  /// What a shell offers; a command follows the colon.
  static let completion = CompletionKind.list(["simulated", "nio", "exec:", "lab:"])

  /// Whether time is the kernel's.
  var isLive: Bool {
    switch self {
    case .nio, .lab: true
    case .simulated, .process: false
    }
  }

  /// Whether servers of one's own belong to it.
  var wantsServer: Bool {
    switch self {
    case .lab: true
    case .simulated, .nio, .process: false
    }
  }

  /// Whether the built-in client is under test, in virtual time.
  var isBuiltIn: Bool { self == .simulated }

  /// How many scenarios run in parallel where nobody says: what waits for others, or for the time
  /// to pass, goes on all cores.
  var usualJobs: Int { isBuiltIn ? 1 : min(256, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Says so where the backend is not there on this system.
  func validate() throws {
    #if !os(Linux)
      if !isBuiltIn { throw ValidationError("--backend \(self) needs Linux.") }
    #endif
  }
}

/// Which backend is under test.
struct BackendOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "What is under test: simulated; nio, real sockets in the device lab; exec:COMMAND, a process "
        + "that speaks the backend protocol; lab:COMMAND, one in real time with its own sockets "
        + "in the device lab.", valueName: "name"), completion: BackendChoice.completion)
  var backend = BackendChoice.simulated
}

/// Which backend is under test, and what goes with it.
///
/// Two groups of options and no group within another one: debug builds look at each group again for
/// each that it stands in, some sixty milliseconds of every start.
struct BackendOptions {
  var backend: BackendChoice
  var settings: BackendSettings

  /// Whether time is the kernel's.
  var isLive: Bool { backend.isLive }

  /// Whether the built-in client is under test, in virtual time.
  var isBuiltIn: Bool { backend.isBuiltIn }

  func validate() throws {
    try backend.validate()
    try settings.validate(for: [backend])
  }

  /// Takes the whole process into namespaces of its own, where a lab is wanted.
  func enterLab() throws {
    try settings.enterLab(for: [backend])
  }

  #if os(Linux)
    /// The simulated network with the client of another process; nil where none is named.
    func processes() throws -> SimulatedBackend? {
      try settings.processes(backend)
    }

    /// The runs in real time; nil where time is virtual.
    func liveRuns(
      of plan: [PlannedScenario], rehearsedBy rehearsal: ParallelRun, _ gates: Gates
    ) throws -> LiveRuns? {
      try settings.liveRuns(backend, of: plan, rehearsedBy: rehearsal, gates)
    }
  #endif
}

/// What goes with backends that are no simulation of ours.
struct BackendSettings: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The program that plays the servers for lab:COMMAND.", valueName: "command"))
  var server: String?

  @Option(
    name: .customLong("max-duration"),
    help: ArgumentHelp(
      "The longest run to play in real time, such as 60s or 20min.", valueName: "time"))
  private var givenMaxDuration = TimeLength(.minutes(1))

  /// What `--max-duration` was called before; hidden, and gone in the next version.
  @Option(name: .customLong("longest"), help: .hidden)
  private var longest: TimeLength?

  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "How long a process may take to answer; six times as long to start in a lab.",
      valueName: "time"))
  private var givenTimeout = TimeLength(.seconds(5))

  /// What `--timeout` was called before; hidden, and gone in the next version.
  @Option(name: .customLong("patience"), help: .hidden)
  private var patience: TimeLength?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How far from its expected time an event may be in real time.", valueName: "time"))
  var tolerance = TimeLength(.seconds(1))

  @Flag(
    name: .long,
    help: "Fail if there can be no device lab, even if something else can run.")
  var requireLab = false

  /// The longest run to play in real time.
  var maxDuration: TimeLength { longest ?? givenMaxDuration }

  /// How long a process may take to answer.
  var timeout: TimeLength { patience ?? givenTimeout }

  /// Says so where servers are missing, or are not wanted.
  func validate(for backends: [BackendChoice]) throws {
    let wanting = backends.first(where: \.wantsServer)
    if let wanting, server == nil {
      throw ValidationError(
        "--backend '\(wanting)' needs servers to call: --server 'COMMAND' names the program that "
          + "plays them.")
    }
    if wanting == nil, server != nil {
      throw ValidationError("--server is for --backend lab:COMMAND; no other calls its servers.")
    }
  }

  /// Takes the whole process into namespaces of its own, where a lab is wanted.
  func enterLab(for backends: [BackendChoice]) throws {
    #if os(Linux)
      guard backends.contains(where: \.isLive) else { return }
      try LabEntry.enter(isRequired: requireLab, isAllThereIs: backends.allSatisfy(\.isLive))
    #endif
  }

  #if os(Linux)
    /// The simulated network with the client of another process; nil where none is named.
    func processes(_ backend: BackendChoice) throws -> SimulatedBackend? {
      guard case .process(let command) = backend else { return nil }
      defer { TreeNote.show() }
      do throws(BackendError) {
        switch try ProcessBackend(command, timeout: timeout.interval) {
        case .clients(let clients): return SimulatedBackend(of: clients)
        case .transports(let transports): return SimulatedBackend(over: transports)
        }
      } catch {
        printError("\(error.message)\nTry `handover backend check \(ShellWord.quoted(command))`.")
        throw Leave(.breakdown)
      }
    }

    /// The runs in real time; nil where time is virtual.
    func liveRuns(
      _ backend: BackendChoice, of plan: [PlannedScenario], rehearsedBy rehearsal: ParallelRun,
      _ gates: Gates
    ) throws -> LiveRuns? {
      var options = RealTime.Options()
      options.maxDuration = maxDuration.interval
      options.tolerance = tolerance.interval
      let networks = LabNetworks()
      switch backend {
      case .simulated, .process: return nil
      case .nio:
        return LiveRuns(plan, rehearsal, gates, in: networks, options, comparing: true) {
          NIOBackend($0)
        }
      case .lab(let command):
        defer { TreeNote.show() }
        do throws(BackendError) {
          return try LiveRuns(
            plan, rehearsal, gates, in: networks, options, comparing: false
          ) { time throws(BackendError) in
            try LiveProcesses(
              client: command, server: server ?? "", timeout: timeout.interval, time: time)
          }
        } catch {
          printError(error.message)
          throw Leave(.breakdown)
        }
      }
    }
  #endif
}

/// A length of time as scenarios write it.
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
