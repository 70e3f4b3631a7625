import HandoverCore
import HandoverInterceptors
import HandoverTrace

// Calls that go through interceptors: the user stands before the chain, the client behind it.
extension World {
  /// A user makes a call and does not start it: nobody else knows of it, but for the interceptors
  /// that are made with it.
  mutating func makeIntercepted(_ call: Int) {
    guard context.script.calls[call].isIntercepted(by: context.configuration.chain) else { return }
    chains?.make(call, of: context.script)
  }

  /// A user starts a call that is intercepted.
  mutating func startIntercepted(_ call: Int) {
    chains?.start(call, of: context.script)
  }

  /// The user of an intercepted call asks for something; false where the call is not intercepted.
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

  /// The timeline tells a link to do something to a call.
  mutating func command(
    _ link: Int, call: Int, _ word: InterceptorWord, _ status: StatusCode
  ) {
    guard let id = chains?.table.ids[call] else { return }
    chains?.command(
      GateInterceptor.command(word, status), named: context.configuration.chain.links[link].name,
      of: id)
  }

  // MARK: Work

  /// Lets chains do everything they have to do at this instant.
  mutating func workChains() {
    while hasChains, context.isWithinLimits {
      if let report = chains?.nextReport() {
        chains?.hear(report)
      } else if let wish = chains?.nextWish(telling: &context.trace, at: context.now) {
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

  private mutating func carryOut(_ wish: ChainWish) {
    switch wish {
    case .order(let order, let id, let call, let attempt):
      let given = InterceptorDriver.GivenOrder(
        order: order, chain: id, call: call, attempt: attempt, at: context.now)
      // Links may have their turn after the application was suspended at the same instant; and
      // what is held is not overtaken.
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

  /// The application runs again: what chains ordered meanwhile reaches the client.
  mutating func releaseHeldOrders() {
    guard context.device.app.runs, let held = chains?.takeHeldOrders() else { return }
    for order in held {
      // What came meanwhile may have ended the attempt; nothing is sent for it then.
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
      let text = context.trace.keep(Message.bytes(bytes).text)
      record(.sentMessage(call: given.call, text: text))
      // The request of such a call goes along with its start.
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

  /// Begins an attempt; its time counts from when it was ordered.
  private mutating func begin(_ given: InterceptorDriver.GivenOrder, _ start: CallStart) {
    let position = given.call
    let call = Int(position)
    let target = context.trace.keep("\(start.request.host) \(start.request.path)")
    record(.attempted(call: position, target: target))
    var headers = start.options.metadata.entries
    if let token = start.options.accessToken {
      headers.append(Metadata.Entry("authorization", "Bearer \(token)"))
    }
    for entry in headers {
      record(.sentHeader(call: position, text: context.trace.keep(entry.text)))
    }
    let id = introduce(call)
    chains?.attempts.begin(id, for: given.chain, attempt: given.attempt)
    let settings = CallSettings(
      deadline: start.options.timeout.map { given.at + $0 } ?? .never,
      failsFast: start.options.failsFast, awaitsToken: context.script.calls[call].tokenDelay != nil,
      requestIsComplete: false)
    deliver(.pool(.callStarted(id, endpoint(for: start, of: call), settings)))
  }

  /// The pooled channel for an attempt; a link may have chosen another host.
  private mutating func endpoint(for start: CallStart, of call: Int) -> EndpointID {
    let key = ChannelKey(
      host: HostName(start.request.host), options: start.options.channel)
    let id = client.register(key)
    if id.index >= client.endpointHosts.count {
      let host =
        context.script.hosts.firstIndex { $0.name == key.host } ?? context.script.calls[call].host
      client.appendEndpoint(
        host: UInt32(truncatingIfNeeded: host), key.options, &context)
      if key.options.keepaliveInterval != nil { countsLateData = true }
    }
    return id
  }

  /// What the client reports goes up the chain, if the call is one of an attempt.
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

  /// An answer of the world arrives; an application that does not run hears it later.
  mutating func chainAnswer(_ question: UInt32) {
    guard context.device.app.runs else {
      chains?.heldAnswers.append(question)
      return
    }
    chains?.answer(question)
  }

  // MARK: Ends

  /// Calls whose users have heard the end are forgotten; what their links owe is told.
  mutating func settleCalls() {
    chains?.settleCalls(telling: &context.trace, at: context.now)
  }

  /// Nothing is due any more: what links owe now they will never pay.
  mutating func auditChains() {
    chains?.audit(telling: &context.trace, at: context.now)
  }

  /// The client is closed: users whose calls never reached it let go of them, and what links
  /// ordered while the application was suspended goes nowhere.
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
