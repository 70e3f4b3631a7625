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
    parts.write(event, to: &json)
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
private struct EventWriter: MessageWriter {
  typealias Call = CallID

  let text: EventText
  var json = JSONText()
  var isOpen = false

  init(text: EventText) {
    self.text = text
  }

  func name(_ call: CallID) -> String { text.names.name(call) }
  func number(_ id: ConnectionID) -> Int64 { text.names.number(id) }

  /// A client is told besides what its calls end with.
  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    json.member("reason", failure.traceName)
    _ = status(failure.callEnd.code)
    message(failure.callEnd.text)
    return failure
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
