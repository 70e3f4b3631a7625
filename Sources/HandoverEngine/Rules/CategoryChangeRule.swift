import HandoverCore

/// Rule 2: a callback of another category destroys every channel and ends its calls UNAVAILABLE.
struct CategoryChangeRule: Rule {
  static let identifier = RuleIdentifier.categoryChange

  /// Whether everything has to go before the step is over.
  private var isPending = false

  @inline(__always)
  mutating func handle(_ event: ConnectivityMonitor.Event, _ run: inout ObservedRun) {
    if run.changesCategory(event) == true { isPending = true }
  }

  @inline(__always)
  mutating func callEnded(_ id: CallID, _ call: Int?, _ end: CallEnd, _ run: inout ObservedRun) {
    if isPending, let call { check(call, end, &run) }
  }

  private func check(_ index: Int, _ end: CallEnd, _ run: inout ObservedRun) {
    if run.seesChannels, !run.state.calls[index].isBound {
      broken(
        &run, "a change of category leaves calls alone that have no channel",
        "\(run.name(index)) ended \(end.code)")
    } else if end.code != .unavailable {
      broken(
        &run, "a change of category ends calls UNAVAILABLE", "\(run.name(index)) ended \(end.code)")
    }
  }

  @inline(__always)
  var isOpen: Bool { isPending }

  mutating func stepIsOver(_ run: inout ObservedRun) {
    isPending = false
    if run.state.existing > 0 || run.state.attached > 0 { reportWhatRemains(&run) }
  }

  private func reportWhatRemains(_ run: inout ObservedRun) {
    guard !run.isFull else { return }
    for index in run.state.channels.indices where run.state.channels[index].exists {
      let channel = run.state.channels[index]
      broken(
        &run, "a change of category destroys every channel",
        "the one to \(run.hostName(channel.host)) is still in \(channel.state)")
    }
    for index in run.state.calls.indices where Self.runs(index, run) {
      broken(
        &run, "a change of category ends every call on a channel", "\(run.name(index)) goes on")
    }
  }

  /// Whether a call is bound to a channel, or runs on a connection of a client that does not show
  /// its channels.
  private static func runs(_ index: Int, _ run: ObservedRun) -> Bool {
    let call = run.state.calls[index]
    return call.isUnfinished && (call.isBound || !run.seesChannels && call.isRunning)
  }
}
