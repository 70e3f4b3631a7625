import Testing

@testable import HandoverCore

/// Every order of events up to a depth, with each state visited once, on one endpoint.
@Suite("EndpointDispatcher: every order of events")
struct DispatcherWalkTests {
  struct Reach: Sendable, CustomTestStringConvertible {
    var policy: LongLimitPolicy
    var total: UInt32
    var chargesWaiting = false

    var testDescription: String { "\(policy), \(total) slots, charged \(chargesWaiting)" }
  }

  static let depth = 5
  static let maximumArrivals = 3
  static let reaches = [
    Reach(policy: .throw, total: 1), Reach(policy: .fail, total: 2, chargesWaiting: true),
    Reach(policy: .enqueue, total: 2), Reach(policy: .ignore, total: 1),
    Reach(policy: .ignore, total: 2), Reach(policy: .takeSpare, total: 1),
    Reach(policy: .poll(every: .seconds(2)), total: 1),
  ]

  struct Node: Hashable {
    var rig: DispatcherRig
    var arrived: [RequestID] = []
  }

  @Test(
    "The limits are kept, and no request waits while it could use a free slot", arguments: reaches)
  func walk(_ reach: Reach) throws {
    let limits = try ConnectionLimits(total: reach.total, long: 1)
    let root = DispatcherRig(
      DispatcherConfiguration(
        limits: limits, policy: reach.policy, chargesWaiting: reach.chargesWaiting),
      endpoints: 1)
    var visited: Set<Node> = [Node(rig: root)]
    var frontier = Array(visited)
    var steps = 0
    for _ in 0..<Self.depth {
      var next: [Node] = []
      for node in frontier {
        for event in events(in: node, limits) {
          steps += 1
          var reached = node
          if case .requestArrived(let id, _, _) = event { reached.arrived.append(id) }
          let due = event == .timeElapsed ? node.rig.core.nextDeadline : nil
          if let due { try checkDeadline(node, due) }
          let effects = reached.rig.send(event, at: due.map { max($0, node.rig.now) })
          try check(reached, from: node, event, effects)
          if visited.insert(reached).inserted { next.append(reached) }
        }
      }
      frontier = next
    }
    print("walked \(reach.testDescription): \(visited.count) states, \(steps) steps")
    #expect(visited.count > 500)
  }

  private func events(in node: Node, _ limits: ConnectionLimits) -> [EndpointDispatcher.Event] {
    var events: [EndpointDispatcher.Event] = [
      .connectionsLost(endpoint(0)), .closed, .timeElapsed,
      .streamBudgetAnnounced(endpoint(0), streams: 3), .streamBudgetWithdrawn(endpoint(0)),
    ]
    if let none = try? limits.settingLong(0) { events.append(.limitsChanged(none)) }
    if node.arrived.count < Self.maximumArrivals {
      for settings in [
        RequestSettings(.short), RequestSettings(.synchronous, timeout: .seconds(5)),
        RequestSettings(.long, timeout: .seconds(3), deadline: .seconds(7)),
      ] {
        events.append(.requestArrived(node.rig.core.nextRequestID, endpoint(0), settings))
      }
    }
    for id in node.arrived {
      events += [.finished(id), .responded(id), .pollAnswered(id), .cancelled(id)]
    }
    return events
  }

  /// Checks that time changes nothing before the deadline of a state, and something at the
  /// deadline.
  private func checkDeadline(_ node: Node, _ due: Instant) throws {
    guard due > node.rig.now else { return }
    let early = node.rig.after { $0.wait(until: due.justBefore) }
    try #require(early.core == node.rig.core, "something happened too early")
    let punctual = node.rig.after { $0.wait(until: due) }
    try #require(punctual.core != node.rig.core, "the deadline changed nothing")
  }

  private func check(
    _ node: Node, from before: Node, _ event: EndpointDispatcher.Event,
    _ effects: [DispatcherEffect]
  ) throws {
    let usage = node.rig.usage()
    let frozenByPlatform = node.rig.core.requests.line(.frozen, on: 0).count
    let isSound =
      usage.running <= max(usage.total, before.rig.usage().running)
      && usage.running == UInt32(node.rig.core.holders(of: endpoint(0)).count)
      && usage.runningLong <= usage.running
      && (usage.running >= usage.total || usage.waitingShort + frozenByPlatform == 0)
      && (usage.running >= usage.total || usage.runningLong >= usage.longLimit
        || usage.waitingLong + usage.frozen == 0)
    try #require(isSound, "\(event) in \(before.rig.core) gave \(effects)")
    // A request that is notified of its end no longer holds anything.
    for case .notify(let id, _) in effects {
      try #require(node.rig.core.phase(of: id) == nil, "\(event) in \(before.rig.core)")
    }
    let live = node.arrived.count { node.rig.core.phase(of: $0) != nil }
    try #require(live == node.rig.core.unfinishedCount, "\(event) in \(before.rig.core)")
  }
}
