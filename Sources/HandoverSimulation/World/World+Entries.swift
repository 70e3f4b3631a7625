import HandoverBackend
import HandoverCore
import HandoverInterceptors

// The entries of the timeline.
extension World {
  /// Runs an entry of the timeline.
  mutating func play(_ entry: Int) {
    if client.calls.isRemote, playTogether(from: entry) { return }
    context.now = max(context.now, context.script.entries[entry].at)
    context.steps += 1
    let cause = UInt32(truncatingIfNeeded: entry)
    context.record(.entryPlayed(cause))
    perform(context.script.entries[entry].action, cause: cause)
    if hasChains, !takesTurnsWithNext(entry) { workChains() }
  }

  /// Returns whether the tasks of an entry and of the next one run in random order, because both
  /// share an instant.
  private func takesTurnsWithNext(_ entry: Int) -> Bool {
    context.configuration.chain.isShuffled && entry + 1 < context.script.entries.count
      && context.script.entries[entry + 1].at == context.script.entries[entry].at
  }

  /// Starts several calls of one instant together, because nothing that the client does for one
  /// call delays the user's next one.
  ///
  /// - Returns: whether the entry was run, now or together with an earlier one.
  private mutating func playTogether(from entry: Int) -> Bool {
    if entry < firstUnplayed { return true }
    guard failure == nil, context.turns == nil, client.calls.acceptsBatches,
      context.device.app.runs
    else { return false }
    let script = context.script
    var calls: [Int] = []
    for other in script.entries[entry...] {
      guard other.at == script.entries[entry].at, case .startCall(let call) = other.action
      else { break }
      calls.append(call)
    }
    guard calls.count > 1, Set(calls).count == calls.count else { return false }  // lookup only
    firstUnplayed = entry + calls.count
    context.now = max(context.now, script.entries[entry].at)
    context.steps += calls.count
    start(calls, from: entry)
    return true
  }

  mutating func perform(_ action: ScriptAction, cause: UInt32) {
    switch action {
    case .flags, .path, .app, .network, .signal, .power:
      runTimeline(.entry(action, index: cause))
    case .makeCall(let call):
      makeIntercepted(call)
    case .startCall(let call):
      start(call)
    case .cancel(let call):
      if requestIntercepted(.cancel, of: call) { return }
      if let id = client(of: call) { deliver(.pool(.callCancelled(id))) }
    case .finish(let call):
      if requestIntercepted(.finish, of: call) { return }
      if let id = client(of: call) { deliver(.pool(.requestFinished(id))) }
    case .send(let call, let bytes):
      let marshaller = context.script.calls[call].marshaller
      if requestIntercepted(.write(Self.message(bytes, marshaller)), of: call) { return }
      if let id = client(of: call) {
        deliver(.pool(.messageQueued(id, bytes: UInt32(clamping: bytes))))
      }
    case .receive(let call, let count):
      // Without a chain, messages are delivered as they are read.
      _ = requestIntercepted(.receiveNextMessages(count), of: call)
    case .interceptor(let link, let call, let action, let status):
      command(link, call: call, action, status)
    case .disconnect(.all):
      deliver(.pool(.disconnectAllRequested))
    case .disconnect(.one(let host)):
      disconnect(host)
    case .server(let host, let fault):
      command(host, fault, cause: cause)
    case .names(let host, let fault):
      changeNames(of: host, fault, cause: cause)
    case .answer(let host, _):
      // With a transport elsewhere, scripts with addresses are rejected.
      network.changeAnswer(of: host, cause: cause, context)
    case .address(let host, let position, let isReachable):
      network.setReachable(isReachable, position, of: host, cause: cause, &context)
    case .transport(let selector, let fault):
      changeTransport(of: selector, fault, cause: cause)
    case .monitor(let fault, let delay, let path):
      monitor.tamper(fault, by: delay, of: path, cause: cause, &context)
    case .request(let request):
      client.handle(.requestMade(request), &network, &context)
    case .cancelRequest(let request):
      client.handle(.requestCancelled(request), &network, &context)
    case .ask(let question):
      client.handle(.asked(question), &network, &context)
    case .dispatcher(let pool, let command):
      client.handle(.dispatcherCommanded(pool: pool, command), &network, &context)
    }
  }

  /// Returns the client's identifier of a call, or `nil` if the client does not know the call.
  private func client(of call: Int) -> CallID? {
    network.streams[UInt32(truncatingIfNeeded: call)].call
  }

  // MARK: Faults of servers, names and connections

  private mutating func command(_ host: Int, _ fault: ServerFault, cause: UInt32) {
    if hasTransport { return sendToTransport(.server(host: UInt32(host), fault, entry: cause)) }
    network.command(host, fault, cause: cause, &context)
  }

  private mutating func changeNames(of host: Int, _ fault: DNSFault, cause: UInt32) {
    if hasTransport { return sendToTransport(.names(host: UInt32(host), fault, entry: cause)) }
    network.changeNames(of: host, fault, cause: cause, &context)
  }

  private mutating func changeTransport(
    of selector: HostSelector, _ fault: ConnectionFault, cause: UInt32
  ) {
    if hasTransport { return sendToTransport(.fault(selector, fault, entry: cause)) }
    for host in context.script.hosts.indices where selector.includes(host) {
      network.changeTransport(of: host, fault, cause: cause, &context)
    }
  }

  // MARK: Calls

  private static func message(_ bytes: Int, _ marshaller: MarshallerKind?) -> Message {
    guard marshaller == nil else {
      return .value(TextMessage(String(repeating: "m", count: bytes)))
    }
    return .bytes(Array(repeating: UInt8(ascii: "m"), count: bytes))
  }

  private mutating func start(_ call: Int) {
    if hasChains, context.script.calls[call].isIntercepted(by: context.configuration.chain) {
      return startIntercepted(call)
    }
    let id = introduce(call)
    deliver(startEvent(call, as: id))
  }

  private mutating func disconnect(_ host: Int) {
    // Several keys of one host are several pooled channels. Each receives one event, in order.
    for index in client.calls.endpointHosts.indices
    where Int(client.calls.endpointHosts[index]) == host {
      deliver(.pool(.disconnectRequested(EndpointID(index: UInt32(truncatingIfNeeded: index)))))
    }
  }
}
