import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario

#if os(Linux)
  import HandoverNIO
#endif

/// Which backend is under test, and what goes with one in real time.
struct BackendOptions: ParsableArguments {
  /// A backend by its name.
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    /// The built-in client in a simulated network, in virtual time.
    case simulated
    /// The same client over real sockets in the device lab.
    case nio
  }

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What is under test: simulated, or nio for real sockets in the device lab.",
      valueName: "name"))
  var backend = Choice.simulated

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The longest run that is played in real time, such as 60s or 20min.", valueName: "time"))
  var longest = TimeLength(.minutes(1))

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How far from its instant a thing may happen in real time.", valueName: "time"))
  var tolerance = TimeLength(.seconds(1))

  @Flag(
    name: .long,
    help: "Where there can be no device lab: fail, instead of leaving the cases out.")
  var requireLab = false

  /// Whether time is the kernel's.
  var isLive: Bool { backend != .simulated }

  func validate() throws {
    #if !os(Linux)
      if isLive { throw ValidationError("--backend nio needs Linux: it makes network namespaces.") }
    #endif
  }

  /// Takes the whole process into namespaces of its own, where a lab is wanted.
  func enterLab() throws {
    #if os(Linux)
      if isLive { try LabEntry.enter(isRequired: requireLab) }
    #endif
  }

  #if os(Linux)
    /// The runs in real time; nil where time is virtual.
    func liveRuns(
      of plan: [PlannedScenario], variants: [TransportVariant]
    ) -> LiveRuns? {
      guard isLive else { return nil }
      var options = NIOBackend.Options()
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
