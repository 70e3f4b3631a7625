import HandoverCore
package import HandoverScenario
import HandoverSimulation

/// The counterexample of a world as a timed scenario file; callers run it before they show it.
///
/// In an exploration any event may come next; in real time the first due event does. The file
/// therefore contains the actions of the user, the device and the servers. Answers and tokens take
/// as long as they took in the sequence, and the file waits for timers. At the end the network is
/// restored, and every call must end.
package struct WorldScenario: Hashable, Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The text of the file.
  package var text: String { scenario.text }
  /// The number of entries at the end that restore the network.
  package let healing: Int

  /// Creates the scenario of a counterexample.
  package init(_ counterexample: WorldCounterexample, _ setup: WorldSetup) {
    let rule = counterexample.violation.rule
    var path = WorldPath(setup, counterexample)
    path.play()
    // A delay of the wrong length is visible only at the start of the next attempt; the calls end
    // nevertheless.
    if case .client(.wrongDelay(let host, let seen, let expected)) = counterexample.violation {
      path.waitForNextAttempt(to: host, seen: seen, expected: expected)
      healing = 0
    } else {
      healing = path.heal()
    }
    scenario = path.scenario(
      id: "explored/world-\(setup.client.profile.name)-rule-\(rule.rawValue)", rule)
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
    var kind: ExploredCallKind
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
    var received = Instant.zero
    var attempts = 0
  }

  private let setup: WorldSetup
  private let counterexample: WorldCounterexample
  private var now = Instant.zero
  private var entries: [ScriptEntry] = []
  private var calls: [Call] = []
  /// The calls of the script, indexed by their positions in the survey.
  private var positions: [Int] = []
  private var hosts: [Host]
  private var unacknowledged = Instant.zero
  /// The expectation that replaces the end of every call, if there is one.
  private var expected: Expectation?

  init(_ setup: WorldSetup, _ counterexample: WorldCounterexample) {
    self.setup = setup
    self.counterexample = counterexample
    hosts = Array(repeating: Host(), count: setup.client.hosts)
  }

  private mutating func add(_ action: ScriptAction) {
    entries.append(ScriptEntry(at: now, action: action))
  }

  private mutating func start(_ kind: ExploredCallKind, to host: Int) {
    add(.startCall(calls.count))
    calls.append(Call(host: host, kind: kind, start: now))
  }

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
    for (index, action) in counterexample.actions.enumerated() {
      bytes.removeAll()
      form.write(after, into: &bytes)
      form.read(bytes, from: 0, into: &base)
      pass(to: action, base, isFirst: index == 0)
      write(action, base.survey)
      world.restore(base.survey)
      setup.perform(action, on: &world, seen: base.survey)
      world.survey(into: &after.survey)
      _ = rules.check(action, base, &after, world.records)
      follow(action, base, after.survey)
    }
  }

  /// Advances the clock to an action.
  private mutating func pass(to action: WorldAction, _ seen: borrowing WorldState, isFirst: Bool) {
    let subject = Int(action.subject)
    let settings = setup.client.configuration
    switch action.kind {
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
      now = max(now, hosts[host].received + (waits ? keepalive.timeout : keepalive.time))
    case .callbackReceived, .received, .releasedReceived, .nameFound, .nameFailed, .instantOver:
      break
    case .handshake, .refused, .answerEnds, .message, .token, .deadline:
      if !isFirst { now = now + Self.pause }
    default:
      // Actions share an instant while events of that instant are pending.
      if !isFirst, seen.survey.underWay == 0 { now = now + Self.pause }
    }
  }

  // long: a flat switch with a few lines per action
  private mutating func write(_ action: WorldAction, _ seen: borrowing WorldSurvey) {
    let subject = Int(action.subject)
    switch action.kind {
    case .start: start(setup.client.callKinds[Int(action.detail)], to: subject)
    case .cancel: add(.cancel(call(subject)))
    case .finish:
      calls[call(subject)].isFinished = true
      add(.finish(call(subject)))
    case .send: add(.send(call(subject), bytes: 1))
    case .disconnect: add(.disconnect(.one(subject)))
    case .disconnectAll: add(.disconnect(.all))
    case .flags: add(.flags(action.category))
    case .flagsKeepingLink:
      let left = PathSet(seen.device.path ?? Script.wifiPath)
      let flags = ReachabilityFlags(of: action.category)
      add(.flags(flags, path: nil, linksUp: left, linksDown: []))
    case .flagsWithoutCallback:
      add(.monitor(.miss, by: .zero))
      add(.flags(action.category))
    case .path: add(.path(PathIndex(UInt8(clamping: subject))))
    case .linkDies:
      let lost = PathSet(PathIndex(UInt8(clamping: subject)))
      let flags = ReachabilityFlags(of: seen.device.category)
      add(.flags(flags, path: nil, linksUp: [], linksDown: lost))
    case .app: add(.app(AppState.allCases[subject]))
    case .callbackDoubled: add(.monitor(.duplicate, by: .zero))
    case .callbacksOverrun: add(.monitor(.overrun, by: .zero))
    case .silent: add(.server(subject, .silent))
    case .accept: add(.server(subject, .accept))
    case .close: add(.server(subject, .close))
    case .reset: add(.server(subject, .reset))
    case .goaway: add(.server(subject, .goaway))
    case .kill: add(.transport(.one(subject), .kill))
    case .stall: add(.transport(.one(subject), .stall))
    case .resume: add(.transport(.one(subject), .resume))
    case .discard: add(.transport(.one(subject), .stallAcked))
    case .nameFailed: lookUp(subject, .fail)
    case .handshake:
      // If the attempt began on a network that the device has left, its first packet waits there.
      lookUp(seen.client.connections[subject].host, .resolve)
    case .refused:
      let host = seen.client.connections[subject].host
      add(.server(host, .refuse))
      lookUp(host, .resolve)
      now = now + Interval.milliseconds(1)
      add(.server(host, .accept))
    case .answerEnds:
      let index = call(subject)
      if let read = calls[index].read { calls[index].takes = since(read) }
    case .token: calls[call(subject)].token = since(calls[call(subject)].start)
    case .deadline: calls[call(subject)].deadline = since(calls[call(subject)].start)
    case .callbackReceived, .received, .releasedReceived, .nameFound, .timedOut, .keepaliveDue,
      .message,
      .attemptDue, .backoffOver, .unusedDue, .instantOver:
      break
    }
  }

  private mutating func lookUp(_ host: Int, _ behavior: DNSFault) {
    add(.names(host, behavior))
    add(.names(host, .hang))
  }

  private func call(_ position: Int) -> Int { position < positions.count ? positions[position] : 0 }

  private func since(_ start: Instant) -> Interval {
    Interval(microseconds: now.microseconds - start.microseconds)
  }

  /// Records the results of an action.
  private mutating func follow(
    _ action: WorldAction, _ before: borrowing WorldState, _ after: borrowing WorldSurvey
  ) {
    var positions: [Int] = []
    for position in 0..<after.client.callCount {
      let former = before.survey.client.position(of: after.client.call(position).id)
      let index = former.map { call($0) } ?? calls.count - 1
      positions.append(index)
      let wasScheduled = former.map { before.survey.calls[$0].answerIsScheduled } ?? false
      if after.calls[position].answerIsScheduled, !wasScheduled { calls[index].read = now }
    }
    self.positions = positions
    for host in 0..<setup.client.hosts {
      let (old, new) = (before.survey.client.hosts[host], after.client.hosts[host])
      if new.state == .connecting, old.state != .connecting {
        hosts[host].attempted = now
        hosts[host].attempts += 1
        hosts[host].notBefore = now + before.expected[host]
      }
      if new.calls.isEmpty, !(old.exists && old.calls.isEmpty) { hosts[host].unusedSince = now }
      if new.state == .ready { hosts[host].received = now }
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
    lookUp(host, .fail)
    now = now + Self.pause
    start(.waits, to: host)
    self.expected = Expectation(
      .connections(.one(host), attempts: attempts, open: nil, path: nil), .at(due))
  }

  /// Restores the network, and finishes all open requests.
  ///
  /// - Returns: The number of entries that this takes.
  mutating func heal() -> Int {
    now = now + .seconds(1)
    let before = entries.count
    add(.app(.foreground))
    add(.flags(.wifi))
    for host in 0..<setup.client.hosts {
      add(.names(host, .resolve))
      add(.server(host, .accept))
    }
    add(.transport(.all, .resume))
    for index in calls.indices where calls[index].kind == .sends && !calls[index].isFinished {
      add(.finish(index))
    }
    return entries.count - before
  }

  func scenario(id: String, _ rule: RuleIdentifier) -> Scenario {
    let end = now + Self.patience
    let settings = setup.client.configuration
    var script = Script(setup.client, initialRead: counterexample.initialRead, names: .hang)
    script.paths.append("wifi-B")
    script.configuration.backoff.jitter = Ratio(0, outOf: 1_000)
    script.configuration.backoff.maximum = settings.backoff.maximum
    script.configuration.keepalive = settings.keepalive
    script.configuration.until = end + .seconds(1)
    script.calls = calls.indices.map(scriptCall)
    script.entries = ContiguousArray(entries)
    let ends = calls.indices.map {
      Expectation(.call($0, status: nil, message: nil, channel: nil), .before(end))
    }
    return Scenario(
      id: id, title: "Invariant \(rule.rawValue) is violated: \(rule.sentence)",
      profile: setup.client.profile, script: script, expectations: expected.map { [$0] } ?? ends)
  }

  private func scriptCall(_ index: Int) -> ScriptCall {
    let call = calls[index]
    return ScriptCall(
      id: ScriptCall.id(index), host: call.host, kind: call.kind == .sends ? .bidi : .streaming,
      takes: call.takes ?? .seconds(30),
      deadline: call.deadline ?? (call.kind == .hasDeadline ? .minutes(60) : nil),
      failFast: call.kind == .failsFast,
      tokenDelay: call.kind == .awaitsToken ? call.token ?? .seconds(60) : nil)
  }
}

extension WorldAction {
  /// The category to which the flags change.
  var category: NetworkCategory { NetworkCategory(rawValue: subject) ?? .noNetwork }
}
