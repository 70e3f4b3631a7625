import HandoverCore

/// Invariant 9: a caller is notified of one end and of nothing after it, and interceptors keep the
/// chain rules.
struct ChainOrderRule: Rule {
  static let identifier = RuleIdentifier.chainOrder
  static let moments: RunMoments = .chains

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    guard case .chain(let fact) = record.body else { return }
    let position = Int(fact.call)
    guard position < run.state.chains.count else { return }
    let hasEnded = run.state.chains[position].end != nil
    // A caller that cancels is notified of the end before the cancellation reaches data in transit.
    let hasEndedBefore =
      hasEnded
      && !(run.state.chains[position].end?.code == .cancelled
        && run.state.chains[position].endedAt == run.now)
    switch fact {
    case .closed:
      if hasEnded {
        broken(&run, "call \(run.name(position)) ends once", "its user received a second end")
      }
    case .received(_, let step, _):
      if hasEnded {
        broken(
          &run, "nothing comes after the end of call \(run.name(position))",
          "its user received \(step.rawValue)")
      }
    case .took(_, let link, let step):
      guard let seen = run.state.chains[position].link(Int(link))?.sees else { return }
      if step == .metadata, seen.contains(.message) {
        broken(
          &run, "headers come before messages", "\(Self.name(link: link, run)) got them after one")
      }
    case .broke(_, let link, let violation):
      let isExpected = [nil, position].contains {
        run.expectedViolations.contains(
          ExpectedViolation(link: Int(link), call: $0, violation: violation))
      }
      if !isExpected {
        broken(
          &run,
          "the interceptors and the user of call \(run.name(position)) follow the rules of the "
            + "chain",
          "\(Self.name(link: link, run)) \(violation.phrase)")
      }
    case .sentMessage:
      if hasEndedBefore {
        broken(
          &run, "nothing is sent after the end of call \(run.name(position))", "a message was sent")
      }
    case .attempted:
      if hasEndedBefore {
        broken(
          &run, "nothing starts after the end of call \(run.name(position))",
          "another attempt began")
      }
      if run.state.calls[position].isUnfinished {
        broken(
          &run, "one attempt of call \(run.name(position)) lives at a time",
          "another began while the one before it lived")
      }
    case .linkMade, .linkSkipped, .linkLeft, .noted, .sentHeader, .trailer:
      break
    }
  }

  private static func name(link: UInt16, _ run: ObservedRun) -> String {
    let links = run.state.script.configuration.chain.links
    return link < links.count ? "\"\(SafeText.line(links[Int(link)].name))\"" : "the user"
  }
}
