import HandoverCore

/// Invariant 6: nothing is sent for a call after its end, and its requests end once.
struct SendingRule: Rule {
  static let identifier = RuleIdentifier.sending
  static let moments: RunMoments = .sending

  /// A part of a call that a client sends.
  private enum Part {
    case request
    case messages
    /// The end of the requests.
    case end
    case reset
  }

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .effect(.startStream(let id, _)): sent(.request, of: id, &run)
    case .effect(.sendMessages(let id, _, _, _)): sent(.messages, of: id, &run)
    case .effect(.finishStream(let id, _)): sent(.end, of: id, &run)
    case .effect(.resetStream(let id, _)): sent(.reset, of: id, &run)
    default: break
    }
  }

  private func sent(_ part: Part, of id: CallID, _ run: inout ObservedRun) {
    if let call = run.unfinished(id) {
      check(part, of: call, &run)
    } else {
      broken(&run, "nothing is sent for a call after its end", "\(run.name(id)) is sent")
    }
  }

  private func check(_ part: Part, of call: Int, _ run: inout ObservedRun) {
    let ended = run.state.calls[call].endedSides
    // A client may reset a call whose answer is complete while its requests are not.
    switch part {
    case .request:
      if run.state.calls[call].isRunning {
        broken(&run, "the request of a call is sent once", "\(run.name(call)) is sent again")
      }
    case .messages:
      if ended.contains(.requests) {
        broken(
          &run, "no message is sent after the end of the requests",
          "\(run.name(call)) sends another message")
      }
    case .end:
      if ended.contains(.requests) {
        broken(&run, "the requests of a call end once", "\(run.name(call)) ends them again")
      }
    case .reset:
      if ended == [.requests, .answer] {
        broken(
          &run, "a call that both sides have ended is not reset", "\(run.name(call)) is reset")
      }
    }
  }
}
