import HandoverCore
import HandoverTrace

// The servers: what they read, and what they answer.
extension Network {
  // MARK: Reading

  /// Bytes reach the server's machine; a silent server does not read them.
  mutating func serverReceives(_ write: CarriedWrite, _ context: inout Context) {
    let index = Int(write.connection.index)
    switch links.connections[index].unnoticedEnd {
    case nil: break
    case .sending: return
    case .everything: return lose(index, .reset, &context)
    }
    let host = Int(links.connections[index].host)
    guard links.hosts[host].server != .silent else {
      context.markEffect(of: links.hosts[host].serverCause)
      links.hosts[host].unread.append(write)
      return
    }
    serverReads(write, &context)
  }

  private mutating func serverReads(_ write: CarriedWrite, _ context: inout Context) {
    let host = links.connections[Int(write.connection.index)].host
    switch write.write {
    case .request:
      context.record(.serverReadRequest(host: host, call: write.call))
      openStream(write.call, on: write.connection, &context)
    case .messages(let count, _):
      context.record(.serverReadMessages(host: host, call: write.call, count: count))
    case .finish:
      guard let takes = context.script.calls[Int(write.call)].takes else { return }
      streams[write.call].end = context.schedule(.answerEnds(write.call), after: takes)
    case .reset:
      streams.close(write.call, &context)
    case .ping:
      context.schedule(.arrival(write.connection, .pong(write.connection)))
    }
  }

  // MARK: Answering

  private mutating func openStream(
    _ call: UInt32, on connection: ConnectionID, _ context: inout Context
  ) {
    streams[call].isOpen = true
    streams[call].answerIsDue = false
    streams.link(call, to: connection, &links)
    scheduleMessage(call, &context)
  }

  private mutating func scheduleMessage(_ call: UInt32, _ context: inout Context) {
    guard let every = context.script.calls[Int(call)].every else { return }
    streams[call].message = context.periodic.schedule(
      .answerMessage(call), at: context.now + every, .transport)
  }

  /// Whether the server still answers a call on a connection that exists.
  @inline(__always)
  func isAnswering(_ call: UInt32) -> Bool {
    guard streams[call].isOpen, let connection = streams[call].connection else { return false }
    return links.isEstablished(connection)
  }

  /// The host whose server reads a call: the one its connection was made to.
  @inline(__always)
  func serverHost(_ call: UInt32, _ context: borrowing Context) -> Int {
    guard let connection = streams[call].connection else {
      return context.script.calls[Int(call)].host
    }
    return Int(links.connections[Int(connection.index)].host)
  }

  mutating func answerEnds(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard isAnswering(call), let connection = streams[call].connection,
      let id = streams[call].call
    else { return nil }
    let host = serverHost(call, context)
    guard links.hosts[host].server != .silent else {
      context.markEffect(of: links.hosts[host].serverCause)
      streams[call].answerIsDue = true
      links.hosts[host].dueAnswers.append(call)
      return nil
    }
    streams.close(call, &context)
    return arrive(.ended(id, .ok), on: connection, &context)
  }

  mutating func answerMessage(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard isAnswering(call), let connection = streams[call].connection,
      let id = streams[call].call
    else { return nil }
    scheduleMessage(call, &context)
    let host = serverHost(call, context)
    guard links.hosts[host].server != .silent else {
      context.markEffect(of: links.hosts[host].serverCause)
      return nil
    }
    return arrive(.message(id), on: connection, &context)
  }

  // MARK: Faults of the timeline

  mutating func command(
    _ host: Int, _ word: ServerWord, cause: UInt32, _ context: inout Context
  ) {
    switch word {
    case .close:
      farSideEnds(host, .closed, cause: cause, &context)
    case .reset:
      farSideEnds(host, .reset, cause: cause, &context)
    case .goaway:
      for index in links.liveRows(to: host, &context)
      where links.isEstablished(links.identifier(index)) {
        context.markEffect(of: cause)
        let connection = links.identifier(index)
        context.schedule(.arrival(connection, .draining(connection)))
      }
    case .silent, .refuse, .accept:
      // A word that changes nothing causes nothing.
      guard links.hosts[host].server != word else { return }
      links.setServer(word, of: host, cause: cause)
      if word != .silent { wake(host, &context) }
    }
  }

  /// A server that is silent no more reads and answers what has waited.
  private mutating func wake(_ host: Int, _ context: inout Context) {
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase == .handshaking {
      context.markEffect(of: links.hosts[host].serverCause)
      context.schedule(.handshake(links.identifier(index)))
    }
    let waiting = links.hosts[host].unread
    links.hosts[host].unread = []
    // What came over a connection that is no more is gone with it, whoever has its row now.
    for write in waiting where links.isEstablished(write.connection) {
      context.markEffect(of: links.hosts[host].serverCause)
      serverReads(write, &context)
    }
    let due = links.hosts[host].dueAnswers.sorted()
    links.hosts[host].dueAnswers = []
    for call in due where streams[call].answerIsDue && serverHost(call, context) == host {
      streams[call].answerIsDue = false
      context.markEffect(of: links.hosts[host].serverCause)
      context.schedule(.answerEnds(call))
    }
  }
}
