import HandoverCore

/// The path of a problem: from a network change to a connection, and from there to a call.
///
/// The path follows times. It does not prove that a step is the cause of the next one.
struct TimelineFlow: Hashable, Sendable {
  /// A span of a lane, by their indices.
  struct Step: Hashable, Sendable {
    var lane: Int
    var span: Int
  }

  /// Two or three steps: the network change, the connection, and the call.
  var steps: [Step]

  /// Returns the paths of problems among lanes, of which the first one is the network.
  ///
  /// - A connection passes its problem to each call that it carries and that ends without success
  ///   after the problem began. A problem is a state that carries nothing, or the end of the
  ///   connection.
  /// - A problem of a connection comes from the latest network change since the connection was
  ///   opened. If the connection only closed, it closed at the instant of the change.
  static func all(in lanes: [TimelineLane]) -> [TimelineFlow] {
    var flows: [TimelineFlow] = []
    var connections: [String: Int] = [:]  // lookup only
    for (index, lane) in lanes.enumerated() where lane.kind == .connection {
      connections[lane.name] = index
    }
    var explained: Set<Int> = []  // lookup only
    for (index, call) in lanes.enumerated() where call.kind == .call {
      guard let end = call.end, end.tone == .bad, let carrier = call.carrier,
        let connection = connections[carrier],
        let problem = problem(of: lanes[connection], until: end.from)
      else { continue }
      explained.insert(connection)
      let start = [Step(lane: connection, span: problem)]
      flows.append(
        TimelineFlow(
          steps: change(before: start[0], in: lanes) + start
            + [Step(lane: index, span: call.spans.count - 1)]))
    }
    for (index, lane) in lanes.enumerated() where lane.kind == .connection {
      guard !explained.contains(index), let problem = problem(of: lane, until: nil) else {
        continue
      }
      let end = Step(lane: index, span: problem)
      let start = change(before: end, in: lanes)
      if !start.isEmpty { flows.append(TimelineFlow(steps: start + [end])) }
    }
    return flows
  }

  /// Returns the index of the span in which a connection's latest problem began, or `nil` if the
  /// connection works at an instant.
  private static func problem(of lane: TimelineLane, until instant: Instant?) -> Int? {
    guard
      var index = lane.spans.lastIndex(where: { span in instant.map { span.from <= $0 } ?? true }),
      lane.spans[index].tone == .bad || lane.spans[index].isInstant
    else { return nil }
    while index > 0, lane.spans[index - 1].tone == .bad { index -= 1 }
    return index
  }

  /// Returns the latest network change before a connection's problem, or no step.
  private static func change(before problem: Step, in lanes: [TimelineLane]) -> [Step] {
    let lane = lanes[problem.lane]
    let span = lane.spans[problem.span]
    guard let network = lanes.first, network.kind == .device, let opened = lane.spans.first?.from,
      let change = network.spans.lastIndex(where: { $0.from <= span.from }), change > 0
    else { return [] }
    let at = network.spans[change].from
    guard opened < at, span.tone == .bad || span.from == at else { return [] }
    return [Step(lane: 0, span: change)]
  }
}

extension TimelineLane {
  /// The last span if it is the end of the subject, or `nil` if the subject exists until the end of
  /// the run.
  fileprivate var end: Span? { spans.last.flatMap { $0.isInstant ? $0 : nil } }
}
