import HandoverBackend
import HandoverCore
import HandoverSimulation

/// A session of the simulated backend, for tests that override parts of its behavior.
class ForwardingSession: BackendSession {
  private let inner: any BackendSession

  init() throws(BackendError) {
    inner = try SimulatedBackend().makeSession()
  }

  var log: String { inner.log }

  func open(
    _ script: Script, profile: Profile, into trace: inout Trace
  ) throws(BackendError) {
    try inner.open(script, profile: profile, into: &trace)
  }

  final func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    try inner.advance(before: instant, into: &trace)
  }

  final func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try inner.advance(through: instant, into: &trace)
  }

  final func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try inner.play(entry, into: &trace)
  }

  final func runUntilIdle(
    through limit: Instant, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    try inner.runUntilIdle(through: limit, into: &trace)
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    try inner.close(at: instant, into: &trace)
  }
}
