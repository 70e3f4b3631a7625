import HandoverCore

/// Rule 6: nothing is sent for a call after its end.
struct SendingRule: Rule {
  static let identifier = RuleIdentifier.sending

  @inline(__always)
  mutating func sent(
    _ id: CallID, _ call: Int?, on connection: ConnectionID, _ run: inout ObservedRun
  ) {
    if call == nil {
      broken(&run, "nothing is sent for a call after its end", "\(run.name(id)) is sent")
    }
  }
}
