import HandoverCore
import HandoverSimulation

/// Restores a world, and checks that all calls end and the client becomes idle.
///
/// Everything works again: the app runs, servers accept, names resolve, and nothing is delayed.
/// Users finish their requests and cancel calls that lost data. The device returns to each network
/// on which something stalls, without a category change. The events happen in one fair order:
/// pending events first, and then armed timers.
struct WorldHealing {
  /// The maximum number of events that each part may take until the world is idle.
  ///
  /// A test shows that a correct world needs fewer.
  static let patience = 64

  private let setup: WorldSetup

  init(_ setup: WorldSetup) {
    self.setup = setup
  }

  /// Restores a world.
  ///
  /// - Parameters:
  ///   - world: The world; this function changes it.
  ///   - state: The present state of the world.
  ///   - scratch: A buffer for surveys.
  /// - Returns: The violation, or `nil` if the world becomes idle.
  func heal(
    _ world: inout ExploredWorld, _ state: borrowing WorldState, _ scratch: inout WorldSurvey
  ) -> WorldViolation? {
    world.forget()
    world.perform(.app(.foreground))
    for position in 0..<state.survey.client.callCount {
      let call = state.survey.client.call(position)
      if state.lostCalls & 1 << UInt8(position) != 0 { world.cancel(call.id) }
      if !call.requestIsComplete { world.finish(call.id) }
    }
    for host in 0..<setup.client.hosts {
      world.perform(.names(host, .resolve))
      world.perform(.server(host, .accept))
    }
    world.perform(.transport(.all, .resume))
    if state.survey.device.category == .noNetwork {
      world.perform(.flags(.reachable, path: nil, linksUp: [], linksDown: []))
    }
    guard drain(&world) else { return .neverRests }
    // A connection that stalls on a network that was left continues when the device returns.
    for _ in 0..<WorldSetup.pathCount {
      world.survey(into: &scratch)
      guard scratch.client.callCount > 0,
        let left = scratch.connections.first(where: { $0.stall.contains(.pathLeft) })?.path
      else { break }
      world.perform(.path(left))
      guard drain(&world) else { return .neverRests }
    }
    // Ends each backoff, so that waiting attempts continue.
    for host in 0..<setup.client.hosts {
      world.survey(into: &scratch)
      guard scratch.client.hosts[host].attemptDue != .never else { continue }
      world.elapse { $0.expireAttempt(of: host, at: CanonicalForm.present) }
      guard drain(&world) else { return .neverRests }
    }
    return rest(&world, state, &scratch)
  }

  private func drain(_ world: inout ExploredWorld) -> Bool {
    world.drain(limit: Self.patience)
  }

  private func rest(
    _ world: inout ExploredWorld, _ state: borrowing WorldState, _ scratch: inout WorldSurvey
  ) -> WorldViolation? {
    world.survey(into: &scratch)
    if scratch.client.callCount > 0 { return .callNeverEnds }
    for host in 0..<setup.client.hosts {
      if scratch.client.hosts[host].attemptDue != .never {
        return .attemptsWithoutCalls(host: host)
      }
      guard scratch.client.hosts[host].exists,
        setup.client.profile.policy.unusedChannelLifetime != nil
      else { continue }
      world.elapse { $0.expireUnused(host, at: CanonicalForm.present) }
    }
    guard drain(&world) else { return .neverRests }
    if setup.client.profile.policy.monitorsReachability {
      world.perform(
        .flags(world.device.flags, path: world.device.path, linksUp: [], linksDown: []))
      guard drain(&world) else { return .neverRests }
    }
    world.survey(into: &scratch)
    for host in 0..<setup.client.hosts
    where scratch.client.hosts[host].exists
      && setup.client.profile.policy.unusedChannelLifetime != nil
    {
      return .channelKept(host: host)
    }
    if setup.client.profile.policy.monitorsReachability,
      scratch.client.category != scratch.device.category
    {
      return .wrongCategory(scratch.client.category)
    }
    world.forget()
    return nil
  }
}

extension WorldSetup.Mutant {
  /// Whether the fault loses a kind of event on its way to the client.
  func loses(_ kind: WorldSurvey.Fact.Kind) -> Bool {
    switch self {
    case .unheardLoss: kind == .connectionLost
    case .lostAnswer: kind == .ended
    case .lostToken: kind == .token
    case .deafStream: false
    }
  }
}
