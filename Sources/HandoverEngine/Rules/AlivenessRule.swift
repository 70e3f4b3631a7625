import HandoverCore

/// Invariant 8: time never runs backward, effects refer to live objects, and nothing remains after
/// the end.
struct AlivenessRule: Rule {
  static let identifier = RuleIdentifier.aliveness
  static let moments: RunMoments = [
    .timeReversal, .channelCreations, .channelMoves, .channelDestructions, .attempts, .connections,
    .sending, .closing,
  ]

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    if record.at < run.now {
      broken(&run, "time goes forward", "a record of \(record.at) follows one of \(run.now)")
    }
    guard case .effect(let effect) = record.body else { return }
    switch effect {
    case .channelCreated(let channel):
      if !run.state.knows(channel.endpoint) { dead(&run, "a channel was made for no key") }
    case .channelMoved(let channel, _, let to):
      if !run.state.isAlive(channel) {
        dead(&run, "a channel moved to \(to) that does not exist")
      }
    case .channelDestroyed(let channel, _):
      if !run.state.isAlive(channel) {
        dead(&run, "a channel was destroyed that does not exist")
      }
    case .openConnection(_, let channel):
      if run.seesChannels, !run.state.isAlive(channel) {
        dead(&run, "a connection was opened for no channel")
      }
    case .closeConnection(let connection):
      if run.state.phase(of: connection) ?? .closed == .closed {
        dead(&run, "a connection was closed that does not exist")
      }
    case .startStream(_, let connection), .sendMessages(_, let connection, _, _),
      .finishStream(_, let connection), .resetStream(_, let connection):
      if run.state.phase(of: connection) != .open {
        dead(&run, "something was sent on a connection that is not open")
      }
    case .sendPing(let connection):
      if run.state.phase(of: connection) != .open {
        dead(&run, "a ping was sent on a connection that is not open")
      }
    case .notify, .callBound, .fetchToken, .deliverMessage, .endCall:
      break
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
