import HandoverCore

/// Invariant 1: a call ends once, and nothing is observed of it afterward.
struct CallEndsOnceRule: Rule {
  static let identifier = RuleIdentifier.callEndsOnce

  @inline(__always)
  mutating func observed(_ id: CallID, _ call: Int?, _ run: inout ObservedRun) {
    if call == nil {
      broken(&run, "nothing is observed of a call after its end", "\(run.name(id)) is")
    }
  }

  @inline(__always)
  mutating func callEnded(_ id: CallID, _ call: Int?, _ end: CallEnd, _ run: inout ObservedRun) {
    if call == nil { broken(&run, "a call ends once", "\(run.name(id)) ended again, \(end.code)") }
  }
}
