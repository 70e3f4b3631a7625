import HandoverCore

/// Invariant 10: channels change their states only as B8 allows.
struct ChannelStatesRule: Rule {
  static let identifier = RuleIdentifier.channelStates

  @inline(__always)
  mutating func channelMoved(
    _ channel: ChannelID, isAlive: Bool, from: ChannelState, to: ChannelState,
    _ run: inout ObservedRun
  ) {
    guard isAlive else { return }
    let held = run.state.channels[Int(channel.endpoint.index)].state
    if held != from || !from.canMove(to: to) {
      broken(&run, "channels move as B8 allows", "one in \(held) went from \(from) to \(to)")
    }
  }
}
