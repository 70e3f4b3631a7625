import HandoverCore
import HandoverTrace

// What carries requests: the platform's connections in the simulated network, and their servers.
extension SimulatedRun {
  /// How long one of the short requests that a stream is made of takes at its server.
  static let pollTime = Interval.milliseconds(10)

  private func identifier(ofLoad index: Int) -> LoadConnectionID {
    LoadConnectionID(UInt32(truncatingIfNeeded: index))
  }

  private mutating func schedule(_ happening: LoadHappening, after delay: Interval = .zero) {
    agenda.schedule(.load(happening), at: now + delay, .transport)
  }

  // MARK: Connections

  mutating func openConnection(_ id: LoadConnectionID, endpoint: UInt32, pool: UInt32) {
    let host = requests.endpointHosts[Int(endpoint)]
    note(.connectionOpened(id.index, host: tracePlace(host), pool: pool, device.path))
    requests.open(
      LoadConnection(host: tracePlace(host), path: device.path, phase: .resolving))
  }

  /// Begins to make a connection that was opened, where that can be done at all.
  mutating func beginConnection(_ id: LoadConnectionID) {
    guard requests.connections[Int(id.index)].phase == .resolving else { return }
    guard requests.connections[Int(id.index)].path != nil else {
      loseLoads(Int(id.index), RequestErrorCode.notConnected)
      return
    }
    let host = Int(requests.connections[Int(id.index)].host)
    markEffect(of: hosts[host].namesCause)
    switch hosts[host].names {
    case .resolve: connectLoad(Int(id.index))
    case .fail: loseLoads(Int(id.index), RequestErrorCode.cannotFindHost)
    case .hang: break
    }
  }

  private mutating func connectLoad(_ index: Int) {
    requests.connections[index].phase = .connecting
    let delay = hosts[Int(requests.connections[index].host)].connect
    schedule(.handshake(identifier(ofLoad: index)), after: delay)
  }

  private mutating func handshakeLoad(_ id: LoadConnectionID) {
    let index = Int(id.index)
    guard requests.connections[index].phase == .connecting else { return }
    let host = Int(requests.connections[index].host)
    markEffect(of: hosts[host].blackholeCause)
    guard requests.connections[index].stall.isEmpty, !hosts[host].isBlackhole else {
      requests.connections[index].handshakeIsDue = true
      return
    }
    markEffect(of: hosts[host].serverCause)
    guard hosts[host].server != .refuse else {
      loseLoads(index, RequestErrorCode.cannotConnect)
      return
    }
    requests.connections[index].phase = .established
    deliverUnsent(index)
  }

  /// A connection is lost, and the platform is told in this instant's turn of the transports.
  private mutating func loseLoads(_ index: Int, _ code: Int32) {
    guard requests.connections[index].phase.isAlive else { return }
    requests.connections[index].phase = .dead
    requests.noteLoss(of: index, code)
    note(.connectionLost(tracePlace(index)))
    schedule(.losses(code: code))
  }

  /// The connections follow the device: every one on a path that was left is lost.
  mutating func followLoads(_ move: Device.Move) {
    for index in requests.aliveConnections() {
      guard let path = requests.connections[index].path else { continue }
      if profile.transport.pathLoss.outcome(of: path, when: move, on: device) == .breaks {
        loseLoads(index, RequestErrorCode.connectionLost)
      }
    }
  }

  private mutating func tellLosses(_ code: Int32) {
    let lost = requests.takeLosses(code)
    guard !lost.isEmpty else { return }
    arrive(.lost(lost.map { LoadConnectionID(UInt32(truncatingIfNeeded: $0)) }, code: code))
  }

  // MARK: Requests and answers

  mutating func send(_ sending: Sending, over connection: LoadConnectionID) {
    requests.connections[Int(connection.index)].unsent.append(sending)
    deliverUnsent(Int(connection.index))
  }

  private mutating func deliverUnsent(_ index: Int) {
    guard requests.connections[index].phase == .established,
      requests.connections[index].stall.isEmpty
    else { return }
    let unsent = requests.connections[index].unsent
    requests.connections[index].unsent = []
    requests.connections[index].unread += unsent
    readLoads(index)
  }

  /// The server reads what has reached it, where it reads at all.
  private mutating func readLoads(_ index: Int) {
    let host = Int(requests.connections[index].host)
    guard !requests.connections[index].unread.isEmpty else { return }
    guard hosts[host].server != .silent else {
      markEffect(of: hosts[host].serverCause)
      return
    }
    let unread = requests.connections[index].unread
    requests.connections[index].unread = []
    for sending in unread where requests.isCurrent(sending) { serve(sending) }
  }

  private mutating func serve(_ sending: Sending) {
    let wanted = script.requests[Int(sending.request)]
    guard !requests.requests[Int(sending.request)].isPolling else {
      schedule(.headers(sending), after: Self.pollTime)
      schedule(.end(sending), after: Self.pollTime)
      return
    }
    if let responds = wanted.responds { schedule(.headers(sending), after: responds) }
    scheduleData(sending)
    if let takes = wanted.takes { schedule(.end(sending), after: takes) }
  }

  private mutating func scheduleData(_ sending: Sending) {
    guard let every = script.requests[Int(sending.request)].every else { return }
    periodic.schedule(.load(.data(sending)), at: now + every, .transport)
  }

  mutating func happen(_ happening: LoadHappening) {
    switch happening {
    case .handshake(let id): handshakeLoad(id)
    case .losses(let code): tellLosses(code)
    case .headers(let sending): answer(happening, sending, with: .headers(sending))
    case .data(let sending):
      guard requests.isCurrent(sending) else { return }
      scheduleData(sending)
      answer(happening, sending, with: .data(sending))
    case .end(let sending): answer(happening, sending, with: .end(sending))
    }
    workRequests()
  }

  /// Whether a happening will do nothing.
  func isStale(_ happening: LoadHappening) -> Bool {
    switch happening {
    case .handshake(let id): requests.connections[Int(id.index)].phase != .connecting
    case .losses: false
    case .headers(let sending), .data(let sending), .end(let sending):
      !requests.isCurrent(sending)
    }
  }

  /// A part of an answer is due; where it cannot come, it comes when it can.
  private mutating func answer(
    _ happening: LoadHappening, _ sending: Sending, with arrived: RequestHost.Arrived
  ) {
    guard requests.isCurrent(sending),
      let connection = requests.loader.connection(of: sending.request)
    else { return }
    let index = Int(connection.index)
    guard requests.connections[index].phase == .established else { return }
    let host = Int(requests.connections[index].host)
    guard hosts[host].server != .silent else {
      markEffect(of: hosts[host].serverCause)
      requests.connections[index].owed.append(happening)
      return
    }
    guard requests.connections[index].stall.isEmpty else {
      requests.connections[index].owed.append(happening)
      return
    }
    arrive(arrived)
  }

  /// What could not come so far comes now.
  private mutating func payOwed(_ index: Int) {
    let owed = requests.connections[index].owed
    requests.connections[index].owed = []
    for happening in owed {
      // The next part of endless data has been scheduled already.
      if case .data = happening { continue }
      schedule(happening)
    }
  }

  // MARK: Faults

  mutating func commandLoads(_ host: Int, _ word: ServerWord, cause: UInt32) {
    switch word {
    case .close, .reset:
      loseAllLoads(to: host, cause: cause)
    case .goaway:
      // HTTP/1.1 has no such thing.
      guard script.hosts[host].streams != nil else { return }
      for index in liveLoads(to: host) where isEstablishedLoad(index) {
        markEffect(of: cause)
        requests.pending.append(.loader(.draining(identifier(ofLoad: index))))
      }
      workRequests()
    case .silent, .refuse, .accept:
      guard word != .silent else { return }
      for index in liveLoads(to: host) where isEstablishedLoad(index) {
        if !requests.connections[index].unread.isEmpty || !requests.connections[index].owed.isEmpty
        {
          markEffect(of: cause)
        }
        readLoads(index)
        if requests.connections[index].stall.isEmpty { payOwed(index) }
      }
    }
  }

  mutating func changeLoadNames(of host: Int, _ word: NamesWord, cause: UInt32) {
    for index in liveLoads(to: host) where requests.connections[index].phase == .resolving {
      switch word {
      case .fail:
        markEffect(of: cause)
        loseLoads(index, RequestErrorCode.cannotFindHost)
      case .resolve:
        markEffect(of: cause)
        connectLoad(index)
      case .hang:
        break
      }
    }
  }

  mutating func changeLoadTransport(of host: Int, _ word: TransportWord, cause: UInt32) {
    switch word {
    case .stall, .stallAcked:
      for index in liveLoads(to: host) where isEstablishedLoad(index) {
        markEffect(of: cause)
        requests.connections[index].stall.insert(word == .stall ? .held : .discarded)
      }
    case .blackholeConnect:
      // The host is marked by whoever calls.
      break
    case .reset, .fin, .halfClose:
      loseAllLoads(to: host, cause: cause)
    case .kill:
      // The own kernel acts, so that not even a stall keeps the news away.
      loseAllLoads(to: host, cause: cause, isHeardThroughStalls: true)
    case .resume:
      for index in liveLoads(to: host) { resumeLoad(index, cause: cause) }
    }
  }

  private mutating func resumeLoad(_ index: Int, cause: UInt32) {
    if !requests.connections[index].stall.isEmpty {
      markEffect(of: cause)
      if requests.connections[index].stall.contains(.discarded) {
        requests.connections[index].unsent = []
        requests.connections[index].owed = []
      }
      requests.connections[index].stall = []
      if let code = requests.connections[index].hiddenLoss { return loseLoads(index, code) }
      deliverUnsent(index)
      payOwed(index)
    }
    if requests.connections[index].handshakeIsDue {
      requests.connections[index].handshakeIsDue = false
      markEffect(of: cause)
      schedule(.handshake(identifier(ofLoad: index)))
    }
  }

  private mutating func loseAllLoads(
    to host: Int, cause: UInt32, isHeardThroughStalls: Bool = false
  ) {
    for index in liveLoads(to: host) where isEstablishedLoad(index) {
      markEffect(of: cause)
      if requests.connections[index].stall.isEmpty || isHeardThroughStalls {
        loseLoads(index, RequestErrorCode.connectionLost)
      } else {
        requests.connections[index].hiddenLoss = RequestErrorCode.connectionLost
      }
    }
  }

  /// The connections to a host that are being made or in use.
  private mutating func liveLoads(to host: Int) -> [Int] {
    let live = requests.aliveConnections(to: host)
    looks += live.count
    return live
  }

  private func isEstablishedLoad(_ index: Int) -> Bool {
    requests.connections[index].phase == .established
  }
}
