public import HandoverMachines

/// What happened when in a run, to be drawn.
public struct TryTimeline: Hashable, Sendable {
  /// Something that happened at an instant.
  public struct Mark: Hashable, Sendable {
    /// When.
    public var at: Instant
    /// What, for people.
    public var text: String

    /// A mark.
    public init(at: Instant, text: String) {
      self.at = at
      self.text = text
    }
  }

  /// A connection, or the datagrams between two ends.
  public struct Connection: Hashable, Sendable {
    /// Its two ends, for people.
    public var name: String
    /// When its first packet was seen.
    public var opened: Instant
    /// When it was let go; nil where it was held to the end.
    public var closed: Instant?
    /// Whether the far end ever answered.
    public var isAnswered: Bool
    /// When payload came.
    public var payload: [Instant]
    /// When bytes were sent that had been sent before.
    public var resent: [Instant]
  }

  /// The connections, in the order in which they were opened.
  public var connections: [Connection]
  /// What was done to the device, and the end of the program.
  public var acts: [Mark]
  /// Lines that the program wrote.
  public var lines: [Mark]
  /// When the watch was over.
  public var end: Instant
}

extension TryObservation {
  /// What is drawn of it, with what was done and what the program wrote.
  public func timeline(
    acts: [TryTimeline.Mark], lines: [TryTimeline.Mark]
  ) -> TryTimeline {
    let ending = programEnd.map {
      TryTimeline.Mark(at: $0.at, text: "the program ended (\($0.words))")
    }
    return TryTimeline(
      connections: seenFlows.map { seen in
        TryTimeline.Connection(
          name: "\(seen.flow.local) to \(seen.flow.remote)", opened: seen.flow.opened,
          closed: seen.released, isAnswered: seen.flow.established != nil, payload: seen.payload,
          resent: seen.flow.device.resent)
      }, acts: acts + (ending.map { [$0] } ?? []), lines: lines.filter { $0.at <= end }, end: end)
  }
}
