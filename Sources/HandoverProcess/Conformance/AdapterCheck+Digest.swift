import HandoverBackend

// Checks whether a client recognizes its own states, with a single call.
extension AdapterCheck {
  mutating func checkDigests() {
    check(
      "it declares \"digest\", which changes with a call and its host, and repeats in another run"
    ) {
      session throws(BackendError) in
      if let problem = try session.open(seq: 1) { return problem }
      let before = try Self.digest(session, seq: 2)
      if let problem = try session.event(Self.call, seq: 3, at: 0) { return problem }
      let during = try Self.digest(session, seq: 4)
      guard let before, let during else { return "its answer has no \"digest\"" }
      guard before != during else { return "its fingerprint is the same with and without a call" }
      if let problem = try session.open(seq: 5) { return problem }
      guard try Self.digest(session, seq: 6) == before else {
        return "its fingerprint differs at the start of another run"
      }
      let other = Self.call.replacing("check.example", with: "other.example")
      if let problem = try session.event(other, seq: 7, at: 0) { return problem }
      guard try Self.digest(session, seq: 8) != during else {
        return "its fingerprint is the same with a call to another host"
      }
      return nil
    }
  }

  private static func digest(
    _ session: ProtocolSession, seq: Int
  ) throws(BackendError) -> String? {
    let answer = try session.ask(#"{"cmd":"digest","seq":\#(seq),"now":0}"#)
    return try? answer.text("digest")
  }
}
