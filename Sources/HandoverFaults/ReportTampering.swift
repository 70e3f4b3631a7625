import HandoverCore
import HandoverTrace

/// What a backend tells otherwise than it happened.
///
/// Records are looked at one by one, as they come; the trace takes the texts of new ones.
struct ReportTampering: Sendable {
  typealias Rewriter = (TraceRecord, inout Trace) -> [TraceRecord]

  /// Begins a run of a script.
  let begin: @Sendable (Script) -> Rewriter

  /// Tells something else in the place of each record.
  static func each(
    _ change: @escaping @Sendable (TraceRecord.Body, Script, inout Trace) -> [TraceRecord.Body]
  ) -> ReportTampering {
    ReportTampering { script in
      { record, trace in
        change(record.body, script, &trace).map { TraceRecord(at: record.at, body: $0) }
      }
    }
  }

  /// Is silent about some facts of chains.
  static func withoutChain(
    _ isSilent: @escaping @Sendable (ChainFact) -> Bool
  ) -> ReportTampering {
    each { body, _, _ in
      if case .chain(let fact) = body, isSilent(fact) { [] } else { [body] }
    }
  }

  /// Tells another fact of a chain in the place of each.
  static func chain(
    _ change: @escaping @Sendable (ChainFact, Script, inout Trace) -> [ChainFact]
  ) -> ReportTampering {
    each { body, script, trace in
      guard case .chain(let fact) = body else { return [body] }
      return change(fact, script, &trace).map { .chain($0) }
    }
  }

  /// Tells other facts of requests in the place of each.
  static func request(
    _ change: @escaping @Sendable (RequestFact, Script) -> [RequestFact]
  ) -> ReportTampering {
    each { body, script, _ in
      guard case .request(let fact) = body else { return [body] }
      return change(fact, script).map { .request($0) }
    }
  }

  /// Tells other facts of the world in the place of each.
  static func world(
    _ change: @escaping @Sendable (WorldFact, Script) -> [WorldFact]
  ) -> ReportTampering {
    each { body, script, _ in
      guard case .world(let fact) = body else { return [body] }
      return change(fact, script).map { .world($0) }
    }
  }

  /// Tells a record only after the next one of another kind; where none comes, it is lost.
  static func swapped(
    _ isHeld: @escaping @Sendable (TraceRecord.Body) -> Bool,
    behind isNext: @escaping @Sendable (TraceRecord.Body) -> Bool
  ) -> ReportTampering {
    ReportTampering { _ in
      var held: TraceRecord?
      return { record, _ in
        if held == nil, isHeld(record.body) {
          held = record
          return []
        }
        guard let first = held, isNext(record.body) else { return [record] }
        held = nil
        // Time does not run backwards.
        return [record, TraceRecord(at: record.at, body: first.body)]
      }
    }
  }

  /// Tells the cancel of a call that has ended as one more end.
  static var answeringStaleCancels: ReportTampering {
    ReportTampering { script in
      // Both for lookup only.
      var introduced: [Int: CallID] = [:]
      var ended: Set<CallID> = []
      return { record, _ in
        switch record.body {
        case .world(.callIntroduced(let call, let id)): introduced[Int(call)] = id
        case .effect(.endCall(let id, _)): ended.insert(id)
        case .world(.entryPlayed(let entry)):
          guard case .cancel(let call) = script.entries[Int(entry)].action,
            let id = introduced[call], ended.contains(id)
          else { break }
          let end = ClientEffect.endCall(id, CallEnd(.cancelled, .cancelledByApplication))
          return [record, TraceRecord(at: record.at, body: .effect(end))]
        case .event, .effect, .world, .chain, .request: break
        }
        return [record]
      }
    }
  }

  /// Tells the ends of calls at a transition as CANCELLED where calls hear of it before the pool.
  static var cancelledWhereCallsHearFirst: ReportTampering {
    each { body, script, _ in
      guard case .effect(.endCall(let call, .connectivityLost)) = body,
        script.configuration.order.observers == .calls
      else { return [body] }
      return [.effect(.endCall(call, CallEnd(.cancelled, .channelDisconnected)))]
    }
  }
}
