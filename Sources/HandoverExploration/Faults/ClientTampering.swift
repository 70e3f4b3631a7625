import HandoverCore

/// An injected bug with which the client misses or misreads an event, or changes an effect.
///
/// It has no state, so the state space of a client with it is as finite as that of any other
/// client.
enum ClientTampering: BitwiseCopyable, Hashable, Sendable {
  /// No injected bug.
  case none
  /// Events of a kind are dropped, or handled twice.
  case deaf(Fact)
  case receivesTwice(Fact)
  /// Effects of a kind are dropped, duplicated, or moved after or before all others of the step.
  case silent(Order)
  case repeats(Order)
  case last(Order)
  case first(Order)
  /// A call that would end with the given text gets another end.
  case ends(StatusText, as: CallEnd)
  /// A call that the server ended gets another end.
  case endsOfServer(as: CallEnd)
  /// The flags of one row of the category table are read as another category.
  ///
  /// The row contains Reachable, ConnectionRequired and IsWWAN as the bits 4, 2 and 1.
  case reads(row: UInt8, as: NetworkCategory)
  /// Irrelevant flags count: if one of these is set, there is no network.
  case heeds(ReachabilityFlags)
  /// The first read is reported like a callback.
  case reportsFirstRead
  /// A failed first read is treated as one of the given category.
  case guesses(NetworkCategory)
  /// The first read is forgotten, so that the category stays Unknown.
  case forgetsFirstRead
  /// Each callback with a network is preceded by one without a network.
  case passesThroughNone
  /// Calls start with other settings than their users requested.
  case starts(Start)
  /// One failure of an attempt or a connection is mistaken for another.
  case mistakes(ConnectionFailure, for: ConnectionFailure)
  /// A disconnect of one host disconnects all, or a disconnect of all disconnects only the first.
  case disconnectsAll
  case disconnectsFirst
  /// A status from the server is reported as another one.
  case answers(StatusCode, as: StatusCode)

  /// A kind of event.
  enum Fact: UInt8, BitwiseCopyable, Hashable, Sendable {
    case callback, lossCallback, reread
    case tokenArrived, messageQueued, requestFinished, callCancelled
    case connected, connectFailed, broken, draining, pong, messageReceived, streamEnded
    case disconnect, disconnectAll
  }

  /// A kind of effect.
  enum Order: UInt8, BitwiseCopyable, Hashable, Sendable {
    case notify, channelCreated, channelMoved, channelDestroyed, callBound, fetchToken
    case closeConnection, startStream, sendMessages, finishStream, resetStream, sendPing
    case deliverMessage, openConnection, endCall, endOfLoss
  }

  /// A change of the settings with which calls start.
  enum Start: UInt8, BitwiseCopyable, Hashable, Sendable {
    case failingFast, waiting, withoutDeadline, withoutToken, complete, withHalfDeadline
    case withDefaultDeadline
  }
}

extension ClientTampering {
  /// Returns the events that replace an event for the client.
  func received(_ event: ClientCore.Event, at now: Instant) -> [ClientCore.Event] {
    switch self {
    case .deaf(let fact): fact.includes(event) ? [] : [event]
    case .receivesTwice(let fact): fact.includes(event) ? [event, event] : [event]
    case .reads, .heeds, .guesses:
      if case .reachability(let fact) = event { [.reachability(read(fact))] } else { [event] }
    case .reportsFirstRead:
      if case .reachability(.initialRead(let flags?)) = event {
        [.reachability(.callback(flags))]
      } else {
        [event]
      }
    case .forgetsFirstRead:
      if case .reachability(.initialRead) = event {
        [.reachability(.initialRead(nil))]
      } else {
        [event]
      }
    case .passesThroughNone:
      if case .reachability(.callback(let flags)) = event, flags.contains(.reachable) {
        [.reachability(.callback([])), event]
      } else {
        [event]
      }
    case .starts(let start):
      if case .pool(.callStarted(let call, let endpoint, let settings)) = event {
        [.pool(.callStarted(call, endpoint, start.changed(settings, at: now)))]
      } else {
        [event]
      }
    case .mistakes(let failure, let other): [Self.mistaken(event, failure, other)]
    case .disconnectsAll:
      if case .pool(.disconnectRequested) = event {
        [.pool(.disconnectAllRequested)]
      } else {
        [event]
      }
    case .disconnectsFirst:
      if case .pool(.disconnectAllRequested) = event {
        [.pool(.disconnectRequested(EndpointID(index: 0)))]
      } else {
        [event]
      }
    case .answers(let code, let other):
      if case .pool(.streamEnded(let call, code)) = event {
        [.pool(.streamEnded(call, other))]
      } else {
        [event]
      }
    case .none, .silent, .repeats, .last, .first, .ends, .endsOfServer: [event]
    }
  }

  private func read(_ fact: ConnectivityMonitor.Event) -> ConnectivityMonitor.Event {
    switch fact {
    case .initialRead(let flags?): .initialRead(taken(flags))
    case .initialRead(nil):
      if case .guesses(let category) = self {
        .initialRead(ClientCore.flags(of: category))
      } else {
        fact
      }
    case .callback(let flags): .callback(taken(flags))
    case .resynchronized(let flags): .resynchronized(taken(flags))
    }
  }

  private func taken(_ flags: ReachabilityFlags) -> ReachabilityFlags {
    if case .reads(let row, let category) = self {
      let own: UInt8 =
        (flags.contains(.reachable) ? 4 : 0) | (flags.contains(.connectionRequired) ? 2 : 0)
        | (flags.contains(.isWWAN) ? 1 : 0)
      return own == row ? ClientCore.flags(of: category) ?? flags : flags
    }
    if case .heeds(let others) = self { return flags.isDisjoint(with: others) ? flags : [] }
    return flags
  }

  private static func mistaken(
    _ event: ClientCore.Event, _ failure: ConnectionFailure, _ other: ConnectionFailure
  ) -> ClientCore.Event {
    if case .pool(.connectFailed(let connection, failure)) = event {
      return .pool(.connectFailed(connection, other))
    }
    if case .pool(.connectionBroken(let connection, failure)) = event {
      return .pool(.connectionBroken(connection, other))
    }
    return event
  }

  /// Returns the effects that replace those of the state machines.
  func given(_ orders: [ClientEffect], after event: ClientCore.Event) -> [ClientEffect] {
    switch self {
    case .silent(let kind): orders.filter { !kind.includes($0) }
    case .repeats(let kind): orders.flatMap { kind.includes($0) ? [$0, $0] : [$0] }
    case .last(let kind):
      orders.filter { !kind.includes($0) } + orders.filter(kind.includes)
    case .first(let kind):
      orders.filter(kind.includes) + orders.filter { !kind.includes($0) }
    case .ends(let text, let end):
      orders.map { order in
        if case .endCall(let call, let own) = order, own.text == text {
          .endCall(call, end)
        } else {
          order
        }
      }
    case .endsOfServer(let end):
      if case .pool(.streamEnded) = event {
        orders.map { order in
          if case .endCall(let call, _) = order { .endCall(call, end) } else { order }
        }
      } else {
        orders
      }
    case .none, .deaf, .receivesTwice, .reads, .heeds, .reportsFirstRead, .guesses,
      .forgetsFirstRead, .passesThroughNone, .starts, .mistakes, .disconnectsAll,
      .disconnectsFirst, .answers:
      orders
    }
  }
}

extension ClientTampering.Start {
  func changed(_ settings: CallSettings, at now: Instant) -> CallSettings {
    var settings = settings
    switch self {
    case .failingFast: settings.failsFast = true
    case .waiting: settings.failsFast = false
    case .withoutDeadline: settings.deadline = .never
    case .withoutToken: settings.awaitsToken = false
    case .complete: settings.requestIsComplete = true
    case .withDefaultDeadline: settings.deadline = min(settings.deadline, now + .seconds(60))
    case .withHalfDeadline:
      if settings.deadline != .never {
        let rest = settings.deadline.microseconds - now.microseconds
        settings.deadline = now + Interval(microseconds: rest / 2)
      }
    }
    return settings
  }
}

extension ClientTampering.Fact {
  func includes(_ event: ClientCore.Event) -> Bool {
    if case .lossCallback = self, case .reachability(.callback(let flags)) = event {
      return !flags.contains(.reachable)
    }
    return Self(event) == self
  }

  // long: a flat switch with a line per event
  private init?(_ event: ClientCore.Event) {
    switch event {
    case .reachability(.callback): self = .callback
    case .reachability(.resynchronized): self = .reread
    case .pool(.tokenArrived): self = .tokenArrived
    case .pool(.messageQueued): self = .messageQueued
    case .pool(.requestFinished): self = .requestFinished
    case .pool(.callCancelled): self = .callCancelled
    case .pool(.connected): self = .connected
    case .pool(.connectFailed): self = .connectFailed
    case .pool(.connectionBroken): self = .broken
    case .pool(.connectionDraining): self = .draining
    case .pool(.pongReceived): self = .pong
    case .pool(.messageReceived): self = .messageReceived
    case .pool(.streamEnded): self = .streamEnded
    case .pool(.disconnectRequested): self = .disconnect
    case .pool(.disconnectAllRequested): self = .disconnectAll
    case .reachability(.initialRead), .pool(.callStarted), .pool(.dataReceived),
      .pool(.timeElapsed), .pool(.closed):
      return nil
    }
  }
}

extension ClientTampering.Order {
  func includes(_ effect: ClientEffect) -> Bool {
    if case .endOfLoss = self, case .endCall(_, let end) = effect {
      return end == .connectivityLost
    }
    return Self(effect) == self
  }

  // long: a flat switch with a line per effect
  private init(_ effect: ClientEffect) {
    switch effect {
    case .notify: self = .notify
    case .channelCreated: self = .channelCreated
    case .channelMoved: self = .channelMoved
    case .channelDestroyed: self = .channelDestroyed
    case .callBound: self = .callBound
    case .fetchToken: self = .fetchToken
    case .closeConnection: self = .closeConnection
    case .startStream: self = .startStream
    case .sendMessages: self = .sendMessages
    case .finishStream: self = .finishStream
    case .resetStream: self = .resetStream
    case .sendPing: self = .sendPing
    case .deliverMessage: self = .deliverMessage
    case .openConnection: self = .openConnection
    case .endCall: self = .endCall
    }
  }
}
