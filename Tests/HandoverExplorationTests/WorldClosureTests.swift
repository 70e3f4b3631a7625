import HandoverCore
import HandoverSimulation
import Testing

@testable import HandoverExploration

/// The invariants hold in a whole world for sequences of any length, because the exploration is
/// complete.
@Suite("An exploration of a whole world")
struct WorldClosureTests {
  struct Size: CustomTestStringConvertible, Sendable {
    var profile: Profile
    var calls = 1
    var extras = ExplorationSetup.Extras.plain
    var events = WorldSetup.Events.plain
    var states: Int
    var depth: Int

    var testDescription: String {
      "\(profile.name) 1x\(calls) \(extras.rawValue) \(events.rawValue)"
    }

    var setup: WorldSetup {
      WorldSetup(ExplorationSetup(profile, calls: calls, extras: extras), events: events)
    }
  }

  static let sizes = [
    Size(profile: .sockets, states: 7_292, depth: 20),
    Size(profile: .cfStream, states: 1_716, depth: 17),
    Size(profile: .linuxSockets, states: 7_292, depth: 20),
    Size(profile: .socketsMonitor, events: [], states: 1_970, depth: 10),
    Size(profile: .cfStreamMonitor, events: [], states: 1_866, depth: 10),
    Size(profile: .sockets2017, events: [], states: 1_858, depth: 10),
    Size(profile: .cfStream, calls: 2, states: 18_084, depth: 26),
    Size(profile: .socketsMonitor, events: [.monitor], states: 12_791, depth: 14),
  ]

  @Test(
    "The exploration is complete without a violation, and every state recovers",
    arguments: sizes)
  func closes(_ size: Size) {
    var explorer = WorldExplorer(size.setup)
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == size.states)
    #expect(explorer.figures.depth == size.depth)
  }

  @Test("A stopped exploration proves nothing, and resumes")
  func stops() {
    var explorer = WorldExplorer(Self.sizes[0].setup)
    #expect(explorer.run(ExplorationLimits(depth: 4)) == .stopped(.depth, growing: []))
    #expect(explorer.figures.depth == 4)
    #expect(explorer.run(ExplorationLimits(states: 5_000)) == .stopped(.states, growing: []))
    var asked = 0
    let verdict = explorer.run(shouldContinue: { _ in
      asked += 1
      return asked < 2
    })
    #expect(verdict == .stopped(.fromOutside, growing: []))
    #expect(explorer.run() == .closed)
    #expect(explorer.figures.states == Self.sizes[0].states)
  }

  // MARK: Mutants

  struct Planted: CustomTestStringConvertible, Sendable {
    var fault: WorldSetup.Mutant
    var profile: Profile
    var violation: WorldViolation
    var actions: Int
    var extras = ExplorationSetup.Extras.plain
    var events = WorldSetup.Events.plain

    var testDescription: String { fault.rawValue }
  }

  static let planted = [
    Planted(
      fault: .unheardLoss, profile: .sockets, violation: .lossNotReported(host: 0), actions: 5),
    Planted(
      fault: .lostAnswer, profile: .linuxSockets, violation: .answerLost, actions: 7),
    Planted(
      fault: .lostToken, profile: .sockets, violation: .tokenLost, actions: 5, extras: [.tokens]),
    Planted(
      fault: .deafStream, profile: .cfStream, violation: .deafStream(host: 0), actions: 3),
  ]

  @Test("A network with a mutant is detected by a shortest sequence", arguments: planted)
  func detects(_ planted: Planted) throws {
    let setup = WorldSetup(
      ExplorationSetup(planted.profile, calls: 1, extras: planted.extras), events: planted.events,
      fault: planted.fault)
    var explorer = WorldExplorer(setup)
    guard case .broken(let shortest, _) = explorer.run() else {
      Issue.record("the fault is not found")
      return
    }
    #expect(shortest.violation == planted.violation)
    #expect(shortest.actions.count == planted.actions, "\(shortest.sentences(in: setup))")
  }

  @Test("Only a call with discarded data may be ended by its user")
  func thrownAway() {
    let setup = WorldSetup(ExplorationSetup(.sockets, calls: 1, extras: .plain))
    let healing = WorldHealing(setup)
    var rules = WorldRules(setup)
    var world = setup.makeWorld(.wifi)
    var state = WorldState()
    var scratch = WorldSurvey()
    state.expected = rules.initial
    world.survey(into: &state.survey)
    let actions: [WorldAction] = [
      WorldAction(.start), WorldAction(.nameFound), WorldAction(.handshake), WorldAction(.discard),
      WorldAction(.answerEnds),
    ]
    for action in actions {
      var next = WorldState()
      world.takeUp(state.survey)
      world.forget()
      world.perform(action, seen: state.survey)
      world.survey(into: &next.survey)
      #expect(rules.check(action, state, &next, world.records) == nil)
      swap(&state, &next)
    }
    #expect(state.lostCalls == 1)
    var other = world.fork()
    #expect(healing.heal(&other, state, &scratch) == nil)
    // If the discarded data is forgotten, the call waits forever.
    state.lostCalls = 0
    #expect(healing.heal(&world, state, &scratch) == .callNeverEnds)
  }

  @Test("A token and a loss are deferred for a suspended client in either order")
  func heldTokens() throws {
    let background = try #require(AppState.allCases.firstIndex(of: .background))
    let foreground = try #require(AppState.allCases.firstIndex(of: .foreground))
    let setup = WorldSetup(ExplorationSetup(.sockets, calls: 2, extras: [.tokens]))
    let isAwaiting = try #require(setup.client.callKinds.firstIndex(of: .awaitsToken))
    for order in [[WorldAction.Kind.token, .reset], [.reset, .token]] {
      var world = setup.makeWorld(.wifi)
      var survey = WorldSurvey()
      world.survey(into: &survey)
      func perform(_ action: WorldAction) throws {
        var actions: ContiguousArray<WorldAction> = []
        WorldAlphabet(setup).list(survey, into: &actions)
        let chosen = try #require(
          actions.first { $0.kind == action.kind && $0.detail == action.detail })
        world.takeUp(survey)
        world.perform(chosen, seen: survey)
        world.survey(into: &survey)
      }
      for action in [
        WorldAction(.start), WorldAction(.nameFound), WorldAction(.handshake),
        WorldAction(.start, 0, isAwaiting), WorldAction(.app, background),
      ] { try perform(action) }
      for kind in order {
        try perform(WorldAction(kind))
        if kind == .reset { try perform(WorldAction(.received)) }
      }
      let kinds: [WorldSurvey.Fact.Kind] = order.map { $0 == .reset ? .connectionLost : .token }
      #expect(survey.facts.map(\.kind) == kinds)
      #expect(survey.facts.allSatisfy { $0.queue == .held })
      try perform(WorldAction(.app, foreground))
      #expect(survey.facts.map(\.kind) == kinds)
    }
  }
}
