import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Plays the timeline of a scenario on a session, and decides when the run is over.
struct Timeline {
  private let script: Script
  private let profile: Profile
  private let lastDecision: Instant
  private let lastMoment: Instant

  init(_ scenario: Scenario, _ profile: Profile) {
    script = scenario.script
    lastDecision = Judge.lastDecision(scenario, profile: profile)
    lastMoment = Judge.lastMoment(scenario, profile: profile)
    self.profile = profile
  }

  /// Plays everything and marks the end of the run in the trace.
  ///
  /// The run is over when all entries are played, all expectations decided and nothing is due; or
  /// at `until`.
  ///
  /// - Returns: the instant at which the run was over.
  func play(
    on session: any BackendSession, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    let last = script.entries.last?.at ?? .zero
    let limit = script.configuration.until ?? max(last + RunConfiguration.defaultUntil, lastMoment)
    try session.open(script, profile: profile, into: &trace)
    for (place, entry) in script.entries.enumerated() where entry.at <= limit {
      try session.advance(before: entry.at, into: &trace)
      try session.play(place, into: &trace)
    }
    var end = try session.settle(through: limit, into: &trace)
    let decision = min(lastDecision, limit)
    if end < decision {
      try session.advance(through: decision, into: &trace)
      end = max(decision, try session.settle(through: limit, into: &trace))
    }
    let unfinished = unfinishedCalls(trace)
    // A limit that only an expectation asked for is reached in quiet.
    let isGiven = script.configuration.until != nil || limit > lastDecision
    let reason: RunEnd = isGiven && end >= limit ? .until : .quiet
    trace.append(.world(.runEnded(reason)), at: end)
    for call in unfinished { trace.append(.world(.callUnfinished(call)), at: end) }
    return end
  }

  /// The calls that were started and not ended, in the order of the script.
  private func unfinishedCalls(_ trace: Trace) -> [UInt32] {
    var places: ContiguousArray<UInt32?> = []
    for record in trace.records {
      switch record.body {
      case .world(.callIntroduced(let place, let id)):
        while places.count <= id.index { places.append(nil) }
        places[Int(id.index)] = place
      case .effect(.endCall(let id, _)):
        if id.index < places.count { places[Int(id.index)] = nil }
      case .event, .effect, .world:
        break
      }
    }
    return places.compactMap { $0 }.sorted()
  }
}
