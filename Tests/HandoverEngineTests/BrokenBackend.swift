import HandoverBackend
import HandoverCore
import HandoverSimulation
import Synchronization

/// The simulated backend with a failure on one profile, at one point.
final class BrokenBackend: Backend {
  /// The point at which the backend fails.
  enum Point: String, CaseIterable, Sendable {
    case open, advanceBefore, advanceThrough, play, runUntilIdle, close
  }

  static let message = "the backend broke down"

  let point: Point
  let profile: Profile
  let code: BackendError.Code
  /// The number of the session that cannot be created, counted from 1.
  private let missingSession: Int?
  private let count = Mutex(0)
  /// How many more runs fail.
  private let failures: Mutex<Int>

  init(
    at point: Point, on profile: Profile, code: BackendError.Code = .backendFailed,
    missingSession: Int? = nil, failures: Int = .max
  ) {
    self.failures = Mutex(failures)
    self.point = point
    self.profile = profile
    self.code = code
    self.missingSession = missingSession
  }

  /// Returns whether the run fails now.
  fileprivate func fails() -> Bool {
    failures.withLock { failures in
      defer { failures -= failures > 0 ? 1 : 0 }
      return failures > 0
    }
  }

  /// The number of requested sessions.
  var sessionCount: Int { count.withLock { $0 } }

  var description: BackendDescription { SimulatedBackend().description }

  func makeSession() throws(BackendError) -> any BackendSession {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number != missingSession else {
      throw BackendError(.cannotStart, "session \(number) cannot be made")
    }
    return BrokenSession(try SimulatedBackend().makeSession(), self)
  }
}

private final class BrokenSession: BackendSession {
  private let inner: any BackendSession
  private let backend: BrokenBackend
  private var profile: Profile?

  init(_ inner: any BackendSession, _ backend: BrokenBackend) {
    self.inner = inner
    self.backend = backend
  }

  private func reach(_ point: BrokenBackend.Point) throws(BackendError) {
    guard point == backend.point, profile == backend.profile, backend.fails() else { return }
    throw BackendError(backend.code, BrokenBackend.message)
  }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    self.profile = profile
    try inner.open(script, profile: profile, into: &trace)
    try reach(.open)
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    try inner.advance(before: instant, into: &trace)
    try reach(.advanceBefore)
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try inner.advance(through: instant, into: &trace)
    try reach(.advanceThrough)
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try inner.play(entry, into: &trace)
    try reach(.play)
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    let end = try inner.runUntilIdle(through: limit, into: &trace)
    try reach(.runUntilIdle)
    return end
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    let leaks = try inner.close(at: instant, into: &trace)
    try reach(.close)
    return leaks
  }
}

/// The simulated backend with fewer capabilities.
struct PartialBackend: Backend {
  var capabilities: Capabilities

  var description: BackendDescription {
    BackendDescription(name: "partial", time: .virtual, capabilities: capabilities)
  }

  func makeSession() throws(BackendError) -> any BackendSession {
    try SimulatedBackend().makeSession()
  }
}
