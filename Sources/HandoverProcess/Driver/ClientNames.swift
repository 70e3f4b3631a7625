import HandoverBackend
import HandoverCore

/// The mapping between the names that a remote client uses and the harness's identifiers.
///
/// It covers calls, connections and channels. All effects of the client are decoded here; an effect
/// that uses an unknown name is rejected.
struct ClientNames {
  private let endpoints: [RemoteEndpoint]
  private let showsChannels: Bool
  private var callIDs: [String: CallID] = [:]  // lookup only
  private var callNames: [String] = []
  private var callPositions: [Int] = []
  private var endTexts = EndTexts()
  /// The number of each connection, by its row.
  private var connections: [Int64] = []
  private var connectionRows: [Int64: UInt32] = [:]  // lookup only
  private var channels: [Int64: Channel] = [:]  // lookup only
  /// The number of channels that each key has had.
  private var generations: [UInt32]

  fileprivate struct Channel {
    var id: ChannelID
    var state: ChannelState
  }

  init(endpoints: [RemoteEndpoint] = [], showsChannels: Bool = false) {
    self.endpoints = endpoints
    self.showsChannels = showsChannels
    generations = Array(repeating: 0, count: endpoints.count)
  }

  mutating func introduce(_ index: Int, _ name: String, as id: CallID) {
    callIDs[name] = id
    callNames.append(name)
    callPositions.append(index)
  }

  func name(_ id: CallID) -> String { callNames[Int(id.index)] }

  func index(_ id: CallID) -> Int? {
    id.index < callPositions.count ? callPositions[Int(id.index)] : nil
  }

  func number(_ id: ConnectionID) -> Int64 { connections[Int(id.index)] }

  /// Returns the client's own message for the end of a call, if it is not one from the
  /// specifications.
  ///
  /// The result is `nil` if there is no such message.
  func endText(of id: CallID) -> String? {
    let text = endTexts.text(of: id, CallEnd(.ok, .empty))
    return text.isEmpty ? nil : text
  }

  // MARK: Effects

  /// Decodes one effect, whose first member determines its kind.
  mutating func handle(
    _ order: AnswerFields, into effects: inout EffectLog<ClientEffect>
  ) throws(AnswerError) {
    guard let (name, value) = order.first else {
      throw AnswerError("an element of \"out\" is empty")
    }
    guard let example = ClientEffect.messageForms.example(name, value) else {
      throw AnswerError("unknown order \"\(name)\"")
    }
    switch example {
    case .openConnection: try connect(try AnswerFields(value), into: &effects)
    case .channelCreated, .channelMoved, .channelDestroyed:
      try channel(try AnswerFields(value), into: &effects)
    case .endCall: try ended(try AnswerFields(value), into: &effects)
    default:
      var parts = OrderParts(value: value, names: self)
      effects.append(try example.coded(by: &parts))
    }
  }

  private mutating func connect(
    _ fields: AnswerFields, into effects: inout EffectLog<ClientEffect>
  ) throws(AnswerError) {
    let number = try fields.number("connection")
    guard connectionRows[number] == nil else {
      throw AnswerError("connection \(number) exists already; use a new number for each connection")
    }
    let channel =
      showsChannels
      ? try channel(connectedBy: fields)
      : ChannelID(endpoint: try endpoint(fields), generation: 0)
    let row = UInt32(truncatingIfNeeded: connections.count)
    connections.append(number)
    connectionRows[number] = row
    effects.append(.openConnection(ConnectionID(index: row, generation: 0), channel))
  }

  /// Returns the channel for a new connection, whose host must be that of the channel.
  private func channel(connectedBy fields: AnswerFields) throws(AnswerError) -> ChannelID {
    let channel = try knownChannel(fields).id
    let (host, wanted) = (try fields.text("host"), endpoints[Int(channel.endpoint.index)].host)
    guard host == wanted else {
      throw AnswerError("the connection is to \"\(host)\", and its channel is to \"\(wanted)\"")
    }
    return channel
  }

  private mutating func ended(
    _ fields: AnswerFields, into effects: inout EffectLog<ClientEffect>
  ) throws(AnswerError) {
    let code = try fields.status()
    let message = try fields.optionalText("message") ?? ""
    let text = StatusText(nearest: message)
    let id = try call(fields)
    if text == .empty, !message.isEmpty { endTexts.store(message, of: id) }
    effects.append(.endCall(id, CallEnd(code, text)))
  }

  private mutating func channel(
    _ fields: AnswerFields, into effects: inout EffectLog<ClientEffect>
  ) throws(AnswerError) {
    let number = try fields.number("channel")
    let name = try fields.text("state")
    guard let state = ChannelState.allCases.first(where: { $0.name == name }) else {
      throw AnswerError("unknown channel state \"\(name)\"")
    }
    guard let known = channels[number] else {
      let endpoint = try endpoint(fields)
      generations[Int(endpoint.index)] += 1
      let id = ChannelID(endpoint: endpoint, generation: generations[Int(endpoint.index)])
      channels[number] = Channel(id: id, state: .idle)
      effects.append(.channelCreated(id))
      if state != .idle {
        effects.append(.channelMoved(id, from: .idle, to: state))
        channels[number]?.state = state
      }
      return
    }
    guard state == .shutdown else {
      effects.append(.channelMoved(known.id, from: known.state, to: state))
      channels[number]?.state = state
      return
    }
    let reason = try fields.text("reason")
    guard let why = DestroyReason(rawValue: reason) else {
      throw AnswerError("unknown reason \"\(reason)\" to destroy a channel")
    }
    effects.append(.channelDestroyed(known.id, why))
    channels[number]?.state = .shutdown
  }

  // MARK: Names

  fileprivate func call(_ fields: AnswerFields) throws(AnswerError) -> CallID {
    try call(try fields.required("call"))
  }

  fileprivate func call(_ value: JSONValue) throws(AnswerError) -> CallID {
    guard let name = value.text else { throw AnswerError("the id of a call must be a string") }
    guard let id = callIDs[name] else {
      throw AnswerError("there was no call \"\(name)\"")
    }
    return id
  }

  fileprivate func connection(_ fields: AnswerFields) throws(AnswerError) -> ConnectionID {
    let number = try fields.number("connection")
    guard let row = connectionRows[number] else {
      throw AnswerError("it never made connection \(number)")
    }
    return ConnectionID(index: row, generation: 0)
  }

  fileprivate func knownChannel(_ fields: AnswerFields) throws(AnswerError) -> Channel {
    let number = try fields.number("channel")
    guard let channel = channels[number] else {
      throw AnswerError("it never made channel \(number)")
    }
    return channel
  }

  /// Returns the pool entry for a host and options; without options, the first one of the host.
  private func endpoint(_ fields: AnswerFields) throws(AnswerError) -> EndpointID {
    let host = try fields.text("host")
    let options = fields["options"].map(OptionsText.init)
    let index = endpoints.indices.first {
      endpoints[$0].host == host && (options?.isSame(as: endpoints[$0].options) ?? true)
    }
    guard let index else {
      throw AnswerError("there was no call to \"\(host)\" with these options")
    }
    return EndpointID(index: UInt32(truncatingIfNeeded: index))
  }
}

/// A reader of the parts of an effect.
private struct OrderParts: MessageReader {
  typealias Call = CallID

  let value: JSONValue
  let names: ClientNames

  func only(_ keyword: String, _: CallID) throws(AnswerError) -> CallID { try names.call(value) }

  func connection(_: ConnectionID) throws(AnswerError) -> ConnectionID {
    try names.connection(try AnswerFields(value))
  }

  func channel(_: ChannelID) throws(AnswerError) -> ChannelID {
    try names.knownChannel(try AnswerFields(value)).id
  }

  func call(_: CallID) throws(AnswerError) -> CallID { try names.call(try AnswerFields(value)) }

  func count(
    _ name: String, _: UInt32, from least: UInt32, through most: UInt32?
  ) throws(AnswerError) -> UInt32 {
    UInt32(clamping: try AnswerFields(value).optionalNumber(name) ?? 0)
  }
}
