import HandoverCore

/// Invariant 2: a callback of another category is reported, destroys every channel and ends its
/// calls.
///
/// The report contains both categories, and the calls end UNAVAILABLE.
struct CategoryChangeRule: Rule {
  static let identifier = RuleIdentifier.categoryChange
  static let moments: RunMoments = [.reachability, .notifications, .callEnds, .stepEnd]

  /// The change after which all channels must be destroyed within the step, or `nil` if there is
  /// none.
  private var change: CategoryChange?
  /// Whether the change was reported.
  private var isReported = false

  mutating func observe(_ record: TraceRecord, before run: inout ObservedRun) {
    switch record.body {
    case .event(.reachability(let event)):
      if let change = run.categories(event), change.from != change.to { self.change = change }
    case .effect(.notify(let change)): check(change, &run)
    case .effect(.endCall(let id, let end)):
      if change != nil, let call = run.unfinished(id) { check(call, end, &run) }
    default: break
    }
  }

  private mutating func check(_ change: CategoryChange, _ run: inout ObservedRun) {
    isReported = true
    guard let wanted = self.change, change != wanted else { return }
    broken(
      &run, "a change of category is reported as one from \(wanted.from) to \(wanted.to)",
      "it was reported as one from \(change.from) to \(change.to)")
  }

  private func check(_ index: Int, _ end: CallEnd, _ run: inout ObservedRun) {
    if run.seesChannels, !run.state.calls[index].isBound {
      broken(
        &run, "a category change does not affect calls without a channel",
        "\(run.name(index)) ended \(end.code)")
    } else if end.code != .unavailable {
      broken(
        &run, "a change of category ends calls UNAVAILABLE", "\(run.name(index)) ended \(end.code)")
    }
  }

  mutating func stepIsOver(_ run: inout ObservedRun) {
    guard let change else { return }
    if !isReported, run.seesMonitor {
      broken(
        &run, "a change of category is reported",
        "nothing was reported of the one from \(change.from) to \(change.to)")
    }
    self.change = nil
    isReported = false
    if run.state.existing > 0 || run.state.attached > 0 { reportRemaining(&run) }
  }

  private func reportRemaining(_ run: inout ObservedRun) {
    guard !run.isFull else { return }
    for index in run.state.channels.indices where run.state.channels[index].exists {
      let channel = run.state.channels[index]
      broken(
        &run, "a change of category destroys every channel",
        "the one to \(run.hostName(channel.host)) is still in \(channel.state)")
    }
    for index in run.state.calls.indices where Self.runs(index, run) {
      broken(
        &run, "a change of category ends every call on a channel", "\(run.name(index)) continues")
    }
  }

  /// Returns whether a call is bound to a channel.
  ///
  /// If the client does not show its channels, a call that runs on a connection counts as bound.
  private static func runs(_ index: Int, _ run: ObservedRun) -> Bool {
    let call = run.state.calls[index]
    return call.isUnfinished && (call.isBound || !run.seesChannels && call.isRunning)
  }
}
