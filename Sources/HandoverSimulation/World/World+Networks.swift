import HandoverCore
import HandoverTrace

// Entries that change networks, and changes that follow on schedule. The facts come first, followed
// by the callback that reports them.
extension World {
  /// Applies an action of the timeline to a network.
  mutating func change(
    _ path: PathIndex, _ change: NetworkAction, signal: ReachabilityFlags?, cause: UInt32
  ) {
    let before = context.device
    switch change {
    case .up:
      network.stay(path, &context)
      context.record(.networkChanged(path, .up))
      follow(context.device.bringUp(path))
      network.returns(path, &context)
    case .makeDefault:
      network.stay(path, &context)
      context.record(.networkChanged(path, .madeDefault))
      let flags = context.script.network(of: path)?.flags ?? []
      follow(context.device.makeDefault(path, flags))
      takeOver()
    case .losing(let linger, let ending):
      context.record(.networkChanged(path, .losing))
      network.linger(path, for: linger, ending, &context)
    case .down(let ending):
      network.stay(path, &context)
      goDown(path, ending)
    case .captive:
      context.record(.networkChanged(path, .captive))
      network.obstruct(path, .captive, &context)
    case .validated:
      context.record(.networkChanged(path, .validated))
      network.clear(path, .captive, &context)
    case .nat(let word, let answer, let every):
      network.endForgetting(path, &context)
      forget(path, word, answer, every: every, by: cause)
    case .roam(let word, let answer):
      roam(path, word, answer)
    case .uplink(let isUp, let lasts, let every):
      network.endUplinkTurns(path, &context)
      turnUplink(path, isUp: isUp, lasts: lasts, every: every, by: cause)
    case .loss(let word):
      lose(path, word, by: cause)
    case .quality(let quality):
      setQuality(quality, of: path, by: cause)
    }
    if let signal { return monitor.platformReports(signal, about: path, &context) }
    report(path, since: before)
  }

  /// Sets the quality of a path.
  ///
  /// A `cause` of `max` means that no entry set it.
  mutating func setQuality(_ quality: LinkQuality, of path: PathIndex, by entry: UInt32) {
    context.record(.networkChanged(path, .qualityChanged))
    network.setQuality(quality, of: path, by: entry, &context)
  }

  /// Takes a network down, because its linger time is over.
  mutating func lingerEnds(_ path: PathIndex, _ ending: NetworkEnding?) {
    let before = context.device
    network.paths[path].linger = nil
    goDown(path, ending)
    report(path, since: before)
  }

  // MARK: Routers

  /// Makes the router of an entry lose its flow state again.
  mutating func forgetAgain(_ entry: UInt32) {
    guard case .network(let path, .nat(let word, let answer, let every), _) = action(entry) else {
      return
    }
    network.paths[path].forgets = nil
    forget(path, word, answer, every: every, by: entry)
  }

  private mutating func forget(
    _ path: PathIndex, _ word: NATWord, _ answer: UnknownFlows, every: Interval?, by entry: UInt32
  ) {
    context.record(.networkChanged(path, word.event))
    network.forgetFlows(on: path, answer, by: entry, &context)
    guard let every else { return }
    network.paths[path].forgets = context.periodic.schedule(
      .flowsForgotten(entry), at: context.now + every, .transport)
  }

  private mutating func roam(_ path: PathIndex, _ word: RoamWord, _ answer: UnknownFlows) {
    switch word {
    case .sameAddress:
      context.record(.networkChanged(path, .roamed))
    case .newRouter:
      context.record(.networkChanged(path, .routerChanged))
      network.forgetFlows(on: path, answer, &context)
    case .newAddress:
      context.record(.networkChanged(path, .addressChanged))
      network.loseAddress(on: PathSet(path), &context)
    }
  }

  /// Makes the uplink of an entry fail or recover on schedule.
  mutating func turnUplinkAgain(_ entry: UInt32, isUp: Bool) {
    guard case .network(let path, .uplink(_, let lasts, let every), _) = action(entry) else {
      return
    }
    if isUp {
      network.paths[path].uplinkReturns = nil
    } else {
      network.paths[path].uplinkLeaves = nil
    }
    turnUplink(path, isUp: isUp, lasts: lasts, every: every, by: entry)
  }

  private mutating func turnUplink(
    _ path: PathIndex, isUp: Bool, lasts: Interval?, every: Interval?, by entry: UInt32
  ) {
    context.record(.networkChanged(path, isUp ? .uplinkUp : .uplinkDown))
    network.paths[path].uplinkCause = isUp ? nil : entry
    if isUp {
      network.clear(path, .uplinkDown, &context)
      guard let lasts, let every else { return }
      // An outage that repeats may continue forever, so it does not keep the run from ending.
      network.paths[path].uplinkLeaves = context.periodic.schedule(
        .uplinkTurns(entry, isUp: false),
        at: context.now + Interval(microseconds: every.microseconds - lasts.microseconds),
        .transport)
    } else {
      network.obstruct(path, .uplinkDown, by: entry, &context)
      guard let lasts else { return }
      network.paths[path].uplinkReturns = context.schedule(
        .uplinkTurns(entry, isUp: true), after: lasts)
    }
  }

  private mutating func lose(_ path: PathIndex, _ word: LossWord, by entry: UInt32) {
    context.record(.networkChanged(path, word.event))
    network.paths[path].lossCause = word == .none ? nil : entry
    switch word {
    case .none:
      network.clear(path, [.requestsLost, .answersLost], &context)
    case .requests:
      network.obstruct(path, .requestsLost, by: entry, &context)
      network.clear(path, .answersLost, &context)
    case .answers:
      network.obstruct(path, .answersLost, by: entry, &context)
      network.clear(path, .requestsLost, &context)
    }
  }

  private func action(_ entry: UInt32) -> ScriptAction {
    context.script.entries[Int(entry)].action
  }

  // MARK: Sleep

  /// Puts the device to sleep or wakes it.
  ///
  /// The application is notified after the facts.
  mutating func setPower(_ power: DevicePower) {
    switch power {
    case .sleep:
      guard context.device.wakesTo == nil else { return }
      let app = context.device.app
      context.record(.deviceSlept)
      moveApp(to: .background)
      context.device.wakesTo = app
      client.sleep(at: context.now)
      network.turnRadioOff(&context)
    case .wake(let newAddress):
      guard let app = context.device.wakesTo else { return }
      context.record(.deviceWoke)
      context.device.wakesTo = nil
      client.wake(at: context.now)
      if newAddress { network.loseAddress(on: PathSet(rawValue: .max), &context) }
      network.turnRadioOn(&context)
      moveApp(to: app)
    }
  }

  private mutating func goDown(_ path: PathIndex, _ ending: NetworkEnding?) {
    context.record(.networkChanged(path, .down))
    let move = context.device.takeDown(path)
    if let ending {
      if move.from != move.to { context.record(.deviceMoved(move.to)) }
      network.die(path, ending, &context)
    } else {
      follow(move)
    }
    takeOver()
  }

  /// Blocks all other networks while a VPN that takes all traffic is the default network.
  mutating func takeOver() {
    let taken = context.script.takenOver(on: context.device)
    for path in context.script.networks.map(\.path) {
      if taken.contains(path) {
        network.obstruct(path, .takenOver, &context)
      } else {
        network.clear(path, .takenOver, &context)
      }
    }
  }

  /// Sends the callback that results from the change of a network, if there is one.
  private mutating func report(_ path: PathIndex, since before: Device) {
    switch context.configuration.monitorWatch {
    case .defaultNetwork:
      guard context.device.flags != before.flags else { return }
      monitor.platformReports(context.device.flags, about: path, &context)
    case .anyNetwork:
      let flags = context.script.callback(of: path, before: before, after: context.device)
      if let flags { monitor.platformReports(flags, about: path, &context) }
    }
  }
}

extension NATWord {
  fileprivate var event: NetworkEvent {
    switch self {
    case .forget: .flowsForgotten
    case .rebindPort: .portsRebound
    case .rebindAddress: .addressRebound
    }
  }
}

extension LossWord {
  fileprivate var event: NetworkEvent {
    switch self {
    case .none: .losesNothing
    case .requests: .losesRequests
    case .answers: .losesAnswers
    }
  }
}
