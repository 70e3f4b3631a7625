import HandoverCore

/// A counterexample replayed in real time, with an instant and scenario entries for each action.
///
/// A real client with timers runs the same actions. The replay fails if the client does not reach
/// the same state after each action. For example, an exploration lets any armed timer fire, but in
/// real time one timer is always the first.
struct PlayedPath {
  /// A call of the scenario.
  struct Call {
    var id: CallID
    var host: Int
    var kind: ExploredCallKind
    var startedAt: Instant
    var sentAt: Instant?
    var takes: Interval?
    var every: Interval?
    var deadline: Interval?
    var token: Interval?

    /// Whether the token of the call never arrives.
    var isLeftAwaiting: Bool { kind == .awaitsToken && token == nil }
  }

  private struct Host {
    var refuses = false
    /// Whether lookups hang, and the entry at which they could start to hang again.
    var hangs = true
    var released: Int?
    var attempts = 0
  }

  let setup: ExplorationSetup
  let counterexample: Counterexample
  /// The entries of the scenario.
  ///
  /// An entry without an action is a place at which lookups of a host can hang again, because an
  /// attempt starts that must wait for its lookup.
  private(set) var entries: [(at: Instant, action: ScriptAction?)] = []
  private(set) var calls: [Call] = []
  private var clock: ActionClock
  var now: Instant { clock.instant }
  /// The number of category changes that the monitor should have reported.
  private(set) var changes = 0
  /// Why the sequence cannot be replayed in real time, or `nil` if it can.
  private(set) var obstacle: String?
  /// The calls that ended in the last action, and how.
  private(set) var endedLast: [(call: Int, end: CallEnd)] = []
  /// The calls that disappeared in the last action without an end.
  private(set) var forgotten: [Int] = []
  private var hosts: [Host]
  private var device: NetworkCategory
  /// Whether the device has a network; flags that mean None leave it without one.
  private var hasPath: Bool
  private var isStalled = false

  /// The conditions that the sequence must meet.
  private let kind: Kind

  /// The origin of a sequence.
  enum Kind {
    /// The last action violates the invariant; the others lead to the states of the exploration.
    case breaksRule
    /// Every action leads to the state of the exploration.
    case leads
    /// The sequence was found in real time, so there are no states to compare.
    case timed
  }

  /// Whether calls are streaming calls instead of unary calls.
  let hasStreams: Bool

  init(
    _ counterexample: Counterexample, _ setup: ExplorationSetup, _ kind: Kind = .breaksRule,
    hasStreams: Bool = true
  ) {
    self.setup = setup
    self.kind = kind
    self.hasStreams = hasStreams
    self.counterexample = counterexample
    clock = ActionClock(setup)
    hosts = Array(repeating: Host(), count: setup.hosts)
    // If the read failed, the device nevertheless has a network.
    device = counterexample.initialRead == .unknown ? .wifi : counterexample.initialRead
    hasPath = device != .noNetwork
    play()
  }

  /// Returns how many attempts to a host were made.
  func attempts(to host: Int) -> Int { hosts[host].attempts }

  /// Returns the index of a call by its identifier, or `nil` if there is none; the latest call
  /// wins.
  func call(_ id: CallID) -> Int? { calls.lastIndex { $0.id == id } }

  // MARK: Replaying

  private mutating func play() {
    var client = setup.makeClient()
    var log = EffectLog<ClientEffect>()
    var rules = StepRules(setup)
    var seen = ClientSurvey()
    var after = ClientSurvey()
    client.stepDecorated(
      .reachability(.initialRead(ClientCore.flags(of: counterexample.initialRead))), at: .zero,
      into: &log)
    client.survey(into: &after, at: now)
    var twin = CanonicalTwin(setup, after)
    for (index, action) in counterexample.actions.enumerated() {
      swap(&seen, &after)
      guard clock.pass(to: action, seen, isFirst: index == 0) else {
        obstacle = "in real time another timer fires before that of action \(index + 1)"
        return
      }
      // The clock has advanced, so calls of earlier instants are no longer marked as just started.
      client.survey(into: &seen, at: now)
      let started = client.nextCallID
      write(action, seen, started, index)
      log.removeAll()
      client.perform(action, seen: seen, at: now, into: &log)
      client.survey(into: &after, at: now)
      let violation = rules.check(action, seen, after, log, at: now)
      if kind == .timed { clock.fireDueTimers(&client, &after, &rules, into: &log) }
      follow(log, after)
      let isLast = index + 1 == counterexample.actions.count
      if isLast { findEnds(log) }
      if isLast, kind == .breaksRule {
        if violation?.rule != counterexample.violation.rule {
          obstacle = "in real time it keeps the invariants"
        }
        findForgotten(seen, after, log)
      } else if kind != .timed, !twin.follows(action, after, rules.expected, at: now) {
        obstacle =
          "in real time action \(index + 1) has a different result: another timer fires before it"
        return
      }
    }
  }

  /// Records the effects of the client.
  private mutating func follow(
    _ log: borrowing EffectLog<ClientEffect>, _ after: borrowing ClientSurvey
  ) {
    for position in 0..<log.count {
      switch log[position] {
      case .openConnection(_, let channel):
        let host = Int(channel.endpoint.index)
        hosts[host].attempts += 1
        if !hosts[host].hangs, let position = hosts[host].released {
          entries[position].action = .names(host, .hang)
          hosts[host].hangs = true
        }
      case .startStream(let id, _):
        if let call = call(id) { calls[call].sentAt = now }
      default:
        break
      }
    }
  }

  private mutating func findEnds(_ log: borrowing EffectLog<ClientEffect>) {
    for position in 0..<log.count {
      if case .endCall(let id, let end) = log[position], let call = call(id) {
        endedLast.append((call, end))
      }
    }
  }

  private mutating func findForgotten(
    _ seen: borrowing ClientSurvey, _ after: borrowing ClientSurvey,
    _ log: borrowing EffectLog<ClientEffect>
  ) {
    for position in 0..<seen.calls.count {
      let one = seen.calls[position]
      var isPresent = false
      for other in 0..<after.calls.count where after.calls[other].id == one.id { isPresent = true }
      guard !isPresent else { continue }
      var isReported = false
      for position in 0..<log.count {
        if case .endCall(one.id, _) = log[position] { isReported = true }
      }
      if !isReported, let call = call(one.id) { forgotten.append(call) }
    }
  }

  // MARK: Entries

  private mutating func add(_ action: ScriptAction?) { entries.append((now, action)) }

  // long: a flat switch with a few lines per action
  private mutating func write(
    _ action: ClientAction, _ seen: borrowing ClientSurvey, _ started: CallID, _ index: Int
  ) {
    let host = Int(action.host)
    switch action.kind {
    case .callback, .reread:
      if action.category != seen.category { changes += 1 }
      if action.kind == .callback || action.category != device {
        add(.flags(action.category))
      }
      if action.kind == .reread { add(.monitor(.overrun, by: .zero)) }
      device = action.category
      hasPath = device != .noNetwork
    case .callStarted:
      findPath(index)
      add(.startCall(calls.count))
      calls.append(
        Call(
          id: started, host: host, kind: ExploredCallKind(rawValue: action.position) ?? .waits,
          startedAt: now))
    case .tokenArrived:
      let position = awaiting(action, seen)
      calls[position].token = since(calls[position].startedAt)
    case .awaitingCancelled: add(.cancel(awaiting(action, seen)))
    case .awaitingExpired:
      let position = awaiting(action, seen)
      calls[position].deadline = since(calls[position].startedAt)
    case .callCancelled: add(.cancel(bound(action, seen)))
    case .callExpired:
      let position = bound(action, seen)
      calls[position].deadline = since(calls[position].startedAt)
    case .streamEnded:
      let position = bound(action, seen)
      calls[position].takes = since(calls[position].sentAt ?? now)
    case .messageReceived:
      let position = bound(action, seen)
      calls[position].every = calls[position].every ?? since(calls[position].sentAt ?? now)
    case .messageQueued: add(.send(bound(action, seen), bytes: 1))
    case .requestFinished: add(.finish(bound(action, seen)))
    case .connected:
      findPath(index)
      release(host, refusing: false, .resolve)
    case .refused, .attemptBroken: release(host, refusing: true, .resolve)
    case .nameFailed: release(host, refusing: hosts[host].refuses, .fail)
    case .broken: add(.transport(.one(host), .reset))
    case .draining: add(.server(host, .goaway))
    case .disconnected: add(.disconnect(.one(host)))
    case .allDisconnected: add(.disconnect(.all))
    case .keepaliveExpired: stall(action, seen, index)
    case .pongReceived, .instantOver, .backoffOver, .attemptExpired, .unusedExpired: break
    }
  }

  /// Connects a device that has no network to one.
  ///
  /// The network is the one that the next callback reports; the monitor misses the connection
  /// itself.
  private mutating func findPath(_ index: Int) {
    guard !hasPath else { return }
    hasPath = true
    let next = counterexample.actions[index...].first {
      $0.isCallback && $0.category != .noNetwork
    }
    add(.monitor(.miss, by: .zero))
    add(.flags(next?.category ?? .wifi))
  }

  /// Completes the lookups of a host, so that its attempts succeed or are refused.
  mutating func release(_ host: Int, refusing: Bool, _ names: DNSFault) {
    if refusing != hosts[host].refuses {
      add(.server(host, refusing ? .refuse : .accept))
      hosts[host].refuses = refusing
    }
    add(.names(host, names))
    hosts[host].hangs = false
    hosts[host].released = entries.count
    add(nil)
  }

  /// Stalls the connection if the next event of the ping is its timeout.
  private mutating func stall(_ action: ClientAction, _ seen: borrowing ClientSurvey, _ index: Int)
  {
    let position = seen.hosts[Int(action.host)].connections.lowerBound + Int(action.position)
    guard !seen.connections[position].awaitsPong, !isStalled else { return }
    let later = counterexample.actions[(index + 1)...].first {
      $0.host == action.host && ($0.kind == .pongReceived || $0.kind == .keepaliveExpired)
    }
    guard later?.kind == .keepaliveExpired else { return }
    add(.transport(.one(Int(action.host)), .stall))
    isStalled = true
  }

  /// Makes an attempt fail and starts a call that waits for the next one, to expose its delay.
  mutating func waitForNextAttempt(to host: Int) {
    clock.pass(for: ActionClock.pause)
    release(host, refusing: true, .resolve)
    entries[entries.count - 1].action = .names(host, .hang)
    clock.pass(for: ActionClock.pause)
    add(.startCall(calls.count))
    calls.append(
      Call(
        id: CallID(index: .max, generation: 0), host: host, kind: .waits, startedAt: now))
  }

  private func since(_ start: Instant) -> Interval {
    Interval(microseconds: now.microseconds - start.microseconds)
  }

  private func bound(_ action: ClientAction, _ seen: borrowing ClientSurvey) -> Int {
    let index = seen.hosts[Int(action.host)].calls.lowerBound + Int(action.position)
    return call(seen.calls[index].id) ?? 0
  }

  private func awaiting(_ action: ClientAction, _ seen: borrowing ClientSurvey) -> Int {
    call(seen.awaitingTokens[Int(action.position)].id) ?? 0
  }
}

/// The client of the exploration, which runs in parallel with the replayed client.
private struct CanonicalTwin: ~Copyable {
  private let form: CanonicalForm
  private let setup: ExplorationSetup
  private var client: ClientCore
  private var rules: StepRules
  private var bytes = FormBytes()
  private var others = FormBytes()

  init(_ setup: ExplorationSetup, _ start: borrowing ClientSurvey) {
    self.setup = setup
    form = CanonicalForm(setup)
    client = setup.makeClient()
    rules = StepRules(setup)
    form.write(start, rules.expected, at: .zero, into: &bytes)
  }

  /// Performs an action.
  ///
  /// - Returns: Whether the resulting state equals the state of the other client.
  mutating func follows(
    _ action: ClientAction, _ other: borrowing ClientSurvey, _ expected: ExpectedDelays,
    at now: Instant
  ) -> Bool {
    var seen = ClientSurvey()
    var after = ClientSurvey()
    var log = EffectLog<ClientEffect>()
    form.read(bytes, from: 0, hosts: setup.hosts, into: &seen, &rules.expected)
    client.restore(seen, at: CanonicalForm.present)
    client.perform(action, seen: seen, at: CanonicalForm.present, into: &log)
    client.survey(into: &after, at: CanonicalForm.present)
    _ = rules.check(action, seen, after, log, at: CanonicalForm.present)
    bytes.removeAll()
    form.write(after, rules.expected, at: CanonicalForm.present, into: &bytes)
    others.removeAll()
    form.write(other, expected, at: now, into: &others)
    return bytes.count == others.count
      && bytes.isSame(from: 0, as: others, from: 0, count: bytes.count)
  }
}
