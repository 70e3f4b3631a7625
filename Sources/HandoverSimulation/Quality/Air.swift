import HandoverCore

/// What is under way on paths that have a quality.
///
/// A network has none before the first quality of a run: then nothing is ever under way, and
/// nothing here is looked at.
struct Air: Sendable {
  /// Which way something goes.
  enum Direction { case up, down }

  /// Both directions of a path.
  struct Path: Hashable, Sendable {
    /// Whether it has a quality.
    var isShaped = false
    var up: QualityLane
    var down: QualityLane
    /// The entries that made the directions what they are; `max` where none did.
    var upCause = UInt32.max
    var downCause = UInt32.max

    init(_ generator: SeededGenerator, _ index: Int) {
      up = QualityLane(generator: generator.forked(label: UInt64(index) << 1))
      down = QualityLane(generator: generator.forked(label: UInt64(index) << 1 | 1))
    }

    /// How long something short takes there and back, where nothing is in its way.
    var roundTrip: Interval { up.quality.delay + down.quality.delay }
  }

  /// The paths by their indices.
  private(set) var paths: ContiguousArray<Path> = []
  /// What is under way on each connection, by its row; some may be another connection's by now.
  var rows: ContiguousArray<AirRow> = []
  private let generator: SeededGenerator

  /// Which generator of a run's seed decides what is lost.
  private static let label: UInt64 = 0x0041_4952

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: Self.label)
  }

  /// A path is as good as this from an instant on.
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

  /// Whether what is on a path may be under way.
  @inline(__always)
  func shapes(_ path: PathIndex?) -> Bool {
    guard let path, Int(path.index) < paths.count else { return false }
    return paths[Int(path.index)].isShaped
  }

  /// What a path lets pass in no case.
  func obstacles(of path: PathIndex) -> StallCauses {
    guard shapes(path) else { return [] }
    let index = Int(path.index)
    var obstacles: StallCauses = []
    if paths[index].up.losesEverything { obstacles.insert(.sendingFails) }
    if paths[index].down.losesEverything { obstacles.insert(.receivingFails) }
    return obstacles
  }

  /// The row of a connection, made anew where it was another one's.
  mutating func row(of connection: ConnectionID) -> Int {
    let index = Int(connection.index)
    while rows.count <= index { rows.append(AirRow(generation: .max)) }
    if rows[index].generation != connection.generation {
      rows[index] = AirRow(generation: connection.generation)
    }
    return index
  }

  /// Whether a row is a connection's.
  @inline(__always)
  func knows(_ connection: ConnectionID) -> Bool {
    Int(connection.index) < rows.count
      && rows[Int(connection.index)].generation == connection.generation
  }

  // MARK: When things are there

  /// When a packet of a validation is there that is sent now over a path with a quality, by a
  /// connection that is elsewhere: nobody sends it again.
  ///
  /// - Returns: the instant; nil where it is lost, or too long (RFC 9000, 8.2.1 and 14.1).
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

  /// When something is there that a side of a connection sends now, behind all that it sent before.
  ///
  /// - Parameters:
  ///   - bytes: how many are carried.
  ///   - direction: which side sends them.
  ///   - isFirst: whether it is the first packet of a connection, or the answer to it.
  ///   - row: the row of the connection.
  ///   - path: its path, which has a quality.
  ///   - context: what every part works with.
  /// - Returns: the instant; nil where it is never there as things stand.
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

/// What is under way on a connection.
struct AirRow: Sendable {
  /// The generation of the connection whose row it is.
  let generation: UInt32
  var up = AirStream<Written>()
  var down = AirStream<NetworkFact>()
  /// Whether the far side has ended the connection: it reads nothing any more.
  var farSideHasEnded = false

  init(generation: UInt32) { self.generation = generation }

  /// What the client wrote, and for which attempt of its call.
  struct Written: Hashable, Sendable {
    var write: CarriedWrite
    var call: CallID?
  }
}

/// One direction of a connection, which keeps the order of what is sent.
struct AirStream<Thing: Hashable & Sendable>: Sendable {
  /// Something under way.
  struct Passage: Sendable {
    var thing: Thing
    /// Its turn on the agenda, or among what is periodic.
    var turn: Agenda<ScheduledEvent>.Handle
    var isPeriodic: Bool
  }

  private(set) var underWay = WaitingLine<Passage>()
  /// When the last that was sent is there.
  private(set) var lastArrival = Instant.zero
  /// The longest IP packet that the sender knows to pass.
  private(set) var longestPacket = Load.longestPacket

  /// When a load is there; nil where it never is as things stand.
  fileprivate mutating func arrival(
    of load: Load, _ roundTrip: Interval, _ lane: inout QualityLane, _ context: inout Context
  ) -> Instant? {
    var (longest, sentAgain) = (longestPacket, Interval.zero)
    if let mtu = lane.quality.mtu, load.longestPacket(longest) > Int64(mtu) {
      guard lane.quality.mtuSignal == .icmp else { return nil }
      (longest, sentAgain) = (Int64(mtu), roundTrip)
    }
    if lane.quality.lossPerMillion > 0 { context.looks += Int(load.packetCount(longest)) }
    guard
      let there = lane.arrival(
        of: load, longest: longest, at: context.now, limit: context.configuration.tcpTimeout)
    else { return nil }
    longestPacket = longest
    lastArrival = max(lastArrival, there + sentAgain)
    return lastArrival
  }

  /// Whether nothing is under way.
  var isEmpty: Bool { underWay.isEmpty }

  mutating func append(_ passage: Passage) { underWay.append(passage) }

  /// What is there first.
  mutating func popFirst() -> Thing? { underWay.popFirst()?.thing }

  /// Takes everything off its way.
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
    // It is sent again, and there when it is there.
    lastArrival = .zero
    return things
  }
}
