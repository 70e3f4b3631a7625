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
      guard streams[write.call].call != nil else { return }
      if traits.isTraced { context.record(.serverReadRequest(host: host, call: write.call)) }
      openStream(write.call, on: write.connection, &context)
    case .messages(let count, _):
      context.record(.serverReadMessages(host: host, call: write.call, count: count))
    case .finish:
      guard streams[write.call].call != nil, let takes = answer(to: write.call, context).takes
      else { return }
      streams[write.call].end = context.schedule(.answerEnds(write.call), after: takes)
    case .reset:
      streams.close(write.call, &context)
    case .ping:
      context.schedule(.arrival(write.connection, .pong(write.connection)))
    }
  }

  // MARK: Answering

  /// What a server does about a stream, from when it has read what asks for it.
  private struct Answer {
    /// When it begins to answer; nil where it does not say so.
    var responds: Interval?
    var takes: Interval?
    /// How often it sends a message; nil never.
    var every: Interval?
  }

  @inline(__always)
  private func answer(to stream: UInt32, _ context: borrowing Context) -> Answer {
    // Part by part: the whole of a call is not copied for it.
    let index = Int(stream)
    guard traits.carriesRequests else {
      return Answer(
        takes: context.script.calls[index].takes, every: context.script.calls[index].every)
    }
    guard !streams[stream].isPoll else {
      return Answer(responds: RequestHost.pollTime, takes: RequestHost.pollTime)
    }
    return Answer(
      responds: context.script.requests[index].responds,
      takes: context.script.requests[index].takes, every: context.script.requests[index].every)
  }

  private mutating func openStream(
    _ call: UInt32, on connection: ConnectionID, _ context: inout Context
  ) {
    streams[call].isOpen = true
    streams[call].answerIsDue = false
    streams.link(call, to: connection, &links)
    if let responds = answer(to: call, context).responds {
      context.schedule(.answerBegins(call), after: responds)
    }
    scheduleMessage(call, &context)
  }

  private mutating func scheduleMessage(_ call: UInt32, _ context: inout Context) {
    guard let every = answer(to: call, context).every else { return }
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

  /// Whether the server of a call says anything; one that is silent does later.
  @inline(__always)
  private func isSilent(_ call: UInt32, _ context: inout Context) -> Bool {
    let host = serverHost(call, context)
    guard links.hosts[host].server == .silent else { return false }
    context.markEffect(of: links.hosts[host].serverCause)
    return true
  }

  mutating func answerBegins(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard isAnswering(call), let connection = streams[call].connection,
      let id = streams[call].call
    else { return nil }
    guard !isSilent(call, &context) else {
      streams[call].beginIsDue = true
      links.hosts[serverHost(call, context)].dueAnswers.append(call)
      return nil
    }
    return arrive(.headers(id), on: connection, &context)
  }

  mutating func answerEnds(_ call: UInt32, _ context: inout Context) -> NetworkFact? {
    guard isAnswering(call), let connection = streams[call].connection,
      let id = streams[call].call
    else { return nil }
    guard !isSilent(call, &context) else {
      streams[call].answerIsDue = true
      links.hosts[serverHost(call, context)].dueAnswers.append(call)
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
    guard !isSilent(call, &context) else { return nil }
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
      // HTTP/1.1 has no such thing.
      guard !traits.carriesRequests || context.script.hosts[host].streams != nil else { return }
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
    for call in due
    where streams[call].beginIsDue || streams[call].answerIsDue {
      guard serverHost(call, context) == host else { continue }
      context.markEffect(of: links.hosts[host].serverCause)
      if streams[call].beginIsDue { context.schedule(.answerBegins(call)) }
      if streams[call].answerIsDue { context.schedule(.answerEnds(call)) }
      streams[call].beginIsDue = false
      streams[call].answerIsDue = false
    }
  }
}
