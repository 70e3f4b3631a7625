public import HandoverBackend
package import HandoverCore

/// The built-in backend: the built-in client in a simulated network, in virtual time.
///
/// The client or the network can be replaced by one in another process.
public struct SimulatedBackend: Backend {
  private let alteration: ClientAlteration
  private let dispatcherDefects: DispatcherDefects
  private let elsewhere: Elsewhere?

  /// The part that runs in another process.
  private enum Elsewhere {
    case clients(any RemoteClientFactory)
    case transports(any RemoteTransportFactory)

    var description: BackendDescription {
      switch self {
      case .clients(let clients): clients.description
      case .transports(let transports): transports.description
      }
    }

    func obstacle(_ script: Script, _ profile: Profile) -> String? {
      switch self {
      case .clients(let clients): clients.obstacle(script, profile)
      case .transports(let transports): transports.obstacle(script, profile)
      }
    }

    func makeRun() throws(BackendError) -> World {
      switch self {
      case .clients(let clients): World(remote: try clients.makeClient())
      case .transports(let transports): World(transport: try transports.makeTransport())
      }
    }
  }

  /// Creates the backend.
  public init() {
    alteration = ClientAlteration()
    dispatcherDefects = []
    elsewhere = nil
  }

  /// Creates the backend with a client that differs from the one of each profile.
  ///
  /// - Parameters:
  ///   - change: a closure that changes the settings of the client.
  ///   - dispatcherDefects: the defects of its dispatchers.
  package init(
    altering change: @escaping @Sendable (inout PoolConfiguration) -> Void,
    dispatcherDefects: DispatcherDefects = []
  ) {
    alteration = ClientAlteration(change: change)
    self.dispatcherDefects = dispatcherDefects
    elsewhere = nil
  }

  /// Creates the backend for clients in other processes, in the same simulated network.
  public init(of clients: any RemoteClientFactory) {
    alteration = ClientAlteration()
    dispatcherDefects = []
    elsewhere = .clients(clients)
  }

  /// Creates the backend for transports in other processes, below the built-in client.
  public init(over transports: any RemoteTransportFactory) {
    alteration = ClientAlteration()
    dispatcherDefects = []
    elsewhere = .transports(transports)
  }

  /// The description of the backend.
  ///
  /// The built-in client has all capabilities.
  public var description: BackendDescription {
    elsewhere?.description
      ?? BackendDescription(name: "simulated", time: .virtual, capabilities: .all)
  }

  /// Creates a session.
  ///
  /// With the built-in client this never fails.
  public func makeSession() throws(BackendError) -> any BackendSession {
    guard let elsewhere else {
      return SimulatedSession(
        World(altering: alteration, dispatcherDefects: dispatcherDefects), obstacle: nil)
    }
    return SimulatedSession(try elsewhere.makeRun(), obstacle: elsewhere.obstacle)
  }
}

/// Runs scripts in the simulated network, one after the other.
final class SimulatedSession: BackendSession {
  private var run: World

  /// A function that returns why the replaced part cannot run a script, or `nil` if all parts are
  /// built in.
  private let obstacle: ((Script, Profile) -> String?)?

  init(_ run: consuming World, obstacle: ((Script, Profile) -> String?)?) {
    self.run = run
    self.obstacle = obstacle
  }

  /// The number of steps of the run, and the number of connections that faults and network changes
  /// have examined.
  var work: (steps: Int, looks: Int) { (run.context.steps, run.context.looks) }

  var log: String { run.client.calls.remote?.log ?? run.transport?.transport.log ?? "" }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    if let reason = script.obstacleInVirtualTime { throw BackendError(.unsupported, reason) }
    if let obstacle, let reason = obstacle(script, profile) {
      throw BackendError(.unsupported, reason)
    }
    try played(&trace) { $0.open(script, profile: profile) }
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    try played(&trace) { $0.advance(until: instant, inclusive: false) }
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try played(&trace) { $0.advance(until: instant, inclusive: true) }
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try played(&trace) { $0.play(entry) }
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    try played(&trace) { $0.runUntilIdle(through: limit) }
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    var leaks: [String] = []
    try played(&trace) {
      $0.close(at: instant)
      leaks = $0.leaks()
    }
    return leaks
  }

  /// Runs some work of the world, and checks the limits of the run.
  ///
  /// - Parameters:
  ///   - trace: the trace that records the work.
  ///   - work: the work.
  /// - Returns: the current instant of the run.
  /// - Throws: ``BackendError`` if the client or the transport had an internal error, or if the run
  ///   exceeds its limits.
  @discardableResult
  private func played(
    _ trace: inout Trace, _ work: (inout World) -> Void
  ) throws(BackendError) -> Instant {
    let progress = run.recording(&trace, work)
    if progress.hasFailed, let failure = run.failure { throw failure }
    guard progress.steps < RunLimits.maximumSteps else { throw RunTooLong.steps }
    guard progress.records < RunLimits.maximumRecords else {
      throw RunTooLong.records(of: trace, at: progress.now)
    }
    return progress.now
  }
}
