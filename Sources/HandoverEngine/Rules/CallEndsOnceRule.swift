import HandoverCore

/// Invariant 1: a call ends once, and nothing is observed of it afterward.
struct CallEndsOnceRule: Rule {
  static let identifier = RuleIdentifier.callEndsOnce
  static let moments: RunMoments = [.deliveries, .callEnds]

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .effect(.fetchToken(let id)), .effect(.deliverMessage(let id)):
      if run.unfinished(id) == nil {
        broken(&run, "nothing is observed of a call after its end", "\(run.name(id)) is")
      }
    case .effect(.endCall(let id, let end)):
      if run.unfinished(id) == nil {
        broken(&run, "a call ends once", "\(run.name(id)) ended again, \(end.code)")
      }
    default: break
    }
  }
}
