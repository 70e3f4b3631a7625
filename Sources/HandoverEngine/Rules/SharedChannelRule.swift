import HandoverCore

/// Invariant 4: calls of one key share its channel and its connection; a destroyed channel is never
/// used again.
struct SharedChannelRule: Rule {
  static let identifier = RuleIdentifier.sharedChannel
  static let moments: RunMoments = [.channelCreations, .bindings, .attempts, .stepEnd]

  /// The channel that was created last in this step; one call must be bound to it as a new channel.
  private var created: ChannelID?

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .effect(.channelCreated(let channel)): noteCreated(channel, &run)
    case .effect(.callBound(let id, let channel, let isNew)):
      checkBinding(of: id, to: channel, isNew: isNew, &run)
    case .effect(.openConnection(_, let channel)): checkConnection(of: channel, &run)
    default: break
    }
  }

  private mutating func noteCreated(_ channel: ChannelID, _ run: inout ObservedRun) {
    guard run.state.knows(channel.endpoint) else { return }
    if run.state.channels[Int(channel.endpoint.index)].exists {
      broken(
        &run, "calls of one key share a channel",
        "a second channel was created in addition to the first")
    }
    created = channel
  }

  private func checkBinding(
    of id: CallID, to channel: ChannelID, isNew: Bool, _ run: inout ObservedRun
  ) {
    guard run.state.isAlive(channel) else {
      broken(&run, "a destroyed channel is never used again", "\(run.name(id)) was bound to one")
      return
    }
    if let index = run.state.index(of: id),
      run.state.calls[index].endpoint != channel.endpoint.index
    {
      broken(
        &run, "calls of one key share its channel", "\(run.name(index)) was bound to another key's")
      return
    }
    if isNew != (created == channel) {
      broken(
        &run, "the first call after a destruction makes a new channel, the others share it",
        "\(run.name(id)) got a different channel")
    }
  }

  private func checkConnection(of channel: ChannelID, _ run: inout ObservedRun) {
    guard run.seesChannels, run.state.isAlive(channel), run.state.hasUsableConnection(channel)
    else { return }
    broken(
      &run, "calls of one key share a connection",
      "a second one was opened while the first was open")
  }

  mutating func stepIsOver(_ run: inout ObservedRun) { created = nil }
}
