import HandoverBackend
import HandoverCore

// The timeline of the device and its networks. `DeviceTimeline` decides what happens; the world
// executes its effects on the simulated connections.
extension World {
  /// Passes an event to the timeline of the device, and executes the effects in order.
  mutating func runTimeline(_ event: DeviceTimeline.Event) {
    context.timeline.step(event, at: context.now, into: &deviceEffects)
    for index in 0..<deviceEffects.count {
      let effect = deviceEffects[index]
      context.device = effect.device
      execute(effect.body)
    }
    deviceEffects.removeAll()
  }

  private mutating func execute(_ effect: DeviceTimeline.Effect.Body) {
    switch effect {
    case .fact(let fact): context.record(fact)
    case .move(let move, let isReported): if isReported { follow(move) }
    case .network(let command, let cause): execute(command, cause)
    case .quality(let path, let source):
      guard let quality = context.script.quality(at: source) else { return }
      let entry: UInt32 = if case .entry(let entry) = source { entry } else { .max }
      network.setQuality(quality, of: path, by: entry, &context)
    case .routeReported(let flags, let path), .callback(let flags, let path):
      monitor.platformReports(flags, about: path, &context)
    case .app(let former): appMoved(from: former)
    case .scheduled(let change, let instant):
      network.paths.add(change, schedule(change, at: instant))
    case .cancelled(let change):
      guard let handle = network.paths.remove(change) else { return }
      if change.kind.isPeriodic {
        context.periodic.cancel(handle)
      } else {
        context.agenda.cancel(handle)
      }
    }
  }

  /// Schedules a change of a network.
  ///
  /// A network goes down at the start of an instant, like an entry. Therefore its callback precedes
  /// the reports of connections.
  private mutating func schedule(
    _ change: DeviceTimeline.ScheduledChange, at instant: Instant
  ) -> Agenda<ScheduledEvent>.Handle {
    let event = ScheduledEvent.networkChange(change)
    if change.kind.isPeriodic { return context.periodic.schedule(event, at: instant, .transport) }
    return context.agenda.schedule(
      event, at: instant, change.kind == .lingerEnds ? .callback : .transport)
  }

  private mutating func execute(_ command: NetworkCommand, _ cause: UInt32?) {
    switch command {
    case .restore(let path): network.returns(path, &context)
    case .end(let path, let ending): network.die(path, ending, &context)
    case .obstruct(let path, let obstacle):
      network.obstruct(path, StallCauses(obstacle), by: cause, &context)
    case .clear(let path, let obstacle): network.clear(path, StallCauses(obstacle), &context)
    case .translate(let path, _, let answer):
      network.forgetFlows(on: path, answer, by: cause, &context)
    case .renewAddresses(let paths): network.loseAddress(on: paths, &context)
    case .setRadio(isOn: false):
      client.calls.sleep(at: context.now)
      network.turnRadioOff(&context)
    case .setRadio(isOn: true):
      client.calls.wake(at: context.now)
      network.turnRadioOn(&context)
    }
  }

  /// Performs a scheduled change of a network.
  mutating func perform(_ change: DeviceTimeline.ScheduledChange) {
    _ = network.paths.remove(change)
    runTimeline(.due(change))
  }

  // MARK: Consequences

  /// Applies a network change of the device to the connections.
  mutating func follow(_ move: Device.Move) {
    if hasTransport { return sendToTransport(.device(context.device)) }
    network.follow(move, &context)
  }

  /// Suspends or resumes QUIC together with the application.
  ///
  /// A suspended process sends, reads and validates nothing, and catches up when it runs again.
  private mutating func moveProcess(runs: Bool) {
    guard runs else { return network.stopValidations() }
    network.resumeProcess(&context)
    network.migrate(.moved, &context)
  }

  /// Suspends or resumes the application, which has moved to another state.
  ///
  /// If it was suspended and runs again, it receives what it missed.
  private mutating func appMoved(from former: AppState) {
    let (ran, app) = (former.runs, context.device.app)
    context.record(.appMoved(app))
    if hasTransport { sendToTransport(.device(context.device)) }
    if network.quic != nil, app.runs != ran { moveProcess(runs: app.runs) }
    guard app.runs, !ran else { return }
    let held = client.calls.held.release()
    if held.hasCallback {
      monitor.sendCallback(context.device.flags, after: .zero, &context)
    }
    if hasChains { context.schedule(.heldOrders) }
    for event in held.events { context.schedule(.heldEvent(event)) }
    client.handle(.resumed, &network, &context)
    guard hasChains else { return }
    for answer in chains?.heldAnswers ?? [] { context.schedule(.chainAnswer(answer)) }
    chains?.heldAnswers = []
  }
}

extension StallCauses {
  fileprivate init(_ obstacle: NetworkObstacle) {
    self =
      switch obstacle {
      case .portal: .captive
      case .uplinkDown: .uplinkDown
      case .requestsLost: .requestsLost
      case .answersLost: .answersLost
      case .takenOver: .takenOver
      }
  }
}
