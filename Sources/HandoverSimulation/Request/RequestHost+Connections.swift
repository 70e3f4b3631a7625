import HandoverCore
import HandoverTrace

// What carries requests: the platform's connections in the simulated network, and their servers.
extension RequestHost {
  /// How long one of the short requests that a stream is made of takes at its server.
  static let pollTime = Interval.milliseconds(10)

  private func identifier(ofLoad index: Int) -> LoadConnectionID {
    LoadConnectionID(UInt32(truncatingIfNeeded: index))
  }

  private mutating func schedule(
    _ happening: RequestEvent, after delay: Interval = .zero, _ context: inout Context
  ) {
    context.agenda.schedule(.request(happening), at: context.now + delay, .transport)
  }

  // MARK: Connections

  mutating func openConnection(
    _ id: LoadConnectionID, endpoint: UInt32, pool: UInt32, _ context: inout Context
  ) {
    let host = endpointHosts[Int(endpoint)]
    note(
      .connectionOpened(id.index, host: tracePlace(host), pool: pool, context.device.path), &context
    )
    open(
      LoadConnection(host: tracePlace(host), path: context.device.path, phase: .resolving))
  }

  /// Begins to make a connection that was opened, where that can be done at all.
  mutating func beginConnection(
    _ id: LoadConnectionID, _ network: inout Network, _ context: inout Context
  ) {
    guard connections[Int(id.index)].phase == .resolving else { return }
    guard connections[Int(id.index)].path != nil else {
      lose(Int(id.index), RequestErrorCode.notConnected, &context)
      return
    }
    let host = Int(connections[Int(id.index)].host)
    context.markEffect(of: network.links.hosts[host].namesCause)
    switch network.links.hosts[host].names {
    case .resolve: connect(Int(id.index), &network, &context)
    case .fail: lose(Int(id.index), RequestErrorCode.cannotFindHost, &context)
    case .hang: break
    }
  }

  private mutating func connect(_ index: Int, _ network: inout Network, _ context: inout Context) {
    connections[index].phase = .connecting
    let delay = network.links.hosts[Int(connections[index].host)].connect
    schedule(.handshake(identifier(ofLoad: index)), after: delay, &context)
  }

  private mutating func handshake(
    _ id: LoadConnectionID, _ network: inout Network, _ context: inout Context
  ) {
    let index = Int(id.index)
    guard connections[index].phase == .connecting else { return }
    let host = Int(connections[index].host)
    context.markEffect(of: network.links.hosts[host].blackholeCause)
    guard connections[index].stall.isEmpty, !network.links.hosts[host].isBlackhole else {
      connections[index].handshakeIsDue = true
      return
    }
    context.markEffect(of: network.links.hosts[host].serverCause)
    guard network.links.hosts[host].server != .refuse else {
      lose(index, RequestErrorCode.cannotConnect, &context)
      return
    }
    connections[index].phase = .established
    deliverUnsent(index, &network, &context)
  }

  /// A connection is lost, and the platform is told in this instant's turn of the transports.
  private mutating func lose(_ index: Int, _ code: Int32, _ context: inout Context) {
    guard connections[index].phase.isAlive else { return }
    connections[index].phase = .dead
    noteLoss(of: index, code)
    note(.connectionLost(tracePlace(index)), &context)
    schedule(.losses(code: code), &context)
  }

  /// The connections follow the device: every one on a path that was left is lost.
  mutating func follow(_ move: Device.Move, _ context: inout Context) {
    for index in aliveConnections() {
      guard let path = connections[index].path else { continue }
      if context.profile.transport.pathLoss.outcome(of: path, when: move, on: context.device)
        == .breaks
      {
        lose(index, RequestErrorCode.connectionLost, &context)
      }
    }
  }

  private mutating func tellLosses(
    _ code: Int32, _ network: inout Network, _ context: inout Context
  ) {
    let lost = takeLosses(code)
    guard !lost.isEmpty else { return }
    arrive(
      .lost(lost.map { LoadConnectionID(UInt32(truncatingIfNeeded: $0)) }, code: code), &network,
      &context)
  }

  // MARK: Requests and answers

  mutating func send(
    _ sending: Sending, over connection: LoadConnectionID, _ network: inout Network,
    _ context: inout Context
  ) {
    connections[Int(connection.index)].unsent.append(sending)
    deliverUnsent(Int(connection.index), &network, &context)
  }

  private mutating func deliverUnsent(
    _ index: Int, _ network: inout Network, _ context: inout Context
  ) {
    guard connections[index].phase == .established,
      connections[index].stall.isEmpty
    else { return }
    let unsent = connections[index].unsent
    connections[index].unsent = []
    connections[index].unread += unsent
    read(index, &network, &context)
  }

  /// The server reads what has reached it, where it reads at all.
  private mutating func read(_ index: Int, _ network: inout Network, _ context: inout Context) {
    let host = Int(connections[index].host)
    guard !connections[index].unread.isEmpty else { return }
    guard network.links.hosts[host].server != .silent else {
      context.markEffect(of: network.links.hosts[host].serverCause)
      return
    }
    let unread = connections[index].unread
    connections[index].unread = []
    for sending in unread where isCurrent(sending) { serve(sending, &context) }
  }

  private mutating func serve(_ sending: Sending, _ context: inout Context) {
    let wanted = context.script.requests[Int(sending.request)]
    guard !requests[Int(sending.request)].isPolling else {
      schedule(.headers(sending), after: Self.pollTime, &context)
      schedule(.end(sending), after: Self.pollTime, &context)
      return
    }
    if let responds = wanted.responds { schedule(.headers(sending), after: responds, &context) }
    scheduleData(sending, &context)
    if let takes = wanted.takes { schedule(.end(sending), after: takes, &context) }
  }

  private mutating func scheduleData(_ sending: Sending, _ context: inout Context) {
    guard let every = context.script.requests[Int(sending.request)].every else { return }
    context.periodic.schedule(.request(.data(sending)), at: context.now + every, .transport)
  }

  mutating func dispatch(
    _ happening: RequestEvent, _ network: inout Network, _ context: inout Context
  ) {
    switch happening {
    case .handshake(let id): handshake(id, &network, &context)
    case .losses(let code): tellLosses(code, &network, &context)
    case .headers(let sending):
      answer(happening, sending, with: .headers(sending), &network, &context)
    case .data(let sending):
      guard isCurrent(sending) else { return }
      scheduleData(sending, &context)
      answer(happening, sending, with: .data(sending), &network, &context)
    case .end(let sending): answer(happening, sending, with: .end(sending), &network, &context)
    }
    work(&network, &context)
  }

  /// Whether a happening will do nothing.
  func isStale(_ happening: RequestEvent) -> Bool {
    switch happening {
    case .handshake(let id): connections[Int(id.index)].phase != .connecting
    case .losses: false
    case .headers(let sending), .data(let sending), .end(let sending):
      !isCurrent(sending)
    }
  }

  /// A part of an answer is due; where it cannot come, it comes when it can.
  private mutating func answer(
    _ happening: RequestEvent, _ sending: Sending, with arrived: RequestHost.Arrived,
    _ network: inout Network, _ context: inout Context
  ) {
    guard isCurrent(sending),
      let connection = loader.connection(of: sending.request)
    else { return }
    let index = Int(connection.index)
    guard connections[index].phase == .established else { return }
    let host = Int(connections[index].host)
    guard network.links.hosts[host].server != .silent else {
      context.markEffect(of: network.links.hosts[host].serverCause)
      connections[index].owed.append(happening)
      return
    }
    guard connections[index].stall.isEmpty else {
      connections[index].owed.append(happening)
      return
    }
    arrive(arrived, &network, &context)
  }

  /// What could not come so far comes now.
  private mutating func payOwed(_ index: Int, _ context: inout Context) {
    let owed = connections[index].owed
    connections[index].owed = []
    for happening in owed {
      // The next part of endless data has been scheduled already.
      if case .data = happening { continue }
      schedule(happening, &context)
    }
  }

  // MARK: Faults

  mutating func commandServer(
    _ host: Int, _ word: ServerWord, cause: UInt32, _ network: inout Network,
    _ context: inout Context
  ) {
    switch word {
    case .close, .reset:
      loseAll(to: host, cause: cause, &context)
    case .goaway:
      // HTTP/1.1 has no such thing.
      guard context.script.hosts[host].streams != nil else { return }
      for index in liveRows(to: host, &context) where isEstablished(index) {
        context.markEffect(of: cause)
        pending.append(.loader(.draining(identifier(ofLoad: index))))
      }
      work(&network, &context)
    case .silent, .refuse, .accept:
      guard word != .silent else { return }
      for index in liveRows(to: host, &context) where isEstablished(index) {
        if !connections[index].unread.isEmpty || !connections[index].owed.isEmpty {
          context.markEffect(of: cause)
        }
        read(index, &network, &context)
        if connections[index].stall.isEmpty { payOwed(index, &context) }
      }
    }
  }

  mutating func changeNames(
    of host: Int, _ word: NamesWord, cause: UInt32, _ network: inout Network,
    _ context: inout Context
  ) {
    for index in liveRows(to: host, &context) where connections[index].phase == .resolving {
      switch word {
      case .fail:
        context.markEffect(of: cause)
        lose(index, RequestErrorCode.cannotFindHost, &context)
      case .resolve:
        context.markEffect(of: cause)
        connect(index, &network, &context)
      case .hang:
        break
      }
    }
  }

  mutating func changeTransport(
    of host: Int, _ word: TransportWord, cause: UInt32, _ network: inout Network,
    _ context: inout Context
  ) {
    switch word {
    case .stall, .stallAcked:
      for index in liveRows(to: host, &context) where isEstablished(index) {
        context.markEffect(of: cause)
        connections[index].stall.insert(word == .stall ? .held : .discarded)
      }
    case .blackholeConnect:
      // The host is marked by whoever calls.
      break
    case .reset, .fin, .halfClose:
      loseAll(to: host, cause: cause, &context)
    case .kill:
      // The own kernel acts, so that not even a stall keeps the news away.
      loseAll(to: host, cause: cause, isHeardThroughStalls: true, &context)
    case .resume:
      for index in liveRows(to: host, &context) { resume(index, cause: cause, &network, &context) }
    }
  }

  private mutating func resume(
    _ index: Int, cause: UInt32, _ network: inout Network, _ context: inout Context
  ) {
    if !connections[index].stall.isEmpty {
      context.markEffect(of: cause)
      if connections[index].stall.contains(.discarded) {
        connections[index].unsent = []
        connections[index].owed = []
      }
      connections[index].stall = []
      if let code = connections[index].hiddenLoss { return lose(index, code, &context) }
      deliverUnsent(index, &network, &context)
      payOwed(index, &context)
    }
    if connections[index].handshakeIsDue {
      connections[index].handshakeIsDue = false
      context.markEffect(of: cause)
      schedule(.handshake(identifier(ofLoad: index)), &context)
    }
  }

  private mutating func loseAll(
    to host: Int, cause: UInt32, isHeardThroughStalls: Bool = false, _ context: inout Context
  ) {
    for index in liveRows(to: host, &context) where isEstablished(index) {
      context.markEffect(of: cause)
      if connections[index].stall.isEmpty || isHeardThroughStalls {
        lose(index, RequestErrorCode.connectionLost, &context)
      } else {
        connections[index].hiddenLoss = RequestErrorCode.connectionLost
      }
    }
  }

  /// The connections to a host that are being made or in use.
  private mutating func liveRows(to host: Int, _ context: inout Context) -> [Int] {
    let live = aliveConnections(to: host)
    context.looks += live.count
    return live
  }

  private func isEstablished(_ index: Int) -> Bool {
    connections[index].phase == .established
  }
}
