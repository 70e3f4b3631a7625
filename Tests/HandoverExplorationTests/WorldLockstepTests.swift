import HandoverCore
import HandoverSimulation
import Testing

@testable import HandoverExploration

/// Compares the form of a world with worlds that keep their whole past.
///
/// The comparison is necessary because an exploration with a wrong form could be complete too.
@Suite("The form of a world")
struct WorldLockstepTests {
  static let setups = [
    WorldSetup(
      ExplorationSetup(.socketsMonitor, calls: 3, extras: .full), events: .full, maximumPending: 2),
    WorldSetup(ExplorationSetup(.sockets, hosts: 2, calls: 3, extras: .plain), events: .full),
    WorldSetup(ExplorationSetup(.cfStream, calls: 2, extras: .full), events: .full),
    WorldSetup(
      ExplorationSetup(.sockets2017, hosts: 2, calls: 2, extras: [.deadlines, .messages]),
      events: .full),
  ]

  @Test(
    "The form continues like the world that it represents, whatever that world's past",
    arguments: setups)
  func agrees(_ setup: WorldSetup) throws {
    let seed: UInt64 = 20_171_009
    var draw = SeededGenerator(seed: seed)
    let form = WorldForm(setup)
    let alphabet = WorldAlphabet(setup)
    var rules = WorldRules(setup)
    var made = setup.makeWorld(setup.initialReads[0])
    for root in 0..<8 {
      // No call of the script is started twice, because a world with a past would remember the
      // first start.
      var raw = setup.makeWorld(setup.initialReads[root % setup.initialReads.count], spares: 250)
      var state = WorldState()
      var twin = WorldState()
      state.expected = rules.initial
      twin.expected = rules.initial
      raw.survey(into: &state.survey)
      for step in 0..<250 {
        let at = "seed \(seed), root \(root), step \(step)"
        raw.takeUp(state.survey)
        var bytes = FormBytes()
        form.write(state, into: &bytes)
        form.read(bytes, from: 0, into: &twin)
        var again = FormBytes()
        form.write(twin, into: &again)
        try #require(again.array() == bytes.array(), "\(at)")
        var (left, right): (ContiguousArray<WorldAction>, ContiguousArray<WorldAction>) = ([], [])
        alphabet.list(state.survey, into: &left)
        alphabet.list(twin.survey, into: &right)
        try #require(left == right, "\(at)")
        // Overdue timers fire together with any other event; the form lets them wait, which allows
        // more behavior.
        let isOverdue = (0..<setup.client.hosts).contains {
          state.survey.client.hosts[$0].attemptDue <= CanonicalForm.present
        }
        for action in left where !(isOverdue && action.isOfTime) {
          var next = WorldState()
          var other = WorldState()
          var branch = raw.fork()
          branch.perform(action, seen: state.survey)
          branch.survey(into: &next.survey)
          let violation = rules.check(action, state, &next, branch.records)
          made.restore(twin.survey)
          made.perform(action, seen: twin.survey)
          made.survey(into: &other.survey)
          let otherViolation = rules.check(action, twin, &other, made.records)
          #expect(violation == nil && otherViolation == nil, "\(at): \(action.sentence(in: setup))")
          var one = FormBytes()
          var two = FormBytes()
          form.write(next, into: &one)
          form.write(other, into: &two)
          try #require(
            one.array() == two.array(), "\(at): \(action.sentence(in: setup))")
        }
        let action = left[Int(draw.next(upToAndIncluding: UInt64(left.count - 1)))]
        var next = WorldState()
        raw.perform(action, seen: state.survey)
        raw.survey(into: &next.survey)
        _ = rules.check(action, state, &next, raw.records)
        raw.forget()
        swap(&state, &next)
      }
    }
  }
}

extension WorldAction {
  /// Whether the action notifies the client that time has passed.
  fileprivate var isOfTime: Bool {
    switch kind {
    case .deadline, .keepaliveDue, .attemptDue, .unusedDue: true
    default: false
    }
  }
}
