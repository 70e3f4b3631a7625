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
    switch event {
    case .callStarted(let id, let endpoint, let settings):
      start(id, endpoint, settings, to: &json)
    case .tokenArrived(let id): json.member("token", names.name(id))
    case .messageQueued(let id, let bytes):
      json.key("send")
      json.beginObject()
      json.member("call", names.name(id))
      json.member("bytes", Int(bytes))
      json.endObject()
    case .requestFinished(let id): json.member("finish", names.name(id))
    case .callCancelled(let id): json.member("cancel", names.name(id))
    case .connected(let id): about(id, "connected", to: &json)
    case .connectFailed(let id, let failure): about(id, "connectFailed", failure, to: &json)
    case .connectionBroken(let id, let failure): about(id, "broken", failure, to: &json)
    case .connectionDraining(let id): about(id, "draining", to: &json)
    case .pongReceived(let id):
      json.key("received")
      json.beginObject()
      json.member("connection", names.number(id))
      json.member("pong", true)
      json.endObject()
    case .messageReceived(let id):
      json.key("received")
      json.beginObject()
      json.member("call", names.name(id))
      json.member("message", true)
      json.endObject()
    case .streamEnded(let id, let code):
      json.key("received")
      json.beginObject()
      json.member("call", names.name(id))
      json.member("status", code.name)
      json.endObject()
    case .disconnectRequested(let endpoint):
      json.member("disconnect", endpoints[Int(endpoint.index)].host)
      json.options(endpoints[Int(endpoint.index)].options)
    case .disconnectAllRequested: json.member("disconnect", "*")
    case .timeElapsed, .closed: break
    }
  }

  private func start(
    _ id: CallID, _ endpoint: EndpointID, _ settings: CallSettings, to json: inout JSONText
  ) {
    json.key("call")
    json.beginObject()
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
    json.endObject()
  }

  private func about(
    _ id: ConnectionID, _ name: String, _ failure: ConnectionFailure? = nil,
    to json: inout JSONText
  ) {
    json.key(name)
    json.beginObject()
    json.member("connection", names.number(id))
    if let failure {
      json.member("reason", failure.traceName)
      json.member("status", failure.callEnd.code.name)
      json.member("message", failure.callEnd.text.text)
    }
    json.endObject()
  }
}
