import HandoverBackend
import HandoverCore
import HandoverJSON
import HandoverTrace

/// One run of the project's own client, told of facts in the words of the protocol.
struct ReferenceClient {
  private var core: ClientCore
  private var now = Instant.zero
  private var calls: [String: CallID] = [:]  // lookup only
  /// The names of calls by the rows of their identifiers; the latest one's.
  private var callNames: [String] = []
  /// Connections and channels so far; they are numbered from 1.
  private var connections: [ConnectionID] = []
  private var channels: [ChannelID] = []
  private var keys: [ChannelKeyText] = []

  private struct ChannelKeyText {
    var host: String
    var options: ChannelOptions
  }

  /// Begins a run.
  init(_ fields: AnswerFields, _ defects: Defects) throws(AnswerError) {
    let name = try fields.text("profile")
    guard let profile = Profile.named(name), !profile.makesRequests else {
      throw AnswerError("there is no profile \"\(name)\" with calls")
    }
    let settings = try RunSettings(try fields.object("config")).configuration
    core = ClientCore(PoolConfiguration(settings, policy: profile.policy, defects: defects))
    guard profile.policy.monitorsReachability else { return }
    let initial = try fields.object("initial")
    let flags: ReachabilityFlags? =
      try initial.optionalText("monitor") == "unreadable" ? nil : try initial.flags()
    var effects = EffectLog<ClientEffect>()
    core.step(.reachability(.initialRead(flags)), at: .zero, into: &effects)
  }

  /// When it wants to be told that time has passed.
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

  /// The fact that an event of the protocol tells.
  mutating func event(_ fields: AnswerFields) throws(AnswerError) -> ClientCore.Event {
    guard let (name, value) = fields.first else { throw AnswerError("the event is empty") }
    switch name {
    case "flags":
      let flags = try fields.flags()
      return .reachability(
        fields["resynchronised"] == nil ? .callback(flags) : .resynchronised(flags))
    case "call": return .pool(try start(try AnswerFields(value)))
    case "token": return .pool(.tokenArrived(try call(value.text)))
    case "send":
      let parts = try AnswerFields(value)
      return .pool(
        .messageQueued(
          try call(parts.text("call")), bytes: UInt32(clamping: try parts.number("bytes"))))
    case "finish": return .pool(.requestFinished(try call(value.text)))
    case "cancel": return .pool(.callCancelled(try call(value.text)))
    case "disconnect":
      guard value.text != "*" else { return .pool(.disconnectAllRequested) }
      return .pool(.disconnectRequested(try endpoint(try fields.text("disconnect"), fields)))
    case "connected": return .pool(.connected(try connection(try AnswerFields(value))))
    case "connectFailed":
      let parts = try AnswerFields(value)
      return .pool(.connectFailed(try connection(parts), try parts.failure()))
    case "broken":
      let parts = try AnswerFields(value)
      return .pool(.connectionBroken(try connection(parts), try parts.failure()))
    case "draining": return .pool(.connectionDraining(try connection(try AnswerFields(value))))
    case "received": return .pool(try received(try AnswerFields(value)))
    default: throw AnswerError("there is no event \"\(name)\"")
    }
  }

  private mutating func start(_ fields: AnswerFields) throws(AnswerError) -> ChannelPool.Event {
    let name = try fields.text("id")
    let endpoint = try endpoint(try fields.text("host"), fields)
    let id = core.nextCallID
    calls[name] = id
    while callNames.count <= id.index { callNames.append("") }
    callNames[Int(id.index)] = name
    let deadline = try fields.optionalNumber("deadline").map(Instant.init(microseconds:))
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
    while keys.count <= id.index { keys.append(ChannelKeyText(host: host, options: options)) }
    return id
  }

  private func received(_ fields: AnswerFields) throws(AnswerError) -> ChannelPool.Event {
    if fields["connection"] != nil { return .pongReceived(try connection(fields)) }
    let id = try call(try fields.text("call"))
    guard fields["status"] != nil else { return .messageReceived(id) }
    return .streamEnded(id, try fields.status())
  }

  private func call(_ name: String?) throws(AnswerError) -> CallID {
    guard let name, let id = calls[name] else {
      throw AnswerError("no call was started by the name of \"\(name ?? "")\"")
    }
    return id
  }

  private func connection(_ fields: AnswerFields) throws(AnswerError) -> ConnectionID {
    let number = try fields.number("connection")
    guard number > 0, number <= connections.count else {
      throw AnswerError("there is no connection \(number)")
    }
    return connections[Int(number) - 1]
  }

  // MARK: Orders

  /// Writes an order as one element of `out`.
  mutating func write(_ effect: ClientEffect, to json: inout JSONText) {
    json.beginObject()
    switch effect {
    case .notify(let change):
      json.key("notify")
      json.beginObject()
      json.member("from", change.from.description)
      json.member("to", change.to.description)
      json.endObject()
    case .channelCreated(let id):
      channels.append(id)
      write(id, .idle, to: &json)
    case .channelMoved(let id, _, let state): write(id, state, to: &json)
    case .channelDestroyed(let id, let reason): write(id, .shutdown, reason, to: &json)
    case .callBound(let call, let channel, let isNew):
      json.key("bound")
      json.beginObject()
      json.member("call", name(call))
      json.member("channel", number(channel))
      json.member("new", isNew)
      json.endObject()
    case .fetchToken(let call): json.member("fetchToken", name(call))
    case .openConnection(let id, let channel):
      connections.append(id)
      json.key("connect")
      json.beginObject()
      json.member("connection", connections.count)
      json.member("host", keys[Int(channel.endpoint.index)].host)
      json.member("channel", number(channel))
      json.endObject()
    case .closeConnection(let id): about("close", id, to: &json)
    case .sendPing(let id): about("ping", id, to: &json)
    case .startStream(let call, let id): about("send", id, call, to: &json)
    case .finishStream(let call, let id): about("finish", id, call, to: &json)
    case .resetStream(let call, let id): about("reset", id, call, to: &json)
    case .sendMessages(let call, let id, let count, let bytes):
      about("send", id, call, messages: (count, bytes), to: &json)
    case .deliverMessage(let call): json.member("deliver", name(call))
    case .endCall(let call, let end):
      json.key("ended")
      json.beginObject()
      json.member("call", name(call))
      json.member("status", end.code.name)
      json.member("message", end.text.text)
      json.endObject()
    }
    json.endObject()
  }

  private func write(
    _ id: ChannelID, _ state: ChannelState, _ reason: DestroyReason? = nil,
    to json: inout JSONText
  ) {
    let key = keys[Int(id.endpoint.index)]
    json.key("channel")
    json.beginObject()
    json.member("channel", number(id))
    json.member("host", key.host)
    json.options(key.options)
    json.member("state", state.name)
    if let reason { json.member("reason", reason.traceName) }
    json.endObject()
  }

  private func about(
    _ name: String, _ id: ConnectionID, _ call: CallID? = nil,
    messages: (count: UInt32, bytes: UInt32)? = nil, to json: inout JSONText
  ) {
    json.key(name)
    json.beginObject()
    json.member("connection", (connections.lastIndex(of: id) ?? -1) + 1)
    if let call { json.member("call", self.name(call)) }
    if let messages {
      json.member("messages", Int(messages.count))
      json.member("bytes", Int(messages.bytes))
    }
    json.endObject()
  }

  private func name(_ call: CallID) -> String { callNames[Int(call.index)] }

  private func number(_ channel: ChannelID) -> Int {
    (channels.lastIndex(of: channel) ?? -1) + 1
  }
}
