import HandoverBackend
import HandoverCore

/// A writer of the facts for a client.
struct EventText {
  let script: Script
  let endpoints: [RemoteEndpoint]
  let names: ClientNames
  /// Whether the events of calls contain the time that the server takes.
  ///
  /// A server in another process needs this time.
  var includesDurations = false

  /// Writes the single member of an event; elapsed time and closing are separate commands.
  func write(_ event: ClientCore.Event, to json: inout JSONText) {
    switch event {
    case .reachability(.initialRead): break
    case .reachability(.callback(let flags)): json.flags(flags)
    case .reachability(.resynchronized(let flags)):
      json.flags(flags)
      json.member("resynchronized", true)
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
    if includesDurations {
      json.member("takes", names.index(id).flatMap { script.calls[$0].takes?.microseconds })
    }
    json.options(endpoints[Int(endpoint.index)].options)
  }
}

/// A writer of the parts of an event.
private struct EventWriter: MessageWriter {
  typealias Call = CallID

  let text: EventText
  var json = JSONText()
  var isOpen = false

  func name(_ call: CallID) -> String { text.names.name(call) }
  func number(_ id: ConnectionID) -> Int64 { text.names.number(id) }

  /// Writes the failure with the status that it gives to the client's calls.
  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    json.member("reason", failure.traceName)
    _ = status(failure.callEnd.code)
    message(failure.callEnd.text)
    return failure
  }

  mutating func start(_ call: CallID, _ endpoint: EndpointID, _ settings: CallSettings) {
    text.writeStart(call, endpoint, settings, to: &json)
  }

  mutating func disconnect(_ keyword: String, _ endpoint: EndpointID?) {
    guard let endpoint else { return json.member(keyword, "*") }
    json.member(keyword, text.endpoints[Int(endpoint.index)].host)
    json.options(text.endpoints[Int(endpoint.index)].options)
  }
}
