import HandoverCore
import Testing

/// The core of the simulation, driven by the system's clock and sockets.
@Suite("The core over real sockets")
struct LiveLoopTests {
  /// A client with a monitor and short delays.
  static let configuration = PoolConfiguration(
    policy: Profile.socketsMonitor.policy,
    backoff: BackoffConfiguration(initial: .milliseconds(20)))

  /// Creates a loop whose monitor has read WiFi.
  func loop() throws -> LiveLoop {
    var loop = try LiveLoop(Self.configuration)
    try loop.send(.reachability(.initialRead([.reachable])))
    return loop
  }

  @Test("A reset ends the call UNAVAILABLE, and the next call has a new connection (D2, D4)")
  func reset() throws {
    var loop = try loop()
    loop.server.conduct = .resets
    let broken = try loop.start()
    try loop.run { $0.end(of: broken) != nil }
    #expect(loop.end(of: broken) == ConnectionFailure.reset.callEnd)
    loop.server.conduct = .answers
    let next = try loop.start()
    try loop.run { $0.end(of: next) != nil }
    #expect(loop.end(of: next) == CallEnd(.ok, .empty))
    #expect(loop.server.acceptedCount == 2)
    #expect(loop.replayed() == loop.steps)
  }

  @Test("A category change ends the call on a working connection (D9, M11)")
  func transition() throws {
    var loop = try loop()
    loop.server.conduct = .isSilent
    let lost = try loop.start()
    try loop.run { $0.server.requestCount == 1 }
    #expect(loop.end(of: lost) == nil)
    try loop.send(.reachability(.callback([])))
    #expect(loop.end(of: lost) == .connectivityLost)
    try loop.run { $0.server.connections.isEmpty }
    loop.server.conduct = .answers
    try loop.send(.reachability(.callback([.reachable, .isWWAN])))
    let next = try loop.start()
    try loop.run { $0.end(of: next) != nil }
    #expect(loop.end(of: next) == CallEnd(.ok, .empty))
    #expect(loop.server.acceptedCount == 2)
    #expect(loop.replayed() == loop.steps)
  }

  @Test("Calls of one channel share a connection, and a deadline ends only one of them (D5c)")
  func deadline() throws {
    var loop = try loop()
    loop.server.conduct = .isSilent
    let patient = try loop.start()
    let hasty = try loop.start(CallSettings(deadline: loop.now + .milliseconds(30)))
    try loop.run { $0.end(of: hasty) != nil }
    #expect(loop.end(of: hasty) == .deadlineExceeded)
    #expect(loop.end(of: patient) == nil)
    #expect(loop.server.acceptedCount <= 1)
    try loop.send(.pool(.closed))
    #expect(loop.end(of: patient) == .clientClosed)
    #expect(loop.core.nextDeadline == nil)
    #expect(loop.replayed() == loop.steps)
  }

  @Test("A refused connection ends the call UNAVAILABLE, and one in backoff waits (D5)")
  func refusal() throws {
    var loop = try loop()
    loop.server.stopListening()
    let refused = try loop.start()
    try loop.run { $0.end(of: refused) != nil }
    #expect(loop.end(of: refused) == ConnectionFailure.refused.callEnd)
    let waiting = try loop.start()
    try loop.run { $0.end(of: waiting) != nil }
    #expect(loop.end(of: waiting) == ConnectionFailure.refused.callEnd)
    let attempts = loop.steps.filter { step in
      step.effects.contains { if case .openConnection = $0 { true } else { false } }
    }
    #expect(attempts.count == 2)
    #expect(attempts[1].now >= attempts[0].now + .milliseconds(20))
    #expect(loop.replayed() == loop.steps)
  }
}
