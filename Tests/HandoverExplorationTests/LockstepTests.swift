import HandoverCore
import Testing

@testable import HandoverExploration

/// Compares the canonical form with clients that keep their whole past.
///
/// The comparison is necessary because an exploration with a wrong canonical form could be complete
/// too.
@Suite("The canonical form")
struct LockstepTests {
  /// The successors of a state, action by action, in canonical form.
  private struct Successors {
    let setup: ExplorationSetup
    let form: CanonicalForm
    var rules: StepRules
    var actions = Rows<ClientAction>()
    var forms: [[UInt8]] = []
    var violation: Violation?

    init(_ setup: ExplorationSetup) {
      self.setup = setup
      form = CanonicalForm(setup)
      rules = StepRules(setup)
    }

    mutating func find(
      _ client: ClientCore, _ expected: ExpectedDelays, at now: Instant
    ) {
      var seen = ClientSurvey()
      var after = ClientSurvey()
      var bytes = FormBytes()
      var log = EffectLog<ClientEffect>()
      client.survey(into: &seen, at: now)
      setup.list(seen, at: now, into: &actions)
      forms.removeAll()
      for position in 0..<actions.count {
        let action = actions[position]
        var next = client
        log.removeAll()
        next.perform(action, seen: seen, at: now, into: &log)
        next.survey(into: &after, at: now)
        rules.expected = expected
        violation = violation ?? rules.check(action, seen, after, log, at: now)
        bytes.removeAll()
        form.write(after, rules.expected, at: now, into: &bytes)
        forms.append(bytes.array())
      }
    }
  }

  static let setups = [
    ExplorationSetup(.socketsMonitor, hosts: 2, calls: 3, extras: .full),
    ExplorationSetup(.sockets, hosts: 1, calls: 4, extras: .full),
    ExplorationSetup(.cfStream, hosts: 2, calls: 3, extras: .plain),
    ExplorationSetup(.sockets2017, hosts: 2, calls: 3, extras: .full),
    ExplorationSetup(.cfStreamMonitor, hosts: 2, calls: 2, extras: .full),
    ExplorationSetup(.linuxSockets, hosts: 1, calls: 3, extras: .full),
    ExplorationSetup(.linuxSocketsMonitor, hosts: 2, calls: 2, extras: .full),
    ExplorationSetup(.socketsMonitor, hosts: 1, calls: 2, extras: [.full, .messages]),
  ]

  @Test(
    "The canonical form continues like the client that it represents, whatever that client's past",
    arguments: setups)
  func agrees(_ setup: ExplorationSetup) throws {
    let seed: UInt64 = 20_171_009
    var draw = SeededGenerator(seed: seed)
    let form = CanonicalForm(setup)
    var (raw, canonical) = (Successors(setup), Successors(setup))
    for root in 0..<4 {
      let now = Instant(microseconds: 1_000 + Int64(draw.next(upToAndIncluding: 1_000_000)))
      let read = setup.initialReads[root % setup.initialReads.count]
      var client = setup.makeClient()
      var log = EffectLog<ClientEffect>()
      client.step(
        .reachability(.initialRead(ClientCore.flags(of: read))), at: now, into: &log)
      var expected = StepRules(setup).expected
      for step in 0..<150 {
        let at: Comment = "seed \(seed), root \(root), step \(step)"
        var survey = ClientSurvey()
        client.survey(into: &survey, at: now)
        var bytes = FormBytes()
        form.write(survey, expected, at: now, into: &bytes)
        var restored = ClientSurvey()
        var means = expected
        form.read(bytes, from: 0, hosts: setup.hosts, into: &restored, &means)
        var twin = setup.makeClient()
        twin.restore(restored, at: CanonicalForm.present)
        var again = ClientSurvey()
        twin.survey(into: &again, at: CanonicalForm.present)
        let isSame = again.isSame(as: restored)
        try #require(isSame, at)
        var copy = FormBytes()
        form.write(again, means, at: CanonicalForm.present, into: &copy)
        let (left, right) = (copy.array(), bytes.array())
        try #require(left == right, at)
        raw.find(client, expected, at: now)
        canonical.find(twin, means, at: CanonicalForm.present)
        try #require(raw.actions == canonical.actions, at)
        try #require(raw.forms == canonical.forms, at)
        #expect(raw.violation == nil && canonical.violation == nil, at)
        let action = raw.actions[Int(draw.next(upToAndIncluding: UInt64(raw.actions.count - 1)))]
        var after = ClientSurvey()
        log.removeAll()
        client.perform(action, seen: survey, at: now, into: &log)
        client.survey(into: &after, at: now)
        raw.rules.expected = expected
        _ = raw.rules.check(action, survey, after, log, at: now)
        expected = raw.rules.expected
      }
    }
  }

  /// With mutant C10 a call that starts in the instant of a change is not notified.
  @Test(
    "A client restored from a state does not inherit which calls of another one have just started")
  func forgetsStarts() {
    let now = CanonicalForm.present
    let setup = ExplorationSetup(
      .socketsMonitor, calls: 1, extras: .plain, defect: .lostCall)
    for hasJustStarted in [false, true] {
      var client = setup.makeClient()
      var seen = ClientSurvey()
      var log = EffectLog<ClientEffect>()
      client.step(.reachability(.initialRead(ClientCore.flags(of: .wifi))), at: now, into: &log)
      for action in [
        ClientAction(.callStarted, host: 0, position: Int(ExploredCallKind.waits.rawValue)),
        ClientAction(.callback, position: Int(NetworkCategory.cellular.rawValue)),
      ] {
        client.survey(into: &seen, at: now)
        if seen.calls.count > 0 { seen.calls[0].isJustStarted = hasJustStarted }
        client.restore(seen, at: now)
        log.removeAll()
        client.perform(action, seen: seen, at: now, into: &log)
      }
      let ends = (0..<log.count).count { if case .endCall = log[$0] { true } else { false } }
      #expect(ends == (hasJustStarted ? 0 : 1))
    }
  }

  @Test("States that continue differently stay separate: each state has one form and one digest")
  func digests() {
    var forms: Set<ContiguousArray<UInt8>> = []
    var digests: Set<StateDigest> = []
    var draw = SeededGenerator(seed: 5)
    for length in 0..<400 {
      var bytes = ContiguousArray(repeating: 0 as UInt8, count: length % 40)
      for position in bytes.indices where length >= 40 {
        bytes[position] = UInt8(draw.next(upToAndIncluding: 1))
      }
      forms.insert(bytes)
      digests.insert(StateDigest(of: bytes))
    }
    #expect(digests.count == forms.count)
  }
}

extension ClientSurvey {
  /// Whether another survey has the same content.
  fileprivate func isSame(as other: borrowing ClientSurvey) -> Bool {
    category == other.category && hosts == other.hosts && connections == other.connections
      && calls == other.calls && awaitingTokens == other.awaitingTokens
      && callsInUse == other.callsInUse && connectionsInUse == other.connectionsInUse
  }
}
