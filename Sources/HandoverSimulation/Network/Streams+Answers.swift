import HandoverCore

// The servers of the streams: what they read and how they respond.
extension Streams {
  // MARK: Reading

  /// Processes data that has reached a server.
  mutating func read(_ write: CarriedWrite, _ links: inout Links, _ context: inout Context) {
    let host = links.connections[Int(write.connection.index)].host
    switch write.write {
    case .request:
      guard self[write.call].call != nil else { return }
      if traits.isTraced {
        context.recordConnection(write.connection)
        context.record(.serverReadRequest(host: host, call: write.call))
      }
      open(write.call, on: write.connection, &links, &context)
    case .messages(let count, _):
      context.recordConnection(write.connection)
      context.record(.serverReadMessages(host: host, call: write.call, count: count))
    case .finish:
      guard self[write.call].call != nil, let takes = answer(to: write.call, context).takes
      else { return }
      self[write.call].end = context.schedule(.answerEnds(write.call), after: takes)
    case .reset:
      close(write.call, &context)
    case .ping:
      context.schedule(.arrival(write.connection, .pong(write.connection)))
    }
  }

  private mutating func open(
    _ call: UInt32, on connection: ConnectionID, _ links: inout Links, _ context: inout Context
  ) {
    self[call].isOpen = true
    self[call].answerIsDue = false
    link(call, to: connection, &links)
    if let responds = answer(to: call, context).responds {
      self[call].begin = context.schedule(.answerBegins(call), after: responds)
    }
    scheduleMessage(call, &context)
  }

  private mutating func scheduleMessage(_ call: UInt32, _ context: inout Context) {
    guard let every = answer(to: call, context).every else { return }
    self[call].message = context.periodic.schedule(
      .answerMessage(call), at: context.now + every, .transport)
  }

  // MARK: Responding

  /// A server's behavior for a stream, starting when the server has read the request.
  private struct Answer {
    /// The time until the response starts, or `nil` if the server does not report its start.
    var responds: Interval?
    var takes: Interval?
    /// The interval between messages, or `nil` if the server sends none.
    var every: Interval?
  }

  @inline(__always)
  private func answer(to stream: UInt32, _ context: borrowing Context) -> Answer {
    // Fields are read one by one, because that avoids copying the whole call.
    let index = Int(stream)
    switch traits.work {
    case .calls:
      return Answer(
        takes: context.script.calls[index].takes, every: context.script.calls[index].every)
    case .requests:
      guard !self[stream].isPoll else {
        return Answer(responds: Platform.pollTime, takes: Platform.pollTime)
      }
      return Answer(
        responds: context.script.requests[index].responds,
        takes: context.script.requests[index].takes, every: context.script.requests[index].every)
    }
  }

  /// A fact that a server sent, and the connection that carries it.
  struct Sent {
    var fact: NetworkFact
    var connection: ConnectionID
  }

  /// Returns whether the server is responding to a call on a usable connection.
  func isAnswering(_ call: UInt32, _ links: Links) -> Bool {
    guard self[call].isOpen, let connection = self[call].connection else { return false }
    return links.isEstablished(connection)
  }

  /// Returns the host whose server reads a call: the host of the call's connection.
  @inline(__always)
  func serverHost(_ call: UInt32, _ links: Links, _ context: borrowing Context) -> Int {
    guard let connection = self[call].connection else {
      return context.script.calls[Int(call)].host
    }
    return Int(links.connections[Int(connection.index)].host)
  }

  /// Returns whether the server of a call is silent.
  ///
  /// A silent server responds later.
  private func isSilent(_ call: UInt32, _ links: Links, _ context: inout Context) -> Bool {
    let host = serverHost(call, links, context)
    guard links.hosts[host].server == .silent else { return false }
    context.markEffect(of: links.hosts[host].serverCause)
    return true
  }

  /// Starts the response to a call at its due time.
  mutating func begin(
    _ call: UInt32, _ links: inout Links, _ context: inout Context
  ) -> Sent? {
    guard isAnswering(call, links), let connection = self[call].connection,
      let id = self[call].call
    else { return nil }
    guard !isSilent(call, links, &context) else {
      self[call].beginIsDue = true
      links.hosts[serverHost(call, links, context)].dueAnswers.append(call)
      return nil
    }
    return Sent(fact: .headers(id), connection: connection)
  }

  /// Ends the response to a call, because its end is due.
  mutating func end(_ call: UInt32, _ links: inout Links, _ context: inout Context) -> Sent? {
    guard isAnswering(call, links), let connection = self[call].connection,
      let id = self[call].call
    else { return nil }
    guard !isSilent(call, links, &context) else {
      self[call].answerIsDue = true
      links.hosts[serverHost(call, links, context)].dueAnswers.append(call)
      return nil
    }
    close(call, &context)
    return Sent(fact: .ended(id, .ok), connection: connection)
  }

  /// Sends the next message of a response, because it is due.
  mutating func message(
    _ call: UInt32, _ links: Links, _ context: inout Context
  ) -> Sent? {
    guard isAnswering(call, links), let connection = self[call].connection,
      let id = self[call].call
    else { return nil }
    scheduleMessage(call, &context)
    guard !isSilent(call, links, &context) else { return nil }
    return Sent(fact: .message(id), connection: connection)
  }

  /// Sends the responses that became due while the server was silent.
  mutating func wake(_ host: Int, _ links: inout Links, _ context: inout Context) {
    let due = links.hosts[host].dueAnswers.sorted()
    links.hosts[host].dueAnswers = []
    for call in due where self[call].beginIsDue || self[call].answerIsDue {
      guard serverHost(call, links, context) == host else { continue }
      context.markEffect(of: links.hosts[host].serverCause)
      if self[call].beginIsDue { self[call].begin = context.schedule(.answerBegins(call)) }
      if self[call].answerIsDue { self[call].end = context.schedule(.answerEnds(call)) }
      self[call].beginIsDue = false
      self[call].answerIsDue = false
    }
  }
}
