import HandoverCore
import HandoverSimulation

/// The counterexample of a world as a timed scenario file; callers run it before they show it.
///
/// In an exploration any event may come next; in real time the first due event does. The file
/// therefore contains the actions of the user, the device and the servers. Answers and tokens take
/// as long as they took in the sequence, and the file waits for timers. At the end the network is
/// restored, and every call must end.
package struct WorldScenario: Hashable, Sendable {
  /// The text of the file.
  package let text: String
  /// The ID of the scenario.
  package let id: String
  /// The number of entries at the end that restore the network.
  package let healing: Int

  /// Creates the scenario of a counterexample.
  package init(_ counterexample: WorldCounterexample, _ setup: WorldSetup) {
    let rule = counterexample.breach.rule
    id = "explored/world-\(setup.client.profile.name)-rule-\(rule.rawValue)"
    var path = WorldPath(setup, counterexample)
    path.play()
    // A delay of the wrong length is visible only at the start of the next attempt; the calls end
    // nevertheless.
    if case .client(.wrongDelay(let host, let seen, let expected)) = counterexample.breach {
      path.waitForNextAttempt(to: host, seen: seen, expected: expected)
      healing = 0
    } else {
      healing = path.heal()
    }
    text = path.text(id: id, rule)
  }
}

/// A timed sequence of actions.
private struct WorldPath {
  /// The time between two actions at different instants.
  private static let pause = Interval.milliseconds(100)
  /// How long after the restoration calls may take to end.
  private static let patience = Interval.seconds(400)

  private struct Call {
    var host: Int
    var kind: CallKind
    var start: Instant
    var read: Instant?
    var takes: Interval?
    var deadline: Interval?
    var token: Interval?
    var isFinished = false
  }

  private struct Host {
    var attempted = Instant.zero
    var notBefore = Instant.zero
    var unusedSince = Instant.zero
    var heard = Instant.zero
    var attempts = 0
  }

  private let setup: WorldSetup
  private let counterexample: WorldCounterexample
  private var now = Instant.zero
  private var entries: [(at: Instant, text: String, call: Int?)] = []
  private var calls: [Call] = []
  /// The calls of the script, indexed by their positions in the survey.
  private var places: [Int] = []
  private var hosts: [Host]
  private var unacknowledged = Instant.zero
  /// The expectation that replaces the end of every call, if there is one.
  private var expected: String?

  init(_ setup: WorldSetup, _ counterexample: WorldCounterexample) {
    self.setup = setup
    self.counterexample = counterexample
    hosts = Array(repeating: Host(), count: setup.client.hosts)
  }

  private func name(_ host: Int) -> String { setup.client.hostName(host) }

  private mutating func add(_ text: String) { entries.append((now, text, nil)) }

  // MARK: The actions

  mutating func play() {
    let form = WorldForm(setup)
    var rules = WorldRules(setup)
    var world = setup.makeWorld(counterexample.initialRead)
    var base = WorldState()
    var after = WorldState()
    var bytes = FormBytes()
    base.expected = rules.initial
    after.expected = rules.initial
    world.survey(into: &after.survey)
    for (index, act) in counterexample.acts.enumerated() {
      bytes.removeAll()
      form.write(after, into: &bytes)
      form.read(bytes, from: 0, into: &base)
      pass(to: act, base, isFirst: index == 0)
      write(act, base.survey)
      world.restore(base.survey)
      setup.perform(act, on: &world, seen: base.survey)
      world.survey(into: &after.survey)
      _ = rules.check(act, base, &after, world.records)
      follow(act, base, after.survey)
    }
  }

  /// Advances the clock to an action.
  private mutating func pass(to act: WorldAction, _ seen: borrowing WorldState, isFirst: Bool) {
    let subject = Int(act.subject)
    let settings = setup.client.configuration
    switch act.kind {
    case .attemptDue:
      let isConnecting = seen.survey.client.hosts[subject].state == .connecting
      let least = hosts[subject].attempted + settings.backoff.minimumConnectTimeout
      now = max(now, isConnecting ? max(least, hosts[subject].notBefore) : hosts[subject].notBefore)
    case .backoffOver: now = max(now, hosts[subject].notBefore)
    case .unusedDue:
      now = max(now, hosts[subject].unusedSince + (settings.policy.unusedChannelLifetime ?? .zero))
    case .timedOut: now = max(now, unacknowledged + RunConfiguration().tcpTimeout)
    case .keepaliveDue:
      let host = seen.survey.client.connections[subject].host
      let waits = seen.survey.client.connections[subject].awaitsPong
      let keepalive = settings.keepalive ?? KeepaliveConfiguration(time: .zero, timeout: .zero)
      now = max(now, hosts[host].heard + (waits ? keepalive.timeout : keepalive.time))
    case .callbackHeard, .heard, .releasedHeard, .nameFound, .nameFailed, .instantOver:
      break
    case .handshake, .refused, .answerEnds, .message, .token, .deadline:
      if !isFirst { now = now + Self.pause }
    default:
      // Actions share an instant while events of that instant are pending.
      if !isFirst, seen.survey.underWay == 0 { now = now + Self.pause }
    }
  }

  // long: a flat switch with a few lines per action
  private mutating func write(_ act: WorldAction, _ seen: borrowing WorldSurvey) {
    let subject = Int(act.subject)
    func server(_ word: String) -> String {
      #""server": { "host": "\#(name(subject))", "do": "\#(word)" }"#
    }
    func transport(_ word: String) -> String {
      #""transport": { "host": "\#(name(subject))", "become": "\#(word)" }"#
    }
    func monitor(_ word: String) -> String { #""monitor": { "do": "\#(word)" }"# }
    let flags = #""flags": \#(ScenarioWriter.flags(act.category))"#
    let left = seen.device.path.map { Self.paths[Int($0.index)] } ?? "wifi"
    switch act.kind {
    case .start:
      entries.append((now, "", calls.count))
      calls.append(
        Call(
          host: subject, kind: setup.client.callKinds[Int(act.detail)], start: now))
    case .cancel: add(#""cancel": "\#(ScenarioWriter.id(call(subject)))""#)
    case .finish:
      calls[call(subject)].isFinished = true
      add(#""finish": "\#(ScenarioWriter.id(call(subject)))""#)
    case .send: add(#""send": { "call": "\#(ScenarioWriter.id(call(subject)))", "bytes": 1 }"#)
    case .disconnect: add(#""disconnect": "\#(name(subject))""#)
    case .disconnectAll: add(#""disconnect": "*""#)
    case .flags: add(flags)
    case .flagsKeepingLink: add(flags + #", "links": { "\#(left)": "up" }"#)
    case .flagsUnheard:
      add(monitor("miss"))
      add(flags)
    case .path: add(#""path": "\#(Self.paths[subject])""#)
    case .linkDies:
      let flags = ScenarioWriter.flags(seen.device.category)
      add(#""flags": \#(flags), "links": { "\#(Self.paths[subject])": "down" }"#)
    case .app: add(#""app": "\#(AppState.allCases[subject].rawValue)""#)
    case .callbackDoubled: add(monitor("duplicate"))
    case .callbacksOverrun: add(monitor("overrun"))
    case .silent, .accept, .close, .reset, .goaway: add(server("\(act.kind)"))
    case .kill, .stall, .resume: add(transport("\(act.kind)"))
    case .discard: add(transport("stall-acked"))
    case .nameFailed: lookUp(subject, "fail")
    case .handshake:
      // If the attempt began on a network that the device has left, its first packet waits there.
      lookUp(seen.client.connections[subject].host, "resolve")
    case .refused:
      let host = seen.client.connections[subject].host
      add(#""server": { "host": "\#(name(host))", "do": "refuse" }"#)
      lookUp(host, "resolve")
      now = now + Interval.milliseconds(1)
      add(#""server": { "host": "\#(name(host))", "do": "accept" }"#)
    case .answerEnds:
      let index = call(subject)
      if let read = calls[index].read { calls[index].takes = since(read) }
    case .token: calls[call(subject)].token = since(calls[call(subject)].start)
    case .deadline: calls[call(subject)].deadline = since(calls[call(subject)].start)
    case .callbackHeard, .heard, .releasedHeard, .nameFound, .timedOut, .keepaliveDue, .message,
      .attemptDue, .backoffOver, .unusedDue, .instantOver:
      break
    }
  }

  private static let paths = ["wifi", "cellular", "wifi-B"]

  private mutating func lookUp(_ host: Int, _ word: String) {
    add(#""names": { "host": "\#(name(host))", "do": "\#(word)" }"#)
    add(#""names": { "host": "\#(name(host))", "do": "hang" }"#)
  }

  private func call(_ place: Int) -> Int { place < places.count ? places[place] : 0 }

  private func since(_ start: Instant) -> Interval {
    Interval(microseconds: now.microseconds - start.microseconds)
  }

  /// Records the results of an action.
  private mutating func follow(
    _ act: WorldAction, _ before: borrowing WorldState, _ after: borrowing WorldSurvey
  ) {
    var places: [Int] = []
    for place in 0..<after.client.callCount {
      let former = before.survey.client.place(of: after.client.call(place).id)
      let index = former.map { call($0) } ?? calls.count - 1
      places.append(index)
      let wasScheduled = former.map { before.survey.calls[$0].answerIsScheduled } ?? false
      if after.calls[place].answerIsScheduled, !wasScheduled { calls[index].read = now }
    }
    self.places = places
    for host in 0..<setup.client.hosts {
      let (old, new) = (before.survey.client.hosts[host], after.client.hosts[host])
      if new.state == .connecting, old.state != .connecting {
        hosts[host].attempted = now
        hosts[host].attempts += 1
        hosts[host].notBefore = now + before.expected[host]
      }
      if new.calls.isEmpty, !(old.exists && old.calls.isEmpty) { hosts[host].unusedSince = now }
      if new.state == .ready { hosts[host].heard = now }
    }
    let (was, isNow) = (
      before.survey.connections.contains { $0.isUnacknowledged },
      after.connections.contains { $0.isUnacknowledged }
    )
    if isNow, !was { unacknowledged = now }
  }

  // MARK: The end

  /// Makes the current attempt fail, and starts a call that waits for the next attempt to show its
  /// time.
  mutating func waitForNextAttempt(to host: Int, seen: Interval, expected: Interval) {
    let due = now + min(seen, expected)
    let attempts = hosts[host].attempts + (seen > expected ? 1 : 0)
    now = now + Self.pause
    lookUp(host, "fail")
    now = now + Self.pause
    entries.append((now, "", calls.count))
    calls.append(Call(host: host, kind: .waits, start: now))
    self.expected =
      #""connections": { "host": "\#(name(host))", "attempts": \#(attempts) }, "#
      + #""at": "\#(due.text)""#
  }

  /// Restores the network, and finishes all open requests.
  ///
  /// - Returns: The number of entries that this takes.
  mutating func heal() -> Int {
    now = now + .seconds(1)
    let before = entries.count
    add(#""app": "foreground""#)
    add(#""flags": ["Reachable"]"#)
    for host in 0..<setup.client.hosts {
      add(#""names": { "host": "\#(name(host))", "do": "resolve" }"#)
      add(#""server": { "host": "\#(name(host))", "do": "accept" }"#)
    }
    add(#""transport": { "host": "*", "become": "resume" }"#)
    for index in calls.indices where calls[index].kind == .sends && !calls[index].isFinished {
      add(#""finish": "\#(ScenarioWriter.id(index))""#)
    }
    return entries.count - before
  }

  func text(id: String, _ rule: RuleIdentifier) -> String {
    let read = counterexample.initialRead
    let end = now + Self.patience
    let settings = setup.client.configuration
    let keepalive =
      settings.keepalive.map {
        #""keepalive": { "time": "\#($0.time.text)", "timeout": "\#($0.timeout.text)" }, "#
      } ?? ""
    let hosts = (0..<setup.client.hosts).map { #""\#(name($0))": { "names": "hang" }"# }
    let timeline = entries.map { entry in
      let what = entry.call.map { text(of: $0) } ?? entry.text
      return #"    { "at": "\#(entry.at.text)", \#(what) }"#
    }
    let expectations =
      expected.map { ["    { \($0) }"] }
      ?? calls.indices.map {
        #"    { "call": "\#(ScenarioWriter.id($0))", "before": "\#(end.text)" }"#
      }
    let unreadable = read == .unknown ? #", "monitor": "unreadable""# : ""
    return """
      {
        "format": 1,
        "id": "\(id)",
        "title": "Invariant \(rule.rawValue) is violated: \(rule.sentence)",
        "profiles": ["\(setup.client.profile.name)"],
        "initial": { "flags": \(ScenarioWriter.flags(read))\(unreadable) },
        "hosts": { \(hosts.joined(separator: ", ")) },
        "config": { "backoff": { "jitter": 0, "max": "\(settings.backoff.maximum.text)" }, \
      \(keepalive)"until": "\((end + .seconds(1)).text)" },
        "timeline": [
      \(timeline.joined(separator: ",\n"))
        ],
        "expect": [
      \(expectations.joined(separator: ",\n"))
        ]
      }

      """
  }

  private func text(of index: Int) -> String {
    let call = calls[index]
    var parts = [
      #""id": "\#(ScenarioWriter.id(index))", "host": "\#(name(call.host))""#,
      #""kind": "\#(call.kind == .sends ? "bidi" : "streaming")""#,
      #""takes": "\#((call.takes ?? .seconds(30)).text)""#,
    ]
    if let deadline = call.deadline {
      parts.append(#""deadline": "\#(deadline.text)""#)
    } else if call.kind == .hasDeadline {
      parts.append(#""deadline": "1h""#)
    }
    if call.kind == .failsFast { parts.append(#""failFast": true"#) }
    if call.kind == .awaitsToken {
      parts.append(#""options": { "token": "\#((call.token ?? .seconds(60)).text)" }"#)
    }
    return #""call": { \#(parts.joined(separator: ", ")) }"#
  }
}

extension WorldAction {
  /// The category to which the flags change.
  var category: NetworkCategory { NetworkCategory(rawValue: subject) ?? .noNetwork }
}
