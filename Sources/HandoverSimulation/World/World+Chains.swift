import HandoverCore
import HandoverInterceptors

// Calls with interceptors: the user is at one end of the chain, and the client at the other end.
extension World {
  /// Creates a call for a user without starting it.
  ///
  /// Only the interceptors that are created with the call are affected.
  mutating func makeIntercepted(_ call: Int) {
    guard context.script.calls[call].isIntercepted(by: context.configuration.chain) else { return }
    chains?.make(call, of: context.script)
  }

  /// Starts an intercepted call for a user.
  mutating func startIntercepted(_ call: Int) {
    chains?.start(call, of: context.script)
  }

  /// Passes a user's request to the chain of a call.
  ///
  /// Returns `false` if the call is not intercepted.
  mutating func requestIntercepted(
    _ request: @autoclosure () -> ChainRequest, of call: Int
  ) -> Bool {
    guard hasChains, context.script.calls[call].isIntercepted(by: context.configuration.chain)
    else {
      return false
    }
    guard let id = chains?.table.ids[call] else { return true }
    chains?.request(request(), of: id)
    return true
  }

  /// Makes an interceptor act on a call, as the timeline commands.
  mutating func command(
    _ link: Int, call: Int, _ action: GateAction, _ status: StatusCode
  ) {
    guard let id = chains?.table.ids[call] else { return }
    chains?.command(
      GateInterceptor.command(action, status), named: context.configuration.chain.links[link].name,
      of: id)
  }

  // MARK: Processing

  /// Runs all tasks of the chains that are due at this instant.
  mutating func workChains() {
    while hasChains, context.isWithinLimits {
      if let report = chains?.nextReport() {
        chains?.receive(report)
      } else if let wish = chains?.nextIntent(into: &context.trace, at: context.now) {
        carryOut(wish)
      } else if let queue = chains?.drawQueue() {
        context.steps += 1
        chains?.run(queue, at: context.now)
      } else {
        break
      }
    }
    chainDeadline = chains?.nextDeadline() ?? .never
  }

  private mutating func carryOut(_ wish: ChainIntent) {
    switch wish {
    case .order(let order, let id, let call, let attempt):
      let given = InterceptorDriver.GivenOrder(
        order: order, chain: id, call: call, attempt: attempt, at: context.now)
      // An interceptor may run after the application was suspended at the same instant. Orders must
      // not overtake held orders.
      if context.device.app.runs, !(chains?.holdsOrders() ?? false) {
        carryOut(given)
      } else {
        chains?.hold(given)
      }
    case .ask(let question, let id, let link):
      chains?.ask(question, id, link, &context)
    }
  }

  private mutating func record(_ fact: ChainFact) {
    context.append(.chain(fact))
  }

  // MARK: The transport's end

  /// Carries out the orders that chains gave while the application was suspended.
  mutating func releaseHeldOrders() {
    guard context.device.app.runs, let held = chains?.takeHeldOrders() else { return }
    for order in held {
      // A fact that arrived in the meantime may have ended the attempt. Then no data is sent for
      // it.
      if case .start = order.order {
        carryOut(order)
      } else if chains?.attempts.call(carrying: order.chain, attempt: order.attempt) != nil {
        carryOut(order)
      }
    }
  }

  private mutating func carryOut(_ given: InterceptorDriver.GivenOrder) {
    switch given.order {
    case .start(let start):
      begin(given, start)
      return
    case .send(let bytes):
      let text = context.trace.store(Message.bytes(bytes).text)
      record(.sentMessage(call: given.call, text: text))
      // The request of such a call is part of its start.
      if context.script.calls[Int(given.call)].kind.requestIsCompleteAtStart {
        chains?.report(given.attempt, of: given.chain, .written)
        return
      }
    case .finish, .cancel, .readMessage:
      break
    }
    let fact = chains?.attempts.fact(for: given.order, of: given.chain, attempt: given.attempt)
    if let fact { deliver(.pool(fact)) }
  }

  /// Begins an attempt.
  ///
  /// Its time counts from the instant of the order.
  private mutating func begin(_ given: InterceptorDriver.GivenOrder, _ start: CallStart) {
    let position = given.call
    let call = Int(position)
    let target = context.trace.store("\(start.request.host) \(start.request.path)")
    record(.attempted(call: position, target: target))
    var headers = start.options.metadata.entries
    if let token = start.options.accessToken {
      headers.append(Metadata.Entry("authorization", "Bearer \(token)"))
    }
    for entry in headers {
      record(.sentHeader(call: position, text: context.trace.store(entry.text)))
    }
    let id = introduce(call)
    chains?.attempts.begin(id, for: given.chain, attempt: given.attempt)
    let settings = CallSettings(
      deadline: start.options.timeout.map { given.at + $0 } ?? .never,
      failsFast: start.options.failsFast, awaitsToken: context.script.calls[call].tokenDelay != nil,
      requestIsComplete: false)
    deliver(.pool(.callStarted(id, endpoint(for: start, of: call), settings)))
  }

  /// Returns the pooled channel for an attempt.
  ///
  /// An interceptor may have changed the host.
  private mutating func endpoint(for start: CallStart, of call: Int) -> EndpointID {
    let key = ChannelKey(
      host: HostName(start.request.host), options: start.options.channel)
    let id = client.calls.register(key)
    if id.index >= client.calls.endpointHosts.count {
      let host =
        context.script.hosts.firstIndex { $0.name == key.host } ?? context.script.calls[call].host
      client.calls.appendEndpoint(
        host: UInt32(truncatingIfNeeded: host), key.options, &context)
      if key.options.keepaliveInterval != nil { countsLateData = true }
    }
    return id
  }

  /// Reports an effect of the client to the chain of its call, if the call has one.
  mutating func reportToChain(_ effect: ClientEffect) {
    switch effect {
    case .deliverMessage(let call):
      chains?.report(call, .headers(["server": "example"]))
      chains?.report(call, .message(Array("answer".utf8)))
    case .sendMessages(let call, _, let count, _):
      for _ in 0..<count { chains?.report(call, .written) }
    case .endCall(let call, let end):
      if end.code == .ok {
        chains?.report(call, .headers(["server": "example"]))
        switch context.script.calls[Int(network.streams.index(of: call))].kind {
        case .unary, .clientStreaming: chains?.report(call, .message(Array("answer".utf8)))
        case .streaming, .bidi: break
        }
      }
      chains?.report(
        call, .ended(CallStatus(end), trailers: end.code == .ok ? ["server-status": "done"] : nil))
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .fetchToken,
      .openConnection, .closeConnection, .startStream, .finishStream, .resetStream, .sendPing:
      break
    }
  }

  // MARK: Answers

  /// Delivers an answer of the world.
  ///
  /// A suspended application receives it later.
  mutating func chainAnswer(_ question: UInt32) {
    guard context.device.app.runs else {
      chains?.heldAnswers.append(question)
      return
    }
    chains?.answer(question)
  }

  // MARK: Ends

  /// Forgets calls whose users have received the end, and reports their interceptors' unmet
  /// obligations.
  mutating func settleCalls() {
    chains?.settleCalls(into: &context.trace, at: context.now)
  }

  /// Reports all unmet obligations.
  ///
  /// No more events are due, so they will never be met.
  mutating func auditChains() {
    chains?.audit(into: &context.trace, at: context.now)
  }

  /// Closes all chains: users release the calls that never reached the client, and held orders are
  /// dropped.
  mutating func closeChains() {
    workChains()
    chains?.forgetUnstarted()
    chains?.cancelAll()
    workChains()
    chains?.answerNothingMore()
    workChains()
    settleCalls()
  }
}
