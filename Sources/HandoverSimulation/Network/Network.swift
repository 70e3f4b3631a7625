import HandoverCore

/// The simulated network: connections, the data on them, the causes that stall them, and the
/// servers.
///
/// The network carries both calls and requests; ``ConnectionTraits`` lists the differences. It
/// accepts orders of the client and entries of the timeline. It returns the facts that reach the
/// client as values, independent of their receiver. It has over 400 lines, because a network
/// change, a fault and a write all change the stalls and losses of the same rows.
struct Network {
  var links = Links()
  var streams = Streams()
  var paths = PathStates()
  /// The data in transit on paths with a quality, or `nil` before the run's first quality.
  var air: LinkSimulator?
  /// The QUIC state of connections, or `nil` for other transports.
  var quic: QUICState?
  private(set) var traits = ConnectionTraits(of: .sockets)
  /// Whether the result of a lookup depends on the network.
  private(set) var asksNetworks = false
  /// The losses that the client has not received yet, if it receives all losses in one
  /// notification.
  private(set) var unreportedLosses: ContiguousArray<UnreportedLoss> = []

  /// A lost connection and the reason for its loss.
  struct UnreportedLoss: Hashable {
    var connection: ConnectionID
    var failure: ConnectionFailure
  }

  /// Begins a run of a script, and reuses the memory of the previous run.
  mutating func open(_ script: Script, _ profile: Profile) {
    let isQUIC = profile.transport.migration != nil
    traits = ConnectionTraits(of: profile)
    if quic != nil || isQUIC { quic = isQUIC ? QUICState() : nil }
    links.open(script, traits)
    paths.open(script)
    if air != nil { air = nil }
    streams.open(count: traits.work.count(in: script), traits)
    unreportedLosses.empty()
    asksNetworks = script.lookupsDependOnNetwork
  }

  // MARK: Orders of the client

  /// Registers a connection without starting its attempt.
  mutating func register(
    _ connection: ConnectionID, host: UInt32, _ context: borrowing Context
  ) {
    links.put(connection, to: host, on: context.route(to: host))
  }

  /// Starts the attempt of a connection with the lookup of its name, if possible.
  ///
  /// Does nothing if the client has closed the connection since it was registered.
  mutating func beginAttempt(_ connection: ConnectionID, _ context: inout Context) {
    let index = Int(connection.index)
    guard links.connections[index].phase == .resolving else { return }
    let host = Int(links.connections[index].host)
    guard let path = context.route(to: UInt32(host)) else {
      return lose(index, .networkUnreachable, &context)
    }
    var names = links.hosts[host].names
    context.markEffect(of: links.hosts[host].namesCause)
    if asksNetworks, names == .resolve {
      names = context.script.nameFault(of: host, on: path) ?? .resolve
    }
    switch names {
    case .resolve:
      links.connections[index].answerCause = links.hosts[host].answerCause
      let time = asksNetworks ? context.script.lookupTime(of: host, on: path) : .zero
      guard time > .zero else { return nameIsAnswered(connection, &context) }
      cancelAnswer(index, &context)
      links.connections[index].nameAnswer = context.schedule(.nameAnswer(connection), after: time)
    case .fail: lose(index, .nameResolutionFailed, &context)
    case .hang: cancelAnswer(index, &context)
    }
  }

  /// Sends the first packet of a connection, because its name is now known.
  mutating func nameIsAnswered(_ connection: ConnectionID, _ context: inout Context) {
    let index = Int(connection.index)
    guard links.isCurrent(connection), links.connections[index].phase == .resolving else { return }
    links.connections[index].nameAnswer = nil
    // QUIC sends its first packet itself, so a stopped process sends none.
    guard isStopped(context) else { return connect(index, &context) }
    quic?.keepName(of: connection)
  }

  mutating func cancelAnswer(_ index: Int, _ context: inout Context) {
    guard let answer = links.connections[index].nameAnswer else { return }
    context.agenda.cancel(answer)
    links.connections[index].nameAnswer = nil
  }

  /// Repeats pending lookups, because the device has woken, or because it has a new default route
  /// and the system sends its queries there (B12).
  mutating func askAgain(_ context: inout Context) {
    context.looks += links.connections.count
    for index in links.connections.indices where links.connections[index].phase == .resolving {
      guard context.route(to: links.connections[index].host) != nil else { continue }
      beginAttempt(links.identifier(index), &context)
    }
  }

  /// Sends the first packet on the device's current path.
  private mutating func connect(_ index: Int, _ context: inout Context) {
    guard let path = context.route(to: links.connections[index].host) else {
      return lose(index, .networkUnreachable, &context)
    }
    if links.connections[index].path != path {
      links.connections[index].path = path
      context.record(.attemptMoved(links.identifier(index), path))
    }
    let host = Int(links.connections[index].host)
    var delay: Interval? = links.hosts[host].connect
    if links.hosts[host].hasAddresses {
      if let cause = context.script.answerCause(
        for: host, on: path, changedBy: links.connections[index].answerCause)
      {
        context.markEffect(of: cause)
      }
      let race = race(index, on: path, from: context.now, &context)
      if race == .noAddress { return lose(index, .networkUnreachable, &context) }
      delay = follow(race, index)
    }
    links.connections[index].phase = .connecting
    links.noteRow(index, on: path)
    applyObstacles(index, on: path, &context)
    sendFirstPacket(index, takes: delay, &context)
  }

  mutating func close(_ connection: ConnectionID, _ context: inout Context) {
    disarmTimeout(Int(connection.index), &context)
    links.change(Int(connection.index)) { $0.phase = .gone }
  }

  mutating func write(
    _ write: Write, of call: UInt32, to connection: ConnectionID, _ context: inout Context
  ) {
    let index = Int(connection.index)
    let carried = CarriedWrite(connection: connection, call: call, write: write)
    // Fields are accessed one by one, because that avoids copying the whole connection.
    if case .request = write { streams[call].isIgnored = links.connections[index].isDraining }
    if links.connections[index].discards { return }
    if quic != nil { noteSent(index, &context) }
    let isHeld = !links.connections[index].stall.isEmpty
    guard isHeld || links.connections[index].phase != .established else {
      send(carried, &context)
      return
    }
    if isHeld, !links.connections[index].stall.holdsWrites,
      links.connections[index].phase == .established
    {
      // The write arrives, but its acknowledgment does not.
      send(carried, &context)
      guard links.connections[index].phase.isAlive else { return }
    } else {
      links.connections[index].bufferedWrites.append(carried)
    }
    countUnacknowledged(write.bytes, on: index, &context)
  }

  /// Counts bytes that were written and are not acknowledged.
  @inline(__always)
  mutating func countUnacknowledged(_ bytes: Int, on index: Int, _ context: inout Context) {
    let connection = links.identifier(index)
    let before = links.connections[index].bufferedBytes
    links.connections[index].bufferedBytes += bytes
    if before <= context.configuration.sendBuffer,
      links.connections[index].bufferedBytes > context.configuration.sendBuffer
    {
      context.record(.sendBufferFull(connection))
    }
    // The first unacknowledged byte starts the transport's timeout, if it has one.
    guard traits.timesOut, links.connections[index].timeout == nil else { return }
    armTimeout(index, after: context.configuration.tcpTimeout, &context)
  }

  // MARK: Scheduled events

  /// Processes the response to the first packet.
  ///
  /// - Returns: the fact that the client receives, or `nil` if it receives none now. The same
  ///   applies to the functions below.
  mutating func handshake(
    _ connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    let index = Int(connection.index)
    guard links.isCurrent(connection),
      links.connections[index].phase == .connecting
        || links.connections[index].phase == .handshaking
    else { return nil }
    links.connections[index].raceBegan = nil
    links.connections[index].raceEnd = nil
    let host = Int(links.connections[index].host)
    let isAttempt = !awaitsOnlySettings(index)
    if isAttempt { context.markEffect(of: links.hosts[host].blackholeCause) }
    guard handshakeIsPossible(index) else {
      links.connections[index].handshakeIsDue = true
      return nil
    }
    if isAttempt, links.connections[index].isRefused {
      if links.hosts[host].server == .refuse {
        context.markEffect(of: links.hosts[host].serverCause)
      }
      return answerFirstPacket(.attemptFailed(connection, .refused), index, &context)
    }
    context.markEffect(of: links.hosts[host].serverCause)
    switch links.hosts[host].server {
    case .refuse where isAttempt:
      return answerFirstPacket(.attemptFailed(connection, .refused), index, &context)
    case .silent:
      guard !traits.awaitsSettings else {
        links.connections[index].phase = .handshaking
        return nil
      }
      return answerFirstPacket(.connected(connection), index, &context)
    case .accept, .refuse, .close, .reset, .goaway:
      return answerFirstPacket(.connected(connection), index, &context)
    }
  }

  /// Returns whether TCP is connected and only the server's SETTINGS are missing.
  ///
  /// Faults of new connections do not affect it. With QUIC, it is still an unanswered attempt.
  private func awaitsOnlySettings(_ index: Int) -> Bool {
    quic == nil && links.connections[index].phase == .handshaking
  }

  /// Sends the server's response to the first packet.
  private mutating func answerFirstPacket(
    _ answer: NetworkFact, _ index: Int, _ context: inout Context
  ) -> NetworkFact? {
    if air != nil, isUnderWay(answer, on: links.identifier(index), &context) { return nil }
    if case .attemptFailed(_, let failure) = answer { return refuse(index, failure, &context) }
    return establish(index, &context)
  }

  /// Ends an attempt that the server has refused, or whose connection it has ended.
  mutating func refuse(
    _ index: Int, _ failure: ConnectionFailure, _ context: inout Context
  ) -> NetworkFact? {
    guard !traits.reportsLossesTogether else {
      lose(index, failure, &context)
      return nil
    }
    links.change(index) { $0.phase = .dead }
    return .attemptFailed(links.identifier(index), failure)
  }

  /// Makes a connection usable.
  ///
  /// If the process is stopped, it completes the QUIC handshake when it runs again, and this
  /// function returns `nil`.
  mutating func establish(_ index: Int, _ context: inout Context) -> NetworkFact? {
    guard !isStopped(context) else {
      quic?.keepAccept(of: links.identifier(index))
      return nil
    }
    links.change(index) { $0.phase = .established }
    if links.connections[index].address != Connection.anyAddress, traits.isTraced {
      context.record(
        .addressAnswered(
          links.identifier(index), host: links.connections[index].host,
          address: UInt32(links.connections[index].address)))
    }
    if quic != nil { beginQUIC(index, &context) }
    if !links.connections[index].bufferedWrites.isEmpty { sendBuffered(index, &context) }
    return .connected(links.identifier(index))
  }

  func handshakeIsPossible(_ index: Int) -> Bool {
    links.connections[index].stall.isEmpty
      && (awaitsOnlySettings(index)
        || !links.hosts[Int(links.connections[index].host)].isBlackhole)
  }

  mutating func tcpTimedOut(
    _ connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    guard links.isCurrent(connection), links.connections[Int(connection.index)].phase.isAlive
    else { return nil }
    links.connections[Int(connection.index)].timeout = nil
    links.change(Int(connection.index)) { $0.phase = .dead }
    return .connectionLost(connection, worded(.timedOut, context))
  }

  /// Delivers a fact from the server to the client, or holds or discards it during a stall.
  mutating func arrive(
    _ fact: NetworkFact, on connection: ConnectionID, _ context: inout Context
  ) -> NetworkFact? {
    let index = Int(connection.index)
    let phase = links.connections[index].phase
    // A server can also end a connection before it has sent its SETTINGS.
    guard links.isCurrent(connection), phase == .established || phase == .handshaking && fact.isEnd
    else { return nil }
    if links.connections[index].discards { return nil }
    guard !links.connections[index].stall.holdsArrivals else {
      // No fact follows the end of a connection. Repeated faults can report that end several times.
      if case .connectionLost? = links.connections[index].inFlight.last { return nil }
      links.connections[index].inFlight.append(fact)
      return nil
    }
    guard case .connectionLost(_, let failure) = fact else {
      if quic != nil { noteReceived(index, &context) }
      return fact
    }
    guard phase == .established else { return refuse(index, failure, &context) }
    guard !traits.reportsLossesTogether else {
      lose(index, failure, &context)
      return nil
    }
    links.change(index) { $0.phase = .dead }
    return fact
  }

  /// Updates a connection with a fact that the client is about to receive.
  ///
  /// - Returns: whether the client still has the connection. If not, the client does not receive
  ///   the fact.
  mutating func apply(
    _ fact: NetworkFact, to connection: ConnectionID, _ context: inout Context
  ) -> Bool {
    guard links.isReported(connection) else { return false }
    switch fact {
    case .connected:
      if quic != nil { return establish(Int(connection.index), &context) != nil }
      links.change(Int(connection.index)) { $0.phase = .established }
    case .attemptFailed, .connectionLost:
      links.change(Int(connection.index)) { $0.phase = .dead }
    case .draining, .pong, .headers, .message, .ended:
      break
    }
    return true
  }

  // MARK: Losses

  /// Loses a connection, and notifies the client in the transport phase of this instant.
  mutating func lose(_ index: Int, _ failure: ConnectionFailure, _ context: inout Context) {
    guard links.connections[index].phase.isAlive else { return }
    let isAttempt = links.connections[index].phase != .established
    disarmTimeout(index, &context)
    links.change(index) { $0.phase = .dead }
    let connection = links.identifier(index)
    if traits.reportsLossesTogether {
      unreportedLosses.append(UnreportedLoss(connection: connection, failure: failure))
      context.append(.request(.connectionLost(connection.index)))
    }
    context.schedule(
      .news(
        connection,
        isAttempt
          ? .attemptFailed(connection, failure)
          : .connectionLost(connection, worded(failure, context))))
  }

  /// Removes and returns the lost connections whose failure satisfies a predicate, in order,
  /// because the client is now notified of them.
  mutating func takeLosses(where isAffected: (ConnectionFailure) -> Bool) -> [ConnectionID] {
    var taken: [ConnectionID] = []
    unreportedLosses.removeAll { loss in
      guard isAffected(loss.failure) else { return false }
      if links.isReported(loss.connection) { taken.append(loss.connection) }
      return true
    }
    return taken.sorted { $0.index < $1.index }
  }

  mutating func armTimeout(_ index: Int, after delay: Interval, _ context: inout Context) {
    links.connections[index].timeoutDue = context.now + delay
    links.connections[index].timeout = context.schedule(
      .tcpTimeout(links.identifier(index)), after: delay)
  }

  mutating func disarmTimeout(_ index: Int, _ context: inout Context) {
    links.connections[index].timeoutLeft = nil
    guard let timeout = links.connections[index].timeout else { return }
    context.agenda.cancel(timeout)
    links.connections[index].timeout = nil
  }

  // The later generation of the CFStream code differs in two ways: it words losses differently, and
  // it reads an end as "no data" (S7).

  /// Returns the failure that the transport reports for the loss of an established connection.
  func worded(
    _ failure: ConnectionFailure, _ context: borrowing Context
  ) -> ConnectionFailure {
    context.profile.transport.worded(failure, in: context.configuration.cfstream)
  }

  // MARK: Network changes of the device

  /// Applies a network change of the device to the connections.
  mutating func follow(_ move: Device.Move, _ context: inout Context) {
    let policy = context.profile.transport.pathLoss
    let device = context.device
    let concerned = links.paths { path in
      path == move.to && move.from != move.to
        || policy.outcome(of: path, when: move, on: device) != nil
    }
    for index in links.liveRows(on: concerned, &context) {
      guard let path = links.connections[index].path else { continue }
      if path == move.to, move.from != move.to {
        if !isStuck(index, context) { removeStall(index, [.pathLeft], &context) }
        continue
      }
      switch policy.outcome(of: path, when: move, on: device) {
      case .stalls: addStall(index, .pathLeft, &context)
      case .breaks: lose(index, .aborted, &context)
      case nil: break
      }
    }
    if asksNetworks, move.to != move.from { askAgain(&context) }
    if quic != nil { migrate(move.from == move.to ? .left(move.endingPaths) : .moved, &context) }
  }

  // MARK: Stalls

  mutating func addStall(
    _ index: Int, _ cause: StallCauses, _ context: inout Context
  ) {
    guard !links.connections[index].stall.isSuperset(of: cause) else { return }
    let wasFree = links.connections[index].stall.isEmpty
    links.change(index) { $0.stall.formUnion(cause) }
    if wasFree, traits.isTraced { context.record(.connectionStalled(links.identifier(index))) }
    if air != nil { stopUnderWay(index, &context) }
  }

  /// Removes stall causes.
  ///
  /// A connection without remaining causes continues with its buffered data.
  mutating func removeStall(
    _ index: Int, _ causes: StallCauses, _ context: inout Context
  ) {
    guard !links.connections[index].stall.isDisjoint(with: causes) else { return }
    links.change(index) { $0.stall.subtract(causes) }
    let connection = links.identifier(index)
    if links.connections[index].discards { discardEverything(on: index, &context) }
    guard links.connections[index].stall.isEmpty else {
      // Another cause remains, perhaps in only one direction.
      if !links.connections[index].stall.holdsArrivals { releaseArrivals(index, &context) }
      if !links.connections[index].stall.holdsWrites,
        links.connections[index].phase == .established
      {
        sendBuffered(index, &context)
      }
      return
    }
    if traits.isTraced { context.record(.connectionResumed(connection)) }
    disarmTimeout(index, &context)
    links.connections[index].bufferedBytes = 0
    if links.connections[index].handshakeIsDue, !isStopped(context) { sendAgain(index, &context) }
    releaseArrivals(index, &context)
    sendBuffered(index, &context)
  }

  /// Delivers the facts that the server sent during the stall.
  private mutating func releaseArrivals(_ index: Int, _ context: inout Context) {
    let connection = links.identifier(index)
    for fact in links.connections[index].inFlight {
      context.schedule(.arrival(connection, fact))
    }
    links.connections[index].inFlight = []
  }

  /// Sends the data that the client wrote during the stall.
  mutating func sendBuffered(_ index: Int, _ context: inout Context) {
    guard !isStopped(context) else { return }
    let writes = links.connections[index].bufferedWrites
    links.connections[index].bufferedWrites = []
    for write in writes { send(write, &context) }
  }

  /// Acknowledges and discards all waiting data.
  private mutating func discardEverything(on index: Int, _ context: inout Context) {
    disarmTimeout(index, &context)
    recordDiscarded(links.connections[index].bufferedWrites.count, on: index, &context)
    links.connections[index].bufferedBytes = 0
    links.connections[index].bufferedWrites = []
    links.connections[index].inFlight = []
  }

  mutating func recordDiscarded(_ count: Int, on index: Int, _ context: inout Context) {
    guard count > 0, traits.isTraced else { return }
    context.record(
      .writesDiscarded(links.identifier(index), count: UInt32(truncatingIfNeeded: count)))
  }

  // MARK: Faults of the timeline

  mutating func changeNames(
    of host: Int, _ fault: DNSFault, cause: UInt32, _ context: inout Context
  ) {
    // An entry that changes nothing has no effect.
    guard links.hosts[host].names != fault else { return }
    links.hosts[host].names = fault
    links.hosts[host].namesCause = cause
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase == .resolving {
      switch fault {
      case .fail:
        context.markEffect(of: cause)
        lose(index, .nameResolutionFailed, &context)
      case .resolve:
        context.markEffect(of: cause)
        beginAttempt(links.identifier(index), &context)
      case .hang:
        // Without an answer under way, the lookup hangs already.
        if links.connections[index].nameAnswer != nil { context.markEffect(of: cause) }
        cancelAnswer(index, &context)
      }
    }
  }

  mutating func changeTransport(
    of host: Int, _ fault: ConnectionFault, cause: UInt32, _ context: inout Context
  ) {
    switch fault {
    case .stall, .stallAcked:
      for index in links.liveRows(to: host, &context) where isOpen(index) {
        context.markEffect(of: cause)
        // No middlebox can acknowledge QUIC packets.
        addStall(index, fault == .stall || quic != nil ? .held : .discarded, &context)
      }
    case .blackholeConnect:
      guard !links.hosts[host].isBlackhole else { return }
      links.hosts[host].isBlackhole = true
      links.hosts[host].blackholeCause = cause
    case .reset:
      endFromServerSide(host, .reset, cause: cause, &context)
    case .fin:
      endFromServerSide(host, .closed, cause: cause, &context)
    case .halfClose:
      endFromServerSide(host, .closed, .sending, cause: cause, &context)
    case .kill:
      // The device's own kernel closes the connection, so not even a stall delays the notification.
      for index in links.liveRows(to: host, &context) where isOpen(index) {
        context.markEffect(of: cause)
        lose(index, .aborted, &context)
      }
    case .resume:
      resume(host, cause: cause, &context)
    }
  }

  private mutating func resume(_ host: Int, cause: UInt32, _ context: inout Context) {
    if links.hosts[host].isBlackhole {
      links.hosts[host].isBlackhole = false
      links.hosts[host].blackholeCause = cause
    }
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase.isAlive {
      if !links.connections[index].stall.intersection([.held, .discarded]).isEmpty {
        context.markEffect(of: cause)
        removeStall(index, [.held, .discarded], &context)
      }
      if links.connections[index].handshakeIsDue, handshakeIsPossible(index), !isStopped(context) {
        context.markEffect(of: cause)
        sendAgain(index, &context)
      }
    }
  }

  /// Returns whether TCP is connected, with or without the server's SETTINGS.
  func isOpen(_ index: Int) -> Bool {
    links.connections[index].phase == .established
      || links.connections[index].phase == .handshaking
  }

  /// Ends connections from the server's side.
  ///
  /// A stalled connection is notified when it resumes. If the client does not notice the end, `end`
  /// states which directions have ended.
  mutating func endFromServerSide(
    _ host: Int, _ failure: ConnectionFailure, _ end: UnnoticedEnd = .everything, cause: UInt32,
    _ context: inout Context
  ) {
    var ended: [Int] = []
    let isUnnoticed = context.profile.transport.endsUnnoticed(
      failure, in: context.configuration.cfstream)
    for index in links.liveRows(to: host, &context)
    where isOpen(index) && links.connections[index].unnoticedEnd != .everything {
      // If all data is discarded, the client never learns of the end.
      if !links.connections[index].discards { context.markEffect(of: cause) }
      if links.connections[index].newestStream != .max { ended.append(index) }
      if isUnnoticed, links.connections[index].phase == .established {
        links.change(index) { $0.unnoticedEnd = end }
      } else if !links.connections[index].stall.holdsArrivals {
        notifyOfEnd(index, failure, &context)
      } else {
        // During a stall not even the end reaches the client.
        _ = arrive(serverEnd(of: index, failure, context), on: links.identifier(index), &context)
      }
    }
    for index in ended { streams.closeAll(on: index, &links, &context) }
  }
}
