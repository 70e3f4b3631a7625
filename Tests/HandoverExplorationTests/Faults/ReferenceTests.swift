import HandoverCore
import HandoverEngine
import HandoverReference
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverExploration

@Suite("The reference")
struct ReferenceTests {
  /// Returns the first sentence that is violated in a scenario's runs with a mutant.
  private func broken(
    _ scenarios: [Scenario], _ fault: Mutant? = nil,
    sentences: [RequirementSentence] = RequirementSentence.all
  ) -> (sentence: String, scenario: String)? {
    var worker = Worker(FaultyBackend(fault.map { [$0] } ?? []), retaining: .traces)
    for scenario in scenarios {
      for (profile, result) in zip(scenario.profiles, worker.run(scenario).cases)
      where profile.client.work == .calls {
        guard let trace = result.trace else { continue }
        let terms = Terms(profile, idle: scenario.script.configuration.idle, isTimed: true)
        if let broken = Reference.judge(trace.records, terms, sentences: sentences) {
          return (broken.sentence.name, "\(scenario.id) [\(profile.name)]")
        }
      }
    }
    return nil
  }

  @Test("The reference agrees with the client in every run of every scenario")
  func agrees() {
    let broken = broken(Corpus.scenarios)
    #expect(broken == nil, "\(String(describing: broken))")
  }

  @Test("Each sentence is listed once, with its requirements")
  func sentences() {
    #expect(Set(RequirementSentence.all.map(\.name)).count == RequirementSentence.all.count)
    for sentence in RequirementSentence.all {
      #expect(sentence.text.hasSuffix(".") && !sentence.items.isEmpty, "\(sentence.name)")
    }
  }

  static let histories: [(String, [Step])] = [
    (
      "no-attempt-for-nobody",
      [
        Step(
          at: 0,
          .starts(call: 0, host: 0, failsFast: false, awaitsToken: false, deadline: nil),
          [
            .makesChannel(0, host: 0), .binds(call: 0, channel: 0),
            .moves(0, from: .idle, to: .connecting), .opens(connection: 0, channel: 0),
            .opens(connection: 1, channel: 0),
          ])
      ]
    ),
    (
      "nothing-new-while-draining",
      [
        Step(
          at: 0,
          .starts(call: 0, host: 0, failsFast: false, awaitsToken: false, deadline: nil),
          [
            .makesChannel(0, host: 0), .binds(call: 0, channel: 0),
            .moves(0, from: .idle, to: .connecting), .opens(connection: 0, channel: 0),
          ]),
        Step(
          at: 1, .connected(0),
          [.moves(0, from: .connecting, to: .ready), .sends(call: 0, connection: 0)]),
        Step(
          at: 2, .starts(call: 1, host: 0, failsFast: false, awaitsToken: true, deadline: nil)),
        Step(
          at: 3, .drains(0),
          [
            .moves(0, from: .ready, to: .idle), .binds(call: 1, channel: 0),
            .sends(call: 1, connection: 0),
          ]),
      ]
    ),
  ]

  @Test("A violation inside one step is detected", arguments: histories)
  func withinOneStep(_ name: String, _ steps: [Step]) {
    let terms = Terms(
      hasMonitor: false, breakDestroys: false, nameEndsCalls: true, keptUnused: nil,
      isTimed: false)
    var reference = Reference(terms)
    let broken = steps.map { reference.judge($0)?.name }
    #expect(broken.dropLast().allSatisfy { $0 == nil } && broken.last == name, "\(broken)")
  }

  @Test("An inverted sentence is detected", arguments: RequirementSentence.all.map(\.name))
  func flipped(_ name: String) throws {
    var sentence = try #require(RequirementSentence.all.first { $0.name == name })
    let holds = sentence.holds
    sentence.holds = { !holds($0, $1, $2, $3) }
    let broken = broken(Array(Corpus.scenarios.prefix(40)), sentences: [sentence])
    #expect(broken?.sentence == name)
  }

  @Test(
    "An inverted switch of a state machine is detected",
    arguments: [
      "C10", "C11", "10302", "C9", "ignored-recovery", "double-end", "kept-unused-delay",
      "deaf", "breaks-destroy", "breaks-keep", "names-end-calls", "kept-20s", "deaf-to-connected",
      "unclosed", "lost-as-internal", "sent-twice",
    ])
  func faults(_ name: String) throws {
    let fault = try #require(Mutant.named(name))
    if name == "sent-twice" {
      // A call that is sent twice violates no sentence of the reference.
      #expect(broken(fault.scenarios.compactMap(Corpus.scenario), fault) == nil)
    } else {
      #expect(broken(Corpus.scenarios, fault) != nil)
    }
  }

  /// An exploration, with the history of each state.
  private struct Walk {
    var client: ClientCore
    var rules: StepRules
    var reference: Reference
  }

  static let setups =
    Profile.all.map { ExplorationSetup($0, calls: 2, extras: .plain) } + [
      ExplorationSetup(.socketsMonitor, calls: 1, extras: .full)
    ]

  /// Visits every state of a client, and checks each step against the reference.
  ///
  /// - Returns: The first violated sentence, and the number of checked steps.
  private func walk(_ setup: ExplorationSetup) -> (broken: String?, steps: Int) {
    let (form, now) = (CanonicalForm(setup), CanonicalForm.present)
    let terms = Terms(setup.profile, isTimed: false)
    let surveys = Surveys()
    var log = EffectLog<ClientEffect>()
    var actions = Rows<ClientAction>()
    var visited: Set<[UInt8]> = []
    var queue: [Walk] = []
    var steps = 0
    func remember(_ walk: Walk) {
      var bytes = FormBytes()
      form.write(surveys.after.value, walk.rules.expected, at: now, into: &bytes)
      if visited.insert(bytes.array()).inserted { queue.append(walk) }
    }
    for read in setup.initialReads {
      var walk = Walk(
        client: setup.makeClient(), rules: StepRules(setup), reference: Reference(terms))
      let event = ClientCore.Event.reachability(.initialRead(ClientCore.flags(of: read)))
      log.removeAll()
      walk.client.stepDecorated(event, at: now, into: &log)
      if let broken = walk.reference.judge(Step(event, log.elements, at: now)) {
        return (broken.name, steps)
      }
      walk.client.survey(into: &surveys.after.value, at: now)
      remember(walk)
    }
    var next = 0
    while next < queue.count {
      queue[next].client.survey(into: &surveys.seen.value, at: now)
      setup.list(surveys.seen.value, at: now, into: &actions)
      for position in 0..<actions.count {
        let action = actions[position]
        var walk = queue[next]
        let event =
          walk.client.event(of: action, surveys.seen.value, at: now) ?? .pool(.timeElapsed)
        log.removeAll()
        walk.client.perform(action, seen: surveys.seen.value, at: now, into: &log)
        walk.client.survey(into: &surveys.after.value, at: now)
        _ = walk.rules.check(action, surveys.seen.value, surveys.after.value, log, at: now)
        steps += 1
        if let broken = walk.reference.judge(Step(event, log.elements, at: now)) {
          return ("\(broken.name) at \(action)", steps)
        }
        remember(walk)
      }
      next += 1
    }
    return (nil, steps)
  }

  @Test("The reference agrees with the client in every reachable state", arguments: setups)
  func explores(_ setup: ExplorationSetup) {
    let (broken, steps) = walk(setup)
    #expect(broken == nil, "\(String(describing: broken))")
    #expect(steps > 1_000)
  }

  @Test(
    "The reference disagrees in some state with a client that has a mutant",
    arguments: ["C11", "C9", "ignored-recovery", "double-end", "10302", "breaks-destroy"])
  func exploresFaults(_ name: String) throws {
    let fault = try #require(Mutant.named(name))
    var setup = Self.setups[1]
    #expect(setup.profile == .socketsMonitor)
    setup.alter(fault.alter)
    #expect(walk(setup).broken != nil)
  }
}

/// The state of a client before and after an action.
private final class Surveys {
  let seen = Fixed(ClientSurvey())
  let after = Fixed(ClientSurvey())
}
