import HandoverBackend
import HandoverCore

// The device and its networks. The timeline decides what happens, and the kernel is changed
// immediately. The platform's reports about connections follow once all entries of the instant have
// run.
extension LiveProcessRun {
  /// A loss that the platform has to report.
  enum Loss {
    /// The device's network changed; the device is its state after that change.
    case moved(Device.Move, Device)
    /// The device lost the address that the connections with these local ports use.
    case renewed([LiveFlow])
  }

  /// Runs an entry about the device or its networks.
  func playDevice(
    _ action: ScriptAction, _ entry: UInt32, into trace: inout Trace
  ) throws(BackendError) {
    switch action {
    // The client must have processed user actions that precede the entry in the file.
    case .network: try awaitAnswers(into: &trace)
    case .app: try takeMoves(into: &trace)
    case .power:
      try awaitAnswers(into: &trace)
      try takeMoves(into: &trace)
    default: break
    }
    try runTimeline(
      .entry(action, index: entry), at: script.entries[Int(entry)].at, into: &trace)
  }

  /// Passes an event to the timeline of the device, and executes the effects in order.
  func runTimeline(
    _ event: DeviceTimeline.Event, at instant: Instant, into trace: inout Trace
  ) throws(BackendError) {
    let before = stage.device
    let effects = stage.timeline.effects(of: event, at: instant)
    // Until an effect is executed, events of the process meet the former state of the device.
    stage.device = before
    for effect in effects { try execute(effect, into: &trace) }
  }

  /// Waits until an instant, and applies the scheduled network changes that are due before it.
  func runScheduledChanges(
    before instant: Instant, into trace: inout Trace, unless isOver: () -> Bool = { false }
  ) throws(BackendError) {
    while let due = stage.timeline.nextDeadline, due < instant, !isOver() {
      try wait(until: due, into: &trace, unless: isOver)
      guard !isOver() else { return }
      while let next = stage.timeline.nextChange(by: due) {
        changeDue = next.at
        try runTimeline(.due(next.change), at: next.at, into: &trace)
      }
      try takeMoves(into: &trace)
    }
  }

  private func execute(
    _ effect: DeviceTimeline.Effect, into trace: inout Trace
  ) throws(BackendError) {
    // The process must have processed all earlier commands before it is stopped.
    if case .app = effect.body, !effect.device.app.runs { try awaitAnswers(into: &trace) }
    stage.device = effect.device
    switch effect.body {
    case .fact(let fact): note(fact, into: &trace)
    case .move(let move, _) where script.networks.isEmpty: moves.append(move)
    case .move(let move, let isReported):
      try applyDeviceState()
      if isReported { losses.append(.moved(move, device)) }
    case .network(let command, let cause): try execute(command, cause, into: &trace)
    case .quality(let path, let source):
      guard let quality = script.quality(at: source) else { return }
      try network.setQuality(quality, of: path)
    case .routeReported(let flags, _): if script.networks.isEmpty { reported = flags }
    case .app(let former): try appMoved(from: former, into: &trace)
    // The client's own monitor watches the kernel.
    case .callback, .scheduled, .cancelled: break
    }
  }

  private func execute(
    _ command: NetworkCommand, _ cause: UInt32?, into trace: inout Trace
  ) throws(BackendError) {
    switch command {
    case .obstruct(let path, _):
      if let cause { try meet(path, cause, lasts: true, into: &trace) }
    case .translate(let path, _, _):
      if let cause { try meet(path, cause, lasts: false, into: &trace) }
    case .renewAddresses(let paths): return try renew(paths)
    // The platform reports lost addresses before the radio is on.
    case .setRadio(isOn: true): try reportLosses()
    case .restore, .end, .clear, .setRadio: break
    }
    try network.perform(command)
    try checkChange()
  }

  /// Records the effect of a network fault if there is a connection on the network.
  ///
  /// If there is none, a fault that lasts takes effect on a later connection attempt.
  private func meet(
    _ path: PathIndex, _ cause: UInt32, lasts: Bool, into trace: inout Trace
  ) throws(BackendError) {
    guard !appliedFaults.contains(cause) else { return }
    let isMet = try network.flows(to: .all).contains { $0.path == path }
    guard isMet || lasts else { return }
    appliedFaults.insert(cause)
    if isMet {
      note(.faultTookEffect(cause), into: &trace)
    } else {
      try waitForEffect(of: cause)
    }
  }

  /// Assigns new addresses to the device on some networks; open connections use the old ones.
  private func renew(_ paths: PathSet) throws(BackendError) {
    let open = try network.flows(to: .all).filter { paths.contains($0.path) }
    try network.perform(.renewAddresses(paths))
    try checkChange()
    guard device.category != .noNetwork else { return }
    let outcome = profile.transport.pathLoss.outcome(
      device.app, from: device.category, to: device.category)
    if outcome == .breaks { losses.append(.renewed(open)) }
  }

  /// Reports the losses, as the platform does.
  func reportLosses() throws(BackendError) {
    let reported = losses
    losses = []
    for loss in reported {
      switch loss {
      case .moved(let move, let device):
        let lost = try network.flows(to: .all).filter { flow in
          profile.transport.pathLoss.outcome(of: flow.path, when: move, on: device) == .breaks
        }
        if !lost.isEmpty { try network.abort(lost) }
      case .renewed(let flows):
        if !flows.isEmpty { try network.abort(flows) }
      }
    }
  }

  /// Suspends or resumes the process, because the application moved to another state.
  private func appMoved(from former: AppState, into trace: inout Trace) throws(BackendError) {
    switch (former.runs, device.app.runs) {
    case (_, false): suspend(into: &trace)
    case (false, true): try resume(into: &trace)
    case (true, true): note(.appMoved(device.app), into: &trace)
    }
  }
}
