import Testing

@testable import HandoverCore

/// Long random sequences of events, including late and stale ones, against the mock world.
@Suite("Random sequences of events")
struct RandomEventTests {
  struct Run: Sendable, CustomTestStringConvertible {
    var profile: Profile
    var seed: UInt64
    var steps: Int

    var testDescription: String { "\(profile.name), seed \(seed), \(steps) steps" }
  }

  static let runs = Profile.all.flatMap { profile in
    (UInt64(1)...5).map { Run(profile: profile, seed: $0, steps: 10_000) }
  }

  static let settings = [
    CallSettings(), CallSettings(deadline: .seconds(5)), CallSettings(failsFast: true),
    CallSettings(awaitsToken: true, requestIsComplete: false),
    CallSettings(requestIsComplete: false), CallSettings(deadline: .milliseconds(10)),
    CallSettings(deadline: .zero),
  ]

  @Test("The client and the world agree after every random event", arguments: runs)
  func agreeWithTheWorld(_ run: Run) throws {
    var generator = SeededGenerator(seed: run.seed)
    var player = Player(run.profile, seed: run.seed)
    for step in 0..<run.steps {
      do {
        try player.play(&generator)
        // The effects are checked at every step. The tables, which preserve any error, are checked
        // at every tenth step.
        if step % 10 == 0 { try player.client.compare() }
      } catch {
        let last = player.last.map { "\($0.event) at \($0.now.text)" } ?? "nothing"
        Issue.record("seed \(run.seed), step \(step), \(last): \(error)")
        return
      }
    }
    try player.close()
    #expect(player.ends == player.started, "seed \(run.seed): every call ends exactly once")
    print("played \(run.testDescription): \(player.started) calls")
  }

  /// Generates random events, and remembers the identifiers of removed objects for late events.
  struct Player {
    var client: MockedClient
    var menu = EventMenu(settings: RandomEventTests.settings, endpoints: 3, maximumLive: 6)
    var started = 0
    var ends = 0
    /// The last event, which is formatted only after a failure.
    private(set) var last: (event: ClientCore.Event, now: Instant)?
    private var goneCalls = [call(0)]
    private var goneConnections = [connection(0)]

    init(_ profile: Profile, seed: UInt64) {
      var configuration = PoolConfiguration(policy: profile.policy, seed: seed)
      configuration.observers = ObserverOrder.allCases[Int(seed % 3)]
      if seed % 2 == 0 {
        configuration.keepalive = KeepaliveConfiguration(
          time: .seconds(2), timeout: .milliseconds(500), withoutCalls: seed % 4 == 0)
      }
      client = MockedClient(configuration, endpoints: 3)
    }

    mutating func play(_ generator: inout SeededGenerator) throws {
      let now = passTime(&generator)
      let event = draw(&generator)
      last = (event, now)
      var log = EffectLog<ClientEffect>()
      try client.send(event, at: now, log: &log)
      if case .pool(.callStarted) = event { started += 1 }
      for index in 0..<log.count {
        if case .endCall(let call, _) = log[index] {
          ends += 1
          remember(call, in: &goneCalls)
        }
        if case .closeConnection(let connection) = log[index] {
          remember(connection, in: &goneConnections)
        }
      }
    }

    mutating func close() throws {
      var log = EffectLog<ClientEffect>()
      try client.send(.pool(.closed), at: client.now, log: &log)
      for case .endCall in log.elements { ends += 1 }
    }

    /// Returns the next time: unchanged, slightly later, or after some deadlines.
    private func passTime(_ generator: inout SeededGenerator) -> Instant {
      switch generator.next(upToAndIncluding: 9) {
      case 0: max(client.now, client.core.nextDeadline ?? client.now)
      case 1: client.now + .milliseconds(Int64(generator.next(upToAndIncluding: 3_000)))
      case 2: client.now + Interval(microseconds: 1)
      default: client.now
      }
    }

    private mutating func draw(_ generator: inout SeededGenerator) -> ClientCore.Event {
      let choice = Int(generator.next(upToAndIncluding: 23))
      if choice == 23 { return stale(&generator) }
      let kind = EventMenu.Kind(rawValue: choice) ?? .start
      // Transitions destroy everything. If they were as frequent as other events, no state would
      // grow large.
      let isRare = kind == .callback || kind == .disconnectAll
      if isRare, generator.next(upToAndIncluding: 3) != 0 { return .pool(.timeElapsed) }
      let events = menu.events(kind, in: client, started: started)
      guard !events.isEmpty else { return .pool(.timeElapsed) }
      return events[Int(generator.next(upToAndIncluding: UInt64(events.count - 1)))]
    }

    /// Returns an event about an object that is gone, which must be dropped (C5).
    private func stale(_ generator: inout SeededGenerator) -> ClientCore.Event {
      let call = goneCalls[Int(generator.next(upToAndIncluding: UInt64(goneCalls.count - 1)))]
      let index = Int(generator.next(upToAndIncluding: UInt64(goneConnections.count - 1)))
      let connection = goneConnections[index]
      let events: [ChannelPool.Event] = [
        .tokenArrived(call), .messageQueued(call, bytes: 1), .requestFinished(call),
        .callCancelled(call), .messageReceived(call), .streamEnded(call, .ok),
        .connected(connection), .connectFailed(connection, .refused),
        .connectionBroken(connection, .reset), .connectionDraining(connection),
        .pongReceived(connection), .dataReceived(connection),
      ]
      return .pool(events[Int(generator.next(upToAndIncluding: UInt64(events.count - 1)))])
    }

    private func remember<ID>(_ id: ID, in list: inout [ID]) {
      list.append(id)
      if list.count > 8 { list.removeFirst() }
    }
  }
}
