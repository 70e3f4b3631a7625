package import HandoverCore
package import HandoverReference

// Converts state machine events and trace records to the terms of the reference.
extension Terms {
  /// Creates the terms from a profile.
  ///
  /// - Parameters:
  ///   - profile: the profile.
  ///   - idle: the time for which a run keeps unused channels, or `nil` to use the profile's value.
  ///   - isTimed: whether instants are the times at which events happened.
  package init(_ profile: Profile, idle: Interval? = nil, isTimed: Bool) {
    let kept = idle ?? profile.policy.unusedChannelLifetime
    self.init(
      hasMonitor: profile.policy.monitorsReachability,
      breakDestroys: profile.policy.brokenConnectionDestroysChannel,
      nameEndsCalls: profile.policy.nameFailureEndsCalls, keptUnused: kept?.microseconds,
      isTimed: isTimed)
  }
}

extension Reference {
  /// The maximum number of concurrent calls in a history.
  ///
  /// More calls would take too long to check.
  private static let maximumCalls = 200

  /// Checks the history of a client in a trace.
  ///
  /// - Returns: the first sentence that does not hold, with its time, or `nil` if all hold.
  package static func judge(
    _ records: some Sequence<TraceRecord>, _ terms: Terms,
    sentences: [RequirementSentence] = RequirementSentence.all
  ) -> (sentence: RequirementSentence, at: Int64)? {
    var reference = Reference(terms, sentences: sentences)
    var step: Step?
    var wokeAt: Int64?
    func finish() -> RequirementSentence? {
      defer { step = nil }
      return step.flatMap { reference.judge($0) }
    }
    for record in records {
      let at = record.at.microseconds
      switch record.body {
      case .event(let event):
        let last = step?.at ?? at
        if let broken = finish() { return (broken, last) }
        guard reference.past.calls.count <= maximumCalls else { return nil }
        step = Step(at: at, Fact(event), isAtWaking: at == wokeAt)
      case .effect(let effect): step?.orders.append(Order(effect))
      case .world(.deviceWoke): wokeAt = at
      case .world, .chain, .request: break
      }
    }
    let last = step?.at ?? 0
    return finish().map { ($0, last) }
  }
}

extension Step {
  /// Creates a step of a client.
  package init(
    _ event: ClientCore.Event, _ effects: [ClientEffect], at now: Instant
  ) {
    self.init(at: now.microseconds, Fact(event), effects.map(Order.init))
  }
}

extension Fact {
  // long: a flat switch, one line for each fact
  init(_ event: ClientCore.Event) {
    self =
      switch event {
      case .reachability(.initialRead(let flags)): .firstRead(flags.map(Flags.init))
      case .reachability(.callback(let flags)), .reachability(.resynchronized(let flags)):
        .callback(Flags(flags))
      case .pool(.callStarted(let call, let endpoint, let settings)):
        .starts(
          call: call.number, host: Int(endpoint.index), failsFast: settings.failsFast,
          awaitsToken: settings.awaitsToken,
          deadline: settings.deadline == .never ? nil : settings.deadline.microseconds)
      case .pool(.tokenArrived(let call)): .token(call: call.number)
      case .pool(.callCancelled(let call)): .cancelled(call: call.number)
      case .pool(.messageReceived(let call)): .answered(call: call.number)
      case .pool(.streamEnded(let call, let code)):
        .serverEnded(call: call.number, status: Int(code.rawValue))
      case .pool(.connected(let connection)): .connected(connection.number)
      case .pool(.connectFailed(let connection, let failure)):
        .failed(connection.number, isNameFailure: failure == .nameResolutionFailed)
      case .pool(.connectionBroken(let connection, _)): .broke(connection.number)
      case .pool(.connectionDraining(let connection)): .drains(connection.number)
      case .pool(.disconnectRequested(let endpoint)): .disconnects(host: Int(endpoint.index))
      case .pool(.disconnectAllRequested): .disconnectsAll
      case .pool(.timeElapsed): .time
      case .pool(.closed): .closes
      case .pool(.messageQueued), .pool(.requestFinished), .pool(.pongReceived),
        .pool(.dataReceived):
        .other
      }
  }
}

extension Order {
  // long: a flat switch, one line for each order
  init(_ effect: ClientEffect) {
    self =
      switch effect {
      case .notify: .notifies
      case .channelCreated(let channel):
        .makesChannel(channel.number, host: Int(channel.endpoint.index))
      case .channelMoved(let channel, let from, let to):
        .moves(channel.number, from: ChannelPhase(from), to: ChannelPhase(to))
      case .channelDestroyed(let channel, _): .destroys(channel.number)
      case .callBound(let call, let channel, _):
        .binds(call: call.number, channel: channel.number)
      case .openConnection(let connection, let channel):
        .opens(connection: connection.number, channel: channel.number)
      case .closeConnection(let connection): .shuts(connection: connection.number)
      case .startStream(let call, let connection), .sendMessages(let call, let connection, _, _),
        .finishStream(let call, let connection), .resetStream(let call, let connection):
        .sends(call: call.number, connection: connection.number)
      case .deliverMessage(let call): .gives(call: call.number)
      case .endCall(let call, let end): .ends(call: call.number, status: Int(end.code.rawValue))
      case .fetchToken, .sendPing: .other
      }
  }
}

extension Flags {
  fileprivate init(_ flags: ReachabilityFlags) {
    self.init(
      isReachable: flags.contains(.reachable),
      needsConnection: flags.contains(.connectionRequired), isWWAN: flags.contains(.isWWAN))
  }
}

extension ChannelPhase {
  fileprivate init(_ state: ChannelState) {
    self =
      switch state {
      case .idle: .idle
      case .connecting: .connecting
      case .ready: .ready
      case .transientFailure: .transientFailure
      case .shutdown: .shutdown
      }
  }
}

extension CallID {
  /// A number that is unique among calls.
  fileprivate var number: Int { Int(generation) << 32 | Int(index) }
}

extension ConnectionID {
  /// A number that is unique among connections.
  fileprivate var number: Int { Int(generation) << 32 | Int(index) }
}

extension ChannelID {
  /// A number that is unique among channels.
  fileprivate var number: Int { Int(generation) << 32 | Int(endpoint.index) }
}
