import HandoverCore

// What happened around the client.
extension TraceWriter {
  mutating func write(_ fact: WorldFact) {
    switch fact {
    case .entryPlayed(let entry): writeEntry("entryPlayed", entry)
    case .deviceMoved(let path):
      begin("deviceMoved")
      write(path)
    case .appMoved(let app):
      begin("appMoved")
      json.member("to", app.rawValue)
    case .callIntroduced(let place, let id):
      introduce(place, as: id)
      begin("callIntroduced")
      write(id)
      json.key("place")
      json.value(place)
    case .attemptBegan(let connection, let host, let path):
      begin("attemptBegan", connection)
      write(host: host)
      write(path)
    case .attemptMoved(let connection, let path):
      begin("attemptMoved", connection)
      write(path)
    case .connectionStalled(let connection): begin("connectionStalled", connection)
    case .connectionResumed(let connection): begin("connectionResumed", connection)
    case .sendBufferFull(let connection): begin("sendBufferFull", connection)
    case .serverReadRequest(let host, let call):
      begin("serverReadRequest")
      write(host: host)
      write(callAt: call)
    case .serverReadMessages(let host, let call, let count):
      begin("serverReadMessages")
      write(host: host)
      write(callAt: call)
      json.key("count")
      json.value(count)
    case .callbackLost: begin("callbackLost")
    case .heldBack(let kind):
      begin("heldBack")
      json.member("kind", kind.traceName)
    case .faultTookEffect(let entry): writeEntry("faultTookEffect", entry)
    case .runEnded(let reason):
      begin("runEnded")
      json.member("reason", reason.traceName)
    case .callUnfinished(let call):
      begin("callUnfinished")
      write(callAt: call)
    }
    json.endObject()
  }

  /// Writes an entry of the timeline: its place, and for the reader's eye what it does.
  private mutating func writeEntry(_ name: String, _ entry: UInt32) {
    begin(name)
    json.key("entry")
    json.value(entry)
    let isKnown = entry < script.entries.count
    json.member("action", isKnown ? script.entries[Int(entry)].action.traceName : nil)
  }

  mutating func write(_ path: PathIndex?) {
    json.key("path")
    guard let path else {
      json.null()
      return
    }
    let place = Int(path.index)
    if place < script.paths.count { json.value(script.paths[place]) } else { json.value(place) }
  }

  /// Writes a host by name, or by place where the script has none there.
  mutating func write(host: UInt32) {
    json.key("host")
    if host < script.hosts.count {
      json.value(script.hosts[Int(host)].written)
    } else {
      json.value(host)
    }
  }

  /// Writes a call of the script by name, or by place where the script has none there.
  mutating func write(callAt place: UInt32) {
    json.key("call")
    if place < script.calls.count {
      json.value(script.calls[Int(place)].id)
    } else {
      json.value(place)
    }
  }
}

extension HeldKind {
  package var traceName: String {
    switch self {
    case .callback: "callback"
    case .transportEvent: "transportEvent"
    }
  }
}

extension RunEnd {
  package var traceName: String {
    switch self {
    case .quiet: "quiet"
    case .until: "until"
    }
  }
}

extension ScriptAction {
  package var traceName: String {
    switch self {
    case .flags: "flags"
    case .path: "path"
    case .app: "app"
    case .makeCall: "make"
    case .startCall: "call"
    case .cancel: "cancel"
    case .finish: "finish"
    case .send: "send"
    case .disconnect: "disconnect"
    case .server: "server"
    case .names: "names"
    case .transport: "transport"
    case .monitor: "monitor"
    case .receive: "receive"
    case .interceptor: "interceptor"
    case .request: "request"
    case .cancelRequest: "cancelRequest"
    case .ask: "ask"
    case .dispatcher: "dispatcher"
    }
  }
}
