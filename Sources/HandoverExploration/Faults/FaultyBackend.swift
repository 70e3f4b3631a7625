package import HandoverBackend
import HandoverCore
import HandoverSimulation

/// The built-in backend with injected bugs.
package struct FaultyBackend: Backend {
  private let changes: [FaultChange]
  private let simulated: SimulatedBackend

  /// Creates the backend.
  ///
  /// Without bugs, it behaves like the built-in one.
  package init(_ faults: [Mutant]) {
    let changes = faults.map(\.change)
    self.changes = changes
    simulated = SimulatedBackend(
      altering: { settings in for change in changes { change.client?(&settings) } },
      dispatcherDefects: changes.reduce([]) { $0.union($1.dispatcher) })
  }

  package var description: BackendDescription { simulated.description }

  package func makeSession() throws(BackendError) -> any BackendSession {
    FaultySession(try simulated.makeSession(), changes)
  }
}

/// Runs a scenario and reports the run, both as changed by the injected bugs.
private final class FaultySession: BackendSession {
  private let inner: any BackendSession
  private let changes: [FaultChange]
  private var rewriters: [ReportTampering.Rewriter] = []

  init(_ inner: any BackendSession, _ changes: [FaultChange]) {
    self.inner = inner
    self.changes = changes
  }

  var log: String { inner.log }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    var played = script
    for change in changes { change.script?(&played) }
    rewriters = changes.compactMap { $0.report?.begin(script) }
    let contract = changes.reduce(profile) { $0.altered(by: $1) }
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.open(played, profile: contract, into: &trace)
    }
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.advance(before: instant, into: &trace)
    }
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.advance(through: instant, into: &trace)
    }
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.play(entry, into: &trace)
    }
  }

  func runUntilIdle(
    through limit: Instant, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.runUntilIdle(through: limit, into: &trace)
    }
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    try tampered(&trace) { (trace: inout Trace) throws(BackendError) in
      try inner.close(at: instant, into: &trace)
    }
  }

  /// Runs some work of the session, and changes its report.
  private func tampered<Result>(
    _ trace: inout Trace, _ work: (inout Trace) throws(BackendError) -> Result
  ) throws(BackendError) -> Result {
    guard !rewriters.isEmpty else { return try work(&trace) }
    var records: ContiguousArray<TraceRecord> = []
    trace.exchangeRecords(&records)
    defer { trace.exchangeRecords(&records) }
    let result = try work(&trace)
    // `records` contains the earlier records, and the trace contains the new ones.
    var fresh: ContiguousArray<TraceRecord> = []
    trace.exchangeRecords(&fresh)
    for rewriter in rewriters { fresh = ContiguousArray(fresh.flatMap(rewriter)) }
    records.append(contentsOf: fresh)
    return result
  }
}
