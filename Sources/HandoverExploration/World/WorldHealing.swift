import HandoverCore
import HandoverSimulation

/// What heals a world, and what must have come of it: calls end, and the client comes to rest.
///
/// Everything works again: the application runs, servers accept and names are known, nothing is
/// held back, users finish what they have begun and give up what was thrown away, and the device
/// is back on each path where something stalls, without any change of the category.
/// It is played from a state in one fair order: what is under way comes first, and then what is
/// armed.
struct WorldHealing {
  /// How many things may happen until everything is at rest, in each part of it: more than any
  /// healthy world needs, which a test shows.
  static let patience = 64

  private let setup: WorldSetup

  init(_ setup: WorldSetup) {
    self.setup = setup
  }

  /// Heals a world.
  ///
  /// - Parameters:
  ///   - world: the world; it is another one afterwards.
  ///   - state: how it stands.
  ///   - scratch: room for surveys.
  /// - Returns: what does not come to rest; nil where everything does.
  func heal(
    _ world: inout ExploredWorld, _ state: borrowing WorldState, _ scratch: inout WorldSurvey
  ) -> WorldBreach? {
    world.forget()
    world.perform(.app(.foreground))
    for place in 0..<state.survey.client.callCount {
      let call = state.survey.client.call(place)
      if state.lostCalls & 1 << UInt8(place) != 0 { world.cancel(call.id) }
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
    // Whatever stalls on a path that was left goes on when the device is back.
    for _ in 0..<WorldSetup.pathCount {
      world.survey(into: &scratch)
      guard scratch.client.callCount > 0,
        let left = scratch.connections.first(where: { $0.stall.contains(.pathLeft) })?.path
      else { break }
      world.perform(.path(left))
      guard drain(&world) else { return .neverRests }
    }
    // What waits for the end of a backoff goes on then.
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
  ) -> WorldBreach? {
    world.survey(into: &scratch)
    if scratch.client.callCount > 0 { return .callNeverEnds }
    for host in 0..<setup.client.hosts {
      if scratch.client.hosts[host].attemptDue != .never { return .triesForNobody(host: host) }
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

extension WorldSetup.PlantedFault {
  /// Whether it loses something that is on its way to the client.
  func loses(_ kind: WorldSurvey.Fact.Kind) -> Bool {
    switch self {
    case .unheardLoss: kind == .connectionLost
    case .lostAnswer: kind == .ended
    case .lostToken: kind == .token
    case .deafStream: false
    }
  }
}
