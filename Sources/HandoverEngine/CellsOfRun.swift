import HandoverCore
import HandoverTrace

extension TransitionCells {
  /// The cells that a run came through: one for each call that had not ended when the monitor told
  /// of another category, and one for each channel without such a call.
  init(of trace: Trace, _ script: Script) {
    self.init()
    var run = RunProjection(script, of: trace)
    run.countsChannels = false
    for record in trace.records {
      // Observers hear of it before anything follows from it.
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
      let place = Int(call.endpoint)
      guard place < run.channels.count else { continue }
      isUsed[place] = true
      insert(TransitionCell(change, phase, run.channels[place].state, app))
    }
    for place in run.channels.indices where !isUsed[place] {
      insert(TransitionCell(change, .noCall, run.channels[place].state, app))
    }
    if run.channels.isEmpty { insert(TransitionCell(change, .noCall, .shutdown, app)) }
  }
}
