import HandoverCore

// QUIC's idle timeout (RFC 9000, 10.1) and received packets. Call these functions only if the
// transport is QUIC.
extension Network {
  /// Starts the idle timeout of a connection that has become usable.
  mutating func beginQUIC(_ index: Int, _ context: inout Context) {
    quic?.begin(links.identifier(index), context.configuration.quic)
    quic?[index].idleSince = context.now
    armIdleTimeout(index, &context)
  }

  /// Records that the client sends a packet.
  ///
  /// The packet restarts the timeout if it is the first since the last received packet.
  @inline(never)
  mutating func noteSent(_ index: Int, _ context: inout Context) {
    guard quic?.knows(links.identifier(index)) == true, quic?[index].hasSent == false else {
      return
    }
    quic?[index].hasSent = true
    restartIdleTimeout(index, &context)
  }

  /// Records that packets arrive.
  ///
  /// A stopped process reads them when it runs again.
  @inline(never)
  mutating func noteReceived(_ index: Int, _ context: inout Context) {
    guard quic?.knows(links.identifier(index)) == true else { return }
    guard context.device.app.runs else {
      quic?[index].hasUnread = true
      return
    }
    quic?[index].hasSent = false
    restartIdleTimeout(index, &context)
  }

  /// Records that the server has received and acknowledged the client's packets.
  @inline(never)
  mutating func acknowledge(_ index: Int, _ context: inout Context) {
    guard links.hosts[Int(links.connections[index].host)].server != .silent else { return }
    applyAddress(index, &context)
    if !links.connections[index].stall.holdsArrivals { noteReceived(index, &context) }
  }

  /// Records that a call now runs on a connection, or that the call has ended.
  @inline(never)
  mutating func carry(_ call: UInt32, on connection: ConnectionID?, _ context: inout Context) {
    for index in quic?.carry(call, on: connection) ?? []
    where links.isAlive(links.identifier(index)) {
      armIdleTimeout(index, &context)
    }
  }

  private mutating func restartIdleTimeout(_ index: Int, _ context: inout Context) {
    guard quic?[index].idleSince != context.now else { return }
    quic?[index].idleSince = context.now
    armIdleTimeout(index, &context)
  }

  /// Schedules the idle timeout.
  ///
  /// Only a timeout of a connection with calls keeps the run from ending.
  private mutating func armIdleTimeout(_ index: Int, _ context: inout Context) {
    guard let row = quic?[index] else { return }
    if let turn = row.idleTurn {
      if turn.isPeriodic {
        context.periodic.cancel(turn.handle)
      } else {
        context.agenda.cancel(turn.handle)
      }
    }
    let event = ScheduledEvent.idleTimeout(links.identifier(index))
    let due = max(context.now, row.idleSince + context.configuration.quic.idleTimeout)
    let isPeriodic = row.callCount == 0
    let handle =
      isPeriodic
      ? context.periodic.schedule(event, at: due, .transport)
      : context.agenda.schedule(event, at: due, .transport)
    quic?[index].idleTurn = QUICRow.IdleTurn(handle: handle, isPeriodic: isPeriodic)
  }

  /// Closes a connection silently, because no packet was received within the idle timeout.
  mutating func idleTimedOut(
    _ connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    let index = Int(connection.index)
    guard links.isAlive(connection) else { return nil }
    quic?[index].idleTurn = nil
    context.record(.connectionPath(connection, links.connections[index].path, .idleTimedOut))
    links.change(index) { $0.phase = .dead }
    return .connectionLost(connection, .timedOut)
  }

  // MARK: The client's new address

  /// Gives the connections on a path a new client address, because a router has lost or changed
  /// their flows.
  ///
  /// The server's packets are lost until the client has sent a packet from the new address. The
  /// server must also have validated that address (RFC 9000, 9.3).
  mutating func rebind(_ path: PathIndex, by entry: UInt32?, _ context: inout Context) {
    for index in links.liveRows(on: PathSet(path), &context)
    where links.connections[index].phase == .established {
      context.markEffect(of: entry)
      quic?[index].addressIsChallenged = false
      quic?[index].challengeIsUnread = false
      quic?[index].addressNumber &+= 1
      addStall(index, .addressUnknown, &context)
    }
  }

  /// Makes the server challenge the client's address if it does not know it.
  private mutating func applyAddress(_ index: Int, _ context: inout Context) {
    guard links.connections[index].stall.contains(.addressUnknown),
      let row = quic?[index], !row.addressIsChallenged
    else { return }
    quic?[index].addressIsChallenged = true
    context.record(
      .connectionPath(
        links.identifier(index), links.connections[index].path, .addressChallenged))
    awaitAddress(index, number: row.addressNumber, &context)
  }

  private mutating func awaitAddress(_ index: Int, number: UInt32, _ context: inout Context) {
    context.schedule(
      .addressAnswers(links.identifier(index), number: number), after: roundTrip(index))
  }

  /// Validates the client's new address, unless its response to the challenge is blocked.
  ///
  /// A stopped process responds when it runs again.
  mutating func addressAnswers(
    _ connection: ConnectionID, _ number: UInt32, _ context: inout Context
  ) {
    let index = Int(connection.index)
    guard awaitsAddress(number, on: connection) else { return }
    guard context.device.app.runs else {
      quic?[index].challengeIsUnread = true
      return
    }
    quic?[index].addressIsChallenged = false
    // If another cause blocks the connection, the client's next packet triggers a new challenge.
    guard links.connections[index].stall == .addressUnknown else { return }
    context.record(
      .connectionPath(connection, links.connections[index].path, .addressValidated))
    removeStall(index, .addressUnknown, &context)
    noteReceived(index, &context)
  }

  // MARK: The process

  /// Returns whether the process that contains QUIC is stopped, so that it reads and sends nothing.
  func isStopped(_ context: borrowing Context) -> Bool {
    quic != nil && !context.device.app.runs
  }

  /// Resumes the process.
  ///
  /// It reads received packets, responds to the servers' challenges, and sends its pending data.
  mutating func resumeProcess(_ context: inout Context) {
    context.looks += links.connections.count
    for connection in quic?.takeAccepts() ?? [] where links.isAlive(connection) {
      let index = Int(connection.index)
      // The rest of the handshake needs a path that carries packets.
      if links.connections[index].stall.isEmpty {
        context.schedule(.news(connection, .connected(connection)))
      } else {
        links.connections[index].handshakeIsDue = true
      }
    }
    for connection in quic?.takeNames() ?? [] where links.isAlive(connection) {
      nameIsAnswered(connection, &context)
    }
    for index in links.connections.indices {
      switch links.connections[index].phase {
      case .established: resume(index, &context)
      case .connecting, .handshaking:
        guard links.connections[index].handshakeIsDue, handshakeIsPossible(index) else { continue }
        sendAgain(index, &context)
      case .resolving, .gone, .dead: break
      }
    }
  }

  private mutating func resume(_ index: Int, _ context: inout Context) {
    guard let row = quic?[index] else { return }
    quic?[index].hasUnread = false
    quic?[index].challengeIsUnread = false
    if row.hasUnread { noteReceived(index, &context) }
    if row.challengeIsUnread { awaitAddress(index, number: row.addressNumber, &context) }
    if !links.connections[index].stall.holdsWrites { sendBuffered(index, &context) }
  }
}
