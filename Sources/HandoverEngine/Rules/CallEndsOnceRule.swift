import HandoverCore

/// Rule 1: a call ends once, and nothing is observed of it afterwards.
struct CallEndsOnceRule: Rule {
  static let identifier = RuleIdentifier.callEndsOnce

  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    switch effect {
    case .fetchToken(let id), .deliverMessage(let id):
      if run.unfinished(id) == nil {
        broken(&run, "nothing is observed of a call after its end", "\(run.name(id)) is")
      }
    case .endCall(let id, let end):
      if run.unfinished(id) == nil {
        broken(&run, "a call ends once", "\(run.name(id)) ended again, \(end.code)")
      }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .openConnection,
      .closeConnection, .startStream, .sendMessages, .finishStream, .resetStream, .sendPing:
      break
    }
  }
}
