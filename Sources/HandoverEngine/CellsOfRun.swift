import HandoverCore

extension TransitionCells {
  /// Creates the cells that a run covers.
  ///
  /// A cell is added for each call that has not ended when the monitor reports another category,
  /// and for each channel without such a call.
  init(of trace: Trace, _ script: Script) {
    self.init()
    var run = RunProjection(script, of: trace)
    run.countsChannels = false
    for record in trace.records {
      // The observers are notified before the client reacts to the change.
      if case .effect(.notify(let change)) = record.body { insert(change, run, at: record.at) }
      run.apply(record)
    }
  }

  private mutating func insert(_ change: CategoryChange, _ run: RunProjection, at now: Instant) {
    let app = run.lastReturn == now ? AppState.background : run.app
    var isUsed = ContiguousArray(repeating: false, count: run.channels.count)
    for call in run.calls where call.isUnfinished && call.isStarted {
      let phase: TransitionCell.Phase =
        call.isRunning ? .running : call.isBound ? .waiting : .awaitingToken
      let position = Int(call.endpoint)
      guard position < run.channels.count else { continue }
      isUsed[position] = true
      insert(TransitionCell(change, phase, run.channels[position].state, app))
    }
    for position in run.channels.indices where !isUsed[position] {
      insert(TransitionCell(change, .noCall, run.channels[position].state, app))
    }
    if run.channels.isEmpty { insert(TransitionCell(change, .noCall, .shutdown, app)) }
  }
}
