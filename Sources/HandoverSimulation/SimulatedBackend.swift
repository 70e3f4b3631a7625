public import HandoverBackend
public import HandoverCore
import HandoverTrace

/// The built-in backend: the project's own client in a simulated network, in virtual time.
public struct SimulatedBackend: Backend {
  private let defects: Defects

  /// Makes the backend.
  ///
  /// - Parameter defects: defects of the original that the client has, to see them convicted.
  public init(defects: Defects = []) {
    self.defects = defects
  }

  /// The backend shows everything there is.
  public var description: BackendDescription {
    BackendDescription(name: "simulated", time: .virtual, capabilities: .all)
  }

  /// Makes a session; it never fails.
  public func makeSession() throws(BackendError) -> any BackendSession {
    SimulatedSession(defects: defects)
  }
}

/// Plays scripts in the simulated network, one after the other.
///
/// The run is one stored property: the compiler then checks exclusive access once for each call and
/// not at every table inside.
final class SimulatedSession: BackendSession {
  private var run: SimulatedRun

  init(defects: Defects) {
    run = SimulatedRun(defects: defects)
  }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    recording(&trace) { $0.open(script, profile: profile) }
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    recording(&trace) { $0.advance(until: instant, inclusive: false) }
    try checkLimit()
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    recording(&trace) { $0.advance(until: instant, inclusive: true) }
    try checkLimit()
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    recording(&trace) { $0.play(entry) }
  }

  func settle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant {
    recording(&trace) { $0.settle(through: limit) }
    try checkLimit()
    return run.now
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    recording(&trace) { $0.close(at: instant) }
    return run.remains()
  }

  /// Lends the trace to the run for as long as it works.
  private func recording(_ trace: inout Trace, _ work: (inout SimulatedRun) -> Void) {
    swap(&run.trace, &trace)
    work(&run)
    swap(&run.trace, &trace)
  }

  private func checkLimit() throws(BackendError) {
    guard run.steps >= SimulatedRun.maximumSteps else { return }
    throw BackendError(
      .brokeDown,
      "the run did more than \(SimulatedRun.maximumSteps) steps; "
        + "make `every` longer or end the run with `config.until`")
  }
}
