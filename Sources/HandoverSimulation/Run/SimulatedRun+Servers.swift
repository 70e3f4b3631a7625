import HandoverCore
import HandoverTrace

// The servers, and the faults that act on hosts.
extension SimulatedRun {
  // MARK: Reading

  /// Bytes reach the server's machine; a silent server does not read them.
  mutating func serverReceives(_ write: CarriedWrite) {
    switch connections[Int(write.connection.index)].unnoticedEnd {
    case nil: break
    case .sending: return
    case .everything:
      lose(Int(write.connection.index), .reset)
      return
    }
    let host = Int(connections[Int(write.connection.index)].host)
    guard hosts[host].server != .silent else {
      markEffect(of: hosts[host].serverCause)
      hosts[host].unread.append(write)
      return
    }
    serverReads(write)
  }

  private mutating func serverReads(_ write: CarriedWrite) {
    let host = connections[Int(write.connection.index)].host
    switch write.write {
    case .request:
      trace.append(.world(.serverReadRequest(host: host, call: write.call)), at: now)
      open(write.call, on: write.connection)
    case .messages(let count, _):
      trace.append(
        .world(.serverReadMessages(host: host, call: write.call, count: count)), at: now)
    case .finish:
      guard let takes = script.calls[Int(write.call)].takes else { return }
      streams[Int(write.call)].end = agenda.schedule(
        .answerEnds(write.call), at: now + takes, .transport)
    case .reset:
      closeStream(write.call)
    case .ping:
      agenda.schedule(
        .arrival(write.connection, .pongReceived(write.connection)), at: now, .transport)
    }
  }

  // MARK: Answering

  private mutating func open(_ call: UInt32, on connection: ConnectionID) {
    streams[Int(call)].isOpen = true
    streams[Int(call)].answerIsDue = false
    link(call, to: connection)
    scheduleMessage(call)
  }

  // The streams of a connection stand in a list, so that those of one that ends are found.

  private mutating func link(_ call: UInt32, to connection: ConnectionID) {
    unlink(call)
    streams[Int(call)].connection = connection
    guard isCurrent(connection) else { return }
    let newest = connections[Int(connection.index)].newestStream
    streams[Int(call)].older = newest
    if newest != .max { streams[Int(newest)].newer = call }
    connections[Int(connection.index)].newestStream = call
  }

  /// Takes a stream out of the list of its connection, which may be no more.
  mutating func unlink(_ call: UInt32) {
    let (older, newer) = (streams[Int(call)].older, streams[Int(call)].newer)
    if older != .max { streams[Int(older)].newer = newer }
    if newer != .max {
      streams[Int(newer)].older = older
    } else if let connection = streams[Int(call)].connection, isCurrent(connection),
      connections[Int(connection.index)].newestStream == call
    {
      connections[Int(connection.index)].newestStream = older
    }
    streams[Int(call)].older = .max
    streams[Int(call)].newer = .max
  }

  private mutating func scheduleMessage(_ call: UInt32) {
    guard let every = script.calls[Int(call)].every else { return }
    streams[Int(call)].message = periodic.schedule(
      .answerMessage(call), at: now + every, .transport)
  }

  mutating func closeStream(_ call: UInt32) {
    streams[Int(call)].isOpen = false
    if let end = streams[Int(call)].end { agenda.cancel(end) }
    if let message = streams[Int(call)].message { periodic.cancel(message) }
    streams[Int(call)].end = nil
    streams[Int(call)].message = nil
  }

  /// Whether the server still answers a call on a connection that exists.
  @inline(__always)
  func isAnswering(_ call: UInt32) -> Bool {
    guard streams[Int(call)].isOpen, let connection = streams[Int(call)].connection else {
      return false
    }
    return isEstablished(connection)
  }

  /// Whether both sides may use the connection.
  @inline(__always)
  private func isEstablished(_ connection: ConnectionID) -> Bool {
    isCurrent(connection) && connections[Int(connection.index)].phase == .established
      && connections[Int(connection.index)].unnoticedEnd == nil
  }

  /// The host whose server reads a call: the one its connection was made to.
  @inline(__always)
  func serverHost(_ call: UInt32) -> Int {
    guard let connection = streams[Int(call)].connection else {
      return script.calls[Int(call)].host
    }
    return Int(connections[Int(connection.index)].host)
  }

  @inline(__always)
  private func serverIsSilent(_ call: UInt32) -> Bool {
    hosts[serverHost(call)].server == .silent
  }

  mutating func answerEnds(_ call: UInt32) {
    guard isAnswering(call), let connection = streams[Int(call)].connection,
      let id = streams[Int(call)].call
    else { return }
    guard !serverIsSilent(call) else {
      markEffect(of: hosts[serverHost(call)].serverCause)
      streams[Int(call)].answerIsDue = true
      hosts[serverHost(call)].dueAnswers.append(call)
      return
    }
    closeStream(call)
    arrive(.streamEnded(id, .ok), on: connection)
  }

  mutating func answerMessage(_ call: UInt32) {
    guard isAnswering(call), let connection = streams[Int(call)].connection,
      let id = streams[Int(call)].call
    else { return }
    scheduleMessage(call)
    guard !serverIsSilent(call) else {
      markEffect(of: hosts[serverHost(call)].serverCause)
      return
    }
    arrive(.messageReceived(id), on: connection)
  }

  // MARK: Commands

  mutating func command(_ host: Int, _ word: ServerWord, cause: UInt32) {
    switch word {
    case .close:
      farSideEnds(host, .closed, cause: cause)
    case .reset:
      farSideEnds(host, .reset, cause: cause)
    case .goaway:
      for index in liveRows(to: host)
      where isEstablished(index, to: host) && connections[index].unnoticedEnd == nil {
        markEffect(of: cause)
        agenda.schedule(
          .arrival(identifier(index), .connectionDraining(identifier(index))), at: now, .transport)
      }
    case .silent, .refuse, .accept:
      // A word that changes nothing causes nothing.
      guard hosts[host].server != word else { return }
      let before = hosts[host].unhealthy
      hosts[host].server = word
      unhealthy += hosts[host].unhealthy - before
      hosts[host].serverCause = cause
      if word != .silent { wake(host) }
    }
  }

  /// Whether the client may use the connection.
  @inline(__always)
  private func isEstablished(_ index: Int, to host: Int) -> Bool {
    Int(connections[index].host) == host && connections[index].phase == .established
  }

  /// Whether TCP is connected, with or without the server's SETTINGS.
  @inline(__always)
  private func isOpen(_ index: Int, to host: Int) -> Bool {
    Int(connections[index].host) == host
      && (connections[index].phase == .established || connections[index].phase == .handshaking)
  }

  /// A server that is silent no more reads and answers what has waited.
  private mutating func wake(_ host: Int) {
    for index in liveRows(to: host) where connections[index].phase == .handshaking {
      markEffect(of: hosts[host].serverCause)
      agenda.schedule(.handshake(identifier(index)), at: now, .transport)
    }
    let waiting = hosts[host].unread
    hosts[host].unread = []
    // What came over a connection that is no more is gone with it, whoever has its row now.
    for write in waiting where isEstablished(write.connection) {
      markEffect(of: hosts[host].serverCause)
      serverReads(write)
    }
    let due = hosts[host].dueAnswers.sorted()
    hosts[host].dueAnswers = []
    for call in due where streams[Int(call)].answerIsDue && serverHost(call) == host {
      streams[Int(call)].answerIsDue = false
      markEffect(of: hosts[host].serverCause)
      agenda.schedule(.answerEnds(call), at: now, .transport)
    }
  }

  /// The far side ends its connections; what stalls hears of it when it goes on.
  ///
  /// `end` is what has ended where the client does not notice.
  private mutating func farSideEnds(
    _ host: Int, _ failure: ConnectionFailure, _ end: UnnoticedEnd = .everything, cause: UInt32
  ) {
    var ended: [Int] = []
    defer { for index in ended { closeStreams(on: index) } }
    for index in liveRows(to: host)
    where isOpen(index, to: host) && connections[index].unnoticedEnd != .everything {
      let connection = identifier(index)
      // Nobody hears of it through something that throws everything away.
      if !connections[index].discards { markEffect(of: cause) }
      if connections[index].newestStream != .max { ended.append(index) }
      if endsUnnoticed(failure), connections[index].phase == .established {
        change(index) { $0.unnoticedEnd = end }
      } else if connections[index].stall.isEmpty {
        lose(index, failure)
      } else {
        arrive(.connectionBroken(connection, worded(failure)), on: connection)
      }
    }
  }

  /// Closes the streams on a connection that has ended; they leave its list, so that an end that is
  /// told again meets none of them.
  private mutating func closeStreams(on index: Int) {
    var call = connections[index].newestStream
    connections[index].newestStream = .max
    while call != .max {
      let older = streams[Int(call)].older
      streams[Int(call)].older = .max
      streams[Int(call)].newer = .max
      closeStream(call)
      call = older
    }
  }

  mutating func changeNames(of host: Int, _ word: NamesWord, cause: UInt32) {
    // A word that changes nothing causes nothing.
    guard hosts[host].names != word else { return }
    hosts[host].names = word
    hosts[host].namesCause = cause
    for index in liveRows(to: host) where connections[index].phase == .resolving {
      switch word {
      case .fail:
        markEffect(of: cause)
        lose(index, .nameResolutionFailed)
      case .resolve:
        markEffect(of: cause)
        connect(index)
      case .hang:
        break
      }
    }
  }

  mutating func changeTransport(of host: Int, _ word: TransportWord, cause: UInt32) {
    switch word {
    case .stall, .stallAcked:
      for index in liveRows(to: host) where isOpen(index, to: host) {
        markEffect(of: cause)
        addStall(index, word == .stall ? .held : .discarded)
      }
    case .blackholeConnect:
      guard !hosts[host].isBlackhole else { return }
      hosts[host].isBlackhole = true
      hosts[host].blackholeCause = cause
    case .reset:
      farSideEnds(host, .reset, cause: cause)
    case .fin:
      farSideEnds(host, .closed, cause: cause)
    case .halfClose:
      farSideEnds(host, .closed, .sending, cause: cause)
    case .kill:
      // The own kernel acts, so that not even a stall keeps the news away.
      for index in liveRows(to: host) where isOpen(index, to: host) {
        markEffect(of: cause)
        lose(index, .aborted)
      }
    case .resume:
      resume(host, cause: cause)
    }
  }

  private mutating func resume(_ host: Int, cause: UInt32) {
    if hosts[host].isBlackhole {
      hosts[host].isBlackhole = false
      hosts[host].blackholeCause = cause
    }
    for index in liveRows(to: host) where connections[index].phase.isAlive {
      if !connections[index].stall.intersection([.held, .discarded]).isEmpty {
        markEffect(of: cause)
        removeStall(index, [.held, .discarded])
      }
      if connections[index].handshakeIsDue, handshakeIsPossible(index) {
        connections[index].handshakeIsDue = false
        markEffect(of: cause)
        agenda.schedule(.handshake(identifier(index)), at: now, .transport)
      }
    }
  }
}
