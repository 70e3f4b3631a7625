import HandoverCore

/// A writer for traces of Perfetto, with a group of tracks for each case.
///
/// Each lane of a case is a track, and each state is a slice. All cases begin at zero. A trace is a
/// sequence of packets, so every part of it that ends with a packet is a valid trace.
struct PerfettoTrace {
  /// A case with its lanes.
  struct Group {
    var name: String
    /// The name of the slice that covers the whole case.
    var verdict: String
    var end: Instant
    /// Keys and values that are shown with that slice.
    var details: [(String, String)]
    /// Labeled instants of the case.
    var marks: [(at: Instant, text: String)] = []
    var lanes: [TimelineLane]
  }

  // The packets are the fields of one message.
  private var trace = ProtobufMessage()
  private var trackCount: UInt64 = 0
  private var groupCount: UInt64 = 0
  private var flowCount: UInt64 = 0

  /// Field numbers of Perfetto's messages.
  private enum Field {
    static let packet: UInt64 = 1

    enum Packet {
      static let timestamp: UInt64 = 8
      static let sequence: UInt64 = 10
      static let event: UInt64 = 11
      static let track: UInt64 = 60
    }

    enum Track {
      static let uuid: UInt64 = 1
      static let name: UInt64 = 2
      static let process: UInt64 = 3
      static let parent: UInt64 = 5
      static let childOrdering: UInt64 = 11
      static let rank: UInt64 = 12
      static let merging: UInt64 = 15
    }

    enum Process {
      static let pid: UInt64 = 1
      static let name: UInt64 = 6
    }

    enum Event {
      static let detail: UInt64 = 4
      static let type: UInt64 = 9
      static let track: UInt64 = 11
      static let category: UInt64 = 22
      static let name: UInt64 = 23
      static let flow: UInt64 = 47
      static let lastFlow: UInt64 = 48
    }

    enum Detail {
      static let text: UInt64 = 6
      static let name: UInt64 = 10
    }
  }

  private static let explicitOrdering: UInt64 = 3
  /// Tracks with the same name stay separate.
  private static let noMerging: UInt64 = 2

  private enum EventType: UInt64 {
    case begin = 1
    case end = 2
    case instant = 3
  }

  /// Returns the bytes since the last call.
  mutating func take() -> [UInt8] { trace.take() }

  /// Adds a case.
  mutating func add(_ group: Group) {
    groupCount += 1
    let parent = track(group.name, parent: nil, rank: groupCount, process: groupCount)
    event(.begin, at: .zero, on: parent) { event in
      event.add(Field.Event.category, "case")
      event.add(Field.Event.name, VisibleText.of(group.verdict))
      for (key, value) in group.details {
        var detail = ProtobufMessage()
        detail.add(Field.Detail.name, key)
        detail.add(Field.Detail.text, VisibleText.of(value))
        event.add(Field.Event.detail, detail)
      }
    }
    for mark in group.marks { self.mark(mark.text, "finding", at: mark.at, on: parent) }
    event(.end, at: group.end, on: parent) { _ in }
    let flows = flowIDs(of: group.lanes)
    for (index, lane) in group.lanes.enumerated() {
      let track = track(
        Self.name(of: lane), parent: parent, rank: UInt64(index), process: nil)
      for (position, span) in lane.spans.enumerated() {
        let isInstant = span.from >= span.to
        event(isInstant ? .instant : .begin, at: span.from, on: track) { event in
          event.add(Field.Event.category, lane.kind.name)
          event.add(Field.Event.name, VisibleText.of(span.text))
          for flow in flows[TimelineFlow.Step(lane: index, span: position)] ?? [] {
            event.add(flow.isLast ? Field.Event.lastFlow : Field.Event.flow, fixed: flow.id)
          }
        }
        if !isInstant { event(.end, at: span.to, on: track) { _ in } }
      }
      for mark in lane.marks { self.mark(mark.text, lane.kind.name, at: mark.from, on: track) }
    }
  }

  /// Adds a labeled instant at zero, on a track of its own.
  mutating func add(note: String, on name: String) {
    let track = track(name, parent: nil, rank: 0, process: nil)
    mark(note, "run", at: .zero, on: track)
  }

  private mutating func mark(
    _ text: String, _ category: String, at instant: Instant, on track: UInt64
  ) {
    event(.instant, at: instant, on: track) { event in
      event.add(Field.Event.category, category)
      event.add(Field.Event.name, VisibleText.of(text))
    }
  }

  private static func name(of lane: TimelineLane) -> String {
    lane.kind == .call ? "call \(lane.name)" : lane.name
  }

  /// The IDs of the arrows that begin, pass or end at each span.
  private typealias FlowIDs = [TimelineFlow.Step: [(id: UInt64, isLast: Bool)]]  // lookup only

  private mutating func flowIDs(of lanes: [TimelineLane]) -> FlowIDs {
    var ids: FlowIDs = [:]
    for flow in TimelineFlow.all(in: lanes) {
      flowCount += 1
      for (position, step) in flow.steps.enumerated() {
        ids[step, default: []].append((flowCount, position == flow.steps.count - 1))
      }
    }
    return ids
  }

  // MARK: Packets

  /// Adds a track, and returns its ID.
  private mutating func track(
    _ name: String, parent: UInt64?, rank: UInt64, process: UInt64?
  ) -> UInt64 {
    trackCount += 1
    var track = ProtobufMessage()
    track.add(Field.Track.uuid, trackCount)
    if let process {
      var message = ProtobufMessage()
      message.add(Field.Process.pid, process)
      message.add(Field.Process.name, VisibleText.of(name))
      track.add(Field.Track.process, message)
      track.add(Field.Track.childOrdering, Self.explicitOrdering)
    } else {
      track.add(Field.Track.name, VisibleText.of(name))
      track.add(Field.Track.rank, rank)
      track.add(Field.Track.merging, Self.noMerging)
    }
    if let parent { track.add(Field.Track.parent, parent) }
    packet { $0.add(Field.Packet.track, track) }
    return trackCount
  }

  private mutating func event(
    _ type: EventType, at instant: Instant, on track: UInt64,
    _ write: (inout ProtobufMessage) -> Void
  ) {
    var event = ProtobufMessage()
    event.add(Field.Event.type, type.rawValue)
    event.add(Field.Event.track, track)
    write(&event)
    let (nanoseconds, overflow) = UInt64(clamping: instant.microseconds)
      .multipliedReportingOverflow(by: 1_000)
    packet {
      // The format's timestamps are signed in many readers.
      $0.add(Field.Packet.timestamp, overflow ? UInt64(Int64.max) : nanoseconds)
      $0.add(Field.Packet.event, event)
    }
  }

  private mutating func packet(_ write: (inout ProtobufMessage) -> Void) {
    var packet = ProtobufMessage()
    write(&packet)
    // Perfetto requires the ID of the writer.
    packet.add(Field.Packet.sequence, 1)
    trace.add(Field.packet, packet)
  }
}

extension TimelineLane.Kind {
  /// The name of the kind in Perfetto's categories.
  fileprivate var name: String {
    switch self {
    case .device: "device"
    case .channel: "channel"
    case .connection: "connection"
    case .thread: "thread"
    case .call: "call"
    }
  }
}
