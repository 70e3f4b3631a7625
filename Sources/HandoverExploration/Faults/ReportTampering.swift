import HandoverCore

/// A backend's incorrect report of a run.
///
/// The records are processed one by one as they arrive.
struct ReportTampering: Sendable {
  typealias Rewriter = (TraceRecord) -> [TraceRecord]

  /// Begins a run of a script.
  let begin: @Sendable (Script) -> Rewriter

  /// Returns a change that replaces each record.
  static func each(
    _ change: @escaping @Sendable (TraceRecord.Body, Script) -> [TraceRecord.Body]
  ) -> ReportTampering {
    ReportTampering { script in
      { record in
        change(record.body, script).map { TraceRecord(at: record.at, body: $0) }
      }
    }
  }

  /// Returns a change that omits some facts about chains.
  static func withoutChain(
    _ isSilent: @escaping @Sendable (ChainFact) -> Bool
  ) -> ReportTampering {
    each { body, _ in
      if case .chain(let fact) = body, isSilent(fact) { [] } else { [body] }
    }
  }

  /// Returns a change that replaces each fact about a chain.
  static func chain(
    _ change: @escaping @Sendable (ChainFact) -> [ChainFact]
  ) -> ReportTampering {
    each { body, _ in
      guard case .chain(let fact) = body else { return [body] }
      return change(fact).map { .chain($0) }
    }
  }

  /// Returns a change that replaces each fact about a request.
  static func request(
    _ change: @escaping @Sendable (RequestFact) -> [RequestFact]
  ) -> ReportTampering {
    each { body, _ in
      guard case .request(let fact) = body else { return [body] }
      return change(fact).map { .request($0) }
    }
  }

  /// Returns a change that replaces each fact about the world.
  static func world(
    _ change: @escaping @Sendable (WorldFact) -> [WorldFact]
  ) -> ReportTampering {
    each { body, _ in
      guard case .world(let fact) = body else { return [body] }
      return change(fact).map { .world($0) }
    }
  }

  /// Returns a change that reports a record only after the next record that `isNext` selects.
  ///
  /// If there is no such record, the held record is lost.
  static func swapped(
    _ isHeld: @escaping @Sendable (TraceRecord.Body) -> Bool,
    behind isNext: @escaping @Sendable (TraceRecord.Body) -> Bool
  ) -> ReportTampering {
    ReportTampering { _ in
      var held: TraceRecord?
      return { record in
        if held == nil, isHeld(record.body) {
          held = record
          return []
        }
        guard let first = held, isNext(record.body) else { return [record] }
        held = nil
        // The time of records must not decrease.
        return [record, TraceRecord(at: record.at, body: first.body)]
      }
    }
  }

  /// A change that reports the cancel of an ended call as another end of that call.
  static var answeringStaleCancels: ReportTampering {
    ReportTampering { script in
      // Both are for lookup only.
      var introduced: [Int: CallID] = [:]
      var ended: Set<CallID> = []
      return { record in
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

  /// A change that reports calls that end at a category change as CANCELLED, if calls are notified
  /// before the pool.
  static var cancelledWhereCallsAreNotifiedFirst: ReportTampering {
    each { body, script in
      guard case .effect(.endCall(let call, .connectivityLost)) = body,
        script.configuration.order.observers == .calls
      else { return [body] }
      return [.effect(.endCall(call, CallEnd(.cancelled, .channelDisconnected)))]
    }
  }
}
