import HandoverCore
import HandoverEngine

// Sentences about the events that the client receives.
extension RunStory {
  mutating func describe(_ event: ChannelPool.Event) {
    switch event {
    case .tokenArrived(let call): say("the token of \(name(call)) is there", "C6")
    case .connected(let connection):
      say("\(connections.name(connection)) is made")
    case .connectFailed(let connection, let failure):
      let isIgnored = failure == .nameResolutionFailed && !profile.policy.nameFailureEndsCalls
      say(
        "\(connections.name(connection)) fails: \(failure.reason)"
          + (isIgnored ? "; the waiting calls get no error" : ""),
        items: isIgnored ? ["B11"] : [])
    case .connectionBroken(let connection, let failure):
      say("\(connections.name(connection)) breaks: \(failure.reason)", items: items(of: failure))
    case .connectionDraining(let connection):
      say("the server takes no new calls on \(connections.name(connection))", "B8")
    case .pongReceived(let connection):
      unansweredPings.removeAll { $0 == connection }
      let name = connections.name(connection)
      paragraphs.fold(
        Repeatable(
          one: "a ping over \(name) is answered", before: "",
          after: " pings over \(name) are answered"),
        at: now)
    case .streamEnded(let call, let code):
      // The next record reports this end to the user.
      if case .effect(.endCall(call, _)) = body() { break }
      say("the server ends \(name(call)) with \(code), and no call waits for it", "C5")
    case .closed, .callStarted, .messageQueued, .requestFinished, .callCancelled,
      .disconnectRequested, .disconnectAllRequested:
      // The sentence about the timeline's entry already covers this.
      break
    case .messageReceived, .dataReceived, .timeElapsed:
      // The sentences about the effects of this event cover it.
      break
    }
  }

  /// Returns the requirements that a broken connection shows.
  private func items(of failure: ConnectionFailure) -> [String] {
    switch failure {
    case .aborted:
      guard let move = lastMove, move.at > .zero else { return [] }
      if profile.transport.hasStreamEvents {
        return move.from == .cellular && move.to == .wifi ? ["D3c", "D10"] : ["D10"]
      }
      return move.at != now ? [] : move.from == move.to ? ["D3b"] : ["D3a"]
    case .closed: return ["S3"]
    case .streamAborted, .streamReset, .streamTimedOut: return ["S7"]
    case .keepaliveTimeout: return ["B7"]
    case .networkUnreachable, .nameResolutionFailed, .connectTimedOut, .refused, .reset, .timedOut:
      return []
    }
  }
}

// Sentences about the effects of the client, including its reports to the user.
extension RunStory {
  mutating func describe(_ effect: ClientEffect) {
    switch effect {
    case .notify(let change): describeNotification(change)
    case .channelCreated(let id): describeCreated(id)
    case .channelMoved(let id, let from, let to): describeMoved(id, from, to)
    case .channelDestroyed(let id, let reason): describeDestroyed(id, reason)
    case .callBound(let call, let channel, let isNew): describeBound(call, channel, isNew: isNew)
    case .fetchToken(let call): say("\(name(call)) waits for its token", "C6")
    case .openConnection(let connection, _):
      // The sentence about the attempt includes the network.
      if case .world(.attemptBegan(connection, _, _)) = body() { break }
      say("an attempt to connect begins")
    case .closeConnection(let connection): describeClosed(connection)
    case .startStream(let call, let connection): describeSent(call, connection)
    case .sendMessages(let call, _, let count, _):
      let name = name(call)
      paragraphs.fold(
        Repeatable(
          one: "a message of \(name) is sent", before: "", after: " messages of \(name) are sent"),
        count: Int(count), at: now)
    case .finishStream(let call, _):
      // If the request is complete from the start, its completion is not worth a sentence.
      guard let index = run.index(of: call), !script.calls[index].kind.requestIsCompleteAtStart
      else { break }
      say("the server is notified that the requests of \(name(call)) are complete")
    case .resetStream(let call, _):
      // If the end of the call comes next, only that is described, because it is the cause.
      if case .effect(.endCall(call, _)) = body() { break }
      say("the server is notified that \(name(call)) is over")
    case .sendPing(let connection):
      unansweredPings.append(connection)
      let name = connections.name(connection)
      paragraphs.fold(
        Repeatable(
          one: "a ping is sent over \(name)", before: "", after: " pings are sent over \(name)",
          items: ["B7"]), at: now)
    case .deliverMessage(let call):
      let name = name(call)
      paragraphs.fold(
        Repeatable(one: "\(name) gets a message", before: "\(name) gets ", after: " messages"),
        at: now)
    case .endCall(let call, let end): describeEnd(of: call, end)
    }
  }

  // MARK: Channels

  private mutating func describeClosed(_ connection: ConnectionID) {
    let name = connections.name(connection)
    let isAttempt = !connections.isMade(connection)
    // Closes that no other event caused are the effect of a timer.
    guard case .event(.pool(.timeElapsed)) = body(-1) else {
      say(isAttempt ? "\(name) is given up" : "\(name) is closed")
      return
    }
    if isAttempt {
      say("\(name) has had no answer in time and is given up", "B1")
    } else if unansweredPings.contains(connection) {
      say("a ping over \(name) has had no answer in time, and the connection is closed", "B7")
    } else {
      say("\(name) is closed")
    }
  }

  private mutating func describeCreated(_ id: ChannelID) {
    let endpoint = Int(id.endpoint.index)
    guard endpoint < options.count else { return }
    options[endpoint] = ChannelOptions()
    if case .effect(.callBound(let call, id, true)) = body(), let index = run.index(of: call) {
      options[endpoint] = script.calls[index].options
      return
    }
    say("\(name(id)) is made")
  }

  private mutating func describeMoved(_ id: ChannelID, _ from: ChannelState, _ to: ChannelState) {
    switch (from, to) {
    case (_, .connecting):
      if case .effect(.openConnection) = body() { break }
      say("\(name(id)) begins to connect")
    case (.connecting, .ready):
      // The sentence about the connection already covers this.
      if case .event(.pool(.connected)) = body(-1) { break }
      say("\(name(id)) is READY")
    case (.connecting, .transientFailure):
      say(
        "\(name(id)) is in TRANSIENT_FAILURE, and may connect again when its backoff is over", "D4")
    case (_, .transientFailure): say("\(name(id)) goes to TRANSIENT_FAILURE", "D2")
    case (_, .idle): say("\(name(id)) goes to IDLE, and its next call connects again", "B8")
    case (_, .ready), (_, .shutdown): say("\(name(id)) goes from \(from) to \(to)", "B8")
    }
  }

  private mutating func describeDestroyed(_ id: ChannelID, _ reason: DestroyReason) {
    let what = "\(name(id)) is destroyed"
    switch reason {
    case .transition: say("\(what), because the network has changed", "D9")
    case .disconnected: say("\(what), because the user disconnects it", "P10")
    case .unused:
      let lifetime = script.configuration.idle ?? profile.policy.unusedChannelLifetime
      say("\(what), because it had no call\(lifetime.map { " for \($0.exactText)" } ?? "")", "P6")
    case .broken: say("\(what) together with its connection", "D9")
    case .clientClosed: say("\(what), because the client is closed")
    }
  }

  private mutating func describeBound(_ call: CallID, _ channel: ChannelID, isNew: Bool) {
    let index = run.index(of: call)
    // The token may have arrived long after the start, so that "it" would be ambiguous.
    let caller = name(call)
    guard !isNew else {
      let isFirst = run.channel(channel)?.made == 1
      let what = "\(isFirst ? "a" : "a new") channel\(suffix(channel.endpoint, "to"))"
      say("\(what) is made for \(caller)", items: isFirst ? ["D1"] : [])
      return
    }
    let goes = "\(caller) goes to \(name(channel)) that is there"
    switch run.channel(channel)?.state {
    case .ready, .shutdown, nil: say(goes)
    case .connecting: say("\(goes), and waits until it has connected")
    case .idle, .transientFailure:
      // The next record, an attempt or an immediate end, explains what happens.
      switch body() {
      case .effect(.channelMoved), .effect(.endCall): say(goes)
      case .effect, .event, .world, .chain, .request, nil:
        if let index { calls[index].waitsInBackoff = true }
        say("\(goes), and waits until it may connect again", "D4")
      }
    }
  }

  // MARK: Calls

  private mutating func describeSent(_ call: CallID, _ connection: ConnectionID) {
    let index = run.index(of: call)
    let waited = index.map { calls[$0].waitsInBackoff } ?? false
    if let index { calls[index].waitsInBackoff = false }
    var carrier = connections.name(connection)
    // This sentence directly follows the one about the connection.
    if case .event(.pool(.connected(connection))) = body(-2) { carrier = "it" }
    var text = "\(carrier) carries the request of \(name(call))"
    if case .world(.serverReadRequest) = body() { text += ", and the server reads it" }
    say(text, items: waited ? ["D5a"] : [])
  }

  private mutating func describeEnd(of id: CallID, _ end: CallEnd) {
    let index = run.index(of: id)
    let waited = index.map { calls[$0].waitsInBackoff } ?? false
    let call = name(id)
    var text = isAttempt(id) ? "ended \(end.code)" : "ends \(end.code)"
    if end.text != .empty, end.text != .deadlineExceeded { text += " with \"\(end.text.text)\"" }
    if let index {
      if end.code != .ok, end.text != .cancelledByApplication, let changed = calls[index].changedAt,
        changed < now
      {
        text += ", \(now.since(changed).exactText) after the change"
      }
      calls[index].waitsInBackoff = false
    }
    switch end.text {
    case _ where isAttempt(id): text = "an attempt of \(call) is over: it \(text)"
    case .deadlineExceeded: text = "the deadline of \(call) passes and it \(text)"
    case .transientFailure: text = "\(call) does not wait and \(text)"
    case .empty, .connectivityLost, .notCreated, .channelDisconnected, .cancelledByApplication,
      .clientClosed, .networkUnreachable, .nameResolutionFailed, .connectTimedOut,
      .connectionRefused, .connectionAborted, .connectionReset, .connectionTimedOut,
      .socketClosed, .keepaliveTimeout, .streamAborted, .streamReset, .streamTimedOut,
      .cancelledByLink, .noAccessToken, .noTransport, .transportChanged:
      text = "\(call) \(text)"
    }
    say(text, items: items(of: end, waited: waited))
    if case .effect(.resetStream(id, _)) = body(-1) { say("the server is notified") }
  }

  /// Returns whether interceptors determine which end of the call the user receives.
  private func isAttempt(_ id: CallID) -> Bool {
    run.index(of: id).map { script.calls[$0].isIntercepted(by: script.configuration.chain) }
      ?? false
  }

  private func items(of end: CallEnd, waited: Bool) -> [String] {
    switch end.text {
    case .empty, .clientClosed: []
    case .connectivityLost: waited ? ["C2", "C8"] : ["C2"]
    case .notCreated: ["C13"]
    case .channelDisconnected: ["P10"]
    case .transientFailure: ["D7"]
    case .cancelledByApplication: ["B10"]
    case .deadlineExceeded: waited ? ["D5c"] : ["B10"]
    case .networkUnreachable, .nameResolutionFailed, .connectionRefused: waited ? ["D5b"] : []
    case .connectTimedOut: waited ? ["D5b"] : ["B1"]
    case .connectionAborted, .connectionReset, .connectionTimedOut, .socketClosed: ["B10"]
    case .keepaliveTimeout: ["B7"]
    case .streamAborted, .streamReset, .streamTimedOut: ["S7"]
    // The chain produces these ends, not the client.
    case .cancelledByLink, .noAccessToken, .noTransport, .transportChanged: []
    }
  }
}

extension ConnectionFailure {
  /// The reason as a clause.
  fileprivate var reason: String {
    switch self {
    case .networkUnreachable: "there is no network"
    case .nameResolutionFailed: "the name cannot be resolved"
    case .connectTimedOut: "no answer came in time"
    case .refused: "the server refuses it"
    case .aborted: "its socket was aborted"
    case .reset: "the far side resets it"
    case .timedOut: "what was sent was not acknowledged in time"
    case .closed: "the far side has ended it"
    case .streamAborted: "its stream was aborted"
    case .streamReset: "the far side resets its stream"
    case .streamTimedOut: "what its stream sent was not acknowledged in time"
    case .keepaliveTimeout: "a ping has had no answer in time"
    }
  }
}
