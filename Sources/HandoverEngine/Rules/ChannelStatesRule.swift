import HandoverCore

/// Rule 10: channels change their states only as B8 allows.
struct ChannelStatesRule: Rule {
  static let identifier = RuleIdentifier.channelStates

  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    guard case .channelMoved(let channel, let from, let to) = effect,
      run.state.isAlive(channel)
    else { return }
    let held = run.state.channels[Int(channel.endpoint.index)].state
    if held != from || !from.canMove(to: to) {
      broken(&run, "channels move as B8 allows", "one in \(held) went from \(from) to \(to)")
    }
  }
}
