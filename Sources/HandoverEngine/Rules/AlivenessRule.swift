import HandoverCore

/// Invariant 8: time never runs backward, effects refer to live objects, and nothing remains after
/// the end.
struct AlivenessRule: Rule {
  static let identifier = RuleIdentifier.aliveness

  mutating func timeRanBack(to instant: Instant, _ run: inout ObservedRun) {
    broken(
      &run, "time goes forward", "a record of \(instant) follows one of \(run.now)")
  }

  @inline(__always)
  mutating func channelCreated(_ channel: ChannelID, _ run: inout ObservedRun) {
    if !run.state.knows(channel.endpoint) { dead(&run, "a channel was made for no key") }
  }

  @inline(__always)
  mutating func channelMoved(
    _ channel: ChannelID, isAlive: Bool, from: ChannelState, to: ChannelState,
    _ run: inout ObservedRun
  ) {
    if !isAlive { dead(&run, "a channel moved to \(to) that does not exist") }
  }

  @inline(__always)
  mutating func channelDestroyed(_ channel: ChannelID, _ run: inout ObservedRun) {
    if !run.state.isAlive(channel) {
      dead(&run, "a channel was destroyed that does not exist")
    }
  }

  @inline(__always)
  mutating func connectionOpened(for channel: ChannelID, isAlive: Bool, _ run: inout ObservedRun) {
    if run.seesChannels, !isAlive { dead(&run, "a connection was opened for no channel") }
  }

  @inline(__always)
  mutating func connectionClosed(_ connection: ConnectionID, _ run: inout ObservedRun) {
    if run.state.phase(of: connection) ?? .closed == .closed {
      dead(&run, "a connection was closed that does not exist")
    }
  }

  @inline(__always)
  mutating func sent(
    _ part: SentPart, of id: CallID, _ call: Int?, on connection: ConnectionID,
    _ run: inout ObservedRun
  ) {
    if run.state.phase(of: connection) != .open {
      dead(&run, "something was sent on a connection that is not open")
    }
  }

  mutating func pinged(_ connection: ConnectionID, _ run: inout ObservedRun) {
    if run.state.phase(of: connection) != .open {
      dead(&run, "a ping was sent on a connection that is not open")
    }
  }

  private func dead(_ run: inout ObservedRun, _ seen: TimedText) {
    broken(&run, "effects name existing objects", seen)
  }

  mutating func finish(_ leaks: [String], _ run: inout ObservedRun) {
    for leak in leaks { left(&run, TimedText(leak)) }
    for index in run.state.calls.indices where run.seesSteps && run.state.calls[index].isUnfinished
    {
      left(&run, "call \(run.name(index)) was never ended")
    }
    for index in run.state.channels.indices where run.state.channels[index].exists {
      let channel = run.state.channels[index]
      left(&run, "a channel to \(run.hostName(channel.host)) remains in \(channel.state)")
    }
    for index in run.state.connections.indices
    where run.state.connections[index].phase != .closed {
      let host = run.hostName(run.state.connections[index].host)
      left(&run, "a connection to \(host) was never closed")
    }
  }

  private func left(_ run: inout ObservedRun, _ seen: TimedText) {
    broken(&run, "nothing remains after the client was closed", seen)
  }
}
