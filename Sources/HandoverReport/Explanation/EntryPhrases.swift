package import HandoverCore
import HandoverEngine

/// Describes entries of the timeline.
package struct EntryPhrases {
  private let script: Script
  private let names: ScriptNames

  /// Creates descriptions with the names of a script.
  package init(_ script: Script) {
    self.script = script
    names = ScriptNames(script: script)
  }

  /// Returns a sentence about an entry, without its time.
  ///
  /// - Parameters:
  ///   - action: the action of the entry.
  ///   - flags: the device's flags before the entry.
  /// - Returns: the sentence, without a capital letter and without its period.
  package func text(of action: ScriptAction, after flags: ReachabilityFlags) -> String {
    switch action {
    case .flags(let next, let path, let up, let down):
      change(from: flags, to: next, path) + links(up, "stays up although it is left")
        + links(down, "goes down")
    case .path(let path): "the device moves to \(names.path(path)) without any callback"
    case .app(.background): "the app goes to the background"
    case .app(.backgroundRunning): "the app runs in the background"
    case .app(.foreground): "the app comes to the foreground"
    case .makeCall(let call): "\(names.call(call)) is made, and does not start yet"
    case .startCall(let call): "\(names.call(call)) starts"
    case .cancel(let call): "the user cancels \(names.call(call))"
    case .finish(let call): "the user ends the requests of \(names.call(call))"
    case .send(let call, let bytes):
      "the user sends a message of \(counted(bytes, "byte")) on \(names.call(call))"
    case .disconnect(let hosts): "the user disconnects \(names.hosts(hosts))"
    case .server(let host, let change):
      "the server\(names.suffix("of", host: host)) \(Self.phrase(change))"
    case .names(let host, let change): self.phrase(change, names.host(host))
    case .answer(let host, let addresses):
      "lookups of the name of \(names.host(host)) return "
        + ScriptNames.listed(addresses.map { script.address($0, of: host) }) + " from now on"
    case .address(let host, let position, let isReachable):
      "\(names.host(host)) is \(isReachable ? "reachable again" : "unreachable") at "
        + script.address(position, of: host)
    case .transport(let hosts, let change): self.phrase(change, hosts)
    case .monitor(let change, let delay, let path):
      Self.phrase(change, delay, path.map { " of \(names.path($0))" } ?? "")
    case .receive(let call, let count):
      "the user asks for \(counted(count, "more message", "more messages")) on "
        + names.call(call)
    case .interceptor(let link, let call, let change, let status):
      "\(names.link(link)) \(Self.phrase(change, status, names.call(call)))"
    case .request(let request): made(request)
    case .cancelRequest(let request): "the user cancels \(names.request(request))"
    case .ask(let question): asked(question)
    case .dispatcher(let pool, .setLongLimit(let long)):
      "the user sets the long limit of \(names.dispatcher(pool)) to \(long)"
    case .dispatcher(let pool, .close): "the user closes \(names.dispatcher(pool))"
    case .network(let path, let change, let signal):
      self.phrase(change, names.path(path))
        + (signal.map { "; the callback reports \(NetworkCategory($0))" } ?? "")
    case .signal(let flags):
      "a callback reports \(NetworkCategory(flags)); nothing else changes"
    case .power(let power): power.phrase
    }
  }

  // MARK: The device

  private func change(
    from flags: ReachabilityFlags, to next: ReachabilityFlags, _ path: PathIndex?
  ) -> String {
    let (old, new) = (NetworkCategory(flags), NetworkCategory(next))
    let named = path.flatMap { $0 == ScriptStory.defaultPath(new) ? nil : $0 }
    let network = named.map { ", by the name of \(names.path($0))" } ?? ""
    guard old != new else {
      if let named, new != .noNetwork { return "the device moves to \(names.path(named))" }
      let same = flags == next ? "the same flags are reported again" : "the flags change"
      return "\(same), and the device is still \(ScriptNames.position(new))"
    }
    switch new {
    case .wifi: return "WiFi appears\(network)"
    case .cellular:
      return old == .wifi
        ? "WiFi gives way to the cellular network\(network)"
        : "the cellular network appears\(network)"
    case .noNetwork, .unknown:
      return old == .wifi ? "WiFi is lost" : "the cellular network is lost"
    }
  }

  private func links(_ paths: PathSet, _ what: String) -> String {
    script.paths.indices.map { PathIndex(UInt8(clamping: $0)) }.filter(paths.contains)
      .map { "; the link of \(names.path($0)) \(what)" }.joined()
  }

  private func phrase(_ change: NetworkAction, _ network: String) -> String {
    switch change {
    case .up: "\(network) comes up"
    case .makeDefault: "\(network) becomes the default network"
    case .losing(let linger, let ending):
      "\(network) will go down in \(linger.exactText)" + Self.phrase(ending)
    case .down(let ending): "\(network) goes down" + Self.phrase(ending)
    case .captive: "\(network) is behind a portal, and nothing passes"
    case .validated: "\(network) is free of its portal"
    case .nat(let change, let answer, let every):
      "the router of \(network) " + Self.phrase(change, answer)
        + (every.map { ", every \($0.exactText) from now on" } ?? "")
    case .roam(.sameAddress, _): "the device goes to another access point of \(network)"
    case .roam(.newRouter, let answer):
      "\(network) has another router, which knows no flow and \(Self.phrase(answer))"
    case .roam(.newAddress, _): "the device gets another address on \(network)"
    case .uplink(true, _, _): "\(network) has its uplink"
    case .uplink(false, let lasts, let every):
      "\(network) loses its uplink" + (lasts.map { " for \($0.exactText)" } ?? "")
        + (every.map { ", every \($0.exactText) from now on" } ?? "")
    case .loss(.none): "\(network) no longer loses packets"
    case .loss(.requests): "\(network) loses what the device sends"
    case .loss(.answers): "\(network) loses what the device would receive"
    case .quality(let quality): "\(network): \(quality.phrase)"
    }
  }

  private static func phrase(_ change: NATChange, _ answer: UnknownFlows) -> String {
    switch change {
    case .forget: "forgets every flow, and \(phrase(answer))"
    case .rebindPort: "gives every flow another port, and what comes from there \(isMet(answer))"
    case .rebindAddress:
      "gets another address, and what comes from there \(isMet(answer))"
    }
  }

  private static func phrase(_ answer: UnknownFlows) -> String {
    switch answer {
    case .drop: "drops their packets"
    case .reset: "resets them"
    }
  }

  private static func isMet(_ answer: UnknownFlows) -> String {
    switch answer {
    case .drop: "is dropped"
    case .reset: "is reset"
    }
  }

  private static func phrase(_ ending: NetworkEnding?) -> String {
    switch ending {
    case nil: ""
    case .silent: ", and its connections get no error"
    case .reset: ", and its connections are reset"
    }
  }

  // MARK: Requests

  private func made(_ index: Int) -> String {
    let request = script.requests[index]
    return "the user makes the \(Self.phrase(request.kind)) \(names.request(index))"
      + names.suffix("to", host: request.host)
      + pool(request.pool)
  }

  private func asked(_ index: Int) -> String {
    let question = script.questions[index]
    let kind = Self.phrase(question.kind)
    return "the user asks, as \(names.question(index)), what would happen to a \(kind)"
      + names.suffix("to", host: question.host) + pool(question.pool)
  }

  private static func phrase(_ kind: RequestKind) -> String {
    switch kind {
    case .short: "short request"
    case .long: "long request"
    case .synchronous: "synchronous request"
    case .exempt: "WebSocket"
    }
  }

  /// Returns the pool if there are several.
  private func pool(_ index: Int) -> String {
    script.pools.count > 1 ? " in the pool \"\(VisibleText.of(script.pools[index]))\"" : ""
  }

  // MARK: Faults

  private static func phrase(_ change: ServerFault) -> String {
    switch change {
    case .close: "closes its connections"
    case .reset: "resets its connections"
    case .silent: "falls silent: it reads and answers nothing"
    case .goaway: "takes no new calls on its connections"
    case .refuse: "refuses new connections from now on"
    case .accept: "accepts connections and answers from now on"
    }
  }

  private func phrase(_ change: DNSFault, _ host: String) -> String {
    switch change {
    case .fail: "the name of \(host) cannot be resolved from now on"
    case .hang: "lookups of the name of \(host) get no answer from now on"
    case .resolve: "the name of \(host) can be resolved from now on"
    }
  }

  private func phrase(_ change: ConnectionFault, _ selector: HostSelector) -> String {
    let hosts = names.hosts(selector)
    return switch change {
    case .stall: "open connections to \(hosts) stall"
    case .stallAcked:
      "a middlebox on the path to \(hosts) acknowledges everything and forwards nothing"
    case .blackholeConnect: "attempts to connect to \(hosts) get no answer from now on"
    case .reset: "open connections to \(hosts) are reset by the far side"
    case .fin: "the far side closes open connections to \(hosts) gracefully"
    case .halfClose: "the far side ends its sending on open connections to \(hosts)"
    case .kill: "the device itself destroys open connections to \(hosts)"
    case .resume: "the path to \(hosts) works from now on"
    }
  }

  private static func phrase(
    _ change: GateAction, _ status: StatusCode, _ call: String
  ) -> String {
    switch change {
    case .hold: "keeps everything of \(call) from now on"
    case .release: "lets everything of \(call) go on"
    case .message: "sends its own message to the user of \(call)"
    case .close: "ends \(call) with \(status) for its user"
    case .cancel: "cancels \(call) behind it"
    case .start: "starts \(call) behind it"
    case .shutDown: "leaves the chain of \(call)"
    }
  }

  private static func phrase(_ change: MonitorFault, _ delay: Interval, _ of: String) -> String {
    switch change {
    case .duplicate: "the last callback comes again"
    case .delay: "the next callback\(of) is delayed by \(delay.exactText)"
    case .miss: "the next callback\(of) is lost"
    case .overrun: "callbacks overrun, and the flags are read again"
    }
  }
}
