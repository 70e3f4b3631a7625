import HandoverBackend
import HandoverCore

/// A session that runs scripts with a process in real time, one after the other.
///
/// The session's thread waits for the instants of the timeline, changes the network, and records
/// the reports of the processes as they arrive.
final class LiveProcessSession: BackendSession {
  private let backend: LiveProcesses
  private var run: LiveProcessRun?
  private var lastLog = ""

  init(_ backend: LiveProcesses) {
    self.backend = backend
  }

  deinit { _ = run?.takeDown() }

  var log: String { run?.log ?? lastLog }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    _ = run?.takeDown()
    run = nil
    lastLog = ""
    if let reason = backend.obstacle(script, profile) { throw BackendError(.unsupported, reason) }
    let expectedEnd = try backend.time.expectedEnd(of: script, profile)
    let network = try backend.time.makeNetwork(for: script)
    do throws(BackendError) {
      let (server, _) = try LiveProcesses.startServer(
        backend.server, backend.timeout, start: backend.start, at: .servers(network))
      let (client, _) = try LiveProcesses.startClient(
        backend.client, backend.timeout, start: backend.start, at: .device(network),
        lineLimit: backend.lineLimit)
      let stage = LiveStage(script, profile, network)
      let role: any LiveRole =
        switch backend.hello.role {
        case .client: LiveClientRole(client, on: stage)
        case .transport: LiveTransportRole(client, on: stage)
        }
      let run = LiveProcessRun(
        of: role, on: stage, server: server, time: backend.time, expectedEnd: expectedEnd)
      self.run = run
      try run.begin(into: &trace)
    } catch {
      // Until a run exists, only this function can close the network.
      if run == nil { _ = network.close() }
      throw error
    }
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    // No consequence of an instant happens before all its entries have run.
    let run = try current()
    if let last = run.lastEntry, instant <= last { return }
    try run.takeMoves(into: &trace)
    try run.runScheduledChanges(before: instant, into: &trace)
    try run.wait(until: instant, into: &trace)
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    let run = try current()
    try run.takeMoves(into: &trace)
    try run.runScheduledChanges(before: instant + Interval(microseconds: 1), into: &trace)
    try run.wait(until: instant, into: &trace)
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try current().play(entry, into: &trace)
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    let run = try current()
    try run.takeMoves(into: &trace)
    if backend.hello.role == .transport {
      // In virtual time, non-periodic events are due until then, even if no call waits for them.
      try advance(through: min(limit, run.expectedEnd), into: &trace)
    }
    // After that, and for clients in general, only the ends of calls are observable.
    let last = backend.time.lastInstant(
      of: run.script, expectedEnd: run.expectedEnd, limit: limit)
    try run.runScheduledChanges(before: last, into: &trace) { run.allCallsHaveEnded }
    try run.wait(until: last, into: &trace) { run.allCallsHaveEnded }
    try run.recordFaultEffects(into: &trace)
    return run.now
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    let run = try current()
    let leaks = try run.close(into: &trace)
    lastLog = run.log
    self.run = nil
    return leaks + run.takeDown()
  }

  private func current() throws(BackendError) -> LiveProcessRun {
    guard let run else { throw BackendError(.backendFailed, "no script is open on this session") }
    return run
  }
}
