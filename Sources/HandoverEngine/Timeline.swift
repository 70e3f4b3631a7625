import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Plays the timeline of a scenario on a session, and decides when the run is over.
struct Timeline {
  /// The places of the calls that have not ended, by the rows of their identifiers.
  private var running: ContiguousArray<UInt32> = []

  /// Plays everything and marks the end of the run in the trace.
  ///
  /// The run is over when all entries are played, all expectations decided and nothing is due; or
  /// at `until`. It goes on until `lastDecision` at least, and may until `lastMoment`.
  ///
  /// - Returns: the instant at which the run was over.
  mutating func play(
    _ script: Script, _ profile: Profile, lastDecision: Instant, lastMoment: Instant,
    on session: any BackendSession, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    let last = script.entries.last?.at ?? .zero
    let limit = script.configuration.until ?? max(last + RunConfiguration.defaultUntil, lastMoment)
    try session.open(script, profile: profile, into: &trace)
    for index in script.entries.indices where script.entries[index].at <= limit {
      try session.advance(before: script.entries[index].at, into: &trace)
      try session.play(index, into: &trace)
    }
    var end = try session.runUntilIdle(through: limit, into: &trace)
    let decision = min(lastDecision, limit)
    if end < decision {
      try session.advance(through: decision, into: &trace)
      end = max(decision, try session.runUntilIdle(through: limit, into: &trace))
    }
    let unfinished =
      script.configuration.chain.links.isEmpty
      ? unfinishedCalls(trace) : Self.unheardEnds(script, trace)
    // A limit that only an expectation asked for is reached in quiet.
    let isGiven = script.configuration.until != nil || limit > lastDecision
    let reason: RunEnd = isGiven && end >= limit ? .until : .quiet
    trace.append(.world(.runEnded(reason)), at: end)
    for call in unfinished { trace.append(.world(.callUnfinished(call)), at: end) }
    return end
  }

  /// The calls that were started and whose users heard no end, in the order of the script; an
  /// attempt that ended may be followed by another.
  private static func unheardEnds(_ script: Script, _ trace: Trace) -> [UInt32] {
    let chain = script.configuration.chain
    // The call that had a row of identifiers last, and by which one.
    var introduced: ContiguousArray<(call: Int, id: CallID)?> = []
    var isRunning = ContiguousArray(repeating: false, count: script.calls.count)
    for record in trace.records {
      switch record.body {
      case .world(.entryPlayed(let entry)):
        if case .startCall(let call) = script.entries[Int(entry)].action { isRunning[call] = true }
      case .world(.callIntroduced(let index, let id)):
        while introduced.count <= id.index { introduced.append(nil) }
        introduced[Int(id.index)] = (Int(index), id)
      case .effect(.endCall(let id, _)):
        guard id.index < introduced.count, let (call, known) = introduced[Int(id.index)],
          known == id, !script.calls[call].isIntercepted(by: chain)
        else { continue }
        isRunning[call] = false
      case .chain(.closed(let call, _)):
        isRunning[Int(call)] = false
      case .event, .effect, .world, .chain, .request:
        break
      }
    }
    return isRunning.indices.filter { isRunning[$0] }.map(UInt32.init(truncatingIfNeeded:))
  }

  /// The calls that were started and not ended, in the order of the script.
  private mutating func unfinishedCalls(_ trace: Trace) -> [UInt32] {
    running.removeAll(keepingCapacity: true)
    for record in trace.records {
      switch record.body {
      case .world(.callIntroduced(let index, let id)):
        while running.count <= id.index { running.append(.max) }
        running[Int(id.index)] = index
      case .effect(.endCall(let id, _)):
        if id.index < running.count { running[Int(id.index)] = .max }
      case .event, .effect, .world, .chain, .request:
        break
      }
    }
    var unfinished: [UInt32] = []
    for index in running where index != .max { unfinished.append(index) }
    unfinished.sort()
    return unfinished
  }
}
