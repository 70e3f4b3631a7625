import HandoverCore

/// Rule 4: calls of one key share its channel; one that was destroyed is never used again.
struct SharedChannelRule: Rule {
  static let identifier = RuleIdentifier.sharedChannel

  /// The channel that was made last in this step, which one call is to be bound to as a new one.
  private var created: ChannelID?

  mutating func handle(_ effect: ClientEffect, _ run: inout ObservedRun) {
    switch effect {
    case .channelCreated(let channel):
      guard run.state.knows(channel.endpoint) else { return }
      if run.state.channels[Int(channel.endpoint.index)].exists {
        broken(
          &run, "calls of one key share a channel", "a second channel was made beside the first")
      }
      created = channel
    case .callBound(let id, let channel, let isNew):
      check(id, boundTo: channel, isNew: isNew, &run)
    case .notify, .channelMoved, .channelDestroyed, .openConnection, .closeConnection, .startStream,
      .sendMessages, .finishStream, .resetStream, .sendPing, .fetchToken, .deliverMessage, .endCall:
      break
    }
  }

  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) {
    if created != nil { created = nil }
  }

  private func check(
    _ id: CallID, boundTo channel: ChannelID, isNew: Bool, _ run: inout ObservedRun
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
        "\(run.name(id)) was told otherwise")
    }
  }
}
