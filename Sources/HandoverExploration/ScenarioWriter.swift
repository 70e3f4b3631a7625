import HandoverMachines

/// A counterexample as a scenario file, which reproduces the violation in virtual time.
package struct CounterexampleScenario: Hashable, Sendable {
  /// The text of the file.
  package let text: String
  /// The ID of the scenario.
  package let id: String
  /// Why the sequence cannot be replayed in real time, or `nil` if it can.
  ///
  /// If there is a reason, the scenario contains only the beginning of the sequence.
  package let obstacle: String?

  /// Creates the scenario of a counterexample.
  package init(_ counterexample: Counterexample, _ setup: ExplorationSetup) {
    var path = PlayedPath(counterexample, setup)
    obstacle = path.obstacle
    let rule = counterexample.breach.rule
    id = "explored/\(setup.profile.name)-rule-\(rule.rawValue)"
    text = ScenarioWriter.text(&path, id: id)
  }
}

/// Writes scenario files in their canonical layout.
enum ScenarioWriter {
  /// Returns the name of a call by its index.
  static func id(_ call: Int) -> String { "call-\(call + 1)" }

  static func flags(_ category: NetworkCategory) -> String {
    switch category {
    case .noNetwork: "[]"
    case .cellular: #"["Reachable", "IsWWAN"]"#
    case .wifi, .unknown: #"["Reachable"]"#
    }
  }

  static func text(_ path: inout PlayedPath, id: String) -> String {
    let rule = path.counterexample.breach.rule
    let expectations = expectations(&path)
    return text(
      path, id: id, title: "Invariant \(rule.rawValue) is violated: \(rule.sentence)",
      entries: path.entries, until: path.now + .seconds(200), expectations: expectations)
  }

  static func text(
    _ path: PlayedPath, id: String, title: String, items: [String] = [],
    entries: [(at: Instant, entry: PlayedPath.Entry)], until: Instant, expectations: [String]
  ) -> String {
    let setup = path.setup
    let read = path.counterexample.initialRead
    var lines = [
      #"  "format": 1,"#, #"  "id": "\#(id)","#,
      #"  "title": "\#(title)","#,
      items.isEmpty ? "" : list("source", items.map(source)) + ",",
      #"  "profiles": ["\#(setup.profile.name)"],"#,
      #"  "initial": { "flags": \#(flags(read))\#(read == .unknown ? unreadable : "") },"#,
    ]
    let hosts = (0..<setup.hosts).map {
      #""\#(setup.hostName($0))": { "names": "hang" }"#
    }
    lines.append(#"  "hosts": { \#(hosts.joined(separator: ", ")) },"#)
    let keepalive =
      setup.configuration.keepalive.map {
        #""keepalive": { "time": "\#($0.time.text)", "timeout": "\#($0.timeout.text)" }, "#
      } ?? ""
    lines.append(
      #"  "config": { "backoff": { "jitter": 0 }, \#(keepalive)"until": "\#(until.text)" },"#)
    lines.append(list("timeline", timeline(path, entries)) + ",")
    lines.append(list("expect", expectations))
    return "{\n" + lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n}\n"
  }

  private static func source(_ item: String) -> String {
    #""document": "network-transitions", "item": "\#(item)""#
  }

  private static let unreadable = #", "monitor": "unreadable""#

  private static func list(_ key: String, _ elements: [String]) -> String {
    guard !elements.isEmpty else { return #"  "\#(key)": []"# }
    return #"  "\#(key)": ["# + "\n"
      + elements.map { "    { \($0) }" }.joined(separator: ",\n") + "\n  ]"
  }

  private static func timeline(
    _ path: PlayedPath, _ entries: [(at: Instant, entry: PlayedPath.Entry)]
  ) -> [String] {
    entries.compactMap { at, entry in
      let what: String
      switch entry {
      case .text(let text): what = text
      case .call(let place): what = call(place, path)
      case .hang(let host):
        what = #""names": { "host": "\#(path.setup.hostName(host))", "do": "hang" }"#
      }
      return what.isEmpty ? nil : #""at": "\#(at.text)", \#(what)"#
    }
  }

  private static func call(_ place: Int, _ path: PlayedPath) -> String {
    let call = path.calls[place]
    let host = path.setup.hostName(call.host)
    var parts = [
      #""id": "\#(id(place))""#, #""host": "\#(host)""#,
      #""kind": "\#(call.kind == .sends ? "bidi" : path.hasStreams ? "streaming" : "unary")""#,
    ]
    if let takes = call.takes {
      parts.append(#""takes": "\#(takes.text)""#)
    } else if call.kind == .sends || !path.hasStreams {
      parts.append(#""takes": "1h""#)
    }
    if let every = call.every, every > .zero { parts.append(#""every": "\#(every.text)""#) }
    if let deadline = call.deadline { parts.append(#""deadline": "\#(deadline.text)""#) }
    if call.kind == .failsFast { parts.append(#""failFast": true"#) }
    if call.kind == .awaitsToken {
      parts.append(#""options": { "token": "\#((call.token ?? .minutes(60)).text)" }"#)
    }
    return #""call": { \#(parts.joined(separator: ", ")) }"#
  }

  // MARK: The violated invariant

  /// Returns what a correct client shows; empty if the invariants alone detect the violation.
  private static func expectations(_ path: inout PlayedPath) -> [String] {
    let now = path.now
    let at = #""at": "\#(now.text)""#
    func channels(_ host: Int, alive: Int, _ at: String) -> String {
      #""channels": { "host": "\#(path.setup.hostName(host))", "alive": \#(alive) }, \#(at)"#
    }
    switch path.counterexample.breach {
    case .categoryUntold:
      return [#""monitor": { "notifications": \#(path.changes) }, \#(at)"#]
    case .channelKept(let host):
      return [channels(host, alive: 0, at)]
    case .connectionKept:
      return [#""connections": { "host": "*", "open": 0 }, \#(at)"#]
    case .callKept:
      return path.forgotten.map { ended($0, .connectivityLost, at) }
    case .callsDisagree:
      return path.forgotten.map { ended($0, .disconnected, at) }
    case .endedWrongly(let id, _, let expected):
      return path.call(id).map { [ended($0, expected, at)] } ?? []
    case .usedChannelDestroyed(let host):
      return [channels(host, alive: 1, at)]
    case .unusedForEver(let host):
      let lifetime = path.setup.configuration.policy.unusedChannelLifetime ?? .zero
      return [channels(host, alive: 0, #""at": "\#((now + lifetime).text)""#)]
    case .wrongUnusedDelay(let host, let seen, let expected):
      let end = #""at": "\#((now + min(seen, expected)).text)""#
      return [channels(host, alive: seen > expected ? 0 : 1, end)]
    case .wrongDelay(let host, let seen, let expected):
      let name = path.setup.hostName(host)
      let attempts = path.attempts(to: host) + (seen > expected ? 1 : 0)
      path.waitForNextAttempt(to: host)
      let end = (now + min(seen, expected)).text
      return [
        #""connections": { "host": "\#(name)", "attempts": \#(attempts) }, "at": "\#(end)""#
      ]
    case .sameCategoryActed, .endedAgain, .endedEarly, .sentAfterEnd, .deliveredAfterEnd,
      .deadConnection, .illegalMove, .wrongAttemptTime, .attemptForNobody, .waitsForNothing,
      .attemptWithoutEnd, .connectionsDisagree, .channelsDisagree, .wrongPingTime, .wokenWrongly,
      .firedEarly, .firedOtherwise:
      return []
    }
  }

  static func ended(_ call: Int, _ end: CallEnd, _ at: String) -> String {
    #""call": "\#(id(call))", "status": "\#(end.code)", "message": "\#(end.text.text)", \#(at)"#
  }
}
