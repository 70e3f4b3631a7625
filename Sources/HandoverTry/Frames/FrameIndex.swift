/// The numbers of the frames of each flow in a file of captured frames, counted from 1.
public struct FrameIndex: Hashable, Sendable {
  private struct Key: Hashable {
    var source: FlowEnd
    var destination: FlowEnd
    var isTCP: Bool

    var reversed: Key { Key(source: destination, destination: source, isTCP: isTCP) }
  }

  private struct Entry: Hashable {
    var initialSequence: UInt32?
    var frames: ClosedRange<Int>
  }

  /// The flows between two endpoints, in order.
  ///
  /// The key is the direction of the first packet.
  private var entries: [Key: [Entry]] = [:]  // lookup only
  private var entryCount = 0

  /// Creates an empty index.
  public init() {}

  /// Adds a frame that contains a packet.
  ///
  /// A SYN with a new sequence number starts a new flow.
  public mutating func add(_ packet: ObservedPacket, frame: Int) {
    var key = Key(
      source: packet.source, destination: packet.destination, isTCP: packet.tcp != nil)
    if entries[key] == nil, entries[key.reversed] != nil { key = key.reversed }  // lookup only
    let begins = packet.tcp.map { $0.synchronizes && !$0.acknowledges } ?? false
    let last = entries[key]?.last  // lookup only
    if let last, !begins || last.initialSequence == packet.tcp?.sequence {
      let position = (entries[key]?.count ?? 1) - 1  // lookup only
      entries[key]?[position].frames = last.frames.lowerBound...frame  // lookup only
      return
    }
    guard entryCount < FlowTable.maximumFlowCount else { return }
    entryCount += 1
    let entry = Entry(
      initialSequence: begins ? packet.tcp?.sequence : nil, frames: frame...frame)
    entries[key, default: []].append(entry)  // lookup only
  }

  /// Returns the numbers of the first and the last frame of a flow, or `nil` if it has none.
  public func frames(of flow: Flow) -> ClosedRange<Int>? {
    let key = Key(
      source: flow.local, destination: flow.remote, isTCP: flow.transport == .tcp)
    return (entries[key] ?? entries[key.reversed])?.first {  // lookup only
      $0.initialSequence == flow.initialSequence
    }?.frames
  }
}

/// A file of captured frames, and the frames of each flow in it.
public struct CapturedFrames: Hashable, Sendable {
  /// The name of the file.
  public var file: String
  /// The frames of each flow.
  public var index: FrameIndex

  /// Creates a description of a file.
  public init(file: String, index: FrameIndex) {
    self.file = file
    self.index = index
  }
}
