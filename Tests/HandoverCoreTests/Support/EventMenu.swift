@testable import HandoverCore

/// The events that are possible in a mocked client's world.
struct EventMenu {
  /// The kinds of event.
  ///
  /// A random choice selects a kind first, so that no kind is rare.
  enum Kind: Int, CaseIterable {
    case start, token, message, finish, cancel, connected, connectFailed, broken, draining, pong
    case received, ended, disconnect, disconnectAll, elapsed, callback
  }

  /// The settings of the next calls, used in rotation.
  var settings: [CallSettings]
  var endpoints: Int
  /// The maximum numbers of calls to start, and of calls that are alive.
  var maximumStarts = Int.max
  var maximumLive = Int.max
  var failures: [ConnectionFailure] = [.networkUnreachable, .nameResolutionFailed, .refused]

  static let flags: [ReachabilityFlags] = [.none, .cellular, .wifi]

  /// Returns every event that is possible now.
  func events(in client: MockedClient, started: Int) -> [ClientCore.Event] {
    Kind.allCases.flatMap { events($0, in: client, started: started) }
  }

  /// Returns the events of one kind that are possible now.
  func events(
    _ kind: Kind, in client: MockedClient, started: Int
  ) -> [ClientCore.Event] {
    let world = client.world
    switch kind {
    case .start:
      return starts(in: client, started: started)
    case .token:
      return world.calls.filter { $0.stage == .awaitingToken }.map { .pool(.tokenArrived($0.id)) }
    case .message:
      return world.calls.map { .pool(.messageQueued($0.id, bytes: 10)) }
    case .finish:
      return world.calls.filter { !$0.isFinished }.map { .pool(.requestFinished($0.id)) }
    case .cancel:
      return world.calls.map { .pool(.callCancelled($0.id)) }
    case .connected:
      return connections(world, .connecting) { .connected($0) }
    case .connectFailed:
      return failures.flatMap { failure in
        connections(world, .connecting) { .connectFailed($0, failure) }
      }
    case .broken:
      return world.connections.map { .pool(.connectionBroken($0.id, .reset)) }
    case .draining:
      return connections(world, .open) { .connectionDraining($0) }
    case .pong:
      return world.connections.filter(\.awaitsPong).map { .pool(.pongReceived($0.id)) }
    case .received:
      return world.calls.filter(\.isRunning).map { .pool(.messageReceived($0.id)) }
    case .ended:
      return world.calls.filter(\.isRunning).map { .pool(.streamEnded($0.id, .ok)) }
    case .disconnect:
      return world.channels.map { .pool(.disconnectRequested($0.id.endpoint)) }
    case .disconnectAll:
      return world.channels.isEmpty ? [] : [.pool(.disconnectAllRequested)]
    case .elapsed:
      return client.core.nextDeadline == nil ? [] : [.pool(.timeElapsed)]
    case .callback:
      guard client.configuration.policy.monitorsReachability else { return [] }
      return Self.flags.map { .reachability(.callback($0)) }
    }
  }

  private func starts(in client: MockedClient, started: Int) -> [ClientCore.Event] {
    guard started < maximumStarts, client.world.calls.count < maximumLive else { return [] }
    var settings = settings[started % settings.count]
    if settings.deadline != .never {
      settings.deadline = client.now + settings.deadline.since(.zero)
    }
    return (0..<UInt32(endpoints)).map {
      .pool(.callStarted(client.core.nextCallID, EndpointID(index: $0), settings))
    }
  }

  private func connections(
    _ world: MockWorld, _ stage: MockWorld.Connection.Stage,
    _ event: (ConnectionID) -> ChannelPool.Event
  ) -> [ClientCore.Event] {
    world.connections.filter { $0.stage == stage }.map { .pool(event($0.id)) }
  }
}
