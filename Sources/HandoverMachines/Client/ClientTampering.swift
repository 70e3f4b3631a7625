/// One thing that a client does wrong beside its machines: a fact that it does not hear, or an
/// order that it gives otherwise than they decided.
///
/// The machines know nothing of it: whoever drives a client steps it through
/// ``ClientCore/stepTampered(_:at:into:)``. It holds no state, so that an exploration of a client
/// that has it closes as any other does.
package enum ClientTampering: BitwiseCopyable, Hashable, Sendable {
  /// Nothing.
  case none
  /// Facts of a kind are not heard, or heard twice.
  case deaf(Fact)
  case hearsTwice(Fact)
  /// Orders of a kind are not given, given twice, or given after or before all others of the step.
  case silent(Order)
  case repeats(Order)
  case last(Order)
  case first(Order)
  /// A call that ends with a text ends so.
  case ends(StatusText, as: CallEnd)
  /// A call that the server ended ends so.
  case endsOfServer(as: CallEnd)
  /// Flags of a row of the table of categories are taken for those of another category; the row is
  /// Reachable, ConnectionRequired and IsWWAN as the bits 4, 2 and 1.
  case reads(row: UInt8, as: NetworkCategory)
  /// Flags count that have no say: where one of these is set there is no network.
  case heeds(ReachabilityFlags)
  /// The first read is told as a callback is.
  case tellsFirstRead
  /// A first read that fails is taken for one of a category.
  case guesses(NetworkCategory)
  /// The first read is forgotten, so that the category stays Unknown.
  case forgetsFirstRead
  /// Each callback of a network is preceded by one of none.
  case passesThroughNone
  /// Calls start otherwise than their users said.
  case starts(Start)
  /// A failure to connect or of a connection is taken for another.
  case mistakes(ConnectionFailure, for: ConnectionFailure)
  /// A disconnect of one host is one of all, or of all is one of the first.
  case disconnectsAll
  case disconnectsFirst
  /// A status of the server is told as another one.
  case answers(StatusCode, as: StatusCode)

  /// A kind of fact.
  package enum Fact: UInt8, BitwiseCopyable, Hashable, Sendable {
    case callback, lossCallback, reread
    case tokenArrived, messageQueued, requestFinished, callCancelled
    case connected, connectFailed, broken, draining, pong, messageReceived, streamEnded
    case disconnect, disconnectAll
  }

  /// A kind of order.
  package enum Order: UInt8, BitwiseCopyable, Hashable, Sendable {
    case notify, channelCreated, channelMoved, channelDestroyed, callBound, fetchToken
    case closeConnection, startStream, sendMessages, finishStream, resetStream, sendPing
    case deliverMessage, openConnection, endCall, endOfLoss
  }

  /// How calls start.
  package enum Start: UInt8, BitwiseCopyable, Hashable, Sendable {
    case failingFast, waiting, withoutDeadline, withoutToken, complete, withHalfDeadline
    case withUsualDeadline
  }
}

extension PoolConfiguration {
  /// Whether the client does something wrong beside its machines.
  package var isTampered: Bool {
    if case .none = tampering { false } else { true }
  }
}

extension ClientCore {
  /// Takes one fact as a client with a fault does, and gives the orders that follow.
  package mutating func stepTampered(
    _ event: Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) {
    let tampering = channels.configuration.tampering
    if case .none = tampering { return step(event, at: now, into: &effects) }
    var orders = EffectLog<ClientEffect>()
    for heard in tampering.heard(event, at: now) { step(heard, at: now, into: &orders) }
    for order in tampering.given(orders.elements, after: event) { effects.append(order) }
  }
}

extension ClientTampering {
  /// What the client hears where it is told of a fact.
  func heard(_ event: ClientCore.Event, at now: Instant) -> [ClientCore.Event] {
    switch self {
    case .deaf(let fact): fact.includes(event) ? [] : [event]
    case .hearsTwice(let fact): fact.includes(event) ? [event, event] : [event]
    case .reads, .heeds, .guesses:
      if case .reachability(let fact) = event { [.reachability(read(fact))] } else { [event] }
    case .tellsFirstRead:
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
    case .resynchronised(let flags): .resynchronised(taken(flags))
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

  /// The orders that are given in the place of those of the machines.
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
    case .none, .deaf, .hearsTwice, .reads, .heeds, .tellsFirstRead, .guesses,
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
    case .withUsualDeadline: settings.deadline = min(settings.deadline, now + .seconds(60))
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

  // long: a flat switch, one line for each fact
  private init?(_ event: ClientCore.Event) {
    switch event {
    case .reachability(.callback): self = .callback
    case .reachability(.resynchronised): self = .reread
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

  // long: a flat switch, one line for each order
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
