import HandoverBackend
package import HandoverCore

/// A remote client that replays paths of the built-in client and is compared with it.
struct RemotePath: ~Copyable {
  /// The maximum number of wakeups that a client may request within one action.
  private static let maximumWakes = 64

  private let client: any RemoteClient
  private let setup: RemoteSetup
  private var connections = OpenedConnections()
  private var effects: [ClientEffect] = []
  /// The instant of the last event.
  private(set) var now = Instant.zero

  init(_ client: any RemoteClient, _ setup: RemoteSetup) {
    self.client = client
    self.setup = setup
  }

  /// Replays a whole path from the start.
  ///
  /// - Returns: The first difference, or `nil` if both clients behave identically.
  mutating func take(_ way: ReferencePath) throws(BackendError) -> RemoteDifference? {
    connections = OpenedConnections()
    now = .zero
    let profile = setup.client.profile
    let script = setup.script(of: way)
    try client.open(script, profile: profile, endpoints: setup.endpoints)
    for call in script.calls.indices { client.introduce(call, as: Self.id(call)) }
    if profile.policy.monitorsReachability {
      var log = EffectLog<ClientEffect>()
      let flags = ClientCore.flags(of: way.initialRead)
      try client.send(.reachability(.initialRead(flags)), at: .zero, into: &log)
    }
    for index in way.steps.indices {
      if let difference = try take(way.steps[index], way, number: index + 1) { return difference }
    }
    return nil
  }

  /// Replays one more step.
  mutating func take(
    _ step: ReferencePath.Step, _ way: ReferencePath, number: Int
  ) throws(BackendError) -> RemoteDifference? {
    effects.removeAll(keepingCapacity: true)
    // A client that requests a wakeup before the event must do nothing in it.
    if let sleepless = try wake(through: step.at, exclusively: true, number) { return sleepless }
    if let early = difference([], number) { return early }
    if let event = step.event { try send(event, at: step.at, of: way) }
    if step.event != .pool(.closed), let sleepless = try wake(through: step.at, number) {
      return sleepless
    }
    return difference(step.effects, number)
  }

  /// Advances time to the next timer of the client when the built-in client has none.
  ///
  /// The timer must have no effect.
  mutating func fireTimer(number: Int) throws(BackendError) -> RemoteDifference? {
    guard let due = client.deadlines.next else { return nil }
    effects.removeAll(keepingCapacity: true)
    if let sleepless = try wake(through: due, number) { return sleepless }
    return difference([], number)
  }

  /// Reports to the client that time has passed, at each of its deadlines up to an instant.
  private mutating func wake(
    through instant: Instant, exclusively: Bool = false, _ number: Int
  ) throws(BackendError) -> RemoteDifference? {
    var wakes = 0
    while let due = client.deadlines.next, due < instant || due == instant && !exclusively {
      wakes += 1
      guard wakes <= Self.maximumWakes else {
        return RemoteDifference(action: number, kind: .sleepless)
      }
      now = max(now, due)
      try send(.pool(.timeElapsed), at: now)
    }
    now = max(now, instant)
    return nil
  }

  /// Returns the client's fingerprint of its state, or `nil` if it has none.
  func digest(at now: Instant) throws(BackendError) -> String? { try client.digest(at: now) }

  /// The visible state of the client's timers: whether it has any, and any non-periodic one.
  var timers: UInt8 {
    (client.deadlines.next == nil ? 0 : 1) | (client.deadlines.nonPeriodic == nil ? 0 : 2)
  }

  // MARK: Events and effects

  private mutating func send(
    _ event: ClientCore.Event, at now: Instant, of way: ReferencePath? = nil
  ) throws(BackendError) {
    var event = event
    if let way, case .pool(.callStarted(let call, let endpoint, var settings)) = event {
      if settings.deadline != .never {
        let one = way.started[Int(call.index)]
        settings.deadline = one.deadline ?? one.at + CanonicalForm.far
      }
      event = .pool(.callStarted(call, endpoint, settings))
    }
    let own = Renaming(
      call: { $0 },
      connection: { [connections] in connections.identifier($0) ?? $0 })
    var log = EffectLog<ClientEffect>()
    try client.send(own(event), at: now, into: &log)
    for position in 0..<log.count { connections.note(log[position]) }
    let names = Renaming(
      call: { $0 }, connection: { [connections] in connections.name($0) })
    for position in 0..<log.count where setup.isSeen(log[position]) {
      effects.append(names(log[position]))
    }
  }

  private static func id(_ call: Int) -> CallID {
    CallID(index: UInt32(truncatingIfNeeded: call), generation: 0)
  }

  /// Returns the difference between the effects of both clients, whatever their order.
  private func difference(_ expected: [ClientEffect], _ number: Int) -> RemoteDifference? {
    var missing = expected.filter(setup.isSeen)
    var extra: [ClientEffect] = []
    for effect in effects {
      if let position = missing.firstIndex(of: effect) {
        missing.remove(at: position)
      } else {
        extra.append(effect)
      }
    }
    guard missing.isEmpty, extra.isEmpty else {
      return RemoteDifference(action: number, kind: .effects(missing: missing, extra: extra))
    }
    if let first = effects.first(where: \.isNotification), first != effects[0] {
      return RemoteDifference(action: number, kind: .reportedLate)
    }
    return nil
  }
}

/// A difference between a remote client and the built-in client.
package struct RemoteDifference: Hashable, Sendable {
  /// The action after which it appears, counted from one; the number after the last is the closing.
  package var action: Int
  package var kind: Kind

  package enum Kind: Hashable, Sendable {
    /// The client omitted effects, or returned additional ones.
    case effects(missing: [ClientEffect], extra: [ClientEffect])
    /// The client acts before it reports the category change.
    case reportedLate
    /// The client keeps requesting wakeups without any effect.
    case sleepless
  }

  /// A description of the difference: one sentence without a full stop.
  package var sentence: String {
    switch kind {
    case .effects(let missing, let extra):
      let parts =
        extra.prefix(2).map { "it \($0.phrase)" }
        + missing.prefix(2).map { "it should have: \($0.phrase)" }
      return parts.joined(separator: "; ")
    case .reportedLate: return "it acts before it reports the category change"
    case .sleepless: return "it requests wakeups again and again without an effect"
    }
  }
}

extension ClientEffect {
  fileprivate var isNotification: Bool { if case .notify = self { true } else { false } }
}
