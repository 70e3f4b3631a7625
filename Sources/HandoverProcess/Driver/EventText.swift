import HandoverBackend
import HandoverCore
import HandoverJSON
import HandoverTrace

/// Writes the facts that a client is told of.
struct EventText {
  let script: Script
  let endpoints: [RemoteEndpoint]
  let names: ClientNames
  /// Whether the calls of users say how long the server takes; it must be told where it is another
  /// process.
  var tellsTakes = false

  /// Writes the one member of an event; time and the closing have commands of their own.
  func write(_ event: ClientCore.Event, to json: inout JSONText) {
    switch event {
    case .reachability(.initialRead): break
    case .reachability(.callback(let flags)): json.flags(flags)
    case .reachability(.resynchronised(let flags)):
      json.flags(flags)
      json.member("resynchronised", true)
    case .pool(let event): write(event, to: &json)
    }
  }

  private func write(_ event: ChannelPool.Event, to json: inout JSONText) {
    var parts = EventWriter(text: self)
    swap(&parts.json, &json)
    _ = event.coded(by: &parts)
    swap(&parts.json, &json)
    if parts.isOpen { json.endObject() }
  }

  fileprivate func writeStart(
    _ id: CallID, _ endpoint: EndpointID, _ settings: CallSettings, to json: inout JSONText
  ) {
    json.member("id", names.name(id))
    json.member("host", endpoints[Int(endpoint.index)].host)
    json.member("kind", names.index(id).map { script.calls[$0].kind.rawValue })
    json.member(
      "deadline", settings.deadline == .never ? nil : settings.deadline.microseconds)
    json.member("failFast", settings.failsFast)
    json.member("token", settings.awaitsToken)
    json.member("complete", settings.requestIsComplete)
    if tellsTakes {
      json.member("takes", names.index(id).flatMap { script.calls[$0].takes?.microseconds })
    }
    json.options(endpoints[Int(endpoint.index)].options)
  }
}

/// The parts of an event, as they are written.
private struct EventWriter: MessageCoder {
  typealias Failure = Never
  typealias Call = CallID

  let text: EventText
  var json = JSONText()
  /// Whether the object behind the word is not over.
  private(set) var isOpen = false

  init(text: EventText) {
    self.text = text
  }

  mutating func begin(_ word: String, with key: String?) {
    json.key(word)
    json.beginObject()
    isOpen = true
  }

  mutating func only(_ word: String, _ call: CallID) -> CallID {
    json.member(word, text.names.name(call))
    return call
  }

  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    json.member("connection", text.names.number(id))
    return id
  }

  mutating func call(_ call: CallID) -> CallID {
    json.member("call", text.names.name(call))
    return call
  }

  mutating func count(_ name: String, _ count: UInt32) -> UInt32 {
    json.member(name, Int(count))
    return count
  }

  mutating func mark(_ name: String) { json.member(name, true) }

  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    json.member("reason", failure.traceName)
    json.member("status", failure.callEnd.code.name)
    json.member("message", failure.callEnd.text.text)
    return failure
  }

  mutating func status(_ code: StatusCode) -> StatusCode {
    json.member("status", code.name)
    return code
  }

  mutating func start(_ call: CallID, _ endpoint: EndpointID, _ settings: CallSettings) {
    text.writeStart(call, endpoint, settings, to: &json)
  }

  mutating func disconnect(_ word: String, _ endpoint: EndpointID?) {
    guard let endpoint else { return json.member(word, "*") }
    json.member(word, text.endpoints[Int(endpoint.index)].host)
    json.options(text.endpoints[Int(endpoint.index)].options)
  }
}
