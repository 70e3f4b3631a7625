import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario

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
  /// A client in another process, in the simulated network.
  case process(String)

  init?(argument: String) {
    switch argument {
    case "simulated": self = .simulated
    case "nio": self = .nio
    case let command where command.hasPrefix("exec:"):
      let command = String(command.dropFirst(5))
      guard !command.allSatisfy(\.isWhitespace) else { return nil }
      self = .process(command)
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .simulated: "simulated"
    case .nio: "nio"
    case .process(let command): "exec:\(command)"
    }
  }

  var defaultValueDescription: String { description }

  /// Whether time is the kernel's.
  var isLive: Bool { self == .nio }

  /// Whether the built-in client is under test, in virtual time.
  var isBuiltIn: Bool { self == .simulated }

  /// Says so where the backend is not there on this system.
  func validate() throws {
    #if !os(Linux)
      if !isBuiltIn { throw ValidationError("--backend \(self) needs Linux.") }
    #endif
  }
}

/// Which backend is under test, and what goes with it.
struct BackendOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "What is under test: simulated, nio for real sockets in the device lab, or exec:COMMAND "
        + "for a process that speaks the backend protocol.", valueName: "name"))
  var backend = BackendChoice.simulated

  @OptionGroup
  var settings: BackendSettings

  /// Whether time is the kernel's.
  var isLive: Bool { backend.isLive }

  /// Whether the built-in client is under test, in virtual time.
  var isBuiltIn: Bool { backend.isBuiltIn }

  func validate() throws {
    try backend.validate()
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
      of plan: [PlannedScenario], variants: [TransportVariant]
    ) -> LiveRuns? {
      settings.liveRuns(backend, of: plan, variants: variants)
    }
  #endif
}

/// What goes with backends that are no simulation of ours.
struct BackendSettings: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The longest run that is played in real time, such as 60s or 20min.", valueName: "time"))
  var longest = TimeLength(.minutes(1))

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long an answer of a process may take.", valueName: "time"))
  var patience = TimeLength(.seconds(5))

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How far from its instant a thing may happen in real time.", valueName: "time"))
  var tolerance = TimeLength(.seconds(1))

  @Flag(
    name: .long,
    help: "Where there can be no device lab: fail, instead of leaving the cases out.")
  var requireLab = false

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
      do throws(BackendError) {
        return SimulatedBackend(of: try ProcessClients(command, patience: patience.interval))
      } catch {
        printError("\(error.message)\nTry `handover backend check '\(command)'`.")
        throw Leave(.breakdown)
      }
    }

    /// The runs in real time; nil where time is virtual.
    func liveRuns(
      _ backend: BackendChoice, of plan: [PlannedScenario], variants: [TransportVariant]
    ) -> LiveRuns? {
      guard backend.isLive else { return nil }
      var options = RealTime.Options()
      options.longest = longest.interval
      options.tolerance = tolerance.interval
      return LiveRuns(plan, variants, in: LabNetworks(isRequired: requireLab), options)
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
