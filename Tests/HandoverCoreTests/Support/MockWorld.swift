@testable import HandoverCore

/// An effect that the driver or the modeled world could not carry out.
struct Refusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// A model of the world around a client, which carries out every legal effect and refuses the
/// others.
///
/// The rules for legal effects are restated here, independently of the client's decisions. The
/// simulation's `World` cannot be used, because it carries out every effect and refuses nothing.
struct MockWorld: Hashable {
  struct Channel: Hashable {
    var id: ChannelID
    var state: ChannelState
  }

  struct Connection: Hashable {
    enum Stage: Hashable { case connecting, open, draining }

    var id: ConnectionID
    var channel: ChannelID
    var stage: Stage
    var awaitsPong = false
  }

  struct Call: Hashable {
    enum Stage: Hashable {
      case started
      case awaitingToken
      case waiting(ChannelID)
      case running(ChannelID, ConnectionID)
    }

    var id: CallID
    var endpoint: EndpointID
    var settings: CallSettings
    var stage = Stage.started
    var isFinished = false
    var finishWasSent = false
    var isReset = false

    var channel: ChannelID? {
      switch stage {
      case .started, .awaitingToken: nil
      case .waiting(let channel), .running(let channel, _): channel
      }
    }

    var isRunning: Bool {
      if case .running = stage { true } else { false }
    }
  }

  private(set) var channels: [Channel] = []
  private(set) var connections: [Connection] = []
  private(set) var calls: [Call] = []
  private var generations: [UInt32]
  private var tokensAskedFor: [CallID] = []
  private var category = NetworkCategory.unknown
  private(set) var isClosed = false

  init(endpoints: Int) {
    generations = Array(repeating: 0, count: endpoints)
  }

  func channel(of endpoint: EndpointID) -> Channel? {
    channels.first { $0.id.endpoint == endpoint }
  }

  /// Returns the calls bound to a channel, in the order in which they started.
  func calls(of channel: ChannelID) -> [Call] {
    calls.filter { $0.channel == channel }
  }

  // MARK: Events

  /// Records the content of an event before the client receives it.
  mutating func note(_ event: ClientCore.Event) {
    switch event {
    case .reachability(.initialRead(let flags)):
      // The initial read causes no notification (M7).
      category = flags.map(NetworkCategory.init) ?? .unknown
    case .reachability(.callback), .reachability(.resynchronized):
      break
    case .pool(.callStarted(let call, let endpoint, let settings)):
      let isFinished = settings.requestIsComplete
      calls.append(
        Call(id: call, endpoint: endpoint, settings: settings, isFinished: isFinished))
    case .pool(.connected(let connection)):
      changeConnection(connection) { if $0.stage == .connecting { $0.stage = .open } }
    case .pool(.connectFailed(let connection, _)):
      connections.removeAll { $0.id == connection && $0.stage == .connecting }
    case .pool(.connectionBroken(let connection, _)):
      connections.removeAll { $0.id == connection }
    case .pool(.connectionDraining(let connection)):
      changeConnection(connection) {
        $0.awaitsPong = false
        if $0.stage == .open { $0.stage = .draining }
      }
    case .pool(.pongReceived(let connection)), .pool(.dataReceived(let connection)):
      changeConnection(connection) { $0.awaitsPong = false }
    case .pool(.messageReceived(let call)), .pool(.streamEnded(let call, _)):
      // Any received data proves that the connection works.
      if case .running(_, let connection)? = calls.first(where: { $0.id == call })?.stage {
        changeConnection(connection) { $0.awaitsPong = false }
      }
    case .pool(.closed):
      isClosed = true
    case .pool(.tokenArrived), .pool(.messageQueued), .pool(.requestFinished),
      .pool(.callCancelled), .pool(.disconnectRequested), .pool(.disconnectAllRequested),
      .pool(.timeElapsed):
      break
    }
  }

  // MARK: Effects

  /// Carries out the effects of one step, one after the other.
  mutating func carryOut(
    _ effects: borrowing EffectLog<ClientEffect>, of event: ClientCore.Event, timeWasUp: Bool
  ) throws(Refusal) {
    var made: ChannelID?
    for row in 0..<effects.count {
      let effect = effects[row]
      guard !effect.needsTimeOut || (event == .pool(.timeElapsed) && timeWasUp) else {
        throw Refusal("\(effect) comes of a time-out that was not asked for")
      }
      if case .channelCreated(let channel) = effect { made = channel }
      if case .callBound(_, let channel, let isNew) = effect, isNew != (made == channel) {
        throw Refusal("\(effect) is wrong about who made the channel")
      }
      try carryOut(effect)
    }
    if case .pool(.requestFinished(let call)) = event {
      changeCall(call) { $0.isFinished = true }
    }
  }

  private mutating func carryOut(_ effect: ClientEffect) throws(Refusal) {
    switch effect {
    case .notify(let change):
      try demand(change.from == category && change.to != category, effect, "no such change")
      category = change.to
    case .channelCreated, .channelMoved, .channelDestroyed:
      try carryOutChannel(effect)
    case .openConnection, .closeConnection, .sendPing:
      try carryOutConnection(effect)
    case .callBound, .fetchToken, .startStream, .sendMessages, .finishStream, .resetStream,
      .deliverMessage, .endCall:
      try carryOutCall(effect)
    }
  }

  private mutating func carryOutChannel(_ effect: ClientEffect) throws(Refusal) {
    if case .channelCreated(let channel) = effect {
      let row = Int(channel.endpoint.index)
      try demand(self.channel(of: channel.endpoint) == nil, effect, "there is one already")
      try demand(channel.generation == generations[row] + 1, effect, "not the next one")
      generations[row] = channel.generation
      channels.append(Channel(id: channel, state: .idle))
    } else if case .channelMoved(let channel, let from, let to) = effect {
      let row = try index(of: channel, effect)
      try demand(channels[row].state == from, effect, "it is \(channels[row].state)")
      let targets = ChannelStateTests.legal[from] ?? []
      try demand(to != .shutdown && targets.contains(to), effect, "B8 forbids the move")
      channels[row].state = to
    } else if case .channelDestroyed(let channel, _) = effect {
      let row = try index(of: channel, effect)
      let isCarried = connections.contains { $0.channel == channel }
      try demand(!isCarried, effect, "it still has a connection")
      channels.remove(at: row)
    }
  }

  private mutating func carryOutConnection(_ effect: ClientEffect) throws(Refusal) {
    if case .openConnection(let connection, let channel) = effect {
      let row = try index(of: channel, effect)
      let isKnown = connections.contains { $0.id.index == connection.index }
      try demand(!isKnown, effect, "its place is taken")
      try demand(channels[row].state == .connecting, effect, "nobody connects")
      let isSecond = connections.contains { $0.channel == channel && $0.stage != .draining }
      try demand(!isSecond, effect, "the channel has one already")
      connections.append(Connection(id: connection, channel: channel, stage: .connecting))
    } else if case .closeConnection(let connection) = effect {
      let isKnown = connections.contains { $0.id == connection }
      try demand(isKnown, effect, "it is not open")
      connections.removeAll { $0.id == connection }
    } else if case .sendPing(let connection) = effect {
      let carrier = connections.first { $0.id == connection && $0.stage != .connecting }
      try demand(carrier != nil, effect, "it is not open")
      try demand(carrier?.awaitsPong == false, effect, "a ping is under way")
      changeConnection(connection) { $0.awaitsPong = true }
    }
  }

  private mutating func carryOutCall(_ effect: ClientEffect) throws(Refusal) {
    switch effect {
    case .fetchToken(let id):
      let call = try live(id, effect)
      try demand(call.stage == .started && call.settings.awaitsToken, effect, "it needs none")
      try demand(!tokensAskedFor.contains(id), effect, "it was asked for before")
      tokensAskedFor.append(id)
      changeCall(id) { $0.stage = .awaitingToken }
    case .callBound(let id, let channel, _):
      let call = try live(id, effect)
      try demand(call.channel == nil, effect, "it is bound already")
      try demand(call.endpoint == channel.endpoint, effect, "the channel is not its own")
      _ = try index(of: channel, effect)
      changeCall(id) { $0.stage = .waiting(channel) }
    case .startStream(let id, let connection):
      let call = try live(id, effect)
      let carrier = connections.first { $0.id == connection && $0.stage == .open }
      guard let carrier, call.stage == .waiting(carrier.channel) else {
        throw Refusal("\(effect): the call or the connection is not ready")
      }
      changeCall(id) { $0.stage = .running(carrier.channel, connection) }
    case .sendMessages(let id, let connection, _, _), .finishStream(let id, let connection),
      .resetStream(let id, let connection):
      let call = try live(id, effect)
      let isOpen = connections.contains { $0.id == connection && $0.stage != .connecting }
      try demand(isOpen, effect, "the connection is not open")
      guard case .running(_, connection) = call.stage, !call.isReset else {
        throw Refusal("\(effect): the call does not run there")
      }
      if case .resetStream = effect {
        changeCall(id) { $0.isReset = true }
      } else {
        try demand(!call.finishWasSent, effect, "the request was complete before")
        if case .finishStream = effect { changeCall(id) { $0.finishWasSent = true } }
      }
    case .deliverMessage(let id):
      let call = try live(id, effect)
      try demand(call.isRunning, effect, "it does not run")
    case .endCall(let id, _):
      _ = try live(id, effect)
      calls.removeAll { $0.id == id }
      tokensAskedFor.removeAll { $0 == id }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .openConnection,
      .closeConnection, .sendPing:
      break
    }
  }

  // MARK: Parts

  private func demand(
    _ isLegal: Bool, _ effect: ClientEffect, _ reason: String
  ) throws(Refusal) {
    guard isLegal else { throw Refusal("\(effect): \(reason)") }
  }

  private func index(of channel: ChannelID, _ effect: ClientEffect) throws(Refusal) -> Int {
    guard let row = channels.firstIndex(where: { $0.id == channel }) else {
      throw Refusal("\(effect): there is no such channel")
    }
    return row
  }

  private func live(_ id: CallID, _ effect: ClientEffect) throws(Refusal) -> Call {
    guard let call = calls.first(where: { $0.id == id }) else {
      throw Refusal("\(effect): the call has ended, or never began")
    }
    return call
  }

  private mutating func changeConnection(_ id: ConnectionID, _ change: (inout Connection) -> Void) {
    for row in connections.indices where connections[row].id == id {
      change(&connections[row])
    }
  }

  private mutating func changeCall(_ id: CallID, _ change: (inout Call) -> Void) {
    for row in calls.indices where calls[row].id == id { change(&calls[row]) }
  }
}

extension ClientEffect {
  /// Whether only the passing of time can cause the effect.
  fileprivate var needsTimeOut: Bool {
    switch self {
    case .endCall(_, .deadlineExceeded), .channelDestroyed(_, .unused), .sendPing: true
    case .endCall(_, let end): end.text == .connectTimedOut || end.text == .keepaliveTimeout
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .fetchToken,
      .openConnection, .closeConnection, .startStream, .sendMessages, .finishStream,
      .resetStream, .deliverMessage:
      false
    }
  }
}
