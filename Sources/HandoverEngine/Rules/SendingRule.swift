import HandoverCore

/// Rule 6: nothing is sent for a call after its end.
struct SendingRule: Rule {
  static let identifier = RuleIdentifier.sending

  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    switch effect {
    case .startStream(let id, _), .sendMessages(let id, _, _, _), .finishStream(let id, _),
      .resetStream(let id, _):
      if run.unfinished(id) == nil {
        broken(&run, "nothing is sent for a call after its end", "\(run.name(id)) is sent")
      }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .openConnection,
      .closeConnection, .sendPing, .fetchToken, .deliverMessage, .endCall:
      break
    }
  }
}
