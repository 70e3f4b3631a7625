package import HandoverCore

/// The state machine that turns timeline entries about the device and its networks into effects.
///
/// All worlds share this type: the simulation, the sessions on real sockets, the device lab, and
/// `try`. A world only executes the effects, in order. Therefore all worlds have the same facts,
/// callbacks and scheduled changes for the same timeline.
package struct DeviceTimeline: StateMachine {
  /// An input of the timeline.
  package enum Event: Hashable, Sendable {
    /// The run begins.
    case began
    /// An entry runs; the index identifies the entry as the cause of a fault.
    case entry(ScriptAction, index: UInt32)
    /// A scheduled change is due.
    case due(ScheduledChange)
  }

  /// A scheduled change of a network.
  package struct ScheduledChange: BitwiseCopyable, Hashable, Sendable {
    /// The kind of the change.
    package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
      /// The linger time of the network ends.
      case lingerEnds
      /// The uplink of the router is restored.
      case uplinkReturns
      /// The uplink of the router fails again.
      case uplinkFails
      /// The router loses its flow state again.
      case flowsForgotten

      /// Whether the change may be repeated forever, so that it does not keep a run from ending.
      package var isPeriodic: Bool {
        switch self {
        case .uplinkFails, .flowsForgotten: true
        case .lingerEnds, .uplinkReturns: false
        }
      }
    }

    /// The kind of the change.
    package var kind: Kind
    /// The network that changes.
    package var path: PathIndex
    /// The index of the entry that is the cause.
    package var entry: UInt32

    /// Creates a scheduled change.
    package init(kind: Kind, path: PathIndex, entry: UInt32) {
      self.kind = kind
      self.path = path
      self.entry = entry
    }
  }

  /// An effect, with the state of the device after it and all earlier effects.
  package struct Effect: BitwiseCopyable, Hashable, Sendable {
    /// The state of the device.
    package var device: Device
    /// The effect.
    package var body: Body

    /// The kinds of effects.
    package enum Body: BitwiseCopyable, Hashable, Sendable {
      /// The fact belongs in the trace.
      case fact(WorldFact)
      /// The device uses its networks as its state describes.
      ///
      /// If the change is reported, the transport reports the lost connections by its own policy.
      case move(Device.Move, isReported: Bool)
      /// The networks execute a command; the index identifies the entry of a fault.
      case network(NetworkCommand, cause: UInt32?)
      /// The network gets the quality that the script specifies at this point.
      case quality(PathIndex, QualitySource)
      /// The OS reports the flags of the default route, because a network changed or an entry did.
      case routeReported(ReachabilityFlags, about: PathIndex?)
      /// The OS sends a callback with exactly these flags.
      case callback(ReachabilityFlags, about: PathIndex?)
      /// The application left this state; its new state is that of the device.
      ///
      /// The world itself records the change, after it has suspended or resumed the application.
      case app(from: AppState)
      /// A change is due at the instant.
      case scheduled(ScheduledChange, at: Instant)
      /// A scheduled change will not happen.
      case cancelled(ScheduledChange)

      /// Whether the effect removes something that a program was using.
      package var takesAway: Bool {
        switch self {
        case .move(let move, _): move.from != move.to || !move.endingPaths.isEmpty
        case .network(let command, _): command.takesAway
        case .fact, .quality, .routeReported, .callback, .app, .scheduled, .cancelled: false
        }
      }
    }

    /// Returns a sentence about the change of a network, or `nil` for any other effect.
    package func phrase(_ paths: [String]) -> String? {
      guard case .fact(.networkChanged(let path, let event)) = body else { return nil }
      return event.phrase(about: paths[Int(path.index)])
    }
  }

  /// A scheduled change, with the action that is the cause.
  private struct Pending: Hashable, Sendable {
    var change: ScheduledChange
    var at: Instant
    var action: NetworkAction
  }

  private struct Obstruction: Hashable, Sendable {
    var path: PathIndex
    var obstacle: NetworkObstacle
  }

  private let script: Script
  /// The state of the device.
  package var device: Device
  private var pending: [Pending] = []
  private var obstructions: [Obstruction] = []

  /// Creates the timeline of a script, with the device in its initial state.
  package init(_ script: Script) {
    self.script = script
    device = Device(script.initial)
  }

  // MARK: State

  /// The instant of the next scheduled change, or `nil` if there is none.
  package var nextDeadline: Instant? { pending.lazy.map(\.at).min() }

  /// The next scheduled change, or `nil` if none is due by an instant.
  package func nextChange(by limit: Instant) -> (change: ScheduledChange, at: Instant)? {
    guard let due = nextDeadline, due <= limit else { return nil }
    return pending.first { $0.at == due }.map { ($0.change, $0.at) }
  }

  /// Returns whether an obstacle blocks a network.
  package func isObstructed(_ path: PathIndex) -> Bool {
    obstructions.contains { $0.path == path }
  }

  /// Returns the networks that an obstacle blocks.
  package func paths(behind obstacle: NetworkObstacle) -> PathSet {
    obstructions.reduce(into: []) {
      if $1.obstacle == obstacle { $0.formUnion(PathSet($1.path)) }
    }
  }

  /// Cancels all repetitions; an uplink that is down is still restored.
  package mutating func endRepetitions() {
    pending.removeAll { $0.change.kind.isPeriodic }
    for index in pending.indices {
      if case .uplink(let isUp, let lasts, _) = pending[index].action {
        pending[index].action = .uplink(isUp: isUp, lasts: lasts, every: nil)
      }
    }
  }

  // MARK: Events

  /// Handles an event, and returns its effects in order.
  package mutating func effects(of event: Event, at now: Instant) -> [Effect] {
    var log = EffectLog<Effect>()
    step(event, at: now, into: &log)
    return log.elements
  }

  package mutating func step(
    _ event: Event, at now: Instant, into effects: inout EffectLog<Effect>
  ) {
    switch event {
    case .began:
      takeOver(&effects)
      for (index, one) in script.qualities.enumerated() {
        append(.fact(.networkChanged(one.path, .qualityChanged)), &effects)
        append(.quality(one.path, .initial(index)), &effects)
      }
    case .entry(let action, let entry): run(action, entry, at: now, &effects)
    case .due(let change): perform(change, at: now, &effects)
    }
  }

  private mutating func run(
    _ action: ScriptAction, _ entry: UInt32, at now: Instant, _ effects: inout EffectLog<Effect>
  ) {
    switch action {
    case .flags(let flags, let path, let up, let down):
      let move = device.apply(flags, path: path, up: up, down: down)
      follow(move, &effects)
      append(.routeReported(flags, about: nil), &effects)
    case .path(let path):
      let move = device.move(to: path)
      follow(move, &effects)
    case .app(let app): moveApp(to: app, &effects)
    case .network(let path, let action, let signal):
      guard let signal else { return change(path, by: [action], entry, at: now, &effects) }
      apply(path, action, entry, at: now, &effects)
      append(.callback(signal, about: path), &effects)
    case .signal(let flags): append(.callback(flags, about: nil), &effects)
    case .power(let power): setPower(power, entry, at: now, &effects)
    // All other entries are about the user, the servers or the connections, not about the device.
    default: break
    }
  }

  private mutating func perform(
    _ change: ScheduledChange, at now: Instant, _ effects: inout EffectLog<Effect>
  ) {
    guard let index = pending.firstIndex(where: { $0.change == change }) else { return }
    let action = pending.remove(at: index).action
    let before = device
    switch action {
    case .losing(_, let ending): goDown(change.path, ending, &effects)
    case .nat: apply(change.path, action, change.entry, at: now, &effects)
    case .uplink(_, let lasts, let every):
      let isUp = change.kind == .uplinkReturns
      apply(
        change.path, .uplink(isUp: isUp, lasts: lasts, every: every), change.entry, at: now,
        &effects)
    case .up, .makeDefault, .down, .captive, .validated, .roam, .loss, .quality: break
    }
    report(change.path, since: before, &effects)
  }

  /// Applies an action to a network.
  ///
  /// The facts come first, followed by the commands that make them true.
  private mutating func apply(
    _ path: PathIndex, _ action: NetworkAction, _ entry: UInt32, at now: Instant,
    _ effects: inout EffectLog<Effect>
  ) {
    func record(_ event: NetworkEvent, _ effects: inout EffectLog<Effect>) {
      append(.fact(.networkChanged(path, event)), &effects)
    }
    func schedule(
      _ kind: ScheduledChange.Kind, at instant: Instant, _ effects: inout EffectLog<Effect>
    ) {
      let change = ScheduledChange(kind: kind, path: path, entry: entry)
      pending.append(Pending(change: change, at: instant, action: action))
      append(.scheduled(change, at: instant), &effects)
    }
    switch action {
    case .up:
      cancel([.lingerEnds], of: path, &effects)
      device.airplane?.networks.remove(PathSet(path))  // Entries decide from now on.
      record(.up, &effects)
      let move = device.bringUp(path)
      follow(move, &effects)
      append(.network(.restore(path), cause: nil), &effects)
    case .makeDefault:
      cancel([.lingerEnds], of: path, &effects)
      record(.madeDefault, &effects)
      let move = device.makeDefault(path, script.network(of: path)?.flags ?? [])
      follow(move, &effects)
      takeOver(&effects)
    case .losing(let linger, _):
      record(.losing, &effects)
      cancel([.lingerEnds], of: path, &effects)
      schedule(.lingerEnds, at: now + linger, &effects)
    case .down(let ending):
      cancel([.lingerEnds], of: path, &effects)
      goDown(path, ending, &effects)
    case .captive, .validated:
      record(action == .captive ? .captive : .validated, &effects)
      set(.portal, of: path, isPresent: action == .captive, &effects)
    case .nat(let change, let answer, let every):
      cancel([.flowsForgotten], of: path, &effects)
      record(change.event, &effects)
      append(.network(.translate(path, change, answer), cause: entry), &effects)
      if let every { schedule(.flowsForgotten, at: now + every, &effects) }
    case .roam(let change, let answer):
      record(change.event, &effects)
      switch change {
      case .sameAddress: break
      case .newRouter: append(.network(.translate(path, .forget, answer), cause: nil), &effects)
      case .newAddress: append(.network(.renewAddresses(PathSet(path)), cause: nil), &effects)
      }
    case .uplink(let isUp, let lasts, let every):
      cancel([.uplinkReturns, .uplinkFails], of: path, &effects)
      record(isUp ? .uplinkUp : .uplinkDown, &effects)
      set(.uplinkDown, of: path, isPresent: !isUp, cause: entry, &effects)
      if !isUp, let lasts { schedule(.uplinkReturns, at: now + lasts, &effects) }
      if isUp, let lasts, let every {
        let rest = Interval(microseconds: every.microseconds - lasts.microseconds)
        schedule(.uplinkFails, at: now + rest, &effects)
      }
    case .loss(let change):
      record(change.event, &effects)
      if let lost = change.obstacle { set(lost, of: path, isPresent: true, cause: entry, &effects) }
      for other in [NetworkObstacle.requestsLost, .answersLost] where other != change.obstacle {
        set(other, of: path, isPresent: false, &effects)
      }
    case .quality:
      record(.qualityChanged, &effects)
      append(.quality(path, .entry(entry)), &effects)
    }
  }

  // MARK: The device

  private func follow(_ move: Device.Move, _ effects: inout EffectLog<Effect>) {
    if move.from != move.to { append(.fact(.deviceMoved(move.to)), &effects) }
    append(.move(move, isReported: true), &effects)
  }

  private mutating func goDown(
    _ path: PathIndex, _ ending: NetworkEnding?, _ effects: inout EffectLog<Effect>
  ) {
    append(.fact(.networkChanged(path, .down)), &effects)
    let move = device.takeDown(path)
    if let ending {
      if move.from != move.to { append(.fact(.deviceMoved(move.to)), &effects) }
      // A network resets its connections while it is still up.
      append(.network(.end(path, ending), cause: nil), &effects)
      append(.move(move, isReported: false), &effects)
    } else {
      follow(move, &effects)
    }
    takeOver(&effects)
  }

  /// Blocks all other networks while a VPN that takes all traffic is the default network.
  private mutating func takeOver(_ effects: inout EffectLog<Effect>) {
    let taken = script.takenOver(on: device)
    for network in script.networks {
      set(.takenOver, of: network.path, isPresent: taken.contains(network.path), &effects)
    }
  }

  private mutating func moveApp(to app: AppState, _ effects: inout EffectLog<Effect>) {
    let former = device.app
    guard former != app else { return }
    device.app = app
    append(.app(from: former), &effects)
  }

  private mutating func setPower(
    _ power: DevicePower, _ entry: UInt32, at now: Instant, _ effects: inout EffectLog<Effect>
  ) {
    switch power {
    case .sleep: sleep(&effects)
    case .wake(let newAddress): wake(newAddress: newAddress, &effects)
    case .airplane(isOn: true): enterAirplaneMode(entry, at: now, &effects)
    case .airplane(isOn: false): leaveAirplaneMode(entry, at: now, &effects)
    }
  }

  /// Puts the device to sleep; the application is suspended before the radio is off.
  private mutating func sleep(_ effects: inout EffectLog<Effect>) {
    guard device.stateAfterWake == nil else { return }
    let app = device.app
    append(.fact(.deviceSlept), &effects)
    moveApp(to: .background, &effects)
    device.stateAfterWake = app
    append(.network(.setRadio(isOn: false), cause: nil), &effects)
  }

  /// Wakes the device; the application runs only after the radio is on.
  private mutating func wake(newAddress: Bool, _ effects: inout EffectLog<Effect>) {
    guard let app = device.stateAfterWake else { return }
    append(.fact(.deviceWoke), &effects)
    device.stateAfterWake = nil
    if newAddress {
      append(.network(.renewAddresses(PathSet(rawValue: .max)), cause: nil), &effects)
    }
    append(.network(.setRadio(isOn: true), cause: nil), &effects)
    moveApp(to: app, &effects)
  }

  /// Takes down every network with a radio, as separate entries would.
  private mutating func enterAirplaneMode(
    _ entry: UInt32, at now: Instant, _ effects: inout EffectLog<Effect>
  ) {
    guard device.airplane == nil else { return }
    let ending = script.networks.endingInAirplaneMode(up: device.pathsUp)
    let mode = AirplaneMode(ending: ending, default: device.path) { path in
      pending.contains { $0.change.path == path && $0.change.kind == .lingerEnds }
    }
    device.airplane = mode
    for path in ending { change(path, by: [.down(nil)], entry, at: now, &effects) }
  }

  /// Brings up the networks that airplane mode took down, as separate entries would.
  private mutating func leaveAirplaneMode(
    _ entry: UInt32, at now: Instant, _ effects: inout EffectLog<Effect>
  ) {
    guard let mode = device.airplane else { return }
    device.airplane = nil
    for network in script.networks {
      var actions: [NetworkAction] = []
      if mode.networks.contains(network.path) { actions.append(.up) }
      let isUp = !actions.isEmpty || device.pathsUp.contains(network.path)
      if isUp, mode.standard == network.path, device.path == nil { actions.append(.makeDefault) }
      guard !actions.isEmpty else { continue }
      change(network.path, by: actions, entry, at: now, &effects)
    }
  }

  /// Applies actions to a network, and reports their common result.
  private mutating func change(
    _ path: PathIndex, by actions: [NetworkAction], _ entry: UInt32, at now: Instant,
    _ effects: inout EffectLog<Effect>
  ) {
    let before = device
    for action in actions { apply(path, action, entry, at: now, &effects) }
    report(path, since: before, &effects)
  }

  /// Reports the change of a network to the client, if the monitor watches it.
  private func report(
    _ path: PathIndex, since before: Device, _ effects: inout EffectLog<Effect>
  ) {
    switch script.configuration.monitorWatch {
    case .defaultNetwork:
      guard device.flags != before.flags else { return }
      append(.routeReported(device.flags, about: path), &effects)
    case .anyNetwork:
      let flags = script.callback(of: path, before: before, after: device)
      if let flags { append(.callback(flags, about: path), &effects) }
    }
  }

  // MARK: Effects

  private mutating func set(
    _ obstacle: NetworkObstacle, of path: PathIndex, isPresent: Bool, cause: UInt32? = nil,
    _ effects: inout EffectLog<Effect>
  ) {
    let obstruction = Obstruction(path: path, obstacle: obstacle)
    let index = obstructions.firstIndex(of: obstruction)
    if isPresent {
      if index == nil { obstructions.append(obstruction) }
      append(.network(.obstruct(path, obstacle), cause: cause), &effects)
    } else if let index {
      obstructions.remove(at: index)
      append(.network(.clear(path, obstacle), cause: nil), &effects)
    }
  }

  private mutating func cancel(
    _ kinds: [ScheduledChange.Kind], of path: PathIndex, _ effects: inout EffectLog<Effect>
  ) {
    for kind in kinds {
      guard
        let index = pending.firstIndex(where: { $0.change.path == path && $0.change.kind == kind })
      else { continue }
      append(.cancelled(pending.remove(at: index).change), &effects)
    }
  }

  private func append(_ body: Effect.Body, _ effects: inout EffectLog<Effect>) {
    effects.append(Effect(device: device, body: body))
  }
}

extension NATChange {
  fileprivate var event: NetworkEvent {
    switch self {
    case .forget: .flowsForgotten
    case .rebindPort: .portsRebound
    case .rebindAddress: .addressRebound
    }
  }
}

extension RoamChange {
  fileprivate var event: NetworkEvent {
    switch self {
    case .sameAddress: .roamed
    case .newRouter: .routerChanged
    case .newAddress: .addressChanged
    }
  }
}

extension DirectionalLoss {
  fileprivate var event: NetworkEvent {
    switch self {
    case .none: .losesNothing
    case .requests: .losesRequests
    case .answers: .losesAnswers
    }
  }

  fileprivate var obstacle: NetworkObstacle? {
    switch self {
    case .none: nil
    case .requests: .requestsLost
    case .answers: .answersLost
    }
  }
}

extension NetworkEvent {
  /// Returns a sentence about the event on a network with a name.
  fileprivate func phrase(about name: String) -> String {
    switch self {
    case .up: "\(name) comes up"
    case .madeDefault: "\(name) becomes the default network"
    case .losing: "\(name) will go down"
    case .down: "\(name) goes down"
    case .captive: "\(name) is behind a portal"
    case .validated: "\(name) is free of its portal"
    case .flowsForgotten: "the router of \(name) forgets every flow"
    case .portsRebound: "the router of \(name) gives every flow another port"
    case .addressRebound: "the router of \(name) gets another address"
    case .roamed: "another access point of \(name)"
    case .routerChanged: "\(name) has another router"
    case .addressChanged: "another address on \(name)"
    case .uplinkUp: "\(name) has its uplink"
    case .uplinkDown: "\(name) loses its uplink"
    case .losesRequests: "\(name) loses what the device sends"
    case .losesAnswers: "\(name) loses what the device would receive"
    case .losesNothing: "\(name) no longer loses packets"
    case .qualityChanged: "\(name) has another quality"
    }
  }
}

/// The part of a script that specifies the quality of a network.
package enum QualitySource: BitwiseCopyable, Hashable, Sendable {
  /// The initial quality with this index.
  case initial(Int)
  /// The entry with this index.
  case entry(UInt32)
}

extension Script {
  /// Returns the quality that a part of the script specifies, or `nil` if there is none.
  package func quality(at source: QualitySource) -> LinkQuality? {
    switch source {
    case .initial(let index): return qualities[index].quality
    case .entry(let index):
      guard case .network(_, .quality(let quality), _) = entries[Int(index)].action else {
        return nil
      }
      return quality
    }
  }
}
