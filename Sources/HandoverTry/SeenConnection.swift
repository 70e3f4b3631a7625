package import HandoverCore

/// A flow combined with the evidence from the socket tables.
struct SeenFlow: Sendable {
  let flow: Flow
  /// The instant at which the program released the flow or the remote endpoint reset it.
  ///
  /// The value is `nil` if neither was seen.
  let released: Instant?
  /// The instants at which application data arrived that the program read or could still read.
  let payload: [Instant]
  /// The number of bytes that the program had not read by the end of the observation.
  let unread: Int

  init(_ flow: Flow, in observation: TryObservation) {
    self.flow = flow
    let letGo =
      flow.transport == .tcp
      ? observation.sockets.release(of: flow.ends, after: flow.opened) : nil
    let released = [flow.device.finished, flow.device.reset, flow.server.reset, letGo]
      .compactMap { $0 }.filter { $0 < observation.end }.min()
    self.released = released
    guard released == nil, flow.transport == .tcp else {
      unread = 0
      payload = flow.received.filter { at in released.map { at <= $0 } ?? true }
      return
    }
    unread = observation.held.first { $0.ends == flow.ends }?.unread ?? 0
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
  /// The instant at which its last flow was released, or `nil` if one is still held.
  let released: Instant?
  /// The instants at which application data arrived on any of its flows, in order.
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
  /// Whether the program still holds the connection at the end.
  var isHeld: Bool { released == nil }
  /// The instants at which the program sent new bytes.
  var sent: [Instant] { flows.flatMap(\.flow.sentAt) }

  /// Returns the number of outstanding bytes on the connection, as counted by `bytes` for each
  /// flow.
  ///
  /// MPTCP retransmits the bytes of a dead subflow on another one, so the best subflow counts.
  func outstanding(_ bytes: (SeenFlow) -> Int) -> Int {
    flows.filter(\.isHeld).map(bytes).min() ?? 0
  }
}

extension TryObservation {
  /// The last instant at which the program was alive and observed.
  package var lastLife: Instant { min(end, programEnd?.at ?? end) }

  /// The flows combined with the evidence from the socket tables.
  var seenFlows: [SeenFlow] { device.map { SeenFlow($0, in: self) } }

  /// The connections, in the order in which their first flows were opened.
  var connections: [SeenConnection] {
    var groups: [[SeenFlow]] = []
    var positions: [UInt32: Int] = [:]  // lookup only
    for seen in seenFlows {
      guard let token = seen.flow.connectionToken else {
        groups.append([seen])
        continue
      }
      if let position = positions[token] {  // lookup only
        groups[position].append(seen)
      } else {
        positions[token] = groups.count
        groups.append([seen])
      }
    }
    return groups.map { SeenConnection($0, to: endpoint(of: $0[0].flow)) }
  }

  /// Returns the total time for which the machine was paused after an instant.
  func pausedTime(from start: Instant) -> Interval {
    standstills.reduce(.zero) { sum, span in
      span.to > start ? sum + span.to.since(max(span.from, start)) : sum
    }
  }
}
