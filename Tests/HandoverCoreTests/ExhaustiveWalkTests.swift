import Testing

@testable import HandoverCore

/// Every order of events up to a depth, with each state visited once.
@Suite("Every order of events")
struct ExhaustiveWalkTests {
  /// The extent of a search.
  struct Reach: Sendable, CustomTestStringConvertible {
    var profile: Profile
    var endpoints: Int
    var calls: Int
    var depth: Int

    var testDescription: String {
      "\(profile.name): \(endpoints) endpoints, \(calls) calls, \(depth) events"
    }
  }

  /// A state of the client and the world, and the number of calls started on the way to it.
  struct Node: Hashable {
    var client: MockedClient
    var started = 0
  }

  /// A plain call with a deadline, a call that fails fast, and a call with an open request that
  /// waits for its token.
  static let settings = [
    CallSettings(deadline: .seconds(5)), CallSettings(failsFast: true),
    CallSettings(awaitsToken: true, requestIsComplete: false),
  ]

  static let reaches =
    Profile.all.map { Reach(profile: $0, endpoints: 2, calls: 3, depth: 5) }
    + Profile.all.map { Reach(profile: $0, endpoints: 1, calls: 2, depth: 6) }

  @Test("The client and the world agree in every state", arguments: reaches)
  func agreesWithTheWorld(_ reach: Reach) throws {
    let menu = EventMenu(
      settings: Self.settings, endpoints: reach.endpoints, maximumStarts: reach.calls)
    var configuration = PoolConfiguration(policy: reach.profile.policy, backoff: .withoutJitter)
    configuration.keepalive = KeepaliveConfiguration(time: .seconds(3), timeout: .seconds(1))
    var log = EffectLog<ClientEffect>(reserving: 16)
    var root = MockedClient(configuration, endpoints: reach.endpoints)
    try root.send(.reachability(.initialRead(.wifi)), at: .zero, log: &log)
    var visited: Set<Node> = [Node(client: root)]
    var frontier = Array(visited)
    var steps = 0
    for _ in 0..<reach.depth {
      var next: [Node] = []
      for node in frontier {
        let events = menu.events(in: node.client, started: node.started)
        for event in events + [.pool(.closed)] {
          steps += 1
          let reached = try step(node, event, &log)
          guard event != .pool(.closed), visited.insert(reached).inserted else { continue }
          next.append(reached)
        }
      }
      frontier = next
    }
    print("walked \(reach.testDescription): \(visited.count) states, \(steps) steps")
    #expect(visited.count > 500)
  }

  private func step(
    _ node: Node, _ event: ClientCore.Event, _ log: inout EffectLog<ClientEffect>
  ) throws -> Node {
    var reached = node
    var now = node.client.now
    if event == .pool(.timeElapsed), let deadline = node.client.core.nextDeadline {
      try checkDeadline(node, deadline, &log)
      now = max(now, deadline)
    }
    if case .pool(.callStarted) = event { reached.started += 1 }
    do {
      try reached.client.send(event, at: now, log: &log)
      try reached.client.compare()
    } catch {
      Issue.record("\(event) at \(now.text) in \(node.client.core): \(error)")
      throw error
    }
    return reached
  }

  /// Checks that time changes nothing before the deadline of a state, and something at the
  /// deadline.
  private func checkDeadline(
    _ node: Node, _ deadline: Instant, _ log: inout EffectLog<ClientEffect>
  ) throws {
    guard deadline > node.client.now else { return }
    var early = node.client
    try early.send(.pool(.timeElapsed), at: deadline.justBefore, log: &log)
    #expect(log.isEmpty && early.core == node.client.core, "something happened too early")
    var punctual = node.client
    try punctual.send(.pool(.timeElapsed), at: deadline, log: &log)
    #expect(punctual.core != node.client.core, "the deadline changed nothing")
  }
}
