import HandoverBackend
import HandoverCore
import HandoverTrace

// The fake transports: attempts, writes, stalls and losses.
extension SimulatedRun {
  /// Carries out an order; inlined, because half of them are for others to see and ask for nothing.
  @inline(__always)
  mutating func carryOut(_ effect: ClientEffect) {
    switch effect {
    case .openConnection(let connection, let channel):
      beginAttempt(connection, of: channel)
    case .closeConnection(let connection):
      closedByClient(connection)
    case .startStream(let call, let connection):
      write(.request, of: call, to: connection)
    case .sendMessages(let call, let connection, let count, let bytes):
      write(.messages(count: count, bytes: bytes), of: call, to: connection)
    case .finishStream(let call, let connection):
      write(.finish, of: call, to: connection)
    case .resetStream(let call, let connection):
      write(.reset, of: call, to: connection)
    case .sendPing(let connection):
      write(.ping, of: nil, to: connection)
    case .fetchToken(let call):
      let place = place(of: call)
      let delay = script.calls[Int(place)].tokenDelay ?? .zero
      agenda.schedule(.token(place), at: now + delay, .transport)
    case .endCall(let call, _):
      streams[Int(place(of: call))].callHasEnded = true
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .deliverMessage:
      break
    }
  }

  // What only looks is inlined, here and elsewhere: called, it would be handed a copy of the run.

  /// The place in the script of a call; also of one that ended, as long as nobody has its row.
  @inline(__always)
  func place(of call: CallID) -> UInt32 {
    let candidate = callPlaces[Int(call.index)]
    if streams[Int(candidate)].call == call { return candidate }
    if let place = formerPlaces[call], streams[Int(place)].call == call { return place }
    return candidate
  }

  @inline(__always)
  func isCurrent(_ connection: ConnectionID) -> Bool {
    connections[Int(connection.index)].generation == connection.generation
  }

  @inline(__always)
  func identifier(_ index: Int) -> ConnectionID {
    ConnectionID(
      index: UInt32(truncatingIfNeeded: index), generation: connections[index].generation)
  }

  // MARK: Rows

  /// Changes a row in a way that may concern whether pings are answered.
  @inline(__always)
  mutating func change(_ index: Int, _ change: (inout Connection) -> Void) {
    count(index, -1)
    change(&connections[index])
    count(index, 1)
  }

  @inline(__always)
  private mutating func count(_ index: Int, _ one: Int) {
    guard connections[index].phase == .established else { return }
    // Part by part: the whole of a host, and of a connection, is not copied for it.
    let host = Int(connections[index].host)
    let isDisturbed =
      !connections[index].stall.isEmpty || connections[index].unnoticedEnd != nil
    hosts[host].established += one
    if isDisturbed { hosts[host].disturbed += one }
    if isDisturbed || hosts[host].server == .silent { unhealthy += one }
  }

  /// The rows of the connections to a host that are being made or in use, in their order.
  mutating func liveRows(to host: Int) -> ContiguousArray<Int> {
    // Mostly nothing has changed since the last fault, and nothing is made anew.
    if !rowsAreLive(to: host) {
      let known = hosts[host].rows
      hosts[host].rows = []
      hosts[host].rows = Self.inOrder(known.filter { isLive($0, to: host) })
    }
    looks += hosts[host].rows.count
    return hosts[host].rows
  }

  @inline(__always)
  private func isLive(_ row: Int, to host: Int) -> Bool {
    Int(connections[row].host) == host && connections[row].phase.isAlive
  }

  /// Whether all rows of a host are its own, and in their order.
  @inline(__always)
  private func rowsAreLive(to host: Int) -> Bool {
    var last = -1
    for place in hosts[host].rows.indices {
      let row = hosts[host].rows[place]
      guard row > last, isLive(row, to: host) else { return false }
      last = row
    }
    return true
  }

  /// The rows of the connections with a socket on one of some paths, in their order.
  mutating func liveRows(on paths: [Int]) -> ContiguousArray<Int> {
    var rows: ContiguousArray<Int> = []
    for path in paths where path < pathRows.count && !pathRows[path].isEmpty {
      let known = pathRows[path]
      pathRows[path] = []
      var live: ContiguousArray<Int> = []
      live.reserveCapacity(known.count)
      for row in known
      where connections[row].path.map({ Int($0.index) }) == path && connections[row].phase.hasSocket
      {
        live.append(row)
      }
      pathRows[path] = Self.inOrder(live)
      rows += pathRows[path]
    }
    looks += rows.count
    return paths.count > 1 ? Self.inOrder(rows) : rows
  }

  /// Rows in their order, each once: one that was used twice for the same was noted twice.
  private static func inOrder(_ rows: some Collection<Int>) -> ContiguousArray<Int> {
    let sorted = rows.sorted()
    var once: ContiguousArray<Int> = []
    once.reserveCapacity(sorted.count)
    for row in sorted where once.last != row { once.append(row) }
    return once
  }

  // MARK: Attempts

  private mutating func beginAttempt(_ connection: ConnectionID, of channel: ChannelID) {
    let host = endpointHosts[Int(channel.endpoint.index)]
    let row = Connection(
      generation: connection.generation, host: host, path: device.path, phase: .resolving)
    if connection.index < connections.count {
      change(Int(connection.index)) { $0 = row }
    } else {
      connections.append(row)
    }
    hosts[Int(host)].rows.append(Int(connection.index))
    trace.append(.world(.attemptBegan(connection, host: host, device.path)), at: now)
    if hasTransport { return tellTransport(.connect(connection, host: host)) }
    guard device.path != nil else {
      lose(Int(connection.index), .networkUnreachable)
      return
    }
    let names = hosts[Int(host)].names
    markEffect(of: hosts[Int(host)].namesCause)
    switch names {
    case .resolve: connect(Int(connection.index))
    case .fail: lose(Int(connection.index), .nameResolutionFailed)
    case .hang: break
    }
  }

  /// The name is known: the first packet goes out, from the path that the device is on now.
  mutating func connect(_ index: Int) {
    guard let path = device.path else { return lose(index, .networkUnreachable) }
    if connections[index].path != path {
      connections[index].path = path
      trace.append(.world(.attemptMoved(identifier(index), path)), at: now)
    }
    connections[index].phase = .connecting
    noteRow(index, on: path)
    let delay = hosts[Int(connections[index].host)].connect
    agenda.schedule(.handshake(identifier(index)), at: now + delay, .transport)
  }

  private mutating func noteRow(_ index: Int, on path: PathIndex) {
    // Behind the protocol of transports paths become known as the device comes to them.
    while pathRows.count <= Int(path.index) { pathRows.append([]) }
    pathRows[Int(path.index)].append(index)
  }

  /// The answer to the first packet is due.
  @inline(__always)
  func handshakeIsPossible(_ index: Int) -> Bool {
    connections[index].stall.isEmpty && !hosts[Int(connections[index].host)].isBlackhole
  }

  mutating func handshake(_ connection: ConnectionID) {
    let index = Int(connection.index)
    guard isCurrent(connection),
      connections[index].phase == .connecting || connections[index].phase == .handshaking
    else { return }
    let host = Int(connections[index].host)
    markEffect(of: hosts[host].blackholeCause)
    guard handshakeIsPossible(index) else {
      connections[index].handshakeIsDue = true
      return
    }
    markEffect(of: hosts[host].serverCause)
    switch hosts[host].server {
    case .refuse:
      change(index) { $0.phase = .dead }
      tell(.pool(.connectFailed(connection, .refused)))
    case .silent:
      connections[index].phase = .handshaking
    case .accept, .close, .reset, .goaway:
      change(index) { $0.phase = .established }
      tell(.pool(.connected(connection)))
    }
  }

  // MARK: The end of connections

  private mutating func closedByClient(_ connection: ConnectionID) {
    guard isCurrent(connection) else { return }
    disarmTimeout(Int(connection.index))
    change(Int(connection.index)) { $0.phase = .gone }
    if hasTransport { tellTransport(.close(connection)) }
  }

  /// The connection is lost, and the client is told in this instant's turn of the transports.
  mutating func lose(_ index: Int, _ failure: ConnectionFailure) {
    guard connections[index].phase.isAlive else { return }
    let isAttempt = connections[index].phase != .established
    disarmTimeout(index)
    change(index) { $0.phase = .dead }
    let connection = identifier(index)
    agenda.schedule(
      isAttempt ? .failure(connection, failure) : .loss(connection, worded(failure)), at: now,
      .transport)
  }

  mutating func tcpTimedOut(_ connection: ConnectionID) {
    guard isCurrent(connection), connections[Int(connection.index)].phase.isAlive else { return }
    connections[Int(connection.index)].timeout = nil
    change(Int(connection.index)) { $0.phase = .dead }
    tell(.pool(.connectionBroken(connection, worded(.timedOut))))
  }

  private mutating func disarmTimeout(_ index: Int) {
    guard let timeout = connections[index].timeout else { return }
    agenda.cancel(timeout)
    connections[index].timeout = nil
  }

  // MARK: Stalls

  mutating func addStall(_ index: Int, _ cause: StallCauses) {
    guard !connections[index].stall.contains(cause) else { return }
    let wasFree = connections[index].stall.isEmpty
    change(index) { $0.stall.insert(cause) }
    if wasFree { trace.append(.world(.connectionStalled(identifier(index))), at: now) }
  }

  /// Takes causes away; without any left the connection goes on with what was buffered.
  mutating func removeStall(_ index: Int, _ causes: StallCauses) {
    guard !connections[index].stall.isEmpty else { return }
    change(index) { $0.stall.subtract(causes) }
    let connection = identifier(index)
    if connections[index].discards { discardEverything(on: index) }
    guard connections[index].stall.isEmpty else { return }
    trace.append(.world(.connectionResumed(connection)), at: now)
    disarmTimeout(index)
    connections[index].bufferedBytes = 0
    if connections[index].handshakeIsDue {
      connections[index].handshakeIsDue = false
      agenda.schedule(.handshake(connection), at: now, .transport)
    }
    for event in connections[index].inFlight {
      agenda.schedule(.arrival(connection, event), at: now, .transport)
    }
    connections[index].inFlight = []
    let writes = connections[index].bufferedWrites
    connections[index].bufferedWrites = []
    for write in writes { serverReceives(write) }
  }

  /// What waited on the way is acknowledged, and lost for good.
  private mutating func discardEverything(on index: Int) {
    disarmTimeout(index)
    connections[index].bufferedBytes = 0
    connections[index].bufferedWrites = []
    connections[index].inFlight = []
  }

  // MARK: Bytes

  private mutating func write(_ write: Write, of call: CallID?, to connection: ConnectionID) {
    let index = Int(connection.index)
    guard isCurrent(connection), connections[index].phase == .established else { return }
    if hasTransport { return tellTransport(write, of: call, to: connection) }
    let carried = CarriedWrite(
      connection: connection, call: call.map { place(of: $0) } ?? .max, write: write)
    if connections[index].discards { return }
    guard connections[index].holdsWrites else {
      serverReceives(carried)
      return
    }
    connections[index].bufferedWrites.append(carried)
    let before = connections[index].bufferedBytes
    connections[index].bufferedBytes += write.bytes
    if before <= configuration.sendBuffer,
      connections[index].bufferedBytes > configuration.sendBuffer
    {
      trace.append(.world(.sendBufferFull(connection)), at: now)
    }
    // The first unacknowledged byte starts the transport's own time-out; without one there is none.
    guard connections[index].timeout == nil else { return }
    connections[index].timeout = agenda.schedule(
      .tcpTimeout(connection), at: now + configuration.tcpTimeout, .transport)
  }

  /// Something of the far side reaches the client, or waits in a stall, or is lost in it.
  mutating func arrive(_ event: ChannelPool.Event, on connection: ConnectionID) {
    let index = Int(connection.index)
    guard isCurrent(connection), connections[index].phase == .established else { return }
    if connections[index].discards { return }
    guard connections[index].stall.isEmpty else {
      // Nothing comes after the end, which may be told as often as there are faults.
      if case .connectionBroken? = connections[index].inFlight.last { return }
      connections[index].inFlight.append(event)
      return
    }
    if case .connectionBroken = event { change(index) { $0.phase = .dead } }
    tell(.pool(event))
  }

  // MARK: What happens of itself

  mutating func happen(_ item: Happening) {
    switch item {
    case .callback(let place):
      callbackArrives(place)
    case .freshRead:
      readAfresh()
    case .failure(let connection, let failure):
      guard isTold(connection) else { return }
      tell(.pool(.connectFailed(connection, failure)))
    case .handshake(let connection):
      handshake(connection)
    case .loss(let connection, let failure):
      guard isTold(connection) else { return }
      tell(.pool(.connectionBroken(connection, failure)))
    case .tcpTimeout(let connection):
      tcpTimedOut(connection)
    case .arrival(let connection, let event):
      arrive(event, on: connection)
    case .reported(let connection, let event):
      reported(event, of: connection)
    case .transportTurn:
      takeTransportTurn()
    case .heldEvent(let event):
      tell(.pool(event))
    case .answerEnds(let call):
      answerEnds(call)
    case .answerMessage(let call):
      answerMessage(call)
    case .token(let call):
      if let id = streams[Int(call)].call { tell(.pool(.tokenArrived(id))) }
    case .chainAnswer(let place):
      chainAnswer(place)
    case .heldOrders:
      releaseHeldOrders()
    case .load(let happening):
      happen(happening)
    }
  }

  /// Whether the client still has the connection: an event for one it closed is dropped.
  @inline(__always)
  func isTold(_ connection: ConnectionID) -> Bool {
    isCurrent(connection) && connections[Int(connection.index)].phase != .gone
  }

  /// Whether an item will do nothing when it happens.
  @inline(__always)
  func isStale(_ item: Happening) -> Bool {
    switch item {
    case .callback(let place):
      monitor.sent[Int(place)].isLost
    case .failure(let connection, _), .loss(let connection, _), .reported(let connection, _):
      !isTold(connection)
    case .handshake(let connection), .tcpTimeout(let connection), .arrival(let connection, _):
      !isCurrent(connection) || !connections[Int(connection.index)].phase.isAlive
    case .answerEnds(let call), .answerMessage(let call):
      !isAnswering(call)
    case .token(let call):
      streams[Int(call)].callHasEnded
    case .chainAnswer(let place):
      chains?.isStale(place) ?? true
    case .load(let happening):
      isStale(happening)
    case .freshRead, .heldEvent, .heldOrders, .transportTurn:
      false
    }
  }
}
