import HandoverCore

// Changes that injected bugs make to a scenario. Entries keep their indices, because other parts
// refer to them.
extension Script {
  /// Changes the actions of entries.
  mutating func changeEntries(_ change: (ScriptAction) -> ScriptAction) {
    for index in entries.indices { entries[index].action = change(entries[index].action) }
  }

  /// Makes all entries that are not kept do nothing.
  mutating func keepEntries(_ isKept: (ScriptAction) -> Bool) {
    changeEntries { isKept($0) ? $0 : Self.nothing }
  }

  /// An action without effect, because its host does not exist.
  static var nothing: ScriptAction { .disconnect(.one(-1)) }

  mutating func runInBackground() {
    if initial.app == .background { initial.app = .backgroundRunning }
    changeEntries { if case .app(.background) = $0 { .app(.backgroundRunning) } else { $0 } }
  }

  /// Hides changes of the flags while the application is in the background.
  mutating func missInBackground() {
    var (app, flags) = (initial.app, initial.flags)
    for index in entries.indices {
      switch entries[index].action {
      case .app(let next): app = next
      case .flags(let next, let path, let up, let down):
        let defaultPath: PathIndex? =
          switch NetworkCategory(next) {
          case .wifi: Script.wifiPath
          case .cellular: Script.cellularPath
          case .noNetwork, .unknown: nil
          }
        guard app == .backgroundRunning, let path = path ?? defaultPath else {
          flags = next
          break
        }
        entries[index].action = .flags(flags, path: path, linksUp: up, linksDown: down)
      default: break
      }
    }
  }

  mutating func removeBackground() {
    initial.app = .foreground
    changeEntries { if case .app = $0 { .app(.foreground) } else { $0 } }
  }

  /// Changes each call.
  mutating func changeCalls(_ change: (inout ScriptCall) -> Void) {
    for index in calls.indices { change(&calls[index]) }
  }

  /// Changes each request.
  mutating func changeRequests(_ change: (inout ScriptRequest) -> Void) {
    for index in requests.indices { change(&requests[index]) }
  }

  /// Changes each host.
  mutating func changeHosts(_ change: (inout ScriptHost) -> Void) {
    for index in hosts.indices { change(&hosts[index]) }
  }

  /// Changes each interceptor of the chain.
  mutating func changeLinks(_ change: (inout InterceptorScript) -> Void) {
    for index in configuration.chain.links.indices {
      change(&configuration.chain.links[index])
    }
  }

  /// Changes the script of each rewriting interceptor.
  mutating func changeRewriting(_ change: (inout RewriteScript) -> Void) {
    changeLinks { link in
      guard case .rewrite(var script) = link.kind else { return }
      change(&script)
      link.kind = .rewrite(script)
    }
  }

  /// Reverses consecutive entries of a kind within each instant.
  mutating func reverseTogether(_ isMeant: (ScriptAction) -> Bool) {
    var first = 0
    while first < entries.count {
      var end = first
      while end < entries.count, entries[end].at == entries[first].at, isMeant(entries[end].action)
      {
        end += 1
      }
      let actions = entries[first..<end].map(\.action)
      for (offset, action) in actions.reversed().enumerated() {
        entries[first + offset].action = action
      }
      first = max(end, first + 1)
    }
  }

  /// Moves the entries about interceptors to the end of their instant.
  mutating func reportLinksLast() {
    var first = 0
    while first < entries.count {
      let end = entries[first...].firstIndex { $0.at != entries[first].at } ?? entries.count
      let actions = entries[first..<end].map(\.action)
      func changesLink(_ action: ScriptAction) -> Bool {
        if case .interceptor = action { true } else { false }
      }
      let ordered = actions.filter { !changesLink($0) } + actions.filter(changesLink)
      for (offset, action) in ordered.enumerated() { entries[first + offset].action = action }
      first = end
    }
  }
}
