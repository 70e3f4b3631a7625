import HandoverCore

/// Invariant 4: calls of one key share its channel and its connection; a destroyed channel is never
/// used again.
struct SharedChannelRule: Rule {
  static let identifier = RuleIdentifier.sharedChannel

  /// The channel that was created last in this step; one call must be bound to it as a new channel.
  private var created: ChannelID?

  @inline(__always)
  mutating func channelCreated(_ channel: ChannelID, _ run: inout ObservedRun) {
    guard run.state.knows(channel.endpoint) else { return }
    if run.state.channels[Int(channel.endpoint.index)].exists {
      broken(
        &run, "calls of one key share a channel",
        "a second channel was created in addition to the first")
    }
    created = channel
  }

  mutating func callBound(
    _ id: CallID, to channel: ChannelID, isNew: Bool, _ run: inout ObservedRun
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

  @inline(__always)
  mutating func connectionOpened(for channel: ChannelID, isAlive: Bool, _ run: inout ObservedRun) {
    guard run.seesChannels, isAlive, run.state.hasUsableConnection(channel) else { return }
    broken(
      &run, "calls of one key share a connection",
      "a second one was opened while the first was open")
  }

  @inline(__always)
  var isOpen: Bool { created != nil }

  @inline(__always)
  mutating func stepIsOver(_ run: inout ObservedRun) { created = nil }
}
