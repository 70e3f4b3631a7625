import HandoverBackend
import HandoverCore
import HandoverInterceptors
import HandoverTrace

// What the entries of the timeline do.
extension SimulatedRun {
  mutating func perform(_ action: ScriptAction, cause: UInt32) {
    switch action {
    case .flags(let flags, let path, let up, let down):
      follow(device.take(flags, path: path, up: up, down: down))
      platformReports(flags)
    case .path(let path):
      follow(device.move(to: path))
    case .app(let app):
      moveApp(to: app)
    case .makeCall(let call):
      makeIntercepted(call)
    case .startCall(let call):
      if hasChains, script.calls[call].isIntercepted(by: configuration.chain) {
        startIntercepted(call)
      } else {
        start(call)
      }
    case .cancel(let call):
      if requestIntercepted(.cancel, of: call) { return }
      if let id = streams[call].call { tell(.pool(.callCancelled(id))) }
    case .finish(let call):
      if requestIntercepted(.finish, of: call) { return }
      if let id = streams[call].call { tell(.pool(.requestFinished(id))) }
    case .send(let call, let bytes):
      let marshaller = script.calls[call].marshaller
      if requestIntercepted(.write(Self.message(bytes, marshaller)), of: call) { return }
      if let id = streams[call].call {
        tell(.pool(.messageQueued(id, bytes: UInt32(clamping: bytes))))
      }
    case .receive(let call, let count):
      // Without a chain messages come as they are read.
      _ = requestIntercepted(.receiveNextMessages(count), of: call)
    case .interceptor(let link, let call, let word, let status):
      command(link, call: call, word, status)
    case .disconnect(.all):
      tell(.pool(.disconnectAllRequested))
    case .disconnect(.one(let host)):
      disconnect(host)
    case .server(let host, let word):
      if hasTransport {
        return tellTransport(.server(host: UInt32(host), word, entry: cause))
      }
      command(host, word, cause: cause)
      if hasRequests { commandLoads(host, word, cause: cause) }
    case .names(let host, let word):
      if hasTransport {
        return tellTransport(.names(host: UInt32(host), word, entry: cause))
      }
      changeNames(of: host, word, cause: cause)
      if hasRequests { changeLoadNames(of: host, word, cause: cause) }
    case .transport(let selector, let word):
      if hasTransport { return tellTransport(.fault(selector, word, entry: cause)) }
      for host in hosts.indices where selector.includes(host) {
        changeTransport(of: host, word, cause: cause)
        if hasRequests { changeLoadTransport(of: host, word, cause: cause) }
      }
    case .monitor(let word, let delay):
      tamper(word, by: delay, cause: cause)
    case .request(let request):
      make(request)
    case .cancelRequest(let request):
      cancelRequest(request)
    case .ask(let question):
      ask(question)
    case .dispatcher(let pool, let command):
      self.command(pool, command)
    }
  }

  /// Gives a call of the script the identifier that the client will know it by; an attempt before
  /// is over.
  mutating func introduce(_ call: Int) -> CallID {
    let id = nextCallID()
    remote?.introduce(call, as: id)
    introduce(call, as: id)
    return id
  }

  /// A call of the script is known by an identifier from now on.
  mutating func introduce(_ call: Int, as id: CallID) {
    while callPlaces.count <= id.index { callPlaces.append(.max) }
    let former = callPlaces[Int(id.index)]
    if former != .max, let other = streams[Int(former)].call, other.index == id.index {
      formerPlaces[other] = former
    }
    callPlaces[Int(id.index)] = UInt32(truncatingIfNeeded: call)
    if streams[call].call != nil {
      closeStream(UInt32(truncatingIfNeeded: call))
      unlink(UInt32(truncatingIfNeeded: call))
      streams[call] = Stream()
    }
    streams[call].call = id
    trace.append(.world(.callIntroduced(UInt32(truncatingIfNeeded: call), id)), at: now)
  }

  private static func message(_ bytes: Int, _ marshaller: MarshallerWord?) -> Message {
    guard marshaller == nil else {
      return .value(TextMessage(String(repeating: "m", count: bytes)))
    }
    return .bytes(Array(repeating: UInt8(ascii: "m"), count: bytes))
  }

  private mutating func start(_ call: Int) {
    let id = introduce(call)
    tell(startEvent(call, as: id))
  }

  /// What the client is told where a call starts.
  func startEvent(_ call: Int, as id: CallID) -> ClientCore.Event {
    .pool(.callStarted(id, callEndpoints[call], script.calls[call].settings(startedAt: now)))
  }

  private mutating func disconnect(_ host: Int) {
    // Several keys of one host are several pooled channels; each is told once, in their order.
    for index in endpointHosts.indices where Int(endpointHosts[index]) == host {
      tell(.pool(.disconnectRequested(EndpointID(index: UInt32(truncatingIfNeeded: index)))))
    }
  }

  /// The connections follow the device, or do not.
  mutating func follow(_ move: Device.Move) {
    if move.from != move.to {
      trace.append(.world(.deviceMoved(move.to)), at: now)
    }
    if hasRequests { followLoads(move) }
    if hasTransport { return tellTransport(.device(device)) }
    for index in liveRows(on: pathsConcerned(by: move)) {
      guard let path = connections[index].path else { continue }
      if path == move.to, move.from != move.to {
        removeStall(index, [.pathLeft])
        continue
      }
      switch profile.transport.pathLoss.outcome(of: path, when: move, on: device) {
      case .stalls: addStall(index, .pathLeft)
      case .breaks: lose(index, .aborted)
      case nil: break
      }
    }
  }

  /// The paths whose connections do not go on as they are.
  private func pathsConcerned(by move: Device.Move) -> [Int] {
    pathRows.indices.filter { place in
      let path = PathIndex(UInt8(truncatingIfNeeded: place))
      return path == move.to && move.from != move.to
        || profile.transport.pathLoss.outcome(of: path, when: move, on: device) != nil
    }
  }

  /// The application goes to the background, or comes back; where it was suspended and runs again,
  /// it hears what it missed.
  mutating func moveApp(to app: AppState) {
    guard device.app != app else { return }
    let ran = device.app.runs
    device.app = app
    trace.append(.world(.appMoved(app)), at: now)
    if hasTransport { tellTransport(.device(device)) }
    guard app.runs, !ran else { return }
    if monitor.callbackIsHeld {
      monitor.callbackIsHeld = false
      sendCallback(device.flags, after: .zero)
    }
    if hasChains { agenda.schedule(.heldOrders, at: now, .transport) }
    for event in heldEvents { agenda.schedule(.heldEvent(event), at: now, .transport) }
    heldEvents.removeAll(keepingCapacity: true)
    if hasRequests { releaseHeldRequests() }
    guard hasChains else { return }
    for answer in chains?.heldAnswers ?? [] {
      agenda.schedule(.chainAnswer(answer), at: now, .transport)
    }
    chains?.heldAnswers = []
  }
}

extension LinkPhase {
  /// Whether there is a socket, or a stream, that belongs to a path.
  ///
  /// A look-up has none: the system asks again on whatever network there is (B12).
  var hasSocket: Bool { isAlive && self != .resolving }

  /// Whether the connection is being made or in use.
  var isAlive: Bool {
    switch self {
    case .resolving, .connecting, .handshaking, .established: true
    case .gone, .dead: false
    }
  }
}
