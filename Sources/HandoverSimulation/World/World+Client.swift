import HandoverBackend
import HandoverCore

// Facts for the client, and its orders.
extension World {
  /// Passes a fact to the client and carries out its orders.
  ///
  /// A suspended client receives the fact when it runs again.
  mutating func deliver(_ event: ClientCore.Event) {
    // A running application receives every event.
    guard context.device.app.runs || DeferredEvents.isDelivered(event, in: context.device.app)
    else {
      return context.record(client.calls.held.hold(event))
    }
    context.append(.event(event))
    switch event {
    case .pool(.connected(let id)): network.clientConnects(id)
    case .pool(.connectionDraining(let id)): network.clientReadsGoAway(on: id)
    default: break
    }
    let first: Int
    do throws(BackendError) {
      first =
        failure == nil
        ? try client.calls.handle(event, at: context.now) : client.calls.effects.count
    } catch {
      failure = error
      first = client.calls.effects.count
    }
    carryOutEffects(first..<client.calls.effects.count)
  }

  /// Starts several calls of one instant together.
  mutating func start(_ calls: [Int], from entry: Int) {
    let ids = calls.map { call in
      let id = client.calls.nextCallID()
      client.calls.remote?.introduce(call, as: id)
      return id
    }
    let events = zip(calls, ids).map { startEvent($0, as: $1) }
    var ends: [Int] = []
    do throws(BackendError) {
      ends = try client.calls.handle(events, at: context.now)
    } catch {
      failure = error
    }
    var first = 0
    for (index, end) in ends.enumerated() {
      context.record(.entryPlayed(UInt32(truncatingIfNeeded: entry + index)))
      introduce(calls[index], as: ids[index])
      context.append(.event(events[index]))
      carryOutEffects(first..<end)
      first = end
    }
  }

  // MARK: Calls

  /// Assigns the client's identifier to a call of the script.
  ///
  /// An earlier attempt of the call is abandoned.
  mutating func introduce(_ call: Int) -> CallID {
    let id = client.calls.nextCallID()
    client.calls.remote?.introduce(call, as: id)
    introduce(call, as: id)
    return id
  }

  private mutating func introduce(_ call: Int, as id: CallID) {
    let index = UInt32(truncatingIfNeeded: call)
    network.streams.introduce(index, as: id, &network.links, &context)
    context.record(.callIntroduced(index, id))
  }

  /// Returns the event that starts a call.
  func startEvent(_ call: Int, as id: CallID) -> ClientCore.Event {
    .pool(
      .callStarted(
        id, client.calls.callEndpoints[call],
        context.script.calls[call].settings(startedAt: context.now)))
  }

  // MARK: Orders

  /// Carries out a range of the orders in the log.
  @inline(__always)
  private mutating func carryOutEffects(_ range: Range<Int>) {
    // Carrying out an order never sends an event to the client, so the log does not change.
    for index in range {
      let effect = client.calls.effects[index]
      context.append(.effect(effect))
      if client.calls.isRemote { keepEndText(effect) }
      carryOut(effect)
      if hasChains { reportToChain(effect) }
    }
  }

  /// Keeps the message with which a replacement client describes the end of a call.
  private mutating func keepEndText(_ effect: ClientEffect) {
    guard case .endCall(let id, _) = effect, let text = client.calls.remote?.endText(of: id) else {
      return
    }
    context.trace.endTexts.store(text, of: id)
  }

  /// Carries out an order.
  ///
  /// Inlined, because half of the orders need no action here.
  @inline(__always)
  mutating func carryOut(_ effect: ClientEffect) {
    switch effect {
    case .openConnection(let connection, let channel):
      open(connection, to: client.calls.endpointHosts[Int(channel.endpoint.index)])
    case .closeConnection(let connection):
      guard network.links.isCurrent(connection) else { return }
      network.close(connection, &context)
      if hasTransport { sendToTransport(.close(connection)) }
    case .startStream(let call, let connection):
      let index = network.streams.index(of: call)
      if network.quic != nil { network.carry(index, on: connection, &context) }
      write(.request, of: index, to: connection)
    case .sendMessages(let call, let connection, let count, let bytes):
      write(
        .messages(count: count, bytes: bytes), of: network.streams.index(of: call), to: connection)
    case .finishStream(let call, let connection):
      write(.finish, of: network.streams.index(of: call), to: connection)
    case .resetStream(let call, let connection):
      write(.reset, of: network.streams.index(of: call), to: connection)
    case .sendPing(let connection):
      write(.ping, of: .max, to: connection)
    case .fetchToken(let call):
      let index = network.streams.index(of: call)
      let delay = context.script.calls[Int(index)].tokenDelay ?? .zero
      context.schedule(.token(index), after: delay)
    case .endCall(let call, _):
      let index = network.streams.index(of: call)
      network.streams[index].callHasEnded = true
      if network.quic != nil { network.carry(index, on: nil, &context) }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .deliverMessage:
      break
    }
  }

  private mutating func open(_ connection: ConnectionID, to host: UInt32) {
    network.register(connection, host: host, context)
    context.record(.attemptBegan(connection, host: host, context.route(to: host)))
    if hasTransport {
      sendToTransport(.connect(connection, host: host))
    } else {
      network.beginAttempt(connection, &context)
    }
  }

  @inline(__always)
  private mutating func write(_ write: Write, of call: UInt32, to connection: ConnectionID) {
    guard network.links.isCurrent(connection),
      network.links.connections[Int(connection.index)].phase == .established
    else { return }
    if hasTransport {
      writeToTransport(write, of: call, to: connection)
    } else {
      network.write(write, of: call, to: connection, &context)
    }
  }

  // MARK: A transport in another process

  /// Sends a fact to the transport.
  ///
  /// Never inlined, because its callers are inlined, and inlining would slow down runs without such
  /// a transport.
  @inline(never)
  mutating func sendToTransport(_ fact: TransportFact) {
    guard failure == nil else { return }
    do throws(BackendError) {
      try transport?.send(fact, network, &context)
    } catch {
      failure = error
    }
  }

  @inline(never)
  private mutating func writeToTransport(
    _ write: Write, of call: UInt32, to connection: ConnectionID
  ) {
    guard failure == nil else { return }
    do throws(BackendError) {
      try transport?.write(write, of: call, to: connection, &network, &context)
    } catch {
      failure = error
    }
  }
}
