public import HandoverCore

/// The events of a run, for a diagram.
public struct TryTimeline: Hashable, Sendable {
  /// A labeled instant.
  public struct Mark: Hashable, Sendable {
    /// The instant.
    public var at: Instant
    /// The label, for people.
    public var text: String
    /// The number of the next captured frame, or `nil` if it is unknown.
    public var frame: Int?

    /// Creates a mark.
    public init(at: Instant, text: String, frame: Int? = nil) {
      self.at = at
      self.text = text
      self.frame = frame
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
    /// The instant of the last packet, or `nil` if it is unknown.
    public var lastPacket: Instant?
    /// The numbers of the first and the last captured frame, or `nil` if they are unknown.
    public var frames: ClosedRange<Int>?
  }

  /// The connections, in the order in which they were opened.
  public var connections: [Connection]
  /// The actions on the device, and the end of the program.
  public var changes: [Mark]
  /// The lines that the program wrote.
  public var lines: [Mark]
  /// The end of the observation.
  public var end: Instant
  /// The name of a network that stands for none.
  public static let noNetwork = "no network"

  /// The networks of the device; each mark is the instant from which on the device uses a network.
  public var networks: [Mark] = []
  /// The connections that reached the servers, and the log of the servers, in order.
  public var server: [Mark] = []
  /// The numbers of the device's packets, by time.
  public var packets = PacketCounts()
  /// The name of the file with the captured frames, or `nil` if there is none.
  public var captureFile: String?
}

extension TryObservation {
  /// Returns the timeline of the observation.
  ///
  /// - Parameters:
  ///   - changes: The actions on the device.
  ///   - lines: The lines that the program wrote.
  ///   - networks: The networks of the device, each with the instant of its first use.
  ///   - serverLines: The lines of the servers' log.
  /// - Returns: The timeline.
  public func timeline(
    changes: [TryTimeline.Mark], lines: [TryTimeline.Mark], networks: [TryTimeline.Mark] = [],
    serverLines: [TryTimeline.Mark] = []
  ) -> TryTimeline {
    let ending = programEnd.map {
      TryTimeline.Mark(at: $0.at, text: "the program ended (\($0.phrase))")
    }
    return TryTimeline(
      connections: seenFlows.map { seen in
        TryTimeline.Connection(
          name: name(of: seen.flow), opened: seen.flow.opened,
          closed: seen.released, isAnswered: seen.flow.established != nil, payload: seen.payload,
          resent: seen.flow.device.resent, lastPacket: seen.flow.lastPacket,
          frames: frames?.index.frames(of: seen.flow))
      }, changes: changes + (ending.map { [$0] } ?? []), lines: lines.filter { $0.at <= end },
      end: end,
      networks: networks,
      server: (serverConnections + serverLines).filter { $0.at <= end }.sorted { $0.at < $1.at },
      packets: packets, captureFile: frames?.file)
  }

  private func name(of flow: Flow) -> String { "\(flow.local) to \(endpoint(of: flow))" }

  /// The beginnings and ends of the connections that reached the servers.
  private var serverConnections: [TryTimeline.Mark] {
    servers.flatMap { flow in
      let name = name(of: flow)
      let ended = [
        flow.device.finished, flow.device.reset, flow.server.finished, flow.server.reset,
      ].compactMap(\.self).min()
      return [TryTimeline.Mark(at: flow.opened, text: "connection \(name)")]
        + (ended.map { [TryTimeline.Mark(at: $0, text: "end of connection \(name)")] } ?? [])
    }
  }
}
