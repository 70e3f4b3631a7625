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
    try check(run.recording(&trace) { $0.open(script, profile: profile) })
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    try check(run.recording(&trace) { $0.advance(until: instant, inclusive: false) })
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try check(run.recording(&trace) { $0.advance(until: instant, inclusive: true) })
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try check(run.recording(&trace) { $0.play(entry) })
  }

  func settle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant {
    let progress = run.recording(&trace) { $0.settle(through: limit) }
    try check(progress)
    return progress.now
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    var remains: [String] = []
    try check(
      run.recording(&trace) {
        $0.close(at: instant)
        remains = $0.remains()
      })
    return remains
  }

  private func check(_ progress: SimulatedRun.Progress) throws(BackendError) {
    guard progress.steps >= SimulatedRun.maximumSteps else { return }
    throw BackendError(
      .brokeDown,
      "the run did more than \(SimulatedRun.maximumSteps) steps; "
        + "make `every` longer or end the run with `config.until`")
  }
}
