import HandoverMachines

/// A flow together with the evidence of the socket tables.
struct SeenFlow: Sendable {
  let flow: Flow
  /// When the program released the flow, or the far end reset it; nil if neither was seen.
  let released: Instant?
  /// When application data arrived that the program read, or could still read.
  let payload: [Instant]
  /// The bytes that the program did not read by the end of the watch.
  let unread: Int

  init(_ flow: Flow, in observation: TryObservation) {
    self.flow = flow
    let letGo =
      flow.transport == .tcp
      ? observation.sockets.release(of: flow.local.port, after: flow.opened) : nil
    let released = [flow.device.finished, flow.device.reset, flow.server.reset, letGo]
      .compactMap { $0 }.filter { $0 < observation.end }.min()
    self.released = released
    guard released == nil, flow.transport == .tcp else {
      unread = 0
      payload = flow.received.filter { at in released.map { at <= $0 } ?? true }
      return
    }
    unread = observation.held.first { $0.port == flow.local.port }?.unread ?? 0
    payload = flow.received(except: unread)
  }

  /// Whether the program still holds the flow at the end.
  var isHeld: Bool { released == nil }
}

/// A connection: one flow, or the subflows of one MPTCP connection.
struct SeenConnection: Sendable {
  let endpoint: ServerEndpoint
  let flows: [SeenFlow]
  let opened: Instant
  /// When the last of its flows was released; nil if one is still held.
  let released: Instant?
  /// When application data arrived on any of its flows, in order.
  let payload: [Instant]

  init(_ flows: [SeenFlow], to endpoint: ServerEndpoint) {
    self.endpoint = endpoint
    self.flows = flows
    opened = flows.map(\.flow.opened).min() ?? .zero
    released = flows.contains(where: \.isHeld) ? nil : flows.compactMap(\.released).max()
    payload = flows.flatMap(\.payload).sorted()
  }

  var isTCP: Bool { flows.contains { $0.flow.transport == .tcp } }
  var isAnswered: Bool { flows.contains { $0.flow.established != nil } }
  /// Whether the program still holds it at the end.
  var isHeld: Bool { released == nil }
  /// When the program sent new bytes.
  var sent: [Instant] { flows.flatMap(\.flow.sentAt) }

  /// The bytes of a kind that are outstanding on the connection.
  ///
  /// MPTCP sends the bytes of a dead subflow again on another one, so that the best subflow counts.
  func outstanding(_ bytes: (SeenFlow) -> Int) -> Int {
    flows.filter(\.isHeld).map(bytes).min() ?? 0
  }
}

extension TryObservation {
  /// The last instant at which the program lived and was watched.
  var lastLife: Instant { min(end, programEnd?.at ?? end) }

  /// The flows with the evidence of the socket tables.
  var seenFlows: [SeenFlow] { device.map { SeenFlow($0, in: self) } }

  /// The connections, in the order in which their first flows were opened.
  var connections: [SeenConnection] {
    var groups: [[SeenFlow]] = []
    var places: [UInt32: Int] = [:]  // lookup only
    for seen in seenFlows {
      guard let token = seen.flow.connectionToken else {
        groups.append([seen])
        continue
      }
      if let place = places[token] {  // lookup only
        groups[place].append(seen)
      } else {
        places[token] = groups.count
        groups.append([seen])
      }
    }
    return groups.map { SeenConnection($0, to: endpoint(of: $0[0].flow)) }
  }

  /// The time in which the machine stood still, from an instant on.
  func stoodStill(from start: Instant) -> Interval {
    standstills.reduce(.zero) { sum, span in
      span.to > start ? sum + span.to.since(max(span.from, start)) : sum
    }
  }
}
