import HandoverBackend
import HandoverCore

/// One run of the project's own client behind the protocol.
struct ReferenceClient {
  private(set) var core: ClientCore
  private var now = Instant.zero
  private var calls: [String: CallID] = [:]  // lookup only
  /// The name of the latest call in each row of the call table.
  private var callNames: [String] = []
  /// The connections and channels so far, numbered from 1.
  private var connections: [ConnectionID] = []
  private var channels: [ChannelID] = []
  private(set) var keys: [RemoteEndpoint] = []

  /// Begins a run.
  init(_ fields: AnswerFields) throws(AnswerError) {
    let name = try fields.text("profile")
    guard let profile = Profile.named(name), profile.client.protocolObstacle == nil else {
      throw AnswerError("there is no profile \"\(name)\" with calls")
    }
    let settings = try RunSettings(try fields.object("config")).configuration
    core = ClientCore(PoolConfiguration(settings, policy: profile.policy))
    guard profile.policy.monitorsReachability else { return }
    let initial = try fields.object("initial")
    let flags: ReachabilityFlags? =
      try initial.optionalText("monitor") == "unreadable" ? nil : try initial.flags()
    var effects = EffectLog<ClientEffect>()
    core.step(.reachability(.initialRead(flags)), at: .zero, into: &effects)
  }

  /// The instants at which the client has to be notified that time has passed.
  var deadlines: RemoteDeadlines {
    RemoteDeadlines(
      next: core.nextDeadline, nonPeriodic: core.nextDeadline(among: [.calls, .attempts]),
      keepalive: core.nextDeadline(among: .keepalive))
  }

  mutating func step(_ event: ClientCore.Event, at instant: Instant) -> [ClientEffect] {
    now = max(now, instant)
    var effects = EffectLog<ClientEffect>()
    core.step(event, at: now, into: &effects)
    return effects.elements
  }

  // MARK: Facts

  /// Returns the fact that an event of the protocol describes.
  mutating func event(_ fields: AnswerFields) throws(AnswerError) -> ClientCore.Event {
    guard let (name, value) = fields.first else { throw AnswerError("the event is empty") }
    // The protocol reports reachability as the device's flags.
    if name == "flags" {
      let flags = try fields.flags()
      return .reachability(
        fields["resynchronized"] == nil ? .callback(flags) : .resynchronized(flags))
    }
    guard let example = ChannelPool.Event.messageForms.example(name, value) else {
      throw AnswerError("there is no event \"\(name)\"")
    }
    switch example {
    case .callStarted: return .pool(try start(try AnswerFields(value)))
    case .disconnectRequested, .disconnectAllRequested:
      guard value.text != "*" else { return .pool(.disconnectAllRequested) }
      return .pool(.disconnectRequested(try endpoint(try fields.text(name), fields)))
    default:
      var parts = EventParts(value: value, calls: calls, connections: connections)
      return .pool(try example.coded(by: &parts))
    }
  }

  private mutating func start(_ fields: AnswerFields) throws(AnswerError) -> ChannelPool.Event {
    let name = try fields.text("id")
    let endpoint = try endpoint(try fields.text("host"), fields)
    let id = core.nextCallID
    calls[name] = id
    while callNames.count <= id.index { callNames.append("") }
    callNames[Int(id.index)] = name
    let deadline = try fields.instant("deadline")
    return .callStarted(
      id, endpoint,
      CallSettings(
        deadline: deadline ?? .never, failsFast: try fields.flag("failFast"),
        awaitsToken: try fields.flag("token"), requestIsComplete: try fields.flag("complete")))
  }

  private mutating func endpoint(
    _ host: String, _ fields: AnswerFields
  ) throws(AnswerError) -> EndpointID {
    let options = try RunSettings.options(try fields.object("options"))
    let id = core.register(ChannelKey(host: HostName(host), options: options))
    while keys.count <= id.index { keys.append(RemoteEndpoint(host: host, options: options)) }
    return id
  }

  // MARK: Effects

  /// Writes an effect as one element of `out`.
  mutating func write(_ effect: ClientEffect, to json: inout JSONText) {
    if case .channelCreated(let id) = effect { channels.append(id) }
    if case .openConnection(let id, _) = effect { connections.append(id) }
    json.beginObject()
    var parts = OrderWriter(
      connections: connections, channels: channels, keys: keys, callNames: callNames)
    parts.write(effect, to: &json)
    json.endObject()
  }
}

/// A reader of the parts of an event.
private struct EventParts: MessageReader {
  typealias Call = CallID

  let value: JSONValue
  let calls: [String: CallID]  // lookup only
  let connections: [ConnectionID]

  func only(_ keyword: String, _: CallID) throws(AnswerError) -> CallID { try call(value.text) }

  func call(_: CallID) throws(AnswerError) -> CallID {
    try call(try AnswerFields(value).text("call"))
  }

  private func call(_ name: String?) throws(AnswerError) -> CallID {
    guard let name, let id = calls[name] else {
      throw AnswerError("no call was started by the name of \"\(name ?? "")\"")
    }
    return id
  }

  func connection(_: ConnectionID) throws(AnswerError) -> ConnectionID {
    let number = try AnswerFields(value).number("connection")
    guard number > 0, number <= connections.count else {
      throw AnswerError("there is no connection \(number)")
    }
    return connections[Int(number) - 1]
  }
}

/// A writer of the parts of an effect.
private struct OrderWriter: MessageWriter {
  typealias Call = CallID

  let connections: [ConnectionID]
  let channels: [ChannelID]
  let keys: [RemoteEndpoint]
  let callNames: [String]
  var json = JSONText()
  var isOpen = false

  func name(_ call: CallID) -> String { callNames[Int(call.index)] }
  func number(_ id: ConnectionID) -> Int64 {
    Int64((connections.lastIndex(of: id) ?? -1) + 1)
  }

  mutating func channel(_ id: ChannelID) -> ChannelID {
    json.member("channel", (channels.lastIndex(of: id) ?? -1) + 1)
    return id
  }

  mutating func open(_ id: ConnectionID, _ channel: ChannelID) {
    json.member("connection", connections.count)
    json.member("host", keys[Int(channel.endpoint.index)].host)
    _ = self.channel(channel)
  }

  mutating func state(_ id: ChannelID, _ state: ChannelState, _ reason: DestroyReason?) {
    let key = keys[Int(id.endpoint.index)]
    _ = channel(id)
    json.member("host", key.host)
    json.options(key.options)
    json.member("state", state.name)
    if let reason { json.member("reason", reason.rawValue) }
  }
}
