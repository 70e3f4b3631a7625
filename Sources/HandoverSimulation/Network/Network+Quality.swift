import HandoverCore
import HandoverTrace

// What is under way on a path that has a quality. TCP keeps its order, and what has not arrived
// when something stands in its way is sent again when that is gone.
extension Network {
  // MARK: Entries

  /// A path is as good as an entry says from now on.
  ///
  /// What is under way stays as it was sent; what could not pass is tried again.
  mutating func setQuality(
    _ quality: LinkQuality, of path: PathIndex, by entry: UInt32, _ context: inout Context
  ) {
    if air == nil { air = Air(seed: context.configuration.seed) }
    air?.set(quality, of: path, at: context.now, by: entry)
    let obstacles = air?.obstacles(of: path) ?? []
    paths[path].obstacles.subtract(.ofQuality)
    paths[path].obstacles.formUnion(obstacles)
    for index in links.liveRows(on: PathSet(path), &context) {
      if !obstacles.isEmpty { addStall(index, obstacles, &context) }
      removeStall(index, StallCauses.ofQuality.subtracting(obstacles), &context)
    }
  }

  // MARK: To the server

  /// What a client wrote sets out.
  @inline(__always)
  mutating func send(_ write: CarriedWrite, _ context: inout Context) {
    if air == nil { serverReceives(write, &context) } else { setOut(write, &context) }
  }

  @inline(never)
  private mutating func setOut(_ write: CarriedWrite, _ context: inout Context) {
    let index = Int(write.connection.index)
    guard let path = links.connections[index].path, air?.shapes(path) == true else {
      return serverReceives(write, &context)
    }
    guard links.connections[index].phase.isAlive else { return }
    // What was written before it has not got through, and it waits behind that.
    guard !links.connections[index].stall.holdsWrites else {
      links.connections[index].bufferedWrites.append(write)
      return countUnacknowledged(write.write.bytes, on: index, &context)
    }
    guard let row = air?.row(of: write.connection),
      let there = air?.arrival(of: write.write.wireBytes, .up, on: row, path, &context)
    else {
      addStall(index, .sendingFails, &context)
      links.connections[index].bufferedWrites.append(write)
      return countUnacknowledged(write.write.bytes, on: index, &context)
    }
    if there <= context.now, air?.rows[row].up.isEmpty == true {
      return serverReceives(write, &context)
    }
    let turn = context.agenda.schedule(.writeArrives(write.connection), at: there, .transport)
    let call = write.call == .max ? nil : streams[write.call].call
    air?.rows[row].up.append(
      .init(thing: AirRow.Written(write: write, call: call), turn: turn, isPeriodic: false))
  }

  /// What a client wrote is there.
  mutating func writeArrives(_ connection: ConnectionID, _ context: inout Context) {
    guard links.isAlive(connection), air?.knows(connection) == true,
      let written = air?.rows[Int(connection.index)].up.popFirst()
    else { return }
    // Of an attempt that is over nobody reads anything.
    if written.write.call != .max, written.call != streams[written.write.call].call { return }
    serverReceives(written.write, &context)
  }

  /// Whether the far side has ended a connection, and the client has not heard of it yet.
  func endIsUnderWay(_ connection: ConnectionID) -> Bool {
    guard let air, air.knows(connection) else { return false }
    return air.rows[Int(connection.index)].farSideHasEnded
  }

  // MARK: To the client

  /// The far side sends something.
  ///
  /// - Returns: what the client hears of it now.
  @inline(__always)
  mutating func reply(
    _ fact: NetworkFact, on connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    guard air != nil else { return arrive(fact, on: connection, &context) }
    return isUnderWay(fact, on: connection, &context)
      ? nil : arrive(fact, on: connection, &context)
  }

  /// The far side ends a connection.
  mutating func tellEnd(_ index: Int, _ failure: ConnectionFailure, _ context: inout Context) {
    guard air != nil else { return lose(index, failure, &context) }
    let connection = links.identifier(index)
    let isOpen = links.connections[index].phase == .established
    let end = NetworkFact.connectionLost(connection, isOpen ? worded(failure, context) : failure)
    if isUnderWay(end, on: connection, &context) { return }
    if links.connections[index].stall.holdsArrivals {
      _ = arrive(end, on: connection, &context)
    } else {
      lose(index, failure, &context)
    }
  }

  /// Sends something of the far side on its way.
  ///
  /// - Returns: whether it is under way; it is there otherwise, or stands still.
  @inline(never)
  mutating func isUnderWay(
    _ fact: NetworkFact, on connection: ConnectionID, _ context: inout Context
  ) -> Bool {
    let index = Int(connection.index)
    guard links.isAlive(connection), let path = links.connections[index].path,
      air?.shapes(path) == true, !links.connections[index].stall.holdsArrivals,
      let row = air?.row(of: connection)
    else { return false }
    // Nothing comes after the end.
    if air?.rows[row].farSideHasEnded == true, !fact.isEnd { return true }
    guard
      let there = air?.arrival(
        of: fact.wireBytes, .down, isFirst: fact.isAnswerToFirstPacket, on: row, path, &context)
    else {
      addStall(index, .receivingFails, &context)
      guard fact.isAnswerToFirstPacket else { return false }
      links.connections[index].handshakeIsDue = true
      return true
    }
    if there <= context.now, air?.rows[row].down.isEmpty == true { return false }
    if fact.isEnd { air?.rows[row].farSideHasEnded = true }
    // The messages of endless streams keep no run from being over.
    let turn: Agenda<ScheduledEvent>.Handle
    if fact.isMessage {
      turn = context.periodic.schedule(.factArrives(connection), at: there, .transport)
    } else {
      turn = context.agenda.schedule(.factArrives(connection), at: there, .transport)
    }
    air?.rows[row].down.append(.init(thing: fact, turn: turn, isPeriodic: fact.isMessage))
    return true
  }

  /// What the far side sent is there.
  mutating func factArrives(
    _ connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    guard links.isAlive(connection), air?.knows(connection) == true,
      let fact = air?.rows[Int(connection.index)].down.popFirst()
    else { return nil }
    let index = Int(connection.index)
    switch fact {
    case .connected:
      guard links.connections[index].phase != .established else { return nil }
      return establish(index, &context)
    case .attemptFailed(_, let failure):
      return refuse(index, failure, &context)
    case .connectionLost(_, let failure) where links.connections[index].phase != .established:
      lose(index, failure, &context)
      return nil
    case .connectionLost, .draining, .pong, .headers, .message, .ended:
      return arrive(fact, on: connection, &context)
    }
  }

  // MARK: The first packet

  /// The first packet of a connection goes out, for the first time or again.
  @inline(__always)
  mutating func sendFirstPacket(
    _ index: Int, takes delay: Interval = .zero, _ context: inout Context
  ) {
    let there = air == nil ? nil : firstPacketArrives(index, &context)
    if there == .never { return }
    let begin = there ?? context.now
    let end = context.agenda.schedule(
      .handshake(links.identifier(index)), at: begin + delay, .transport)
    guard links.hosts[Int(links.connections[index].host)].hasAddresses else { return }
    links.connections[index].raceBegan = begin
    links.connections[index].raceEnd = end
  }

  /// When the first packet is there; nil where its path has no quality, and `never` where it does
  /// not get through.
  @inline(never)
  private mutating func firstPacketArrives(_ index: Int, _ context: inout Context) -> Instant? {
    guard let path = links.connections[index].path, air?.shapes(path) == true,
      !links.connections[index].stall.holdsWrites,
      let row = air?.row(of: links.identifier(index))
    else { return nil }
    if let there = air?.arrival(of: 0, .up, isFirst: true, on: row, path, &context) { return there }
    addStall(index, .sendingFails, &context)
    links.connections[index].handshakeIsDue = true
    return .never
  }

  // MARK: Stalls

  /// Something stands in the way of a connection from now on, and of what is under way on it.
  mutating func stopUnderWay(_ index: Int, _ context: inout Context) {
    let connection = links.identifier(index)
    guard air?.knows(connection) == true else { return }
    let isDiscarded = links.connections[index].discards
    if links.connections[index].stall.holdsWrites {
      let writes = air?.rows[index].up.takeAll(&context).map(\.write) ?? []
      if isDiscarded {
        recordDiscarded(writes.count, on: index, &context)
      } else if !writes.isEmpty {
        links.connections[index].bufferedWrites.insert(contentsOf: writes, at: 0)
        for write in writes { countUnacknowledged(write.write.bytes, on: index, &context) }
      }
    }
    if links.connections[index].stall.holdsArrivals {
      let facts = air?.rows[index].down.takeAll(&context) ?? []
      for fact in facts where !isDiscarded {
        if fact.isAnswerToFirstPacket {
          links.connections[index].handshakeIsDue = true
        } else {
          links.connections[index].inFlight.append(fact)
        }
      }
    }
  }
}

// MARK: How much is sent

extension Write {
  /// How many bytes it is to a path: the frames of HTTP/2, with five bytes before each message.
  var wireBytes: Int64 {
    switch self {
    case .request: 100
    case .messages(let count, let bytes): Int64(bytes) + 14 * Int64(count)
    case .finish: 9
    case .reset: 13
    case .ping: 17
    }
  }
}

extension NetworkFact {
  /// How many bytes it is to a path.
  fileprivate var wireBytes: Int64 {
    switch self {
    case .connected, .attemptFailed, .connectionLost: 0
    case .draining, .pong: 17
    case .headers, .message, .ended: 100
    }
  }

  fileprivate var isAnswerToFirstPacket: Bool {
    switch self {
    case .connected, .attemptFailed: true
    case .connectionLost, .draining, .pong, .headers, .message, .ended: false
    }
  }

  fileprivate var isMessage: Bool {
    if case .message = self { true } else { false }
  }

  fileprivate var isEnd: Bool {
    if case .connectionLost = self { true } else { false }
  }
}
