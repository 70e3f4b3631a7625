public import HandoverCore

/// The events of a run, for a diagram.
public struct TryTimeline: Hashable, Sendable {
  /// A labeled instant.
  public struct Mark: Hashable, Sendable {
    /// The instant.
    public var at: Instant
    /// The label, for people.
    public var text: String

    /// Creates a mark.
    public init(at: Instant, text: String) {
      self.at = at
      self.text = text
    }
  }

  /// A TCP connection, or the datagrams between two endpoints.
  public struct Connection: Hashable, Sendable {
    /// The local endpoint, and the server by its name if it has one.
    public var name: String
    /// The instant of the first packet.
    public var opened: Instant
    /// The instant at which the connection was released, or `nil` if it was held to the end.
    public var closed: Instant?
    /// Whether the remote endpoint ever answered.
    public var isAnswered: Bool
    /// The instants at which application data arrived.
    public var payload: [Instant]
    /// The instants at which the device retransmitted bytes.
    public var resent: [Instant]
  }

  /// The connections, in the order in which they were opened.
  public var connections: [Connection]
  /// The actions on the device, and the end of the program.
  public var acts: [Mark]
  /// The lines that the program wrote.
  public var lines: [Mark]
  /// The end of the observation.
  public var end: Instant
}

extension TryObservation {
  /// Returns the timeline of the observation, with the given actions and the program's lines.
  public func timeline(
    acts: [TryTimeline.Mark], lines: [TryTimeline.Mark]
  ) -> TryTimeline {
    let ending = programEnd.map {
      TryTimeline.Mark(at: $0.at, text: "the program ended (\($0.words))")
    }
    return TryTimeline(
      connections: seenFlows.map { seen in
        TryTimeline.Connection(
          name: "\(seen.flow.local) to \(endpoint(of: seen.flow))", opened: seen.flow.opened,
          closed: seen.released, isAnswered: seen.flow.established != nil, payload: seen.payload,
          resent: seen.flow.device.resent)
      }, acts: acts + (ending.map { [$0] } ?? []), lines: lines.filter { $0.at <= end }, end: end)
  }
}
