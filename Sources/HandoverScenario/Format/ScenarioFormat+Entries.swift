import HandoverCore

// The entries of the timeline: each action is declared, read and written here.

enum EntryKey: String, FieldKey {
  case at, network, device, address, flags, path, links, app, call, start, cancel, finish, send
  case disconnect, server, names, transport, monitor, receive, interceptor, request, ask
  case dispatcher

  static let vocabulary = Vocabulary(of: Self.self)
  static let object = ObjectFormat(
    Self.self, "entry", owner: "an entry of the timeline", "One action and its instant.",
    rules: [
      .one(
        of: actions.map { key in
          switch key {
          case .flags: (key.rawValue, EntryKey.network.rawValue)
          case .network: (key.rawValue, EntryKey.path.rawValue)
          case .path: (key.rawValue, EntryKey.flags.rawValue)
          default: (key.rawValue, nil)
          }
        })
    ])

  /// The possible actions of an entry; `path` is an action only without `flags`.
  static let actions: [EntryKey] = [
    .network, .flags, .path, .app, .call, .start, .cancel, .finish, .send, .disconnect, .server,
    .names, .transport, .monitor, .receive, .interceptor, .request, .ask, .dispatcher, .device,
  ]

  /// The actions of the application, which it cannot perform while it is suspended.
  static let ofApplication: [EntryKey] = [
    .call, .start, .cancel, .finish, .send, .disconnect, .receive, .interceptor, .request, .ask,
    .dispatcher,
  ]

  /// The actions on calls, which request profiles do not have.
  static let ofCalls: [EntryKey] = [
    .call, .start, .finish, .send, .disconnect, .receive, .interceptor,
  ]

  /// The actions of request profiles.
  static let ofRequests: [EntryKey] = [.request, .ask, .dispatcher]

  // long: a flat switch with one declaration per key
  var format: KeyFormat {
    switch self {
    case .at:
      KeyFormat(
        .notation(.entryTime), "The time from the start, or with `+` from the previous entry.",
        .required)
    case .network:
      KeyFormat(
        .object { ScenarioFormat.networkChange.object },
        "A change of one of the `networks`: [network](#network). `flags` may be "
          + "added.", example: #"{ "id": "home", "become": "up" }"#)
    case .device:
      KeyFormat(
        .keyword(PowerKeyword.self),
        "A change of the whole device: [The device](NetworkModel.md#the-device). "
          + "`\"address\": \"new\"` may be added to `wake`.")
    case .address:
      KeyFormat(
        .keyword(AddressKeyword.self), "The address of the device after it wakes.",
        .keyword(AddressKeyword.same),
        with: .keywords("device", PowerKeyword.wake))
    case .flags:
      KeyFormat(
        .flags,
        "A change of the device's flags, with a callback to the monitor. `path` and "
          + "`links` may be added.", example: "[]")
    case .path:
      KeyFormat(
        .path,
        "A move of the device to another network without a callback. A new name is a "
          + "new network. The entry has no effect while the device has no network.",
        example: #""wifi-2""#)
    case .links:
      KeyFormat(
        .names(.keyword(LinkState.self)), "The networks that stay up, or are lost, by path.",
        with: .key("flags"))
    case .app: KeyFormat(.keyword(AppState.self), "A change of the application's state.")
    case .call:
      KeyFormat(
        .object { ScenarioFormat.call.object }, "The start of a call: [call](#call).",
        example: #"{ "id": "a", "host": "api.example:443" }"#)
    case .start:
      KeyFormat(
        .reference([.call]), "The start of a call that was made with `\"starts\": false`.",
        example: #""a""#)
    case .cancel:
      KeyFormat(.reference([.call, .request]), "A cancel by the user.", example: #""a""#)
    case .finish:
      KeyFormat(.reference([.call]), "The end of the user's requests.", example: #""a""#)
    case .send:
      KeyFormat(
        .object { ScenarioFormat.send.object }, "A message from the user.",
        example: #"{ "call": "a", "bytes": 100 }"#)
    case .disconnect:
      KeyFormat(
        .hostOrAll, "A disconnect of the channels of one host, or of all hosts.", example: #""*""#)
    case .server:
      KeyFormat(
        .object { ScenarioFormat.serverFault.object },
        "A fault of a server, or of one of its addresses.",
        example: #"{ "host": "api.example:443", "do": "close" }"#)
    case .names:
      KeyFormat(
        .object { ScenarioFormat.namesFault.object },
        "A fault of name lookups, or other addresses of a name.",
        example: #"{ "host": "api.example:443", "do": "fail" }"#)
    case .transport:
      KeyFormat(
        .object { ScenarioFormat.transportFault.object },
        "A fault of the connections to one host, or to all hosts.",
        example: #"{ "host": "*", "become": "stall" }"#)
    case .monitor:
      KeyFormat(
        .object { ScenarioFormat.monitorFault.object }, "A fault of callbacks.",
        example: #"{ "do": "miss" }"#)
    case .receive:
      KeyFormat(
        .object { ScenarioFormat.receive.object },
        "A request of the user for this number of further messages. The entry is "
          + "ignored without flow control.", example: #"{ "call": "a", "messages": 1 }"#)
    case .interceptor:
      KeyFormat(
        .object { ScenarioFormat.interceptorCommand.object },
        "A command to a scripted interceptor (kind `gate`) for one call.",
        example: #"{ "name": "gate", "call": "a", "do": "hold" }"#)
    case .request:
      KeyFormat(
        .object { ScenarioFormat.request.object },
        "A request of the application: [request](#request).",
        example: #"{ "id": "r", "host": "api.example:443" }"#)
    case .ask:
      KeyFormat(
        .object { ScenarioFormat.question.object },
        "A question about a request: [ask and dispatcher](#ask-and-dispatcher).",
        example: #"{ "id": "q", "host": "api.example:443" }"#)
    case .dispatcher:
      KeyFormat(
        .object { ScenarioFormat.dispatcherCommand.object }, "A change of a dispatcher.",
        example: #"{ "do": "close" }"#)
    }
  }
}

// MARK: - Reading and writing

extension ScenarioBuilder {
  /// Reads the action of an entry.
  // long: a flat switch with a few lines per action
  mutating func action(_ key: EntryKey, _ fields: Fields<EntryKey>) -> ScriptAction? {
    guard let value = fields[key] else { return nil }
    switch key {
    case .flags:
      return flagsChange(value, fields)
    case .path:
      return move(value, at: fields.member(.path)?.key ?? value)
    case .app:
      guard let state: AppState = keyword(value, "\"app\""), appCanMove(at: value) else {
        return nil
      }
      app = state
      return .app(state)
    case .call:
      return madeCall(value)
    case .start:
      return startOfCall(named: value)
    case .cancel:
      return cancellation(value)
    case .finish:
      return sendingCall(named: value, "\"finish\"").map(ScriptAction.finish)
    case .send:
      return message(value)
    case .disconnect:
      return hostSelector(value, "\"disconnect\"").map(ScriptAction.disconnect)
    case .server:
      return read(value, ScenarioFormat.serverFault).flatMap(\.action)
    case .names:
      guard let change = read(value, ScenarioFormat.namesFault), let host = change.host else {
        return nil
      }
      if let addresses = change.addresses { return .answer(host, addresses: addresses) }
      return change.fault.map { .names(host, $0) }
    case .transport:
      return read(value, ScenarioFormat.transportFault).map { .transport($0.host, $0.fault) }
    case .monitor:
      return monitorFault(value, at: fields.member(.monitor)?.key ?? value)
    case .receive:
      return read(value, ScenarioFormat.receive).map { .receive($0.call, count: $0.count) }
    case .interceptor:
      return read(value, ScenarioFormat.interceptorCommand).map {
        .interceptor($0.link ?? 0, call: $0.call, $0.action, $0.status)
      }
    case .request:
      return request(value)
    case .ask:
      return ask(value, at: fields.member(.ask)?.key ?? value)
    case .dispatcher:
      return dispatcherCommand(value, at: fields.member(.dispatcher)?.key ?? value)
    case .network:
      let signal = fields[.flags].flatMap { self.flags($0) }
      if fields[.flags] != nil { refusePaths(fields) }
      guard let entry = read(value, ScenarioFormat.networkChange), let path = entry.path else {
        return nil
      }
      return entry.action.map { .network(path, $0, signal: signal) }
    case .device:
      return power(
        value, address: fields[.address], addressKey: fields.member(.address)?.key)
    case .at, .links, .address:
      return nil
    }
  }
}

extension ScenarioEncoder {
  func entry(_ entry: ScriptEntry) -> JSONTree {
    var object = EncodedObject<EntryKey>()
    object[.at] = time(entry.at)
    encode(entry.action, &object)
    return object.json
  }

  // long: a flat switch with a few lines per action
  private func encode(_ action: ScriptAction, _ object: inout EncodedObject<EntryKey>) {
    switch action {
    case .flags(let flags, let path, let linksUp, let linksDown):
      object[.flags] = self.flags(flags)
      object[.path] = path.map { .text(self.path($0)) }
      let links = script.paths.indices.compactMap { index -> JSONTree.Member? in
        let path = PathIndex(UInt8(clamping: index))
        guard linksUp.contains(path) || linksDown.contains(path) else { return nil }
        return .init(script.paths[index], keyword(linksUp.contains(path) ? LinkState.up : .down))
      }
      object[.links] = nonempty(links)
    case .signal(let flags): object[.flags] = self.flags(flags)
    case .path(let path): object[.path] = .text(self.path(path))
    case .app(let state): object[.app] = keyword(state)
    case .makeCall(let call): object[.call] = created(call, starts: false)
    case .startCall(let call):
      if madeCalls.contains(call) {
        object[.start] = self.call(call)
      } else {
        object[.call] = created(call, starts: true)
      }
    case .cancel(let call): object[.cancel] = self.call(call)
    case .cancelRequest(let request): object[.cancel] = .text(script.requests[request].id)
    case .finish(let call): object[.finish] = self.call(call)
    case .send(let call, let bytes): object[.send] = json((call, bytes), ScenarioFormat.send)
    case .disconnect(let host): object[.disconnect] = self.host(host)
    case .server(let host, let fault):
      object[.server] = json(ServerChange(host: host, fault: fault), ScenarioFormat.serverFault)
    case .address(let host, let position, let isReachable):
      var change = ServerChange(host: host)
      if isReachable { change.reachable = position } else { change.unreachable = position }
      object[.server] = json(change, ScenarioFormat.serverFault)
    case .names(let host, let fault):
      object[.names] = json((host, fault, nil), ScenarioFormat.namesFault)
    case .answer(let host, let addresses):
      object[.names] = json((host, nil, addresses), ScenarioFormat.namesFault)
    case .transport(let host, let fault):
      object[.transport] = json((host, fault), ScenarioFormat.transportFault)
    case .monitor(let fault, let by, let network):
      object[.monitor] = json((fault, by, network), ScenarioFormat.monitorFault)
    case .receive(let call, let count):
      object[.receive] = json((call, count), ScenarioFormat.receive)
    case .interceptor(let link, let call, let action, let status):
      object[.interceptor] = json(
        (link, call, action, status), ScenarioFormat.interceptorCommand)
    case .request(let request):
      object[.request] = json(script.requests[request], ScenarioFormat.request)
    case .ask(let question):
      object[.ask] = json(script.questions[question], ScenarioFormat.question)
    case .dispatcher(let pool, .close):
      object[.dispatcher] = json((.close, 0, pool), ScenarioFormat.dispatcherCommand)
    case .dispatcher(let pool, .setLongLimit(let limit)):
      object[.dispatcher] = json((.limit, limit, pool), ScenarioFormat.dispatcherCommand)
    case .network(let path, let change, let signal):
      object[.network] = json(NetworkEntry(change, of: path), ScenarioFormat.networkChange)
      object[.flags] = signal.map(self.flags)
    case .power(let power):
      object[.device] = keyword(PowerKeyword(power))
      if power == .wake(newAddress: true) { object[.address] = keyword(AddressKeyword.new) }
    }
  }
}
