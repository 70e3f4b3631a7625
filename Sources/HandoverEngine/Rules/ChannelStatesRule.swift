import HandoverCore

/// Invariant 10: channels change their states only as B8 allows.
struct ChannelStatesRule: Rule {
  static let identifier = RuleIdentifier.channelStates
  static let moments: RunMoments = .channelMoves

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    guard case .effect(.channelMoved(let channel, let from, let to)) = record.body,
      run.state.isAlive(channel)
    else { return }
    let held = run.state.channels[Int(channel.endpoint.index)].state
    if held != from || !from.canMove(to: to) {
      broken(&run, "channels move as B8 allows", "one in \(held) went from \(from) to \(to)")
    }
  }
}
