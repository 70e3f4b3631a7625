import HandoverCore

/// Invariant 6: nothing is sent for a call after its end, and its requests end once.
struct SendingRule: Rule {
  static let identifier = RuleIdentifier.sending

  @inline(__always)
  mutating func sent(
    _ part: SentPart, of id: CallID, _ call: Int?, on connection: ConnectionID,
    _ run: inout ObservedRun
  ) {
    if let call {
      check(part, of: call, &run)
    } else {
      broken(&run, "nothing is sent for a call after its end", "\(run.name(id)) is sent")
    }
  }

  @inline(__always)
  private func check(_ part: SentPart, of call: Int, _ run: inout ObservedRun) {
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
