import HandoverBackend

// Checks whether a client recognizes its own states, with a single call.
extension AdapterCheck {
  mutating func lookAtDigests() {
    look("it declares \"digest\", which a call and its host change, and which comes again") {
      session throws(BackendError) in
      if let problem = try session.open(seq: 1) { return problem }
      let before = try Self.digest(&session, seq: 2)
      if let problem = try session.event(Self.call, seq: 3, at: 0) { return problem }
      let during = try Self.digest(&session, seq: 4)
      guard let before, let during else { return "its answer has no digest" }
      guard before != during else { return "with a call it says what it said without one" }
      if let problem = try session.open(seq: 5) { return problem }
      guard try Self.digest(&session, seq: 6) == before else {
        return "at the beginning of another run it says something else"
      }
      let other = Self.call.replacing("check.example", with: "other.example")
      if let problem = try session.event(other, seq: 7, at: 0) { return problem }
      guard try Self.digest(&session, seq: 8) != during else {
        return "with a call to another host it says the same"
      }
      return nil
    }
  }

  private static func digest(
    _ session: inout ProtocolSession, seq: Int
  ) throws(BackendError) -> String? {
    let answer = try session.ask(#"{"cmd":"digest","seq":\#(seq),"now":0}"#)
    return try? answer.text("digest")
  }
}
