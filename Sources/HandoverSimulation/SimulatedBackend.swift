public import HandoverBackend
public import HandoverCore
import HandoverTrace

/// The built-in backend: the project's own client in a simulated network, in virtual time.
///
/// Either of the two can be somebody else's.
public struct SimulatedBackend: Backend {
  private let alteration: ClientAlteration
  private let dispatcherDefects: DispatcherDefects
  private let elsewhere: Elsewhere?

  /// The part that is not this process' own.
  private enum Elsewhere {
    case clients(any RemoteClients)
    case transports(any RemoteTransports)

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

  /// Makes the backend.
  ///
  /// - Parameters:
  ///   - defects: defects of the original that the client has, to see them convicted.
  ///   - dispatcherDefects: defects that its dispatchers have.
  public init(defects: Defects = [], dispatcherDefects: DispatcherDefects = []) {
    alteration = ClientAlteration(defects: defects)
    self.dispatcherDefects = dispatcherDefects
    elsewhere = nil
  }

  /// Makes the backend with a client that differs from the one of each profile.
  ///
  /// - Parameters:
  ///   - change: changes the settings of the client.
  ///   - dispatcherDefects: defects that its dispatchers have.
  package init(
    altering change: @escaping @Sendable (inout PoolConfiguration) -> Void,
    dispatcherDefects: DispatcherDefects = []
  ) {
    alteration = ClientAlteration(change: change)
    self.dispatcherDefects = dispatcherDefects
    elsewhere = nil
  }

  /// Makes the backend for clients that are not this process' own, in the same simulated network.
  public init(of clients: any RemoteClients) {
    alteration = ClientAlteration()
    dispatcherDefects = []
    elsewhere = .clients(clients)
  }

  /// Makes the backend for transports that are not this process' own, below the built-in client.
  public init(over transports: any RemoteTransports) {
    alteration = ClientAlteration()
    dispatcherDefects = []
    elsewhere = .transports(transports)
  }

  /// The built-in client shows everything there is.
  public var description: BackendDescription {
    elsewhere?.description
      ?? BackendDescription(name: "simulated", time: .virtual, capabilities: .all)
  }

  /// Makes a session; with the built-in client it never fails.
  public func makeSession() throws(BackendError) -> any BackendSession {
    guard let elsewhere else {
      return SimulatedSession(
        World(altering: alteration, dispatcherDefects: dispatcherDefects), obstacle: nil)
    }
    return SimulatedSession(try elsewhere.makeRun(), obstacle: elsewhere.obstacle)
  }
}

/// Plays scripts in the simulated network, one after the other.
///
final class SimulatedSession: BackendSession {
  // Exclusive access goes unchecked, because it follows from the port: a session is used by one
  // thread at a time, and no part of a run calls the session that it belongs to.
  @exclusivity(unchecked)
  private var run: World

  /// Why a script cannot be played, as whoever is not this process' own declared; nil asks nobody.
  private let obstacle: ((Script, Profile) -> String?)?

  init(_ run: consuming World, obstacle: ((Script, Profile) -> String?)?) {
    unsafe self.run = run
    self.obstacle = obstacle
  }

  /// How many steps the run has done, and at how many connections faults and moves have looked.
  var work: (steps: Int, looks: Int) { unsafe (run.context.steps, run.context.looks) }

  var log: String { unsafe run.client.remote?.log ?? run.transport?.transport.log ?? "" }

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

  /// Lets the run do something.
  ///
  /// - Parameters:
  ///   - trace: what it is recorded in.
  ///   - work: what it does.
  /// - Returns: the instant that it has come to.
  /// - Throws: ``BackendError`` where it broke down.
  @discardableResult
  @inline(__always)
  private func played(
    _ trace: inout Trace, _ work: (inout World) -> Void
  ) throws(BackendError) -> Instant {
    let progress = unsafe run.recording(&trace, work)
    if progress.hasFailed, let failure = unsafe run.failure { throw failure }
    guard progress.steps < RunLimits.maximumSteps else { throw RunTooLong.steps }
    guard progress.records < RunLimits.maximumRecords else {
      throw RunTooLong.records(of: trace, at: progress.now)
    }
    return progress.now
  }
}
