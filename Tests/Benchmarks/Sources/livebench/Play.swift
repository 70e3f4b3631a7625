import HandoverBackend
import HandoverCore
import HandoverLinux
import HandoverNIO

/// A script run on real sockets entry by entry, as fast as possible, with the profile that has the
/// monitor.
struct Play {
  private let script: Script
  private let session: any BackendSession
  private var trace = Trace()
  private var next = 0
  private var lastInstant = Instant.zero

  /// The guard of every wait.
  private static let timeout = Interval.seconds(30)

  init(_ script: Script) throws {
    self.script = script
    // Each entry is due at the beginning, and plays when all earlier calls are at their servers.
    var options = RealTime.Options()
    options.tolerance = Self.timeout
    let backend = NIOBackend(in: LabNetworks(), options: options) { _, _ in .zero }
    session = try backend.makeSession()
    try session.open(script, profile: .socketsMonitor, into: &trace)
  }

  var isOver: Bool { next == script.entries.count }

  /// The result of a network change, timed from the start of its entry.
  struct Outcome {
    /// The time at which the client was notified of the new category.
    var callback: Interval?
    /// The time at which all effects of the change were carried out.
    var done: Interval
    /// The number of calls that ended UNAVAILABLE.
    var ended = 0
  }

  /// Starts the calls before the next network change, waits until the servers have read their
  /// requests, and makes the change.
  mutating func playThroughMove() throws -> Outcome {
    var started = 0
    while case .startCall = script.entries[next].action {
      try session.play(next, into: &trace)
      next += 1
      started += 1
    }
    try waitUntilRead(started)
    trace.removeAll()
    let move = next
    let begin = monotonicMicroseconds()
    try session.play(move, into: &trace)
    next += 1
    // The device changes its network after all entries of the instant. Records contain the time of
    // the client's notification. When the session is done, the client's orders are carried out.
    try session.advance(through: lastInstant, into: &trace)
    let done = Interval(microseconds: monotonicMicroseconds() - begin)
    return try outcome(of: move, done: done)
  }

  private mutating func waitUntilRead(_ count: Int) throws {
    let deadline = (trace.records.last?.at ?? lastInstant) + Self.timeout
    var (read, looked) = (0, 0)
    while true {
      for record in trace.records[looked...] {
        if case .world(.serverReadRequest) = record.body { read += 1 }
      }
      looked = trace.records.count
      lastInstant = max(lastInstant, trace.records.last?.at ?? .zero)
      if read >= count { return }
      lastInstant = lastInstant + .milliseconds(1)
      guard lastInstant < deadline else {
        throw Failed("the servers have read \(read) of \(count) requests")
      }
      try session.advance(through: lastInstant, into: &trace)
    }
  }

  private func outcome(of entry: Int, done: Interval) throws -> Outcome {
    let played = TraceRecord.Body.world(.entryPlayed(UInt32(entry)))
    guard let first = trace.records.firstIndex(where: { $0.body == played }) else {
      throw Failed("a network change left no record")
    }
    let begin = trace.records[first].at
    var outcome = Outcome(done: done)
    for record in trace.records[first...] {
      switch record.body {
      case .event(.reachability(.callback)):
        outcome.callback = outcome.callback ?? record.at.since(begin)
      case .effect(.endCall(_, let end)) where end.code == .unavailable: outcome.ended += 1
      case .event, .effect, .world, .chain, .request: break
      }
    }
    return outcome
  }

  /// Closes the client and removes the lab, and fails if anything remains.
  mutating func close() throws {
    let leaks = try session.close(at: lastInstant, into: &trace)
    guard leaks.isEmpty else { throw Failed(leaks.joined(separator: "; ")) }
  }
}
