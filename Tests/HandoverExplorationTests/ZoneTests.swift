import HandoverCore
import Testing

@testable import HandoverExploration

/// Real times, for sequences of any length: the zones are complete, and every real run lies within
/// them.
@Suite("An exploration by zones")
struct ZoneTests {
  struct Size: CustomTestStringConvertible, Sendable {
    var profile: Profile
    var calls: Int
    var extras: ExplorationSetup.Extras
    var states: Int
    var zones: Int

    var testDescription: String { "\(profile.name) 1x\(calls) \(extras.rawValue)" }

    var setup: ExplorationSetup { ExplorationSetup(profile, calls: calls, extras: extras) }
  }

  /// Each state of the untimed exploration is reachable with times too.
  static let sizes = [
    Size(profile: .socketsMonitor, calls: 1, extras: .plain, states: 548, zones: 672),
    Size(profile: .socketsMonitor, calls: 2, extras: .plain, states: 2_196, zones: 2_516),
    Size(profile: .socketsMonitor, calls: 3, extras: .plain, states: 8_692, zones: 9_792),
    Size(profile: .socketsMonitor, calls: 3, extras: .deadlines, states: 26_420, zones: 29_712),
    Size(profile: .socketsMonitor, calls: 1, extras: .full, states: 1_272, zones: 1_476),
  ]

  @Test("The exploration is complete, and the client satisfies the invariants", arguments: sizes)
  func closes(_ size: Size) {
    var explorer = ZoneExplorer(size.setup)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == size.states)
    #expect(explorer.figures.zones == size.zones)
  }

  static let profiles: [Profile] = [
    .sockets, .socketsMonitor, .cfStream, .cfStreamMonitor, .sockets2017, .linuxSockets,
    .linuxSocketsMonitor,
  ]

  @Test("The exploration is complete for every profile", arguments: profiles)
  func closesForAll(_ profile: Profile) {
    var explorer = ZoneExplorer(ExplorationSetup(profile, calls: 1, extras: .full))
    #expect(explorer.run() == .closed)
  }

  /// With times a sequence may need one more action, for a timer that comes before another.
  @Test(
    "A mutant that is detected without times is detected with zones", arguments: FaultTests.planted)
  func detects(_ planted: FaultTests.Planted) {
    var explorer = ZoneExplorer(planted.setup)
    guard case .broken(let found, _) = explorer.run() else {
      Issue.record("\(planted.defect.rawValue) is not detected")
      return
    }
    #expect(found.violation.rule == planted.rule)
    #expect((planted.actions...planted.actions + 1).contains(found.actions.count))
  }

  @Test("A mutant that shows only in the order of times is detected")
  func order() {
    let setup = ExplorationSetup(
      .socketsMonitor, calls: 1, extras: .plain, defect: .earlyTimers)
    var untimed = Explorer(setup)
    #expect(untimed.run() == .closed)
    var zones = ZoneExplorer(setup)
    guard case .broken(let found, _) = zones.run() else {
      Issue.record("a timer that fires early is not detected")
      return
    }
    #expect(found.violation == .firedEarly)
    #expect(found.actions.count == 3)
  }

  @Test("A stopped exploration proves nothing")
  func stops() {
    let setup = ExplorationSetup(.socketsMonitor, calls: 2, extras: .plain)
    var shallow = ZoneExplorer(setup)
    #expect(shallow.run(ExplorationLimits(depth: 5)) == .stopped(.depth, growing: []))
    var small = ZoneExplorer(setup)
    #expect(small.run(ExplorationLimits(states: 500)) == .stopped(.states, growing: []))
    var endless = ZoneExplorer(ExplorationSetup(.sockets, calls: 1, extras: .messages))
    guard case .stopped(.growth, let growing) = endless.run() else {
      Issue.record("it closes although messages have no limit")
      return
    }
    #expect(growing.map(\.name) == ["messages that wait for a connection"])
  }

  /// The numbers of zones are between those of the first search and those of the second one.
  @Test("A limit of the second search does not hide the violation", arguments: [500, 600])
  func keepsTheFirstViolation(_ states: Int) {
    let setup = ExplorationSetup(
      .socketsMonitor, calls: 1, extras: .plain, defect: .keptAtLongest)
    var explorer = ZoneExplorer(setup)
    let verdict = explorer.run(ExplorationLimits(states: states))
    guard case .broken(let found, let playable) = verdict else {
      Issue.record("the violation is lost: \(verdict)")
      return
    }
    #expect(explorer.figures.zones > states)
    #expect(playable == nil || playable == found)
    #expect(explorer.run(ExplorationLimits(states: states)) == verdict)
  }

  @Test("Growth in the second search does not hide the violation")
  func keepsTheViolationDespiteGrowth() {
    let setup = ExplorationSetup(
      .sockets, calls: 1, extras: [.full, .messages], defect: .endlessBackoff)
    var explorer = ZoneExplorer(setup)
    guard case .broken(let found, _) = explorer.run() else {
      Issue.record("the violation is lost")
      return
    }
    #expect(found.violation.rule == .waiting)
  }

  /// Compares a random walk of a client in real time with its canonical form and its zone.
  ///
  /// The form and the zone must allow everything that the client does: the form is equal, and the
  /// times lie within the bounds of the zone.
  @Test("Every real run lies within the zones", arguments: profiles)
  func holds(_ profile: Profile) throws {
    let seed: UInt64 = 20_171_009
    var draw = SeededGenerator(seed: seed)
    for extras in [.plain, .full] as [ExplorationSetup.Extras] {
      let setup = ExplorationSetup(profile, calls: 3, extras: extras)
      for root in 0..<6 {
        try walk(setup, setup.initialReads[root % setup.initialReads.count], &draw, "seed \(seed)")
      }
    }
  }

  // long: two walks in parallel, in the order in which they proceed
  private func walk(
    _ setup: ExplorationSetup, _ read: NetworkCategory, _ draw: inout SeededGenerator,
    _ seed: String
  ) throws {
    let form = CanonicalForm(setup)
    var now = Instant(microseconds: 1_000)
    var client = setup.makeClient()
    var log = EffectLog<ClientEffect>()
    client.step(.reachability(.initialRead(ClientCore.flags(of: read))), at: now, into: &log)
    var rules = StepRules(setup)
    var stepper = ZoneStepper(setup)
    var zone: [Int32] = [0]
    var seen = ClientSurvey()
    var after = ClientSurvey()
    var timers = Rows<ZoneTimer>()
    var bytes = FormBytes()
    var other = FormBytes()
    client.survey(into: &after, at: now)
    form.write(after, rules.expected, at: now, into: &bytes)
    for step in 0..<250 {
      let at: Comment = "\(seed), step \(step)"
      swap(&seen, &after)
      stepper.read(bytes, at: 0)
      stepper.zone.resize(stepper.timers.count + 1)
      for (position, bound) in zone.enumerated() {
        stepper.zone[position / stepper.zone.size, position % stepper.zone.size] = bound
      }
      // The next timer that is due, or another event before it.
      ZoneClock.list(seen, at: now, into: &timers)
      var (next, action) = (Instant.never, ClientAction?.none)
      for position in 0..<timers.count where timers[position].due < next {
        next = timers[position].due
        action =
          switch timers[position].kind {
          case .backoff: ClientAction(.backoffOver, host: timers[position].host)
          case .attempt: ClientAction(.attemptExpired, host: timers[position].host)
          case .unused: ClientAction(.unusedExpired, host: timers[position].host)
          }
      }
      // In zones pings may fire at any time; here they fire when they are due.
      for position in 0..<seen.connections.count
      where seen.connections[position].keepaliveDue < next {
        next = seen.connections[position].keepaliveDue
        action = ClientAction(.keepaliveExpired, position: position)
      }
      // A backoff that ends together with the wait for it ends with that wait.
      if let one = action, one.kind == .backoffOver, seen.hosts[0].attemptDue == next,
        seen.hosts[0].state != .connecting
      {
        action = ClientAction(.attemptExpired, host: Int(one.host))
      }
      // Zones allow both orders of timers that are due together, and a client has only one.
      if next != .never, Self.dueTogether(seen, timers, at: next) { return }
      if action == nil || next > now && draw.next(upToAndIncluding: 2) > 0 {
        let room = min(next.microseconds - now.microseconds, 40_000_000)
        now = now + Interval(microseconds: Int64(draw.next(upToAndIncluding: UInt64(room - 1))))
        client.survey(into: &seen, at: now)
        var others: [ClientAction] = []
        for position in 0..<stepper.finder.value.actions.count {
          let one = stepper.finder.value.actions[position]
          if ![.backoffOver, .attemptExpired, .unusedExpired].contains(one.kind) {
            others.append(one)
          }
        }
        action = others[Int(draw.next(upToAndIncluding: UInt64(others.count - 1)))]
      } else {
        now = max(now, next)
        client.survey(into: &seen, at: now)
      }
      let chosen = try #require(action)
      log.removeAll()
      client.perform(chosen, seen: seen, at: now, into: &log)
      client.survey(into: &after, at: now)
      #expect(rules.check(chosen, seen, after, log, at: now) == nil, at)
      guard case .led = stepper.happen(chosen) else {
        Issue.record("\(chosen) can happen in time, and not in the zone; \(at)")
        return
      }
      bytes.removeAll()
      form.write(after, rules.expected, at: now, into: &bytes)
      other.removeAll()
      stepper.finder.value.writeForm(into: &other)
      let (left, right) = (bytes.array(), other.array())
      try #require(left == right, at)
      ZoneClock.list(after, at: now, into: &timers)
      try #require(stepper.after.size == timers.count + 1, at)
      zone = []
      for a in 0...timers.count {
        for b in 0...timers.count {
          let bound = stepper.after[a, b]
          zone.append(bound)
          // A backoff may be armed after its end (a name that fails late, in the 2017 document).
          let first = a == 0 ? now : max(now, timers[a - 1].due)
          let second = b == 0 ? now : max(now, timers[b - 1].due)
          let difference = first.microseconds - second.microseconds
          #expect(difference <= Int64(bound), at)
        }
      }
    }
  }

  /// Whether several timers are due together, except a backoff and what ends with it.
  private static func dueTogether(
    _ seen: borrowing ClientSurvey, _ timers: borrowing Rows<ZoneTimer>, at instant: Instant
  ) -> Bool {
    var count = 0
    for position in 0..<timers.count where timers[position].due == instant {
      if timers[position].kind != .backoff { count += 1 }
    }
    for position in 0..<seen.connections.count
    where seen.connections[position].keepaliveDue == instant {
      count += 1
    }
    return count > 1
  }
}
