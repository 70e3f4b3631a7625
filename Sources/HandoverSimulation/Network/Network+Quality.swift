import HandoverCore

// Data in transit on a path with a quality. TCP preserves its order. Data that is blocked in
// transit is sent again when the stall ends.
extension Network {
  // MARK: Entries

  /// Sets the quality of a path.
  ///
  /// Data in transit keeps its arrival time. Data that could not pass is sent again.
  mutating func setQuality(
    _ quality: LinkQuality, of path: PathIndex, by entry: UInt32, _ context: inout Context
  ) {
    if air == nil { air = LinkSimulator(seed: context.configuration.seed) }
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

  /// Sends a write of the client to the server.
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
    // The write waits behind earlier writes that have not passed.
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
      .init(thing: LinkRow.Written(write: write, call: call), turn: turn, isPeriodic: false))
  }

  /// Delivers the first write in transit to the server.
  mutating func writeArrives(_ connection: ConnectionID, _ context: inout Context) {
    guard links.isAlive(connection), air?.knows(connection) == true,
      let written = air?.rows[Int(connection.index)].up.popFirst()
    else { return }
    // The server reads nothing of an attempt that is over.
    if written.write.call != .max, written.call != streams[written.write.call].call { return }
    serverReceives(written.write, &context)
  }

  /// Returns whether the server has ended a connection and the client has not been notified yet.
  func endIsUnderWay(_ connection: ConnectionID) -> Bool {
    guard let air, air.knows(connection) else { return false }
    return air.rows[Int(connection.index)].serverSideHasEnded
  }

  // MARK: To the client

  /// Sends a fact from the server to the client.
  ///
  /// - Returns: the fact if it reaches the client immediately; otherwise `nil`.
  mutating func reply(
    _ fact: NetworkFact, on connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    guard air != nil else { return arrive(fact, on: connection, &context) }
    return isUnderWay(fact, on: connection, &context)
      ? nil : arrive(fact, on: connection, &context)
  }

  /// Ends a connection from the server's side.
  mutating func notifyOfEnd(_ index: Int, _ failure: ConnectionFailure, _ context: inout Context) {
    guard air != nil else { return lose(index, failure, &context) }
    let connection = links.identifier(index)
    let end = serverEnd(of: index, failure, context)
    if isUnderWay(end, on: connection, &context) { return }
    if links.connections[index].stall.holdsArrivals {
      _ = arrive(end, on: connection, &context)
    } else {
      lose(index, failure, &context)
    }
  }

  /// Returns the fact that a server has ended a connection.
  func serverEnd(
    of index: Int, _ failure: ConnectionFailure, _ context: borrowing Context
  ) -> NetworkFact {
    let isEstablished = links.connections[index].phase == .established
    return .connectionLost(
      links.identifier(index), isEstablished ? worded(failure, context) : failure)
  }

  /// Puts a fact from the server in transit.
  ///
  /// - Returns: whether the fact is in transit. If not, it arrives immediately or is stalled.
  @inline(never)
  mutating func isUnderWay(
    _ fact: NetworkFact, on connection: ConnectionID, _ context: inout Context
  ) -> Bool {
    let index = Int(connection.index)
    guard links.isAlive(connection), let path = links.connections[index].path,
      air?.shapes(path) == true, !links.connections[index].stall.holdsArrivals,
      let row = air?.row(of: connection)
    else { return false }
    // No data follows the end of a connection.
    if air?.rows[row].serverSideHasEnded == true, !fact.isEnd { return true }
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
    if fact.isEnd { air?.rows[row].serverSideHasEnded = true }
    // Messages of endless streams do not keep the run from ending.
    let turn: Agenda<ScheduledEvent>.Handle
    if fact.isMessage {
      turn = context.periodic.schedule(.factArrives(connection), at: there, .transport)
    } else {
      turn = context.agenda.schedule(.factArrives(connection), at: there, .transport)
    }
    air?.rows[row].down.append(.init(thing: fact, turn: turn, isPeriodic: fact.isMessage))
    return true
  }

  /// Delivers the first fact in transit to the client.
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
      guard hasReachableAddress(index, context) else {
        // The answer of an address that has become unreachable is lost.
        sendAgain(index, &context)
        return nil
      }
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

  /// Sends the first packet of a connection, for the first time or again.
  ///
  /// `delay` is the time until the answer, or `nil` if no address answers yet.
  @inline(__always)
  mutating func sendFirstPacket(
    _ index: Int, takes delay: Interval? = .zero, _ context: inout Context
  ) {
    let there = air == nil ? nil : firstPacketArrives(index, &context)
    if there == .never { return }
    let begin = there ?? context.now
    let end = delay.map { delay in
      context.agenda.schedule(
        .handshake(links.identifier(index)), at: begin + delay, .transport)
    }
    guard links.hosts[Int(links.connections[index].host)].hasAddresses else { return }
    links.connections[index].raceBegan = begin
    links.connections[index].raceEnd = end
  }

  /// Returns the arrival time of the first packet, `nil` if the path has no quality, or `never` if
  /// the packet is lost.
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

  /// Stops the data in transit on a connection that has become stalled.
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

// MARK: Sizes

extension Write {
  /// The size on the wire in bytes: HTTP/2 frames, and five bytes before each message.
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
  /// The size on the wire in bytes.
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

  var isEnd: Bool {
    if case .connectionLost = self { true } else { false }
  }
}
