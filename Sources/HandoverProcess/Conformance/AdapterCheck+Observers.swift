import HandoverBackend

// Checks the order in which a client notifies its calls and its pool of a category change (M15). No
// scenario can distinguish the two orders, because the results are the same.
extension AdapterCheck {
  mutating func checkObservers() {
    check("it declares \"observers\", and cancels and ends a call before it destroys its channel") {
      session throws(BackendError) in
      if let problem = try session.open(seq: 1, config: #","observers":"calls""#) { return problem }
      let called = try session.ask(ProtocolSession.eventLine(Self.call, seq: 2, at: 0))
      let connects = session.out(called).compactMap { try? $0.object("connect") }
      guard let connection = try? connects.first?.number("connection") else {
        return "its answer to a call is \(called.excerpt)"
      }
      let connected = #"{"connected":{"connection":\#(connection)}}"#
      if let problem = try session.event(connected, seq: 3, at: 1_000) { return problem }
      let answer = try session.ask(ProtocolSession.eventLine(#"{"flags":[]}"#, seq: 4, at: 2_000))
      return Self.problem(in: session.out(answer)).map { "\($0): \(answer.excerpt)" }
    }
  }

  /// Returns what is wrong with a client's reaction to a category change, or `nil` if it is
  /// correct.
  private static func problem(in out: [AnswerFields]) -> String? {
    guard let end = out.firstIndex(where: { $0["ended"] != nil }) else {
      return "the call continues"
    }
    if out[..<end].contains(where: \.endsChannel) {
      return "the channel is destroyed before its call ends"
    }
    return out[..<end].contains { $0["reset"] != nil } ? nil : "the call ends without a cancel"
  }
}

extension AnswerFields {
  /// Whether a client closes a connection or destroys a channel.
  fileprivate var endsChannel: Bool {
    self["close"] != nil || (try? object("channel").text("state")) == "SHUTDOWN"
  }
}
