import HandoverCore

/// The data in transit on paths that have a quality.
///
/// A network has no `LinkSimulator` before the first quality of a run. Until then no data is in
/// transit, and this type is not used.
struct LinkSimulator: Sendable {
  /// The direction of data, as seen from the device.
  enum Direction { case up, down }

  /// Both directions of a path.
  struct Path: Hashable, Sendable {
    /// Whether the path has a quality.
    var isShaped = false
    var up: QualityLane
    var down: QualityLane
    /// The entries that set the quality of each direction, or `max` if no entry did.
    var upCause = UInt32.max
    var downCause = UInt32.max

    init(_ generator: SeededGenerator, _ index: Int) {
      up = QualityLane(generator: generator.forked(label: UInt64(index) << 1))
      down = QualityLane(generator: generator.forked(label: UInt64(index) << 1 | 1))
    }

    /// The round-trip time of a short packet on an idle path.
    var roundTrip: Interval { up.quality.delay + down.quality.delay }
  }

  /// The paths by index.
  private(set) var paths: ContiguousArray<Path> = []
  /// The data in transit on each connection, by row.
  ///
  /// Another connection may have reused a row.
  var rows: ContiguousArray<LinkRow> = []
  private let generator: SeededGenerator

  /// The label under which the generator for packet losses is forked from the run's seed.
  private static let label: UInt64 = 0x0041_4952

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: Self.label)
  }

  /// Sets the quality of a path, starting at an instant.
  mutating func set(
    _ quality: LinkQuality, of path: PathIndex, at now: Instant, by entry: UInt32
  ) {
    let index = Int(path.index)
    while paths.count <= index { paths.append(Path(generator, paths.count)) }
    paths[index].isShaped = true
    if quality.direction != .down {
      paths[index].up.set(quality, at: now)
      paths[index].upCause = entry
    }
    if quality.direction != .up {
      paths[index].down.set(quality, at: now)
      paths[index].downCause = entry
    }
  }

  /// Returns whether a path has a quality, so that data on it can be in transit.
  func shapes(_ path: PathIndex?) -> Bool {
    guard let path, Int(path.index) < paths.count else { return false }
    return paths[Int(path.index)].isShaped
  }

  /// Returns the stall causes that result from the quality of a path.
  func obstacles(of path: PathIndex) -> StallCauses {
    guard shapes(path) else { return [] }
    let index = Int(path.index)
    var obstacles: StallCauses = []
    if paths[index].up.losesEverything { obstacles.insert(.sendingFails) }
    if paths[index].down.losesEverything { obstacles.insert(.receivingFails) }
    return obstacles
  }

  /// Returns the row of a connection.
  ///
  /// Replaces a row of another connection.
  mutating func row(of connection: ConnectionID) -> Int {
    let index = Int(connection.index)
    while rows.count <= index { rows.append(LinkRow(generation: .max)) }
    if rows[index].generation != connection.generation {
      rows[index] = LinkRow(generation: connection.generation)
    }
    return index
  }

  /// Returns whether a row belongs to a connection.
  func knows(_ connection: ConnectionID) -> Bool {
    Int(connection.index) < rows.count
      && rows[Int(connection.index)].generation == connection.generation
  }

  // MARK: Arrival times

  /// Returns the arrival time of a path-validation packet that is sent now.
  ///
  /// The connection that validates is on another path, and lost packets are not retransmitted.
  ///
  /// - Returns: the arrival time, or `nil` if the packet is lost or too long (RFC 9000, 8.2.1 and
  ///   14.1).
  mutating func probe(_ direction: Direction, _ path: PathIndex, at now: Instant) -> Instant? {
    let index = Int(path.index)
    let packet = Load(byteCount: Load.probeByteCount, timeout: Load.firstTimeout)
    func arrival(_ lane: inout QualityLane) -> Instant? {
      guard lane.quality.mtu.map({ packet.longestPacket(Load.longestPacket) <= $0 }) ?? true else {
        return nil
      }
      return lane.arrival(
        of: packet, longest: Load.longestPacket, at: now, limit: Load.firstTimeout)
    }
    return direction == .up ? arrival(&paths[index].up) : arrival(&paths[index].down)
  }

  /// Returns the arrival time of data that is sent now, after all earlier data of the same sender.
  ///
  /// - Parameters:
  ///   - bytes: the number of bytes of payload.
  ///   - direction: the direction in which the data is sent.
  ///   - isFirst: whether the data is the first packet of a connection, or the response to it.
  ///   - row: the row of the connection.
  ///   - path: the path of the connection, which has a quality.
  ///   - context: the state that all parts of the world share.
  /// - Returns: the arrival time, or `nil` if the data cannot arrive with the current quality.
  mutating func arrival(
    of bytes: Int64, _ direction: Direction, isFirst: Bool = false, on row: Int,
    _ path: PathIndex, _ context: inout Context
  ) -> Instant? {
    let index = Int(path.index)
    let roundTrip = paths[index].roundTrip
    let load = Load(
      byteCount: bytes,
      timeout: isFirst ? Load.firstTimeout : roundTrip + Load.timeoutBeyondRoundTrip)
    switch direction {
    case .up:
      return rows[row].up.arrival(of: load, roundTrip, &paths[index].up, &context)
    case .down:
      return rows[row].down.arrival(of: load, roundTrip, &paths[index].down, &context)
    }
  }
}

/// The data in transit on a connection.
struct LinkRow: Sendable {
  /// The generation of the connection that owns the row.
  let generation: UInt32
  var up = LinkStream<Written>()
  var down = LinkStream<NetworkFact>()
  /// Whether the server has ended the connection.
  ///
  /// Such a server reads no more data.
  var serverSideHasEnded = false

  init(generation: UInt32) { self.generation = generation }

  /// A write of the client, and the attempt of the call to which it belongs.
  struct Written: Hashable, Sendable {
    var write: CarriedWrite
    var call: CallID?
  }
}

/// One direction of a connection, which preserves the order of the data.
struct LinkStream<Thing: Hashable & Sendable>: Sendable {
  /// An item in transit.
  struct Passage: Sendable {
    var thing: Thing
    /// The scheduled arrival, on the agenda or among the periodic events.
    var turn: Agenda<ScheduledEvent>.Handle
    var isPeriodic: Bool
  }

  private(set) var underWay = WaitingLine<Passage>()
  /// The arrival time of the last item that was sent.
  private(set) var lastArrival = Instant.zero
  /// The longest IP packet that the sender knows to pass.
  private(set) var longestPacket = Load.longestPacket

  /// Returns the arrival time of a load, or `nil` if it cannot arrive with the current quality.
  fileprivate mutating func arrival(
    of load: Load, _ roundTrip: Interval, _ lane: inout QualityLane, _ context: inout Context
  ) -> Instant? {
    var (longest, sentAgain) = (longestPacket, Interval.zero)
    if let mtu = lane.quality.mtu, load.longestPacket(longest) > Int64(mtu) {
      guard lane.quality.mtuSignal == .icmp else { return nil }
      (longest, sentAgain) = (Int64(mtu), roundTrip)
    }
    if lane.quality.examinesPackets { context.looks += Int(load.packetCount(longest)) }
    guard
      let there = lane.arrival(
        of: load, longest: longest, at: context.now, limit: context.configuration.tcpTimeout)
    else { return nil }
    longestPacket = longest
    lastArrival = max(lastArrival, there + sentAgain)
    return lastArrival
  }

  /// Whether no item is in transit.
  var isEmpty: Bool { underWay.isEmpty }

  mutating func append(_ passage: Passage) { underWay.append(passage) }

  /// Removes and returns the item that arrives first.
  mutating func popFirst() -> Thing? { underWay.popFirst()?.thing }

  /// Removes and returns all items in transit.
  mutating func takeAll(_ context: inout Context) -> [Thing] {
    var things: [Thing] = []
    while let passage = underWay.popFirst() {
      if passage.isPeriodic {
        context.periodic.cancel(passage.turn)
      } else {
        context.agenda.cancel(passage.turn)
      }
      things.append(passage.thing)
    }
    // The items will be sent again, with new arrival times.
    lastArrival = .zero
    return things
  }
}
