import HandoverCore

/// A trace that contains every case of every enum.
enum EveryRecord {
  static var script: Script {
    var script = Script()
    script.hosts = [ScriptHost(written: "a.example:443"), ScriptHost(written: "b \"2\"")]
    script.paths.append("wifi-B")
    script.configuration.idle = .seconds(30)
    script.configuration.seed = .max
    script.configuration.keepalive = KeepaliveConfiguration(time: .seconds(10))
    script.calls = [
      ScriptCall(id: "first", host: 0, kind: .unary, takes: nil),
      ScriptCall(
        id: "second\n", host: 1, kind: .bidi, takes: nil,
        options: ChannelOptions(
          connectMinTimeout: .seconds(1), connectInitialBackoff: .seconds(2),
          connectMaxBackoff: .seconds(3), keepaliveInterval: .seconds(4),
          keepaliveTimeout: .seconds(5), others: ["retry=1"])),
    ]
    script.configuration.chain.links = [InterceptorScript(name: "log \"1\"", kind: .logging)]
    script.requests = [
      ScriptRequest(id: "stream \"1\"", host: 0, kind: .long, takes: nil),
      ScriptRequest(id: "short", host: 1, kind: .short, takes: .zero),
    ]
    script.questions = [ScriptQuestion(id: "before\n", host: 1, kind: .long)]
    script.pools.append("second")
    script.entries = ContiguousArray(
      actions.map { ScriptEntry(at: .zero, action: $0) })
    return script
  }

  static let actions: [ScriptAction] = [
    .flags([.reachable], path: nil, linksUp: [], linksDown: []), .path(Script.cellularPath),
    .app(.background), .startCall(0), .cancel(0), .finish(0), .send(0, bytes: 1),
    .disconnect(.all), .server(0, .close), .names(0, .fail), .transport(.all, .stall),
    .monitor(.miss, by: .zero), .receive(1, count: 2),
    .interceptor(0, call: 1, .close, .unavailable), .request(0), .cancelRequest(1), .ask(0),
    .dispatcher(1, .close), .makeCall(1),
  ]

  static let first = CallID(index: 0, generation: 0)
  static let second = CallID(index: 0, generation: 1)
  static let channel = ChannelID(endpoint: EndpointID(index: 1), generation: 3)
  static let connection = ConnectionID(index: 2, generation: 4)

  static var trace: Trace {
    var trace = Trace()
    trace.endpointHosts = [0, 1]
    let kinds: [[TraceRecord.Body]] = [
      facts.map(TraceRecord.Body.world), events.map(TraceRecord.Body.event),
      effects.map(TraceRecord.Body.effect), chainFacts(&trace).map(TraceRecord.Body.chain),
      requestFacts.map(TraceRecord.Body.request),
    ]
    // Each kind has its own second, so that an additional record does not change the others.
    for (kind, bodies) in kinds.enumerated() {
      for (index, body) in bodies.enumerated() {
        trace.append(body, at: Instant(microseconds: Int64(kind * 1_000_000 + index * 1_000)))
      }
    }
    return trace
  }

  static var requestFacts: [RequestFact] {
    let admissions: [Admission] = [
      .startsNow, .waits(position: 3), .freezes, .polls(position: 0),
      .refused(.longLimitThrowing), .refused(.longLimitFailing), .refused(.closed),
    ]
    let ends: [RequestEnd] = [
      .finished, .failed(code: -1001), .notStarted, .connectionLost, .timedOut, .queueTimeout,
      .deadlineExceeded, .cancelled, .closed,
    ]
    let facts: [RequestFact] = [
      .heldSlot(question: 0, request: 1), .arrived(request: 0, nil), .limitReached(request: 0),
      .waits(request: 1, position: 2), .handedOver(request: 0), .froze(request: 0),
      .thawed(request: 0),
      .connectionOpened(0, host: 1, pool: 1, Script.cellularPath),
      .connectionOpened(1, host: 0, pool: 0, nil), .carried(request: 1, connection: 1),
      .retried(request: 1, connection: 1),
      .responded(request: 1), .received(request: 1), .pollAnswered(request: 0),
      .connectionClosed(0), .connectionLost(1), .slotReleased(request: 1),
      .longLimitChanged(pool: 1, 3), .dispatcherClosed(pool: 0), .runsOn(request: 1, thread: 2),
    ]
    let changes = ThreadChange.allCases.map { change in
      RequestFact.thread(change, 2, host: 1, pool: 0)
    }
    return facts + changes + admissions.map { .answered(question: 0, $0) }
      + admissions.map { .arrived(request: 1, $0) } + ends.map { .ended(request: 0, $0) }
  }

  static func chainFacts(_ trace: inout Trace) -> [ChainFact] {
    let text = trace.store("key: \"value\"\n")
    var facts: [ChainFact] = [
      .linkMade(call: 0, link: 0), .linkSkipped(call: 0, link: 0), .linkLeft(call: 0, link: 0),
      .noted(call: 1, link: 0, text: text), .attempted(call: 1, target: text),
      .sentHeader(call: 0, text: text), .sentMessage(call: 0, text: text),
      .trailer(call: 0, text: trace.store("other")),
      .closed(call: 0, CallEnd(.unavailable, .connectivityLost)),
      .broke(call: 0, link: ChainFact.ownLink, .nothingToStart),
    ]
    facts += ChainStep.allCases.map { .took(call: 0, link: 0, $0) }
    facts += ChainStep.allCases.map { .received(call: 1, $0, text: text) }
    facts += InterceptorViolation.allCases.map { .broke(call: 0, link: 0, $0) }
    return facts
  }

  /// Every entry, and the examples of all other facts.
  static var facts: [WorldFact] {
    let others = WorldFact.examples.filter { if case .entryPlayed = $0 { false } else { true } }
    return actions.indices.map { .entryPlayed(UInt32($0)) } + others
  }

  static var events: [ClientCore.Event] {
    let reachability: [ConnectivityMonitor.Event] = [
      .initialRead(nil), .initialRead([]), .callback(.all),
      .resynchronized([.reachable, ReachabilityFlags(rawValue: 1 << 30)]),
    ]
    var pool: [ChannelPool.Event] = [
      .callStarted(first, EndpointID(index: 1), CallSettings()),
      .callStarted(
        second, EndpointID(index: 0),
        CallSettings(
          deadline: Instant(microseconds: 5), failsFast: true, awaitsToken: true,
          requestIsComplete: false)),
      .tokenArrived(first), .messageQueued(second, bytes: .max), .requestFinished(second),
      .callCancelled(CallID(index: 5, generation: 6)), .connected(connection),
      .connectionDraining(connection), .pongReceived(connection), .dataReceived(connection),
      .messageReceived(first), .disconnectRequested(EndpointID(index: 1)), .disconnectAllRequested,
      .timeElapsed, .closed,
    ]
    pool += ConnectionFailure.allCases.map { .connectFailed(connection, $0) }
    pool += ConnectionFailure.allCases.map { .connectionBroken(connection, $0) }
    pool += StatusCode.allCases.map { .streamEnded(first, $0) }
    return reachability.map { .reachability($0) } + pool.map { .pool($0) }
  }

  static var effects: [ClientEffect] {
    var effects: [ClientEffect] = [
      .channelCreated(channel), .callBound(first, channel, isNew: true),
      .callBound(second, channel, isNew: false), .fetchToken(first),
      .openConnection(connection, channel), .closeConnection(connection),
      .startStream(first, connection), .sendMessages(second, connection, count: 2, bytes: 3),
      .finishStream(second, connection), .resetStream(first, connection), .sendPing(connection),
      .deliverMessage(second),
    ]
    let categories = NetworkCategory.allCases
    effects += categories.map { .notify(CategoryChange(from: $0, to: .wifi)) }
    effects += ChannelState.allCases.map { .channelMoved(channel, from: .idle, to: $0) }
    effects += DestroyReason.allCases.map { .channelDestroyed(channel, $0) }
    effects += StatusText.allCases.map { .endCall(first, CallEnd(.unavailable, $0)) }
    return effects
  }
}
