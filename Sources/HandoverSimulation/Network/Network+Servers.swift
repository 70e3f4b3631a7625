import HandoverCore

// Data that reaches the servers, and the path of their responses.
extension Network {
  /// Delivers data to the server's host.
  ///
  /// A silent server does not read it.
  mutating func serverReceives(_ write: CarriedWrite, _ context: inout Context) {
    let index = Int(write.connection.index)
    if air != nil, endIsUnderWay(write.connection) { return }
    if quic != nil { acknowledge(index, &context) }
    switch links.connections[index].unnoticedEnd {
    case nil: break
    case .sending: return
    case .everything:
      // If the client cannot receive data, it does not receive the reset either.
      guard !links.connections[index].stall.holdsArrivals else { return }
      return notifyOfEnd(index, .reset, &context)
    }
    if write.call != .max, streams[write.call].isIgnored { return }
    let host = Int(links.connections[index].host)
    guard links.hosts[host].server != .silent else {
      context.markEffect(of: links.hosts[host].serverCause)
      links.hosts[host].unread.append(write)
      return
    }
    streams.read(write, &links, &context)
  }

  /// Records that the client knows that a connection is established.
  mutating func clientConnects(_ connection: ConnectionID) {
    guard links.isCurrent(connection) else { return }
    links.connections[Int(connection.index)].isKnown = true
  }

  /// Records that the client reads GOAWAY.
  ///
  /// A server that shuts down gracefully announces the end of new streams, waits for a round trip,
  /// and then names the last stream that it serves (RFC 9113, section 6.8). The server therefore
  /// serves every stream that the client began before this instant, and ignores later ones.
  ///
  /// A client that has not yet read that it is connected reads nothing else first.
  mutating func clientReadsGoAway(on connection: ConnectionID) {
    guard links.isCurrent(connection), links.connections[Int(connection.index)].isKnown
    else { return }
    links.connections[Int(connection.index)].isDraining = true
  }

  mutating func answerBegins(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard let sent = streams.begin(call, &links, &context) else { return nil }
    return reply(sent.fact, on: sent.connection, &context)
  }

  mutating func answerEnds(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard let sent = streams.end(call, &links, &context) else { return nil }
    return reply(sent.fact, on: sent.connection, &context)
  }

  mutating func answerMessage(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard let sent = streams.message(call, links, &context) else { return nil }
    return reply(sent.fact, on: sent.connection, &context)
  }

  // MARK: Faults of the timeline

  mutating func command(
    _ host: Int, _ fault: ServerFault, cause: UInt32, _ context: inout Context
  ) {
    switch fault {
    case .close:
      endFromServerSide(host, .closed, cause: cause, &context)
    case .reset:
      endFromServerSide(host, .reset, cause: cause, &context)
    case .goaway:
      // HTTP/1.1 has no GOAWAY.
      guard traits.isAlwaysHTTP2 || context.script.hosts[host].streams != nil else { return }
      for index in links.liveRows(to: host, &context)
      where links.isEstablished(links.identifier(index)) {
        context.markEffect(of: cause)
        let connection = links.identifier(index)
        context.schedule(.arrival(connection, .draining(connection)))
      }
    case .silent, .refuse, .accept:
      // An entry that changes nothing has no effect.
      guard links.hosts[host].server != fault else { return }
      if links.setServer(fault, of: host, cause: cause, at: context.now) {
        raceAgain(to: host, &context)
      }
      if fault != .silent { wake(host, &context) }
    }
  }

  /// Makes a server that is no longer silent read and answer the waiting data.
  private mutating func wake(_ host: Int, _ context: inout Context) {
    // A server that has ended a connection sends no SETTINGS on it.
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase == .handshaking
      && links.connections[index].inFlight.isEmpty
    {
      context.markEffect(of: links.hosts[host].serverCause)
      context.schedule(.handshake(links.identifier(index)))
    }
    let waiting = links.hosts[host].unread
    links.hosts[host].unread = []
    // Data of a closed connection is lost, even if another connection has reused its row.
    for write in waiting where links.isEstablished(write.connection) {
      context.markEffect(of: links.hosts[host].serverCause)
      streams.read(write, &links, &context)
    }
    streams.wake(host, &links, &context)
  }
}
